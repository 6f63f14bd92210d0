#pragma once

// Pictures: a display drawn by ray tracing, with soft light and a floor that takes shadows.
// The same display and options give the same bits for any number of threads.

#include "sinew/display.h"
#include "sinew/error.h"
#include "sinew/math.h"
#include "sinew/scene.h"
#include "sinew/world.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinew {

struct Image {
    static constexpr std::uint32_t kNothing = 0xffffffff;

    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;     ///< sRGB, alpha not multiplied in; rows from the top
    std::vector<std::uint32_t> objects; ///< which object the middle of each pixel shows
    std::vector<float> light;           ///< linear, red, green, blue of each pixel, if wanted
    std::uint64_t ray_count = 0;        ///< what it cost
};

/// Words beside a place.
struct Caption {
    Vec3 place = {0, 0, 0};
    std::string text; ///< UTF-8
};

struct Arrow {
    Vec3 from = {0, 0, 0}, to = {0, 0, 0};
    Vec3 colour = {0, 0, 0}; ///< sRGB, 0 to 1
    ObjectId object = {};
};

/// Where something came from: a line that thins out towards its beginning.
struct Trail {
    std::vector<Vec3> points;
    Vec3 colour = {0, 0, 0}; ///< sRGB, 0 to 1
    double radius = 0;       ///< [m], at the end
};

/// A dot with a needle, drawn over the picture: seen through what hides its place.
struct Mark {
    Vec3 place = {0, 0, 0}, tip = {0, 0, 0};
    Vec3 colour = {0, 0, 0}; ///< sRGB, 0 to 1
};

/// What rods are coloured by.
enum class RodLoad : std::uint8_t { tension, bending, twist };

/// A bar of the colours of a scale, drawn over the picture, with the numbers at its ends.
struct Legend {
    std::string title, low, high; ///< UTF-8
};

/// A scale from `low`, violet, to `high`, yellow. What lies outside has the colour of the end.
struct LoadScale {
    RodLoad load = RodLoad::tension;
    double low = 0, high = 1; ///< [N], or [N m]

    Vec3 colour(double value) const; ///< sRGB, 0 to 1
};

struct RenderOptions {
    static constexpr int kLargestSize = 16384;

    int width = 1280, height = 720;   ///< pixels, 1 to kLargestSize
    Camera camera = {};               ///< as make_camera, or the script's
    std::optional<double> floor = {}; ///< its height [m]; not drawn when seen from below
    int samples = 12;                 ///< for each pixel that needs them; edges get more
    bool is_denoised = true;          ///< light that few rays bring is smoothed within surfaces
    bool is_transparent = false;      ///< no background; the floor keeps its shadows
    bool wants_light = false;         ///< Image::light too
    Studio studio = {};               ///< sky, floor, light and lens
    /// Where things are when the shutter closes: what moves is blurred. Null: a moment.
    const DisplayFrame* shutter_end = nullptr;
    /// Called now and then with the part that is done, from one thread at a time; false stops, and
    /// the image has no pixels.
    std::function<bool(double)> on_progress = {};
    bool shows_constraints = false; ///< elements of that role too
    bool shows_axes = false;
    bool shows_twist = false; ///< lines along strands
    double thickness = 1;     ///< factor on the radii of strands
    int threads = 1;
    std::vector<Caption> captions = {};
    std::vector<Arrow> arrows = {};
    std::vector<Trail> trails = {};
    std::vector<Mark> marks = {};
    /// sRGB of each of DisplayFrame::points, for smooth curves; x < 0: that of its element. Empty:
    /// none has a colour of its own.
    std::vector<Vec3> point_colours = {};
    std::optional<Legend> legend = {};
};

/// Requires a camera that looks somewhere, sizes in their limits and samples > 0.
Image render(const Display& display, const DisplayFrame& frame, const RenderOptions& options);

/// What of a studio a picture without rays can show: linear colours, and where the sun is.
struct StudioHues {
    Vec3 sky_low = {0, 0, 0}, sky_high = {0, 0, 0}, floor = {0, 0, 0};
    Vec3 to_sun = {0, 1, 0}; ///< a unit vector
};
StudioHues hues_of(const Studio& studio);

/// A camera that has all of the box in view, from the front (z), a little above and aside: flat
/// mechanisms stay readable. `aspect` is width over height.
Camera make_camera(const Bounds& bounds, double aspect);

/// The height of the ground, where the scene has a level plane that says nothing of its looks: the
/// floor stands for it. The highest of them.
std::optional<double> find_ground(const Display& display, const DisplayFrame& frame);

/// The box around two boxes, either of which may be empty.
Bounds join(const Bounds& a, const Bounds& b);

/// Forces as arrows from where they act. `scale`: metres for a newton.
std::vector<Arrow> make_arrows(std::span<const ActingForce> forces, const Frame& frame,
                               double scale);

/// Contacts as marks at their places, needles of a length along their normals [m].
std::vector<Mark> make_marks(std::span<const Contact> contacts, double length);

/// What the nodes of rods carry: tension [N], or the size of a moment [N m].
std::vector<double> rod_loads(const Frame& frame, RodLoad load);

/// RenderOptions::point_colours of a frame: rods by what they carry. Empty where that is not known.
std::vector<Vec3> colour_rods(const Display& display, const Frame& frame, const LoadScale& scale);

/// The names of all objects that have an element of their own, beside them.
std::vector<Caption> make_captions(const Scene& scene, const Display& display,
                                   const DisplayFrame& frame);

/// Writes an OpenEXR file of half floats: light without a tone curve, and opacity. Requires
/// Image::light.
Problems write_exr(const std::string& path, const Image& image);

/// Writes a PNG file; afterwards it is whole, or not there and the problem says why.
Problems write_png(const std::string& path, const Image& image);

/// The bytes of such a file.
Result<std::string> encode_png(const Image& image);

} // namespace sinew
