// `sinew export`: a recording for other programs.

#include "commands.h"
#include "printing.h"
#include "progress.h"
#include "recorded_scene.h"
#include "runner.h"

#include "sinew/export.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace sinew::app {

namespace {

ExportOptions make_options(const ExportCommand& command)
{
    ExportOptions options = export_preset(command.program).value_or(ExportOptions{});
    if (command.up)
        options.up = *command.up == "z" ? UpAxis::z : UpAxis::y;
    if (command.scale)
        options.scale = *command.scale;
    if (command.basis)
        options.basis = *command.basis == "linear"    ? CurveBasis::linear
                        : *command.basis == "bspline" ? CurveBasis::bspline
                                                      : CurveBasis::catmull_rom;
    options.every = command.every;
    options.hairs.count = command.hairs;
    options.clip_frames = command.clip_frames;
    if (command.frames) {
        options.first = command.frames->first;
        options.last = command.frames->second;
    }
    if (command.frame) {
        options.first = options.last = *command.frame;
        options.is_single = true;
    }
    return options;
}

void print_report(const ExportReport& report, const Style& style)
{
    const std::string more =
        report.files.size() > 1 ? fmt::format(" and {} more", report.files.size() - 1) : "";
    fmt::print("{}{}{}{}: {}, {}, {}, {}\n", style.name, printable(report.files.back()), style.off,
               more, count_of(report.frame_count, "frame", "frames"),
               count_of(std::int64_t(report.body_count), "body", "bodies"),
               count_of(std::int64_t(report.point_count), "curve point", "curve points"),
               size_text(report.byte_count));
}

} // namespace

int export_recording(const ExportCommand& command)
{
    Result<RecordedScene> recorded = open_recorded(command.recording);
    if (!recorded) {
        print_refusal(command.recording, recorded.problems(), command.colour);
        return 1;
    }
    const ExportOptions options = make_options(command);
    const std::int64_t last = std::min(options.last, recorded->recording.info().frame_count - 1);
    const FrameSource source{.scene = recorded->scene,
                             .count = recorded->recording.info().frame_count,
                             .frame = [&](std::int64_t i) { return recorded->recording.frame(i); }};
    Interruption interruption;
    Progress progress(options.first, std::max(options.first, last));
    const Result<ExportReport> report =
        export_frames(source, command.out, options, [&](std::int64_t frame) {
            progress.update(frame);
            return !Interruption::is_wanted();
        });
    progress.clear();
    if (!report) {
        print_refusal(command.out, report.problems(), command.colour);
        return 1;
    }
    if (report->is_interrupted) {
        fmt::print(stderr, "interrupted: nothing was written\n");
        return 1;
    }
    print_problems(report->notes, command.colour);
    if (command.json)
        print_json({{"files", report->files},
                    {"frames", report->frame_count},
                    {"bodies", report->body_count},
                    {"points", report->point_count},
                    {"bytes", report->byte_count}});
    else if (!command.is_quiet)
        print_report(*report, make_style(use_colour(command.colour, 1)));
    return 0;
}

} // namespace sinew::app
