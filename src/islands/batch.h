#pragma once

/// Islands that advance in the same substeps, with their rows: what the stages of a step work on.
/// Models are asked for many blocks at once; threads share the cohorts and the islands in fixed
/// portions, and every block and row is written by one thread only.

#include "base/parallel.h"
#include "islands/islands.h"
#include "solve/island/solver.h"
#include "solve/rows/equal_rows.h"
#include "solve/rows/merged_rows.h"
#include "solve/rows/row_newton.h"

namespace sinew {

/// One model's part in a batch.
struct ModelBatch {
    std::vector<Member> members;       ///< ascending
    std::vector<std::uint32_t> island; ///< of each member, its number in the batch
    std::vector<Touch> touches;
    Responses responses;
    std::vector<std::uint32_t> sides;          ///< of the RowSet that are on this model
    std::vector<Site> sites;                   ///< of `sides`
    std::vector<SiteMotion> motions;           ///< of `sites`
    std::vector<Member> active;                ///< members of islands still at work
    std::vector<std::uint32_t> active_members; ///< their numbers in `members`
    std::vector<BlockReport> reports;          ///< of members, by the last measure()
    std::vector<BlockReport> measured;         ///< of active members: room
};

/// What a group of rows has besides its rows.
struct GroupOrigin {
    std::uint32_t attachment = 0;
    bool bounces = false;             ///< closes fast enough in this substep
    std::array<double, 6> start = {}; ///< row velocities at the start of the substep [m/s]
    std::array<double, 6> base = {};  ///< gaps at the base of the stage [m]
    double floor = 0; ///< of the gap when the substep ends, where its contact was seen at the end
    std::array<double, 6> seen = {}; ///< row velocities where gaps were last seen [m/s]
};

struct BatchIsland {
    const Island* island = nullptr;
    std::uint32_t first_group = 0, group_count = 0, first_row = 0, row_count = 0;
    std::vector<std::array<std::uint32_t, 2>> members; ///< model, number in ModelBatch::members
    RowProblem problem;
    RowProblem placing; ///< the same rows as displacements, see project()
    EqualRows equal;    ///< memory of its solvers
    RowMemory rows;
    Eigen::VectorXd impulse;                ///< room
    std::uint32_t exposed = BlockId::kNone; ///< number of its matrix in Workspace::exposed
    std::uint32_t sparse = BlockId::kNone;  ///< number of its solver in Workspace::sparse
    std::vector<double> velocities;         ///< of all its blocks, before the pass
    double change = 0;                      ///< largest of a velocity in the last pass [m/s]
    double matrix_theta = 0;   ///< [s] that its matrices were made for in this substep; 0: none
    bool keeps_matrix = false; ///< in this pass
    bool has_slowed = false;   ///< in this substep passes contracted slowly with a kept matrix
    std::vector<double> start; ///< all that changes of its blocks, at the substep's start
    std::vector<double> start_impulse;
    double start_theta = 1;
    /// Impulses that its rows gave since the step began [N s], and the time that took [s].
    std::vector<double> given, start_given;
    double elapsed = 0, start_elapsed = 0;
    double start_work = 0, start_energy = 0; ///< [J] then; the energy where there is an impact
    double step_energy = 0; ///< [J] at the start of the step, where substeps are the smallest
    double theta = 1;       ///< [s] that the rows' impulses stand for
    double bounce = 1;      ///< share of e it may use
    double work = 0;        ///< put in through driven sides since the step's start [J]
    bool has_impact = false;
    bool has_failed = false;        ///< to be done again with substeps of half the size
    bool is_unsettled = false;      ///< a stage did not converge, and no smaller substep was left
    bool rows_solved = false;       ///< in the last pass
    bool goes_on = false;           ///< they were solved in a pass of this stage
    int passes = 0, iterations = 0; ///< largest number in a stage; in all
    double row_residual = 0, gap = 0;
};

/// What a step adds to the state, besides the trials.
struct Settlement {
    std::vector<HeldForce> held;
    std::vector<BlockId> frozen;
};

/// The matrix of an exposed island, and room to fill it.
struct ExposedIsland {
    struct First { ///< where the vertices of an exposed member begin
        BlockId block;
        std::uint32_t vertex, value;
    };
    struct Stamp { ///< of a row group at a side of an exposed block
        std::uint32_t group, side, value;
    };
    struct Port { ///< of two row groups at a block with a response
        std::uint32_t model, member, value, row, column;
    };

