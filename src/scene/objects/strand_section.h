#pragma once

#include "sinew/scene.h"

#include <array>
#include <optional>

namespace sinew {

/// What a strand is when its script does not say: soft rubber, as thick as a finger is wide at
/// most. No damping and no drag of air, so that nothing is lost that nobody asked to lose.
struct StrandDefaults {
    static constexpr double kRadius = 5e-3;  ///< [m]
    static constexpr double kDensity = 1000; ///< [kg/m³]
    static constexpr double kYoung = 1e6;    ///< [Pa]
    static constexpr double kPoisson = 0.3;  ///< 1
    static constexpr double kDamping = 0;    ///< [s]
    static constexpr double kFriction = 0.5; ///< 1
};

/// A curve at one place and time, all that its joints and segments need.
struct StrandSection {
    double radius = 0;                          ///< [m]
    double mass_per_length = 0;                 ///< [kg/m]
    double bend_x = 0, bend_z = 0, twist = 0;   ///< EI about the section's x and z, GJ [N m²]
    double damping_bend = 0, damping_twist = 0; ///< relaxation times [s]
    double drag_along = 0, drag_across = 0;     ///< [N s/m²]
    double friction = 0, bounce = 0;            ///< of its surface
    double sliding = 0;                         ///< friction where it slides
    bool touches = true;                        ///< bodies
    double least_radius = 0;                    ///< of curvature [m]; 0: any
    double stretch = 1;                         ///< length by rest length
    double stretch_stiffness = 0;               ///< EA [N]; 0: lengths do not move
};

/// The properties of one curve: what its tree or its own statements say, else what follows from
/// others, else the defaults.
///
///   mass per length    μ, else ρ π r²
///   bending            EI, else E π r⁴/4
///   twist              GJ, else from E (when said) or from EI: EI / (1 + ν), EI the mean of both
///   stretch            EA, else lengths do not move
///
/// A stiffness above `stiffest` counts as that: the joint is rigid to rounding, and 1e30 is no
/// other than 1e20.
class StrandSections {
public:
    /// Requires a validated scene, as far as strands and their properties go.
    StrandSections(const Scene& scene, std::uint32_t curve, double length);

    StrandSection at(double time, double along) const;

    /// The only axis of the section that joints turn about; none: all three.
    std::optional<Axis> hinge() const;

    /// True when `at` is not the same for all times.
    bool changes_in_time() const;

    /// The statement that holds for a kind; null when the script does not say it.
    const StrandProperty* find(StrandPropertyKind kind) const
    {
        return of_kind_[static_cast<std::size_t>(kind)];
    }

    /// Mass of the whole curve, the middle of each segment taken for all of it [kg].
    double mass(double time) const;
    double mass_at_start() const { return mass_at_start_; }

    /// EI or GJ beyond which nothing changes: a first period of a microsecond [N m²].
    double stiffest() const { return stiffest_; }

    /// EA likewise [N].
    double stiffest_stretch() const { return stiffest_ / (length_ * length_); }

private:
    static constexpr std::size_t kKinds = static_cast<std::size_t>(StrandPropertyKind::sliding) + 1;

    double mass_per_length(double radius, double time, double along) const;
    double value(StrandPropertyKind kind, bool is_second, double otherwise, double time,
                 double along) const;

    const Scene& scene_;
    std::uint32_t segments_;
    double length_;
    double mass_at_start_ = 0;
    double stiffest_ = 0;
    std::array<const StrandProperty*, kKinds> of_kind_ = {};
};

} // namespace sinew
