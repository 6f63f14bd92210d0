// Frames as compressed blocks.
//
// A frame becomes a list of numbers, like beside like: its own number and the time; the first
// component of the transformation of every object, the second, ...; x of every point, y, z; the
// same of the nodes of strands; x, y, z, w of their segments; place, force and torque of every
// load; tension, bending and twist moment of every section of rods. Then the bytes are turned: the
// lowest byte of every number, the next, ..., the highest. Signs and exponents hardly change from
// number to number, what stands still is constant, and zstd finds both. Doubles stay what they are,
// to the last bit. Rounded frames: frame_coder.cpp.

#include "record/block.h"

#include "base/contract.h"
#include "base/parallel.h"

#include <zstd.h>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace sinew::record {

namespace {

constexpr int kLevel = 1; // 3 makes blocks 1 % smaller at one and a half times the cost
constexpr std::size_t kPortion = std::size_t{1} << 19; // of bytes that are compressed apart

/// Calls `visit` with every number of a frame, in the order of the block.
template <class Number, class AnyFrame, class Visit>
void visit_numbers(Number& index, AnyFrame& frame, Visit visit)
{
    visit(index);
    visit(frame.time);
    for (int column = 0; column < 3; ++column)
        for (int row = 0; row < 3; ++row)
            for (auto& object : frame.objects)
                visit(object.linear[column][row]);
    for (int row = 0; row < 3; ++row)
        for (auto& object : frame.objects)
            visit(object.origin[row]);
    for (int row = 0; row < 3; ++row)
        for (auto& point : frame.points)
            visit(point[row]);
    for (int row = 0; row < 3; ++row)
        for (auto& node : frame.nodes)
            visit(node[row]);
    for (auto& segment : frame.segments)
        visit(segment.x);
    for (auto& segment : frame.segments)
        visit(segment.y);
    for (auto& segment : frame.segments)
        visit(segment.z);
    for (auto& segment : frame.segments)
        visit(segment.w);
    for (const auto part :
         {&ConstraintLoad::place, &ConstraintLoad::force, &ConstraintLoad::torque})
        for (int row = 0; row < 3; ++row)
            for (auto& load : frame.loads)
                visit((load.*part)[row]);
    for (const auto part : {&SectionForce::tension, &SectionForce::bending, &SectionForce::twist})
        for (auto& section : frame.sections)
            visit(section.*part);
}

} // namespace

namespace {

Bytes compress(std::span<const std::byte> bytes)
{
    Bytes block(ZSTD_compressBound(bytes.size()));
    ZSTD_CCtx* context = ZSTD_createCCtx();
    SINEW_EXPECTS(context != nullptr);
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, kLevel);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1); // a flipped bit is found on reading
    const std::size_t size =
        ZSTD_compress2(context, block.data(), block.size(), bytes.data(), bytes.size());
    ZSTD_freeCCtx(context);
    SINEW_EXPECTS(!ZSTD_isError(size));
    block.resize(size);
    return block;
}

/// What the portions of a block claim to hold, bounded; nothing when one claims nothing, or all
/// together more than `most`.
std::optional<std::size_t> claimed_size(std::span<const std::byte> block, std::size_t most)
{
    std::size_t total = 0;
    do {
        const unsigned long long size = ZSTD_getFrameContentSize(block.data(), block.size());
        const std::size_t length = ZSTD_findFrameCompressedSize(block.data(), block.size());
        if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN ||
            ZSTD_isError(length) || size > most - total)
            return std::nullopt;
        total += size;
        block = block.subspan(length);
    } while (!block.empty());
    return total;
}

/// Portions behind a mark, each given back as soon as it is in.
Bytes join(std::span<const std::byte> mark, std::vector<Bytes>& portions)
{
    std::size_t size = mark.size();
    for (const Bytes& portion : portions)
        size += portion.size();
    Bytes block(mark.begin(), mark.end());
    block.reserve(size);
    for (Bytes& portion : portions) {
        block.insert(block.end(), portion.begin(), portion.end());
        portion = {};
    }
    return block;
}

} // namespace

Bytes pack_bytes(std::span<const std::byte> bytes, int threads)
{
    const std::size_t count = std::max<std::size_t>(1, (bytes.size() + kPortion - 1) / kPortion);
    if (count == 1)
        return compress(bytes);
    std::vector<Bytes> portions(count);
    for_each_index(count, threads, [&](std::size_t i) {
        const std::size_t first = i * kPortion;
        portions[i] = compress(bytes.subspan(first, std::min(kPortion, bytes.size() - first)));
    });
    return join({}, portions);
}

std::optional<Bytes> unpack_bytes(std::span<const std::byte> block, std::size_t most)
{
    // The size is a claim of the file: bounded before anything is allocated.
    const std::optional<std::size_t> size = claimed_size(block, most);
    if (!size)
        return std::nullopt;
    Bytes bytes(*size);
    if (ZSTD_decompress(bytes.data(), bytes.size(), block.data(), block.size()) != *size)
        return std::nullopt;
    return bytes;
}

