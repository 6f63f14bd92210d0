// Strands that touch each other and nothing that needs rows: in the lanes, as if the other moved by
// itself. Each step is taken in passes. In a pass every strand knows from the one before how the
// others moved; what two push each other with is made equal and opposite, and goes on from there:
// the method of multipliers, strand by strand.                          [notes: strands, eq. 38]
//
//   in:  pairs of segments that may touch within the step
//   out: the same step, in which gaps close and ways are those that others counted on

#include "math/functions.h"
#include "sinew/stop.h"
#include "world/parts.h"

#include <algorithm>
#include <functional>
#include <tuple>

namespace sinew {

namespace {

constexpr int kMostPasses = 8;
constexpr double kApart = 1e-2; // of a pair's thickness: what its gap or ways may be off by
constexpr double kSlow = 0.8;   // ratio of two gaps: nearer to 1 it tells little
constexpr double kSofter = 0.25, kLeastShare = 2e-3, kMostShare = 0.9; // of the stiffness

/// The stiffness with which the next pass would close what is left of a gap, were the pair alone:
/// with M for what the two resist with, gaps go on by (M − k)/(M + k).          [notes: eq. 39]
double next_share(double share, double gap, double last)
{
    const double ratio = min(max(gap / last, -1.0), kSlow);
    const double factor = max((1 + ratio) / (1 - ratio), kSofter);
    return min(max(share * factor, kLeastShare), kMostShare);
}

/// The point of a segment at a part of it.
Vec3 point_of(const StrandPiece& piece, double part)
{
    return piece.from + (piece.to - piece.from) * part;
}

Vec3 velocity_of(const StrandPiece& piece, double part)
{
    return piece.from_velocity + (piece.to_velocity - piece.from_velocity) * part;
}

} // namespace

/// Leaves in `mutual` the pairs of trees that need no rows; those with a tree that does are in
/// `row_pairs`, and so do the others of their trees.
void World::Parts::split_pairs(std::vector<char>& in_rows)
{
    std::vector<StrandPair>& pairs = mutual.pairs;
    row_pairs.clear();
    if (pairs.empty())
        return;
    const auto needs_rows = [&](const StrandPair& pair) {
        const auto is_apart = [&](std::uint32_t tree) { // where no lane can take it
            return in_rows[tree] || strands.has_free_base(tree);
        };
        return pair.bounce > 0 || !strands.can_touch_alone(scene) || is_apart(pair.a.tree) ||
               is_apart(pair.b.tree);
    };
    for (std::size_t known = pairs.size() + 1; known != pairs.size();) {
        known = pairs.size();
        const auto rest = std::ranges::stable_partition(pairs, std::not_fn(needs_rows));
        for (const StrandPair& pair : rest)
            in_rows[pair.a.tree] = in_rows[pair.b.tree] = 1;
        row_pairs.insert(row_pairs.end(), rest.begin(), rest.end());
        pairs.erase(rest.begin(), rest.end());
    }
}

/// Both sides of each pair, among the touches that need no rows.
void World::Parts::add_mutual_touches()
{
    std::erase_if(lone, [](const StrandTouch& touch) { // of a step that was tried
        return touch.is_mutual();
    });
    if (mutual.pairs.empty())
        return;
    mutual.begin =
        strand_pairs.place(strands, scene, at_begin.objects, begin_state.time, begin_state.strands);
    mutual.is_left.assign(strands.tree_count(), 1);
    for (std::uint32_t i = 0; i < mutual.pairs.size(); ++i) {
        const StrandPair& pair = mutual.pairs[i];
        for (const bool is_second : {false, true}) {
            const StrandPair::Side &own = is_second ? pair.b : pair.a,
                                   &other = is_second ? pair.a : pair.b;
            const Vec3 pace = velocity_of(mutual.begin[other.piece], other.part);
            mutual.is_left[own.tree] = 0;
            lone.push_back(
                {.key = pair.key,
                 .tree = own.tree,
                 .segment = own.segment,
                 .shape = StrandTouch::kNone,
                 .body = StrandTouch::kNone,
                 .part = own.part,
                 .site = own.site,
                 .turn = own.turn,
                 .place = pair.place,
                 .normal = is_second ? -pair.normal : pair.normal,
                 .slip = velocity_of(mutual.begin[own.piece], own.part) - pace,
                 .drift = pace,
                 .gap = pair.gap,
                 .length = length(mutual.begin[own.piece].to - mutual.begin[own.piece].from),
                 .friction = pair.friction,
                 .pair = i,
                 .is_second = is_second});
        }
    }
    std::ranges::stable_sort(
        lone, {}, [](const StrandTouch& touch) { return std::tuple(touch.tree, touch.segment); });
    mutual.points.resize(mutual.pairs.size());
    for (std::size_t i = 0; i < lone.size(); ++i)
        if (lone[i].is_mutual())
            mutual.points[lone[i].pair][lone[i].is_second] = i;
}

/// Where pairs meet now that a pass has ended, and what they push with, for the next. By how much
/// of its thickness a pair is off at most.
double World::Parts::meet_again(const StrandSurroundings& step, int pass)
{
    const std::vector<StrandPiece> now =
        strand_pairs.place(strands, scene, step.then, step.end, state.strands);
    double worst = 0;
    for (std::size_t i = 0; i < mutual.pairs.size(); ++i) {
        StrandPair& pair = mutual.pairs[i];
        strand::RiderTouch &a = lone_touches.points[mutual.points[i][0]],
                           &b = lone_touches.points[mutual.points[i][1]];
        const Vec3 went_a = point_of(now[pair.a.piece], a.part) - a.place,
                   went_b = point_of(now[pair.b.piece], b.part) - b.place;
        const Vec3 first = (a.first_force - b.first_force) * 0.5, force = (a.force - b.force) * 0.5;
        meet(now, pair);
        const double off = max(length(went_a - b.drift), length(went_b - a.drift));
        const bool pushes = dot(force, pair.normal) > 0;
        if (pushes || pair.gap < 0)
            worst = max(worst, max(off, pushes ? abs(pair.gap) : -pair.gap) / pair.thickness);
        double& last = lone[mutual.points[i][0]].gap;
        if (pass > 1 && pushes && last != 0)
            a.share = b.share = next_share(a.share, pair.gap, last);
        last = pair.gap;
        a.part = pair.a.part, b.part = pair.b.part;
        a.place = point_of(mutual.begin[pair.a.piece], a.part);
        b.place = point_of(mutual.begin[pair.b.piece], b.part);
        a.drift = pair.b.site - b.place, b.drift = pair.a.site - a.place;
        a.normal = pair.normal, b.normal = -pair.normal;
        a.gap = b.gap = pair.gap - dot(pair.normal, b.drift - a.drift);
        a.first_force = first, b.first_force = -first;
        a.force = force, b.force = -force;
    }
    return worst;
}

void World::Parts::step_mutual(const StrandSurroundings& step, StrandReport& done)
{
    if (mutual.pairs.empty())
        return;
    for (int pass = 1; pass < kMostPasses && !done.fault_tree && !is_stopping(); ++pass) {
        if (meet_again(step, pass) < kApart)
            return;
        again_strands = begin_state.strands;
        done += strands.step(step, work.threads, mutual.is_left, lone_touches, again_strands,
                             strand_work);
        --done.halvings; // of passes there are always some
        strands.take_trees(again_strands, mutual.is_left, state.strands);
    }
}

} // namespace sinew
