// Frames as compressed blocks.
//
// A frame becomes a list of numbers, like beside like: its own number and the time; the first
// component of the transformation of every object, the second, ...; x of every point, y, z; the
// same of the nodes of strands; x, y, z, w of their segments; place, force and torque of every
// load. Then the bytes are turned: the lowest byte of every number, the next, ..., the highest.
// Signs and exponents hardly change from number to number, what stands still is constant, and zstd
// finds both. Doubles stay what they are, to the last bit.

#include "record/block.h"

#include "base/contract.h"

#include <zstd.h>

#include <bit>
#include <cstdint>

namespace sinew::record {

namespace {

constexpr int kLevel = 1; // 3 makes blocks 1 % smaller at one and a half times the cost

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
}

} // namespace

Bytes pack_bytes(std::span<const std::byte> bytes)
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

std::optional<Bytes> unpack_bytes(std::span<const std::byte> block)
{
    // The size is a claim of the file: bounded before anything is allocated.
    const unsigned long long size = ZSTD_getFrameContentSize(block.data(), block.size());
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kLargestBlock)
        return std::nullopt;
    Bytes bytes(size);
    if (ZSTD_decompress(bytes.data(), bytes.size(), block.data(), block.size()) != size)
        return std::nullopt;
    return bytes;
}

Bytes pack_frame(const FrameLayout& layout, std::int64_t index, const Frame& frame)
{
    SINEW_EXPECTS(layout.fits(frame) && layout.is_possible());
    const std::size_t count = layout.number_count();
    Bytes bytes(count * sizeof(double));
    std::byte* at = bytes.data();
    const auto own_number = static_cast<double>(index);
    visit_numbers(own_number, frame, [&](double number) {
        const auto bits = std::bit_cast<std::uint64_t>(number);
        for (std::size_t k = 0; k < sizeof(double); ++k)
            at[k * count] = static_cast<std::byte>(bits >> (8 * k));
        ++at;
    });
    return pack_bytes(bytes);
}

std::optional<Frame> unpack_frame(const FrameLayout& layout, std::int64_t index,
                                  std::span<const std::byte> block)
{
    const std::size_t count = layout.number_count();
    if (!layout.is_possible() ||
        ZSTD_getFrameContentSize(block.data(), block.size()) != count * sizeof(double))
        return std::nullopt;
    const std::optional<Bytes> bytes = unpack_bytes(block);
    if (!bytes)
        return std::nullopt;
    Frame frame;
    frame.objects.resize(layout.object_count);
    frame.points.resize(layout.point_count);
    frame.nodes.resize(layout.node_count);
    frame.segments.resize(layout.segment_count);
    frame.loads.resize(layout.load_count);
    const std::byte* at = bytes->data();
    double own_number = 0;
    visit_numbers(own_number, frame, [&](double& number) {
        std::uint64_t bits = 0;
        for (std::size_t k = 0; k < sizeof(double); ++k)
            bits |= static_cast<std::uint64_t>(at[k * count]) << (8 * k);
        number = std::bit_cast<double>(bits);
        ++at;
    });
    if (own_number != static_cast<double>(index))
        return std::nullopt;
    return frame;
}

} // namespace sinew::record
