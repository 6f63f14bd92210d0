// Pictures: seconds for a megapixel at the default samples, and rays a second, on one thread.
//
//   ./dev bench render

#include "timing.h"

#include "sinew/language.h"
#include "sinew/render.h"
#include "sinew/world.h"

#include <fmt/core.h>

#include <string>

namespace {

using namespace sinew;

constexpr int kWidth = 640, kHeight = 360;
constexpr double kSecond = 1; // of the motion, that is drawn

/// A cloth of masses and rods: many small things.
std::string cloth_script(int side)
{
    return fmt::format(
        "def knot mass(1); end;\n"
        "for i in 1..{0} for j in 1..{0}\n"
        "  k[i * 1000 + j] = knot translate(i, 0.3 * sin(0.5 * i) * cos(0.4 * j), j);\n"
        "  line(i, 0.3 * sin(0.5 * i) * cos(0.4 * j), j, i + 1, 0.3 * sin(0.5 * (i + 1)) * "
        "cos(0.4 * j), j);\n"
        "end; end;\n",
        side);
}

void measure(const char* name, const ScriptReading& reading)
{
    Result<World> world = World::create(reading.scene);
    if (!reading.is_sound() || !world) {
        fmt::print("{}: cannot be read\n", name);
        return;
    }
    const Display display = make_display(reading.scene, world->frame());
    world->advance(reading.scene.settings.start + kSecond);
    DisplayFrame frame;
    const double placing = bench::seconds_per_call(
        [&] { place_display(reading.scene, display, world->frame(), frame); });
    const Bounds bounds = bounds_of(display, frame);
    RenderOptions options;
    options.width = kWidth;
    options.height = kHeight;
    options.camera = make_camera(bounds, double(kWidth) / kHeight);
    options.floor = bounds.low.y;
    Image image;
    const double seconds =
        bench::seconds_per_call([&] { image = render(display, frame, options); });
    const double megapixels = kWidth * kHeight * 1e-6;
    fmt::print("{:<16} {:>9} {:>10.3f} {:>12.2f} {:>12.2f} {:>12.1f}\n", name,
               display.elements.size(), placing * 1e3, seconds / megapixels,
               double(image.ray_count) / seconds * 1e-6,
               double(image.ray_count) / 1e6 / megapixels);
}

} // namespace

int main()
{
    const std::string examples = SINEW_ROOT "/examples/";
    fmt::print("{} samples, one thread, {}x{}\n\n", RenderOptions{}.samples, kWidth, kHeight);
    fmt::print("{:<16} {:>9} {:>10} {:>12} {:>12} {:>12}\n", "scene", "elements", "place ms",
               "s/megapixel", "Mrays/s", "rays/pixel");
    measure("triple pendulum", read_script_file(examples + "fig03_triple_pendulum.charli"));
    measure("balloon", read_script_file(examples + "fig07_many_sided_balloon.charli"));
    measure("cloth, 1,600", read_script("cloth.charli", cloth_script(40), no_files()));
}
