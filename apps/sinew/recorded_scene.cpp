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
                       .what = "it is no recording",
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
    ScriptReading reading = read_script(
        take->name, take->script, options->read_file,
        {.parameters = take->parameters, .frame_rate = options->frame_rate, .check_start = false});
    if (!reading.is_sound())
        return reading.problems;
    if (Problems problems = recording->check_scene(reading.scene); !problems.empty())
        return problems;
    return RecordedScene{std::move(*recording), std::move(reading.scene)};
}

} // namespace sinew::app
