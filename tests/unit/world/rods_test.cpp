// Rods held by rows: closed forms and independent results.

#include "../models/rod/some_rods.h"
#include "support/tiny_models.h"
#include "world/relax.h"

#include <cmath>
#include <doctest/doctest.h>

namespace sinew {

namespace {

constexpr double kPi = 3.14159265358979323846, kGravity = 9.81;

Attachment hold(std::uint64_t key, std::uint32_t rod, double u, const Vec3& place)
{
    Attachment made;
    made.key = key;
    made.a = {{0, rod}, 0, u};
    made.point_b = place;
    return made;
}

/// The tangent at u stays along a direction.
Attachment clamp(std::uint64_t key, std::uint32_t rod, double u, const Vec3& direction)
{
    Attachment made = hold(key, rod, u, {0, 0, 0});
    made.kind = Attachment::Kind::align;
    made.axes_a = rotation_quat(Mat3{{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}); // x along the site's y
    const Vec3 other = std::abs(direction.x) < 0.9 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 z = normalised(cross(direction, other));
    made.axes_b = rotation_quat(Mat3{direction, cross(z, direction), z});
    return made;
}

/// Rods in a world of their own.
struct Ropes {
    rod::RodDynamics model;
    Ensemble ensemble;
    EnsembleState state;
    Workspace work;

    explicit Ropes(std::vector<rod::Drawing> drawings) : model(make(drawings))
    {
        for (std::size_t i = 0; i < model.rod_count(); ++i)
            model.set_loads(i, {.gravity = {0, -kGravity, 0}});
        ensemble.models = {&model};
        ensemble.scheme = Scheme::sdirk2;
        state.models = {model.initial_state()};
    }
    static std::vector<rod::Made> make(const std::vector<rod::Drawing>& drawings)
    {
        std::vector<rod::Made> made;
        for (const rod::Drawing& drawing : drawings)
            made.push_back(rod::make_plan(drawing));
        return made;
    }

    CouplingReport step(double h)
    {
        if (work.trials.empty())
            work = make_workspace(ensemble);
        return sinew::step(ensemble, state, h, work);
    }

    int settle()
    {
        const Relaxation found = relax(ensemble, model, 0, state, 1);
        CHECK(found.is_still);
        return found.steps;
    }

    Vec3 place(std::uint32_t rod, double u) const
    {
        return model.locate_one(state.models[0], rod, u).pose.translation;
    }
    Vec3 force(std::uint64_t key) const
    {
        for (const HeldForce& held : state.held)
            if (held.key == key)
                return {held.force[0], held.force[1], held.force[2]};
        return {0, 0, 0};
    }
};

/// Of a mass per length and an EA, thin.
rod::Material rope(double mass_per_length, double EA, double radius = 2e-5)
{
    const double area = kPi * radius * radius;
    return {
        .radius = radius, .young = EA / area, .poisson = 0.3, .density = mass_per_length / area};
}

} // namespace

TEST_CASE("rods: a hanging rope is a catenary, its ends pull as that says")
{
    // Reference: length 1.5, span 1, 0.2 kg/m: H = 0.604759954 N, end tension 1.590926413 N.
    const auto sag = [](double u) { return Vec3{u, -2.0 * u * (1 - u), 0}; };
    double length = 0; // of the drawn parabola, by many chords
    for (int k = 0; k < 100000; ++k)
        length += sinew::length(sag((k + 1) / 1e5) - sag(k / 1e5));
    rod::Drawing drawing = rod::drawn(sag, length, 20, rope(0.2, 2e5), true);
    drawing.rest_length = 1.5;
    Ropes ropes({drawing});
    ropes.ensemble.attachments = {hold(1, 0, 0, {0, 0, 0}), hold(2, 0, 1, {1, 0, 0})};

    const int steps = ropes.settle();
    MESSAGE("steps ", steps);

    const Vec3 left = ropes.force(1), right = ropes.force(2);
    CHECK(-left.x == doctest::Approx(0.604759954).epsilon(2e-3));
    CHECK(right.x == doctest::Approx(0.604759954).epsilon(2e-3));
    CHECK(sinew::length(left) == doctest::Approx(1.590926413).epsilon(2e-3));
    CHECK(left.y + right.y == doctest::Approx(0.2 * 1.5 * kGravity).epsilon(1e-9));
    const double a = 0.604759954 / (0.2 * kGravity);
    const double lowest = a * (1 - std::cosh(0.5 / a));
    MESSAGE("H ", right.x, " sag ", ropes.place(0, 0.5).y, " wanted ", lowest);
    CHECK(ropes.place(0, 0.5).y == doctest::Approx(lowest).epsilon(1e-3));
}

TEST_CASE("rods: a cantilever bends as Bernoulli says, and swings with his frequency")
{
    const rod::Material steel{.radius = 2e-3, .young = 2e9, .poisson = 0.3, .density = 7800};
    Ropes ropes({rod::straight(0.5, 12, steel)});
    ropes.model.set_loads(0, {.gravity = {0, -1e-3, 0}});
    ropes.ensemble.attachments = {hold(1, 0, 0, {0, 0, 0}), clamp(2, 0, 0, {1, 0, 0})};

    ropes.settle();

    const double area = kPi * 4e-6, EI = 2e9 * area * 4e-6 / 4, load = 7800 * area * 1e-3;
    CHECK(-ropes.place(0, 1).y == doctest::Approx(load * 0.0625 / (8 * EI)).epsilon(1e-4));

    // Let go of gravity: it swings through zero after a quarter of its period.
    ropes.model.set_loads(0, {});
    const double omega = 1.8751040687 * 1.8751040687 * std::sqrt(EI / (7800 * area * 0.0625));
    const double h = 2 * kPi / omega / 400;
    double time = 0, last = ropes.place(0, 1).y, crossing = 0;
    while (crossing == 0 && time < 2 * kPi / omega) {
        ropes.step(h);
        const double now = ropes.place(0, 1).y;
        if (now > 0)
            crossing = time + h * last / (last - now);
        time += h;
        last = now;
    }
    CHECK(crossing * omega / (kPi / 2) == doctest::Approx(1).epsilon(0.02));
}

} // namespace sinew
