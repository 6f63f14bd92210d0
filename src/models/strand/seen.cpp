// Strands as they are seen: nodes and turns of a frame, things that ride on them, blended with
// their animation; and strands that are frozen.

#include "math/functions.h"
#include "models/strand/model.h"
#include "models/strand/nodes.h"

#include <algorithm>
#include <array>

namespace sinew {

namespace {

/// From one turn to another the short way, by a part.
Quat between(const Quat& a, const Quat& b, double part)
{
    const double sign = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -1 : 1;
    const auto mix = [&](double p, double q) { return p + (sign * q - p) * part; };
    return normalised(Quat{mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z), mix(a.w, b.w)});
}

/// Directions of the pieces of a polyline as frames, carried along it.
void put_frames(std::span<const Vec3> points, Quat frame, bool is_branch, std::span<Quat> turns)
{
    for (std::size_t k = 0; k < turns.size(); ++k) {
        const Vec3 chord = points[k + 1] - points[k];
        const double size = length(chord);
        if (size > 0)
            frame =
                k > 0 || is_branch ? carry_frame(frame, chord / size) : first_frame(chord / size);
        turns[k] = frame;
    }
}

} // namespace

const StrandModel::Tree& StrandModel::at(const Scene& scene, const Tree& tree, double time,
                                         Tree& room) const
{
    if (!tree.is_stretched)
        return tree;
    room = tree;
    update_segments(scene, time, room);
    return room;
}

/// 4 numbers a segment: those of the state where nothing is blended.
std::vector<double> StrandModel::shown_turns(const Scene& scene, const Tree& tree,
                                             const ModelState& state, const Quat& base,
                                             double time) const
{
    const auto first = state.x.begin() + 4 * static_cast<std::ptrdiff_t>(tree.first);
    const auto count = static_cast<std::ptrdiff_t>(tree.segments.size());
    std::vector<double> shown(first, first + 4 * count);
    const double weight = blend_at(scene, tree, time);
    if (weight == 1)
        return shown;
    std::vector<Quat> drawn(tree.segments.size()); // in the frame of the base
    for (std::size_t k = 0; k < drawn.size(); ++k) {
        const int parent = tree.segments[k].parent;
        drawn[k] = parent < 0 ? tree.drawn[k] : drawn[std::size_t(parent)] * tree.drawn[k];
    }
    for (const std::uint32_t p : tree.poses) {
        const Curve& curve = curves_[scene.strand_poses[p].curve];
        const int parent = tree.segments[curve.first].parent;
        put_frames(sample_pose(scene, scene.strand_poses[p], std::uint32_t(curve.count), time),
                   parent < 0 ? Quat{} : drawn[std::size_t(parent)], parent >= 0,
                   std::span(drawn).subspan(std::size_t(curve.first), std::size_t(curve.count)));
    }
    for (std::size_t k = 0; k < drawn.size(); ++k) {
        const Quat q =
            between(base * drawn[k], turn_at(state, tree.first + k), min(max(weight, 0.0), 1.0));
        const std::array<double, 4> numbers = {q.x, q.y, q.z, q.w};
        std::ranges::copy(numbers, &shown[4 * k]);
    }
    return shown;
}

/// Lengths that move, blended with those at rest; none where nothing is blended.
std::vector<double> StrandModel::shown_lengths(const Scene& scene, const Tree& tree,
                                               const ModelState& state, double time) const
{
    const double weight = blend_at(scene, tree, time);
    std::vector<double> shown;
    for (std::size_t k = 0; tree.is_elastic && weight != 1 && k < tree.segments.size(); ++k) {
        const double drawn = tree.segments[k].length / (tree.slack.empty() ? 1 : tree.slack[k]);
        shown.push_back(drawn +
                        (state.x[length_index(tree) + k] - drawn) * min(max(weight, 0.0), 1.0));
    }
    return shown;
}

double StrandModel::blend_at(const Scene& scene, const Tree& tree, double time)
{
    return tree.blend.is_constant() ? tree.blend.number : rates_at(scene, tree.blend, time).value;
}

StrandModel::Growth StrandModel::shown_growth(const Tree& tree, const ModelState& state,
                                              const std::vector<double>& lengths) const
{
    Growth growth = growth_of(tree, state);
    if (!lengths.empty())
        growth.lengths = lengths.data();
    return growth;
}

/// Where a tree's base is; how it moves is not asked.
PoseMotion StrandModel::seen_base(const Scene& scene, const ModelState& state, std::uint32_t tree,
                                  std::span<const Affine> objects, double time) const
{
    if (trees_[tree].has_free_base)
        return free_base_of(tree, state);
    PoseMotion object;
    object.pose = strand::scaled_pose(objects[trees_[tree].object.index]).pose;
    return bases_.on_skin(scene, tree, object, time);
}

