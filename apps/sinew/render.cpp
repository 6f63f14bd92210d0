// `sinew render`: pictures and films of a script or a recording.

#include "commands.h"
#include "draft.h"
#include "film.h"
#include "motion.h"
#include "painter.h"
#include "printing.h"
#include "progress.h"
#include "runner.h"

#include "sinew/render.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>
#include <tuple>

namespace sinew::app {

namespace {

namespace fs = std::filesystem;

constexpr double kFloorGap = 0.02; // units below the lowest point
constexpr double kArrow = 16;      // units that a strong force is long
constexpr double kNeedle = 2.2;    // units, of a contact's normal

constexpr int kSamples = 12;

struct Range {
    std::int64_t first = 0, last = 0;
};

bool is_film(const PictureOptions& options)
{
    const PictureKind kind = picture_kind(options.out);
    return kind >= PictureKind::mp4 || (kind == PictureKind::webp && options.frames);
}

bool needs_ffmpeg(const PictureOptions& options)
{
    return picture_kind(options.out) >= PictureKind::jpg;
}

/// Whether the file can be written; found out before the work, not after it.
Problems check_out(const std::string& out)
{
    const std::string draft = make_draft(out);
    std::error_code ignored;
    const bool is_other = fs::exists(out, ignored) && !fs::is_regular_file(out, ignored);
    if (!draft.empty())
        fs::remove(draft, ignored);
    if (!draft.empty() && !is_other)
        return {};
    return {{.code = "unwritable-picture",
             .place = {.file = out},
             .what = is_other ? "is a folder or a device: no picture can take its place"
                              : "cannot be written",
             .hint = "name a file in a folder that exists and may be written to"}};
}

Result<Range> frames_to_draw(Motion& motion, const PictureOptions& options)
{
    const std::int64_t last = motion.frame_count() - 1;
    Range range{0, last};
    if (options.frames)
        range = {options.frames->first, std::min(options.frames->second, kAllFrames)};
    else if (!is_film(options))
        range.first = range.last = options.frame.value_or(motion.typical_frame());
    if (range.last == kAllFrames)
        range.last = last;
    if (range.first <= last && range.last <= last)
        return range;
    return Problem{
        .code = "no-such-frame",
        .place = {.file = options.file},
        .what = fmt::format("there is no frame {}", range.first > last ? range.first : range.last),
        .hint = fmt::format("it has the frames 0 to {}", last)};
}

/// The script's, as far as the command line says nothing else.
sinew::Studio studio_of(const Motion& motion, const PictureOptions& options)
{
    sinew::Studio studio = motion.scene().studio.value_or(sinew::Studio{});
    studio.sky = options.sky.value_or(studio.sky);
    studio.floor = options.floor.value_or(studio.floor);
    studio.aperture = options.aperture.value_or(studio.aperture);
    studio.focus = options.focus.value_or(studio.focus);
    studio.shutter = options.blur.value_or(studio.shutter);
    return studio;
}

RenderOptions make_options(Motion& motion, const PictureOptions& options)
{
    RenderOptions render;
    render.width = options.width;
    render.height = options.height;
    render.samples = options.samples.value_or(kSamples);
    render.is_denoised = !options.raw;
    render.wants_light = picture_kind(options.out) == PictureKind::exr;
    render.is_transparent = options.transparent;
    render.shows_constraints = options.constraints;
    render.shows_axes = options.axes;
    render.shows_twist = options.twist;
    render.thickness = options.thickness;
    render.threads = options.threads > 0 ? options.threads
                                         : std::max(1, int(std::thread::hardware_concurrency()));
    const Bounds bounds = motion.bounds();
    render.camera = make_camera(bounds, double(options.width) / options.height);
    if (motion.scene().settings.camera && !options.frames_all)
        render.camera = *motion.scene().settings.camera;
    if (options.camera) {
        const auto& [values, has_angle] = *options.camera;
        render.camera.frame = {};
        render.camera.keys.clear();
        render.camera.position = {values[0], values[1], values[2]};
        render.camera.target = {values[3], values[4], values[5]};
        if (has_angle)
            render.camera.field_of_view = values[6];
    }
    render.studio = studio_of(motion, options);
    const std::optional<double> ground = render.studio.ground
                                             ? render.studio.ground
                                             : find_ground(motion.display(), motion.placed(0));
    if (ground)
        render.floor = ground;
    else if (!bounds.is_empty())
        render.floor = bounds.low.y - kFloorGap * motion.display().unit;
    if (render.studio.floor == Floor::none)
        render.floor.reset();
    return render;
}

bool wants_details(const PictureOptions& options)
{
    return options.forces || options.contacts || options.layers;
}

/// One scale for all frames, so that arrows and colours can be compared.
struct Scales {
    double force = 0; ///< metres for a newton
    int top = 1;      ///< the highest layer
};

Result<Scales> find_scales(Motion& motion, const Range& range, const std::string& file)
{
    constexpr std::int64_t kMostLooks = 32;
    std::vector<double> sizes;
    Scales scales;
    const std::int64_t step = std::max<std::int64_t>(1, (range.last - range.first) / kMostLooks);
    for (std::int64_t i = range.first; i <= range.last; i += step) {
        const std::optional<Session::Details> details = motion.details(i);
        if (!details)
            return Problem{.code = "no-forces",
                           .place = {.file = file},
                           .what = "its forces and contacts are not known: it cannot be simulated "
                                   "again",
                           .hint = "bind its imports with --import, or leave --forces, --contacts "
                                   "and --layers out"};
        for (const ActingForce& force : details->forces)
            sizes.push_back(length(force.force));
        for (const int layer : details->layers)
            scales.top = std::max(scales.top, layer);
    }
    std::sort(sizes.begin(), sizes.end());
    const double strong = sizes.empty() ? 0 : sizes[sizes.size() * 9 / 10];
    scales.force = strong > 0 ? kArrow * motion.display().unit / strong : 0;
    return scales;
}

/// One scale for all frames, as for forces: from the least to the most, or from zero where nothing
/// is pressed. The one in a hundred that carry most share a colour, unless the options say.
LoadScale find_load_scale(Motion& motion, const Range& range, const PictureOptions& options)
{
    constexpr std::int64_t kMostLooks = 32;
    LoadScale scale{.load = *options.colour_by};
    if (options.scale) {
        std::tie(scale.low, scale.high) = *options.scale;
        return scale;
    }
    std::vector<double> loads;
    const std::int64_t step = std::max<std::int64_t>(1, (range.last - range.first) / kMostLooks);
    for (std::int64_t i = range.first; i <= range.last; i += step) {
        const std::vector<double> found = rod_loads(motion.frame(i), scale.load);
        loads.insert(loads.end(), found.begin(), found.end());
    }
    std::erase_if(loads, [](double load) { return !std::isfinite(load); });
    if (loads.empty())
        return scale;
    std::sort(loads.begin(), loads.end());
    scale.low = std::min(0.0, loads[loads.size() / 100]);
    scale.high = loads[(loads.size() - 1) * 99 / 100];
    if (!(scale.high > scale.low))
        scale.high = scale.low + 1;
    return scale;
}

Legend legend_of(const LoadScale& scale)
{
    constexpr std::array kTitles = {"tension [N]", "bending [N m]", "twist [N m]"};
    return {.title = kTitles[std::size_t(scale.load)],
            .low = fmt::format("{:.3g}", scale.low),
            .high = fmt::format("{:.3g}", scale.high)};
}

std::string sequence_name(const std::string& out, std::int64_t frame)
{
    const fs::path path(out);
    return (path.parent_path() /
            fmt::format("{}_{:04}{}", path.stem().string(), frame, path.extension().string()))
        .string();
}

/// Draws frames one after another, into files or a film.
class Studio {
public:
    Studio(Motion& motion, const PictureOptions& options, const Range& range)
        : motion_(motion), options_(options), range_(range), render_(make_options(motion, options)),
          seat_(render_.camera)
    {
    }

