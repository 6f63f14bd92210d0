#pragma once

#include "render/camera.h"
#include "sinew/render.h"

#include <span>

namespace sinew::picture {

/// Draws marks over a picture, with a pale rim; what is behind the camera is left out.
void draw_marks(std::span<const Mark> marks, const Ruler& ruler, const Lens& lens, Image& image);

} // namespace sinew::picture
