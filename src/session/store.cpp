// Sessions from recordings, and recordings from sessions.

#include "session/parts.h"
#include "sinew/stop.h"

#include <algorithm>

namespace sinew {

namespace {

/// The scripts of a recording as a folder: the first is the main one, and what is included is named
/// from its folder on.
ReadFile files_of(const std::vector<SourceFile>& scripts)
{
    const std::string main = scripts.empty() ? "" : scripts.front().name;
    const std::string folder = main.substr(0, main.rfind('/') + 1);
    std::map<std::string, std::shared_ptr<const std::string>> texts;
    for (const SourceFile& script : scripts)
        texts[script.name.substr(script.name.starts_with(folder) ? folder.size() : 0)] =
            script.text;
    return [texts = std::move(texts)](const std::string& name) -> FileText {
        const auto found = texts.find(name);
        if (found == texts.end())
            return {};
        return {FileText::Status::ok, *found->second};
    };
}

Problem not_its_own(const RecordingInfo& info)
{
    return {.severity = Severity::warning,
            .code = "recording-other-version",
            .place = {.file = info.script_name},
            .what =
                "this version of Sinew reads the script of the recording otherwise than the one "
                "that made it",
            .hint = "its frames can be looked at; open the script to continue"};
}

} // namespace

Result<Take> take_of(const Recording& recording)
{
    Result<std::vector<SourceFile>> scripts = recording.scripts();
    if (!scripts)
        return scripts.problems();
    Result<std::vector<Input>> inputs = recording.inputs();
    if (!inputs)
        return inputs.problems();
    if (scripts->empty())
        return Problem{.code = "recording-damaged",
                       .place = {.file = recording.info().script_name},
                       .what = "the recording has no script",
                       .hint = "make it again with `sinew run`"};
    return Take{.name = scripts->front().name,
                .script = *scripts->front().text,
                .parameters = recording.info().parameters,
                .inputs = std::move(*inputs)};
}

Result<SessionOptions> options_of(const Recording& recording, SessionOptions options)
{
    Result<std::vector<SourceFile>> scripts = recording.scripts();
    if (!scripts)
        return scripts.problems();
    const RecordingInfo& info = recording.info();
    options.read_file = files_of(*scripts);
    options.frame_rate = info.frame_rate;
    options.step = info.step;
    options.seconds = info.end - info.start;
    return options;
}

Result<Session> Session::open(std::shared_ptr<const Recording> recording, SessionOptions options)
{
    Result<Take> take = take_of(*recording);
    if (!take)
        return take.problems();
    Result<SessionOptions> own = options_of(*recording, std::move(options));
    if (!own)
        return own.problems();
    auto parts = std::make_unique<Parts>(Parts{.options = std::move(*own)});
    Result<Opening> opening = parts->read(*take, false);
    if (!opening)
        return opening.problems();
    if (Problems others = recording->check_scene(opening->scene); !others.empty())
        return others;
    const RecordingInfo& info = recording->info();
    if (make_recording_info(opening->scene, "").scene_fingerprint != info.scene_fingerprint) {
        opening->problems.push_back(not_its_own(info));
        opening->world.reset();
    }
    parts->begin(std::move(*take), std::move(*opening));
    parts->remember_parameters();
    parts->recording = std::move(recording);
    parts->recorded = parts->valid = parts->stale = info.frame_count;
    parts->fault = info.fault;
    if (const auto first = info.frame_count > 0 ? parts->find_shot(0) : nullptr;
        info.frame_count > 0 &&
        (!first || first->frame.objects.size() != parts->scene.objects.size()))
        return not_its_own(info);
    return Session(std::move(parts));
}

std::shared_ptr<const Shot> Session::Parts::read_shot(std::int64_t frame) const
{
    Result<Frame> read = recording->frame(frame);
    Result<FrameStatistics> report = recording->statistics(frame);
    if (!read || !report)
        return nullptr;
    std::vector<Grab> hands = hands_on(*read, grabs_at(frame));
    return std::make_shared<const Shot>(Shot{
        .frame = std::move(*read), .statistics = std::move(*report), .grabs = std::move(hands)});
}

/// From a snapshot of the recording. Behind a slider the scene of its era is not known, and the
/// take is simulated from its start.
bool Session::Parts::restore_recorded(std::int64_t frame)
{
    const std::optional<Recording::Snapshot> snapshot =
        recorded > 0 ? recording->find_snapshot(std::min(frame, recorded - 1)) : std::nullopt;
    if (!snapshot || !world || world_era != 0)
        return false;
    const auto is_before = [&](const Input& input) {
        return input.kind == Input::Kind::parameter && input.frame <= snapshot->frame;
    };
    if (std::ranges::any_of(take.inputs, is_before) || !world->restore(snapshot->bytes))
        return false;
    world_frame = snapshot->frame;
    is_midway = false;
    return true;
}

Problems Session::write_recording(const std::string& path)
{
    Parts& p = *parts_;
    while (p.advance()) {
    }
    if (is_stopping())
        return {make_stopped()};
    RecordingInfo info = make_recording_info(p.scene, p.take.name);
    info.parameters = p.take.parameters;
    info.end = std::max(info.start, time_of(std::max(frame_count(), p.valid) - 1));
    Result<Recording> recording = Recording::create(path, p.scene, info);
    if (!recording)
        return recording.problems();
    Problems problems = recording->set_inputs(p.take.inputs);
    for (std::int64_t i = 0; i < p.valid && problems.empty(); ++i) {
        const std::shared_ptr<const Shot> shot = p.find_shot(i);
        if (!shot && is_stopping())
            return {make_stopped()};
        if (!shot)
            return {{.code = "cannot-simulate",
                     .place = {.file = path},
                     .what = "frame " + std::to_string(i) + " could not be made again",
                     .hint = "start again from the beginning"}};
        std::optional<std::vector<std::byte>> snapshot;
        if (i % info.snapshot_interval == 0 || i + 1 == p.valid)
            if (p.stand_at(i))
                snapshot = p.world->snapshot();
        if (is_stopping())
            return {make_stopped()};
        problems = recording->append(shot->frame, shot->statistics, snapshot);
    }
    return problems.empty() ? recording->finish(p.fault) : problems;
}

} // namespace sinew
