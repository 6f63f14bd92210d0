#pragma once

// The kernels by instruction set. Each is compiled by itself, for its own machine.

#include "models/strand/lanes/batch.h"

namespace sinew::strand {

const Kernel* scalar_kernel(bool is_float);
const Kernel* sse2_kernel(bool is_float); ///< none where the compiler knows no such set
const Kernel* avx2_kernel(bool is_float);
const Kernel* avx512_kernel(bool is_float);

} // namespace sinew::strand
