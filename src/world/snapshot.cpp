// Snapshots of a world: its state as bytes, with the mechanism that they belong to.

#include "world/bytes.h"
#include "world/parts.h"
#include "world/places.h"

namespace sinew {

namespace {

constexpr std::uint64_t kSnapshotMark =
    0x3177656e69730003; // "sinew1" and the version of the layout

bool has_same_sizes(const ModelState& a, const ModelState& b)
{
    return a.x.size() == b.x.size() && a.v.size() == b.v.size() &&
           a.memory.size() == b.memory.size();
}

template <class T>
void copy_if_same_size(const std::vector<T>& from, std::vector<T>& to)
{
    if (from.size() == to.size())
        to = from;
}

} // namespace

std::vector<std::byte> World::snapshot() const
{
    std::vector<std::byte> bytes;
    put_bits(kSnapshotMark, bytes);
    put_bits(parts_->mechanism, bytes);
    pack(parts_->state, parts_->own_models(), parts_->work.threads, bytes);
    return bytes;
}

bool World::restore(std::span<const std::byte> snapshot)
{
    Parts& p = *parts_;
    ByteReader reader{snapshot};
    if (reader.get() != kSnapshotMark || reader.get() != p.mechanism)
        return false;
    std::optional<State> state =
        unpack(reader.bytes, p.state, p.own_models(), p.ensemble, p.pile());
    if (!state)
        return false;
    const auto go_to = [&](State&& there) {
        p.take_back_strand_rows(); // until the grabs are set again, below
        p.state = std::move(there);
        p.pile_work = make_pile_work();
        p.read_coordinates();
        p.place_carried_frames();
        set_grabs(std::vector(p.grabs));
    };
    State before = p.state;
    go_to(std::move(*state));
    const bool is_good = has_places(frame());
    if (is_good)
        p.way = {};
    else
        go_to(std::move(before));
    return is_good;
}

void World::take_curves(const World& before)
{
    Parts& p = *parts_;
    p.way = {};
    const Parts& old = *before.parts_;
    if (p.has_rods() && old.has_rods() &&
        has_same_sizes(p.state.models[kRods], old.state.models[kRods])) {
        p.state.models[kRods] = old.state.models[kRods];
        copy_if_same_size(old.state.constraints.links, p.state.constraints.links);
        copy_if_same_size(old.state.constraints.rod_eases, p.state.constraints.rod_eases);
    }
    if (p.has_strands() && old.has_strands() &&
        has_same_sizes(p.state.strands, old.state.strands)) {
        p.state.strands = old.state.strands;
        copy_if_same_size(old.state.constraints.strand_eases, p.state.constraints.strand_eases);
        if (p.strand_rows)
            p.state.models[kStrands] = p.strands.state_in_rows(p.state.strands);
    }
}

std::uint64_t World::state_hash() const
{
    return hash_of(parts_->state, parts_->own_models(), parts_->work.threads);
}

} // namespace sinew
