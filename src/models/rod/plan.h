#pragma once

/// One rod as numbers: basis, points where it is felt, stiffness, mass. Constant while stepping.
///
/// x(u) = Σ bᵢ(u) xᵢ [Theetten08, §3.1], u from 0 to 1 along the rest length; the angle φ of the
/// material frame the same. A control point has four numbers, x y z φ. A spline rod has spans + 3
/// of them and is felt at two Gauss points of each span; a chain has spans + 1 and is felt at the
/// middle of each.

#include "math/spline.h"
#include "models/rod/strain.h"
#include "solve/linear/band/chain_ldl.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sinew::rod {

constexpr std::size_t kNumbers = ChainLdl::kNumbers; ///< of a control point: x, y, z, φ

/// A round section of one material.
struct Material {
    double radius = 0.005, young = 1e6, poisson = 0.3, density = 1000; ///< SI
    double damping = 0;                                                ///< relaxation time [s]
    double drag_along = 0, drag_across = 0; ///< per length and speed [N s/m²]
    /// EA, EI, GJ and mass per length, where they do not follow from what is above.
    std::optional<std::array<double, 3>> given = {};
    std::optional<double> mass_per_length = {};
    /// Of stretch, bending twice and twist, where they differ [s].
    std::optional<std::array<double, 4>> dampings = {};
};

/// A place where strains are measured.
struct Point {
    CurveWeights basis;
    double u = 0;
    double speed = 1;                            ///< rest length per u [m]
    double length = 0;                           ///< rest length it stands for [m]
    std::array<double, 4> along = {}, bend = {}; ///< derivatives of the basis along the rest length
    Rest rest;
};

/// What points of spans do not change, field by field: eight spans at a time find theirs side by
/// side. Behind the last span it is repeated.
struct SpanLanes {
    enum Field : std::size_t {
        along = 0,
        bend = 4,
        weight = 8,
        length = 12,
        kappa_1,
        kappa_2,
        tau,
        curved,
        by_length ///< 1 / length of the span where it is stretched as a whole, else 0
    };
    static constexpr std::size_t kFields = by_length + 1;

    std::size_t stride = 0;           ///< of a field, spans
    std::vector<double> numbers = {}; ///< of first points, then of second ones
    bool is_curved = false;           ///< any point, at rest
};

/// Memory of a rod's spans while they are measured; no state.
struct SpanRoom {
    static constexpr std::size_t kSlopes = 64; ///< numbers of a span

    std::vector<double> x, v, reference, turn, air, force, slopes;
};

/// A mass that rides on the rod: a point of its axis.
struct Rider {
    double u = 0, mass = 0; ///< [kg]
};

struct Plan {
    bool is_chain = false;
    std::uint32_t spans = 0, node_count = 0;
    double length = 0;                    ///< at rest [m]
    std::array<double, 4> stiffness = {}; ///< EA [N], EI twice, GJ [N m²]
    std::array<double, 4> damping = {};   ///< relaxation times of the same [s]
    double mass_per_length = 0, drag_along = 0, drag_across = 0, radius = 0;
    std::vector<Point> points;
    std::vector<double> node_mass; ///< Σⱼ Mᵢⱼ [kg]
    ChainLdl mass;                 ///< M: consistent; of φ the moment of inertia about the axis
    std::vector<std::array<double, 4>> pair_mass; ///< of control points i and i + k [kg]
    std::vector<Rider> riders = {};
    double polar = 0;     ///< moment of inertia about the axis by mass [m²]
    SpanLanes lanes = {}; ///< none of a chain

    std::size_t size() const { return kNumbers * node_count; }
    CurveWeights basis_at(double u) const;
    double total_mass() const;
};

/// How a rod is drawn and what it is when nothing pulls.
struct Drawing {
    bool is_chain = false;
    std::uint32_t spans = 1;
    std::vector<Vec3> samples; ///< of the curve, at equal arc lengths: kSamples a span, and one
    std::vector<Vec3> rest_samples = {}; ///< when nothing pulls, as samples; none: as drawn
    double drawn_length = 0;             ///< of the curve that it has when nothing pulls [m]
    double rest_length = 0;              ///< [m]
    bool is_straight = false;            ///< at rest
    Material material = {};
    std::vector<Rider> riders = {};

    static constexpr std::uint32_t kSamples = 8;
};

/// A plan, and the numbers of its control points as drawn, with its reference frames.
struct Made {
    Plan plan;
    std::vector<double> x;
    std::vector<Reference> references;
};

Made make_plan(const Drawing& drawing);

SpanLanes make_lanes(const Plan& plan);

/// Adds M v to `momentum`.
void add_momentum(const Plan& plan, std::span<const double> v, std::span<double> momentum);

/// The curve at a point of the plan, or anywhere.
Local local_at(const Point& point, std::span<const double> x);

/// Σ bᵢ(u) of the first three numbers, and of their derivatives in u.
CurvePoint curve_at(const CurveWeights& basis, std::span<const double> x);

} // namespace sinew::rod
