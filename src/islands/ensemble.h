#pragma once

/// Models that move together, as plain data: what does not change while stepping (Ensemble) and all
/// that does (EnsembleState).

#include "islands/keys.h"
#include "math/pair_law.h"
#include "sinew/scene.h"
#include "solve/rows/row_stages.h"
#include "solve/rows/rows.h"

#include <array>
#include <limits>
#include <optional>

namespace sinew {

/// A vector that is zero at τ = 0: rate τ + second τ² + third τ³.
struct CubicWay {
    Vec3 rate = {0, 0, 0}, second = {0, 0, 0}, third = {0, 0, 0};

    /// Which starts at −`way` with `begin_rate` at τ = −h, and ends with `end_rate` at τ = 0.
    static CubicWay between(const Vec3& way, const Vec3& begin_rate, const Vec3& end_rate,
                            double h);
    Vec3 at(double tau) const { return (rate + (second + third * tau) * tau) * tau; }
    Vec3 rate_at(double tau) const { return rate + (second * 2.0 + third * (3 * tau)) * tau; }
};

/// How something that no block carries moves during a step: with its true velocity at both ends,
/// cubic between them, so that stages of a step feel its acceleration.
struct GroundMotion {
    CubicWay place = {}; ///< of the point `about` [m]
    CubicWay turn = {};  ///< rotation vector from where it is at `at` [rad]
    Vec3 about = {0, 0, 0};
    double at = 0; ///< [s] where the step ends

    /// The site motion of the ground at a time.
    SiteMotion motion_at(double time) const;
};

/// A curve that points are kept on: as PathKind has it.
struct GuideCurve {
    PathKind kind = PathKind::line;
    std::vector<Vec3> points = {}, moments = {}; ///< moments: of spline_through
};

/// Where a rope runs through something or round it: a hole, a pearl, a wheel.
struct EyePass {
    Site site = {};           ///< of what the hole is in
    Vec3 point = {0, 0, 0};   ///< in the site's frame; on the ground, where it is at `ground.at`
    GroundMotion ground = {}; ///< of the ground
    std::uint32_t owner = 0;  ///< whose constraint
    double grip = 0;          ///< difference of tensions that friction holds, by their mean
    double radius = 0;        ///< of a wheel, to the middle of the rope [m]; 0: a hole
    Vec3 axis = {0, 0, 1};    ///< of a wheel, as `point`: unit length
    double sense = 1;         ///< of a wheel: the rope runs about the axis, −1: against it
    double wrap = 0;          ///< of a wheel: by which angle it turned the rope at last
    Vec3 mark = {1, 0, 0};    ///< of a drum, as `axis`: where the rope left it at last
};

/// Spans of a rod that run through eyes and round wheels: straight legs from the first node to the
/// first eye, on to the others and to the last node. Nodes between these are carried by wheels.
struct EyePath {
    std::vector<EyePass> passes = {}; ///< from a to b
    double length = 0;                ///< of the spans at rest, less what drums have stored [m]
    double before = 0;                ///< stored on the drum that it begins at [m]
    std::array<bool, 2> drums = {};   ///< the first or the last pass is a drum, which it ends at
    std::array<double, 2> feed = {};  ///< speed at which these pay out [m/s]
    double begin = 0;                 ///< [s] when `length` is so
    /// What its tension may be [N]: a rope pulls and never pushes; a drum with a torque says both.
    double least = 0, most = std::numeric_limits<double>::infinity();
    std::uint64_t key = 0; ///< of the row of its tension, below those of its friction
    /// Directions of the first and the last leg in this step, where the node is about to pass its
    /// eye: there a leg has no direction of its own, and its length a sign.
    std::array<std::optional<Vec3>, 2> frozen = {};
};

/// What is open when a group of equal rows begins to hold closes smoothly: no jump of velocity.
///
///     g(t) = g₀ (1 − 3s² + 2s³) + T w₀ (s − 2s² + s³),  s = (t − begin) / T,  0 after it
struct Ease {
    double begin = 0, span = 0;                ///< [s]
    std::array<double, 6> gap = {}, rate = {}; ///< of the rows at the beginning: g₀, w₀

