// Rods and rows: one step of Newton, what unit impulses do, what impulses give.
//
//   in:  a stage with its base, impulses of rows
//   out: v − W⁻¹ r with r = M (v − v_base) − θ f(x, v) − Jᵀ λ;  C = (L⁻¹Jᵀ)ᵀ D⁻¹ (L⁻¹Jᵀ)
//
// A row's wrench at u reaches four control points: a force by bᵢ, a torque by bᵢ′ across the
// tangent and by bᵢ on the angle along it [notes: rods, eq. 6].

#include "models/rod/dynamics.h"

#include "math/functions.h"
#include "models/rod/span_lanes.h"
#include "solve/rows/row_stages.h"

#include <algorithm>

namespace sinew::rod {

namespace {

bool has_torque(const Wrench& unit)
{
    return unit.torque.x != 0 || unit.torque.y != 0 || unit.torque.z != 0;
}

} // namespace

/// A site with its frame, and how that turns about the tangent t when the curve changes:
/// δψ = δφ(u) + by_p · δp + by_q · δq + by_first · δx′(u), p and q those of the nearest point.
struct RodDynamics::Place {
    const Point* near = nullptr;
    CurveWeights basis;
    CurvePoint at;
    Vec3 t, m;
    double size = 1; ///< |x′|
    Vec3 by_p, by_q, by_first;

    /// The share of control point i in δψ.
    Vec3 by_node(std::size_t i) const
    {
        const double first = near->basis.first_derivative[i] / near->speed;
        const double second = near->basis.second_derivative[i] / (near->speed * near->speed);
        return by_p * first + by_q * second + by_first * basis.first_derivative[i];
    }
};

/// A row at a side in the numbers of the control points it reaches.
struct RodDynamics::Push {
    std::size_t first = 0, count = 0; ///< numbers, within the block
    std::array<double, 16> unit = {};

    Push() = default;
    Push(const CurveWeights& basis, const Vec3& force)
        : first(4 * std::size_t(basis.first)), count(4 * std::size_t(basis.count))
    {
        for (std::size_t i = 0; i < std::size_t(basis.count); ++i)
            for (int axis = 0; axis < 3; ++axis)
                unit[4 * i + std::size_t(axis)] = force[axis] * basis.weight[i];
    }

    /// The transpose of locate_one's twist.                                            [eq. 6]
    Push(const Place& place, const Wrench& wrench) : Push(place.basis, wrench.force)
    {
        const Vec3 lever = cross(wrench.torque, place.t) / place.size;
        const double turn = dot(wrench.torque, place.t);
        for (std::size_t i = 0; i < std::size_t(place.basis.count); ++i) {
            const Vec3 by = lever * place.basis.first_derivative[i] + place.by_node(i) * turn;
            for (int axis = 0; axis < 3; ++axis)
                unit[4 * i + std::size_t(axis)] += by[axis];
            unit[4 * i + 3] += turn * place.basis.weight[i];
        }
    }
};

struct RodDynamics::BlockScratch {
    ChainLdl W;
    ChainLdl exposed; ///< W before it was factored, where the island wants it
    std::vector<double> residual, force, sides;
    std::vector<ChainLdl::Side> pushes; ///< of touches, as respond() saw them
    ChainLdl::Room responding;
    SpanRoom spans;
    std::vector<Reference> references;

    /// Of a touch, by its number: what slides or is held anew asks for another place.
    struct Known {
        double u = -1;
        CurveWeights basis;
    };
    std::vector<Known> known;

    const CurveWeights& basis_of(std::size_t touch, double u, const Plan& plan)
    {
        if (known.size() <= touch)
            known.resize(touch + 1);
        if (known[touch].u != u)
            known[touch] = {u, plan.basis_at(u)};
        return known[touch].basis;
    }