    Problems draw()
    {
        if (wants_details(options_)) {
            const Result<Scales> scales = find_scales(motion_, range_, options_.file);
            if (!scales)
                return scales.problems();
            scales_ = *scales;
        }
        if (options_.colour_by) {
            if (motion_.scene().rods.empty())
                return {Problem{.code = "no-rods",
                                .place = {.file = options_.file},
                                .what = "--colour-by colours rods, and there are none",
                                .hint = "leave it out, or draw a cable with rod(...)"}};
            load_scale_ = find_load_scale(motion_, range_, options_);
            render_.legend = legend_of(load_scale_);
        }
        return is_film(options_) ? draw_film() : draw_pictures();
    }
    std::int64_t drawn_count() const { return drawn_count_; }

    RenderOptions& settings() { return render_; }
    void set_seat(const Camera& camera) { seat_ = render_.camera = camera; }

    Image draw_frame(std::int64_t index)
    {
        move_camera(index);
        Display display = motion_.display();
        if (wants_details(options_))
            if (const auto details = motion_.details(index))
                add_details(*details, index, display);
        if (options_.colour_by)
            render_.point_colours = colour_rods(display, motion_.frame(index), load_scale_);
        if (options_.trails > 0)
            render_.trails = motion_.trails(index, options_.trails);
        if (render_.studio.shutter > 0)
            open_shutter(index);
        const DisplayFrame& frame = motion_.placed(index);
        if (options_.labels)
            render_.captions = make_captions(motion_.scene(), motion_.display(), frame);
        return sinew::render(display, frame, render_);
    }

private:
    /// A camera that stands in the frame of an object goes with it; one with keys moves by them.
    void move_camera(std::int64_t index)
    {
        if (!seat_.frame.is_valid() && seat_.keys.empty())
            return;
        const Frame& frame = motion_.frame(index);
        const Camera now = camera_at(seat_, frame.time);
        const Affine X = seat_.frame.is_valid() ? frame.objects[seat_.frame.index] : Affine{};
        render_.camera.position = apply(X, now.position);
        render_.camera.target = apply(X, now.target);
    }