void StrandModel::add_to_frame(const Scene& scene, const ModelState& state, int threads,
                               Frame& frame) const
{
    std::vector<std::size_t> first_segment = {0}; // of each curve, in the frame
    for (const Curve& curve : curves_)
        first_segment.push_back(first_segment.back() + std::size_t(curve.count));
    frame.nodes.resize(first_segment.back() + curves_.size());
    frame.segments.resize(first_segment.back());
    for_each_portion(threads, [&](std::uint32_t begin, std::uint32_t end) {
        Nodes nodes;
        Tree room;
        for (std::uint32_t i = begin; i < end; ++i) {
            const Tree& tree = at(scene, trees_[i], frame.time, room);
            const PoseMotion base = seen_base(scene, state, i, frame.objects, frame.time);
            const bool is_plain = tree.blend.is_constant() && tree.blend.number == 1;
            std::vector<double> blended, lengths;
            if (!is_plain) {
                blended = shown_turns(scene, tree, state, base.pose.rotation, frame.time);
                lengths = shown_lengths(scene, tree, state, frame.time);
            }
            const double* turns = is_plain ? &state.x[4 * tree.first] : blended.data();
            nodes.joint.resize(tree.segments.size()), nodes.tip.resize(tree.segments.size());
            const strand::TreeMotion motion{.turns = turns,
                                            .lengths = shown_growth(tree, state, lengths).lengths};
            const strand::TreeNodes ends{.joint = nodes.joint.data(), .tip = nodes.tip.data()};
            if (tree.is_stretched || !tree.slack.empty())
                strand::place_outward<false>(strand::WholeForm{tree.segments}, motion, base, ends);
            else
                strand::place_outward<false>(strand::LeanForm{tree.segments,
                                                              shapes_[tree.shape].view(),
                                                              tree.lengths.data()},
                                             motion, base, ends);
            for (const std::uint32_t c : tree.curves) {
                const std::size_t to = first_segment[c], from = std::size_t(curves_[c].first);
                frame.nodes[to + c] = nodes.joint[from];
                for (std::size_t k = 0; k < std::size_t(curves_[c].count); ++k) {
                    const double* q = &turns[4 * (from + k)];
                    frame.nodes[to + c + k + 1] = nodes.tip[from + k];
                    frame.segments[to + k] = {q[0], q[1], q[2], q[3]};
                }
            }
        }
    });
}

void StrandModel::place_sites(const Scene& scene, const ModelState& state,
                              std::span<const Affine> objects, double time, int depth, Nodes& nodes,
                              std::vector<PlacedObject>& placed) const
{
    Tree room;
    for (const StrandSite& site : sites_) {
        const Curve& curve = curves_[site.curve];
        if (trees_[curve.tree].depth != depth)
            continue;
        const Tree& tree = at(scene, trees_[curve.tree], time, room);
        const PoseMotion base = seen_base(scene, state, curve.tree, objects, time);
        const bool is_plain = tree.blend.is_constant() && tree.blend.number == 1;
        std::vector<double> blended, lengths;
        if (!is_plain) {
            blended = shown_turns(scene, tree, state, base.pose.rotation, time);
            lengths = shown_lengths(scene, tree, state, time);
        }
        const double* turns = is_plain ? &state.x[4 * tree.first] : blended.data();
        find_nodes(tree, turns, &state.v[3 * tree.first], shown_growth(tree, state, lengths), base,
                   nodes);
        const Spot spot = spot_of(site);
        const std::size_t k = spot.segment;
        const Vec3 x = nodes.joint[k] + (nodes.tip[k] - nodes.joint[k]) * spot.fraction;
        const double* q = &turns[4 * k];
        placed.push_back({site.object, {rotation_matrix(Quat{q[0], q[1], q[2], q[3]}), x}});
    }
}

bool StrandModel::is_frozen(const Scene& scene, std::uint32_t tree, double time) const
{
    const Value& freeze = trees_[tree].freeze;
    return (freeze.is_constant() ? freeze.number : rates_at(scene, freeze, time).value) > 0.5;
}

/// As it is, with its base: turns and rates of one body.
void StrandModel::carry_frozen(const StrandSurroundings& around, std::uint32_t index,
                               const ModelState& state, ModelState& next) const
{
    const Tree& tree = trees_[index];
    const PoseMotion now = bases_.true_base_at(index, around.begin);
    const PoseMotion then = bases_.true_base_at(index, around.end);
    const bool turns = !(now.pose.rotation == then.pose.rotation);
    const Quat turn = then.pose.rotation * conjugate(now.pose.rotation);
    for (std::size_t k = tree.first; k < tree.first + tree.segments.size(); ++k) {
        const Quat old = turn_at(state, k), q = turns ? normalised(turn * old) : old;
        const Vec3 rate = rotate(conjugate(q), then.angular_velocity);
        const std::array<double, 4> numbers = {q.x, q.y, q.z, q.w};
        std::ranges::copy(numbers, &next.x[4 * k]);
        for (int a = 0; a < 3; ++a)
            next.v[3 * k + std::size_t(a)] = rate[a];
    }
    std::fill_n(&next.memory[6 * tree.first], 6 * tree.segments.size(), 0.0);
    if (tree.is_elastic)
        std::fill_n(&next.v[speed_index(tree)], tree.segments.size(), 0.0);
}

} // namespace sinew
