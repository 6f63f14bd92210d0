// A state as bytes. Everything that changes is listed in this file and nowhere else.

#include "world/state.h"

#include "models/rigid/state.h"
#include "world/bytes.h"

#include <algorithm>

namespace sinew {

namespace {

using Bytes = std::vector<std::byte>;
using OwnModels = std::span<const std::uint32_t>;

constexpr std::size_t kEaseNumbers = 13; // of an EaseState

/// Takes the same bits as Bytes and keeps a hash of them: FNV-1a over the bytes, each as a whole
/// number of 64 bits. The seven zeros behind a byte only multiply, so one factor does for all
/// eight.
class BitHash {
public:
    void add_bytes(std::uint64_t bits)
    {
        for (int i = 0; i < 8; ++i)
            state_ = (state_ ^ (bits >> (8 * i) & 0xff)) * kPrime8;
    }
    /// A number as it is: its own eight bytes.
    void add_number(double number)
    {
        const auto bits = std::bit_cast<std::uint64_t>(number);
        for (int i = 0; i < 8; ++i)
            state_ = (state_ ^ (bits >> (8 * i) & 0xff)) * kPrime;
    }
    std::uint64_t value() const { return state_; }

private:
    static constexpr std::uint64_t kPrime = 0x100000001b3u;
    static constexpr std::uint64_t kPrime2 = kPrime * kPrime, kPrime4 = kPrime2 * kPrime2,
                                   kPrime8 = kPrime4 * kPrime4;

