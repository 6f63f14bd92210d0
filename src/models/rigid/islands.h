#pragma once

#include "models/rigid/island_solver.h"
#include "models/rigid/lengths.h"
#include "models/rigid/pile.h"

namespace sinew {

/// Free bodies that contacts join, and what touches them.
struct Island {
    std::vector<std::uint32_t> bodies; ///< ascending; free ones first, then the fixed they touch
    std::uint32_t free_count = 0;
    std::vector<std::uint32_t> contacts;   ///< with points, ascending
    std::vector<BlockCholesky::Link> near; ///< between its free bodies, as the island counts them
};

struct Islands {
    std::vector<Island> list; ///< by their first bodies; those without contacts are left out
    std::vector<std::uint32_t> root, island_of, place; ///< scratch
};

void find_islands(const Pile& pile, const PileState& state, Islands& islands);

/// Velocities without contacts: with gravity's change.
void set_free_velocities(const Pile& pile, const PileState& state, double h,
                         std::vector<SolverBody>& bodies);

void gather_island(const Pile& pile, const PileState& state, const StepLengths& lengths,
                   const std::vector<SolverBody>& bodies, const Island& island,
                   IslandSolver& solver);

void solve_island(const Pile& pile, const PileOptions& options, const StepLengths& lengths,
                  const Island& island, PileState& state, IslandSolver& solver);

/// Back into the whole: velocities, how it went, impulses.
void scatter_velocities(const Island& island, const IslandSolver& solver,
                        std::vector<SolverBody>& bodies);
void note_island(const IslandSolver& solver, PileReport& report);
void keep_impulses(const IslandSolver& solver, PileState& state, PileReport& report);

} // namespace sinew
