#include "models/strand/lanes/batch_step.h"
#include "models/strand/lanes/kernels.h"

namespace sinew::strand {

const Kernel* scalar_kernel(bool is_float)
{
    static const KernelOf<double> in_double("scalar double");
    static const KernelOf<float> in_float("scalar float");
    return is_float ? static_cast<const Kernel*>(&in_float) : &in_double;
}

} // namespace sinew::strand
