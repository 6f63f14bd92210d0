#include "models/strand/lanes/batch_step.h"
#include "models/strand/lanes/kernels.h"

namespace sinew::strand {

#ifdef SINEW_HAS_AVX512

namespace {
struct Isa;
}

const Kernel* avx512_kernel(bool is_float)
{
    static const KernelOf<Lanes<double, 8, Isa>> in_double("avx512 double × 8");
    static const KernelOf<Lanes<float, 16, Isa>> in_float("avx512 float × 16");
    return is_float ? static_cast<const Kernel*>(&in_float) : &in_double;
}

#else

const Kernel* avx512_kernel(bool) { return nullptr; }

#endif

} // namespace sinew::strand
