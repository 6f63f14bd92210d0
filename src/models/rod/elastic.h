#pragma once

/// Forces, stiffness and energy of one rod.

#include "models/rod/plan.h"

#include <span>
#include <vector>

namespace sinew::rod {

/// What acts from outside, constant over a step.
struct Loads {
    Vec3 gravity = {0, 0, 0};            ///< [m/s²]
    std::vector<Vec3> acceleration = {}; ///< of fields, at the points; empty: none
    std::vector<Vec3> air = {};          ///< velocity at the points; empty: still
    std::vector<double> force = {};      ///< on control points, as x; empty: none
    /// Spans of a chain whose tension rows carry, since they run through eyes; empty: none.
    std::vector<char> idle = {};
    /// A leg from a node to its eye: it resists moving aside. For the matrix alone.
    struct Leg {
        std::size_t node = 0;
        Vec3 unit = {0, 0, 0};
        double stiffness = 0; ///< tension by length [N/m]
    };
    std::vector<Leg> legs = {};

    bool is_idle(std::size_t span) const { return !idle.empty() && idle[span]; }
    void clear()
    {
        idle.clear();
        legs.clear();
        gravity = {0, 0, 0};
        acceleration.clear();
        air.clear();
        force.clear();
    }
};

/// Where the rod is and what it counts its angles from.
struct Configuration {
    std::span<const double> x, v;
    std::span<const Reference> references;
    /// What stiffens across the rod in W is all it pulls with, not what is elastic of it alone.
    bool counts_damped_tension = false;
};

/// Adds f(x, v) to `force`: elastic, damped, weight, fields, air.
void add_force(const Plan& plan, const Configuration& at, const Loads& loads, SpanRoom& room,
               std::span<double> force);

/// The same, and W ← M + θ D + θ² K: Gauss-Newton with tension, positive. `mass_scale`: of M.
void assemble(const Plan& plan, const Configuration& at, const Loads& loads, double theta,
              double mass_scale, SpanRoom& room, std::span<double> force, ChainLdl& W);

struct RodEnergy {
    double kinetic = 0, elastic = 0, weight = 0; ///< [J]
};
RodEnergy compute_energy(const Plan& plan, const Configuration& at, const Loads& loads);

} // namespace sinew::rod
