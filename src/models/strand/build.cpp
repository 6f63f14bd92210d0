// Strands of a scene as trees of segments: shapes, sections, batches.

#include "base/parallel.h"
#include "math/functions.h"
#include "models/strand/model.h"
#include "scene/kinematics.h"
#include "scene/objects/drawn_strands.h"
#include "scene/objects/strand_section.h"
#include "scene/objects/strands.h"

#include <algorithm>
#include <array>
#include <optional>

namespace sinew {

using strand::SegmentData;

namespace {

/// A joint that turns about one axis only is this much stiffer about the others than its segments'
/// inertia can shake in a step: rigid to rounding, and still an elastic joint like any other.
constexpr double kRigid = 1e9;

constexpr double kTouchingTolerance = 1e-5; // rad: of a segment of 1 cm 0.1 um, far below a gap's
constexpr double kLeastOfSeat = 0.25; // of a branch's first joint: its parent cannot take more away
constexpr double kHubLength = 0.01;   // of a segment: it carries others at its joint

/// What a joint stands for: the way along the curve, and what else gives way beside it.
struct JointReach {
    double length = 0;               ///< [m]
    Vec3 compliance = {0, 0, 0};     ///< by axis [1/(N m)]
    const SegmentData* of = nullptr; ///< whose inertia a hinge must be stiff against
};

/// EI and GJ of a joint from the section where it is, over the way that it stands for:
/// K = 2EI/l; a clamped one has half a segment, K = 4EI/l.                        [eq. 5]
void set_joint(const StrandSection& section, const JointReach& reach, std::optional<Axis> hinge,
               double step, SegmentData& segment)
{
    segment.stiffness = Vec3{section.bend_x, section.twist, section.bend_z} * (2 / reach.length);
    for (int axis = 0; axis < 3; ++axis)
        if (const double K = segment.stiffness[axis]; reach.compliance[axis] != 0 && K > 0)
            segment.stiffness[axis] = 1 / max(1 / K + reach.compliance[axis], kLeastOfSeat / K);
    const double bend = section.damping_bend / 2, twist = section.damping_twist / 2;
    segment.damping = {segment.stiffness.x * bend, segment.stiffness.y * twist,
                       segment.stiffness.z * bend};
    if (!hinge)
        return;
    const double l = reach.of->length,
                 rigid = kRigid * max(reach.of->inertia.x, reach.of->mass * l * l) / (step * step);
    for (int axis = 0; axis < 3; ++axis)
        if (axis != static_cast<int>(*hinge))
            segment.stiffness[axis] = max(segment.stiffness[axis], rigid);
}

/// Its mass is that of its piece of the curve as drawn, whatever its length is now.
void set_body(const StrandSection& section, double drawn, double arc, double slack,
              double viscosity, SegmentData& segment)
{
    segment.length = drawn * section.stretch * slack;
    segment.mass = section.mass_per_length * arc;
    segment.inertia = strand::inertia_of_cylinder(segment.mass, segment.length, section.radius);
    const double along = arc * section.stretch * slack;
    segment.drag_along = section.drag_along * along + viscosity * segment.mass;
    segment.drag_across = section.drag_across * along + viscosity * segment.mass;
    segment.stretch = section.stretch_stiffness;
    segment.stretch_damping = section.stretch_stiffness * section.damping_bend;
}

/// How many strands an object rides on, one on the other.
int depth_of(const Scene& scene, ObjectId object)
{
    int depth = 0;
    for (ObjectId id = object; id.is_valid(); id = frame_parent(scene.objects[id.index]))
        depth += std::ranges::any_of(scene.strand_sites,
                                     [&](const StrandSite& site) { return site.object == id; });
    return depth;
}

/// Whether a force of the scene acts on a point of these curves.
bool has_point_force(const Scene& scene, std::span<const std::uint32_t> curves)
{
    return std::ranges::any_of(scene.forces, [&](const Force& force) {
        return std::ranges::any_of(scene.strand_sites, [&](const StrandSite& site) {
            return site.object == force.object && std::ranges::binary_search(curves, site.curve);
        });
    });
}

/// The curve at whose tip an object is, if it is at one.
std::optional<std::uint32_t> curve_with_tip_at(const Scene& scene, ObjectId object)
{
    for (ObjectId up = object; up.is_valid(); up = frame_parent(scene.objects[up.index]))
        for (const StrandSite& site : scene.strand_sites)
            if (site.object == up && is_at_tip(scene.strands[site.curve].segments, site.along))
                return site.curve;
    return std::nullopt;
}

/// By curve: whether a branch asks how its tip turns, or a constraint holds that.
std::vector<char> find_asked_tips(const Scene& scene)
{
    std::vector<char> asked(scene.strands.size(), 0);
    for (const StrandConstraint& c : scene.strand_constraints)
        if (c.kind == StrandConstraintKind::fusion || c.kind == StrandConstraintKind::orientation)
            for (const ObjectId end : {c.a, c.b})
                if (const auto curve = curve_with_tip_at(scene, end))
                    asked[*curve] = 1;
    for (const StrandCurve& curve : scene.strands)
        if (curve.from != StrandCurve::kNone && curve.from_along >= 1)
            asked[curve.from] = 1;
    return asked;
}

/// Numbers of the curves that hang together: one that stands on its own, and all that branch from
/// it. Several of one def share their base and nothing else: each moves in a lane of its own.
std::vector<std::vector<std::uint32_t>> curves_by_tree(const Scene& scene)
{
    std::vector<std::vector<std::uint32_t>> trees;
    std::vector<std::size_t> tree_of(scene.strands.size());
    for (std::uint32_t c = 0; c < scene.strands.size(); ++c) {
        const std::uint32_t from = scene.strands[c].from;
        tree_of[c] = from == StrandCurve::kNone ? trees.size() : tree_of[from];
        if (from == StrandCurve::kNone)
            trees.emplace_back();
        trees[tree_of[c]].push_back(c);
    }
    return trees;
}

/// What is said of each object's trees; null: nothing.
std::vector<const StrandTree*> wishes_by_object(const Scene& scene)
{
    std::vector<const StrandTree*> wishes(scene.objects.size());
    for (const StrandTree& tree : scene.trees)
        wishes[tree.object.index] = &tree;
    return wishes;
}

} // namespace

StrandModel::StrandModel(const Scene& scene, std::span<const Affine> objects, int threads)
    : sites_(scene.strand_sites), asked_tips_(find_asked_tips(scene))
{
    const StrandShapes drawn = drawn_strands(scene, threads);
    const std::vector<StrandShape>& shapes = *drawn;
    make_sections(scene, shapes, threads);
    const std::vector<std::vector<std::uint32_t>> curves = curves_by_tree(scene);
    make_trees(scene, curves, shapes, objects, threads);
    std::vector<ObjectId> bases;
    std::vector<std::uint32_t> roots;
    for (const std::vector<std::uint32_t>& own : curves) {
        bases.push_back(scene.strands[own.front()].tree);
        roots.push_back(scene.strands[own.front()].root);
    }
    if (trees_.empty())
        return;
    kernel_ = &strand::best_kernel(scene.settings.strands.is_float);
    if (scene.settings.strands.is_float)
        effort_.tolerance = 1e-4;
    effort_.touching = max(effort_.tolerance, kTouchingTolerance);

    bases_ = strand::Bases(scene, bases, roots, objects);
    for (std::size_t i = 0; i < trees_.size(); ++i)
        riding_count_ += bases_.kind(i) == strand::Bases::Kind::riding;
    for (const Air& air : scene.airs)
        flows_.emplace_back(air);
    find_pushes(scene);
    for (Tree& tree : trees_)
        if (curves_[tree.curves.front()].viscosity > 0)
            update_segments(scene, scene.settings.start, tree);
    if (std::ranges::none_of(trees_, &Tree::hangs_as_drawn)) // else hang_as_drawn does it
        build_batches(threads);
}

/// What their scripts say of the curves, portions side by side.
void StrandModel::make_sections(const Scene& scene, std::span<const StrandShape> shapes,
                                int threads)
{
    constexpr std::size_t kPortion = 32;
    std::vector<std::vector<StrandSections>> portions((shapes.size() + kPortion - 1) / kPortion);
    for_each_index(portions.size(), threads, [&](std::size_t p) {
        const std::size_t end = std::min(shapes.size(), (p + 1) * kPortion);
        for (std::size_t c = p * kPortion; c < end; ++c)
            portions[p].emplace_back(scene, static_cast<std::uint32_t>(c), shapes[c].length);
    });
    sections_.reserve(shapes.size());
    for (const std::vector<StrandSections>& portion : portions)
        for (const StrandSections& sections : portion)
            sections_.push_back(sections);
}

void StrandModel::make_trees(const Scene& scene,
                             const std::vector<std::vector<std::uint32_t>>& curves,
                             std::span<const StrandShape> shapes, std::span<const Affine> objects,
                             int threads)
{
    curves_.resize(scene.strands.size());
    const std::vector<const StrandTree*> wishes = wishes_by_object(scene);
    trees_.resize(curves.size());
    std::vector<std::optional<strand::TreeShape>> tree_shapes(curves.size());
    for_each_portion(threads, [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t i = begin; i < end; ++i) {
            trees_[i].curves = curves[i];
            const ObjectId object = scene.strands[curves[i].front()].tree;
            build_tree(scene, wishes[object.index], i, shapes, objects);
            tree_shapes[i].emplace(trees_[i].segments);
        }
    });
    number_trees(tree_shapes);
}

