#pragma once

// A batch: strands of the same topology that step together, one in each lane. What each does does
// not depend on the others, on the number of lanes or on the instructions they are made of.

#include "math/pose_curve.h"
#include "models/strand/lanes/fields.h"
#include "models/strand/lanes/waves.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sinew::strand {

inline constexpr double kGamma = 0.29289321881345248; ///< 1 − √½: second order, L-stable

/// In units of the strand: segment length, segment mass, and the world's step as its time.
struct Units {
    double length = 1, mass = 1, time = 1;
};

/// Where the roots are, and how they move; gravity too. SI.
class BaseSource {
public:
    virtual PoseMotion base_at(std::uint32_t tree, double time) const noexcept = 0;
    virtual Vec3 gravity_at(double time) const noexcept = 0;

    /// A tree whose base is directed moves in a world of its own, which turns against the true one
    /// from the beginning of a step on: by how much, gravity there, and how its base truly moves.
    virtual Quat drift_at(std::uint32_t, double) const noexcept { return {}; }
    virtual Vec3 pull_at(std::uint32_t, double time) const noexcept { return gravity_at(time); }
    virtual PoseMotion true_base_at(std::uint32_t tree, double time) const noexcept
    {
        return base_at(tree, time);
    }
    virtual bool is_directed(std::uint32_t) const noexcept { return false; }
    virtual ~BaseSource() = default;
};

/// How a strand's step went.
struct StepOutcome {
    int stages = 0, solves = 0; ///< solves: of the linear system, failed attempts too
    int halvings = 0;           ///< of the step
    int worst = 0;              ///< solves of one stage
    double open = 0;            ///< largest gap or depth of points that push [m]
    bool is_converged = true;   ///< false: accepted at the smallest step as it was
    bool is_finite = true;      ///< false: the state is that before the step

    StepOutcome& operator+=(const StepOutcome& next)
    {
        stages += next.stages, solves += next.solves, halvings += next.halvings;
        worst = worst < next.worst ? next.worst : worst;
        open = open < next.open ? next.open : open;
        is_converged = is_converged && next.is_converged;
        is_finite = is_finite && next.is_finite;
        return *this;
    }
};

/// How hard a stage is tried.
struct Effort {
    double tolerance = 1e-7; ///< estimated error of a stage [rad]
    double touching = 1e-7;  ///< the same of a strand that touches: its contacts are no more exact
    int least_solves = 1;    ///< of a stage, though fewer might do
    int most_solves = 15;    ///< before the step is halved
    int most_cuts = 8;       ///< halvings in the search
    double far = 0.3;        ///< beyond it the exact step gives way to the symmetric one [rad]
    double most_turn = 0.7;  ///< of a joint in a step [rad]
    int most_halvings = 10;
    bool is_symmetric = false; ///< the cheaper matrix, whatever it takes
    int most_symmetric = 6;    ///< solves of a stage with it, before the exact one is taken
    int few_symmetric = 3; ///< so many are worth their while: with more, exact for `pause` steps
    int pause = 32;
    double gain = 1e-3;     ///< of the kinetic energy: more from nothing is an error of the step
    double calm = 0.2;      ///< ... that is looked for where a joint turned by more [rad]
    double kappa = 50;      ///< stiffness of touch, in masses over θ²
    double end_on = 100;    ///< times kappa, of a segment that is pushed along itself
    double open = 1e-3;     ///< of a segment: gap or depth of points that push, at most
    double slack = 0.25;    ///< of friction's bound, at most
    int most_rounds = 6;    ///< of multipliers in a stage, to get there
    int most_touching = 30; ///< solves of a stage where a strand touches
    double most_bend = 0.4; ///< in one of them [rad]
    double softest = 1e-4;  ///< share of kappa, where a strand cannot give way
    bool has_difference = true; ///< strands that touch take one stage
    int most_changes = 20;      ///< of who touches in a search, for which the residual may rise
};

