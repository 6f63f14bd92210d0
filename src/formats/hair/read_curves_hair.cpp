// C. Yuksel's HAIR files: a head of 128 bytes, then the arrays that its bits name.

#include "formats/read_curves.h"

#include <cstring>

namespace sinew {

namespace {

template <class T>
T value_at(std::string_view bytes, std::size_t place)
{
    T out;
    std::memcpy(&out, bytes.data() + place, sizeof out);
    return out;
}

Problem fault(const std::string& name, std::string what, std::string hint)
{
    return {.code = "curves-hair",
            .place = {.file = name},
            .what = std::move(what),
            .hint = std::move(hint)};
}

} // namespace

Result<CurveSet> read_curves_hair(const std::string& name, std::string_view bytes)
{
    constexpr std::size_t kHead = 128;
    constexpr std::uint32_t kHasSegments = 1, kHasPoints = 2;
    if (bytes.size() < kHead || bytes.substr(0, 4) != "HAIR")
        return fault(name, "it does not begin as .hair files do", "give a HAIR file");
    const auto strands = value_at<std::uint32_t>(bytes, 4),
               points = value_at<std::uint32_t>(bytes, 8);
    const auto arrays = value_at<std::uint32_t>(bytes, 12),
               segments = value_at<std::uint32_t>(bytes, 16);
    const std::uint64_t lists = (arrays & kHasSegments) != 0 ? 2 * std::uint64_t{strands} : 0;
    if ((arrays & kHasPoints) == 0)
        return fault(name, "it has no points", "export it with its points");
    if (kHead + lists + 12 * std::uint64_t{points} > bytes.size())
        return fault(name,
                     "it says that it has " + std::to_string(strands) + " strands of " +
                         std::to_string(points) + " points, and ends before them",
                     "the file is cut off or damaged: export it again");
    CurveSet out;
    std::uint64_t all = 0;
    for (std::uint32_t i = 0; i < strands && all <= points; ++i) {
        const std::uint32_t pieces =
            lists > 0 ? value_at<std::uint16_t>(bytes, kHead + 2 * std::size_t{i}) : segments;
        out.counts.push_back(pieces + 1);
        all += std::uint64_t{pieces} + 1;
    }
    if (all != points)
        return fault(name,
                     "its strands need " + std::to_string(all) + " points or more, it has " +
                         std::to_string(points),
                     "the file is damaged: export it again");
    for (std::uint32_t i = 0; i < points; ++i) {
        const std::size_t place = kHead + lists + 12 * std::size_t{i};
        const Vec3 x{value_at<float>(bytes, place), value_at<float>(bytes, place + 4),
                     value_at<float>(bytes, place + 8)};
        if (!is_finite(x))
            return fault(name, "point " + std::to_string(i + 1) + " is not finite",
                         "export it again");
        out.points.push_back(x);
    }
    return out;
}

} // namespace sinew
