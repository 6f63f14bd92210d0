#pragma once

/// Keys of attachments: who made a group of rows, and which of its own it is. A key that comes
/// again in the next step finds the forces of this one.

#include <compare>
#include <cstdint>

namespace sinew {

/// Who makes attachments. The numbers order the rows of an island, and stand in snapshots.
enum class KeySource : std::uint8_t {
    other = 0,                  ///< given with the ensemble
    body_contact = 4,           ///< points of contacts of the pile, numbered in every step
    body_joint = 8,             ///< groups of joints of the pile
    body_spring = 12,           ///< Scene::point_springs
    carried_frame = 16,         ///< frames of linkages that a body carries
    linkage_stop = 18,          ///< lower and upper stops of coordinates
    linkage_friction = 19,      ///< dry friction of coordinates
    rod_constraint = 20,        ///< groups of Scene::rod_constraints
    rod_node = 21,              ///< nodes of rods that wheels carry
    rod_body_contact = 22,      ///< pieces of rods on shapes
    rod_rod_contact = 23,       ///< pieces of rods on each other
    strand_body_contact = 24,   ///< segments on shapes
    strand_root = 26,           ///< bases of trees on what they stand on
    strand_constraint = 28,     ///< groups of Scene::strand_constraints
    strand_joint = 29,          ///< joints that bend no further
    strand_strand_contact = 30, ///< segments on each other
    rod_strand_contact = 31,    ///< pieces of rods on segments
    grab = 32,                  ///< World::set_grabs
    model_tie = 33,             ///< ties of physical models
    model_body_contact = 34,    ///< their capsules on shapes
    model_contact = 35          ///< their capsules on each other, on strands and rods
};

/// The source in the upper 6 bits, its own number below.
class AttachmentKey {
public:
    constexpr AttachmentKey() = default;
    constexpr AttachmentKey(std::uint64_t bits) : bits_(bits) {}
    constexpr AttachmentKey(KeySource source, std::uint64_t index)
        : bits_(std::uint64_t(source) << kIndexBits | index)
    {
    }

    constexpr std::uint64_t bits() const { return bits_; }
    constexpr KeySource source() const { return KeySource(bits_ >> kIndexBits); }
    constexpr std::uint64_t index() const { return bits_ & ((std::uint64_t(1) << kIndexBits) - 1); }

    /// The key `count` numbers on, of the same source.
    constexpr AttachmentKey after(std::uint64_t count) const { return {bits_ + count}; }

    constexpr auto operator<=>(const AttachmentKey&) const = default;

private:
    static constexpr int kIndexBits = 58;
    std::uint64_t bits_ = 0;
};

/// Contacts of two features may have several points: the keys of a pair are kPointsOfPair numbers.
constexpr std::uint64_t kPointsOfPair = 64;

constexpr AttachmentKey pair_of(AttachmentKey point)
{
    return {point.bits() & ~(kPointsOfPair - 1)};
}

/// The first key of a piece of a rod, or a segment of a strand, on a shape.
constexpr AttachmentKey body_pair_key(KeySource source, std::uint64_t piece, std::uint64_t shape)
{
    return {source, (piece << 30) | (shape * kPointsOfPair)};
}

constexpr AttachmentKey rod_pair_key(std::uint64_t a, std::uint64_t b)
{
    return {KeySource::rod_rod_contact, (a << 28) | (b * kPointsOfPair)};
}

constexpr AttachmentKey rod_strand_key(std::uint64_t piece, std::uint64_t segment)
{
    return {KeySource::rod_strand_contact, (piece << 28) | (segment * kPointsOfPair)};
}

constexpr AttachmentKey strand_pair_key(std::uint64_t a, std::uint64_t b)
{
    return {KeySource::strand_strand_contact, (a << 28) + b};
}

/// Numbers of capsules, a < b.
constexpr AttachmentKey capsule_pair_key(std::uint64_t a, std::uint64_t b)
{
    return {KeySource::model_contact, (a << 28) + b};
}

constexpr AttachmentKey strand_joint_key(std::uint64_t tree, std::uint64_t segment)
{
    return {KeySource::strand_joint, (tree << 24) + segment};
}

} // namespace sinew
