// Trees as blocks of islands, made ready for a step and put back after it.

#include "models/strand/model.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace sinew {

using strand::Load;
using Trees = strand::StrandDynamics;

std::unique_ptr<StrandModel::Rows> StrandModel::make_rows() const
{
    auto rows = std::make_unique<Rows>(Rows{bases_, flows_, nullptr});
    std::vector<strand::StrandDynamics::Tree> trees;
    for (std::uint32_t i = 0; i < trees_.size(); ++i)
        trees.push_back({i, trees_[i].segments, trees_[i].has_free_base});
    rows->dynamics = std::make_unique<strand::StrandDynamics>(std::move(trees), rows->bases);
    return rows;
}

void StrandModel::prepare_rows(const StrandSurroundings& around, const ModelState& state,
                               std::span<const char> taken, Rows& rows) const
{
    std::vector<double> history(state.memory.begin() + 6 * std::ptrdiff_t(segment_count_),
                                state.memory.begin() + std::ptrdiff_t(first_pause()));
    std::vector<strand::Ridden> ridden(riding_count_);
    for (std::size_t i = 0; i < riding_count_; ++i)
        ridden[i].numbers = &history[i * strand::Ridden::kNumbers];
    rows.bases.prepare(around.scene, around.begin, around.end, around.now, around.then, ridden);
    if (has_loads_)
        for (strand::AirFlow& flow : rows.flows)
            flow.prepare(around.scene, around.posture, around.now, around.then,
                         around.end - around.begin);
    if (has_continuum_)
        find_neighbours(around, state, 1, rows.neighbours);
    const double middle = 0.5 * (around.begin + around.end);
    for (std::uint32_t i = 0; i < trees_.size(); ++i) {
        if (!taken[i])
            continue;
        if (trees_[i].is_timed) {
            Tree timed = trees_[i];
            update_segments(around.scene, middle, timed);
            rows.dynamics->set_segments(i, timed.segments);
        }
        set_row_loads(around, state, i, rows);
        if (is_posed(i))
            set_pull(around, i, rows);
    }
}

/// Where the poses of a tree have its segments when the step begins and ends, and how strongly they
/// draw in its middle.
void StrandModel::set_pull(const StrandSurroundings& around, std::uint32_t index, Rows& rows) const
{
    const Tree& tree = trees_[index];
    const std::size_t count = tree.segments.size();
    strand::StrandDynamics::Pull pull{.begin = around.begin, .end = around.end};
    for (std::vector<Vec3>* list : {&pull.joint, &pull.tip, &pull.joint_then, &pull.tip_then})
        list->resize(count);
    pull.strength.resize(count);
    pull.damping.resize(count);
    const double middle = 0.5 * (around.begin + around.end);
    for (const std::uint32_t p : tree.poses) {
        const StrandPose& pose = around.scene.strand_poses[p];
        const Curve& curve = curves_[pose.curve];
        const std::uint32_t segments = static_cast<std::uint32_t>(curve.count);
        const std::vector<Vec3> now = sample_pose(around.scene, pose, segments, around.begin);
        const std::vector<Vec3> then = sample_pose(around.scene, pose, segments, around.end);
        for (std::size_t k = 0; k < segments; ++k) {
            const std::size_t i = static_cast<std::size_t>(curve.first) + k;
            const double along = (double(k) + 0.5) / segments, l = tree.segments[i].length;
            pull.joint[i] = now[k] * tree.scale, pull.tip[i] = now[k + 1] * tree.scale;
            pull.joint_then[i] = then[k] * tree.scale;
            pull.tip_then[i] = then[k + 1] * tree.scale;
            pull.strength[i] = l * rates_at(around.scene, pose.strength, middle, along).value;
            pull.damping[i] = l * rates_at(around.scene, pose.damping, middle, along).value;
        }
    }
    rows.dynamics->set_pull(index, std::move(pull));
}

void StrandModel::set_row_loads(const StrandSurroundings& around, const ModelState& state,
                                std::uint32_t index, Rows& rows) const
{
    const Tree& tree = trees_[index];
    const std::span<double> loads = rows.dynamics->loads(index);
    std::ranges::fill(loads, 0.0);
    Nodes room;
    if (tree.has_loads)
        add_loads(around, state, index, rows.flows, rows.neighbours, room, loads);
    if (tree.gusts.empty())
        return;
    const double half = 0.5 * (around.end - around.begin);
    Nodes nodes;
    find_nodes(tree, state, base_motion(around.scene, state, index, around.now, around.begin),
               nodes);
    for (std::size_t k = 0; k < nodes.tip.size(); ++k)
        for (const std::uint32_t gust : tree.gusts) {
            const Vec3 place = nodes.tip[k] + nodes.tip_velocity[k] * half;
            const Vec3 air = rows.flows[gust].at(place, around.begin + half) *
                             rows.flows[gust].air().weight.number;
            for (int a = 0; a < 3; ++a)
                loads[k * Load::count + std::size_t(Load::air + a)] += air[a];
        }
}

