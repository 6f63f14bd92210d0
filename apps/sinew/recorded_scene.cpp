#include "recorded_scene.h"

#include "replay.h"

#include "sinew/language.h"
#include "sinew/session.h"

namespace sinew::app {

Result<RecordedScene> open_recorded(const std::string& path)
{
    if (!is_recording(path))
        return Problem{.code = "no-recording",
                       .place = {.file = path},
                       .what = "it is not a recording",
                       .hint = "`sinew run` makes one from a script"};
    Result<Recording> recording = Recording::open(path);
    if (!recording)
        return recording.problems();
    const Result<Take> take = take_of(*recording);
    if (!take)
        return take.problems();
    const Result<SessionOptions> options = options_of(*recording, {});
    if (!options)
        return options.problems();
    const RecordingInfo& info = recording->info();
    const bool is_part = info.part_count > 0;
    ScriptReading reading = read_script(take->name, take->script, options->read_file,
                                        {.parameters = take->parameters,
                                         .frame_rate = options->frame_rate,
                                         .check_start = false,
                                         .makes_curves = !is_part});
    if (!reading.is_sound())
        return reading.problems;
    Problems problems;
    if (is_part) {
        const PartPlan plan = plan_parts(reading.scene, info.part_count);
        problems = recording->check_part(reading.scene, plan, info.part);
        if (problems.empty())
            reading = read_part(std::move(reading), plan, info.part, {.check_start = false});
    } else {
        problems = recording->check_scene(reading.scene);
    }
    if (!problems.empty() || !reading.is_sound())
        return problems.empty() ? reading.problems : problems;
    return RecordedScene{std::move(*recording), std::move(reading.scene)};
}

} // namespace sinew::app