/// Where each tree's numbers lie among those of all, and which have one shape.
void StrandModel::number_trees(std::span<const std::optional<strand::TreeShape>> shapes)
{
    for (std::size_t i = 0; i < trees_.size(); ++i) {
        Tree& tree = trees_[i];
        tree.first = segment_count_;
        segment_count_ += tree.segments.size();
        tree.first_length = length_count_;
        length_count_ += tree.is_elastic ? tree.segments.size() : 0;
        depth_ = std::max(depth_, tree.depth);
        can_freeze_ = can_freeze_ || !tree.freeze.is_constant() || tree.freeze.number > 0.5;
        const auto found = std::ranges::find(shapes_, *shapes[i]);
        tree.shape = static_cast<std::uint32_t>(found - shapes_.begin());
        if (found == shapes_.end())
            shapes_.push_back(*shapes[i]);
    }
}

/// Segments of one curve, without what their sections say.
void StrandModel::add_curve(const Scene& scene, std::uint32_t tree_number, std::uint32_t number,
                            const StrandShape& shape, std::vector<Quat>& turns, Tree& tree)
{
    const StrandCurve& curve = scene.strands[number];
    curves_[number] = {tree_number, static_cast<int>(tree.segments.size()),
                       static_cast<int>(curve.segments)};
    for (std::uint32_t k = 0; k < curve.segments; ++k) {
        SegmentData segment;
        segment.parent = static_cast<int>(tree.segments.size()) - 1;
        if (k == 0 && curve.from == StrandCurve::kNone) {
            segment.parent = -1;
            segment.offset = shape.nodes[0] * tree.scale;
        } else if (k == 0) {
            const StrandPlace place =
                place_on_strand(scene.strands[curve.from].segments, curve.from_along);
            segment.parent = curves_[curve.from].first + static_cast<int>(place.segment);
            segment.attach = place.fraction;
            if (const int hub = curves_[curve.from].hub; hub >= 0 && curve.from_along >= 1)
                segment.parent = hub, segment.attach = 0;
            segment.is_clamped = true;
        }
        segment.length = length(shape.nodes[k + 1] - shape.nodes[k]) * tree.scale;
        const Quat before = segment.parent < 0 ? Quat{} : turns[segment.parent];
        segment.rest = normalised(conjugate(before) * shape.segments[k]);
        tree.drawn.push_back(segment.rest);
        tree.lengths.push_back(segment.length);
        tree.arcs.push_back(max(segment.length, shape.length * tree.scale / curve.segments));
        turns.push_back(shape.segments[k]);
        tree.segments.push_back(segment);
    }
    const StrandSection tip = sections_[number].at(scene.settings.start, 1);
    const bool is_elastic =
        sections_[number].find(StrandPropertyKind::stretch_stiffness) != nullptr;
    if (!is_elastic && min(min(tip.bend_x, tip.bend_z), tip.twist) > 0 && asked_tips_[number])
        add_hub(number, turns, tree);
}

