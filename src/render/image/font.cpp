// The font is part of the program: names are written the same on every machine, and none needs to
// be installed. SINEW_FONT is its file at build time.

#include "render/image/font.h"

// clang-format off
asm(".section .rodata\n"
    ".balign 16\n"
    ".type sinew_font_begin, @object\n"
    "sinew_font_begin:\n"
    ".incbin \"" SINEW_FONT "\"\n"
    ".type sinew_font_end, @object\n"
    "sinew_font_end:\n"
    ".byte 0\n"
    ".previous\n");
// clang-format on

extern "C" {
[[gnu::visibility("hidden")]] extern const unsigned char sinew_font_begin[], sinew_font_end[];
}

namespace sinew::picture {

std::span<const unsigned char> font_bytes() { return {sinew_font_begin, sinew_font_end}; }

} // namespace sinew::picture
