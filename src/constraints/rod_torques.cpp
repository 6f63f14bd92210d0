// Torques that act on points of rods.
//
//   in:  a scene, where its rods are
//   out: forces on their nodes

#include "constraints/rod_torques.h"

#include "constraints/rod_links.h"

#include <algorithm>

namespace sinew {

std::vector<RodTorque> find_rod_torques(const Scene& scene, const Posture& then,
                                        const std::vector<Affine>& objects)
{
    std::vector<RodTorque> found;
    for (const BodyTorque& torque : scene.body_torques) {
        const auto site = find_rod_site(scene, torque.object);
        if (!site)
            continue;
        const RodSite& at = scene.rod_sites[site->first];
        found.push_back({.rod = at.rod,
                         .u = at.along,
                         .torque = along_axes(objects[torque.frame.index],
                                              {value_at(scene, torque.x, then, objects),
                                               value_at(scene, torque.y, then, objects),
                                               value_at(scene, torque.z, then, objects)}),
                         .origin = torque.origin});
    }
    return found;
}

/// The power of a torque, n·ω, is linear in the velocities of the nodes: its slopes are the forces.
void add_rod_torque(const rod::RodDynamics& model, const ModelState& now, const RodTorque& torque,
                    double scale, rod::Loads& loads)
{
    const rod::Plan& plan = model.plan(torque.rod);
    const CurveWeights basis = plan.basis_at(torque.u);
    const std::size_t first = 4 * std::size_t(basis.first);
    const std::size_t at = model.blocks()[torque.rod].v_first + first;
    ModelState moved = now;
    std::ranges::fill(moved.v, 0.0);
    loads.force.resize(plan.size(), 0);
    for (std::size_t k = 0; k < 4 * std::size_t(basis.count); ++k) {
        moved.v[at + k] = 1;
        const SiteMotion motion = model.locate_one(moved, torque.rod, torque.u);
        loads.force[first + k] += scale * dot(torque.torque, motion.twist.angular);
        moved.v[at + k] = 0;
    }
}

void FollowingTorques::follow(const rod::RodDynamics& model, const ModelState& to,
                              rod::RodInput& input)
{
    for (const RodTorque& torque : torques_) {
        add_rod_torque(model, now_, torque, -1, input.loads[torque.rod]);
        add_rod_torque(model, to, torque, 1, input.loads[torque.rod]);
    }
    if (!torques_.empty())
        now_ = to;
}

} // namespace sinew
