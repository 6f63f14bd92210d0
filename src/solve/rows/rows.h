#pragma once

/// Rows: how models that do not know each other move together.
///
/// A *block* is the smallest thing with its own implicit matrix W (a body, a strand tree, a rod, a
/// linkage). A *site* is a material frame of a block. A *row* is one scalar law between wrenches at
/// sites; its λ is an impulse. Blocks joined by rows form an island, and an island advances by
/// implicit stages. Every stage of every model has the same shape,
///
///     W (v − v_free) = Jᵀ λ,     x = x_base ⊞ θ v                             [notes: rows, eq. 1]
///
///   symbol  | code                 | unit        | meaning
///   --------|----------------------|-------------|---------------------------------------------
///   x, v    | ModelState           | model's own | coordinates and their velocities
///   θ       | Stage::theta         | s           | what of the step the stage is implicit over
///   W       | in Scratch           | kg, kg m²   | M + θD + θ²K, symmetric, positive
///   J       | RowSet::direction    | 1, m        | row velocity w = Σ over sides: twist · wrench
///   λ       | RowSet::impulse      | N s, N m s  | of this stage
///   C       | Responses            | 1/kg        | J W⁻¹ Jᵀ, block by block
///
/// This file stands in solve, not in base, because it speaks of twists and wrenches, and base may
/// not include math. It holds data and one abstract class; nothing here computes.

