// A state as bytes. Everything that changes is listed in this file and nowhere else.

#include "world/state.h"

#include "base/parallel.h"
#include "models/rigid/state.h"
#include "world/bytes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace sinew {

namespace {

using Bytes = std::vector<std::byte>;
using OwnModels = std::span<const std::uint32_t>;

constexpr std::size_t kEaseNumbers = 13; // of an EaseState

/// Takes the same bits as Bytes and keeps a hash of them: the words go in turn into four sums that
/// do not wait for one another, each turned and multiplied as in xxHash64 (Collet, 2012); at the
/// end they are mixed, with their number.
class BitHash {
public:
    void add(std::uint64_t bits)
    {
        std::uint64_t& sum = sums_[count_++ % sums_.size()];
        sum = mixed(sum, bits);
    }
    void add(std::span<const double> numbers)
    {
        std::size_t i = 0;
        for (; i < numbers.size() && count_ % sums_.size() != 0; ++i)
            add(std::bit_cast<std::uint64_t>(numbers[i]));
        std::array<std::uint64_t, 4> sums = sums_; // in registers
        const std::size_t fours = (numbers.size() - i) / 4;
        for (std::size_t k = 0; k < fours; ++k, i += 4)
            for (std::size_t j = 0; j < 4; ++j)
                sums[j] = mixed(sums[j], std::bit_cast<std::uint64_t>(numbers[i + j]));
        sums_ = sums;
        count_ += 4 * fours;
        for (; i < numbers.size(); ++i)
            add(std::bit_cast<std::uint64_t>(numbers[i]));
    }
    std::uint64_t value() const
    {
        std::uint64_t mixed = count_;
        for (const std::uint64_t sum : sums_)
            mixed = (mixed ^ std::rotl(sum * kSecond, 31) * kFirst) * kFirst + kThird;
        mixed = (mixed ^ mixed >> 33) * kSecond;
        mixed = (mixed ^ mixed >> 29) * kFirst;
        return mixed ^ mixed >> 32;
    }

private:
    static constexpr std::uint64_t kFirst = 0x9e3779b185ebca87u, kSecond = 0xc2b2ae3d27d4eb4fu,
                                   kThird = 0x165667b19e3779f9u; // odd, with mixed bits

    static std::uint64_t mixed(std::uint64_t sum, std::uint64_t bits)
    {
        return std::rotl(sum + bits * kSecond, 31) * kFirst;
    }

    std::array<std::uint64_t, 4> sums_ = {kFirst + kSecond, kSecond, 0, 0 - kFirst};
    std::uint64_t count_ = 0;
};

using sinew::put_bits;
void put_bits(std::uint64_t bits, BitHash& hash) { hash.add(bits); }

// What follows writes into Bytes or into a BitHash.

template <class Sink>
void put(double number, Sink& sink)
{
    put_bits(std::bit_cast<std::uint64_t>(number), sink);
}

void put(std::span<const double> numbers, BitHash& hash) { hash.add(numbers); }

void put(std::span<const double> numbers, Bytes& bytes)
{
    if constexpr (std::endian::native == std::endian::little) {
        const std::span<const std::byte> raw = std::as_bytes(numbers);
        bytes.insert(bytes.end(), raw.begin(), raw.end());
    } else {
        for (const double number : numbers)
            put(number, bytes);
    }
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
                     std::uint64_t(link.has_eye_load) << 2 | std::uint64_t(link.is_wheel) << 3,
                 bytes);
        if (link.is_wheel)
            for (const double number :
                 {link.reach, link.wrap, link.eye_torque.x, link.eye_torque.y, link.eye_torque.z})
                put(number, bytes);
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
        link.is_wheel = flags & 8;
        if (link.is_wheel)
            for (double* number : {&link.reach, &link.wrap, &link.eye_torque.x, &link.eye_torque.y,
                                   &link.eye_torque.z})
                *number = reader.get_number();
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

/// A list that is copied by portions while the rest is copied without it.
template <class Thing>
class CopiedList {
public:
    CopiedList(std::vector<Thing>& from, std::vector<Thing>& to)
        : from_(from), to_(to), kept_(std::move(from)), room_(std::move(to))
    {
        from_.clear();
    }

