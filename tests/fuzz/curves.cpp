// Files of curves gone mad: each ends in curves whose numbers can be used, or in problems that say
// where and what to do. The first byte chooses the kind of file.

#include "sinew/curves.h"
#include "fuzz.h"

#include <numeric>

using namespace sinew;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    if (size == 0)
        return 0;
    constexpr const char* kNames[] = {"c.obj", "c.csv", "c.hair", "c.usda", "c.usdc"};
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    const Result<CurveSet> curves = read_curves(kNames[data[0] % 5], bytes);
    if (!curves) {
        fuzz::require(!curves.problems().empty(), "no curves without a reason");
        for (const Problem& problem : curves.problems())
            fuzz::require(!problem.what.empty() && !problem.hint.empty() &&
                              !problem.place.file.empty(),
                          "a problem says where, what and what to do");
        return 0;
    }
    fuzz::require(std::accumulate(curves->counts.begin(), curves->counts.end(), std::size_t{0}) ==
                      curves->points.size(),
                  "every point belongs to a curve");
    for (const std::uint32_t count : curves->counts)
        fuzz::require(count >= 2, "a curve has two points or more");
    for (const Vec3& point : curves->points)
        fuzz::require(is_finite(point), "points are places");
    return 0;
}
