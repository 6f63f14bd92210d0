#include "models/strand/lanes/batch_step.h"
#include "models/strand/lanes/kernels.h"

namespace sinew::strand {

#ifdef SINEW_HAS_SSE2

namespace {
struct Isa;
}

const Kernel* sse2_kernel(bool is_float)
{
    static const KernelOf<Lanes<double, 2, Isa>> in_double("sse2 double × 2");
    static const KernelOf<Lanes<float, 4, Isa>> in_float("sse2 float × 4");
    return is_float ? static_cast<const Kernel*>(&in_float) : &in_double;
}

#else

const Kernel* sse2_kernel(bool) { return nullptr; }

#endif

} // namespace sinew::strand
