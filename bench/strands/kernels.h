#pragma once

#include <string>
#include <vector>

namespace sinew::bench {

/// One way of solving the stages of strands.
struct KernelTime {
    std::string name;
    int segments = 0;
    bool is_tree = false;
    double exact = 0, symmetric = 0; ///< a Newton iteration, for a segment of a strand [ns]
    double whole = 0;                ///< a step with the exact matrix, divided by its solves [ns]
    double peak_share = 0;           ///< of operations in an exact iteration
};

/// Instruction sets that run here, both precisions; `peaks` as find_peak gives them.
std::vector<KernelTime> time_kernels(int segments, bool is_tree);

/// A strand by itself: seconds for a step of 1/240 s, of a chain as the rivals have it.
double time_one_step(int segments);

/// Fused multiply-adds at full speed, one thread, counted as two operations each [1/s].
double find_peak(bool is_float);

} // namespace sinew::bench