ModelState StrandModel::state_in_rows(const ModelState& state) const
{
    ModelState rows;
    rows.x.reserve(state.x.size());
    rows.v.reserve(state.v.size());
    const auto add = [](const std::vector<double>& from, std::size_t first, std::size_t count,
                        std::vector<double>& to) {
        const auto begin = from.begin() + static_cast<std::ptrdiff_t>(first);
        to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
    };
    for (const Tree& tree : trees_) {
        const std::size_t count = tree.segments.size();
        add(state.x, 4 * tree.first, 4 * count, rows.x);
        add(state.v, 3 * tree.first, 3 * count, rows.v);
        if (tree.is_elastic) {
            add(state.x, length_index(tree), count, rows.x);
            add(state.v, speed_index(tree), count, rows.v);
        }
        if (tree.has_free_base) {
            add(state.x, base_index(tree), Trees::kBaseNumbers, rows.x);
            add(state.v, base_rate_index(tree), Trees::kBaseRates, rows.v);
        }
    }
    rows.memory.resize(6 * segment_count_ + trees_.size(), 0.0);
    return rows;
}

void StrandModel::take_from_rows(const ModelState& in_rows, std::span<const char> taken,
                                 ModelState& state) const
{
    for (std::size_t i = 0; i < trees_.size(); ++i) {
        if (!taken[i])
            continue;
        const Tree& tree = trees_[i];
        const std::size_t first = tree.first, count = tree.segments.size();
        const double *x = &in_rows.x[first_in_rows(tree, 4, Trees::kBaseNumbers)],
                     *v = &in_rows.v[first_in_rows(tree, 3, Trees::kBaseRates)];
        std::copy_n(x, 4 * count, &state.x[4 * first]);
        std::copy_n(v, 3 * count, &state.v[3 * first]);
        if (tree.is_elastic) {
            std::copy_n(x + 4 * count, count, &state.x[length_index(tree)]);
            std::copy_n(v + 3 * count, count, &state.v[speed_index(tree)]);
        }
        if (tree.has_free_base) {
            const std::size_t each = tree.is_elastic ? 1 : 0;
            std::copy_n(x + (4 + each) * count, Trees::kBaseNumbers, &state.x[base_index(tree)]);
            std::copy_n(v + (3 + each) * count, Trees::kBaseRates, &state.v[base_rate_index(tree)]);
        }
        // What rows push is not to be extrapolated.
        std::fill_n(&state.memory[6 * first], 6 * count, 0.0);
    }
}

void StrandModel::turn_back(const strand::Bases& bases, double time, std::span<const char> taken,
                            bool is_taken, ModelState& state) const
{
    for (std::uint32_t i = 0; i < trees_.size(); ++i) {
        const bool is_own = (!taken.empty() && taken[i]) == is_taken;
        if (!is_own || !bases.is_directed(i))
            continue;
        const Quat drift = bases.drift_at(i, time);
        if (drift == Quat{})
            continue;
        for (std::size_t k = trees_[i].first; k < trees_[i].first + trees_[i].segments.size();
             ++k) {
            const Quat q = normalised(conjugate(drift) * turn_at(state, k));
            const std::array<double, 4> numbers = {q.x, q.y, q.z, q.w};
            std::ranges::copy(numbers, &state.x[4 * k]);
        }
    }
}

void StrandModel::place_nodes(const Scene& scene, double time, const ModelState& state,
                              std::uint32_t tree, const PoseMotion& base, Nodes& nodes) const
{
    Tree room;
    find_nodes(at(scene, trees_[tree], time, room), state, base, nodes);
}

/// Its turns, rates, lengths, and what its stages remember.
void StrandModel::copy_tree(const Tree& tree, const ModelState& from, ModelState& to) const
{
    const std::size_t first = tree.first, count = tree.segments.size();
    std::copy_n(&from.x[4 * first], 4 * count, &to.x[4 * first]);
    std::copy_n(&from.v[3 * first], 3 * count, &to.v[3 * first]);
    std::copy_n(&from.memory[6 * first], 6 * count, &to.memory[6 * first]);
    if (tree.is_elastic) {
        std::copy_n(&from.x[length_index(tree)], count, &to.x[length_index(tree)]);
        std::copy_n(&from.v[speed_index(tree)], count, &to.v[speed_index(tree)]);
    }
    if (tree.has_free_base) {
        std::copy_n(&from.x[base_index(tree)], Trees::kBaseNumbers, &to.x[base_index(tree)]);
        std::copy_n(&from.v[base_rate_index(tree)], Trees::kBaseRates,
                    &to.v[base_rate_index(tree)]);
    }
}

// ---------------------------------------------------------------- free bases