    /// The scene when the shutter closes, on the way to the next frame.
    void open_shutter(std::int64_t index)
    {
        render_.shutter_end = nullptr;
        if (index + 1 >= motion_.frame_count())
            return;
        const DisplayFrame now = motion_.placed(index);
        closed_ = motion_.placed(index + 1);
        const double part = render_.studio.shutter;
        for (std::size_t i = 0; i < now.points.size(); ++i)
            closed_.points[i] = now.points[i] + (closed_.points[i] - now.points[i]) * part;
        for (std::size_t i = 0; i < now.poses.size(); ++i) {
            const Affine &a = now.poses[i], &b = closed_.poses[i];
            closed_.poses[i] = {Mat3{a.linear.x + (b.linear.x - a.linear.x) * part,
                                     a.linear.y + (b.linear.y - a.linear.y) * part,
                                     a.linear.z + (b.linear.z - a.linear.z) * part},
                                a.origin + (b.origin - a.origin) * part};
        }
        render_.shutter_end = &closed_;
    }

    void add_details(const Session::Details& details, std::int64_t index, Display& display)
    {
        if (options_.forces)
            render_.arrows = make_arrows(details.forces, motion_.frame(index), scales_.force);
        if (options_.contacts)
            render_.marks = make_marks(details.contacts, kNeedle * display.unit);
        if (options_.layers)
            colour_layers(details.layers, scales_.top, display);
    }

