#pragma once

#include <cstddef>
#include <span>

namespace sinew::picture {

/// DejaVu Sans, as built into the program.
std::span<const unsigned char> font_bytes();

} // namespace sinew::picture
