#pragma once

namespace sinew::bench {

/// How the paper's method converges on sparse, random and structured stacks (examples/*_stack), and
/// what shock propagation does there: CSV lines `theta,STACK,ITERATION,VALUE` and
/// `shock,STACK,SHOCK,SUNK,OVERLAP,THETA`.
void print_convergence();

} // namespace sinew::bench