/// The last half of a curve's last segment bends too: branches at the tip stand on a segment
/// without mass that half a segment's joint ties to it.                              [eq. 32]
void StrandModel::add_hub(std::uint32_t number, std::vector<Quat>& turns, Tree& tree)
{
    curves_[number].hub = static_cast<int>(tree.segments.size());
    SegmentData hub;
    hub.parent = curves_[number].hub - 1;
    hub.length = kHubLength * tree.segments.back().length;
    tree.drawn.push_back({});
    tree.lengths.push_back(hub.length);
    tree.arcs.push_back(hub.length);
    turns.push_back(turns.back());
    tree.segments.push_back(hub);
}

/// A tree whose curves are known. Touches nothing of other trees.
void StrandModel::build_tree(const Scene& scene, const StrandTree* wish, std::uint32_t number,
                             std::span<const StrandShape> shapes, std::span<const Affine> objects)
{
    Tree& tree = trees_[number];
    tree.object = scene.strands[tree.curves.front()].tree;
    tree.depth = depth_of(scene, tree.object);
    tree.scale = strand::scaled_pose(objects[tree.object.index]).scale;
    tree.has_loads = has_point_force(scene, tree.curves);
    if (wish) {
        tree.spin = wish->spin;
        tree.hangs_as_drawn = wish->has_zero_gravity_rest;
        tree.blend = wish->blend;
        tree.freeze = wish->freeze;
    }
    for (std::uint32_t i = 0; i < scene.strand_poses.size(); ++i)
        if (std::ranges::binary_search(tree.curves, scene.strand_poses[i].curve))
            tree.poses.push_back(i);
    std::vector<Quat> turns;
    for (const std::uint32_t c : tree.curves) {
        add_curve(scene, number, c, shapes[c], turns, tree);
        tree.is_timed = tree.is_timed || sections_[c].changes_in_time();
        tree.is_stretched =
            tree.is_stretched || sections_[c].find(StrandPropertyKind::stretch) != nullptr;
        tree.is_elastic =
            tree.is_elastic || sections_[c].find(StrandPropertyKind::stretch_stiffness) != nullptr;
    }
    update_segments(scene, scene.settings.start, tree);
    tree.units = strand::units_of(tree.segments, scene.settings.step);
}

