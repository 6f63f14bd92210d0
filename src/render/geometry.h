#pragma once

// Elements as lists that Embree takes: spheres, straight and smooth round pieces, triangles.

#include "render/shapes.h"
#include "render/stage.h"

#include <array>
#include <cstdint>
#include <vector>

namespace sinew::picture {

/// A point and the radius there, as Embree wants them.
struct RoundPoint {
    float x, y, z, radius;
};

/// Round things of one kind. `starts[i]` is the first point of piece i, `looks[i]` how it looks.
struct RoundPieces {
    std::vector<RoundPoint> points;
    std::vector<std::uint32_t> starts, looks;
};

struct Faces {
    std::vector<Vec> vertices, normals;
    std::vector<std::array<std::uint32_t, 3>> corners;
    std::vector<std::uint32_t> looks;
};

struct Look {
    Vec colour; ///< linear
    std::uint32_t object = Image::kNothing;
};

/// A plane: points x with dot(normal, x) = offset.
struct Plane {
    Vec normal;
    float offset = 0;
    std::uint32_t look = 0;
};

struct Geometry {
    RoundPieces spheres, lines, curves;
    Faces faces;
    std::vector<Plane> planes;
    std::vector<Look> looks;
};

Geometry make_geometry(const Ruler& ruler, const Display& display, const DisplayFrame& frame,
                       const RenderOptions& options);

} // namespace sinew::picture
