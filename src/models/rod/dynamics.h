#pragma once

#include "models/rod/section_forces.h"
#include "solve/rows/rows.h"

#include <span>
#include <vector>

namespace sinew::rod {

/// What acts on rods in a step. Not state: it follows from the scene and the time.
struct RodInput {
    std::vector<Loads> loads = {}; ///< by rod; empty: none
    double inertia =
        1; ///< share of the mass that resists: 1, or nearly none to find an equilibrium
};

/// Rods as blocks that rows can touch. A block is a rod; its numbers are
///
///   x       4 per control point: place [m], angle of the material frame [rad]
///   v       their rates
///   memory  10 per point of the plan: its reference frame, see Reference
///
/// A site's u runs from 0 to 1 along the rest length; outside, the rod goes on straight. Its frame
/// has y along the rod and x along the material director.
class RodDynamics : public Dynamics {
public:
    /// `iterations`: how often a rod alone may be linearised in a stage; 0: until it converges.
    explicit RodDynamics(std::vector<Made> rods, int iterations = 0);

    ModelState initial_state() const;
    std::size_t rod_count() const { return plans_.size(); }
    const Plan& plan(std::size_t rod) const { return plans_[rod]; }

    /// What acts in the steps of this trial. The input stays the caller's, and must outlive them.
    void prepare(const RodInput& input, Trial& trial) const;

    SiteMotion locate_one(const ModelState& state, std::uint32_t rod, double u) const;
    Vec3 place_of(const ModelState& state, std::uint32_t rod, double u) const;
    Pose pose_of(const ModelState& state, std::uint32_t rod, double u) const;
    RodEnergy energy(const ModelState& state, std::size_t rod, const Loads& loads) const;
    /// Linear [kg m/s] and angular about the origin [kg m²/s]: of the axis, not of turning about
    /// it.
    std::array<Vec3, 2> momentum(const ModelState& state, std::size_t rod) const;
    SectionForces section_forces(const ModelState& state, std::size_t rod,
                                 const Loads& loads) const;

    std::span<const BlockShape> blocks() const noexcept override { return shapes_; }
    std::unique_ptr<Scratch> make_scratch() const override;
    void locate(const Trial&, double time, std::span<const Site>,
                std::span<SiteMotion>) const noexcept override;
    void begin_stage(const Cohort&, const Stage&, Trial&) const noexcept override;
    void predict(const Cohort&, const RowSet&, const Stage&, Trial&) const noexcept override;
    void respond(const Cohort&, const RowSet&, const Trial&, Responses&) const noexcept override;
    Exposure exposure(std::uint32_t block) const noexcept override;
    void expose(const Member&, const Trial&, std::span<double>) const noexcept override;
    TouchWeights weigh(const Trial&, const Site&, const Wrench&) const noexcept override;
    void correct(const Cohort&, const RowSet&, const Stage&, Part, Trial&) const noexcept override;
    void measure(const Cohort&, const RowSet&, const Stage&, const Trial&,
                 std::span<BlockReport>) const noexcept override;
    void advance_alone(const Cohort&, double t0, double t1, Trial&,
                       std::span<BlockReport>) const noexcept override;

private:
    struct BlockScratch;
    struct RodScratch;
    static const Loads& loads_of(const Trial& trial, std::size_t rod);
    struct Push;
    struct Place;

    SiteMotion locate_point(const ModelState& state, std::uint32_t rod, double u) const;
    Place place_at(const ModelState& state, std::uint32_t rod, double u,
                   bool with_turning = true) const;
    std::vector<Reference> references_of(const ModelState& state, std::size_t rod) const;
    Configuration configuration(const ModelState& state, std::size_t rod,
                                std::span<const Reference> references) const;
    void carry_references(std::uint32_t rod, std::span<const double> x, SpanRoom& room,
                          ModelState& state) const;
    Push push_of(const ModelState& state, const Site& site, const Wrench& unit) const;
    void find_residual(const Cohort&, const Member&, const RowSet&,
                       std::span<const double> impulses, const Stage&, const Trial&,
                       bool with_matrix, BlockScratch&) const;
    bool run_alone(const Member&, const Stage&, Trial&) const;
    BlockReport advance_one(const Member&, double t0, double t1, Trial&) const;

    std::vector<Plan> plans_;
    std::vector<std::vector<double>> start_;
    std::vector<std::vector<Reference>> references_;
    std::vector<BlockShape> shapes_;
    int iterations_ = 0;
};

} // namespace sinew::rod
