// Strands that settle on obstacles.
//
//   in:  strands as they are drawn, and where each would settle if nothing were in its way
//   out: those that something is in the way of at rest on it, with the forces of their contacts
//
// Implicit steps of a flow, each from rest and mostly longer than the last, with contacts and
// friction as in every step of the lanes. A strand that is drawn inside of something is eased out.

#include "math/functions.h"
#include "sinew/stop.h"
#include "world/parts.h"

#include <algorithm>

namespace sinew {

namespace {

constexpr int kMostRelaxations = 600;
constexpr double kLonger = 1.25, kShorter = 0.5; // from one step to the next
constexpr double kLongest = 16;                  // steps of the world
constexpr double kFar = 0.3;                     // rad in a step: the next is no longer
constexpr double kStill = 1e-8;                  // rad in a step of the longest
constexpr double kStillInFloat = 1e-5;

} // namespace

void World::Parts::settle_on_obstacles(const std::vector<Affine>& objects)
{
    const ModelState drawn = strands.initial_state(scene);
    const std::vector<char> is_left = strand_contacts.find_clear(
        contacts_at_start(objects, state.strands, scene.settings.step), drawn);
    if (std::ranges::find(is_left, 0) == is_left.end())
        return;
    strands.take_trees(drawn, is_left, state.strands);
    const std::size_t told = notes.size(); // what is still inside at rest is told then
    find_strands_inside(objects);
    notes.erase(notes.begin() + std::ptrdiff_t(told), notes.end());
    begin_state = state;
    const double still = scene.settings.strands.is_float ? kStillInFloat : kStill;
    double h = scene.settings.step;
    const double longest = kLongest * h;
    for (int i = 0; i < kMostRelaxations && !is_stopping(); ++i) {
        const double turn = relax_strands(objects, h, is_left);
        if (turn < still && h >= longest)
            break;
        h = turn < kFar ? min(h * kLonger, longest) : h * kShorter;
    }
    strands.move_with_bases(scene, state.strands);
    lone.clear();
}

/// Contacts as they are now, a step of the flow with them. How far it turned a segment [rad].
double World::Parts::relax_strands(const std::vector<Affine>& objects, double h,
                                   std::span<const char> is_left)
{
    StrandContactInput input = contacts_at_start(objects, state.strands, h);
    input.left_out = is_left;
    strand_contacts.find(input, strand_search);
    state.inside = strand_search.inside;
    lone.clear();
    for (const StrandTouch& touch : strand_search.found)
        if (touch.is_own || !pile().bodies[touch.body].is_free())
            lone.push_back(touch);
    set_lone_touches(h, state.pile.bodies);
    std::ranges::fill(lone_touches.is_jolted, 1);
    const ModelState before = state.strands;
    strands.relax(input.around, 1, is_left, lone_touches, state.strands, strand_work);
    state.held.clear();
    keep_lone_touches();
    begin_state.held = state.held;
    begin_state.stuck = state.stuck;
    return strands.largest_turn(before, state.strands);
}

} // namespace sinew
