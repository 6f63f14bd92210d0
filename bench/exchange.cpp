// How fast frames become files: strands × nodes × frames through each format, beside the rival: the
// same numbers as bare floats written to a file, which is all that the disk can do. Seconds are the
// processor's, the system's work for the files included. Memory is the most that the program held
// so far: of a shot four times as long it is the same.
//
//   ./dev bench exchange [STRANDS [FRAMES]]

#include "sinew/export.h"
#include "sinew/language.h"
#include "sinew/world.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <sys/resource.h>
#include <unistd.h>

using namespace sinew;

namespace {

namespace fs = std::filesystem;

constexpr int kNodes = 16;

double seconds_now()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

/// The most memory so far [MB].
double peak_memory()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return double(usage.ru_maxrss) / 1024;
}

std::string script_of(int strands)
{
    return fmt::format("def hair strand(line(0,0,0, 0.2,0,0), segments = {}); end;\n"
                       "for i in 1..{}\n  hair translatey(0.001 * i);\nend;\n",
                       kNodes - 1, strands);
}

/// The nodes of the start, waving; no simulation, only frames.
class Waves {
public:
    explicit Waves(Frame start) : start_(std::move(start)) {}

    Frame frame(std::int64_t number) const
    {
        Frame frame = start_;
        frame.time = double(number) / 24;
        for (std::size_t i = 0; i < frame.nodes.size(); ++i)
            frame.nodes[i].z += 0.001 * double((i + std::size_t(number)) % kNodes);
        return frame;
    }

private:
    Frame start_;
};

double write_bare(const Waves& waves, std::int64_t frames, const std::string& path)
{
    const double begin = seconds_now();
    std::FILE* file = std::fopen(path.c_str(), "wb");
    std::vector<float> floats;
    for (std::int64_t i = 0; i < frames; ++i) {
        floats.clear();
        for (const Vec3& x : waves.frame(i).nodes)
            floats.insert(floats.end(), {float(x.x), float(x.y), float(x.z)});
        std::fwrite(floats.data(), 4, floats.size(), file);
    }
    std::fclose(file);
    return seconds_now() - begin;
}

} // namespace

int main(int argc, char** argv)
{
    const int strands = argc > 1 ? std::atoi(argv[1]) : 10'000;
    const std::int64_t frames = argc > 2 ? std::atoll(argv[2]) : 24;
    const double start = seconds_now();
    const ScriptReading reading =
        read_script("hair", script_of(strands), no_files(), {.check_start = false});
    if (!reading.is_sound()) {
        fmt::print("{}", problems_text(reading.problems, false));
        return 1;
    }
    const Result<World> world = World::create(reading.scene);
    const Waves waves(world->frame());
    const double making = seconds_now() - start;
    const fs::path folder = fs::temp_directory_path() / fmt::format("sinew-bench-{}", getpid());
    fs::create_directories(folder);
    const double bare = write_bare(waves, frames, folder / "bare");
    fmt::print("{} strands x {} nodes x {} frames: script and world made in {:.2f} s, {:.0f} MB\n",
               strands, kNodes, frames, making, peak_memory());
    fmt::print("format  frames  seconds  Mpoints/s  bytes/point  of bare floats  peak MB\n");
    const auto tell = [&](const char* format, std::int64_t count, double seconds, double bytes) {
        const double points = double(strands) * kNodes * double(count);
        fmt::print("{:6}  {:6}  {:7.2f}  {:9.1f}  {:11.1f}  {:14.2f}  {:7.0f}\n", format, count,
                   seconds, points / seconds / 1e6, bytes / points,
                   seconds / bare * double(frames) / double(count), peak_memory());
        std::fflush(stdout);
    };
    tell("bare", frames, bare, 12.0 * strands * kNodes * double(frames));
    const struct {
        const char* format;
        std::int64_t frames;
    } kRounds[] = {{"usdc", std::max<std::int64_t>(1, frames / 4)},
                   {"usdc", frames},
                   {"pc2", frames},
                   {"usda", frames}};
    for (const auto& [format, count] : kRounds) {
        const FrameSource source{
            .scene = reading.scene, .count = count, .frame = [&](std::int64_t i) {
                return Result<Frame>(waves.frame(i));
            }};
        const double begin = seconds_now();
        const Result<ExportReport> report =
            export_frames(source, folder / fmt::format("out.{}", format), {});
        const double seconds = seconds_now() - begin;
        if (!report) {
            fmt::print("{}", problems_text(report.problems(), false));
            continue;
        }
        tell(format, count, seconds, double(report->byte_count));
        for (const std::string& file : report->files)
            fs::remove(file);
    }
    fs::remove_all(folder);
    return 0;
}
