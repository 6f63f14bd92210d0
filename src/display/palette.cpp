// Seven colours of the set that Okabe and Ito published for diagrams (Color Universal Design, 2002;
// jfly.uni-koeln.de/color): told apart with any kind of colour blindness. Black is left out: lines
// are dark. The order puts next to each other what differs most; yellow comes last, it is the
// palest on a light ground.

#include "sinew/display.h"

#include <array>

namespace sinew {

namespace {

constexpr Vec3 bytes(int red, int green, int blue)
{
    return {red / 255.0, green / 255.0, blue / 255.0};
}

constexpr std::array kPalette = {
    bytes(213, 94, 0),    // vermillion
    bytes(0, 114, 178),   // blue
    bytes(230, 159, 0),   // orange
    bytes(0, 158, 115),   // bluish green
    bytes(204, 121, 167), // reddish purple
    bytes(86, 180, 233),  // sky blue
    bytes(240, 228, 66),  // yellow
};

} // namespace

Vec3 palette_colour(std::size_t index) { return kPalette[index % kPalette.size()]; }

} // namespace sinew
