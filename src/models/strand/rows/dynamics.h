#pragma once

#include "models/strand/lanes/batch.h"
#include "models/strand/lanes/lane_energy.h"
#include "models/strand/plan.h"
#include "solve/rows/rows.h"

#include <span>
#include <vector>

namespace sinew::strand {

template <class T>
struct BaseStep;

/// Trees of segments as blocks that rows can touch. A block is a tree, clamped to its base, which
/// moves by time alone or, where it is free, as forces and rows will; its numbers are
///
///   x       4 per segment: its turn (x, y, z, w), world; then, where lengths move, all lengths
///           [m]; then, of a free base, its turn and the place of its origin [m]
///   v       3 per segment: its rate [rad/s], its own axes; then the lengths' speeds [m/s]; then
///   the
///           rate of a free base, its own axes, and the velocity of its origin [m/s]
///   memory  6 per segment: the rates' rates of the last two stages; 1: see Rider::pause
///
/// A site's element is a segment, its u runs from the segment's joint (0) to its tip (1); or it is
/// kBase, the frame of a free base.
///
/// W is M + θD + θ²K with tension, of the acceleration of absolute turns, factored from the tips
/// to the root. With y the moment that reaches a joint, inward y = p + r × f + own, p ← Gᵀy,
/// f ← f − Hᵀy; so that W⁻¹ = Σ yᵀ V y over the segments of a way to the root.      [eqs 9, 11]
/// Lengths that move are let go before the turn of their segment, and add Σ q s².    [eq. 26]
/// A free base has no mass of its own; it is eliminated last, and adds its own part. [eqs 30, 31]
class StrandDynamics : public Dynamics {
public:
    struct Tree {
        std::uint32_t number = 0; ///< as `bases` knows it
        std::vector<SegmentData> segments = {};
        bool has_free_base = false;
    };

    /// The element of sites that are on a free base.
    static constexpr std::uint32_t kBase = 0xffffffff;
    static constexpr std::uint32_t kBaseNumbers = 7, kBaseRates = 6; ///< of a free base, in x and v

    /// Keeps a reference to `bases`.
    StrandDynamics(std::vector<Tree> trees, const BaseSource& bases);

    /// At rest, unloaded.
    ModelState initial_state(double time) const;

    /// Other numbers for the segments of a tree, of the same shape. Not while stepping.
    void set_segments(std::uint32_t block, std::span<const SegmentData> segments);

    /// Springs from the ends of segments to where a pose has them, half of each segment's at either
    /// end; none: no springs. In the frame of the base, from one time to another.
    struct Pull {
        double begin = 0, end = 0;                                              ///< [s]
        std::vector<Vec3> joint = {}, tip = {}, joint_then = {}, tip_then = {}; ///< now and then
        std::vector<double> strength = {}, damping = {}; ///< of whole segments [N/m, N s/m]
    };
    void set_pull(std::uint32_t block, Pull pull) { plans_[block].pull = std::move(pull); }

    /// What pushes the tips of a tree from outside: Load::count numbers a segment. SI.
    std::span<double> loads(std::uint32_t block) { return plans_[block].loads; }

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
    struct Plan {
        std::uint32_t number = 0;
        std::vector<SegmentData> segments = {};
        TreeShape shape;
        std::vector<double> params = {}; ///< SI
        std::vector<double> loads = {};
        bool has_drag = false, is_elastic = false, has_free_base = false;
        Pull pull = {};

        bool is_pulled() const { return !pull.strength.empty(); }
        bool uses_drag() const { return has_drag || is_pulled(); }
        bool can_ride_lanes() const { return !is_elastic && !is_pulled() && !has_free_base; }
    };
    struct BlockScratch;
    struct StrandScratch;

    static void set_numbers(Plan& plan);
    static BlockScratch& scratch_of(const Plan& plan, const Trial& trial, std::uint32_t block);
    StageOf<double> stage_of(std::uint32_t block, const Stage& stage, const Trial& trial) const;
    PoseMotion base_of(std::uint32_t block, const Trial& trial, double time) const;
    void begin_base(std::uint32_t block, const Stage& stage, Trial& trial) const;
    void place_base(std::uint32_t block, const Stage& stage, Trial& trial) const;
    void give_base(std::uint32_t block, const BaseStep<double>& change, const Stage&, Part,
                   Trial&) const;
    std::size_t base_index(std::uint32_t block) const;
    std::size_t base_rate_index(std::uint32_t block) const;
    BaseStep<double> predict_base(std::uint32_t block, BlockScratch&, const Stage&, Trial&) const;
    void find_residual(const Plan& plan, const Cohort&, const Member&, const RowSet&,
                       std::span<const double> impulses, const Stage&, const Trial&,
                       BlockScratch&) const;
    void set_lengths(std::uint32_t block, const ModelState& state, BlockScratch& scratch) const;
    void set_gains(std::uint32_t block, const Stage& stage, const Trial& trial,
                   BlockScratch& scratch) const;
    void begin_lengths(std::uint32_t block, const Stage& stage, Trial& trial) const;
    void give_speed(std::uint32_t block, std::size_t segment, double change, const Stage&,
                    Trial&) const;
    void give_length(std::uint32_t block, std::size_t segment, double change, const Stage&, Part,
                     Trial&) const;
    void place(std::uint32_t block, const Stage& stage, Trial& trial) const;
    void soften(const Plan& plan, const Stage& stage, BlockScratch& scratch) const;
    void add_pull(const Plan& plan, const Stage& stage, BlockScratch& scratch) const;
    bool advance_in_stages(const Member& member, double t0, double t1, int count,
                           Trial& trial) const;
    void advance_in_halves(const Member& member, double t0, double t1, Trial& trial,
                           BlockReport& report) const;
    bool settle_stage(const Member& member, const Stage& stage, Trial& trial) const;
    SiteMotion locate_one(const Trial&, const PoseMotion& base, const Site&) const;
    SiteMotion seen(const SiteMotion& motion, const PoseMotion& base, std::uint32_t tree,
                    double time) const;
    void find_ways(const Plan&, const RowSet&, std::span<const Touch>, BlockScratch&) const;
    static double common_part(const Plan&, const BlockScratch&, const RowSet&,
                              std::span<const Touch>, std::size_t a, std::size_t b);
    static void solve(const Plan&, BlockScratch&);
    static void solve_inward(const Plan&, BlockScratch&);
    void give(std::uint32_t block, std::size_t segment, const Vec3& change, const Stage&, Part,
              Trial&) const;
    bool is_driven(const Plan& plan, double time) const;
    Energies energy_of(std::uint32_t block, double time, const Trial&, BlockScratch&) const;
    void advance_batch(std::span<const Member>, double t0, double t1, Trial&,
                       std::span<BlockReport>) const;
    Quat turn_at(std::span<const double> x, std::uint32_t block, int segment) const;
    Vec3 rate_at(std::span<const double> v, std::uint32_t block, int segment) const;
    std::size_t length_index(std::uint32_t block, std::size_t segment) const;
    std::size_t speed_index(std::uint32_t block, std::size_t segment) const;
    double length_at(std::span<const double> x, std::uint32_t block, std::size_t segment) const;
    double speed_at(std::span<const double> v, std::uint32_t block, std::size_t segment) const;

    std::vector<Plan> plans_;
    std::vector<BlockShape> shapes_;
    const BaseSource& bases_;
};

} // namespace sinew::strand