void StrandModel::update_segments(const Scene& scene, double time, Tree& tree) const
{
    tree.has_drag = false;
    for (const std::uint32_t c : tree.curves) {
        const StrandSections& sections = sections_[c];
        const int count = curves_[c].count;
        for (int k = 0; k < count; ++k) {
            const int i = curves_[c].first + k;
            SegmentData& segment = tree.segments[i];
            set_body(sections.at(time, (k + 0.5) / count), tree.lengths[i], tree.arcs[i],
                     tree.slack.empty() ? 1 : tree.slack[i], curves_[c].viscosity, segment);
            const auto arc_now = [&](int s) {
                return tree.arcs[s] * (tree.segments[s].length / tree.lengths[s]);
            };
            JointReach reach{.length = 0.5 * arc_now(i), .of = &segment};
            if (k > 0)
                reach.length += 0.5 * arc_now(i - 1);
            else if (segment.is_clamped)
                reach.compliance = seat_compliance(time, c, tree);
            set_joint(sections.at(time, static_cast<double>(k) / count), reach, sections.hinge(),
                      scene.settings.step, segment);
            if (tree.is_elastic && segment.stretch <= 0)
                segment.stretch = sections.stiffest_stretch();
            tree.has_drag = tree.has_drag || segment.drag_along > 0 || segment.drag_across > 0;
        }
        if (curves_[c].hub >= 0)
            update_hub(scene, time, c, tree);
    }
    tree.node_masses.assign(tree.segments.size(), 0);
    for (std::size_t i = 0; i < tree.segments.size(); ++i) {
        tree.node_masses[i] += 0.5 * tree.segments[i].mass;
        if (tree.segments[i].parent >= 0)
            tree.node_masses[tree.segments[i].parent] += 0.5 * tree.segments[i].mass;
    }
}