    double gap_at(std::size_t row, double time) const
    {
        const double s = (time - begin) / span;
        if (s >= 1)
            return 0;
        return gap[row] * (1 - s * s * (3 - 2 * s)) + rate[row] * span * s * (1 - s) * (1 - s);
    }
    double rate_at(std::size_t row, double time) const
    {
        const double s = (time - begin) / span;
        if (s >= 1)
            return 0;
        return -6 * gap[row] * s * (1 - s) / span + rate[row] * (1 - s) * (1 - 3 * s);
    }
};

/// A group of rows between two sites: a tie, a joint, a spring, a contact.
struct Attachment {
    enum class Kind : std::uint8_t {
        tie,    ///< the two points stay together, or come with `speed` along `normal`, of the
                ///< world: three equal rows
        spring, ///< the two points pull at each other: three box rows without bounds
        plane, ///< a ball about a's point stays above a plane fixed to b: push, two discs if μ > 0
        hinge, ///< a tie, and both frames' x axes stay parallel: five equal rows
        slider,   ///< a's point stays on the x axis of b's frame, unturned: five equal rows
        fixed,    ///< a tie, and the frames stay parallel: six equal rows
        distance, ///< the two points stay `length` apart: one equal row
        pull,     ///< a spring along the line between the points, at rest at `length`: a box row
        limit,    ///< a coordinate stays on one side of `length`: one push row
        motor,    ///< a coordinate moves with `speed`: one box row
        contact,  ///< two surfaces that touch, arms and normal of the step's start: as plane, and
                  ///< two roll rows if `rolling` > 0
        align,    ///< both frames' x axes stay parallel: two equal rows
        on_axis,  ///< a's point stays on the x axis of b's frame: two equal rows
        level,    ///< a's point stays in the plane through b's across `normal`: one equal row; a
                  ///< push row along it when `is_one_sided`
        turn,     ///< a's frame is turned by `length` against b's about x: one equal row
        on_curve, ///< a's point stays on `curve`, which is fixed to b: two equal rows
        thread,   ///< what is at b's point slides along a rod, a: two equal rows across it, and a
                  ///< slide row along it if μ > 0
        rub,      ///< the same place: resists sliding by `damping`: one box row
        feed,     ///< the same place: slides with `speed`: one equal row
        threaded_align, ///< the same place: as align
        stop,           ///< b's point stays before the rod's place at a: one push row
        angle,          ///< both frames' x axes keep the angle `length`: one equal row
        eye,            ///< a span from a to b along `path` pulls where it is too long: one box row
        eye_rub,        ///< friction at one of its eyes, `pass`: one box row
        eye_feed,       ///< the rope slides through that eye with `speed`: one equal row
        eye_carry,      ///< a node of the rope, `carried`, moves with it round that wheel: three
                        ///< equal rows
        pair            ///< the frames keep a PairLaw, see set_pair: its equal rows
    };
    /// What a limit or motor acts on: the turn of a hinge, the way of a slider, the distance.
    enum class Coordinate : std::uint8_t { turn, way, distance };

    AttachmentKey key = {}; ///< unique among all attachments of a step
    Kind kind = Kind::tie;
    Site a = {}, b = {};
    Vec3 point_a = {}, point_b = {}; ///< in the sites' frames [m]; of a plane b's is on it
    Vec3 normal = {0, 1, 0};         ///< plane: in b's frame, unit length, towards a
    double stiffness = 0;            ///< spring: k [N/m]
    double damping = 0;              ///< spring: c [N s/m]
    double radius = 0;               ///< plane: of the ball [m]
    double friction = 0;             ///< plane: μ
    double rolling = 0;              ///< contact: arm of rolling resistance [m], two tangents only
    double restitution = 0;          ///< plane: e, from 0 to 1
    Quat axes_a = {}, axes_b = {};   ///< joints: their frames in the sites', x along the axis
    Coordinate coordinate = Coordinate::turn; ///< limit, motor
    double length = 0;                        ///< distance, pull; limit: the bound [m or rad]
    double side = 1;                          ///< limit: 1 lower, −1 upper bound
    double last = 0;                          ///< limit of a turn: angle it is continued from
    double speed = 0;                         ///< motor, tie; distance: of `length` [m/s or rad/s]
    double most = 0;                          ///< motor: force or torque [N or N m]; 0: any
    bool is_one_sided = false;                ///< level
    bool keeps_direction = false;             ///< level: `normal` is of the world, not b's
    const GuideCurve* curve = nullptr;        ///< on_curve
    /// Of b where that is the ground: how the places fixed to it move until `at`, where they are as
    /// they are given. Tracks move them.
    GroundMotion ground = {};
    bool has_one_tangent = false;  ///< contact: friction along `tangent` alone
    Vec3 tangent = {0, 0, 0};      ///< unit length, world axes
    const Ease* ease = nullptr;    ///< equal rows: what they leave open
    const EyePath* path = nullptr; ///< eye, eye_rub, eye_feed: sides after a and b are its passes
    std::uint32_t pass = 0;        ///< eye_rub, eye_feed, eye_carry: of `path`
    Site carried = {};             ///< eye_carry: the last side; `length`: its share of the path
    bool holds_strand = false;     ///< equal rows: see soften_rigid_rows
    /// Contact: the step ends then, and the contact is as it was seen there. A depth along that
    /// normal when the step begins is left by its end.
    std::optional<double> seen_at_end = {};
    // Of a contact: point_a, point_b: arms from the sites, world axes; normal: world axes, from b
    // to a; axes_a, axes_b: rotations of the sites, length: gap less the way along the normal from
    // b to a, all at the start of the step, or its end.
};

/// True for what pulls by itself: its work is none of the island's.
inline bool is_spring(const Attachment& attachment)
{
    return attachment.kind == Attachment::Kind::spring ||
           attachment.kind == Attachment::Kind::pull ||
           attachment.kind == Attachment::Kind::motor || attachment.kind == Attachment::Kind::rub ||
           attachment.kind == Attachment::Kind::eye || attachment.kind == Attachment::Kind::eye_rub;
}

/// True for rows of a span that runs through eyes.
inline bool is_eye(const Attachment& attachment) { return attachment.path != nullptr; }

/// True for what finds its own place along a's rod.
inline bool is_sliding(const Attachment& attachment)
{
    return attachment.kind >= Attachment::Kind::thread &&
           attachment.kind <= Attachment::Kind::threaded_align;
}

/// True for equal rows that prescribe a speed and no place.
inline bool has_no_place(const Attachment& attachment)
{
    return attachment.kind == Attachment::Kind::feed ||
           attachment.kind == Attachment::Kind::eye_feed ||
           attachment.kind == Attachment::Kind::eye_carry;
}

/// Something that finds attachments while the world moves: collision detection, limits, drag.
class RowSource {
public:
    virtual ~RowSource() = default;

