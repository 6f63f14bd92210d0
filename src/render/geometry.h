#pragma once

// Elements as lists that Embree takes: spheres, straight and smooth round pieces, flat hairs,
// triangles.

#include "render/image/paint.h"
#include "render/ray_scene.h"
#include "render/shapes.h"

#include <array>
#include <cstdint>
#include <vector>

namespace sinew::picture {

/// A point and the radius there, as Embree wants them.
struct RoundPoint {
    float x, y, z, radius;
};

inline Vec middle_of(const RoundPoint& p) { return {p.x, p.y, p.z}; }

/// Round things of one kind. `starts[i]` is the first point of piece i, `paints[i]` how it looks.
/// Of smooth curves, each point has its place along the curve and a direction across it that turns
/// with the section.
struct RoundPieces {
    std::vector<RoundPoint> points;
    std::vector<std::uint32_t> starts, paints;
    std::vector<float> alongs;
    std::vector<Vec> sides;
};

struct Faces {
    std::vector<Vec> vertices, normals;
    std::vector<std::array<std::uint32_t, 3>> corners;
    std::vector<std::uint32_t> paints;
};

/// A plane: points x with dot(normal, x) = offset.
struct Plane {
    Vec normal;
    float offset = 0;
    std::uint32_t paint = 0;
};

struct Geometry {
    RoundPieces spheres, lines, curves, hairs;
    Faces faces;
    std::vector<Plane> planes;
    std::vector<Paint> paints;
};

Geometry make_geometry(const Ruler& ruler, const Display& display, const DisplayFrame& frame,
                       const RenderOptions& options);

/// Whether one is the other at another moment: every list as long.
bool have_same_pieces(const Geometry& a, const Geometry& b);

} // namespace sinew::picture
