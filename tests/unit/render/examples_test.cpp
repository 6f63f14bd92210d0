// Every example, drawn small: everything that has a name and a body is seen, and the picture is
// neither empty nor dark nor flat.

#include "sinew/language.h"
#include "sinew/render.h"
#include "sinew/world.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

using namespace sinew;

namespace {

namespace fs = std::filesystem;

constexpr int kWidth = 256, kHeight = 144, kLargest = 8;

struct Shot {
    Scene scene;
    Display display;
    DisplayFrame frame;
    Bounds motion;
};

/// The start and the frames of the first second; drawn is the last.
Shot shoot(const fs::path& script)
{
    Shot shot;
    shot.scene = read_script_file(script.string()).scene;
    World world = *World::create(shot.scene);
    shot.display = make_display(shot.scene, world.frame());
    for (int i = 0; i <= 6; ++i) {
        world.advance(shot.scene.settings.start + i / 12.0);
        place_display(shot.scene, shot.display, world.frame(), shot.frame);
        shot.motion = join(shot.motion, bounds_of(shot.display, shot.frame));
    }
    return shot;
}

RenderOptions small_picture(const Shot& shot)
{
    RenderOptions options;
    options.width = kWidth;
    options.height = kHeight;
    options.samples = 4;
    options.camera = make_camera(shot.motion, double(kWidth) / kHeight);
    options.floor = shot.motion.low.y - 0.3 * shot.display.unit;
    return options;
}

/// Larger where the smallest sphere would fall between the pixels.
void enlarge(const Shot& shot, RenderOptions& options)
{
    double smallest = 1e300;
    for (const Element& element : shot.display.elements)
        if (element.kind == ElementKind::sphere && element.role == ElementRole::thing)
            smallest = std::min(smallest, element.radius);
    const double pixel = length(shot.motion.high - shot.motion.low) / kWidth;
    const int factor = std::clamp(int(std::ceil(pixel / smallest)), 1, kLargest);
    options.width *= factor;
    options.height *= factor;
    options.samples = factor == 1 ? options.samples : 1;
}

/// Objects that must be seen: those with a body, unless another lies in the same place. Bodies in
/// a heap or a silo hide each other.
std::set<std::uint32_t> visible_objects(const Shot& shot)
{
    std::set<std::uint32_t> objects;
    if (!shot.scene.bodies.empty())
        return objects;
    std::vector<Vec3> taken;
    for (const Element& element : shot.display.elements) {
        if (element.role != ElementRole::thing || element.kind != ElementKind::sphere)
            continue;
        const Vec3 x = shot.frame.points[element.first];
        const bool is_free = std::none_of(taken.begin(), taken.end(), [&](const Vec3& y) {
            return length(x - y) < 2 * element.radius;
        });
        taken.push_back(x);
        if (is_free)
            objects.insert(element.object.index);
    }
    return objects;
}

struct Statistics {
    double mean = 0, deviation = 0, things = 0; ///< luminance of 0 to 1; share of the picture
};

Statistics statistics_of(const Image& image)
{
    Statistics s;
    double squares = 0;
    const double count = double(image.objects.size());
    for (std::size_t i = 0; i < image.objects.size(); ++i) {
        const double y = (0.2126 * image.rgba[4 * i] + 0.7152 * image.rgba[4 * i + 1] +
                          0.0722 * image.rgba[4 * i + 2]) /
                         255;
        s.mean += y / count;
        squares += y * y / count;
        s.things += image.objects[i] == Image::kNothing ? 0 : 1 / count;
    }
    s.deviation = std::sqrt(std::max(0.0, squares - s.mean * s.mean));
    return s;
}

std::vector<fs::path> examples()
{
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(SINEW_ROOT "/examples"))
        if (entry.path().extension() == ".charli" && entry.path().stem() != "fig01_declarations")
            found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace

TEST_CASE("every example gives a picture in which its objects are seen")
{
    REQUIRE(examples().size() >= 15);
    for (const fs::path& script : examples()) {
        CAPTURE(script.stem().string());
        const Shot shot = shoot(script);
        RenderOptions options = small_picture(shot);
        enlarge(shot, options);
        const Image image = render(shot.display, shot.frame, options);

        const std::set<std::uint32_t> seen(image.objects.begin(), image.objects.end());
        const std::vector<std::string> names = object_names(shot.scene);
        for (const std::uint32_t object : visible_objects(shot)) {
            CAPTURE(names[object]);
            CHECK(seen.contains(object));
        }
        const Statistics s = statistics_of(image);
        CHECK(s.mean > 0.5);
        CHECK(s.mean < 0.95);
        CHECK(s.deviation > 0.015);
        CHECK(s.things > 0.001);
        CHECK(s.things < (shot.scene.bodies.empty() ? 0.6 : 1.01)); // floors count
    }
}

TEST_CASE("a picture has the same bits for any number of threads")
{
    const Shot shot = shoot(SINEW_ROOT "/examples/fig06_balloon_pendulum.charli");
    RenderOptions options = small_picture(shot);
    const Image one = render(shot.display, shot.frame, options);

    for (const int threads : {2, 3}) {
        options.threads = threads;
        const Image several = render(shot.display, shot.frame, options);
        CHECK(several.rgba == one.rgba);
        CHECK(several.objects == one.objects);
    }
}

TEST_CASE("a transparent picture keeps things and shadows and nothing else")
{
    const Shot shot = shoot(SINEW_ROOT "/examples/strandbeest.charli");
    RenderOptions options = small_picture(shot);
    options.is_transparent = true;
    options.samples = 16;

    const Image image = render(shot.display, shot.frame, options);

    std::size_t clear = 0, shadow = 0, full = 0;
    for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
        const std::uint8_t* pixel = &image.rgba[i];
        clear += pixel[3] == 0 ? 1 : 0;
        full += pixel[3] == 255 ? 1 : 0;
        shadow += pixel[0] + pixel[1] + pixel[2] == 0 && pixel[3] > 20 && pixel[3] < 200 ? 1 : 0;
    }
    CHECK(clear > image.objects.size() / 2);
    CHECK(shadow > 50);
    CHECK(full > 100);
    CHECK(image.rgba[3] == 0);
}

TEST_CASE("light comes from above: the shadow lies on the floor, and tops are brighter")
{
    Element ball;
    ball.kind = ElementKind::sphere;
    ball.object = ObjectId{1};
    ball.colour = {0.5, 0.5, 0.5};
    ball.radius = 0.5;
    Display display;
    display.unit = 0.02;
    display.elements = {ball};
    const DisplayFrame frame{.time = 0, .points = {{0, 0.5, 0}}, .poses = {}};
    RenderOptions options;
    options.width = options.height = 80;
    options.samples = 16;
    options.floor = 0;
    options.camera = {.position = {0, 0.8, 6}, .target = {0, 0.5, 0}, .field_of_view = 0.4};

    const Image image = render(display, frame, options);

    const auto green = [](const Image& picture, std::size_t i) { return picture.rgba[4 * i + 1]; };
    CHECK(green(image, 25 * 80 + 40) > green(image, 52 * 80 + 40) + 15); // of the ball
    display.elements.clear();
    const Image empty = render(display, frame, options);
    constexpr int kDark = 60; // less than half of the light: not the sky's alone
    int shadowed = 0;
    for (std::size_t i = 0; i < image.objects.size(); ++i)
        shadowed += image.objects[i] == Image::kNothing && green(image, i) + kDark < green(empty, i)
                        ? 1
                        : 0;
    CHECK(shadowed > 50);
}
