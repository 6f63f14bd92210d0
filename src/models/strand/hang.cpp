// Strands of a scene that start at rest: as they are drawn, or where they settle.

#include "math/functions.h"
#include "models/strand/model.h"
#include "scene/validate/problems.h"

#include <algorithm>
#include <set>
#include <utility>

namespace sinew {

using strand::Equilibrium;
using strand::SegmentData;
using strand::StillLoads;

namespace {

constexpr double kSame = 1e-6; // rad: two equilibria that are one

std::string quoted_name(const Scene& scene, ObjectId object)
{
    return "'" + object_names(scene)[object.index] + "'";
}

Problem about(const Scene& scene, ObjectId object, Severity severity, const char* code,
              const std::string& fact, const char* remedy)
{
    return make_problem(scene, severity, code, scene.objects[object.index].origin, "objects",
                        quoted_name(scene, object) + " " + fact, remedy);
}

/// What several strands of one def have in common is told once.
class Teller {
public:
    explicit Teller(const Scene& scene) : scene_(scene) {}

    void tell(ObjectId object, Severity severity, const char* code, const std::string& fact,
              const char* remedy)
    {
        if (told_.emplace(object, code).second)
            problems.push_back(about(scene_, object, severity, code, fact, remedy));
    }

    Problems problems;

private:
    const Scene& scene_;
    std::set<std::pair<ObjectId, std::string>> told_;
};

/// Gravity brought up in steps, each equilibrium the start of the next.
Equilibrium bring_up(std::span<const SegmentData> segments, StillLoads loads,
                     std::vector<Quat> from)
{
    constexpr int kSteps = 10;
    const Vec3 whole = loads.gravity;
    Equilibrium found;
    for (int i = 1; i <= kSteps; ++i) {
        loads.gravity = whole * (static_cast<double>(i) / kSteps);
        found = strand::find_equilibrium(segments, loads, from);
        from = found.turns;
    }
    return found;
}

/// A little bent, every joint about a slanting axis: off any symmetry.
std::vector<Quat> nudged(std::vector<Quat> turns)
{
    for (std::size_t i = 0; i < turns.size(); ++i)
        turns[i] = turns[i] * exp_quat(Vec3{1e-3, 3e-4, 7e-4} * static_cast<double>(i % 7 + 1));
    return turns;
}

} // namespace

StillLoads StrandModel::still_loads(const Scene& scene, std::uint32_t tree,
                                    std::span<const Affine> objects) const
{
    PoseMotion object;
    object.pose = strand::scaled_pose(objects[trees_[tree].object.index]).pose;
    const PoseMotion base = bases_.on_skin(scene, tree, object, scene.settings.start);
    return {.base = base.pose.rotation,
            .gravity = strand::Gravity(scene, scene.settings.start).value};
}

std::vector<Quat> StrandModel::turns_of(const Tree& tree, const ModelState& state) const
{
    std::vector<Quat> turns;
    for (std::size_t k = 0; k < tree.segments.size(); ++k)
        turns.push_back(turn_at(state, tree.first + k));
    return turns;
}

/// Lengths at rest of segments that are to have those of the drawing under what pulls there.
void StrandModel::slacken(const Scene& scene, const StillLoads& loads, std::span<const Quat> turns,
                          Tree& tree) const
{
    const std::vector<double> pulls = strand::tensions_of(tree.segments, loads, turns);
    std::vector<double> slack;
    for (std::size_t k = 0; k < pulls.size(); ++k) {
        const SegmentData& s = tree.segments[k];
        slack.push_back(s.length / strand::length_for_tension(s, pulls[k]));
    }
    tree.slack = std::move(slack);
    update_segments(scene, scene.settings.start, tree);
}

StrandModel::Hanging StrandModel::hang_tree(const Scene& scene, std::uint32_t index,
                                            std::span<const Affine> objects,
                                            const ModelState& drawn)
{
    Tree& tree = trees_[index];
    const StillLoads loads = still_loads(scene, index, objects);
    const std::vector<Quat> turns = turns_of(tree, drawn);
    std::vector<SegmentData> now = tree.segments;
    if (tree.is_elastic) {
        slacken(scene, loads, turns, tree);
        for (std::size_t k = 0; k < now.size(); ++k)
            now[k].stiffness = tree.segments[k].stiffness;
    }
    const strand::RestShape shape = find_rest_shape(now, loads, turns);
    if (!shape.is_found)
        return Hanging::impossible;
    for (std::size_t k = 0; k < shape.rest.size(); ++k)
        tree.segments[k].rest = shape.rest[k];
    return is_stable_at(tree.segments, loads, turns) ? Hanging::stable : Hanging::unstable;
}

Problems StrandModel::hang_as_drawn(const Scene& scene, std::span<const Affine> objects,
                                    int threads)
{
    if (std::ranges::none_of(trees_, &Tree::hangs_as_drawn))
        return {};
    const ModelState drawn = initial_state(scene, threads);
    std::vector<Hanging> hangings(trees_.size(), Hanging::stable);
    for_each_portion(threads, [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t i = begin; i < end; ++i)
            if (trees_[i].hangs_as_drawn)
                hangings[i] = hang_tree(scene, i, objects, drawn);
    });
    Teller teller(scene);
    for (std::uint32_t i = 0; i < trees_.size(); ++i)
        if (hangings[i] == Hanging::impossible)
            teller.tell(trees_[i].object, Severity::error, "rest-without-stiffness",
                        "cannot hang as it is drawn: a joint that bears weight has "
                        "no stiffness",
                        "give it bend_stiffness and twist_stiffness, or leave out "
                        "zero_gravity_rest");
        else if (hangings[i] == Hanging::unstable)
            teller.tell(trees_[i].object, Severity::warning, "rest-not-stable",
                        "hangs as it is drawn, but a small push makes it fall "
                        "elsewhere: it is too soft for its weight",
                        "make it stiffer or lighter");
    if (!has_errors(teller.problems))
        build_batches(threads);
    return std::move(teller.problems);
}