void StrandModel::update_hub(const Scene& scene, double time, std::uint32_t c, Tree& tree) const
{
    const int last = curves_[c].hub - 1;
    const SegmentData& before = tree.segments[last];
    const double half = 0.5 * tree.arcs[last] * (before.length / tree.lengths[last]);
    set_joint(sections_[c].at(time, 1), {.length = half, .of = &before}, sections_[c].hinge(),
              scene.settings.step, tree.segments[curves_[c].hub]);
}

/// What a branch that leaves its parent at the part a of a segment turns by besides its own first
/// half segment: the parent bends from the middle of that to there, (a − ½) l/2EI, along the axes
/// of the branch.                                                                   [eq. 32]
Vec3 StrandModel::seat_compliance(double time, std::uint32_t c, const Tree& tree) const
{
    const SegmentData& segment = tree.segments[curves_[c].first];
    const auto of = std::ranges::find_if(tree.curves, [&](std::uint32_t other) {
        const int k = segment.parent - curves_[other].first;
        return k >= 0 && k < curves_[other].count;
    });
    if (of == tree.curves.end()) // on a hub, which does that
        return {0, 0, 0};
    const double place = segment.parent - curves_[*of].first + segment.attach;
    const StrandSection parent = sections_[*of].at(time, place / curves_[*of].count);
    const double reach = (segment.attach - 0.5) * tree.arcs[segment.parent] / 2;
    const auto by = [&](double stiffness) { return stiffness > 0 ? reach / stiffness : 0; };
    const Vec3 own{by(parent.bend_x), by(parent.twist), by(parent.bend_z)};
    Vec3 along;
    for (int axis = 0; axis < 3; ++axis) {
        Vec3 unit{0, 0, 0};
        unit[axis] = 1;
        const Vec3 v = rotate(segment.rest, unit);
        along[axis] = own.x * v.x * v.x + own.y * v.y * v.y + own.z * v.z * v.z;
    }
    return along;
}

/// Trees of one shape side by side, as many as the kernel has lanes.
void StrandModel::build_batches(int threads)
{
    batches_.clear();
    const std::size_t width = static_cast<std::size_t>(kernel_->width());
    for (std::uint32_t shape = 0; shape < shapes_.size(); ++shape) {
        std::array<std::optional<std::size_t>, 2> opened; // of lengths that do not and do move
        for (std::uint32_t i = 0; i < trees_.size(); ++i) {
            if (trees_[i].shape != shape)
                continue;
            std::optional<std::size_t>& open = opened[trees_[i].is_elastic];
            if (!open || batches_[*open].trees.size() == width) {
                open = batches_.size();
                batches_.push_back(Batch{.shape = shape});
            }
            batches_[*open].trees.push_back(i);
        }
    }
    std::size_t riders = 0;
    params_.clear();
    for (Batch& batch : batches_) {
        batch.first_rider = riders;
        riders += batch.trees.size();
        for (const std::uint32_t k : batch.trees) {
            const Tree& tree = trees_[k];
            batch.has_drag = batch.has_drag || tree.has_drag;
            batch.has_loads = batch.has_loads || tree.has_loads;
            for (const std::uint32_t flow : tree.gusts)
                if (std::ranges::find(batch.flows, flow) == batch.flows.end())
                    batch.flows.push_back(flow);
            batch.is_timed = batch.is_timed || tree.is_timed;
        }
        batch.strengths.resize(batch.flows.size() * batch.trees.size());
    }
    build_params(threads);
}

