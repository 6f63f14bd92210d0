#pragma once

#include "models/linkage/system.h"
#include "solve/dormand_prince.h"
#include "solve/rows.h"

#include <span>
#include <vector>

namespace sinew {

/// What a linkage remembers between steps, besides the directions of short distances.
struct IntegratorMemory {
    enum Field : std::uint32_t { step_size, stiff_steps, is_stiff, implicit_step_size, count };
};

/// Advances one linkage that nothing else touches: explicit steps of order 8 with error control;
/// after every step positions and rates are projected onto the constraints; steps end at the keys
/// of tracks and where distances become short. Where stability and not accuracy limits the step, it
/// goes on with an implicit method.
class LinkageIntegrator : private Ode {
public:
    LinkageIntegrator(const LinkagePlan& plan, const MatrixPlan& matrix_plan,
                      const std::vector<ImportFunction>& imports);

    /// `memory`: IntegratorMemory, then the directions. With a fault the state is that of
    /// `report.reached`, where it is good.
    void advance(double t0, double t1, std::span<double> x, std::span<double> v,
                 std::span<double> memory, BlockReport& report) noexcept;

    LinkageSystem& system() { return system_; }

private:
    bool derivative(double t, std::span<const double> y, std::span<double> dy) noexcept override;

    struct Clock {
        double now = 0, end = 0; ///< of the whole advance
        double limit = 0;        ///< the next key, or the end
    };
    bool take_step(Clock& clock, double& step_size, BlockReport& report);
    bool settle(double time, BlockReport& report);
    bool cross_key(double time, BlockReport& report);
    void update_scale();
    double first_step_size();
    double next_limit(double now, double end) const;
    LinkageState state();
    void set_fault(double time, BlockReport& report);
    void check_paths(double time, BlockReport& report);

    const LinkagePlan* plan_;
    LinkageSystem system_;
    DormandPrince explicit_;
    std::vector<double> y_, y_new_, dy_, scale_; ///< positions, then rates
    std::vector<Vec3> velocities_;               ///< of the masses, at keys
    std::span<double> memory_;                   ///< during advance
    double step_end_ = 0;                        ///< where tracks are looked at from before
};

/// Why a linkage cannot go on from this instant: the coordinate, the time, the remedy.
Problem describe_fault(const LinkageSystem& system, double time, std::uint32_t column);

/// The linkage's constraints cannot all hold at this time.
Problem describe_inconsistency(const LinkageSystem& system, double time);

} // namespace sinew