Problems StrandModel::settle(const StrandSurroundings& around, ModelState& state)
{
    Teller teller(around.scene);
    Nodes nodes;
    for (strand::AirFlow& flow : flows_)
        flow.prepare(around.scene, around.posture, around.now, around.then, 1);
    for (std::uint32_t i = 0; i < trees_.size(); ++i) {
        const Tree& tree = trees_[i];
        std::vector<double> tips(tree.segments.size() * strand::Load::count, 0.0);
        StillLoads loads = still_loads(around.scene, i, around.now);
        if (tree.has_loads) {
            add_loads(around, state, i, flows_, {}, nodes, tips);
            loads.tips = tips;
        }
        const std::vector<Quat> start = turns_of(tree, state);
        Equilibrium found = find_equilibrium(tree.segments, loads, start);
        if (!found.is_stable && found.is_found) {
            found = find_equilibrium(tree.segments, loads, nudged(found.turns));
            teller.tell(tree.object, Severity::note, "settled-elsewhere",
                        "starts in an unstable equilibrium; it settled into "
                        "another",
                        "no action is needed");
        }
        if (!found.is_found)
            teller.tell(tree.object, Severity::warning, "not-settled",
                        "did not settle to rounding; it starts from the best that was "
                        "found",
                        "give it stiffness, or start it nearer to its equilibrium");
        const Equilibrium other = bring_up(tree.segments, loads, start);
        if (const double apart = strand::largest_turn(found.turns, other.turns);
            other.is_found && other.is_stable && found.is_found && apart > kSame)
            teller.tell(tree.object, Severity::note, "several-equilibria",
                        "has more than one equilibrium: with gravity brought up slowly "
                        "it ends in another, segments turned by up to " +
                            std::to_string(apart) + " rad",
                        "start it near to the one that is wanted");
        for (std::size_t k = 0; k < found.turns.size(); ++k) {
            const Quat& q = found.turns[k];
            double* to = &state.x[4 * (tree.first + k)];
            to[0] = q.x, to[1] = q.y, to[2] = q.z, to[3] = q.w;
        }
        if (tree.is_elastic)
            std::ranges::copy(found.lengths, &state.x[length_index(tree)]);
    }
    return std::move(teller.problems);
}

void StrandModel::stop_tree(const Tree& tree, ModelState& state) const
{
    const std::size_t count = tree.segments.size();
    std::fill_n(&state.v[3 * tree.first], 3 * count, 0.0);
    std::fill_n(&state.memory[6 * tree.first], 6 * count, 0.0);
    if (tree.is_elastic)
        std::fill_n(&state.v[speed_index(tree)], count, 0.0);
}

double StrandModel::largest_turn(const ModelState& a, const ModelState& b) const
{
    double largest = 0;
    for (std::size_t i = 0; i < segment_count_; ++i)
        largest = max(largest, length(log_quat(conjugate(turn_at(a, i)) * turn_at(b, i))));
    return largest;
}

void StrandModel::move_with_bases(const Scene& scene, ModelState& state) const
{
    for (std::uint32_t i = 0; i < trees_.size(); ++i) {
        const Vec3 spin = bases_.start(scene, i).angular_velocity + trees_[i].spin;
        for (std::size_t k = trees_[i].first; k < trees_[i].first + trees_[i].segments.size();
             ++k) {
            const Vec3 rate = rotate(conjugate(turn_at(state, k)), spin);
            double* to = &state.v[3 * k];
            to[0] = rate.x, to[1] = rate.y, to[2] = rate.z;
        }
    }
}

} // namespace sinew
