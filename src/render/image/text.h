#pragma once

#include "render/camera.h"
#include "sinew/render.h"

#include <span>

namespace sinew::picture {

/// Writes captions over a picture: beside their places, off each other where there is room.
void draw_captions(std::span<const Caption> captions, const Ruler& ruler, const Lens& lens,
                   Image& image);

} // namespace sinew::picture