/// A point where a segment may touch something that moves by itself. SI, world axes.
struct RiderTouch {
    int segment = 0;
    double part = 0;        ///< where on it: 0 at its joint, 1 at its tip
    Vec3 place = {0, 0, 0}; ///< there, on its axis, when the step begins
    Vec3 normal = {0, 1, 0};
    Vec3 drift = {0, 0, 0}; ///< way of what it touches in the step
    double gap = 0, friction = 0;
    Vec3 first_force = {0, 0,
                        0}; ///< on the strand, in the first stage: last step's, then this' [N]
    Vec3 force = {0, 0, 0}; ///< in the second
    Vec3 creep = {0, 0, 0}; ///< how far it has gone from where it began to stick, across the normal
    Vec3 crept = {0, 0, 0}; ///< the same when the step has ended; none where it slides
    double share = 1; ///< of the law's stiffness; less than 1 where what it touches gives way too,
                      ///< and others see to it that gaps close
};

/// What a strand demands of the base that it stands on in a step, and how that changes with the
/// base's acceleration: δforce = C δa + Bᵀ x, δmoment = B δa + A x, with a of the base's origin and
/// x its angular acceleration. SI, world axes, moments about the base's origin.  [eqs 30, 33]
struct RiderPull {
    Vec3 force = {0, 0, 0}, moment = {0, 0, 0}; ///< means of the step, its weight among them
    Mat3 A = {}, B = {}, C = {};
    Vec3 begin = {0, 0, 0}, end = {0, 0, 0}; ///< momentum against its root, before and after
};

/// What one strand of a batch brings along: its numbers lie as in ModelState. Rates are per second.
struct Rider {
    std::uint32_t tree = 0;
    Units units = {};
    double* turns = nullptr;  ///< 4 per segment
    double* rates = nullptr;  ///< 3 per segment
    double* memory = nullptr; ///< 6 per segment: rates' rates of the last two stages
    StepOutcome* outcome = nullptr;
    double* pause = nullptr;            ///< steps for which the exact matrix is taken; none: always
    bool is_idle = false;               ///< stays as it is: others move it
    bool is_jolted = false;             ///< meets something with a jolt: one stage of first order
    std::span<RiderTouch> touches = {}; ///< ascending by segment
    double *lengths = nullptr, *speeds = nullptr; ///< 1 per segment, where lengths move
    RiderPull* pull = nullptr;                    ///< where what it demands of its base goes
    const double* guess = nullptr; ///< as memory, of the step's own stages: where searches begin

    /// Where the new ones go; without turns: in place of the old. Of a strand that is not finite
    /// none are written.
    struct Target {
        double *turns = nullptr, *rates = nullptr, *memory = nullptr, *pause = nullptr;
        double *lengths = nullptr, *speeds = nullptr;
    } to = {};
    Target target() const
    {
        return to.turns ? to : Target{turns, rates, memory, pause, lengths, speeds};
    }
};

/// Where in a batch points touch: those of segment i are first[i] to first[i + 1].
struct TouchPlan {
    std::vector<int> first;

    /// As many as any rider has on a segment. How many there are comes back.
    std::size_t set(const Topology& tree, std::span<const Rider> riders);
};

/// Numbers of a batch in lanes, as bytes: how they lie is the kernel's own.
struct Storage {
    std::vector<std::byte> bytes;
    TouchPlan touches;
    std::byte* aligned(std::size_t size);
};

/// Air that waves move, felt by riders with these strengths [m/s].
struct Gust {
    std::span<const Wave> waves = {};
    std::span<const double> strengths = {};
};

/// The code for one instruction set and precision.
class Kernel {
public:
    virtual int width() const noexcept = 0;
    virtual const char* name() const noexcept = 0;

    /// Room for params and loads of a batch, filled lane by lane from [segment][field] numbers.
    virtual void set_params(Storage& params, int lane, int segments,
                            std::span<const double> numbers) const = 0;
    virtual void set_loads(Storage& loads, int lane, int segments,
                           std::span<const double> numbers) const noexcept = 0;

    /// Steps the riders (at most width()) from t0 to t1.
    virtual void step(const Topology& tree, Storage& params, Storage* loads,
                      std::span<const Gust> gusts, bool has_drag, std::span<const Rider> riders,
                      const BaseSource& base, double t0, double t1, const Effort& effort,
                      Storage& room) const noexcept = 0;

    virtual ~Kernel() = default;
};

enum class InstructionSet : std::uint8_t { scalar, sse2, avx2, avx512 };

/// The kernel for this machine, or for the set that is asked for; none where it cannot run.
const Kernel* find_kernel(InstructionSet set, bool is_float);
const Kernel& best_kernel(bool is_float);

} // namespace sinew::strand