    MergedMatrix matrix;
    std::vector<First> firsts; ///< by block
    std::vector<Stamp> stamps;
    std::vector<Port> ports;
    std::vector<std::uint32_t> groups;
};

/// The solver of an island in the velocities of its blocks, and room to fill it.
struct SparseIsland {
    struct Place { ///< of a member in the solver's system
        BlockId block;
        std::uint32_t number = 0;    ///< its block there
        std::uint32_t member = 0;    ///< in ModelBatch::members
        std::uint32_t direction = 0; ///< of a member that answers by a matrix: its next row
        std::uint32_t first = 0;     ///< its rows' directions in `directions`
    };

    island::Solver solver;
    std::vector<Place> places;      ///< by block
    std::vector<double> directions; ///< of members that answer by a matrix: touch by touch
    std::vector<double> response, factor;
    double spent = 0; ///< multiplications in this step
};

struct Batch;

/// What the step keeps between its stages and, as memory, between steps. Never State.
struct Workspace {
    int threads = 1; ///< changes no bit
    std::vector<Trial> trials;
    std::vector<Attachment> attachments; ///< of this step, ascending by key
    Islands islands;
    struct Joined {
        std::vector<std::vector<char>> mobile;     ///< by model and block
        std::vector<std::array<BlockId, 2>> pairs; ///< by attachments

        bool operator==(const Joined&) const = default;
    };
    Joined joined, joining;                           ///< for which `islands` holds; room
    std::vector<BlockReport> reports;                 ///< of blocks alone
    std::vector<std::array<std::size_t, 2>> portions; ///< of blocks alone: first, count
    /// Of exposed islands; plans are functions of patterns, so that they may stay.
    std::vector<std::unique_ptr<ExposedIsland>> exposed;
    std::vector<std::unique_ptr<SparseIsland>> sparse; ///< of sparse islands, likewise
    std::array<std::unique_ptr<Batch>, 2> batches; ///< by settings: the ensemble's, a model's own
    std::vector<const Island*> islands_left, islands_pending; ///< to be done; of the same settings
    Settlement settlement;
};

struct Batch {
    const Ensemble* ensemble = nullptr;
    const IslandSettings* settings = nullptr; ///< of all its islands
    std::span<const Attachment> attachments;
    std::span<const BlockId> frozen;
    Workspace* work = nullptr;
    RowSet rows;
    std::vector<GroupOrigin> origin; ///< of each group
    std::vector<SiteMotion> motion;  ///< of each side
    std::vector<BatchIsland> islands;
    std::vector<ModelBatch> models;
    std::vector<std::uint32_t> active; ///< islands still at work

