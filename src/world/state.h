#pragma once

/// All that changes of a world, in one place: a copy goes back, forks or compares; bytes and hash
/// are made here.

#include "constraints/constraint_state.h"
#include "contacts/strand_inside.h"
#include "islands/ensemble.h"
#include "models/rigid/pile.h"

#include <cstddef>

namespace sinew {

/// The state of a world: what rows work on, what the models' own solvers work on, and what
/// constraints remember. Forces and contacts of the last step are in `held` and in the pile.
struct State : EnsembleState {
    PileState pile = {};
    ModelState strands = {};
    ConstraintState constraints = {};
    std::vector<double> events = {}; ///< times of those that the world notices, kNever before [s]
    std::vector<InsidePair> inside = {}; ///< of strands, ascending by pairs
    std::vector<StuckPoint> stuck = {};  ///< of strands, ascending by keys
};

/// to = from, on at most `threads` threads. `from` is as it was in the end, not meanwhile.
void copy_state(State& from, int threads, State& to);

/// Appends a state as bytes. `own_models`: numbers of the models that are the world's own,
/// ascending; what a grab borrows follows from them.
void pack(const State& state, std::span<const std::uint32_t> own_models, int threads,
          std::vector<std::byte>& bytes);

/// Reads what pack() wrote, all of it. `like` has the sizes of everything that keeps its size;
/// `ensemble`, `pile`: whose state it is. Nothing where the bytes are no such state.
std::optional<State> unpack(std::span<const std::byte> bytes, const State& like,
                            std::span<const std::uint32_t> own_models, const Ensemble& ensemble,
                            const Pile& pile);

/// The same state has the same hash, on every machine.
std::uint64_t hash_of(const State& state, std::span<const std::uint32_t> own_models, int threads);

} // namespace sinew
