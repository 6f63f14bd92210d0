#pragma once

namespace sinew::bench {

/// Piles that land, tumble and are hit, ours and Bullet's, as a table: time of a step, the longest
/// ones, overlap by the exact shapes at every step, memory.
void print_motion();

} // namespace sinew::bench
