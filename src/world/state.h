#pragma once

/// All that changes of a world, in one place: a copy goes back, forks or compares; bytes and hash
/// are made here.

#include "models/rigid/pile.h"
#include "world/contacts/strand_inside.h"
#include "world/rows/ensemble.h"

#include <cstddef>

namespace sinew {

/// What a group of rows remembers that did not hold from the start on: when it began to hold, how
/// far it was open then, and how fast that changed.
struct EaseState {
    static constexpr double kNever = -1e300;        ///< does not hold
    static constexpr double kFromTheStart = -1e299; ///< before every time

    double begin = kNever; ///< [s]
    std::array<double, 6> gap = {}, rate = {};

    /// How it closes within `span` seconds.
    Ease closing_in(double span) const { return {begin, span, gap, rate}; }

    bool operator==(const EaseState&) const = default;
};

/// What of a constraint of rods changes.
struct RodLinkState {
    double u = 0; ///< of what slides: where on its rod; of a trajectory: where on its curve
    bool is_released = false;
    bool is_told = false;      ///< that it cannot be kept
    double force = 0;          ///< in the last step [N]
    bool has_eye_load = false; ///< an eye that its rod pushed in the last step, where and with what
    Vec3 eye_place = {0, 0, 0}, eye_force = {0, 0, 0};
    bool is_wheel = false;
    double reach = 0;            ///< of a pulley: half of what lies on it, as u
    double wrap = 0;             ///< of a pulley: by which angle it turns the rope
    Vec3 eye_torque = {0, 0, 0}; ///< of a wheel, about its middle

    bool operator==(const RodLinkState&) const = default;
};

struct ConstraintState {
    std::vector<EaseState> strand_eases = {}; ///< as Scene::strand_constraints
    std::vector<RodLinkState> links = {};     ///< as Scene::rod_constraints
    std::vector<EaseState> rod_eases = {};    ///< RodEases::kGroups for each that has a memory

    bool operator==(const ConstraintState&) const = default;
};

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