bool StrandModel::can_free_base(std::uint32_t tree) const
{
    const Tree& own = trees_[tree];
    return bases_.kind(tree) == strand::Bases::Kind::riding && !bases_.is_directed(tree) &&
           !bases_.is_on_skin(tree) && own.poses.empty() && own.blend.is_constant() &&
           own.freeze.is_constant() && own.freeze.number == 0;
}

void StrandModel::free_base(std::uint32_t index, const PoseMotion& base, ModelState& state)
{
    Tree& tree = trees_[index];
    tree.has_free_base = true;
    tree.first_base = base_count_++;
    for (std::size_t i = index + 1; i < trees_.size(); ++i) // bases are freed in the trees' order
        trees_[i].first_base = base_count_;
    const Quat& q = base.pose.rotation;
    const Vec3& p = base.pose.translation;
    const Vec3 rate = rotate(conjugate(q), base.angular_velocity);
    state.x.insert(state.x.end(), {q.x, q.y, q.z, q.w, p.x, p.y, p.z});
    state.v.insert(state.v.end(),
                   {rate.x, rate.y, rate.z, base.velocity.x, base.velocity.y, base.velocity.z});
    for (std::size_t k = tree.first; k < tree.first + tree.segments.size(); ++k) {
        const Vec3 own = rotate(conjugate(turn_at(state, k)), base.angular_velocity);
        for (int a = 0; a < 3; ++a)
            state.v[3 * k + std::size_t(a)] += own[a];
    }
}

PoseMotion StrandModel::free_base_of(std::uint32_t tree, const ModelState& state) const
{
    const double *x = &state.x[base_index(trees_[tree])],
                 *v = &state.v[base_rate_index(trees_[tree])];
    PoseMotion base;
    base.pose = {{x[0], x[1], x[2], x[3]}, {x[4], x[5], x[6]}};
    base.angular_velocity = rotate(base.pose.rotation, Vec3{v[0], v[1], v[2]});
    base.velocity = {v[3], v[4], v[5]};
    return base;
}

void StrandModel::base_motions(const Scene& scene, const ModelState& state,
                               std::span<const Affine> objects, double time,
                               std::vector<PoseMotion>& motions) const
{
    bases_.motions_at(scene, objects, time, motions);
    for (std::uint32_t i = 0; i < trees_.size(); ++i)
        if (trees_[i].has_free_base)
            motions[i] = free_base_of(i, state);
}

void StrandModel::take_trees(const ModelState& from, std::span<const char> is_left,
                             ModelState& to) const
{
    for (std::size_t i = 0; i < trees_.size(); ++i) {
        if (is_left[i])
            continue;
        copy_tree(trees_[i], from, to);
        to.memory[first_pause() + i] = from.memory[first_pause() + i];
    }
}

std::vector<StrandModel::Touchable> StrandModel::touchables(std::uint32_t index, double time) const
{
    const Tree& tree = trees_[index];
    std::vector<Touchable> list(tree.segments.size());
    for (std::size_t i = 0; i < list.size(); ++i) // those that are no part of a curve
        list[i] = {.parent = tree.segments[i].parent,
                   .index = tree.first + i,
                   .length = tree.segments[i].length,
                   .touches = false};
    for (const std::uint32_t c : tree.curves)
        for (int k = 0; k < curves_[c].count; ++k) {
            const int i = curves_[c].first + k;
            const StrandSection s = sections_[c].at(time, (k + 0.5) / curves_[c].count);
            const strand::SegmentData& segment = tree.segments[i];
            list[i] = {segment.parent,
                       segment.parent >= 0 && segment.attach == 1,
                       tree.first + static_cast<std::size_t>(i),
                       segment.length,
                       s.radius,
                       s.friction,
                       s.sliding,
                       s.bounce,
                       s.touches};
        }
    return list;
}

double StrandModel::mass_of(std::uint32_t tree) const
{
    return std::accumulate(trees_[tree].node_masses.begin(), trees_[tree].node_masses.end(), 0.0);
}

bool StrandModel::is_hub(const Spot& spot) const
{
    return std::ranges::any_of(trees_[spot.tree].curves, [&](std::uint32_t c) {
        return curves_[c].hub == static_cast<int>(spot.segment);
    });
}

StrandModel::Spot StrandModel::turning_with(const Spot& spot) const
{
    for (const std::uint32_t c : trees_[spot.tree].curves)
        if (const Curve& curve = curves_[c];
            curve.hub >= 0 && static_cast<int>(spot.segment) + 1 == curve.hub && spot.fraction >= 1)
            return {spot.tree, static_cast<std::uint32_t>(curve.hub), 0};
    return spot;
}

StrandModel::Spot StrandModel::spot_of(const StrandSite& site) const
{
    const Curve& curve = curves_[site.curve];
    const StrandPlace place = place_on_strand(static_cast<std::uint32_t>(curve.count), site.along);
    return {curve.tree, static_cast<std::uint32_t>(curve.first) + place.segment, place.fraction};
}

} // namespace sinew
