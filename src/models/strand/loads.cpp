// What pushes strands from outside in a step: fields, air, forces on their points.

#include "base/parallel.h"
#include "math/functions.h"
#include "models/strand/model.h"

#include <algorithm>

namespace sinew {

using strand::Load;
using strand::SegmentData;

namespace {

bool is_within(const Scene& scene, ObjectId inner, ObjectId outer)
{
    return inner.index >= outer.index && inner.index < scene.objects[outer.index].end;
}

/// Whether a statement `on` some objects holds for a curve.
bool concerns(const Scene& scene, const std::vector<ObjectId>& on, const StrandCurve& curve)
{
    return std::ranges::any_of(on, [&](ObjectId wanted) {
        return wanted == curve.object || is_within(scene, curve.tree, wanted);
    });
}

} // namespace

/// Forces act as of the middle of the step, at the place that a node has then if it goes on as it
/// moves: second order, and nothing that an iteration must follow.
void StrandModel::update_loads(const StrandSurroundings& around, const ModelState& state,
                               std::span<const strand::Surrounding> neighbours, Batch& batch,
                               Room& room) const
{
    for (std::size_t k = 0; k < batch.trees.size(); ++k) {
        const Tree& tree = trees_[batch.trees[k]];
        room.numbers.assign(tree.segments.size() * Load::count, 0.0);
        if (tree.has_loads)
            add_loads(around, state, batch.trees[k], flows_, neighbours, room.nodes, room.numbers);
        scale_loads(tree.units, room.numbers);
        kernel_->set_loads(batch.loads, static_cast<int>(k), static_cast<int>(tree.segments.size()),
                           room.numbers);
    }
}

void StrandModel::scale_loads(const strand::Units& units, std::span<double> numbers)
{
    const double force = units.mass * units.length / (units.time * units.time);
    const double speed = units.length / units.time;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] /= i % Load::count < Load::air ? force : speed;
}

void StrandModel::add_loads(const StrandSurroundings& around, const ModelState& state,
                            std::uint32_t index, std::span<const strand::AirFlow> flows,
                            std::span<const strand::Surrounding> neighbours, Nodes& nodes,
                            std::span<double> numbers) const
{
    const Tree& tree = trees_[index];
    const double half = 0.5 * (around.end - around.begin);
    const PoseMotion base = base_motion(around.scene, state, index, around.now, around.begin);
    find_nodes(tree, state, base, nodes);
    for (std::size_t i = 0; i < nodes.tip.size(); ++i)
        nodes.tip[i] = nodes.tip[i] + nodes.tip_velocity[i] * half;
    Posture posture = around.posture;
    posture.time = around.begin + half;
    add_loads_at(around.scene, tree, nodes.tip, posture, around.then, flows, numbers);
    if (neighbours.empty())
        return;
    for (std::size_t i = 0; i < nodes.tip.size(); ++i) // of the way on nothing is left
        nodes.joint[i] = normalised(nodes.tip[i] - nodes.tip_velocity[i] * half - nodes.joint[i]);
    add_neighbours(index, neighbours, 2 * half, nodes.joint, numbers);
}

/// What neighbours push, and the air in which they drag: that in which the drags of air and of hair
/// together are what both are apart.
void StrandModel::add_neighbours(std::uint32_t index,
                                 std::span<const strand::Surrounding> neighbours, double h,
                                 std::span<const Vec3> axes, std::span<double> numbers) const
{
    constexpr double kMost = 0.2; // of the size in a step squared: explicit forces go no further
    const Tree& tree = trees_[index];
    for (const std::uint32_t c : tree.curves) {
        if (curves_[c].continuum == StrandCurve::kNone)
            continue;
        const double most = kMost * flows_[curves_[c].continuum].air().size / (h * h);
        for (int i = curves_[c].first; i < curves_[c].first + curves_[c].count; ++i) {
            const strand::Surrounding& around = neighbours[tree.first + std::size_t(i)];
            const SegmentData& s = tree.segments[i];
            double* to = &numbers[i * Load::count];
            const double size = length(around.push);
            const Vec3 push = around.push * (size > most ? most / size : 1) * tree.node_masses[i];
            const Vec3 air{to[Load::air], to[Load::air + 1], to[Load::air + 2]};
            const double hair = curves_[c].viscosity * s.mass;
            const auto share = [&](double drag) { return drag > 0 ? hair / drag : 0; };
            const Vec3 other = around.flow - air, along = axes[i] * dot(axes[i], other);
            const Vec3 felt =
                air + along * share(s.drag_along) + (other - along) * share(s.drag_across);
            for (int a = 0; a < 3; ++a)
                to[Load::force + a] += push[a], to[Load::air + a] = felt[a];
        }
    }
}

