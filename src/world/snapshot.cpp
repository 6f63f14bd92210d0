// All that changes, as bytes.

#include "base/hash.h"
#include "models/rigid/state.h"
#include "world/parts.h"

#include <algorithm>
#include <bit>

namespace sinew {

namespace {

constexpr std::uint64_t kSnapshotMark =
    0x3177656e69730003; // "sinew1" and the version of the layout

void put(std::vector<std::byte>& out, std::uint64_t bits)
{
    for (int i = 0; i < 8; ++i)
        out.push_back(static_cast<std::byte>(bits >> (8 * i)));
}

void put(std::vector<std::byte>& out, std::span<const double> values)
{
    put(out, values.size());
    for (const double value : values)
        put(out, std::bit_cast<std::uint64_t>(value));
}

/// Reads what `put` wrote; afterwards `is_good` says whether all of it was there.
struct SnapshotReader {
    std::span<const std::byte> bytes;
    bool is_good = true;

    std::uint64_t get()
    {
        if (bytes.size() < 8) {
            is_good = false;
            return 0;
        }
        std::uint64_t bits = 0;
        for (int i = 0; i < 8; ++i)
            bits |= std::uint64_t(bytes[static_cast<std::size_t>(i)]) << (8 * i);
        bytes = bytes.subspan(8);
        return bits;
    }
    /// How many things follow, of at least so many bytes each.
    std::size_t get_count(std::size_t bytes_each)
    {
        const std::uint64_t count = get();
        is_good = is_good && count <= bytes.size() / bytes_each;
        return is_good ? static_cast<std::size_t>(count) : 0;
    }
    void get(std::span<double> values)
    {
        const std::uint64_t count = get(); // says itself when it is missing
        is_good = is_good && count == values.size();
        for (std::size_t i = 0; i < values.size() && is_good; ++i)
            values[i] = std::bit_cast<double>(get());
    }
};

} // namespace

namespace {

void put(std::vector<std::byte>& out, const ModelState& model)
{
    for (const std::vector<double>* list : {&model.x, &model.v, &model.memory})
        put(out, *list);
}

void get(SnapshotReader& reader, ModelState& model)
{
    for (std::vector<double>* list : {&model.x, &model.v, &model.memory})
        reader.get(*list);
}

void put(std::vector<std::byte>& out, const std::vector<RodLinkState>& links)
{
    for (const RodLinkState& link : links) {
        put(out, std::bit_cast<std::uint64_t>(link.u));
        put(out, std::bit_cast<std::uint64_t>(link.force));
        put(out, std::uint64_t(link.is_released) | std::uint64_t(link.is_told) << 1);
    }
}

/// Of the models that are the world's own; what a hand borrows follows from them.
void put(std::vector<std::byte>& out, const EnsembleState& state, std::size_t own_models)
{
    put(out, std::bit_cast<std::uint64_t>(state.time));
    for (const ModelState& model : std::span(state.models).first(own_models))
        put(out, model);
    put(out, state.held.size());
    for (const HeldForce& held : state.held) {
        put(out, held.key);
        put(out, held.force);
    }
    const auto is_own = [&](const BlockId& id) { return id.model < own_models; };
    put(out, static_cast<std::uint64_t>(std::ranges::count_if(state.frozen, is_own)));
    for (const BlockId id : state.frozen)
        if (is_own(id))
            put(out, (std::uint64_t(id.model) << 32) | id.index);
}

} // namespace

std::vector<std::byte> World::snapshot() const
{
    std::vector<std::byte> out;
    put(out, kSnapshotMark);
    put(out, parts_->mechanism);
    put(out, parts_->state, parts_->own_model_count());
    put(out, pack(parts_->pile));
    put(out, parts_->strand_state);
    put(out, parts_->rods.state);
    if (!parts_->rods.eases.memory.empty())
        put(out, parts_->rods.eases.memory);
    return out;
}

bool World::restore(std::span<const std::byte> snapshot)
{
    SnapshotReader reader{snapshot};
    if (reader.get() != kSnapshotMark || reader.get() != parts_->mechanism)
        return false;
    EnsembleState state;
    state.time = std::bit_cast<double>(reader.get());
    const std::size_t own_models = parts_->own_model_count();
    state.models.assign(parts_->state.models.begin(), // for their sizes
                        parts_->state.models.begin() + std::ptrdiff_t(own_models));
    for (ModelState& model : state.models)
        get(reader, model);
    state.held.resize(reader.get_count(sizeof(std::uint64_t) * 8));
    for (HeldForce& held : state.held) {
        held.key = reader.get();
        reader.get(held.force);
    }
    state.frozen.resize(reader.get_count(sizeof(std::uint64_t)));
    for (BlockId& id : state.frozen) {
        const std::uint64_t bits = reader.get();
        id = {static_cast<std::uint32_t>(bits >> 32), static_cast<std::uint32_t>(bits)};
        reader.is_good = reader.is_good && id.model < own_models &&
                         id.index < parts_->ensemble.models[id.model]->blocks().size();
    }
    std::vector<double> numbers(reader.get_count(sizeof(double)));
    for (double& number : numbers)
        number = std::bit_cast<double>(reader.get());
    std::optional<PileState> pile = unpack(parts_->rigid.pile(), numbers);
    ModelState strands = parts_->strand_state; // for its sizes
    get(reader, strands);
    std::vector<RodLinkState> links = parts_->rods.state; // for its size
    for (RodLinkState& link : links) {
        link.u = std::bit_cast<double>(reader.get());
        link.force = std::bit_cast<double>(reader.get());
        const std::uint64_t flags = reader.get();
        link.is_released = flags & 1;
        link.is_told = flags & 2;
    }
    std::vector<double> eases = parts_->rods.eases.memory; // likewise
    if (!eases.empty())
        reader.get(eases);
    if (!reader.is_good || !reader.bytes.empty() || !pile)
        return false;
    parts_->take_back_strand_rows(); // until the hands are set again, below
    parts_->state = std::move(state);
    parts_->pile = std::move(*pile);
    parts_->strand_state = std::move(strands);
    parts_->rods.state = std::move(links);
    parts_->rods.eases.memory = std::move(eases);
    parts_->pile_work = make_pile_work();
    parts_->read_coordinates();
    parts_->place_carried_frames();
    set_grabs(std::vector(parts_->grabs));
    return true;
}

void World::take_curves(const World& before)
{
    Parts& p = *parts_;
    const Parts& old = *before.parts_;
    const auto fits = [](const ModelState& a, const ModelState& b) {
        return a.x.size() == b.x.size() && a.v.size() == b.v.size() &&
               a.memory.size() == b.memory.size();
    };
    if (p.has_rods() && old.has_rods() &&
        fits(p.state.models[p.rods.number], old.state.models[old.rods.number])) {
        p.state.models[p.rods.number] = old.state.models[old.rods.number];
        if (p.rods.state.size() == old.rods.state.size())
            p.rods.state = old.rods.state;
        if (p.rods.eases.memory.size() == old.rods.eases.memory.size())
            p.rods.eases.memory = old.rods.eases.memory;
    }
    if (p.has_strands() && old.has_strands() && fits(p.strand_state, old.strand_state)) {
        p.strand_state = old.strand_state;
        if (p.strand_rows)
            p.state.models[kStrands] = p.strands.state_in_rows(p.strand_state);
    }
}

std::uint64_t World::state_hash() const
{
    std::vector<std::byte> bytes;
    put(bytes, parts_->state, parts_->own_model_count());
    Hash hash;
    for (const std::byte byte : bytes)
        hash.add(static_cast<unsigned char>(byte));
    if (parts_->has_strands()) {
        bytes.clear();
        put(bytes, parts_->strand_state);
        for (const std::byte byte : bytes)
            hash.add(static_cast<unsigned char>(byte));
    }
    if (parts_->has_rods()) {
        bytes.clear();
        put(bytes, parts_->rods.state);
        for (const double number : parts_->rods.eases.memory)
            put(bytes, std::bit_cast<std::uint64_t>(number));
        for (const std::byte byte : bytes)
            hash.add(static_cast<unsigned char>(byte));
    }
    if (parts_->has_bodies())
        for (const double number : pack(parts_->pile))
            hash.add(number);
    return hash.value();
}

} // namespace sinew
