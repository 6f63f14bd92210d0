// Rods coloured by what they carry: whole scripts as pictures.

#include "sinew/display.h"
#include "sinew/render.h"
#include "support/worlds.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinew;

namespace {

/// A rope that hangs from a point carries most there and nothing at its end.
World hanging()
{
    return test::make_world(
        "def rope rod(line(0,1,0, 0,-1,0), spans = 20, radius = 5 cm, young = 1e7); end; rope;\n"
        "position_constraint(rope at 0 along, point(0, 1, 0)); settle(); simulate(0, 1);\n");
}

Image draw(const World& world, bool is_coloured)
{
    const Frame frame = world.frame();
    const Display display = make_display(world.scene(), frame);
    DisplayFrame placed;
    place_display(world.scene(), display, frame, placed);
    RenderOptions options;
    options.width = options.height = 80;
    options.samples = 4;
    options.camera = {.position = {0, 0, 8}, .target = {0, 0, 0}, .field_of_view = 0.4};
    if (is_coloured)
        options.point_colours =
            colour_rods(display, frame, {RodLoad::tension, 0, frame.sections[0].tension});
    return render(display, placed, options);
}

/// Yellow is red without blue, violet blue without green: 1 at the top of the scale, below 0 at its
/// end.
double warmth(const Image& image, int row)
{
    const std::size_t pixel = 4 * std::size_t(row * image.width + image.width / 2);
    return (image.rgba[pixel + 1] - double(image.rgba[pixel + 2])) / 255;
}

} // namespace

TEST_CASE("colours of rods: a hanging rope goes from yellow, where it carries most, to violet")
{
    const World world = hanging();
    const Image image = draw(world, true), plain = draw(world, false);
    const int top = 40 - 22, bottom = 40 + 22; // the rope is 2 of 3.24 m
    CHECK(warmth(image, top) > 0.3);
    CHECK(warmth(image, bottom) < -0.1);
    CHECK(std::abs(warmth(plain, top) - warmth(plain, bottom)) < 0.2);
}

TEST_CASE("colours of rods: a scale ends in its colours, and what is not finite is at its low end")
{
    const LoadScale scale{RodLoad::bending, 2, 4};
    CHECK(scale.colour(1) == scale.colour(2));
    CHECK(scale.colour(5) == scale.colour(4));
    CHECK(scale.colour(NAN) == scale.colour(2));
    CHECK(scale.colour(2).z > scale.colour(2).y); // violet
    CHECK(scale.colour(4).y > scale.colour(4).z); // yellow
}

TEST_CASE("colours of rods: moments of both signs of twist are as large")
{
    Frame frame;
    frame.sections = {{3, 1, -2}, {-1, 0, 2}};
    CHECK(rod_loads(frame, RodLoad::twist) == std::vector{2.0, 2.0});
    CHECK(rod_loads(frame, RodLoad::tension) == std::vector{3.0, -1.0});
}

TEST_CASE("colours of rods: a legend is drawn over the picture")
{
    const World world = hanging();
    const Frame frame = world.frame();
    const Display display = make_display(world.scene(), frame);
    DisplayFrame placed;
    place_display(world.scene(), display, frame, placed);
    RenderOptions options;
    options.width = 160;
    options.height = 90;
    options.samples = 1;
    options.camera = {.position = {0, 0, 8}, .target = {0, 0, 0}, .field_of_view = 0.4};
    const Image plain = render(display, placed, options);
    options.legend = Legend{"tension [N]", "0", "5"};
    const Image image = render(display, placed, options);
    int changed = 0;
    for (std::size_t i = 0; i < plain.rgba.size(); i += 4)
        changed += plain.rgba[i] != image.rgba[i] ? 1 : 0;
    CHECK(changed > 160 / 4 * 4);
}