    /// Adds what may act in the step from t0 to t1, the trials standing at t0. Keys persist: they
    /// find the impulses of the step before.
    virtual void add_attachments(std::span<const Trial> trials, double t0, double t1,
                                 std::vector<Attachment>& found) const noexcept = 0;
};

struct StepLimits {
    double velocity_tolerance = 1e-6; ///< passes go on while a velocity changes by more [m/s]
    int passes = 8;                   ///< in one stage; then the substep is halved
    int substeps = 16;                ///< at most, a power of two; then the island is judged
    double gap_tolerance = 1e-10;     ///< project() leaves smaller errors alone [m]
    double pushed_out = 2e-3;         ///< project() removes at most so much overlap in a step [m]
    int projections = 3;              ///< passes of project()
    bool keeps_matrices =
        false; ///< passes go on with the matrices of the first while they contract
    bool renews_matrices = false; ///< every pass has a matrix of its own, in any island
    bool closes_gaps = false;     ///< equal rows aim at g = 0 where the stage ends, not at w = 0
};

/// How islands are solved.
struct IslandSettings {
    Scheme scheme = Scheme::euler; ///< of islands without impact; with one: euler
    StepLimits limits = {};
    bool is_banded = false; ///< rods by the paper's solver
};

/// What does not change while stepping.
struct Ensemble {
    std::vector<const Dynamics*> models; ///< BlockId::model counts them
    /// By model and block: takes part in this step. Missing or empty: all do. Others count as
    /// driven.
    std::vector<std::vector<char>> members = {};
    std::vector<Attachment> attachments;   ///< always there
    std::vector<const RowSource*> sources; ///< asked at every step
    double rest_acceleration = 9.81;       ///< |g|: closing slower than 2|g|h is no impact [m/s²]
    IslandSettings settings = {};          ///< of islands that no model has settings for
    /// Settings that a model asks for: of the islands that have a block of it, and of no others.
    struct OwnSettings {
        std::uint32_t model = 0;
        IslandSettings settings = {};
    };
    std::optional<OwnSettings> own_settings = {};

    bool is_member(std::size_t model, std::size_t block) const
    {
        return model >= members.size() || members[model].empty() || members[model][block];
    }
};

/// What a group of rows pushed with at last, to start the next step from.
struct HeldForce {
    AttachmentKey key = {};
    std::array<double, 6> force = {}; ///< the step's impulse over its length [N]
    double u = 0; ///< of what slides: where on its rod; not kept in snapshots, rods do

    bool operator==(const HeldForce&) const = default;
};

/// What the rows of a key pushed with; null where there were none. Requires ascending keys.
const HeldForce* find_force(std::span<const HeldForce> held, AttachmentKey key);

/// All that changes.
struct EnsembleState {
    double time = 0;
    std::vector<ModelState> models = {};
    std::vector<HeldForce> held = {}; ///< ascending keys
    std::vector<BlockId> frozen =
        {}; ///< ascending: blocks that failed, driven with no velocity since

    bool operator==(const EnsembleState&) const = default;
};

/// A block that could not go on, and why.
struct BlockFault {
    BlockId block;
    Problem problem;
    double reached = 0; ///< its last good time [s]
};

/// What one step did, and what it could not do.
struct CouplingReport {
    bool is_committed = true; ///< false: a block alone stopped on its way, nothing has changed
    int islands = 0, rows = 0;
    int passes = 0;          ///< largest number in one stage
    int iterations = 0;      ///< of the row solver, in all
    int substeps = 1;        ///< largest number an island needed
    double row_residual = 0; ///< largest error of a law in the last pass of a stage [m/s]
    double gap = 0;          ///< largest error of a tie, overlap of a contact, at the end [m]
    bool converged = true;   ///< false: a stage was accepted as it was after the last halving
    int steps = 0, rejected = 0, implicit_steps = 0; ///< of blocks alone
    std::vector<BlockFault> faults; ///< uncommitted: who stopped; else: who is frozen from now on
    Problems warnings;
};

} // namespace sinew
