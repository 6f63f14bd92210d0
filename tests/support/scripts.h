#pragma once

#include <cstdint>
#include <string>

namespace sinew::test {

/// A sound script of random statements in a random layout: white space, line ends and comments
/// wherever they may stand. The same seed gives the same script.
std::string make_script(std::uint32_t seed);

} // namespace sinew::test
