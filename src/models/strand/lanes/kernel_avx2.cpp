#include "models/strand/lanes/batch_step.h"
#include "models/strand/lanes/kernels.h"

namespace sinew::strand {

#ifdef SINEW_HAS_AVX2

namespace {
struct Isa;
}

const Kernel* avx2_kernel(bool is_float)
{
    static const KernelOf<Lanes<double, 4, Isa>> in_double("avx2 double × 4");
    static const KernelOf<Lanes<float, 8, Isa>> in_float("avx2 float × 8");
    return is_float ? static_cast<const Kernel*>(&in_float) : &in_double;
}

#else

const Kernel* avx2_kernel(bool) { return nullptr; }

#endif

} // namespace sinew::strand
