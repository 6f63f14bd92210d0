#pragma once

#include <cstddef>

namespace sinew::bench {

/// Time and memory against the number of bodies, from 100 to `most`, ours and Bullet's, as a table
/// with the exponents of the time against the contacts.
void print_scaling(std::size_t most);

} // namespace sinew::bench
