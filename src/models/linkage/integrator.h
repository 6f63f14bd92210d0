#pragma once

#include "models/linkage/equations/linearisation.h"
#include "models/linkage/equations/system.h"
#include "models/linkage/events/corners.h"
#include "models/linkage/events/passage.h"
#include "solve/ode/dormand_prince.h"
#include "solve/ode/radau.h"
#include "solve/rows/rows.h"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace sinew {

/// An event that others than its linkage have noticed.
struct NoticedEvent {
    std::uint32_t event = 0; ///< in Scene::events
    double time = 0;         ///< when it came; kNever: its condition has ended
};

/// What a linkage remembers between steps, besides the directions of short distances and the rows
/// that are dropped.
struct IntegratorMemory {
    enum Field : std::uint32_t {
        step_size,          ///< of the explicit method [s]; 0: none yet
        is_stiff,           ///< 1: the implicit method has taken over
        implicit_step_size, ///< [s]
        longest_implicit,   ///< [s] for which Newton's iteration converges; 0: not known
        method_steps,       ///< since the method changed
        patience,           ///< explicit steps before the implicit method is tried
        change_points,      ///< passed so far
        passage_begin,      ///< of the step over a singular posture that the state is in [s]
        passage_end,        ///< [s]; 0: it is in none
        passage_change,     ///< where the posture was expected [s]
        count
    };

    /// How much a linkage remembers: these, the directions of short distances, which rows are
    /// dropped, and the state at passage_begin.
    static std::uint32_t size_of(const LinkagePlan& plan)
    {
        return count + linkage_size_of(plan) +
               (plan.may_become_singular() ? 2 * plan.state_size() : 0);
    }
    static std::uint32_t linkage_size_of(const LinkagePlan& plan)
    {
        return plan.memory_size + static_cast<std::uint32_t>(plan.rows.size());
    }
};

/// The plans of a linkage's matrices.
struct LinkageMatrices {
    MatrixPlan masses;
    MatrixPlan with_springs; ///< empty without springs
};

/// Advances one linkage that nothing else touches: explicit steps of order 8 with error control;
/// after every step positions and rates are projected onto the constraints; steps end at the keys
/// of tracks, at the corners of paths and where distances become short. Where stability and not
/// accuracy limits the step, an implicit method of order 5 takes over as long as it is faster.
class LinkageIntegrator : private StiffOde {
public:
    LinkageIntegrator(const LinkagePlan& plan, const LinkageMatrices& matrices,
                      const std::vector<ImportFunction>& imports);

    /// `memory` as IntegratorMemory has it. With a fault the state is that of
    /// `report.reached`, where it is good.
    void advance(double t0, double t1, std::span<double> x, std::span<double> v,
                 std::span<double> memory, BlockReport& report) noexcept;

    /// Carries out what is due at the end of a step in which rows held the linkage: events come,
    /// constraints let go and hold again, the latter also where they are `reach` off [m]. Stops and
    /// friction are rows there. `outside`: what rows pushed with, by columns; `noticed`: events
    /// that others have seen.
    void switch_beside_others(double time, double reach, std::span<const double> outside,
                              std::span<const NoticedEvent> noticed, std::span<double> x,
                              std::span<double> v, std::span<double> memory,
                              BlockReport& report) noexcept;

    LinkageSystem& system() { return system_; }

private:
    bool derivative(double t, std::span<const double> y, std::span<double> dy) noexcept override;
    void filter_error(std::span<double> error) noexcept override;
    bool linearise(double t, std::span<const double> y) noexcept override;
    bool factor(double real_shift, std::complex<double> complex_shift) noexcept override;
    void solve_real(std::span<double> rhs) noexcept override;
    void solve_complex(std::span<std::complex<double>> rhs) noexcept override;

    /// The derivative; in a settled state, which lies on the constraints, also which rows depend
    /// on others.
    bool evaluate(double t, std::span<const double> y, std::span<double> dy, bool is_settled);
    void note_strength();

    /// Why there was no derivative.
    enum class Failure : std::uint8_t { none, not_finite, singular };

