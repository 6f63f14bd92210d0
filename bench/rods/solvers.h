#pragma once

namespace sinew::bench {

/// The solver of islands beside LAPACK's band LU with OpenBLAS and Eigen's sparse LDLᵀ, on nets;
/// and how it grows.
void print_solvers();

} // namespace sinew::bench