    void copy(int threads)
    {
        constexpr std::size_t kPortion = sizeof(Thing) > sizeof(double) ? 64 : 1 << 15;
        room_.resize(kept_.size());
        for_each_portion(kept_.size(), kPortion, threads, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                room_[i] = kept_[i];
        });
        from_ = std::move(kept_);
        to_ = std::move(room_);
    }

private:
    std::vector<Thing>&from_, &to_;
    std::vector<Thing> kept_, room_;
};

} // namespace

void copy_state(State& from, int threads, State& to)
{
    CopiedList contacts(from.pile.contacts, to.pile.contacts);
    CopiedList bodies(from.pile.bodies, to.pile.bodies);
    CopiedList rest(from.pile.rest, to.pile.rest);
    CopiedList x(from.strands.x, to.strands.x);
    CopiedList v(from.strands.v, to.strands.v);
    CopiedList memory(from.strands.memory, to.strands.memory);
    to = from;
    contacts.copy(threads);
    bodies.copy(threads);
    rest.copy(threads);
    for (CopiedList<double>* list : {&x, &v, &memory})
        list->copy(threads);
}

void pack(const State& state, OwnModels own_models, int threads, Bytes& bytes)
{
    const ModelState& strands = state.strands;
    bytes.reserve(bytes.size() + sizeof(double) * (strands.x.size() + strands.v.size() +
                                                   strands.memory.size() + 1024));
    put(state, own_models, bytes);
    put_counted(pack(state.pile, threads), bytes);
    put_strands(state, bytes);
    put(state.constraints.links, bytes);
    if (const std::vector<EaseState>& eases = state.constraints.rod_eases; !eases.empty()) {
        put_bits(kEaseNumbers * eases.size(), bytes);
        put(eases, bytes);
    }
    put(state.events, bytes);
    put(state.inside, state.stuck, bytes);
}

namespace {

bool has_numbers(const State& state)
{
    const auto is_number = [](double x) { return is_finite(x); };
    const auto are_numbers = [&](const auto& list) { return std::ranges::all_of(list, is_number); };
    const auto all = [&](const ModelState& model) {
        return are_numbers(model.x) && are_numbers(model.v) && are_numbers(model.memory);
    };
    const auto is_link = [&](const RodLinkState& link) {
        return are_numbers(std::array{link.u, link.force, link.reach, link.wrap}) &&
               is_finite(link.eye_place) && is_finite(link.eye_force) && is_finite(link.eye_torque);
    };
    const auto is_ease = [&](const EaseState& ease) {
        return is_number(ease.begin) && are_numbers(ease.gap) && are_numbers(ease.rate);
    };
    const auto is_held = [&](const HeldForce& held) { return are_numbers(held.force); };
    const auto is_inside = [&](const InsidePair& pair) {
        return is_number(pair.allowed) && is_number(pair.speed);
    };
    const auto is_stuck = [&](const StuckPoint& point) {
        return is_number(point.first) && is_number(point.second);
    };
    const ConstraintState& constraints = state.constraints;
    return std::ranges::all_of(state.models, all) && are_numbers(state.events) &&
           all(state.strands) && is_finite(state.time) &&
           std::ranges::all_of(constraints.links, is_link) &&
           std::ranges::all_of(constraints.strand_eases, is_ease) &&
           std::ranges::all_of(constraints.rod_eases, is_ease) &&
           std::ranges::all_of(state.held, is_held) &&
           std::ranges::all_of(state.inside, is_inside) &&
           std::ranges::all_of(state.stuck, is_stuck);
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
    reader.get_numbers(state.events);
    get(reader, state.inside, state.stuck);
    if (!reader.is_good || !reader.bytes.empty() || !bodies || !has_numbers(state))
        return std::nullopt;
    state.pile = std::move(*bodies);
    return state;
}

std::uint64_t hash_of(const State& state, OwnModels own_models, int threads)
{
    BitHash hash;
    put(state, own_models, hash);
    if (!state.strands.x.empty())
        put_strands(state, hash);
    put(std::span(state.constraints.links), hash);
    put(std::span(state.constraints.rod_eases), hash);
    put(state.events, hash);
    put(state.inside, state.stuck, hash);
    if (!state.pile.bodies.empty())
        put(pack(state.pile, threads), hash);
    return hash.value();
}

} // namespace sinew