    std::uint64_t state_ = 0xcbf29ce484222325u;
};

using sinew::put_bits;
void put_bits(std::uint64_t bits, BitHash& hash) { hash.add_bytes(bits); }

// What follows writes into Bytes or into a BitHash.

template <class Sink>
void put(double number, Sink& sink)
{
    put_bits(std::bit_cast<std::uint64_t>(number), sink);
}

template <class Sink>
void put(std::span<const double> numbers, Sink& bytes)
{
    for (const double number : numbers)
        put(number, bytes);
}

template <class Sink>
void put_counted(std::span<const double> numbers, Sink& bytes)
{
    put_bits(numbers.size(), bytes);
    put(numbers, bytes);
}

void get_counted(ByteReader& reader, std::span<double> numbers)
{
    reader.expect_count(numbers.size());
    reader.get_numbers(numbers);
}

// ---------------------------------------------------------------- models and rows

template <class Sink>
void put(const EnsembleState& state, OwnModels own_models, Sink& bytes)
{
    put(state.time, bytes);
    for (const std::uint32_t m : own_models)
        for (auto list : {&ModelState::x, &ModelState::v, &ModelState::memory})
            put_counted(state.models[m].*list, bytes);
    put_bits(state.held.size(), bytes);
    for (const HeldForce& held : state.held) {
        put_bits(held.key.bits(), bytes);
        put_counted(held.force, bytes);
    }
    // Blocks count the models that are there.
    const auto is_own = [&](const BlockId& id) {
        return std::ranges::binary_search(own_models, id.model);
    };
    const auto number_of = [&](std::uint32_t model) {
        return std::uint64_t(std::ranges::lower_bound(own_models, model) - own_models.begin());
    };
    put_bits(static_cast<std::uint64_t>(std::ranges::count_if(state.frozen, is_own)), bytes);
    for (const BlockId id : state.frozen)
        if (is_own(id))
            put_bits(number_of(id.model) << 32 | id.index, bytes);
}

void get(ByteReader& reader, OwnModels own_models, const Ensemble& ensemble, EnsembleState& state)
{
    state.time = reader.get_number();
    for (const std::uint32_t m : own_models)
        for (auto list : {&ModelState::x, &ModelState::v, &ModelState::memory})
            get_counted(reader, state.models[m].*list);
    state.held.resize(reader.get_count(sizeof(std::uint64_t) * 8));
    for (HeldForce& held : state.held) {
        held = {.key = reader.get()};
        get_counted(reader, held.force);
    }
    state.frozen.resize(reader.get_count(sizeof(std::uint64_t)));
    for (BlockId& id : state.frozen) {
        const std::uint64_t bits = reader.get();
        const std::size_t number = static_cast<std::size_t>(bits >> 32);
        reader.is_good = reader.is_good && number < own_models.size();
        if (!reader.is_good)
            break;
        id = {own_models[number], static_cast<std::uint32_t>(bits)};
        reader.is_good = id.index < ensemble.models[id.model]->blocks().size();
    }
}

// ---------------------------------------------------------------- constraints

template <class Sink>
void put(std::span<const EaseState> eases, Sink& bytes)
{
    for (const EaseState& ease : eases) {
        put(ease.begin, bytes);
        put(ease.gap, bytes);
        put(ease.rate, bytes);
    }
}

void get(ByteReader& reader, std::span<EaseState> eases)
{
    for (EaseState& ease : eases) {
        ease.begin = reader.get_number();
        reader.get_numbers(ease.gap);
        reader.get_numbers(ease.rate);
    }
}

template <class Sink>
void put(std::span<const RodLinkState> links, Sink& bytes)
{
    for (const RodLinkState& link : links) {
        put(link.u, bytes);
        put(link.force, bytes);
        put_bits(std::uint64_t(link.is_released) | std::uint64_t(link.is_told) << 1 |
                     std::uint64_t(link.has_eye_load) << 2,
                 bytes);
        if (!link.has_eye_load)
            continue;
        for (const Vec3& part : {link.eye_place, link.eye_force})
            for (const double number : {part.x, part.y, part.z})
                put(number, bytes);
    }
}

void get(ByteReader& reader, std::span<RodLinkState> links)
{
    for (RodLinkState& link : links) {
        link.u = reader.get_number();
        link.force = reader.get_number();
        const std::uint64_t flags = reader.get();
        link.is_released = flags & 1;
        link.is_told = flags & 2;
        link.has_eye_load = flags & 4;
        if (!link.has_eye_load)
            continue;
        for (Vec3* part : {&link.eye_place, &link.eye_force})
            for (double* number : {&part->x, &part->y, &part->z})
                *number = reader.get_number();
    }
}

// ---------------------------------------------------------------- strands

/// The eases of their constraints follow their memory, as one list.
template <class Sink>
void put_strands(const State& state, Sink& bytes)
{
    const std::vector<EaseState>& eases = state.constraints.strand_eases;
    put_counted(state.strands.x, bytes);
    put_counted(state.strands.v, bytes);
    put_bits(state.strands.memory.size() + kEaseNumbers * eases.size(), bytes);
    put(state.strands.memory, bytes);
    put(eases, bytes);
}

void get_strands(ByteReader& reader, State& state)
{
    std::vector<EaseState>& eases = state.constraints.strand_eases;
    get_counted(reader, state.strands.x);
    get_counted(reader, state.strands.v);
    reader.expect_count(state.strands.memory.size() + kEaseNumbers * eases.size());
    reader.get_numbers(state.strands.memory);
    get(reader, eases);
}

/// Behind everything else, and only where there are any.
template <class Sink>
void put(const std::vector<InsidePair>& inside, const std::vector<StuckPoint>& stuck, Sink& bytes)
{
    if (inside.empty() && stuck.empty())
        return;
    put_bits(inside.size(), bytes);
    for (const InsidePair& pair : inside) {
        put_bits(pair.pair.bits(), bytes);
        put(pair.allowed, bytes);
        put(pair.speed, bytes);
    }
    put_bits(stuck.size(), bytes);
    for (const StuckPoint& point : stuck) {
        put_bits(point.key.bits(), bytes);
        put(point.first, bytes);
        put(point.second, bytes);
    }
}

void get(ByteReader& reader, std::vector<InsidePair>& inside, std::vector<StuckPoint>& stuck)
{
    inside.clear(), stuck.clear();
    if (reader.bytes.empty())
        return;
    inside.resize(reader.get_count(3 * sizeof(std::uint64_t)));
    for (InsidePair& pair : inside) {
        pair.pair = reader.get();
        pair.allowed = reader.get_number();
        pair.speed = reader.get_number();
    }
    stuck.resize(reader.get_count(3 * sizeof(std::uint64_t)));
    for (StuckPoint& point : stuck) {
        point.key = reader.get();
        point.first = reader.get_number();
        point.second = reader.get_number();
    }
}

} // namespace

void pack(const State& state, OwnModels own_models, Bytes& bytes)
{
    put(state, own_models, bytes);
    put_counted(pack(state.pile), bytes);
    put_strands(state, bytes);
    put(state.constraints.links, bytes);
    if (const std::vector<EaseState>& eases = state.constraints.rod_eases; !eases.empty()) {
        put_bits(kEaseNumbers * eases.size(), bytes);
        put(eases, bytes);
    }
    put(state.inside, state.stuck, bytes);
}

namespace {

bool has_numbers(const State& state)
{
    const auto is_number = [](double x) { return is_finite(x); };
    const auto all = [&](const ModelState& model) {
        return std::ranges::all_of(model.x, is_number) && std::ranges::all_of(model.v, is_number);
    };
    return std::ranges::all_of(state.models, all) && all(state.strands) && is_finite(state.time);
}

} // namespace

std::optional<State> unpack(std::span<const std::byte> bytes, const State& like,
                            OwnModels own_models, const Ensemble& ensemble, const Pile& pile)
{
    ByteReader reader{bytes};
    State state = like;
    get(reader, own_models, ensemble, state);
    std::vector<double> numbers(reader.get_count(sizeof(double)));
    reader.get_numbers(numbers);
    std::optional<PileState> bodies = unpack(pile, numbers);
    get_strands(reader, state);
    get(reader, state.constraints.links);
    if (std::vector<EaseState>& eases = state.constraints.rod_eases; !eases.empty()) {
        reader.expect_count(kEaseNumbers * eases.size());
        get(reader, eases);
    }
    get(reader, state.inside, state.stuck);
    if (!reader.is_good || !reader.bytes.empty() || !bodies || !has_numbers(state))
        return std::nullopt;
    state.pile = std::move(*bodies);
    return state;
}

std::uint64_t hash_of(const State& state, OwnModels own_models)
{
    BitHash hash;
    put(state, own_models, hash);
    if (!state.strands.x.empty())
        put_strands(state, hash);
    put(std::span(state.constraints.links), hash);
    put(std::span(state.constraints.rod_eases), hash);
    put(state.inside, state.stuck, hash);
    if (!state.pile.bodies.empty())
        for (const double number : pack(state.pile))
            hash.add_number(number);
    return hash.value();
}

} // namespace sinew
