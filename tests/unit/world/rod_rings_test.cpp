// Rods that are known in closed form: a ring with twist, a bridge on hangers.

#include "some_ropes.h"

namespace sinew {

using namespace test;

namespace {

constexpr double kRadius = 0.2; // of the ring [m]

/// Numbers of φ for φ(u) = angle u: control points at the means of their knots.
void twist(Ropes& ropes, double angle)
{
    const int spans = int(ropes.model.plan(0).spans);
    const auto knot = [&](int i) { return std::clamp(double(i - 3) / spans, 0.0, 1.0); };
    for (int i = 0; i < spans + 3; ++i)
        ropes.state.models[0].x[std::size_t(4 * i + 3)] =
            angle * (knot(i + 1) + knot(i + 2) + knot(i + 3)) / 3;
}

/// The frame at u stays as it is.
Attachment clamp_frame(std::uint64_t key, const Ropes& ropes, double u)
{
    const Pose pose = ropes.model.locate_one(ropes.state.models[0], 0, u).pose;
    Attachment made = hold(key, 0, u, pose.translation);
    made.kind = Attachment::Kind::fixed;
    made.axes_b = pose.rotation;
    return made;
}

/// A rod that is straight at rest, bent to a ring, out of its plane by about `disturbed` radii,
/// both ends clamped to one frame: as a ring without ends. `share` of Michell's twist.
struct Ring {
    Ropes ropes;
    double twist_moment; ///< G J per length times the angle [N m]

    Ring(double share, double disturbed)
        : ropes({rod::drawn(
              [=](double u) {
                  const double a = 2 * kPi * u;
                  const double out = disturbed * std::sin(2 * a) * (1 - std::cos(a));
                  return Vec3{kRadius * std::sin(a), kRadius * (1 - std::cos(a)), kRadius * out};
              },
              2 * kPi * kRadius, 40,
              {.radius = 1e-3, .young = 1e9, .poisson = 0.3, .density = 1000, .damping = 2e-3},
              true)})
    {
        const rod::Plan& plan = ropes.model.plan(0);
        // √3 EI/R is the twist moment where a ring goes out of its plane [Michell 1889].
        twist_moment = share * std::sqrt(3.0) * plan.stiffness[1] / kRadius;
        twist(ropes, twist_moment / plan.stiffness[3] * plan.length);
        ropes.input.loads[0] = {};
        ropes.ensemble.attachments = {clamp_frame(1, ropes, 0), clamp_frame(2, ropes, 1)};
    }

    double height_after(int steps)
    {
        for (int i = 0; i < steps; ++i)
            CHECK(ropes.step(1 / 240.0).converged);
        double most = 0;
        for (int k = 0; k <= 40; ++k)
            most = std::max(most, std::abs(ropes.place(0, k / 40.0).z));
        return most;
    }
};

} // namespace

TEST_CASE("rods: a clamped ring with twist leaves its plane at Michell's twist, not below")
{
    CHECK(Ring(0.95, 1e-3).height_after(480) < 0.01 * kRadius);
    CHECK(Ring(1.05, 1e-3).height_after(480) > 0.1 * kRadius);
}

TEST_CASE("rods: what holds a ring with twist turns with GJ times its twist, and pulls with M/R")
{
    Ring ring(0.5, 0);

    CHECK(ring.height_after(480) < 1e-3 * kRadius);

    // M t turns along the ring by M κ n: a force M/R across the plane makes up for it.
    for (const HeldForce& held : ring.ropes.state.held) {
        CHECK(std::abs(held.force[3]) == doctest::Approx(ring.twist_moment).epsilon(2e-3));
        CHECK(std::abs(held.force[2]) ==
              doctest::Approx(ring.twist_moment / kRadius).epsilon(2e-3));
    }
}

namespace {

/// A cable, nearly without weight, with equal planks on hangers under equal distances.
struct SuspendedBridge {
    static constexpr int kPanels = 10;
    static constexpr double kPanel = 0.4, kSag = 0.5, kPlank = 0.3; ///< [m], [m], [kg]

    static double sag(int k) { return kSag * 4 * k * (kPanels - k) / (kPanels * kPanels); }
    static Vec3 corner(int k) { return {kPanel * k, -sag(k), 0}; }
    static double length_to(int k)
    {
        double sum = 0;
        for (int i = 0; i < k; ++i)
            sum += length(corner(i + 1) - corner(i));
        return sum;
    }
    static std::vector<rod::Drawing> draw()
    {
        const double full = length_to(kPanels);
        const auto polygon = [=](double u) {
            int k = 0;
            while (k + 1 < kPanels && length_to(k + 1) < u * full)
                ++k;
            const double part = (u * full - length_to(k)) / (length_to(k + 1) - length_to(k));
            return corner(k) * (1 - part) + corner(k + 1) * part;
        };
        std::vector<rod::Drawing> drawings = {
            rod::drawn(polygon, full, 100, rope(1e-6, 1e6), true)};
        for (int k = 1; k < kPanels; ++k) {
            const Vec3 middle{kPanel * k, -kSag - 0.2, 0};
            drawings.push_back(rod::drawn(
                [=](double u) {
                    return middle + Vec3{0, 0, u - 0.5};
                },
                1, 1, rope(kPlank, 1e4, 1e-2), true));
            drawings.back().is_chain = true;
        }
        return drawings;
    }

    Ropes ropes{draw()};

    SuspendedBridge()
    {
        const double full = length_to(kPanels);
        std::vector<Attachment>& made = ropes.ensemble.attachments;
        made = {hold(100, 0, 0, corner(0)), hold(101, 0, 1, corner(kPanels))};
        for (int k = 1; k < kPanels; ++k) {
            Attachment hanger = hold(std::uint64_t(k), 0, length_to(k) / full, {0, 0, 0});
            hanger.kind = Attachment::Kind::distance;
            hanger.b = {{0, std::uint32_t(k)}, 0, 0.5};
            hanger.length = kSag + 0.2 - sag(k);
            made.push_back(hanger);
        }
    }
};

} // namespace

TEST_CASE("rods: the hangers of a suspended bridge pull alike, its cable is a parabola")
{
    using Bridge = SuspendedBridge;
    Bridge bridge;

    // Planks may turn about their hangers: they are not asked to be still.
    const Relaxation found = relax(bridge.ropes.ensemble, bridge.ropes.model, bridge.ropes.input, 0,
                                   bridge.ropes.state, 1, 400);
    CHECK(found.change < 1e-6);

    const double weight = Bridge::kPlank * kGravity;
    for (int k = 1; k < Bridge::kPanels; ++k) {
        CAPTURE(k);
        CHECK(std::abs(bridge.ropes.force(std::uint64_t(k)).x) ==
              doctest::Approx(weight).epsilon(1e-6));
        const double u = Bridge::length_to(k) / Bridge::length_to(Bridge::kPanels);
        CHECK(length(bridge.ropes.place(0, u) - Bridge::corner(k)) < 0.01 * Bridge::kSag);
    }
    // The slope of the polygon falls by P/H at each hanger: H = P a k (n − k) / 2 y(k).
    const double pull = weight * Bridge::kPanel * 25 / (2 * Bridge::kSag);
    CHECK(std::abs(bridge.ropes.force(100).x) == doctest::Approx(pull).epsilon(0.01));
    CHECK(bridge.ropes.force(100).y == doctest::Approx(4.5 * weight).epsilon(1e-4));
}

} // namespace sinew