void StrandModel::find_params(const Tree& tree, std::vector<double>& numbers)
{
    if (tree.is_elastic)
        strand::make_elastic_params(tree.segments, tree.units, numbers);
    else
        strand::make_params(tree.segments, tree.units, numbers);
}

/// Batches of trees that are alike, one behind the other, share what does not change: it stays in
/// the cache.
void StrandModel::build_params(int threads)
{
    constexpr std::size_t kBlock = 64; // batches whose numbers are held at once
    const auto width = static_cast<std::size_t>(kernel_->width());
    std::vector<std::vector<std::vector<double>>> numbers(kBlock + 1); // of the batch before first
    std::vector<char> is_alike(kBlock);
    for (std::size_t first = 0; first < batches_.size(); first += kBlock) {
        const std::size_t count = std::min(kBlock, batches_.size() - first);
        for_each_index(count, threads, [&](std::size_t k) {
            const std::vector<std::uint32_t>& trees = batches_[first + k].trees;
            numbers[k + 1].resize(width);
            for (std::size_t lane = 0; lane < width; ++lane) {
                numbers[k + 1][lane].clear();
                find_params(trees_[trees[lane < trees.size() ? lane : 0]], numbers[k + 1][lane]);
            }
        });
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t b = first + k;
            is_alike[k] = b > 0 && !batches_[b].is_timed && !batches_[b - 1].is_timed &&
                          batches_[b - 1].shape == batches_[b].shape &&
                          numbers[k + 1] == numbers[k];
            if (!is_alike[k])
                params_.emplace_back();
            batches_[b].params = static_cast<std::uint32_t>(params_.size() - 1);
            batches_[b].is_uniform = std::ranges::all_of(
                numbers[k + 1], [&](const auto& lane) { return lane == numbers[k + 1].front(); });
        }
        for_each_index(count, threads, [&](std::size_t k) {
            const Batch& batch = batches_[first + k];
            for (std::size_t lane = 0; lane < width && !is_alike[k]; ++lane)
                kernel_->set_params(params_[batch.params], static_cast<int>(lane),
                                    shapes_[batch.shape].view().count, numbers[k + 1][lane]);
        });
        std::swap(numbers[0], numbers[count]);
    }
}

/// In the pose of the script, moving with the base as a rigid whole.
ModelState StrandModel::initial_state(const Scene& scene, int threads) const
{
    ModelState state;
    state.x.resize(4 * segment_count_ + length_count_);
    state.v.resize(3 * segment_count_ + length_count_);
    for_each_portion(threads, [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t i = begin; i < end; ++i)
            put_initial(scene, i, state);
    });
    state.memory.assign(6 * segment_count_, 0.0);
    state.memory.resize(state.memory.size() + riding_count_ * strand::Ridden::kNumbers,
                        strand::Ridden::kNever);
    state.memory.resize(state.memory.size() + trees_.size(), 0.0);
    return state;
}

void StrandModel::put_initial(const Scene& scene, std::uint32_t number, ModelState& state) const
{
    const Tree& tree = trees_[number];
    const PoseMotion base = bases_.start(scene, number);
    const Vec3 spin = base.angular_velocity + tree.spin;
    for (std::size_t k = 0; k < tree.segments.size(); ++k) {
        const SegmentData& s = tree.segments[k];
        const std::size_t at = tree.first + k;
        const Quat before =
            s.parent < 0 ? base.pose.rotation : turn_at(state, tree.first + std::size_t(s.parent));
        const Quat q = before * tree.drawn[k];
        const Vec3 rate = rotate(conjugate(q), spin);
        const std::array<double, 4> turn = {q.x, q.y, q.z, q.w};
        const std::array<double, 3> speed = {rate.x, rate.y, rate.z};
        std::ranges::copy(turn, &state.x[4 * at]);
        std::ranges::copy(speed, &state.v[3 * at]);
        if (tree.is_elastic)
            state.x[length_index(tree) + k] = s.length / (tree.slack.empty() ? 1 : tree.slack[k]);
    }
}

} // namespace sinew
