// The step of a pile. Every line reads what the lines above wrote.

#include "models/rigid/pile.h"

#include "models/rigid/contacts.h"
#include "models/rigid/island_solver.h"
#include "models/rigid/islands.h"
#include "models/rigid/motion.h"

namespace sinew {

struct PileWork {
    ContactWork contacts;
    Islands islands;
    std::vector<SolverBody> bodies; ///< all, with the velocities of the step
    std::vector<SolverBody> after;  ///< the same once impacts have bounced
    IslandSolver solver;
};

std::shared_ptr<PileWork> make_pile_work() { return std::make_shared<PileWork>(); }

PileReport step_pile(const Pile& pile, const PileOptions& options, double h, PileState& state,
                     PileWork& work)
{
    constexpr double kLeastBounce = 5; // times |g| h: slower approaches come to rest
    PileReport report;
    const StepLengths lengths(pile, h);
    update_contacts(pile, lengths, state, work.contacts);
    find_islands(pile, state, work.islands);
    set_free_velocities(pile, state, h, work.bodies);
    work.after = work.bodies;
    for (const Island& island : work.islands.list) {
        gather_island(pile, state, lengths, work.bodies, island, work.solver);
        solve_island(pile, options, lengths, island, state, work.solver);
        note_island(work.solver, report);
        scatter_velocities(island, work.solver, work.bodies);
        work.solver.bounce(kLeastBounce * lengths.speed);
        scatter_velocities(island, work.solver, work.after);
        keep_impulses(work.solver, state, report);
    }
    move_bodies(pile, state, lengths, work.bodies, work.after);
    refresh_gaps(pile, state, work.contacts);
    project(pile, state, lengths, work.contacts, report);
    ++state.steps;
    return report;
}

} // namespace sinew