    struct Clock {
        double now = 0;
        double limit = 0; ///< the next key, or the end of the advance
        double key = 0;   ///< the next key, infinity if there is none
        double end = 0;   ///< of the advance
    };
    bool begin_stretch(Clock& clock, BlockReport& report);
    bool take_step(Clock& clock, BlockReport& report);
    bool take_fixed_steps(Clock& clock, BlockReport& report);
    bool runge_kutta_step(double t, double h);
    bool is_before_corner(double h);
    bool turn_corner(double time, BlockReport& report);
    bool is_due(const PlannedTie& tie, double time) const;
    bool is_to_hold(const PlannedTie& tie) const;
    bool is_due(const PlannedEvent& event) const;
    bool look_beside_others(double time, std::span<const double> outside);
    void happen(const PlannedEvent& event, double time);
    bool is_due(const PlannedLimit& limit) const;
    bool is_due(const PlannedFriction& friction) const;
    double branch_of(const PlannedKink& kink) const;
    void note_branches();
    bool is_over_kink() const;
    bool switch_kinks(double time, BlockReport& report);
    bool is_anything_due(double time) const;
    bool is_due_within(double begin, double h);
    bool is_before_switch(double begin, double h);
    bool carry_out_switches(double time, BlockReport& report);
    bool begin_anew(double time, BlockReport& report);
    bool switch_events(double time, BlockReport& report);
    bool switch_ties(double time, BlockReport& report);
    bool hold_again(const std::vector<const PlannedTie*>& caught, double time, BlockReport& report);
    bool switch_limits(double time, BlockReport& report);
    bool switch_frictions();
    bool refuse(double now, double h, const StepOutcome& outcome, BlockReport& report);
    void accept(double h, const StepOutcome& outcome, BlockReport& report);
    std::optional<PassageInterval> find_passage(const Clock& clock);
    std::optional<double> strength_ahead(double now, double tau);
    double expected_change(double now, double h);
    double fastest_rate() const;
    bool pass_singular(Clock& clock, const PassageInterval& interval, BlockReport& report);
    bool take_passage(const PassageInterval& interval);
    bool finish_passage(Clock& clock, const PassageInterval& interval, BlockReport& report);
    bool resume_passage(Clock& clock, BlockReport& report);
    void read_passage(double time);
    bool ends_singular(double time);
    void choose_method(bool was_cut);
    void leave_implicit(bool pays);
    bool settle(double time, BlockReport& report);
    void normalise_turns();
    bool cross_key(double time, BlockReport& report);
    bool choose_way(double time, const PlannedTie& tie);
    void update_scale();
    double first_step_size() const;
    Side side_at(double t) const { return t < step_end_ ? Side::after : Side::before; }
    LinkageState state();
    std::span<double> linkage_memory() const
    {
        return memory_.subspan(IntegratorMemory::count, IntegratorMemory::linkage_size_of(*plan_));
    }
    std::span<double> passage_start() { return memory_.last(y_.size()); }
    double& remembered(IntegratorMemory::Field field) { return memory_[field]; }
    bool is_implicit() const { return memory_[IntegratorMemory::is_stiff] != 0; }
    void set_fault(double time, BlockReport& report);
    void warn_of_path_ends(BlockReport& report);

    const LinkagePlan* plan_;
    LinkageSystem system_;
    DormandPrince explicit_;
    std::unique_ptr<LinkageLinearisation> linearisation_; ///< none: nothing can be stiff
    Radau implicit_;
    std::array<std::vector<double>, 4> slopes_;          ///< of steps of a fixed size
    std::vector<double> y_, y_new_, stage_, dy_, scale_; ///< positions, then rates
    Passage passage_;
    std::vector<double> given_, passage_y_; ///< while an advance goes on within a step
    int passage_wait_ = 0;         ///< steps before the next attempt at one, in this advance
    int passage_failures_ = 0;     ///< in a row
    std::vector<Vec3> velocities_; ///< of the masses, at keys
    std::span<double> memory_;     ///< during advance
    double step_end_ = 0;          ///< where tracks are looked at from before
    Failure failure_ = Failure::none;
    std::optional<Corner> corner_; ///< that a step is to end at
    double corner_step_ = 0;       ///< the size that may end there [s]; 0: not looking for one
    int corner_attempts_ = 0;
    double reach_ = 0; ///< how far what is to hold again may be off, besides rounding [m]
    std::vector<double> branches_; ///< of LinkagePlan::kinks, where the step starts
    int kinks_passed_ = 0;         ///< in this advance
    double switch_step_ = 0;       ///< while a switch is looked for: the longest next step [s]
    int corner_turns_ = 0;         ///< in this advance
    double relief_ = 1;            ///< by which the tolerance is multiplied
    double refused_step_ = 0, refused_error_ = 0; ///< of the last attempt; 0: it was accepted
    bool is_delicate_ = false; ///< constraints nearly depend on each other where the step starts
    double strength_ = 1;      ///< of the weakest row where the step starts
    bool is_singular_ = false; ///< J says nothing there
};

/// Nothing fixes the acceleration of an unknown at this time.
Problem describe_singular(const LinkageSystem& system, double time, std::uint32_t column);

/// Something moves ever faster or is not finite at this time: what, and why.
Problem describe_collapse(const LinkageSystem& system, double time,
                          std::span<const double> accelerations, bool is_finite);

/// A point has run into a corner of its path so often that it rests there.
Problem describe_corner(const LinkageSystem& system, double time, std::uint32_t column);

/// The linkage passes a posture in which its constraints depend on each other.
Problem describe_change_point(const LinkageSystem& system, double time);

/// Events, stops and friction follow each other without end.
Problem describe_endless_switches(const LinkageSystem& system, double time);

/// A coordinate comes to rest where a formula that it moves something by has a kink.
Problem describe_kink(const LinkageSystem& system, double time, const PlannedKink& kink);

/// A constraint that is to hold again is not in its place.
Problem describe_missed_hold(const LinkageSystem& system, double time, std::uint32_t row);

/// The linkage's constraints cannot all hold at this time.
Problem describe_inconsistency(const LinkageSystem& system, double time);

} // namespace sinew
