// Bodies and rods show their W; what answers by a matrix is condensed to a block whose W is 1.

#include "islands/rows/sparse_rows.h"

#include "solve/island/condense.h"

#include <algorithm>

namespace sinew {

namespace {

constexpr std::uint32_t kFew = 24;   // rows: up to so many, C is dense
constexpr std::uint32_t kDense = 96; // the same, where all rows are equal
constexpr double kPlanning = 1e5;    // multiplications that planning and filling are worth, about
constexpr double kStepWork = 5e9;    // multiplications of an island in a step, in all substeps
constexpr double kNear = 1e-5;       // of K: what contacts give against a change of impulse
constexpr int kPatience = 12;        // iterations: beyond, as much may be left of the speed
constexpr double kLastWork = 4;      // factorisations of a solve that begins beyond

using Place = SparseIsland::Place;

/// Multiplications of a factorisation in velocities, about, filling it included.
double sparse_cost(const Ensemble& ensemble, Batch& batch, const BatchIsland& island)
{
    constexpr double kFilling = 4;          // of chains and bodies, against factoring them
    constexpr std::uint32_t kNeighbour = 6; // numbers
    const std::vector<BlockId>& blocks = island.island->blocks;
    std::vector<std::uint32_t>& touches = batch.room.touch_counts;
    touches.assign(blocks.size(), 0);
    for (std::uint32_t g = island.first_group; g < island.first_group + island.group_count; ++g) {
        const RowGroup& group = batch.rows.group[g];
        for (std::uint32_t s = 0; s < group.side_count; ++s) {
            const BlockId id = batch.rows.site[group.first_side + s].block;
            const auto found = std::ranges::lower_bound(blocks, id);
            if (found != blocks.end() && *found == id)
                touches[std::size_t(found - blocks.begin())] += group.row_count;
        }
    }
    double cost = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const Dynamics& model = *ensemble.models[blocks[i].model];
        const Exposure shape = model.exposure(blocks[i].index);
        const double width = shape.size * (shape.reach + 1) + kNeighbour;
        const double size = std::min(touches[i], model.blocks()[blocks[i].index].v_count);
        cost += shape.vertices > 0 ? kFilling * shape.vertices * shape.size * width * width
                                   : (touches[i] + size) * size * size;
    }
    return cost;
}

bool is_sparse_better(const Ensemble& ensemble, Batch& batch, const BatchIsland& island)
{
    if (is_exposed(island) || island.row_count <= kFew)
        return false;
    const bool has_bounds =
        std::ranges::any_of(island.problem.law, [](Law law) { return law != Law::equal; });
    if (!has_bounds && island.row_count <= kDense)
        return false;
    const double rows = island.row_count;
    return rows * rows * rows / 3 > kPlanning + sparse_cost(ensemble, batch, island);
}

/// Whether a block shows its W: it has one, and rows as many as numbers, so that it would not be
/// smaller condensed.
bool is_shown(const Dynamics& model, std::uint32_t block, std::uint32_t rows)
{
    const Exposure shape = model.exposure(block);
    return shape.vertices > 1 || (shape.vertices == 1 && rows >= shape.size);
}

/// Fills the system of one island.
class Filler {
public:
    Filler(Batch& batch, const BatchIsland& island)
        : batch_(batch), island_(island), room_(*batch.work->sparse[island.sparse]),
          system_(room_.solver.system)
    {
    }

    void run()
    {
        system_.clear();
        system_.set_row_count(island_.row_count);
        room_.places.clear();
        room_.directions.clear();
        for (const auto& [model, number] : island_.members)
            add_member(model, number);
        for (const Place& place : room_.places)
            if (const island::Block& block = system_.blocks[place.number]; !block.is_unit)
                batch_.ensemble->models[place.block.model]->expose(
                    {.block = place.block.index}, batch_.work->trials[place.block.model],
                    system_.W_of(block));
        for (std::uint32_t g = island_.first_group; g < island_.first_group + island_.group_count;
             ++g)
            add_group(batch_.rows.group[g]);
        room_.solver.prepare();
    }

private:
    void add_member(std::uint32_t model, std::uint32_t number)
    {
        const Member& member = batch_.models[model].members[number];
        const Dynamics& dynamics = *batch_.ensemble->models[model];
        if (member.touch_count == 0)
            return;
        Place place{.block = {model, member.block}, .member = number};
        if (member.is_exposed) {
            const Exposure shape = dynamics.exposure(member.block);
            place.number = system_.add_block(shape.vertices, shape.size, shape.reach);
        } else {
            const std::uint32_t size =
                std::min(member.touch_count, dynamics.blocks()[member.block].v_count);
            place.number = system_.add_unit_block(size);
            place.first = std::uint32_t(room_.directions.size());
            condense(model, member, size);
        }
        room_.places.push_back(place);
    }

    void condense(std::uint32_t model, const Member& member, std::uint32_t size)
    {
        const std::uint32_t count = member.touch_count;
        room_.response.resize(std::size_t(count) * count);
        for (std::uint32_t i = 0; i < count; ++i)
            for (std::uint32_t j = 0; j < count; ++j)
                room_.response[std::size_t(i) * count + j] =
                    response_of(batch_, model, member, i, j);
        island::update_directions(room_.response, count, size, room_.factor);
        room_.directions.insert(room_.directions.end(), room_.factor.begin(), room_.factor.end());
    }

    Place* find(BlockId block)
    {
        const auto found = std::ranges::lower_bound(room_.places, block, {}, &Place::block);
        return found != room_.places.end() && found->block == block ? &*found : nullptr;
    }