/// Of all strands that feel their neighbours, those of one statement together, as of the middle of
/// the step; as Scene's segments, those of others empty.
void StrandModel::find_neighbours(const StrandSurroundings& around, const ModelState& state,
                                  int threads, std::vector<strand::Surrounding>& found) const
{
    found.clear();
    const double half = 0.5 * (around.end - around.begin);
    for (std::uint32_t a = 0; a < around.scene.airs.size(); ++a) {
        const Air& air = around.scene.airs[a];
        if (air.kind != AirKind::continuum)
            continue;
        found.resize(segment_count_);
        std::vector<strand::Particle> particles(segment_count_);
        for_each_index(trees_.size(), threads, [&](std::size_t i) {
            if (curves_[trees_[i].curves.front()].continuum != a)
                return;
            Nodes nodes;
            Tree room;
            const Tree& tree = at(around.scene, trees_[i], around.begin, room);
            const auto index = static_cast<std::uint32_t>(i);
            find_nodes(tree, state,
                       base_motion(around.scene, state, index, around.now, around.begin), nodes);
            for (std::size_t k = 0; k < nodes.tip.size(); ++k)
                particles[tree.first + k] = {nodes.tip[k] + nodes.tip_velocity[k] * half,
                                             nodes.tip_velocity[k], tree.node_masses[k]};
        });
        std::vector<strand::Particle> own;
        std::vector<std::size_t> numbers;
        for (std::size_t k = 0; k < particles.size(); ++k)
            if (particles[k].mass > 0) {
                own.push_back(particles[k]);
                numbers.push_back(k);
            }
        const double pressure = rates_at(around.scene, air.x, around.begin + half).value;
        const auto of_own =
            strand::find_surroundings({air.size, air.z.number, pressure}, own, threads);
        for (std::size_t k = 0; k < numbers.size(); ++k)
            found[numbers[k]] = of_own[k];
    }
}

/// `places`: of the tips.
void StrandModel::add_loads_at(const Scene& scene, const Tree& tree, std::span<const Vec3> places,
                               Posture posture, std::span<const Affine> objects,
                               std::span<const strand::AirFlow> flows,
                               std::span<double> numbers) const
{
    for (const std::uint32_t c : tree.curves)
        for (int k = 0; k < curves_[c].count; ++k) {
            const int i = curves_[c].first + k;
            posture.along = (k + 1.0) / curves_[c].count;
            posture.here = places[i];
            const Outside outside = outside_at(scene, curves_[c], posture, objects, flows);
            double* to = &numbers[i * Load::count];
            const Vec3 push = outside.acceleration * tree.node_masses[i];
            for (int a = 0; a < 3; ++a)
                to[Load::force + a] += push[a], to[Load::air + a] = outside.air[a];
        }
    add_point_forces(scene, curves_[tree.curves.front()].tree, posture, objects, numbers);
}

/// Who is concerned by what: once, for lists of objects may be long.
void StrandModel::find_pushes(const Scene& scene)
{
    for (std::uint32_t c = 0; c < scene.strands.size(); ++c) {
        for (std::uint32_t i = 0; i < scene.fields.size(); ++i)
            if (concerns(scene, scene.fields[i].on, scene.strands[c]))
                curves_[c].fields.push_back(i);
        for (std::uint32_t i = 0; i < scene.airs.size(); ++i) {
            if (!concerns(scene, scene.airs[i].on, scene.strands[c]))
                continue;
            if (scene.airs[i].kind != AirKind::continuum) {
                curves_[c].flows.push_back(i);
                continue;
            }
            curves_[c].continuum = i;
            curves_[c].viscosity = scene.airs[i].y.number;
        }
    }
    for (Tree& tree : trees_) {
        const bool is_crowded =
            curves_[tree.curves.front()].continuum != StrandCurve::kNone; // as of its first curve
        for (const std::uint32_t c : tree.curves) {
            curves_[c].continuum = curves_[tree.curves.front()].continuum;
            curves_[c].viscosity = curves_[tree.curves.front()].viscosity;
        }
        if (scene.settings.strands.method != StrandMethod::ida && !is_crowded)
            take_gusts(tree);
        tree.has_loads = tree.has_loads || is_crowded;
        has_continuum_ = has_continuum_ || is_crowded;
        for (const std::uint32_t c : tree.curves)
            tree.has_loads =
                tree.has_loads || !curves_[c].fields.empty() || !curves_[c].flows.empty();
        has_loads_ = has_loads_ || tree.has_loads || !tree.gusts.empty();
        needs_objects_ = needs_objects_ || tree.has_loads;
        for (const std::uint32_t f : tree.gusts)
            needs_objects_ = needs_objects_ || flows_[f].needs_objects();
    }
}