    template <class Take>
    Problems draw_each(Take&& take)
    {
        const bool is_one = range_.first == range_.last;
        Progress progress(is_one ? 0 : range_.first, is_one ? 100 : range_.last,
                          is_one ? "percent" : "frame");
        render_.on_progress = [&](double part) {
            if (is_one)
                progress.update(std::int64_t(100 * part));
            return !Interruption::is_wanted();
        };
        for (std::int64_t i = range_.first; i <= range_.last && !Interruption::is_wanted(); ++i) {
            const Image image = draw_frame(i);
            if (image.rgba.empty())
                break;
            if (Problems problems = take(i, image); !problems.empty())
                return problems;
            ++drawn_count_;
            if (!is_one)
                progress.update(i);
        }
        return {};
    }

    Problems draw_pictures()
    {
        return draw_each([&](std::int64_t i, const Image& image) {
            return write_picture(options_.frames ? sequence_name(options_.out, i) : options_.out,
                                 image);
        });
    }

    Problems write_picture(const std::string& path, const Image& image) const
    {
        const PictureKind kind = picture_kind(path);
        if (kind == PictureKind::png)
            return write_png(path, image);
        if (kind == PictureKind::exr)
            return write_exr(path, image);
        Result<Film> film =
            Film::create(path, options_.width, options_.height, 1, options_.transparent);
        if (!film)
            return film.problems();
        Problems problems = film->append(image);
        return problems.empty() ? film->finish() : problems;
    }

    Problems draw_film()
    {
        Result<Film> film = Film::create(options_.out, options_.width, options_.height,
                                         motion_.scene().settings.frame_rate, options_.transparent);
        if (!film)
            return film.problems();
        Problems problems =
            draw_each([&](std::int64_t, const Image& image) { return film->append(image); });
        return problems.empty() && drawn_count_ > 0 ? film->finish() : problems;
    }

    Motion& motion_;
    const PictureOptions& options_;
    Range range_;
    RenderOptions render_;
    Scales scales_;
    LoadScale load_scale_;
    Camera seat_; ///< where it is in its frame
    DisplayFrame closed_;
    std::int64_t drawn_count_ = 0;
};

void print_summary(const PictureOptions& options, const Range& range, std::int64_t count,
                   double seconds)
{
    const bool is_many = options.frames || is_film(options);
    const std::string name = is_many && !is_film(options)
                                 ? fmt::format("{} to {}", sequence_name(options.out, range.first),
                                               sequence_name(options.out, range.first + count - 1))
                                 : options.out;
    if (options.json)
        return print_json({{"out", name},
                           {"first_frame", range.first},
                           {"frames", count},
                           {"width", options.width},
                           {"height", options.height},
                           {"seconds", seconds}});
    const std::string what =
        is_many ? count_of(count, "frame", "frames") : fmt::format("frame {}", range.first);
    fmt::print("{}: {}, {}x{}, drawn in {:.2f} s\n", name, what, options.width, options.height,
               seconds);
}

/// What can be told to be wrong before anything is read.
Problems check_wishes(const PictureOptions& options)
{
    const PictureKind kind = picture_kind(options.out);
    Problems problems;
    const auto add = [&](const std::string& what, const std::string& hint) {
        problems.push_back(
            {.code = "command-line", .place = {.file = options.out}, .what = what, .hint = hint});
    };
    if (kind == PictureKind::none)
        add("pictures end in .png, .jpg, .webp or .exr, films in .mp4, .webm, .mov or .gif",
            "name it " + options.out + ".png");
    if (options.transparent && (kind == PictureKind::mp4 || kind == PictureKind::jpg))
        add("this kind has no transparent background",
            kind == PictureKind::mp4 ? "end it in .webm or .mov, or write OUT.png --frames A..B"
                                     : "end it in .png, .webp or .exr");
    const bool is_halved = kind == PictureKind::mp4 || kind == PictureKind::webm;
    if (is_halved && (options.width % 2 != 0 || options.height % 2 != 0))
        add(fmt::format("a film needs even sizes, not {}x{}", options.width, options.height),
            fmt::format("--size {}x{}", options.width + options.width % 2,
                        options.height + options.height % 2));
    if (is_film(options) && options.frame)
        add("a film has more than one frame", "--frames A..B takes a part of the motion");
    return problems;
}

} // namespace

struct Painter::Parts {
    Motion motion;
    Studio studio;
    std::string title = {};

