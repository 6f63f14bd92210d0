// `sinew info`: what is in a recording, and how it went.

#include "commands.h"
#include "printing.h"

#include "sinew/language.h"
#include "sinew/record.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <unistd.h>

namespace sinew::app {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// The largest of a row of numbers, and the frame it belongs to.
struct Largest {
    double value = 0;
    std::int64_t frame = 0;

    void take(double candidate, std::int64_t at)
    {
        if (candidate > value || !(candidate == candidate))
            *this = {candidate, at};
    }
};

/// All frames of a recording in one.
struct Digest {
    std::int64_t steps = 0, rejected = 0, implicit_steps = 0, iterations = 0, unconverged = 0;
    int most_rows = 0;
    std::int64_t stages = 0, solves = 0;     ///< of strands
    int worst_solves = 0;                    ///< in one stage
    std::vector<double> solves_a_stage = {}; ///< mean of each frame
    Largest residual, contact_error, theta, kinetic, energy_change, elapsed_ms;
    bool has_theta = false;
    std::int64_t hits = 0, sensed = 0; ///< bodies that met
    double energy_at_start = 0, energy_at_end = 0;
    double total_ms = 0, taking_ms = 0, writing_ms = 0;
    std::uint64_t state_hash = 0; ///< of the last frame
    std::uintmax_t size = 0;      ///< of all files
    std::size_t object_count = 0;
    std::vector<SourceFile> scripts;
    Problems warnings;
};

void add(Digest& digest, std::int64_t i, const FrameStatistics& s)
{
    const double energy = s.energy.kinetic + s.energy.potential;
    if (i == 0)
        digest.energy_at_start = energy;
    digest.energy_at_end = energy;
    digest.steps += s.report.steps;
    digest.rejected += s.report.rejected;
    digest.implicit_steps += s.report.implicit_steps;
    digest.iterations += s.report.iterations;
    digest.unconverged += s.report.converged ? 0 : 1;
    digest.most_rows = std::max(digest.most_rows, s.report.rows);
    digest.stages += s.report.stages;
    digest.solves += s.report.solves;
    digest.worst_solves = std::max(digest.worst_solves, s.report.worst_solves);
    if (s.report.stages > 0)
        digest.solves_a_stage.push_back(double(s.report.solves) / s.report.stages);
    digest.residual.take(s.report.residual, i);
    digest.contact_error.take(s.report.contact_error, i);
    digest.has_theta = digest.has_theta || s.report.theta;
    digest.theta.take(s.report.theta.value_or(0), i);
    for (const ContactEvent& event : s.report.events)
        ++(event.is_sensed ? digest.sensed : digest.hits);
    digest.kinetic.take(s.energy.kinetic, i);
    digest.energy_change.take(std::abs(energy - digest.energy_at_start), i);
    digest.elapsed_ms.take(s.elapsed_ms, i);
    digest.total_ms += s.elapsed_ms;
    digest.taking_ms += s.taking_ms;
    digest.writing_ms += s.writing_ms;
    digest.state_hash = s.state_hash;
}

std::uintmax_t size_of(const std::string& path)
{
    std::error_code fault;
    const std::uintmax_t size = fs::file_size(path, fault);
    return fault ? 0 : size;
}

Result<Digest> compute_digest(const std::string& path, const Recording& recording)
{
    Digest digest;
    for (std::int64_t i = 0; i < recording.info().frame_count; ++i) {
        const Result<FrameStatistics> statistics = recording.statistics(i);
        if (!statistics)
            return statistics.problems();
        add(digest, i, *statistics);
    }
    const Result<std::vector<std::string>> names = recording.object_names();
    const Result<std::vector<SourceFile>> scripts = recording.scripts();
    const Result<std::vector<Diagnostic>> diagnostics = recording.diagnostics();
    if (!names || !scripts || !diagnostics)
        return !names ? names.problems() : !scripts ? scripts.problems() : diagnostics.problems();
    digest.object_count = names->empty() ? 0 : names->size() - 1; // without the world
    digest.scripts = *scripts;
    for (const Diagnostic& diagnostic : *diagnostics)
        if (diagnostic.problem.severity != Severity::error)
            digest.warnings.push_back(diagnostic.problem);
    digest.size = size_of(path) + size_of(path + "-wal");
    return digest;
}

/// In one word, for people and programs.
const char* status_of(const Recording& recording)
{
    const RecordingInfo& info = recording.info();
    return info.is_complete               ? "complete"
           : info.fault                   ? "stopped"
           : recording.is_being_written() ? "running"
                                          : "interrupted";
}

double time_of(const RecordingInfo& info, std::int64_t frame)
{
    return info.start + double(frame) / info.frame_rate;
}

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

void print_origin(const RecordingInfo& info, const Digest& d, const Style& s)
{
    std::string options;
    for (const auto& [name, value] : info.parameters)
        options += " -D " + name + "=" + value;
    for (const auto& [name, library] : info.imports)
        options += " --import " + name + "=" + library;
    fmt::print("  {}script{}       {}{}\n", s.title, s.off, printable(info.script_name),
               printable(options));
    if (d.scripts.size() > 1)
        fmt::print("               with {}\n",
                   count_of(std::int64_t(d.scripts.size() - 1), "included file", "included files"));
    fmt::print("  {}made by{}      sinew {}\n", s.title, s.off, printable(info.version));
    fmt::print(
        "  {}holds{}        {}, {}{}\n", s.title, s.off,
        count_of(std::int64_t(d.object_count), "object", "objects"), size_text(d.size),
        info.frame_count == 0
            ? ""
            : fmt::format(", {} a frame", size_text(d.size / std::uintmax_t(info.frame_count))));
    if (info.error == 0)
        fmt::print("               frames with every bit\n");
    else
        fmt::print(
            "               frames to {:.2g} m, segments of strands to {:.2g}; snapshots with "
            "every bit\n",
            info.error, 16 * info.error);
}

double median(std::vector<double> numbers)
{
    if (numbers.empty())
        return 0;
    const auto middle = numbers.begin() + std::ptrdiff_t(numbers.size() / 2);
    std::nth_element(numbers.begin(), middle, numbers.end());
    return *middle;
}

void print_work(const RecordingInfo& info, const Digest& d, const Style& s)
{
    const double frames = double(std::max<std::int64_t>(1, info.frame_count - 1));
    fmt::print("  {}steps{}        {}, {:.3g} a frame; {} rejected, {} implicit\n", s.title, s.off,
               d.steps, double(d.steps) / frames, d.rejected, d.implicit_steps);
    if (d.most_rows > 0)
        fmt::print("  {}rows{}         at most {}, {} iterations in all\n", s.title, s.off,
                   d.most_rows, d.iterations);
    if (d.stages > 0)
        fmt::print(
            "  {}strands{}      {:.3g} solves a stage (median of frames {:.3g}, worst {}), {} "
            "stages\n",
            s.title, s.off, double(d.solves) / double(d.stages), median(d.solves_a_stage),
            d.worst_solves, d.stages);
    if (d.unconverged > 0)
        fmt::print("               {} not fully solved\n",
                   count_of(d.unconverged, "frame was", "frames were"));
    fmt::print("  {}constraints{}  hold to {:.2g} m", s.title, s.off, d.residual.value);
    if (d.residual.value > 0)
        fmt::print(" (worst at {:g} s)", time_of(info, d.residual.frame));
    if (d.contact_error.value > 0)
        fmt::print(
            "\n               laws of contact and of joints hold to {:.2g} m/s (worst at {:g} "
            "s)",
            d.contact_error.value, time_of(info, d.contact_error.frame));
    if (d.has_theta)
        fmt::print("\n               theta of the paper's method at most {:.2g} m/s (at {:g} s)",
                   d.theta.value, time_of(info, d.theta.frame));
    if (d.hits + d.sensed > 0)
        fmt::print("\n  {}contacts{}     bodies met {}{}; `sinew info --contacts` lists them",
                   s.title, s.off, count_of(d.hits, "time", "times"),
                   d.sensed > 0 ? fmt::format(", and {} sensed", d.sensed) : "");
    if (std::isnan(d.energy_at_end))
        fmt::print("\n  {}energy{}       not known: of what moves in every part of a joined shot\n",
                   s.title, s.off);
    else
        fmt::print(
            "\n  {}energy{}       {:.6g} J at the start, {:.6g} J at the end; largest kinetic "
            "{:.6g} J\n               changes by at most {:.2g} J, {:.2g} of the largest kinetic\n",
            s.title, s.off, d.energy_at_start, d.energy_at_end, d.kinetic.value,
            d.energy_change.value, share(d.energy_change.value, d.kinetic.value));
    fmt::print("  {}time{}         {:.3g} s of stepping; {:.3g} ms a frame, at most {:.3g} ms (at "
               "{:g} s); {:.3g} ms a step\n",
               s.title, s.off, d.total_ms / 1000, d.total_ms / frames, d.elapsed_ms.value,
               time_of(info, d.elapsed_ms.frame), share(d.total_ms, double(d.steps)));
    fmt::print("               making {:.3g} s, stepping {:.3g} s, taking frames {:.3g} s, writing "
               "{:.3g} s beside the others\n",
               info.making_ms / 1000, d.total_ms / 1000, d.taking_ms / 1000, d.writing_ms / 1000);
    if (d.state_hash != 0) // a joined shot has none
        fmt::print("  {}state{}        {:016x} after the last frame\n", s.title, s.off,
                   d.state_hash);
}

void print_text(const InfoOptions& options, const Recording& recording, const Digest& d)
{
    const RecordingInfo& info = recording.info();
    const Style s = make_style(use_colour(options.colour, STDOUT_FILENO));
    const std::string status = status_of(recording);
    fmt::print("{}{}{}: {}", s.name, options.recording, s.off,
               count_of(info.frame_count, "frame", "frames"));
    if (info.frame_count > 0)
        fmt::print(", {:g} to {:g} s at {:g} a second", info.start,
                   time_of(info, info.frame_count - 1), info.frame_rate);
    fmt::print(", {}{}{}", s.good, status, s.off);
    if (status != "complete")
        fmt::print(" before {:g} s", info.end);
    fmt::print("\n");
    print_origin(info, d, s);
    print_work(info, d, s);
    Problems problems;
    for (const Problem& warning : d.warnings)
        problems.push_back(printable_problem(warning));
    if (info.fault)
        problems.push_back(printable_problem(*info.fault));
    if (!problems.empty())
        fmt::print("\n{}", problems_text(problems, use_colour(options.colour, STDOUT_FILENO)));
    if (status == "interrupted")
        fmt::print("hint: `sinew run` with the same options and --resume continues from there\n");
}

void print_info_json(const Recording& recording, const Digest& d)
{
    const RecordingInfo& info = recording.info();
    const std::int64_t last = std::max<std::int64_t>(0, info.frame_count - 1);
    json out = {{"status", status_of(recording)},
                {"script", info.script_name},
                {"parameters", info.parameters},
                {"imports", info.imports},
                {"version", info.version},
                {"scene_fingerprint", fmt::format("{:016x}", info.scene_fingerprint)},
                {"state_hash", fmt::format("{:016x}", d.state_hash)},
                {"frame_rate", info.frame_rate},
                {"start", info.start},
                {"end", info.end},
                {"step", info.step},
                {"frames", info.frame_count},
                {"last_time", time_of(info, last)},
                {"objects", d.object_count},
                {"bytes", d.size},
                {"steps", d.steps},
                {"rejected", d.rejected},
                {"implicit_steps", d.implicit_steps},
                {"most_rows", d.most_rows},
                {"iterations", d.iterations},
                {"strand_stages", d.stages},
                {"strand_solves", d.solves},
                {"median_solves_a_stage", median(d.solves_a_stage)},
                {"worst_solves", d.worst_solves},
                {"unconverged_frames", d.unconverged},
                {"largest_residual", d.residual.value},
                {"largest_contact_error", d.contact_error.value},
                {"largest_theta", d.has_theta ? json(d.theta.value) : json()},
                {"contacts", d.hits},
                {"contacts_sensed", d.sensed},
                {"largest_kinetic", d.kinetic.value},
                {"energy_at_start", d.energy_at_start},
                {"energy_at_end", d.energy_at_end},
                {"largest_energy_change", d.energy_change.value},
                {"error", info.error},
                {"ms", d.total_ms},
                {"making_ms", info.making_ms},
                {"taking_ms", d.taking_ms},
                {"writing_ms", d.writing_ms},
                {"ms_per_frame", share(d.total_ms, double(last))},
                {"ms_per_step", share(d.total_ms, double(d.steps))},
                {"warnings", json::array()},
                {"fault", info.fault ? problem_json(*info.fault) : json()}};
    for (const Problem& warning : d.warnings)
        out["warnings"].push_back(problem_json(warning));
    print_json(out);
}

/// A name in a line of CSV: in quotes where it needs them.
std::string cell_of(const std::string& name)
{
    if (name.find_first_of(",\"\n") == std::string::npos)
        return name;
    std::string quoted = "\"";
    for (const char c : name)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

void print_contacts_csv(const std::vector<ContactEvent>& events,
                        const std::vector<std::string>& names)
{
    fmt::print("time,kind,a,b,x,y,z,normal_x,normal_y,normal_z,speed,impulse,slip\n");
    for (const ContactEvent& e : events)
        fmt::print("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", e.time,
                   e.is_sensed ? "sensed" : "hit", cell_of(names[e.a.index]),
                   cell_of(names[e.b.index]), e.place.x, e.place.y, e.place.z, e.normal.x,
                   e.normal.y, e.normal.z, e.speed, e.impulse, e.slip);
}

void print_contacts_json(const std::vector<ContactEvent>& events,
                         const std::vector<std::string>& names)
{
    json out = json::array();
    for (const ContactEvent& e : events)
        out.push_back({{"time", e.time},
                       {"kind", e.is_sensed ? "sensed" : "hit"},
                       {"a", names[e.a.index]},
                       {"b", names[e.b.index]},
                       {"place", {e.place.x, e.place.y, e.place.z}},
                       {"normal", {e.normal.x, e.normal.y, e.normal.z}},
                       {"speed", e.speed},
                       {"impulse", e.impulse},
                       {"slip", e.slip}});
    print_json(out);
}

/// Which bodies met, for sound and effects.
int list_contacts(const InfoOptions& options, const Recording& recording)
{
    const Result<std::vector<ContactEvent>> events = recording.contact_events();
    const Result<std::vector<std::string>> names = recording.object_names();
    if (!events || !names) {
        print_problems(!events ? events.problems() : names.problems(), options.colour);
        return 1;
    }
    (options.json ? print_contacts_json : print_contacts_csv)(*events, *names);
    return 0;
}

} // namespace

int info(const InfoOptions& options)
{
    const Result<Recording> recording = Recording::open(options.recording);
    if (!recording) {
        print_problems(recording.problems(), options.colour);
        return 1;
    }
    if (options.contacts)
        return list_contacts(options, *recording);
    const Result<Digest> digest = compute_digest(options.recording, *recording);
    if (!digest) {
        print_problems(digest.problems(), options.colour);
        return 1;
    }
    if (options.json)
        print_info_json(*recording, *digest);
    else
        print_text(options, *recording, *digest);
    const Problems damage = recording->check(options.check);
    print_problems(damage, options.colour);
    if (options.check && damage.empty() && !options.json)
        fmt::print("every frame, snapshot and table is whole\n");
    return damage.empty() ? 0 : 1;
}

} // namespace sinew::app