    /// Pushes of a member's touches in their order: those at one side share its place.
    class Pushes {
    public:
        Pushes(const RodDynamics& rods, const Member& member, const RowSet& rows,
               const ModelState& state, BlockScratch& own)
            : rods_(rods), rod_(member.block), rows_(rows), state_(state), own_(own)
        {
        }

        Push of(std::size_t number, const Touch& touch)
        {
            const Site& site = rows_.site[touch.side];
            const Wrench& unit = rows_.direction[touch.direction];
            if (!has_torque(unit))
                return Push(own_.basis_of(number, site.u, rods_.plans_[rod_]), unit.force);
            if (side_ != touch.side)
                place_ = rods_.place_at(state_, rod_, site.u);
            side_ = touch.side;
            return Push(place_, unit);
        }

    private:
        const RodDynamics& rods_;
        std::uint32_t rod_ = 0, side_ = BlockId::kNone;
        const RowSet& rows_;
        const ModelState& state_;
        BlockScratch& own_;
        Place place_;
    };
};

struct RodDynamics::RodScratch : Scratch {
    std::vector<BlockScratch> blocks;
    const RodInput* input = &no_input();

    static const RodInput& no_input()
    {
        static const RodInput none;
        return none;
    }
};

void RodDynamics::prepare(const RodInput& input, Trial& trial) const
{
    static_cast<RodScratch&>(*trial.scratch).input = &input;
}

const Loads& RodDynamics::loads_of(const Trial& trial, std::size_t rod)
{
    static const Loads none;
    const std::vector<Loads>& loads = static_cast<const RodScratch&>(*trial.scratch).input->loads;
    return loads.empty() ? none : loads[rod];
}

RodDynamics::RodDynamics(std::vector<Made> rods, int iterations) : iterations_(iterations)
{
    std::uint32_t numbers = 0, memory = 0;
    for (Made& made : rods) {
        const auto size = std::uint32_t(made.plan.size());
        const auto kept = std::uint32_t(Reference::kNumbers * made.plan.points.size());
        shapes_.push_back({.x_first = numbers,
                           .x_count = size,
                           .v_first = numbers,
                           .v_count = size,
                           .memory_first = memory,
                           .memory_count = kept,
                           .response = ResponseKind::port,
                           .length = 1});
        numbers += size;
        memory += kept;
        plans_.push_back(std::move(made.plan));
        start_.push_back(std::move(made.x));
        references_.push_back(std::move(made.references));
    }
}

namespace {

void write(const Reference& reference, double* to)
{
    for (int i = 0; i < 3; ++i) {
        to[i] = reference.t[i];
        to[3 + i] = reference.t_s[i];
        to[6 + i] = reference.a[i];
    }
    to[9] = reference.twist;
}

Reference read_reference(const double* from)
{
    return {{from[0], from[1], from[2]},
            {from[3], from[4], from[5]},
            {from[6], from[7], from[8]},
            from[9]};
}

Quat frame_of(const Vec3& t, const Vec3& m) { return rotation_quat(Mat3{m, t, cross(m, t)}); }

} // namespace

ModelState RodDynamics::initial_state() const
{
    ModelState state;
    for (std::size_t rod = 0; rod < plans_.size(); ++rod) {
        state.x.insert(state.x.end(), start_[rod].begin(), start_[rod].end());
        for (const Reference& reference : references_[rod]) {
            state.memory.resize(state.memory.size() + Reference::kNumbers);
            write(reference, state.memory.data() + state.memory.size() - Reference::kNumbers);
        }
    }
    state.v.assign(state.x.size(), 0.0);
    return state;
}

std::unique_ptr<Scratch> RodDynamics::make_scratch() const
{
    auto scratch = std::make_unique<RodScratch>();
    for (const Plan& plan : plans_) {
        BlockScratch& own = scratch->blocks.emplace_back();
        own.W = ChainLdl(plan.node_count);
        own.residual.resize(plan.size());
        own.force.resize(plan.size());
        own.references.resize(plan.points.size());
    }
    return scratch;
}

std::vector<Reference> RodDynamics::references_of(const ModelState& state, std::size_t rod) const
{
    std::vector<Reference> references(plans_[rod].points.size());
    for (std::size_t i = 0; i < references.size(); ++i)
        references[i] =
            read_reference(&state.memory[shapes_[rod].memory_first + Reference::kNumbers * i]);
    return references;
}

Configuration RodDynamics::configuration(const ModelState& state, std::size_t rod,
                                         std::span<const Reference> references) const
{
    const BlockShape& shape = shapes_[rod];
    return {std::span(state.x).subspan(shape.x_first, shape.x_count),
            std::span(state.v).subspan(shape.v_first, shape.v_count), references};
}

RodEnergy RodDynamics::energy(const ModelState& state, std::size_t rod, const Loads& loads) const
{
    const std::vector<Reference> references = references_of(state, rod);
    return compute_energy(plans_[rod], configuration(state, rod, references), loads);
}

std::array<Vec3, 2> RodDynamics::momentum(const ModelState& state, std::size_t rod) const
{
    const Plan& plan = plans_[rod];
    const Configuration at = configuration(state, rod, {});
    std::vector<double> momentum(plan.size(), 0.0);
    add_momentum(plan, at.v, momentum);
    std::array<Vec3, 2> sum = {};
    for (std::size_t i = 0; i < plan.size(); i += kNumbers) {
        const Vec3 x{at.x[i], at.x[i + 1], at.x[i + 2]};
        const Vec3 p{momentum[i], momentum[i + 1], momentum[i + 2]};
        sum[0] += p;
        sum[1] += cross(x, p);
    }
    return sum;
}

SectionForces RodDynamics::section_forces(const ModelState& state, std::size_t rod,
                                          const Loads& loads) const
{
    const std::vector<Reference> references = references_of(state, rod);
    return compute_section_forces(plans_[rod], configuration(state, rod, references), loads);
}

// ---------------------------------------------------------------- sites

/// The frame of the nearest point, carried in time to where that is, then along the rod.
RodDynamics::Place RodDynamics::place_at(const ModelState& state, std::uint32_t rod, double u,
                                         bool with_turning) const
{
    const Plan& plan = plans_[rod];
    const BlockShape& shape = shapes_[rod];
    const std::span x = std::span(state.x).subspan(shape.x_first, shape.x_count);
    Place place;
    place.basis = plan.basis_at(u);
    place.at = curve_at(place.basis, x);
    double phi = 0;
    for (std::size_t i = 0; i < std::size_t(place.basis.count); ++i)
        phi += place.basis.weight[i] * x[4 * (std::size_t(place.basis.first) + i) + 3];
    const std::size_t of_span = plan.points.size() / plan.spans;
    const std::size_t span = std::size_t(place.basis.first); // its control points begin with it
    const double within = u * plan.spans - double(span);
    const std::size_t near = of_span * span + (of_span == 2 && within > 0.5 ? 1 : 0);
    const Point& point = plan.points[near];
    place.near = &point;
    const Reference reference =
        read_reference(&state.memory[shape.memory_first + Reference::kNumbers * near]);
    const Local local = local_at(point, x);
    const Reference own = carry(reference, local);
    const Reference here = carry(own, Local{place.at.first, place.at.second});
    const double along = (u - point.u) * point.speed;
    place.size = max(length(place.at.first), 1e-12);
    place.t = here.t;
    place.m = director(here, phi + own.twist * along);
    if (!with_turning)
        return place;

    const Strains strains = compute_strains(local, reference, point.rest);
    const auto turn = [](const Vec3& to, const Vec3& from) {
        return cross(to, from) / max(1 + dot(to, from), 1e-9);
    };
    const Vec3 in_time = turn(own.t, reference.t), along_rod = turn(here.t, own.t);
    const auto across = [](const Vec3& t, const Vec3& v) { return v - t * dot(t, v); };
    place.by_p = across(own.t, in_time + along_rod) / strains.stretch + strains.slope[3].p * along;
    place.by_q = strains.slope[3].q * along;
    place.by_first = across(here.t, along_rod) / place.size;
    return place;
}

Vec3 RodDynamics::place_of(const ModelState& state, std::uint32_t rod, double u) const
{
    const BlockShape& shape = shapes_[rod];
    return curve_at(plans_[rod].basis_at(u),
                    std::span(state.x).subspan(shape.x_first, shape.x_count))
        .point;
}

Pose RodDynamics::pose_of(const ModelState& state, std::uint32_t rod, double u) const
{
    const Place place = place_at(state, rod, u, false);
    return {frame_of(place.t, place.m), place.at.point};
}

SiteMotion RodDynamics::locate_one(const ModelState& state, std::uint32_t rod, double u) const
{
    const Place place = place_at(state, rod, u);
    const BlockShape& shape = shapes_[rod];
    const std::span v = std::span(state.v).subspan(shape.v_first, shape.v_count);
    const CurvePoint rate = curve_at(place.basis, v);
    double spin = 0;
    for (std::size_t i = 0; i < std::size_t(place.basis.count); ++i) {
        const double* node = &v[4 * (std::size_t(place.basis.first) + i)];
        spin += place.basis.weight[i] * node[3] +
                dot(place.by_node(i), Vec3{node[0], node[1], node[2]});
    }
    SiteMotion motion;
    motion.pose = {frame_of(place.t, place.m), place.at.point};
    motion.twist.linear = rate.point;
    motion.twist.angular = cross(place.t, rate.first) / place.size + place.t * spin;
    motion.tangent = place.at.first;
    motion.bend = (place.at.second - place.t * dot(place.t, place.at.second)) / place.size;
    return motion;
}

/// Without how it turns.
SiteMotion RodDynamics::locate_point(const ModelState& state, std::uint32_t rod, double u) const
{
    const BlockShape& shape = shapes_[rod];
    const CurveWeights basis = plans_[rod].basis_at(u);
    const std::size_t first = shape.x_first + kNumbers * std::size_t(basis.first);
    SiteMotion motion;
    for (std::size_t i = 0; i < std::size_t(basis.count); ++i) {
        const double *x = &state.x[first + kNumbers * i], *v = &state.v[first + kNumbers * i];
        const Vec3 place{x[0], x[1], x[2]};
        motion.pose.translation += place * basis.weight[i];
        motion.tangent += place * basis.first_derivative[i];
        motion.twist.linear += Vec3{v[0], v[1], v[2]} * basis.weight[i];
    }
    return motion;
}

void RodDynamics::locate(const Trial& trial, double, std::span<const Site> sites,
                         std::span<SiteMotion> motions) const noexcept
{
    for (std::size_t i = 0; i < sites.size(); ++i)
        motions[i] = sites[i].is_point ? locate_point(trial.state, sites[i].block.index, sites[i].u)
                                       : locate_one(trial.state, sites[i].block.index, sites[i].u);
}

RodDynamics::Push RodDynamics::push_of(const ModelState& state, const Site& site,
                                       const Wrench& unit) const
{
    const std::uint32_t rod = site.block.index;
    return has_torque(unit) ? Push(place_at(state, rod, site.u), unit)
                            : Push(plans_[rod].basis_at(site.u), unit.force);
}

// ---------------------------------------------------------------- a stage

void RodDynamics::carry_references(std::uint32_t rod, std::span<const double> x, SpanRoom& room,
                                   ModelState& state) const
{
    const BlockShape& shape = shapes_[rod];
    if (has_lanes(plans_[rod]))
        return carry_lanes(plans_[rod], x, room,
                           std::span(state.memory).subspan(shape.memory_first, shape.memory_count));
    for (std::size_t i = 0; i < plans_[rod].points.size(); ++i) {
        double* numbers = &state.memory[shape.memory_first + Reference::kNumbers * i];
        write(carry(read_reference(numbers), local_at(plans_[rod].points[i], x)), numbers);
    }
}

/// Angles count from where the step starts.
void RodDynamics::begin_stage(const Cohort& cohort, const Stage& stage, Trial& trial) const noexcept
{
    for (const Member& member : cohort.members) {
        const BlockShape& shape = shapes_[member.block];
        if (stage.index == 0)
            carry_references(
                member.block, std::span(trial.x_start).subspan(shape.x_first, shape.x_count),
                static_cast<RodScratch&>(*trial.scratch).blocks[member.block].spans, trial.state);
        begin_flat_stage(shape, stage, trial);
    }
}

/// r = M (v − v_base) − θ f(x, v) − Jᵀ λ, and W when asked for.
void RodDynamics::find_residual(const Cohort& cohort, const Member& member, const RowSet& rows,
                                std::span<const double> impulses, const Stage& stage,
                                const Trial& trial, bool with_matrix, BlockScratch& own) const
{
    const BlockShape& shape = shapes_[member.block];
    const Plan& plan = plans_[member.block];
    for (std::size_t i = 0; i < own.references.size(); ++i)
        own.references[i] =
            read_reference(&trial.state.memory[shape.memory_first + Reference::kNumbers * i]);
    Configuration at = configuration(trial.state, member.block, own.references);
    at.counts_damped_tension = member.is_exposed;
    const Loads& loads = loads_of(trial, member.block);
    const double inertia = static_cast<const RodScratch&>(*trial.scratch).input->inertia;
    std::ranges::fill(own.force, 0.0);
    if (with_matrix)
        assemble(plan, at, loads, stage.theta, inertia, own.spans, own.force, own.W);
    else
        add_force(plan, at, loads, own.spans, own.force);
    own.sides.resize(plan.size());
    for (std::size_t i = 0; i < plan.size(); ++i) {
        own.sides[i] = inertia * (at.v[i] - trial.v_base[shape.v_first + i]);
        own.residual[i] = -stage.theta * own.force[i];
    }
    add_momentum(plan, own.sides, own.residual);
    const std::span<const Touch> touches = cohort.touches_of(member);
    BlockScratch::Pushes pushes(*this, member, rows, trial.state, own);
    for (std::size_t j = 0; j < touches.size(); ++j) {
        const Push push = pushes.of(j, touches[j]);
        for (std::size_t k = 0; k < push.count; ++k)
            own.residual[push.first + k] -= impulses[touches[j].row] * push.unit[k];
    }
}

void RodDynamics::predict(const Cohort& cohort, const RowSet& rows, const Stage& stage,
                          Trial& trial) const noexcept
{
    for (const Member& member : cohort.members) {
        BlockScratch& own = static_cast<RodScratch&>(*trial.scratch).blocks[member.block];
        find_residual(cohort, member, rows, rows.held, stage, trial, !member.keeps_matrix, own);
        if (member.is_exposed && !member.keeps_matrix)
            own.exposed = own.W;
        if (!member.keeps_matrix)
            own.W.factor();
        own.W.solve(own.residual);
        for (std::size_t i = 0; i < own.residual.size(); ++i)
            trial.state.v[shapes_[member.block].v_first + i] -= own.residual[i];
    }
}

void RodDynamics::respond(const Cohort& cohort, const RowSet& rows, const Trial& trial,
                          Responses& responses) const noexcept
{
    for (const Member& member : cohort.members) {
        if (member.is_exposed || member.keeps_matrix)
            continue;
        BlockScratch& own = static_cast<RodScratch&>(*trial.scratch).blocks[member.block];
        const std::span<const Touch> touches = cohort.touches_of(member);
        own.pushes.resize(touches.size());
        BlockScratch::Pushes pushes(*this, member, rows, trial.state, own);
        for (std::size_t j = 0; j < touches.size(); ++j) {
            const Push push = pushes.of(j, touches[j]);
            own.pushes[j] = {std::uint32_t(push.first / kNumbers),
                             std::uint32_t(push.count / kNumbers), push.unit};
        }
        own.W.respond(own.pushes, own.responding, responses.port_of(member));
    }
}

Exposure RodDynamics::exposure(std::uint32_t block) const noexcept
{
    return {plans_[block].node_count, kNumbers, 3};
}

void RodDynamics::expose(const Member& member, const Trial& trial,
                         std::span<double> values) const noexcept
{
    const ChainLdl& W = static_cast<RodScratch&>(*trial.scratch).blocks[member.block].exposed;
    const std::size_t nodes = plans_[member.block].node_count;
    auto to = values.begin();
    for (std::size_t i = 0; i < nodes; ++i)
        for (std::size_t k = 0; k <= 3 && i + k < nodes; ++k)
            for (std::size_t r = 0; r < kNumbers; ++r)
                for (std::size_t c = 0; c < kNumbers; ++c)
                    *to++ = k == 0 && r < c ? 0.0 : W.entry(i, k, r, c);
}

TouchWeights RodDynamics::weigh(const Trial& trial, const Site& site,
                                const Wrench& unit) const noexcept
{
    const Push push = push_of(trial.state, site, unit);
    return {std::uint32_t(push.first / kNumbers), std::uint32_t(push.count / kNumbers), push.unit};
}

void RodDynamics::correct(const Cohort& cohort, const RowSet& rows, const Stage& stage, Part part,
                          Trial& trial) const noexcept
{
    for (const Member& member : cohort.members) {
        BlockScratch& own = static_cast<RodScratch&>(*trial.scratch).blocks[member.block];
        const BlockShape& shape = shapes_[member.block];
        std::vector<double>& change = own.residual;
        std::ranges::fill(change, 0.0);
        const std::span<const Touch> touches = cohort.touches_of(member);
        BlockScratch::Pushes pushes(*this, member, rows, trial.state, own);
        for (std::size_t j = 0; j < touches.size(); ++j) {
            const Push push = pushes.of(j, touches[j]);
            const double impulse = rows.impulse[touches[j].row] - rows.held[touches[j].row];
            for (std::size_t k = 0; k < push.count; ++k)
                change[push.first + k] += impulse * push.unit[k];
        }
        own.W.solve(change);
        for (std::size_t i = 0; i < change.size(); ++i) {
            const std::size_t ix = shape.x_first + i, iv = shape.v_first + i;
            if (part == Part::position) {
                trial.state.x[ix] += change[i];
                continue;
            }
            (part == Part::impulse ? trial.v_start : trial.state.v)[iv] += change[i];
            if (part == Part::velocity)
                trial.state.x[ix] = trial.x_base[ix] + stage.theta * trial.state.v[iv];
        }
    }
}

void RodDynamics::measure(const Cohort& cohort, const RowSet& rows, const Stage& stage,
                          const Trial& trial, std::span<BlockReport> reports) const noexcept
{
    for (std::size_t m = 0; m < cohort.members.size(); ++m) {
        const Member& member = cohort.members[m];
        BlockScratch& own = static_cast<RodScratch&>(*trial.scratch).blocks[member.block];
        BlockReport& report = reports[m] = {};
        if (stage.theta > 0) {
            find_residual(cohort, member, rows, rows.impulse, stage, trial, false, own);
            for (const double r : own.residual)
                report.residual = max(report.residual, abs(r));
        }
        const RodEnergy energy =
            this->energy(trial.state, member.block, loads_of(trial, member.block));
        report.kinetic = energy.kinetic;
        report.potential = energy.elastic + energy.weight;
        report.finite = is_finite(report.kinetic + report.potential + report.residual);
    }
}

} // namespace sinew::rod
