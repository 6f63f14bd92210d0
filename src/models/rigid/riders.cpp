#include "models/rigid/riders.h"

#include "math/functions.h"

namespace sinew {

RidersFactor::RidersFactor(const Body& model, const Quat& turned, const BodyRiders& riders)
    : A_inverse_(inverse(Mat3::diagonal({model.mass, model.mass, model.mass}) + riders.mass)),
      BA_(riders.arm * A_inverse_),
      S_inverse_(
          inverse(inertia_at(turned, model.inertia) + riders.inertia - BA_ * transpose(riders.arm)))
{
}

RidersFactor::Change RidersFactor::solve(const Vec3& push, const Vec3& twist) const
{
    const Vec3 w = S_inverse_ * (twist - BA_ * push);
    return {A_inverse_ * push - transpose(BA_) * w, w};
}

void take_riders(const Body& model, const Quat& turned, BodyRiders& riders, SolverBody& body)
{
    const Vec3 dv = riders.v - body.v, dw = riders.w - body.w;
    const Vec3 push = riders.push + riders.mass * dv + transpose(riders.arm) * dw;
    const Vec3 twist = riders.twist + riders.arm * dv + riders.inertia * dw;
    const RidersFactor::Change change = RidersFactor(model, turned, riders).solve(push, twist);
    const Vec3 before = body.v, turning = body.w;
    body.v += change.v;
    body.w += change.w;
    // As far as contacts do not change it.
    riders.given = change.v * model.mass;
    riders.given_twist = inertia_at(turned, model.inertia) * change.w;
    set_response(model, turned, body, 0.5 * trace(riders.inertia));
    body.extra_mass = max(riders.mass.x.x, max(riders.mass.y.y, riders.mass.z.z));
    body.inverse_mass = 1 / (model.mass + body.extra_mass);
    riders.v = before + change.v;
    riders.w = turning + change.w;
}

void note_given(std::span<BodyRiders> riders, std::span<const SolverBody> bodies)
{
    for (BodyRiders& on : riders) {
        const SolverBody& body = bodies[on.body];
        on.given -= (body.v - on.v) * body.extra_mass;
        on.given_twist -= (body.w - on.w) * body.extra;
    }
}

} // namespace sinew