#include "math/spatial.h"
#include "sinew/error.h"

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace sinew {

// ---------------------------------------------------------------- blocks and sites

/// A block: number of its model in the world, number within the model.
struct BlockId {
    static constexpr std::uint32_t kNone = 0xffffffff;

    std::uint32_t model = kNone, index = kNone;

    constexpr auto operator<=>(const BlockId&) const = default;
};

/// The ground. Its one site is the world frame.
inline constexpr BlockId kGround = {};

/// A material frame of a block. What `element` and `u` say is the model's own: a body has one
/// element; a linkage counts labels, a strand links; u runs along a rod.
struct Site {
    BlockId block = kGround;
    std::uint32_t element = 0;
    double u = 0;
    bool is_point = false; ///< nobody asks how it turns: the model may leave that out

    bool operator==(const Site&) const = default;
};

/// Where a site is and how it moves, in world axes.
struct SiteMotion {
    Pose pose = {};    ///< X_WS. A site that is only a point has no rotation of its own: identity.
    Twist twist = {};  ///< angular velocity; velocity of the point pose.translation
    Vec3 tangent = {}; ///< ∂x/∂u [m per unit of u], zero where u means nothing
    Vec3 bend = {};    ///< how the unit tangent changes with u; zero where nobody asks how it turns
};

/// How a block answers respond().
enum class ResponseKind : std::uint8_t {
    body, ///< it moves rigidly: one twist per touch, see Responses::body
    port  ///< a dense symmetric matrix, see Responses::port
};

/// Where a block's numbers lie in its model's ModelState, and what the world must know of it.
struct BlockShape {
    std::uint32_t x_first = 0, x_count = 0;
    std::uint32_t v_first = 0, v_count = 0;
    std::uint32_t memory_first = 0, memory_count = 0;
    ResponseKind response = ResponseKind::port;
    bool driven = false; ///< moves by time alone: joins no island, is in no cohort, is only located
    double length = 1;   ///< m/s of material per unit of a velocity, roughly: 1 for metres, the
                         ///< reach [m] for angles. Turns tolerances in m/s into the model's units.
};

// ---------------------------------------------------------------- state

/// All that changes of one model. A snapshot is a copy.
struct ModelState {
    std::vector<double> x, v;   ///< coordinates, velocities
    std::vector<double> memory; ///< of integrators, sliders, flags: what else must survive a step

    bool operator==(const ModelState&) const = default;
};

/// What a model keeps between predict() and correct(): factors, plans, linearisations. A function
/// of the trial and the stage, never State: dropping it between steps changes no bit. Index it by
/// block, for calls with disjoint cohorts run at the same time.
struct Scratch {
    Scratch() = default;
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    virtual ~Scratch() = default;
};

/// One model in the middle of a step. The four arrays are laid out as x and v are.
struct Trial {
    ModelState state;                     ///< being tried
    std::vector<double> x_start, v_start; ///< at the start of the substep; the world fills them
    std::vector<double> x_base, v_base;   ///< of the stage; begin_stage() fills them
    std::unique_ptr<Scratch> scratch;
};

/// One implicit stage. Forces act as of `time`, where the stage ends: x = x_base ⊞ theta v.
struct Stage {
    double time = 0;  ///< [s]
    double theta = 0; ///< [s]
    double step = 0;  ///< length of the whole substep [s]
    int index = 0, count = 1;
};

// ---------------------------------------------------------------- rows

/// What holds between a row's impulse λ and its velocity w (bias and compliance added to w).
enum class Law : std::uint8_t {
    equal, ///< w = 0, λ free                             tie, joint, position, loop
    push,  ///< w ≥ 0, λ ≥ 0, λ w = 0                     contact normal, stop
    box,   ///< lo ≤ λ ≤ hi; w = 0 between the bounds     motor, limit, breakable
    disc, ///< |λ_t| ≤ μ λ_n, against w_t: friction of the push row before it. Of the disc rows
          ///< that follow one push row the first two are the tangents and share one disc; a third
          ///< is the twist about the normal, its `friction` being radius times μ
    slide, ///< |λ_t| ≤ μ |λ_n1, λ_n2|, against w_t: keyholes and pearls. Friction of the two equal
           ///< rows before it
    roll ///< |λ_r| ≤ ρ λ_n, against w_r: rolling resistance of the push row before it, after the
         ///< disc rows. Two rows of angular velocity share one disc; `friction` is the arm ρ [m]
};

/// True for laws whose bound is a share of the push row before them.
constexpr bool follows_push(Law law) { return law == Law::disc || law == Law::roll; }

/// One contact point, joint or tie: up to six rows between the same sides.
struct RowGroup {
    std::uint64_t key = 0; ///< unique; orders groups, finds last step's impulses
    std::uint32_t first_row = 0, first_side = 0, first_direction = 0;
    std::uint8_t row_count = 0, side_count = 0;
    std::array<Law, 6> law = {};
};

/// All rows of a batch of islands. The direction of row i of a group at its side s stands at
/// `first_direction + s * row_count + i`.
struct RowSet {
    std::vector<RowGroup> group;
    std::vector<Site> site;         ///< per side
    std::vector<Wrench> direction;  ///< unit of the row at a side; torque about the site's point,
                                    ///< world axes, at the trial
    std::vector<double> velocity;   ///< per row: w = J v + ∂g/∂t at the trial [m/s]
    std::vector<double> gap;        ///< per row: what the law keeps 0 or ≥ 0 in place [m]
    std::vector<double> bias;       ///< per row: the law holds for w + bias + compliance λ
    std::vector<double> compliance; ///< per row [1/kg]
    std::vector<double> friction;   ///< per row: μ of a disc or slide row
    std::vector<double> lo, hi;     ///< per row: bounds of a box row [N s]
    std::vector<double> impulse;    ///< per row: λ [N s]
    std::vector<double> held;       ///< per row: the λ that predict() took into account
};

/// One row at one side, seen from the block that side is on.
struct Touch {
    std::uint32_t row = 0, side = 0, direction = 0; ///< indices into RowSet
};

/// One block of a cohort with its touches.
struct Member {
    std::uint32_t block = 0; ///< within its model
    std::uint32_t first_touch = 0, touch_count = 0;
    std::uint32_t first_port = 0; ///< of its matrix in Responses::port
    bool is_exposed = false;      ///< its W goes into the island's matrix: it has no port
    bool keeps_matrix = false;    ///< predict() may take the W it last factored, of this stage's θ
};

/// Blocks of one model that are asked for the same thing at once. The answer for a block does not
/// depend on who else is asked; disjoint cohorts are asked at the same time from several threads.
struct Cohort {
    std::span<const Member> members; ///< ascending
    std::span<const Touch> touches;  ///< of all members

    std::span<const Touch> touches_of(const Member& member) const
    {
        return touches.subspan(member.first_touch, member.touch_count);
    }
};

/// W⁻¹ as rows feel it, filled by respond(). The world sizes it.
struct Responses {
    /// Blocks of kind `body`, per touch (same index as Cohort::touches): the twist at the touch's
    /// site, after its unit impulse alone. The world carries it to the block's other sites.
    std::vector<Twist> body;

    /// Blocks of kind `port`: C_b = J_b W⁻¹ J_bᵀ over the p touches of a member, p × p numbers row
    /// by row from Member::first_port.
    std::vector<double> port;

    std::span<double> port_of(const Member& member)
    {
        const std::size_t p = member.touch_count;
        return std::span(port).subspan(member.first_port, p * p);
    }
};

/// W of a block as a chain of vertices, each joined to the next ones.
struct Exposure {
    std::uint32_t vertices = 0; ///< none: the block cannot be exposed
    std::uint32_t size = 0;     ///< numbers of a vertex
    std::uint32_t reach = 0;    ///< how many next ones
};

/// A row at a side in the numbers of the vertices it reaches.
struct TouchWeights {
    static constexpr std::uint32_t kMost = 16;

    std::uint32_t first = 0, count = 0; ///< vertices
    std::array<double, kMost> weight = {};
};

// ---------------------------------------------------------------- what a model offers

/// What correct() changes.
enum class Part : std::uint8_t {
    velocity, ///< v += W⁻¹Jᵀ(impulse − held), then x = x_base ⊞ θ v
    position, ///< x = x ⊞ W⁻¹Jᵀ(impulse − held): the rows' λ are displacements times mass here
    impulse ///< v_start += W⁻¹Jᵀ(impulse − held): an impact, taken out of a stage
};

/// How a block fares.
struct BlockReport {
    bool finite = true;
    double residual = 0;  ///< measure: largest |r| with the rows' `impulse` [N s, N m s]
    double kinetic = 0;   ///< [J]
    double potential = 0; ///< [J] of gravity, springs, elasticity
    double work = 0;    ///< [J] that the block's own drives (tracks, imports) put in since v_start
    double reached = 0; ///< advance_alone: time up to which the trial is good [s]
    int steps = 0, rejected = 0, implicit_steps = 0; ///< advance_alone: inner steps
    std::optional<Problem> fault = {}; ///< why it cannot go on: the object by name, the remedy
    Problems warnings = {};
};

/// One kind of thing: all linkages, all bodies, all strands, all rods. Stateless; what changes is
/// in Trial. One call serves a whole cohort, and no call depends on another model.
///
/// The world calls, for each stage of an island: begin_stage, then up to eight passes of locate,
/// predict, locate, respond, correct; after the last stage up to three times locate, respond,
/// correct(position); measure at any time in between. A substep that bounced too strongly, or did
/// not converge, is done again from its start, ModelState put back. The stage's residual is
///
///     r(v) = M(x) (v − v_base) − θ f(x, v, time) − Jᵀ λ,     x = x_base ⊞ θ v,
///
/// exact in M, f and ⊞, with J at x. W needs only be its symmetric positive part: tension kept,
/// compression and gyroscopic terms dropped. One factorisation serves predict, respond and correct.
///
/// A model with inner constraints Φ(x) = 0 keeps them itself: its "W⁻¹" is the (1,1) block of the
/// inverse of its own KKT matrix, symmetric and positive semi-definite; its multipliers are Scratch
/// (or memory, where they start the next step); ⊞ ends on Φ = 0.
///
/// What the tests hold every model to, with random rows: C symmetric to 1e-12 of its largest entry
/// and positive semi-definite; correct equals the dense solve; the impulse one side gets the other
/// gives, to rounding; predict and correct repeated with `held` = `impulse` converge to r = 0
/// (tests/support/model_contract.h).
class Dynamics {
public:
    virtual ~Dynamics() = default;

    /// Constant while stepping. Block i's numbers in ModelState; they do not overlap.
    virtual std::span<const BlockShape> blocks() const noexcept = 0;

    virtual std::unique_ptr<Scratch> make_scratch() const = 0;

    /// At the start of a step from t0 to t1, before anything is located: prepares whatever moves by
    /// itself (tracks, imports, recorded bases), so that any time in between can be asked for.
    virtual void drive(double /*t0*/, double /*t1*/, Trial&) const noexcept {}

    /// Motion of sites as trial.state has it, things driven as they are at `time`. Sites are of
    /// this model, driven blocks included, in any order.
    virtual void locate(const Trial&, double time, std::span<const Site>,
                        std::span<SiteMotion>) const noexcept = 0;

    /// Sets x_base and v_base from x_start, v_start and (stages after the first) the trial, and a
    /// first guess: v = v_base, x = x_base ⊞ θ v. Coordinates in a plain vector space call
    /// begin_flat_stage().
    virtual void begin_stage(const Cohort&, const Stage&, Trial&) const noexcept = 0;

    /// One Newton step from the trial: factors W, or keeps the one it has where the member says it
    /// may, and sets v −= W⁻¹ r(v), λ being `held`. Leaves x:
    /// rows are linear about it until correct(). Never iterates: a loaded block that is not yet
    /// held in place by its rows would wander off.
    virtual void predict(const Cohort&, const RowSet&, const Stage&, Trial&) const noexcept = 0;

    /// Fills the members' part of Responses, for the W of the last predict() and the directions as
    /// they are now.
    virtual void respond(const Cohort&, const RowSet&, const Trial&, Responses&) const noexcept = 0;

    /// How W of a block looks where rows are too many for a dense response.
    virtual Exposure exposure(std::uint32_t /*block*/) const noexcept { return {}; }

    /// W of an exposed member as last predicted: vertex by vertex its block, then those of the next
    /// ones with it, (next, own) row by row.
    virtual void expose(const Member&, const Trial&, std::span<double>) const noexcept {}

    /// A row at a side of an exposed block, the direction as it is now.
    virtual TouchWeights weigh(const Trial&, const Site&, const Wrench&) const noexcept
    {
        return {};
    }

    /// Gives the blocks what impulse and held differ by, through the same W.
    virtual void correct(const Cohort&, const RowSet&, const Stage&, Part,
                         Trial&) const noexcept = 0;

    /// At the end of a step in which rows held the members: whatever is due by then happens. Events
    /// come, inner constraints let go or hold again. A fault keeps the step from being committed.
    virtual bool finishes_steps() const noexcept { return false; } ///< whether it is to be asked
    virtual void finish_step(const Cohort&, double /*time*/, Trial&,
                             std::span<BlockReport>) const noexcept
    {
    }

    /// One report per member: of the stage equations with the impulses as they are, and of the
    /// energy at stage.time. Also asked before any stage, theta = 0: then only for the energy.
    virtual void measure(const Cohort&, const RowSet&, const Stage&, const Trial&,
                         std::span<BlockReport>) const noexcept = 0;

    /// Blocks that no row touches, from t0 to t1 by the model's own integrator, as exactly as it
    /// likes. With a fault the trial stands at `reached` < t1, and is good there.
    virtual void advance_alone(const Cohort&, double t0, double t1, Trial&,
                               std::span<BlockReport>) const noexcept = 0;
};

} // namespace sinew
