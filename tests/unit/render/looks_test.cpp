// Surfaces as they look: metal, glass, glow, blur, and light on a hair.

#include "render/image/denoise.h"
#include "render/shade/fibre.h"
#include "render/shade/texture.h"
#include "sinew/render.h"
#include "support/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numbers>
#include <sstream>

using namespace sinew;

namespace {

struct Ball {
    Display display;
    DisplayFrame frame;
    RenderOptions options;
};

/// A ball that fills most of a small picture.
Ball make_ball(const Look& look)
{
    Ball ball;
    Element element;
    element.kind = ElementKind::sphere;
    element.object = ObjectId{1};
    element.colour = {0.6, 0.2, 0.1};
    element.radius = 1;
    element.look = look;
    ball.display.unit = 0.02;
    ball.display.elements = {element};
    ball.frame.points = {{0, 0, 0}};
    ball.options.width = ball.options.height = 40;
    ball.options.samples = 8;
    ball.options.camera = {.position = {0, 0, 8}, .target = {0, 0, 0}, .field_of_view = 0.3};
    return ball;
}

Image draw(const Ball& ball) { return render(ball.display, ball.frame, ball.options); }

/// Mean of a channel over what shows the ball.
double mean_of(const Image& image, int channel)
{
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < image.objects.size(); ++i)
        if (image.objects[i] == 1) {
            sum += image.rgba[4 * i + std::size_t(channel)];
            ++count;
        }
    return sum / count;
}

} // namespace

TEST_CASE("a glow is brighter, metal mirrors in its colour, glass shows what is behind")
{
    const Image plain = draw(make_ball({}));
    const Image glowing = draw(make_ball({.glow = 3}));
    Ball clear = make_ball({.roughness = 0.02, .transparency = 1});
    clear.display.elements[0].colour = {0.95, 0.97, 0.98};
    const Image glass = draw(clear);

    CHECK(mean_of(glowing, 0) > mean_of(plain, 0) + 20);
    CHECK(mean_of(glass, 2) > mean_of(plain, 2) + 30); // the sky is blue, the ball red
}

TEST_CASE("what moves while the shutter is open is blurred over its way")
{
    Ball ball = make_ball({});
    DisplayFrame later = ball.frame;
    later.points[0].x = 0.6;
    const Image still = draw(ball);
    ball.options.shutter_end = &later;
    const Image blurred = draw(ball);

    const auto differs = [&](std::size_t x) {
        return std::abs(int(still.rgba[4 * (20 * 40 + x)]) - int(blurred.rgba[4 * (20 * 40 + x)]));
    };
    CHECK(differs(38) > 10); // where it goes
    CHECK(differs(20) < 12); // where it is all the time
}

TEST_CASE("a wide lens blurs what is not in focus")
{
    Ball ball = make_ball({});
    const Image sharp = draw(ball);
    ball.options.studio.aperture = 3;
    ball.options.studio.focus = 4;
    const Image soft = draw(ball);

    int steepest_sharp = 0, steepest_soft = 0;
    for (std::size_t x = 0; x + 1 < 40; ++x) {
        const std::size_t i = 4 * (20 * 40 + x) + 2;
        steepest_sharp = std::max(steepest_sharp, std::abs(sharp.rgba[i] - sharp.rgba[i + 4]));
        steepest_soft = std::max(steepest_soft, std::abs(soft.rgba[i] - soft.rgba[i + 4]));
    }
    CHECK(steepest_sharp > 2 * steepest_soft);
}

TEST_CASE("smoothing takes noise away and keeps edges")
{
    using namespace sinew::picture;
    Film film(64, 64);
    for (std::size_t i = 0; i < film.colours.size(); ++i) {
        const bool is_left = i % 64 < 32;
        const float noise = 0.1f * (float(i * 2654435761u % 1000u) / 500 - 1);
        film.colours[i] = Vec{1, 1, 1} * ((is_left ? 0.3f : 0.7f) + noise);
        film.normals[i] = is_left ? Vec{0, 0, 1} : Vec{1, 0, 0};
        film.places[i] = {float(i % 64) * 0.01f, float(i / 64) * 0.01f, 0};
        film.variances[i] = 0.0033f;
    }
    smooth(film, {0, 0, 1}, 0.01f, 2);

    double left = 0, squares = 0, right = 0;
    for (std::size_t i = 0; i < film.colours.size(); ++i) {
        const double y = film.colours[i].x;
        (i % 64 < 32 ? left : right) += y / 2048;
        squares += i % 64 < 32 ? (y - 0.3) * (y - 0.3) / 2048 : 0;
    }
    CHECK(left == doctest::Approx(0.3).epsilon(0.03));
    CHECK(right == doctest::Approx(0.7).epsilon(0.03));
    CHECK(std::sqrt(squares) < 0.02); // it was 0.058
}

TEST_CASE("a hair that absorbs nothing gives back all light; a dark one less")
{
    using namespace sinew::picture;
    // White furnace: the mean over all directions of light, times the sphere.
    const auto albedo = [](const Vec& colour) {
        const Fibre fibre(colour, 0.3f);
        const Vec eye = normalised(Vec{0.3f, 0.2f, 1});
        double sum = 0;
        constexpr int kRings = 60, kTurns = 120, kAcross = 12;
        for (int h = 0; h < kAcross; ++h)
            for (int i = 0; i < kRings; ++i)
                for (int k = 0; k < kTurns; ++k) {
                    const double y = -1 + (2 * i + 1.0) / kRings;
                    const double angle = 2 * std::numbers::pi * (k + 0.5) / kTurns;
                    const double r = std::sqrt(1 - y * y);
                    const Vec light{float(r * std::cos(angle)), float(y),
                                    float(r * std::sin(angle))};
                    const float across = -1 + (2 * float(h) + 1) / kAcross;
                    sum += fibre.scatter({0, 1, 0}, eye, light, across).x;
                }
        return sum * 4 * std::numbers::pi / (kRings * kTurns * kAcross);
    };
    CHECK(albedo({0.98f, 0.98f, 0.98f}) == doctest::Approx(1).epsilon(0.08));
    CHECK(albedo({0.05f, 0.05f, 0.05f}) < 0.75);
}

TEST_CASE("noise is smooth, without jumps, and nothing far away")
{
    using namespace sinew::picture;
    for (int i = 0; i < 300; ++i) {
        const Vec p{0.37f * float(i), 1.3f, -0.11f * float(i)};
        CHECK(std::abs(noise(p)) <= 1);
        CHECK(std::abs(noise(p) - noise(p + Vec{0.001f, 0, 0})) < 0.01f);
    }
    CHECK(noise({1e20f, 0, 0}) == 0);
}

TEST_CASE("an EXR file has its mark, its size and light beyond white")
{
    const test::TemporaryFolder folder;
    Ball ball = make_ball({.glow = 4});
    ball.options.wants_light = true;
    const Image image = draw(ball);
    const std::string path = (folder / "ball.exr").string();

    REQUIRE(write_exr(path, image).empty());

    std::ifstream file(path, std::ios::binary);
    std::stringstream bytes;
    bytes << file.rdbuf();
    const std::string text = bytes.str();
    REQUIRE(text.size() > 40 * 40 * 8);
    CHECK(std::memcmp(text.data(), "\x76\x2f\x31\x01", 4) == 0);
    CHECK(text.find("displayWindow") != std::string::npos);
    CHECK(*std::max_element(image.light.begin(), image.light.end()) > 1.0f);
}
