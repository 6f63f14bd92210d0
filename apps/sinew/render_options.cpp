// The words of `sinew render` on the command line.

#include "render_options.h"

#include "sinew/render.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <sstream>

namespace sinew::app {

namespace {

/// A whole number that is all of the text.
std::optional<std::int64_t> whole_number(const std::string& text)
{
    char* end = nullptr;
    errno = 0;
    const long long value = std::strtoll(text.c_str(), &end, 10);
    const bool is_good = !text.empty() && *end == '\0' && errno == 0 && value >= 0;
    return is_good ? std::optional<std::int64_t>(value) : std::nullopt;
}

/// WxH; the empty string: it was one.
std::string take_size(const std::string& text, PictureOptions& options)
{
    constexpr int kMost = RenderOptions::kLargestSize;
    const std::size_t cross = text.find('x');
    const auto width = whole_number(text.substr(0, cross));
    const auto height =
        cross == std::string::npos ? std::nullopt : whole_number(text.substr(cross + 1));
    if (!width || !height || *width < 1 || *height < 1 || *width > kMost || *height > kMost)
        return "--size " + text + ": write WIDTHxHEIGHT in pixels, each from 1 to " +
               std::to_string(kMost);
    options.width = int(*width);
    options.height = int(*height);
    return "";
}

std::string take_frames(const std::string& text, PictureOptions& options)
{
    options.frames = read_frames(text);
    return options.frames ? "" : "--frames " + text + kFramesHint;
}

std::string take_camera(const std::string& text, PictureOptions& options)
{
    if (text == "auto") {
        options.frames_all = true;
        return "";
    }
    std::vector<double> values;
    std::istringstream list(text);
    bool is_good = !text.empty() && text.back() != ',';
    for (std::string word; std::getline(list, word, ',');) {
        char* end = nullptr;
        values.push_back(std::strtod(word.c_str(), &end));
        is_good = is_good && !word.empty() && *end == '\0' && std::isfinite(values.back());
    }
    const std::string usage =
        "--camera " + text +
        ": write auto, or x,y,z of its place, then of what it looks at, then, if "
        "wanted, the angle it sees from bottom to top in degrees";
    if (!is_good || (values.size() != 6 && values.size() != 7))
        return usage;
    if (values[0] == values[3] && values[1] == values[4] && values[2] == values[5])
        return "--camera " + text + ": it looks at its own place; give it another target";
    if (values.size() == 7 && !(values[6] > 0 && values[6] < 180))
        return "--camera " + text + ": the angle must lie between 0 and 180 degrees";
    PictureOptions::View view{.values = {}, .has_angle = values.size() == 7};
    std::copy(values.begin(), values.end(), view.values.begin());
    view.values[6] *= std::numbers::pi / 180;
    options.camera = view;
    return "";
}

/// The number of a word among others; none where it is not among them.
template <std::size_t N>
std::optional<std::size_t> number_of(const std::string& word, const std::array<const char*, N>& all)
{
    const auto found = std::ranges::find(all, word);
    return found == all.end() ? std::nullopt : std::optional(std::size_t(found - all.begin()));
}

std::string take_sky(const std::string& text, PictureOptions& options)
{
    const auto sky =
        number_of(text, std::array{"day", "clear", "evening", "night", "white", "dark"});
    options.sky = Sky(sky.value_or(0));
    return sky ? "" : "--sky " + text + ": choose day, clear, evening, night, white or dark";
}

std::string take_floor(const std::string& text, PictureOptions& options)
{
    const auto floor =
        number_of(text, std::array{"plain", "grass", "wood", "stone", "tiles", "none"});
    options.floor = Floor(floor.value_or(0));
    return floor ? "" : "--floor " + text + ": choose plain, grass, wood, stone, tiles or none";
}

std::string take_colour_by(const std::string& text, PictureOptions& options)
{
    const auto load = number_of(text, std::array{"tension", "bending", "twist"});
    options.colour_by = RodLoad(load.value_or(0));
    return load ? "" : "--colour-by " + text + ": choose tension, bending or twist";
}

std::string take_scale(const std::string& text, PictureOptions& options)
{
    char* end = nullptr;
    const double low = std::strtod(text.c_str(), &end);
    const bool has_two = end != text.c_str() && *end == ',';
    const char* second = has_two ? end + 1 : end;
    const double high = std::strtod(second, &end);
    const bool is_good = has_two && end != second && *end == '\0' && std::isfinite(low) &&
                         std::isfinite(high) && low < high;
    options.scale = {low, high};
    return is_good ? "" : "--scale " + text + ": write LOW,HIGH, the lower number first";
}

using Take = std::string (*)(const std::string&, PictureOptions&);

void add_text(CLI::App& command, const std::string& name, PictureOptions& options, Take take,
              const std::string& words)
{
    command
        .add_option_function<std::string>(
            name,
            [&options, take, name](const std::string& text) {
                if (const std::string fault = take(text, options); !fault.empty())
                    throw CLI::ValidationError(fault);
            },
            words)
        ->allow_extra_args(false);
}

} // namespace

std::optional<std::pair<std::int64_t, std::int64_t>> read_frames(const std::string& text)
{
    const std::size_t dots = text.find("..");
    const std::string begin = text.substr(0, dots);
    const std::string end = dots == std::string::npos ? begin : text.substr(dots + 2);
    const auto first = begin.empty() ? std::optional<std::int64_t>(0) : whole_number(begin);
    const auto last = end.empty() ? std::optional(kAllFrames) : whole_number(end);
    if (text.empty() || !first || !last || *first > *last)
        return std::nullopt;
    return std::pair{*first, *last};
}

void add_render(CLI::App& render, PictureOptions& options)
{
    render.add_option("FILE", options.file, "A recording of `sinew run`, or a script")->required();
    render
        .add_option("OUT,-o,--out", options.out,
                    "The picture (.png, .exr; by ffmpeg: .jpg, .webp) or film (by ffmpeg: .mp4, "
                    ".webm, .mov, .gif)")
        ->required();
    CLI::Option* frame = render.add_option("--frame", options.frame, "The frame of a picture")
                             ->check(CLI::NonNegativeNumber);
    add_text(render, "--frames", options, take_frames,
             "FIRST..LAST: numbered pictures OUT_0001.png, or this part of a film");
    render.get_option("--frames")->excludes(frame);
    add_text(render, "--size", options, take_size, "WIDTHxHEIGHT in pixels (default: 1280x720)");
    add_text(
        render, "--camera", options, take_camera,
        "x,y,z,tx,ty,tz[,degrees] instead of the script's camera; auto: shows all of the motion");
    render.add_option("--samples", options.samples, "Rays per pixel (default: 12); edges get more")
        ->check(CLI::Range(1, 65536));
    render.add_flag("--raw", options.raw, "Do not remove the noise");
    render
        .add_option("--blur", options.blur,
                    "Motion blur: the fraction of a frame that the shutter is open, 0 to 1")
        ->check(CLI::Range(0.0, 1.0));
    add_text(render, "--sky", options, take_sky,
             "day, clear, evening, night, white or dark: the background and its light");
    add_text(render, "--floor", options, take_floor,
             "plain, grass, wood, stone, tiles or none: the ground");
    render
        .add_option("--hairs", options.hairs.count,
                    "Number of hairs drawn around each strand, which guides them")
        ->check(CLI::Range(1, 10000));
    render
        .add_option("--aperture", options.aperture,
                    "Depth of field: width of the lens in metres (default: 0, everything is sharp)")
        ->check(CLI::NonNegativeNumber);
    render
        .add_option("--focus", options.focus,
                    "Distance in metres at which things are sharp (default: the point that the "
                    "camera looks at)")
        ->check(CLI::NonNegativeNumber);
    render.add_flag("--transparent", options.transparent, "No background, shadows only");
    render.add_flag("--labels", options.labels, "Show names");
    render
        .add_option("--trails", options.trails, "Show the path of each mass over the last SECONDS")
        ->check(CLI::NonNegativeNumber);
    render.add_flag("--forces", options.forces, "Show forces as arrows");
    render.add_flag("--contacts", options.contacts, "Show contact points and normals");
    render.add_flag("--layers", options.layers,
                    "Colour bodies by their layer in the stack: violet is lowest");
    add_text(render, "--colour-by", options, take_colour_by,
             "tension, bending or twist: colour rods by what they carry, with a legend");
    add_text(render, "--scale", options, take_scale,
             "LOW,HIGH in N or N m: the ends of the colours of --colour-by (default: what occurs)");
    render.get_option("--scale")->needs(render.get_option("--colour-by"));
    render.add_flag("--constraints", options.constraints, "Show constraints");
    render.add_flag("--axes", options.axes,
                    "Show the axes of every named object and of the segments of strands");
    render.add_flag("--twist", options.twist, "Show the twist of strands by a line along each");
    render.add_option("--thickness", options.thickness, "Draw strands this many times thicker")
        ->check(CLI::Range(0.01, 1000.0));
}

} // namespace sinew::app
