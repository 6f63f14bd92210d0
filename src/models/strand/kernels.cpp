#include "models/strand/kernels.h"

#include <cstdint>

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
