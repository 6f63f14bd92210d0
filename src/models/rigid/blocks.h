#pragma once

#include "models/rigid/pile.h"
#include "solve/rows/rows.h"

namespace sinew {

/// Bodies as blocks of an island, for those that are tied to things of other models: rows solve for
/// them what the pile solves for the rest. Block i is body i of the pile; its site is the centre of
/// mass with the principal axes. x: centre and rotation, 7 numbers; v: velocity and spin, 6.
///
/// A stage keeps momenta: m v and L = I(q) ω obey
///
///     m v = m v_base + θ f + Σ d λ,     I(q) ω = L_base + θ τ + Σ d λ,     q = exp(θ ω) q_base
///
/// [notes: rows, eq. 7]; W = (m, I(q)), the gyroscopic part of the slope left out.
class RigidBlocks final : public Dynamics {
public:
    /// Requires that the pile outlives it.
    explicit RigidBlocks(const Pile& pile);

    /// Which free bodies take part in the steps of this trial (by body; the others count as
    /// driven), and what pushes them besides gravity.
    void prepare(std::span<const char> members, std::span<const BodyForce> forces,
                 Trial& trial) const;

    /// What stands on the bodies and is eliminated into them, in steps of length h of this trial.
    void carry(std::span<const BodyRiders> riders, const std::vector<BodyState>& bodies, double h,
               Trial& trial) const;

    ModelState make_state(const std::vector<BodyState>& bodies) const;
    void update_state(const std::vector<BodyState>& bodies, ModelState& state) const;
    BodyState body_of(const ModelState& state, std::size_t body) const;

    std::span<const BlockShape> blocks() const noexcept override { return shapes_; }
    std::unique_ptr<Scratch> make_scratch() const override;
    void drive(double t0, double t1, Trial&) const noexcept override;
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
    Wrench residual(const Cohort& cohort, const Member& member, const RowSet& rows,
                    std::span<const double> impulse, double theta, const Trial& trial) const;

    const Pile* pile_;
    std::vector<BlockShape> shapes_;
};

} // namespace sinew
