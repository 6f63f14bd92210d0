#include "motion.h"

#include "imports.h"
#include "progress.h"
#include "replay.h"
#include "runner.h"

#include "sinew/language.h"
#include "sinew/record.h"
#include "sinew/render.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <thread>

namespace sinew::app {

namespace {

namespace fs = std::filesystem;

constexpr double kFarthest = 9; // sizes of the first frame: what goes farther is not followed
constexpr double kLargestSphere = 2.5; // units, of a mass that is no ball of the script's

SessionOptions session_options(const PictureOptions& options)
{
    SessionOptions session{
        .frame_rate = options.fps, .seconds = options.seconds, .step = options.step};
    session.threads = options.threads > 0 ? options.threads
                                          : std::max(1, int(std::thread::hardware_concurrency()));
    session.bind_imports =
        [&options](const Scene& scene) -> Result<std::map<std::string, ImportFunction>> {
        Result<BoundImports> bound = bind_imports(scene, options.imports);
        if (!bound)
            return bound.problems();
        return std::move(bound->functions);
    };
    return session;
}

Result<Session> open_recording(const PictureOptions& options)
{
    Result<Recording> recording = Recording::open(options.file);
    if (!recording)
        return recording.problems();
    if (!options.parameters.empty())
        return Problem{.code = "recorded-parameters",
                       .place = {.file = options.file},
                       .what = "a recording keeps the parameters it was made with",
                       .hint = "draw the script instead to give -D"};
    if (options.seconds || options.fps || options.step)
        return Problem{.code = "recorded-settings",
                       .place = {.file = options.file},
                       .what = "a recording keeps the length, frame rate and step it was made with",
                       .hint = "draw the script instead, or a part of the recording with --frames"};
    if (recording->info().frame_count == 0)
        return Problem{.code = "no-frames",
                       .place = {.file = options.file},
                       .what = "the recording has no frame",
                       .hint = "`sinew run` makes one from a script"};
    auto shared = std::make_shared<const Recording>(std::move(*recording));
    Result<SessionOptions> session = options_of(*shared, session_options(options));
    if (!session)
        return session.problems();
    return Session::open(std::move(shared), std::move(*session));
}

Result<Session> open_script(const PictureOptions& options)
{
    ScriptReading reading = read_script_file(options.file, {.parameters = options.parameters});
    if (!reading.is_sound())
        return reading.problems;
    if (!make_schedule(reading.scene.settings))
        return Problem{.code = "too-many-frames",
                       .place = {.file = options.file},
                       .what = "there would be more frames than can be counted",
                       .hint = "give `simulate` an earlier end"};
    SessionOptions session = session_options(options);
    const fs::path folder = fs::path(options.file).parent_path();
    session.read_file = files_below(folder.empty() ? "." : folder.string());
    return Session::open({.name = options.file,
                          .script = *reading.scene.files[0].text,
                          .parameters = options.parameters},
                         std::move(session));
}

double size_of(const Bounds& bounds) { return length(bounds.high - bounds.low); }

} // namespace

Result<Motion> Motion::open(const PictureOptions& options)
{
    Result<Session> session =
        is_recording(options.file) ? open_recording(options) : open_script(options);
    if (!session)
        return session.problems();
    Motion motion(std::move(*session));
    if (!is_recording(options.file) && !motion.simulate())
        return Problem{.code = "interrupted",
                       .place = {.file = options.file},
                       .what = "interrupted before the motion was simulated",
                       .hint = "`sinew run` keeps what it has, `--resume` continues"};
    if (motion.frame_count() == 0)
        return Problem{.code = "no-frames",
                       .place = {.file = options.file},
                       .what = "there is no frame to draw",
                       .hint = "`sinew check` says what keeps the motion from starting"};
    motion.shot_ = motion.session_.shot(0);
    if (!motion.shot_)
        return Problem{.code = "no-frames",
                       .place = {.file = options.file},
                       .what = "the first frame cannot be read",
                       .hint = "`sinew info --check` says what is damaged"};
    motion.measure();
    if (options.hairs.count > 0)
        add_hairs(motion.scene(), motion.frame(0), options.hairs, motion.display_);
    return motion;
}

/// False: interrupted.
bool Motion::simulate()
{
    Progress progress(0, session_.frame_count() - 1);
    while (session_.advance()) {
        progress.update(session_.valid_count() - 1);
        if (Interruption::is_wanted())
            return false;
    }
    return !Interruption::is_wanted();
}

namespace {

/// Without what is far larger than what moves, such as a floor of 40 m under a crate of 1 m: like a
/// plane it is drawn, but does not decide what the camera looks at.
Display without_large(const Display& display, const DisplayFrame& frame, double largest)
{
    Display seen = display, one = display;
    std::erase_if(seen.elements, [&](const Element& element) {
        one.elements = {element};
        const Bounds bounds = bounds_of(one, frame);
        return !bounds.is_empty() && size_of(bounds) > largest;
    });
    return seen;
}

} // namespace

void Motion::measure()
{
    display_ = make_display(scene(), frame(0));
    const double farthest = kFarthest * 100 * display_.unit;
    const bool is_large = size_of(bounds_of(display_, placed(0))) > farthest;
    const Display seen = is_large ? without_large(display_, placed(0), farthest) : display_;
    for (std::int64_t i = 0; i < frame_count() && !Interruption::is_wanted(); ++i) {
        const Bounds both = join(bounds_, bounds_of(seen, placed(i)));
        if (both.is_empty() || size_of(both) > farthest)
            continue;
        bounds_ = both;
        near_.push_back(i);
    }
    if (!bounds_.is_empty())
        thicken();
}

/// What moves far is seen from far: its small things are drawn larger, but no ball and no plate.
void Motion::thicken()
{
    constexpr double kRoom = 1.8, kThickest = 2.5;
    const double factor =
        std::clamp(size_of(bounds_) / (kRoom * 100 * display_.unit), 1.0, kThickest);
    const double largest = kLargestSphere * display_.unit;
    for (Element& element : display_.elements)
        if (element.kind <= ElementKind::spring &&
            (element.kind != ElementKind::sphere || element.radius <= largest))
            element.radius *= factor;
    display_.unit *= factor;
}

const Frame& Motion::frame(std::int64_t index)
{
    if (std::shared_ptr<const Shot> shot = session_.shot(index))
        shot_ = std::move(shot);
    else
        is_whole_ = false;
    return shot_->frame;
}

const DisplayFrame& Motion::placed(std::int64_t index)
{
    place_display(scene(), display_, frame(index), placed_);
    return placed_;
}

std::optional<Session::Details> Motion::details(std::int64_t index)
{
    return session_.details(index);
}

std::vector<Trail> Motion::trails(std::int64_t index, double seconds)
{
    constexpr double kThickest = 0.5;  // units
    constexpr double kShortest = 2;    // units
    constexpr double kThickness = 0.4; // of the mass
    const auto back = std::int64_t(seconds * scene().settings.frame_rate);
    std::vector<Trail> trails;
    for (const Element& element : display_.elements)
        if (element.kind == ElementKind::sphere && element.role == ElementRole::thing)
            trails.push_back(
                {.points = {},
                 .colour = element.colour,
                 .radius = std::min(kThickness * element.radius, kThickest * display_.unit)});
    for (std::int64_t i = std::max<std::int64_t>(0, index - back); i <= index; ++i) {
        const DisplayFrame& frame = placed(i);
        std::size_t k = 0;
        for (const Element& element : display_.elements)
            if (element.kind == ElementKind::sphere && element.role == ElementRole::thing)
                trails[k++].points.push_back(frame.points[element.first]);
    }
    std::erase_if(trails, [&](const Trail& trail) {
        return length(trail.points.back() - trail.points.front()) < kShortest * display_.unit &&
               length(trail.points[trail.points.size() / 2] - trail.points.front()) <
                   kShortest * display_.unit;
    });
    return trails;
}

Bounds Motion::bounds() { return bounds_; }

std::int64_t Motion::typical_frame()
{
    const Settings& settings = scene().settings;
    if (const std::optional<double> still = scene().still) {
        const double frame = (*still - settings.start) * settings.frame_rate;
        return std::clamp(std::int64_t(std::lround(std::clamp(frame, 0.0, 1e15))), std::int64_t(0),
                          std::max<std::int64_t>(frame_count() - 1, 0));
    }
    return near_.empty() ? 0 : near_[near_.size() / 3];
}

} // namespace sinew::app