    TouchWeights weigh(const Site& site, const RowGroup& group, std::uint32_t side,
                       std::uint32_t row) const
    {
        return batch_.ensemble->models[site.block.model]->weigh(
            batch_.work->trials[site.block.model], site,
            batch_.rows.direction[group.first_direction + side * group.row_count + row]);
    }

    void add_group(const RowGroup& group)
    {
        system_.add_group(group, group.first_row - island_.first_row);
        for (std::uint32_t s = 0; s < group.side_count; ++s) {
            const Site& site = batch_.rows.site[group.first_side + s];
            const Place* place = find(site.block);
            if (!place)
                continue;
            const island::Block& block = system_.blocks[place->number];
            const TouchWeights touched =
                block.vertices == 1 ? TouchWeights{0, 1, {}} : weigh(site, group, s, 0);
            for (std::uint32_t k = 0; k < touched.count; ++k)
                system_.add_vertex(block.first_vertex + touched.first + k);
        }
        system_.end_group();
        for (std::uint32_t s = 0; s < group.side_count; ++s)
            if (Place* place = find(batch_.rows.site[group.first_side + s].block))
                add_side(group, s, *place);
    }

    void add_side(const RowGroup& group, std::uint32_t side, Place& place)
    {
        const island::Block& block = system_.blocks[place.number];
        const Site& site = batch_.rows.site[group.first_side + side];
        for (std::uint32_t r = 0; r < group.row_count; ++r) {
            if (block.is_unit) {
                const std::size_t first = place.first + std::size_t(place.direction++) * block.size;
                system_.add_weights(r, block.first_vertex,
                                    std::span(room_.directions).subspan(first, block.size));
                continue;
            }
            const TouchWeights touched = weigh(site, group, side, r);
            for (std::uint32_t k = 0; k < touched.count; ++k)
                system_.add_weights(r, block.first_vertex + touched.first + k,
                                    std::span(touched.weight).subspan(k * block.size, block.size));
        }
    }

    Batch& batch_;
    const BatchIsland& island_;
    SparseIsland& room_;
    island::System& system_;
};

/// As soften_rigid_rows().
void soften_rigid_rows(const Batch& batch, const BatchIsland& island, island::Solver& solver)
{
    constexpr double kShare = 1e-6;
    const double give = kShare * std::ranges::max(solver.responses());
    for (std::uint32_t g = 0; g < island.group_count; ++g) {
        const RowGroup& group = batch.rows.group[island.first_group + g];
        if (!batch.attachments[batch.origin[island.first_group + g].attachment].holds_strand)
            continue;
        for (std::uint32_t r = 0; r < group.row_count; ++r)
            if (group.law[r] == Law::equal)
                solver.system.compliance[group.first_row + r - island.first_row] += give;
    }
}

} // namespace

void choose_sparse(const Ensemble& ensemble, Batch& batch)
{
    std::uint32_t count = 0;
    for (BatchIsland& island : batch.islands) {
        if (!is_sparse_better(ensemble, batch, island))
            continue;
        for (std::size_t i = 0; i < island.members.size(); ++i) {
            const auto& [model, number] = island.members[i];
            Member& member = batch.models[model].members[number];
            member.is_exposed =
                is_shown(*ensemble.models[model], member.block, batch.room.touch_counts[i]);
        }
        island.sparse = count++;
        island.problem.C.resize(0, 0);
    }
    std::vector<std::unique_ptr<SparseIsland>>& kept = batch.work->sparse;
    while (kept.size() < count)
        kept.push_back(std::make_unique<SparseIsland>());
}

void begin_work(Workspace& work)
{
    for (const std::unique_ptr<SparseIsland>& island : work.sparse)
        island->spent = 0;
}

bool has_spent_all(const Workspace& work)
{
    return std::ranges::any_of(work.sparse, [](const std::unique_ptr<SparseIsland>& island) {
        return island->spent > kStepWork;
    });
}

void update_sparse(Batch& batch, const BatchIsland& island) { Filler(batch, island).run(); }

void subtract_held(Batch& batch, const BatchIsland& island, Eigen::VectorXd& q)
{
    SparseIsland& own = *batch.work->sparse[island.sparse];
    const auto held = batch.rows.held.begin() + island.first_row;
    std::copy_n(held, island.row_count, own.solver.system.held.begin());
    own.response.resize(island.row_count);
    own.solver.update_held_velocities(own.response);
    for (std::uint32_t i = 0; i < island.row_count; ++i)
        q[i] -= own.response[i];
}

RowSolveReport solve_sparse(Batch& batch, const BatchIsland& island, const RowProblem& problem,
                            std::span<const double> held, const RowOptions& options,
                            Eigen::VectorXd& impulse)
{
    SparseIsland& own = *batch.work->sparse[island.sparse];
    island::Solver& solver = own.solver;
    island::System& system = solver.system;
    const auto copy = [](const Eigen::VectorXd& from, std::vector<double>& to) {
        std::copy_n(from.data(), from.size(), to.begin());
    };
    copy(problem.q, system.velocity);
    copy(problem.compliance, system.compliance);
    copy(problem.friction, system.friction);
    copy(problem.lo, system.lo);
    copy(problem.hi, system.hi);
    std::ranges::copy(held, system.held.begin());
    soften_rigid_rows(batch, island, solver);
    const double left = std::max(kStepWork - own.spent, kLastWork * solver.cost());
    const island::Report done = solver.solve({.tolerance = options.tolerance,
                                              .near = kNear,
                                              .patience = kPatience,
                                              .goes_on = island.goes_on,
                                              .work = left},
                                             {impulse.data(), std::size_t(impulse.size())});
    own.spent += done.work;
    return {.iterations = done.iterations,
            .residual = done.residual,
            .converged = done.converged,
            .proximal = done.is_proximal};
}

} // namespace sinew
