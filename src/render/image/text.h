#pragma once

#include "render/camera.h"
#include "sinew/render.h"

#include <span>

namespace sinew::picture {

/// Writes captions over a picture: beside their places, off each other where there is room.
void draw_captions(std::span<const Caption> captions, const Ruler& ruler, const Lens& lens,
                   Image& image);

/// Draws a bar of colours at the lower right of a picture, with what it means.
void draw_legend(const Legend& legend, Image& image);

} // namespace sinew::picture
