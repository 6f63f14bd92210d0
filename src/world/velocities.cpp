// Velocities of everything that can be seen.
//
//   in:     coordinates and rates, twists of bodies, rates of segments, velocities of rods
//   out:    velocities of objects and nodes
//   method: the central difference of two frames, the state moved ahead and back along its own
//           velocities by 1e-6 s: exact to about 1e-9 of the scene's size per second, whatever
//           rides on what

#include "world/parts.h"

namespace sinew {

namespace {

constexpr double kMoment = 1e-6; // s: rounding and curvature leave errors of the same size

Affine moved(const Pose& pose, const Vec3& velocity, const Vec3& spin, double h)
{
    return {rotation_matrix(exp_quat(spin * h) * pose.rotation), pose.translation + velocity * h};
}

/// Turns of segments by their rates, which are in their own axes; behind them lengths; behind these
/// the bases that are free.
ModelState moved_strands(const StrandModel& strands, ModelState state, std::size_t segments,
                         double h)
{
    std::size_t bases = 0;
    for (std::uint32_t i = 0; strands.has_free_bases() && i < strands.tree_count(); ++i) {
        if (!strands.has_free_base(i))
            continue;
        PoseMotion base = strands.free_base_of(i, state);
        base.pose.rotation = exp_quat(base.angular_velocity * h) * base.pose.rotation;
        base.pose.translation += base.velocity * h;
        strands.place_base(i, base, state);
        ++bases;
    }
    const std::size_t lengths =
        state.x.size() - 4 * segments - strand::StrandDynamics::kBaseNumbers * bases;
    for (std::size_t k = 0; k < segments; ++k) {
        double* q = &state.x[4 * k];
        const double* w = &state.v[3 * k];
        const Quat turned = Quat{q[0], q[1], q[2], q[3]} * exp_quat(Vec3{w[0], w[1], w[2]} * h);
        q[0] = turned.x, q[1] = turned.y, q[2] = turned.z, q[3] = turned.w;
    }
    for (std::size_t i = 0; i < lengths; ++i)
        state.x[4 * segments + i] += h * state.v[3 * segments + i];
    return state;
}

/// The rotation vector per second that leads from one orientation to another.
Vec3 spin_between(const Affine& before, const Affine& after, double seconds)
{
    const auto orientation = [](const Affine& frame) {
        Mat3 R = frame.linear;
        for (int i = 0; i < 3; ++i)
            if (const double size = length(R[i]); size > 0)
                R[i] = R[i] / size;
        return rotation_quat(R);
    };
    return log_quat(orientation(after) * conjugate(orientation(before))) / seconds;
}

} // namespace

/// Objects and nodes after a moment in which everything keeps its velocity.
Frame World::Parts::extrapolated(double h) const
{
    Frame frame;
    frame.time = state.time + h;
    std::vector<double> ahead = coordinates;
    for (std::size_t i = 0; i < ahead.size(); ++i)
        ahead[i] += h * rates[i];
    Instant at;
    for (const ImportFunction& import : imports)
        at.values.push_back(import({frame.time, ahead, rates}).value);
    for (const BodyMotion& body : rigid.motions(state.pile))
        at.placed.push_back({body.object, moved(body.pose, body.velocity, body.spin, h)});
    for (const RodSite& site : scene.rod_sites) {
        const SiteMotion motion = rods.model->locate_one(state.models[kRods], site.rod, site.along);
        at.placed.push_back(
            {site.object, moved(motion.pose, motion.twist.linear, motion.twist.angular, h)});
    }
    joined.place_objects(state, h, at.placed);
    const ModelState moved = moved_strands(strands, state.strands, strands.segment_count(), h);
    const auto place = [&] {
        place_objects(scene, frame_order, {frame.time, ahead, at.values, at.placed}, at.marks,
                      frame.objects);
    };
    for (int depth = 0; !scene.strand_sites.empty() && depth <= strands.depth(); ++depth) {
        place();
        strands.place_sites(scene, moved, frame.objects, frame.time, depth, at.nodes, at.placed);
    }
    place();
    strands.add_to_frame(scene, moved, work.threads, frame);
    for (std::uint32_t i = 0; i < scene.rods.size(); ++i)
        for (std::uint32_t k = 0; k <= scene.rods[i].spans; ++k) {
            const SiteMotion node =
                rods.model->locate_one(state.models[kRods], i, k / double(scene.rods[i].spans));
            frame.nodes.push_back(node.pose.translation + node.twist.linear * h);
        }
    return frame;
}

Velocities World::velocities() const
{
    const Frame before = parts_->extrapolated(-kMoment), after = parts_->extrapolated(kMoment);
    Velocities out;
    for (std::size_t i = 0; i < after.objects.size(); ++i) {
        out.objects.push_back((after.objects[i].origin - before.objects[i].origin) / (2 * kMoment));
        out.spins.push_back(spin_between(before.objects[i], after.objects[i], 2 * kMoment));
    }
    for (std::size_t i = 0; i < after.nodes.size(); ++i)
        out.nodes.push_back((after.nodes[i] - before.nodes[i]) / (2 * kMoment));
    return out;
}

} // namespace sinew
