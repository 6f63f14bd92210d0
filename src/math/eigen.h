#pragma once

/// Eigen's dense types with the same bits on every processor: this header stands in the place of
/// <Eigen/Core>, and before every other header of Eigen (tools/check_sources.py).
///
/// On 64-bit ARM Eigen multiplies and adds by instructions that round once; on x86-64 without FMA,
/// for which the library is compiled, it rounds twice. -ffp-contract=off does not reach what a
/// program asks for by name, so those names mean a product and a sum while Eigen is read.

#if defined(__aarch64__)
#include <arm_neon.h>

#pragma push_macro("__ARM_FEATURE_FMA")
#undef __ARM_FEATURE_FMA // pmadd() then multiplies and adds
#define vfmaq_n_f32(c, a, b) ((c) + (a) * (b))
#define vfmaq_n_f64(c, a, b) ((c) + (a) * (b))
#define vfmaq_laneq_f32(c, a, b, lane) ((c) + (a) * (b)[lane])
#define vfmaq_laneq_f64(c, a, b, lane) ((c) + (a) * (b)[lane])
#endif

#include <Eigen/Core>

#if defined(__aarch64__)
#undef vfmaq_n_f32
#undef vfmaq_n_f64
#undef vfmaq_laneq_f32
#undef vfmaq_laneq_f64
#pragma pop_macro("__ARM_FEATURE_FMA")
#endif
