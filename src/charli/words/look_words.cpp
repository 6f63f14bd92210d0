#include "charli/words/look_words.h"

#include <algorithm>
#include <optional>
#include <string>

namespace sinew::charli {

namespace {

/// The value of a hexadecimal digit; -1 for anything else.
int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/// "#c33" or "#cc3333"; anything else is told.
std::optional<Vec3> read_colour(const Call& call, std::string_view text)
{
    const std::size_t width = text.size() == 4 ? 1 : text.size() == 7 ? 2 : 0;
    bool is_good = width > 0 && text[0] == '#';
    double parts[3] = {0, 0, 0};
    for (std::size_t i = 1; is_good && i < text.size(); ++i) {
        const int digit = hex_digit(text[i]);
        is_good = digit >= 0;
        double& part = parts[(i - 1) / width];
        part = 16 * part + digit;
    }
    const double white = width == 1 ? 15 : 255;
    if (is_good)
        return Vec3{parts[0] / white, parts[1] / white, parts[2] / white};
    call.fault("not-a-colour", "'" + std::string(text) + "' is not a colour",
               call.word.name == "studio" ? "write \"#c33\" or \"#cc3333\""
                                          : "write \"#c33\", \"#cc3333\" or three numbers from 0 "
                                            "to 1");
    return std::nullopt;
}

struct Preset {
    std::string_view name;
    Vec3 colour; ///< sRGB
    Look look;
};

using P = LookPattern;
constexpr Preset kPresets[] = {
    {"wood",
     {0.66, 0.45, 0.26},
     {.roughness = 0.5, .relief = 1, .variation = 0.35, .pattern = P::wood}},
    {"brick",
     {0.60, 0.32, 0.25},
     {.roughness = 0.9, .relief = 1, .variation = 0.45, .pattern = P::brick}},
    {"stone",
     {0.62, 0.60, 0.56},
     {.roughness = 0.8, .relief = 1, .variation = 0.3, .pattern = P::stone}},
    {"steel", {0.68, 0.69, 0.71}, {.roughness = 0.28, .metal = 1}},
    {"brass", {0.85, 0.66, 0.34}, {.roughness = 0.25, .metal = 1}},
    {"rope", {0.78, 0.62, 0.38}, {.roughness = 0.9, .relief = 1, .pattern = P::rope}},
    {"skin",
     {0.87, 0.66, 0.54},
     {.roughness = 0.5, .translucency = 0.25, .sheen = 0.15, .variation = 0.05}},
    {"hair", {0.36, 0.22, 0.12}, {.roughness = 0.32, .variation = 0.3, .pattern = P::hair}},
    {"cloth",
     {0.36, 0.44, 0.62},
     {.roughness = 0.95, .sheen = 0.5, .relief = 0.6, .pattern = P::weave}},
    {"grass",
     {0.35, 0.55, 0.17},
     {.roughness = 0.65,
      .translucency = 0.4,
      .relief = 0.7,
      .variation = 0.45,
      .pattern = P::grass}},
    {"glass", {0.93, 0.97, 0.97}, {.roughness = 0.03, .transparency = 0.95}},
    {"paper", {0.94, 0.92, 0.87}, {.roughness = 0.9, .translucency = 0.35, .variation = 0.06}},
    {"plastic", {0.20, 0.45, 0.75}, {.roughness = 0.34}},
    {"rubber", {0.12, 0.12, 0.13}, {.roughness = 0.75}},
};

const Preset& preset_of(std::string_view name)
{
    for (const Preset& preset : kPresets)
        if (preset.name == name)
            return preset;
    return kPresets[0]; // the table of words lets no other name through
}

void take(const Call& call, std::string_view name, double& out)
{
    if (const Bound* given = call.find(name))
        out = given->value.number;
}

void take(const Call& call, std::string_view name, std::optional<double>& out)
{
    if (const Bound* given = call.find(name))
        out = given->value.number;
}

/// Which of the words of an argument is given; the first where none is.
int choice_of(const Call& call, std::string_view name)
{
    const Bound* given = call.find(name);
    if (!given)
        return 0;
    for (const Argument& argument : call.signature)
        if (argument.name == name) {
            const std::string words = " " + std::string(argument.words) + " ";
            const auto at = words.find(" " + std::string(given->text) + " ");
            return static_cast<int>(std::count(words.begin(),
                                               words.begin() + static_cast<std::ptrdiff_t>(at + 1),
                                               ' ') -
                                    1);
        }
    return 0;
}

} // namespace

void add_colour(const Call& call, Scene& scene)
{
    const bool is_text = call.arguments.size() == 1;
    const std::optional<Vec3> rgb =
        is_text ? read_colour(call, call.arguments[0].text)
                : std::optional<Vec3>{{call.number(0), call.number(1), call.number(2)}};
    if (rgb)
        scene.colours.push_back({call.object, *rgb, call.origin});
}

void add_look(const Call& call, Scene& scene)
{
    ObjectLook it{.object = call.object, .origin = call.origin};
    if (const Bound* material = call.find("material")) {
        it.look = preset_of(material->text).look;
        it.colour = preset_of(material->text).colour;
    }
    take(call, "roughness", it.look.roughness);
    take(call, "metal", it.look.metal);
    take(call, "transparency", it.look.transparency);
    take(call, "translucency", it.look.translucency);
    take(call, "sheen", it.look.sheen);
    take(call, "glow", it.look.glow);
    take(call, "relief", it.look.relief);
    take(call, "variation", it.look.variation);
    scene.looks.push_back(it);
}

void add_children(const Call& call, Scene& scene)
{
    constexpr double kMost = 10'000;
    Children children{.count = static_cast<std::uint32_t>(call.number(0))};
    if (call.number(0) > kMost)
        return call.fault("out-of-range", "more than 10,000 hairs about one strand",
                          "let more strands guide fewer hairs each");
    take(call, "clump", children.clump);
    take(call, "frizz", children.frizz);
    take(call, "taper", children.taper);
    take(call, "ragged", children.ragged);
    take(call, "spread", children.spread);
    take(call, "radius", children.radius);
    if (const Bound* seed = call.find("seed"))
        children.seed = static_cast<std::uint32_t>(seed->value.number);
    scene.children.push_back({call.frame, children, call.origin});
}

void set_studio(const Call& call, Scene& scene)
{
    Studio studio;
    studio.sky = static_cast<Sky>(choice_of(call, "sky"));
    studio.floor = static_cast<Floor>(choice_of(call, "floor"));
    take(call, "ground", studio.ground);
    take(call, "azimuth", studio.azimuth);
    take(call, "elevation", studio.elevation);
    take(call, "softness", studio.softness);
    take(call, "light", studio.light);
    if (const Bound* backdrop = call.find("backdrop")) {
        studio.backdrop = read_colour(call, backdrop->text);
        if (!studio.backdrop)
            return;
    }
    take(call, "aperture", studio.aperture);
    take(call, "focus", studio.focus);
    take(call, "shutter", studio.shutter);
    scene.studio = studio;
}

void set_still(const Call& call, Scene& scene) { scene.still = call.number(0); }

} // namespace sinew::charli
