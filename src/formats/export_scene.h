#pragma once

// What every format says, whatever its words: bodies that stand on poses, curves and plates whose
// points move. Made once from a display; placed in each frame, in the axes and units of the file.

#include "render/shapes.h"
#include "sinew/display.h"
#include "sinew/export.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace sinew::formats {

using picture::Triangles;

constexpr std::uint32_t kNone = 0xffffffff;

struct ExportShape {
    std::string name;
    Triangles triangles; ///< normals of unit length
};

/// Something that stands on a pose. Without a shape: a named point.
struct ExportBody {
    enum class Pose : std::uint8_t { object, turned, plane, spring, camera };

    std::string name;
    std::uint32_t shape = kNone;
    std::uint32_t colour = 0;
    Pose pose = Pose::object;
    std::uint32_t source = 0; ///< object; pose of the display; first of two points of it
};

/// Points that move one by one: a curve, or the outline of a plate.
struct ExportCurve {
    std::string name;
    std::uint32_t first = 0, count = 0; ///< of ExportFrame::points
    std::uint32_t display_first = 0;    ///< of DisplayFrame::points
    std::uint32_t colour = 0;
    std::uint32_t group = 0;
    std::uint32_t node = kNone;    ///< of Frame::nodes, where segments have frames
    std::uint32_t segment = kNone; ///< of Frame::segments
    std::uint32_t hair = kNone;    ///< of the display's hairs, where it is one
    bool is_closed = false;
};

/// Curves that one thing of the file holds together.
struct ExportGroup {
    std::string name;
    std::uint32_t colour = 0;
    bool is_closed = false;
    std::uint32_t first_curve = 0, curve_count = 0;
    std::uint32_t first_point = 0, point_count = 0;
};

/// A flat outline whose corners move, filled; two layers of corners.
struct ExportPlate {
    ExportCurve outline;
    double half_thickness = 0;
    std::vector<std::array<std::uint32_t, 3>> triangles; ///< upper corners 0..n−1, lower n..2n−1
};

struct ExportScene {
    Display display;
    std::vector<ExportShape> shapes;
    std::vector<Vec3> colours; ///< sRGB
    std::vector<Look> looks;   ///< of each colour: one with another look is another
    std::vector<ExportBody> bodies;
    std::vector<ExportGroup> groups;
    std::vector<ExportCurve> curves; ///< group by group
    std::vector<ExportPlate> plates;
    std::vector<double> radii; ///< of the points of curves, in the file's units
    std::size_t point_count = 0;
    ExportOptions options;
};

struct ExportFrame {
    std::int64_t index = 0;    ///< of the source; before and behind it too
    std::vector<Affine> poses; ///< of bodies
    std::vector<Vec3> points;  ///< of curves, then plates
    std::vector<Vec3> normals; ///< of points, unit length: across the curve, of the plate
    HairCurves hairs = {};     ///< memory from frame to frame
};

/// What a scene shows: things and labels, without constraints and axes.
/// `has_hairs`: hairs, where there are any, stand for the strands that guide them.
ExportScene make_export_scene(const Scene& scene, const Frame& first, const ExportOptions& options,
                              bool has_hairs = false);

/// Fills `out`, whose normals may be those of the frame before: then they change no more than the
/// curves make them. `scratch` keeps its memory from frame to frame.
void place_exported(const ExportScene& exported, const Scene& scene, const Frame& frame,
                    DisplayFrame& scratch, ExportFrame& out);

/// The frame as far before `near` as `far` is behind it: points go straight, poses turn on.
ExportFrame extrapolate(const ExportFrame& near, const ExportFrame& far);

/// Into the axes of the file: where z is up, x stays and y becomes z.
Vec3 turn_up(const Vec3& x, UpAxis up);

/// Every corner of a frame, in the world: those of shapes body by body, points of curves, plates.
void add_corners(const ExportScene& exported, const ExportFrame& frame, std::vector<Vec3>& out);

/// The corners of a plate in a frame, as ExportPlate::triangles counts them.
std::vector<Vec3> plate_corners(const ExportPlate& plate, const ExportFrame& frame);

/// A tube along points, open ends closed by discs; radii of points, or one for all.
Triangles make_tube(const std::vector<Vec3>& points, const std::vector<double>& radii,
                    bool is_closed, int sides);

/// The direction of a curve at a point, of unit length; y where it has none.
Vec3 tangent_at(const Vec3* points, std::uint32_t count, std::uint32_t i, bool is_closed);

/// Some direction across a unit vector; of two nearly equal vectors nearly the same.
Vec3 any_across(const Vec3& direction);

/// A float for files; what is not finite or too large becomes the nearest float, or 0.
float to_float(double value);

} // namespace sinew::formats
