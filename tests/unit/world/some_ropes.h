#pragma once

/// Rods in a world of their own, held by rows.

#include "../models/rod/some_rods.h"
#include "world/models/relax.h"

#include <cmath>
#include <doctest/doctest.h>

namespace sinew::test {

constexpr double kPi = 3.14159265358979323846, kGravity = 9.81;

inline Attachment hold(std::uint64_t key, std::uint32_t rod, double u, const Vec3& place)
{
    Attachment made;
    made.key = key;
    made.a = {{0, rod}, 0, u};
    made.point_b = place;
    return made;
}

/// The tangent at u stays along a direction.
inline Attachment clamp(std::uint64_t key, std::uint32_t rod, double u, const Vec3& direction)
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
    rod::RodInput input;
    Ensemble ensemble;
    EnsembleState state;
    Workspace work;

    explicit Ropes(std::vector<rod::Drawing> drawings) : model(make(drawings))
    {
        input.loads.assign(model.rod_count(), {.gravity = {0, -kGravity, 0}});
        ensemble.models = {&model};
        ensemble.settings.scheme = Scheme::sdirk2;
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
        model.prepare(input, work.trials[0]);
        return sinew::step(ensemble, state, h, work);
    }

    int settle()
    {
        const Relaxation found = relax(ensemble, model, input, 0, state, 1);
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
inline rod::Material rope(double mass_per_length, double EA, double radius = 2e-5)
{
    const double area = kPi * radius * radius;
    return {
        .radius = radius, .young = EA / area, .poisson = 0.3, .density = mass_per_length / area};
}

} // namespace sinew::test
