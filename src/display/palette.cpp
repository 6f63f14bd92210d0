// Seven colours of the set that Okabe and Ito published for diagrams (Color Universal Design, 2002;
// jfly.uni-koeln.de/color): told apart with any kind of colour blindness. Black is left out: lines
// are dark. The order puts next to each other what differs most; yellow comes last, it is the
// palest on a light ground.

#include "sinew/display.h"

#include <algorithm>
#include <array>

namespace sinew {

namespace {

constexpr Vec3 bytes(int red, int green, int blue)
{
    return {red / 255.0, green / 255.0, blue / 255.0};
}

constexpr std::array kPalette = {
    bytes(213, 94, 0),    // vermilion
    bytes(0, 114, 178),   // blue
    bytes(230, 159, 0),   // orange
    bytes(0, 158, 115),   // bluish green
    bytes(204, 121, 167), // reddish purple
    bytes(86, 180, 233),  // sky blue
    bytes(240, 228, 66),  // yellow
};

/// Viridis (van der Walt and Smith, matplotlib 2015, in the public domain) at eighths: even steps
/// of lightness, so the order is seen without colours too.
constexpr std::array kRamp = {
    bytes(68, 1, 84),    bytes(71, 45, 123),  bytes(59, 82, 139),
    bytes(44, 114, 142), bytes(33, 145, 140), bytes(40, 174, 128),
    bytes(94, 201, 98),  bytes(173, 220, 48), bytes(253, 231, 37),
};

constexpr Vec3 kFlying = bytes(205, 207, 210);

} // namespace

Vec3 palette_colour(std::size_t index) { return kPalette[index % kPalette.size()]; }

Vec3 layer_colour(int layer, int top)
{
    if (layer < 1)
        return kFlying;
    const double part = top > 1 ? double(std::min(layer, top) - 1) / (top - 1) : 0;
    const double at = part * (kRamp.size() - 1);
    const auto i = std::min(std::size_t(at), kRamp.size() - 2);
    return kRamp[i] + (kRamp[i + 1] - kRamp[i]) * (at - double(i));
}

void colour_layers(std::span<const int> layers, int top, Display& display)
{
    for (Element& element : display.elements)
        if (element.body < layers.size() && layers[element.body] != 0)
            element.colour = layer_colour(layers[element.body], top);
}

} // namespace sinew
