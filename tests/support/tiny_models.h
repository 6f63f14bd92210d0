#pragma once

/// Three small models for tests of rows: they share no code with each other or with the library.

#include "solve/rows/rows.h"

#include <vector>

namespace sinew::test {

/// Point masses, each a block that answers as a body. W = m + θ drag, exact. Elements and u are
/// ignored; a particle has no rotation, so a torque moves nothing.
class Particles final : public Dynamics {
public:
    struct Particle {
        double mass = 1; ///< [kg]
        Vec3 position = {}, velocity = {};
        double drag = 0;     ///< [N s/m]
        bool driven = false; ///< moves at its velocity whatever happens
    };

    explicit Particles(std::vector<Particle> particles, Vec3 gravity = {0, -9.81, 0});

    ModelState start() const;
    static Vec3 position(const ModelState& state, std::size_t i);
    static Vec3 velocity(const ModelState& state, std::size_t i);
    double energy(const ModelState& state) const; ///< of those that are not driven [J]

    double stops_at = 1e300; ///< alone, they cannot go beyond this time [s]

    std::span<const BlockShape> blocks() const noexcept override { return shapes_; }
    std::unique_ptr<Scratch> make_scratch() const override;
    void locate(const Trial&, double time, std::span<const Site>,
                std::span<SiteMotion>) const noexcept override;
    void begin_stage(const Cohort&, const Stage&, Trial&) const noexcept override;
    void predict(const Cohort&, const RowSet&, const Stage&, Trial&) const noexcept override;
    void respond(const Cohort&, const RowSet&, const Trial&, Responses&) const noexcept override;
    void correct(const Cohort&, const RowSet&, const Stage&, Part, Trial&) const noexcept override;
    void measure(const Cohort&, const RowSet&, const Stage&, const Trial&,
                 std::span<BlockReport>) const noexcept override;
    void advance_alone(const Cohort&, double t0, double t1, Trial&,
                       std::span<BlockReport>) const noexcept override;

private:
    Vec3 residual(const Cohort&, const Member&, const RowSet&, const std::vector<double>& impulse,
                  double theta, const Trial&) const;

    std::vector<Particle> particles_;
    Vec3 gravity_;
    std::vector<BlockShape> shapes_;
};

/// Double pendulums in the plane z = 0, each a block with the angles of its two links against the
/// vertical as coordinates, and with the full nonlinear equations; W drops what is not positive.
/// Element 0 is the lower end of the upper link, element 1 that of the lower link.
class Pendulums final : public Dynamics {
public:
    struct Pendulum {
        Vec3 pivot = {};
        double mass[2] = {1, 1};   ///< at the ends [kg]
        double length[2] = {1, 1}; ///< [m]
        double angle[2] = {0, 0}, rate[2] = {0, 0};
    };

    explicit Pendulums(std::vector<Pendulum> pendulums, double gravity = 9.81);

    ModelState start() const;
    Vec3 position(const ModelState& state, std::size_t i, int element) const;
    double energy(const ModelState& state) const;

    int broken = -1;      ///< this one turns into something that is not a number
    double overshoot = 1; ///< from 2 on, Newton steps so much too long never converge

    std::span<const BlockShape> blocks() const noexcept override { return shapes_; }
    std::unique_ptr<Scratch> make_scratch() const override;
    void locate(const Trial&, double time, std::span<const Site>,
                std::span<SiteMotion>) const noexcept override;
    void begin_stage(const Cohort&, const Stage&, Trial&) const noexcept override;
    void predict(const Cohort&, const RowSet&, const Stage&, Trial&) const noexcept override;
    void respond(const Cohort&, const RowSet&, const Trial&, Responses&) const noexcept override;
    void correct(const Cohort&, const RowSet&, const Stage&, Part, Trial&) const noexcept override;
    void measure(const Cohort&, const RowSet&, const Stage&, const Trial&,
                 std::span<BlockReport>) const noexcept override;
    void advance_alone(const Cohort&, double t0, double t1, Trial&,
                       std::span<BlockReport>) const noexcept override;

private:
    std::vector<Pendulum> pendulums_;
    double gravity_;
    std::vector<BlockShape> shapes_;
};

/// Rigid plates in the plane z = 0, each a block that answers as a body; x, y and the angle are its
/// coordinates. Site e is the point e of the plate, and turns with it.
class Plates final : public Dynamics {
public:
    struct Plate {
        double mass = 1, inertia = 1; ///< [kg], about the centre [kg m²]
        Vec3 centre = {}, velocity = {};
        double angle = 0, spin = 0;      ///< [rad], [rad/s]
        std::vector<Vec3> points = {{}}; ///< from the centre, in its axes
    };

    explicit Plates(std::vector<Plate> plates, Vec3 gravity = {0, -9.81, 0});

    ModelState start() const;
    double energy(const ModelState& state) const;

    std::span<const BlockShape> blocks() const noexcept override { return shapes_; }
    std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Scratch>(); }
    void locate(const Trial&, double time, std::span<const Site>,
                std::span<SiteMotion>) const noexcept override;
    void begin_stage(const Cohort&, const Stage&, Trial&) const noexcept override;
    void predict(const Cohort&, const RowSet&, const Stage&, Trial&) const noexcept override;
    void respond(const Cohort&, const RowSet&, const Trial&, Responses&) const noexcept override;
    void correct(const Cohort&, const RowSet&, const Stage&, Part, Trial&) const noexcept override;
    void measure(const Cohort&, const RowSet&, const Stage&, const Trial&,
                 std::span<BlockReport>) const noexcept override;
    void advance_alone(const Cohort&, double t0, double t1, Trial&,
                       std::span<BlockReport>) const noexcept override;

private:
    Vec3 arm(const ModelState& state, const Site& site) const;
    Vec3 impulse(const Cohort&, const Member&, const RowSet&, const std::vector<double>& plus,
                 const std::vector<double>* minus, const Trial&) const;
    Vec3 residual(const Cohort&, const Member&, const RowSet&, const std::vector<double>& impulse,
                  double theta, const Trial&) const;
    Vec3 divided(const Vec3& momentum, std::size_t i) const;

    std::vector<Plate> plates_;
    Vec3 gravity_;
    std::vector<BlockShape> shapes_;
};

} // namespace sinew::test