    Parts(Motion&& opened, const PictureOptions& options)
        : motion(std::move(opened)), studio(motion, options, {0, motion.frame_count() - 1})
    {
    }
};

Painter::Painter(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Painter::Painter(Painter&&) noexcept = default;
Painter::~Painter() = default;

Result<Painter> Painter::open(const PictureOptions& options)
{
    Result<Motion> motion = Motion::open(options);
    if (!motion)
        return motion.problems();
    return Painter(std::make_unique<Parts>(std::move(*motion), options));
}

std::int64_t Painter::frame_count() const { return parts_->motion.frame_count(); }
double Painter::frame_rate() const { return parts_->motion.scene().settings.frame_rate; }
std::int64_t Painter::typical_frame() const { return parts_->motion.typical_frame(); }
const Camera& Painter::camera() const { return parts_->studio.settings().camera; }
void Painter::set_camera(const Camera& camera) { parts_->studio.set_seat(camera); }
void Painter::set_title(const std::string& title) { parts_->title = title; }

Image Painter::draw(std::int64_t frame)
{
    RenderOptions& render = parts_->studio.settings();
    render.captions.clear();
    if (!parts_->title.empty()) {
        const Camera& camera = render.camera;
        const Vec3 ahead = camera.target - camera.position;
        const Vec3 side = cross(ahead, {0, 1, 0}), above = cross(side, ahead);
        const Vec3 right = side / length(side), up = above / length(above);
        const double half = length(ahead) * std::tan(camera.field_of_view / 2);
        const double aside = half * render.width / render.height;
        render.captions.push_back(
            {camera.target - up * (0.9 * half) - right * (0.95 * aside), parts_->title});
    }
    return parts_->studio.draw_frame(std::min(frame, frame_count() - 1));
}

int render(const PictureOptions& options)
{
    if (const Problems problems = check_wishes(options); !problems.empty()) {
        print_problems(problems, options.colour);
        return 2;
    }
    Problems problems = check_out(options.out);
    if (problems.empty() && needs_ffmpeg(options))
        problems = check_ffmpeg();
    if (!problems.empty()) {
        print_problems(problems, options.colour);
        return 1;
    }
    const Interruption interruption;
    Result<Motion> motion = Motion::open(options);
    if (!motion) {
        print_refusal(options.file, motion.problems(), options.colour);
        return Interruption::is_wanted() ? 3 : 1;
    }
    if (motion->fault())
        print_problems({*motion->fault()}, options.colour);
    const Result<Range> range = frames_to_draw(*motion, options);
    if (!range) {
        print_problems(range.problems(), options.colour);
        return 1;
    }
    if (motion->bounds().is_empty())
        print_problems({{.severity = Severity::warning,
                         .code = "nothing-to-see",
                         .place = {.file = options.file},
                         .what = "it has nothing that can be seen",
                         .hint = "bodies, strands, rods, masses, labels, lines, polygons, paths "
                                 "and springs are drawn"}},
                       options.colour);
    const auto begin = std::chrono::steady_clock::now();
    Studio studio(*motion, options, *range);
    problems = studio.draw();
    print_problems(problems, options.colour);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    if (studio.drawn_count() > 0 && problems.empty() && (options.json || !options.is_quiet))
        print_summary(options, *range, studio.drawn_count(), elapsed.count());
    if (has_errors(problems))
        return 1;
    return motion->fault() || Interruption::is_wanted() ? 3 : 0;
}

} // namespace sinew::app