    /// Blocks of a model that one thread asks for.
    struct Portion {
        std::size_t model, first, count;
    };
    /// Memory that stays from step to step.
    struct Room {
        std::vector<Portion> portions;
        std::vector<char> is_active;
        std::vector<std::vector<std::uint32_t>> of_block; ///< by model: of each block, a number
        std::vector<std::uint32_t> islands, smooth, impacts, again, left, kept;
        std::vector<char> was_unsettled;
        std::vector<std::uint32_t> touch_counts; ///< rows at each block of an island
        std::vector<double> impulse, allowed;
    } room;
};

/// Overwrites a batch: rows in the order of islands and keys.
void fill_batch(const Ensemble& ensemble, const IslandSettings& settings,
                const EnsembleState& state, std::span<const Attachment> attachments,
                std::span<const Island* const> islands, Workspace& work, Batch& batch);

/// Restricts what follows to some islands, or to all.
void set_active(Batch& batch, std::span<const std::uint32_t> islands);
void set_all_active(Batch& batch);

/// Updates `motion` of all sides.
void locate(Batch& batch, double time);

/// Moves what slides along rods to where it is now, of the active islands, and its `motion`.
void slide(Batch& batch, double time);

/// Updates C of the active islands for the directions as they are, W as last predicted. Not of
/// those that keep their matrix.
void respond(Batch& batch);

/// Who keeps its matrix in the pass that follows.
void set_kept(Batch& batch);

/// How touch j of a member that shows no W answers at its touch i: C of the block.
double response_of(const Batch& batch, std::uint32_t model, const Member& member, std::uint32_t i,
                   std::uint32_t j);

inline bool is_exposed(const BatchIsland& island) { return island.exposed != BlockId::kNone; }
inline bool is_sparse(const BatchIsland& island) { return island.sparse != BlockId::kNone; }

/// A straight strand does not give way along itself: rows that hold one yield by a millionth of
/// what the softest row of their island does, so that none asks for a force without bound.
void soften_rigid_rows(const Batch& batch, const BatchIsland& island, RowProblem& problem);

/// Impulses of an island's rows from its dense problem, as solve_rows().
RowSolveReport solve_dense_rows(BatchIsland& island, const RowProblem& problem,
                                const RowOptions& options, Eigen::VectorXd& impulse);

/// What the last measure() says of an island [J].
struct Balance {
    double kinetic = 0, potential = 0;
    double work = 0; ///< put in by the blocks' own drives since the substep's start
    double total() const { return kinetic + potential; }
};

/// Updates the reports of the active islands' members.
void measure(Batch& batch, const Stage& stage);

/// Sums over the reports of an island's members.
Balance balance_of(const Batch& batch, const BatchIsland& island);

/// Calls call(model, trial, cohort) for all active blocks of all models.
template <class Call>
void for_each_cohort(Batch& batch, Call&& call)
{
    constexpr std::size_t kPortion = 16; // blocks; a constant, so that portions never change
    std::vector<Batch::Portion>& portions = batch.room.portions;
    portions.clear();
    for (std::size_t m = 0; m < batch.models.size(); ++m) {
        const std::size_t count = batch.models[m].active.size();
        for (std::size_t i = 0; i < count; i += kPortion)
            portions.push_back({m, i, std::min(kPortion, count - i)});
    }
    for_each_index(portions.size(), batch.work->threads, [&](std::size_t i) {
        const Batch::Portion& portion = portions[i];
        const ModelBatch& part = batch.models[portion.model];
        call(portion.model, batch.work->trials[portion.model],
             Cohort{std::span(part.active).subspan(portion.first, portion.count), part.touches});
    });
}

/// Calls call(island) for all active islands.
template <class Call>
void for_each_active(Batch& batch, Call&& call)
{
    for_each_index(batch.active.size(), batch.work->threads,
                   [&](std::size_t i) { call(batch.islands[batch.active[i]]); });
}

/// Calls call(group, origin) for the groups of an island.
template <class Call>
void for_each_group(Batch& batch, const BatchIsland& island, Call&& call)
{
    for (std::uint32_t g = island.first_group; g < island.first_group + island.group_count; ++g)
        call(batch.rows.group[g], batch.origin[g]);
}

/// Calls call(shape, trial) for the blocks of an island.
template <class Call>
void for_each_block(Batch& batch, const BatchIsland& island, Call&& call)
{
    for (const BlockId id : island.island->blocks)
        call(batch.ensemble->models[id.model]->blocks()[id.index], batch.work->trials[id.model]);
}

} // namespace sinew
