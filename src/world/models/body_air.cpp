#include "world/models/body_air.h"

#include "models/strand/air.h"

#include <algorithm>

namespace sinew {

namespace {

/// Whether an air acts on the body of a drag: it names the body itself.
bool acts_on(const Scene& scene, const Air& air, std::uint32_t body)
{
    return std::ranges::find(air.on, scene.bodies[body].object) != air.on.end();
}

} // namespace

void add_wind(const Scene& scene, const RigidModel& rigid, const Posture& then,
              std::span<const Affine> objects, double h, const PileState& state,
              std::vector<BodyForce>& forces)
{
    for (const Air& air : scene.airs) {
        std::optional<strand::AirFlow> flow; // made when a body feels it
        for (const Drag& drag : scene.drags) {
            const auto body = rigid.find_body_around(drag.object);
            if (!body || !acts_on(scene, air, *body))
                continue;
            if (!flow) {
                flow.emplace(air);
                flow->prepare(scene, then, objects, objects, h);
            }
            const double mass = rigid.pile().bodies[*body].mass;
            const Vec3 place = objects[drag.object.index].origin;
            const Vec3 moves =
                flow->at(place, then.time - 0.5 * h) * value_at(scene, air.weight, then, objects);
            const double c = value_at(scene, drag.coefficient, then, objects);
            // as implicit as the drag itself
            const Vec3 push = moves * (flow->is_force() ? mass : c / (1 + c * h / mass));
            forces.push_back({*body, push, cross(place - state.bodies[*body].x, push)});
        }
    }
}

} // namespace sinew