/// Waves that blow at a whole tree are left to its kernel.
void StrandModel::take_gusts(Tree& tree)
{
    for (std::uint32_t f = 0; f < flows_.size(); ++f) {
        const bool blows_at_all = std::ranges::all_of(tree.curves, [&](std::uint32_t c) {
            return std::ranges::find(curves_[c].flows, f) != curves_[c].flows.end();
        });
        if (!flows_[f].is_of_waves() || !blows_at_all)
            continue;
        tree.gusts.push_back(f);
        for (const std::uint32_t c : tree.curves)
            std::erase(curves_[c].flows, f);
    }
}

/// The gusts of a batch: each flow that one of its trees feels.
void StrandModel::update_gusts(Batch& batch) const
{
    batch.gusts.clear();
    for (std::size_t g = 0; g < batch.flows.size(); ++g) {
        const strand::AirFlow& flow = flows_[batch.flows[g]];
        double* strengths = &batch.strengths[g * batch.trees.size()];
        for (std::size_t k = 0; k < batch.trees.size(); ++k) {
            const std::vector<std::uint32_t>& felt = trees_[batch.trees[k]].gusts;
            const bool is_felt = std::ranges::find(felt, batch.flows[g]) != felt.end();
            strengths[k] = is_felt ? flow.strength() : 0;
        }
        batch.gusts.push_back({flow.waves(), {strengths, batch.trees.size()}});
    }
}

/// Fields and air at one node.
StrandModel::Outside StrandModel::outside_at(const Scene& scene, const Curve& curve,
                                             const Posture& posture,
                                             std::span<const Affine> objects,
                                             std::span<const strand::AirFlow> flows) const
{
    Outside out;
    for (const std::uint32_t i : curve.fields) {
        const Field& field = scene.fields[i];
        const Affine& frame = objects[field.frame.index];
        const Vec3 parts{value_at(scene, field.x, posture, objects),
                         value_at(scene, field.y, posture, objects),
                         value_at(scene, field.z, posture, objects)};
        out.acceleration += along_axes(frame, parts);
    }
    for (const std::uint32_t i : curve.flows) {
        const strand::AirFlow& flow = flows[i];
        const Value& weight = flow.air().weight;
        const double share =
            weight.is_constant() ? weight.number : value_at(scene, weight, posture, objects);
        const Vec3 value = flow.at(posture.here, posture.time) * share;
        (flow.is_force() ? out.acceleration : out.air) += value;
    }
    return out;
}

/// A force at a point of a segment is shared by its two ends: the same torque.
void StrandModel::add_point_forces(const Scene& scene, std::uint32_t index, const Posture& posture,
                                   std::span<const Affine> objects, std::span<double> numbers) const
{
    const Tree& tree = trees_[index];
    for (const Force& force : scene.forces)
        for (const StrandSite& site : sites_) {
            if (site.object != force.object || curves_[site.curve].tree != index)
                continue;
            const Affine& frame = objects[force.frame.index];
            const Vec3 parts{value_at(scene, force.x, posture, objects),
                             value_at(scene, force.y, posture, objects),
                             value_at(scene, force.z, posture, objects)};
            const Curve& curve = curves_[site.curve];
            const StrandPlace place =
                place_on_strand(static_cast<std::uint32_t>(curve.count), site.along);
            const int i = curve.first + static_cast<int>(place.segment);
            add_force(tree, i, place.fraction, along_axes(frame, parts), numbers);
        }
}

/// At a fraction of a segment; what falls on a root's joint goes into the base.
void StrandModel::add_force(const Tree& tree, int segment, double fraction, const Vec3& force,
                            std::span<double> numbers)
{
    const SegmentData& s = tree.segments[segment];
    for (int a = 0; a < 3; ++a)
        numbers[segment * Load::count + Load::force + a] += fraction * force[a];
    if (fraction < 1 && s.parent >= 0)
        add_force(tree, s.parent, s.attach, force * (1 - fraction), numbers);
}

} // namespace sinew
