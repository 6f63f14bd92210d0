#include "models/strand/lanes/kernels.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace sinew::strand {

std::byte* Storage::aligned(std::size_t size)
{
    constexpr std::size_t kLine = 64;
    const std::size_t needed = size + kLine;
    if (bytes.size() < needed)
        bytes.resize(needed);
    const auto first = reinterpret_cast<std::uintptr_t>(bytes.data());
    return reinterpret_cast<std::byte*>((first + kLine - 1) / kLine * kLine);
}

namespace {

bool can_run(InstructionSet set)
{
#if defined(__x86_64__)
    switch (set) {
    case InstructionSet::avx512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl");
    case InstructionSet::avx2: return __builtin_cpu_supports("avx2");
    default: return true;
    }
#else
    return set == InstructionSet::scalar;
#endif
}

} // namespace

std::size_t TouchPlan::set(const Topology& tree, std::span<const Rider> riders)
{
    first.assign(static_cast<std::size_t>(tree.count) + 1, 0);
    if (std::ranges::all_of(riders, [](const Rider& rider) { return rider.touches.empty(); }))
        return 0;
    for (const Rider& rider : riders)
        for (std::size_t i = 0, same = 0; i < rider.touches.size(); ++i) {
            const int segment = rider.touches[i].segment;
            same = i > 0 && rider.touches[i - 1].segment == segment ? same + 1 : 1;
            int& most = first[static_cast<std::size_t>(segment) + 1];
            most = std::max(most, static_cast<int>(same));
        }
    std::partial_sum(first.begin(), first.end(), first.begin());
    return static_cast<std::size_t>(first.back());
}

const Kernel* find_kernel(InstructionSet set, bool is_float)
{
    if (!can_run(set))
        return nullptr;
    switch (set) {
    case InstructionSet::avx512: return avx512_kernel(is_float);
    case InstructionSet::avx2: return avx2_kernel(is_float);
    case InstructionSet::sse2: return sse2_kernel(is_float);
    default: return scalar_kernel(is_float);
    }
}

const Kernel& best_kernel(bool is_float)
{
    for (const InstructionSet set :
         {InstructionSet::avx512, InstructionSet::avx2, InstructionSet::sse2})
        if (const Kernel* kernel = find_kernel(set, is_float))
            return *kernel;
    return *scalar_kernel(is_float);
}

} // namespace sinew::strand