namespace {

/// A frame of zstd that its readers skip (magic number, length), with four letters of ours in it.
constexpr unsigned char kTurned[] = {0x53, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 't', 'u', 'r', 'n'};
constexpr unsigned char kPlain[] = {0x28, 0xb5, 0x2f, 0xfd}; // what frames of zstd begin with

/// Turns bytes as words of eight, there or back; what is left over stays as it is.
void turn_words(std::span<const std::byte> bytes, bool is_back, std::byte* to)
{
    constexpr std::size_t kWord = sizeof(std::uint64_t);
    const std::size_t words = bytes.size() / kWord;
    const std::byte* from = bytes.data();
    for (std::size_t k = 0; k < kWord; ++k)
        for (std::size_t w = 0; w < words; ++w)
            is_back ? to[w * kWord + k] = from[k * words + w]
                    : to[k * words + w] = from[w * kWord + k];
    std::copy(from + words * kWord, from + bytes.size(), to + words * kWord);
}

std::span<const std::byte> portion_of(std::span<const std::byte> bytes, std::size_t i)
{
    const std::size_t first = i * kPortion;
    return bytes.subspan(first, std::min(kPortion, bytes.size() - first));
}

Bytes turn_back(std::span<const std::byte> bytes)
{
    Bytes plain(bytes.size());
    for (std::size_t first = 0; first < bytes.size(); first += kPortion)
        turn_words(portion_of(bytes, first / kPortion), true, plain.data() + first);
    return plain;
}

} // namespace

/// Each portion is turned where it is compressed: a whole turned snapshot is never held.
Bytes pack_snapshot(std::span<const std::byte> bytes, int threads)
{
    const std::size_t count = std::max<std::size_t>(1, (bytes.size() + kPortion - 1) / kPortion);
    std::vector<Bytes> portions(count);
    for_each_index(count, threads, [&](std::size_t i) {
        const std::span<const std::byte> portion = portion_of(bytes, i);
        Bytes turned(portion.size());
        turn_words(portion, false, turned.data());
        portions[i] = compress(turned);
        portions[i].shrink_to_fit(); // of what it might have needed
    });
    const auto mark = std::as_bytes(std::span(kTurned));
    return join(mark, portions);
}

std::optional<Bytes> unpack_snapshot(std::span<const std::byte> block)
{
    const auto mark = std::as_bytes(std::span(kTurned));
    const auto plain = std::as_bytes(std::span(kPlain));
    if (block.size() >= plain.size() && std::ranges::equal(block.first(plain.size()), plain))
        return unpack_bytes(block); // as all were packed once
    if (block.size() < mark.size() || !std::ranges::equal(block.first(mark.size()), mark))
        return std::nullopt;
    const std::optional<Bytes> turned = unpack_bytes(block.subspan(mark.size()));
    return turned ? std::optional(turn_back(*turned)) : std::nullopt;
}

void shuffle(std::span<const double> numbers, std::byte* to, std::size_t stride)
{
    for (const double number : numbers) {
        const auto bits = std::bit_cast<std::uint64_t>(number);
        for (std::size_t k = 0; k < sizeof(double); ++k)
            to[k * stride] = static_cast<std::byte>(bits >> (8 * k));
        ++to;
    }
}

void unshuffle(const std::byte* from, std::size_t stride, std::span<double> numbers)
{
    for (double& number : numbers) {
        std::uint64_t bits = 0;
        for (std::size_t k = 0; k < sizeof(double); ++k)
            bits |= static_cast<std::uint64_t>(from[k * stride]) << (8 * k);
        number = std::bit_cast<double>(bits);
        ++from;
    }
}

std::vector<double> gather(const FrameLayout& layout, std::int64_t index, const Frame& frame)
{
    SINEW_EXPECTS(layout.fits(frame) && layout.is_possible());
    std::vector<double> numbers(layout.number_count());
    double* at = numbers.data();
    const auto own_number = static_cast<double>(index);
    visit_numbers(own_number, frame, [&](double number) { *at++ = number; });
    return numbers;
}

Frame scatter(const FrameLayout& layout, std::span<const double> numbers)
{
    SINEW_EXPECTS(numbers.size() == layout.number_count());
    Frame frame;
    frame.objects.resize(layout.object_count);
    frame.points.resize(layout.point_count);
    frame.nodes.resize(layout.node_count);
    frame.segments.resize(layout.segment_count);
    frame.loads.resize(layout.load_count);
    frame.sections.resize(layout.section_count);
    const double* at = numbers.data();
    double own_number = 0;
    visit_numbers(own_number, frame, [&](double& number) { number = *at++; });
    return frame;
}

Bytes pack_frame(const FrameLayout& layout, std::int64_t index, const Frame& frame)
{
    const std::vector<double> numbers = gather(layout, index, frame);
    Bytes bytes(numbers.size() * sizeof(double));
    shuffle(numbers, bytes.data(), numbers.size());
    return pack_bytes(bytes);
}

std::optional<Frame> unpack_frame(const FrameLayout& layout, std::int64_t index,
                                  std::span<const std::byte> block)
{
    if (!layout.is_possible())
        return std::nullopt;
    const std::size_t size = layout.number_count() * sizeof(double);
    const std::optional<Bytes> bytes = unpack_bytes(block, size);
    if (!bytes || bytes->size() != size)
        return std::nullopt;
    std::vector<double> numbers(layout.number_count());
    unshuffle(bytes->data(), numbers.size(), numbers);
    if (numbers[0] != static_cast<double>(index))
        return std::nullopt;
    return scatter(layout, numbers);
}

} // namespace sinew::record
