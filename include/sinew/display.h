#pragma once

// How a scene looks: elements that stay, and the numbers of each frame. Pictures and the viewer
// draw the same elements, so what can be seen is decided in one place.

#include "sinew/frame.h"
#include "sinew/look.h"
#include "sinew/math.h"
#include "sinew/scene.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

/// What an element is made of. Those above `box` stand on points, the others on a pose.
enum class ElementKind : std::uint8_t {
    sphere,   ///< one point
    curve,    ///< points joined by round pieces
    spring,   ///< two points: a coil between them
    polygon,  ///< a flat outline, filled, seen from both sides; radius: half its thickness
    surface,  ///< triangles of Display::meshes whose corners are the points
    box,      ///< size: full lengths
    capsule,  ///< along y: radius, size.y the straight part
    cylinder, ///< along y: radius, size.y
    cone,     ///< along y: radius at the foot, size.y
    plane,    ///< the ground: through the pose's origin, normal y
    mesh      ///< triangles of Display::meshes: hulls and surfaces; size: around them
};

/// What people switch on and off.
enum class ElementRole : std::uint8_t {
    thing,      ///< always there
    constraint, ///< a constraint, drawn over what it holds
    label,      ///< a named point without mass
    frame,      ///< three axes of an object or of a strand's segment: curves of red, green and
                ///< blue; for no more than some hundred of them
    twist,      ///< a line along a strand, where its section's x points: it shows how it is twisted
    mount       ///< what holds things: hooks, eyes and pins; seen in pictures
};

struct Element {
    ElementKind kind = ElementKind::sphere;
    ElementRole role = ElementRole::thing;
    ObjectId object = {};    ///< what is selected when it is clicked
    Vec3 colour = {0, 0, 0}; ///< sRGB, 0 to 1
    Look look = {};
    double radius = 0;                     ///< [m]: of a sphere, round line, coil, capsule, ...
    Vec3 size = {0, 0, 0};                 ///< [m]: as ElementKind says
    std::uint32_t first = 0;               ///< point of DisplayFrame::points, or pose
    std::uint32_t count = 1;               ///< of points
    std::uint32_t mesh = 0xffffffff;       ///< of Display::meshes
    std::uint32_t constraint = 0xffffffff; ///< number among distance, then path constraints
    std::uint32_t body = 0xffffffff;       ///< of Scene::bodies, where the element is its shape
    std::uint32_t radii = 0xffffffff;      ///< of a tapered curve: its first in Display::radii
    int turns = 0;                         ///< of a spring
    bool is_closed = false;                ///< a curve that ends where it began
    bool is_obstacle = false;              ///< hairs are kept out of it
    bool is_guide = false;                 ///< hairs stand for it where they are drawn
};

/// Of a plane without a colour.
constexpr Vec3 kGroundColour = {0.80, 0.81, 0.83};

struct DisplayMesh {
    std::vector<Vec3> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// A hair that is drawn and not simulated: the weighted mean of up to three strands, gathered at
/// the first of them, with a noise of its own.
struct Hair {
    std::array<std::uint32_t, 3> guides = {}; ///< elements: curves of as many points
    std::array<float, 3> weights = {};        ///< their sum is 1
    float length = 1;                         ///< the part of the guides that it has
    float spread_x = 0, spread_z = 0;         ///< [m]: about the first guide's root, across it
    std::uint32_t seed = 0;
};

/// Hairs that are guided and look alike.
struct HairGroup {
    Children how = {};
    ObjectId object = {};
    Vec3 colour = {0, 0, 0}; ///< sRGB, 0 to 1
    Look look = {};
    double radius = 0;  ///< [m]: at the root
    double spacing = 0; ///< [m]: from one guide to the next
    std::vector<Hair> hairs = {};
};

/// The hairs of one frame: curve i has the points from starts[i] to starts[i + 1].
struct HairCurves {
    std::vector<Vec3> points;
    std::vector<float> radii; ///< [m]: of each point
    std::vector<std::uint32_t> starts;
    std::vector<std::uint32_t> groups; ///< of each curve: its number in Display::hair_groups
};

/// How points or a pose of a DisplayFrame are found in a Frame, in their order.
struct DisplaySource {
    enum class Kind : std::uint8_t {
        origin,    ///< of object `index`
        drawing,   ///< Frame::points from `index` on
        path,      ///< of scene.paths[index]
        beginning, ///< of object `index`: where its transformation `part` starts from
        axis,      ///< the tip of axis `part` of object `index`
        pose,      ///< of object `index`
        plane,     ///< a pose too: of scene.shapes[index], its normal along y
        joint,     ///< end `part` of scene.joints[index], which keeps a distance
        nodes,     ///< Frame::nodes from `index` on
        stripe,    ///< beside these nodes, of scene.strands[part]: on the surface along x
        segment,   ///< the middle of the segment from node `index` on, of scene.strands[part / 4];
                   ///< or the tip of its axis: part % 4 = 0, 1, 2 (3: the middle)
        corners,   ///< of scene.shapes[index], which scene.mesh_motions[part] moves
        attached,  ///< to object `index`: Display::offsets from `part` on, in its frame
        beside     ///< scene.paths[index], a point: Display::offsets from `part` on, about it
    };

    Kind kind = Kind::origin;
    std::uint32_t index = 0;
    std::uint32_t part = 0;
    std::uint32_t count = 1; ///< of points
};

/// What stays from frame to frame.
struct Display {
    std::vector<Element> elements;
    std::vector<DisplaySource> sources;
    std::vector<DisplayMesh> meshes;
    std::vector<double> radii; ///< of strands at the start, as Frame::nodes [m]
    std::vector<Vec3> offsets; ///< [m]: of mounts
    std::vector<HairGroup> hair_groups;
    std::size_t point_count = 0;
    std::size_t pose_count = 0;
    double unit = 1; ///< [m]: the size of small things, a hundredth of the whole
};

/// What changes.
struct DisplayFrame {
    double time = 0;
    std::vector<Vec3> points;
    std::vector<Affine> poses;
};

struct Bounds {
    Vec3 low = {1, 1, 1}, high = {-1, -1, -1}; ///< empty at first

    bool is_empty() const { return low.x > high.x; }
};

/// The elements of a scene; `first` is its first frame, which decides how large small things are.
Display make_display(const Scene& scene, const Frame& first);

/// Their points and poses in a frame of the scene, into `out`. Allocates nothing when `out` held a
/// frame of this display before, unless paths move that no drawing shows.
void place_display(const Scene& scene, const Display& display, const Frame& frame,
                   DisplayFrame& out);

/// Hairs about every strand of the scene, which then are guides, instead of those that its script
/// wants; `first` as for make_display.
void add_hairs(const Scene& scene, const Frame& first, const Children& how, Display& display);

/// The hairs of a frame, kept out of things of the display that are obstacles, into `out`.
void place_hairs(const Display& display, const DisplayFrame& frame, HairCurves& out);

/// The box around all things and labels but planes, thickness included. Empty when there are none,
/// and without what is not finite.
Bounds bounds_of(const Display& display, const DisplayFrame& frame);

/// Colours that people with any kind of colour blindness tell apart, given out in turn to objects
/// without a colour of their own.
Vec3 palette_colour(std::size_t index);

/// The colour of a stack height from 1 to `top` (World::layers): from dark violet to yellow in even
/// steps that people with any kind of colour blindness see too; grey for what flies.
Vec3 layer_colour(int layer, int top);

/// Gives the shapes of bodies the colours of their layers; what is fixed keeps its own.
void colour_layers(std::span<const int> layers, int top, Display& display);

} // namespace sinew
