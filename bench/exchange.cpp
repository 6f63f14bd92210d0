// How fast frames become files: strands × nodes × frames through each format, beside the rival: the
// same numbers as bare floats written to a file, which is all that the disk can do. Memory is the
// most that the program held.
//
//   ./dev bench exchange [STRANDS [FRAMES]]

#include "sinew/export.h"
#include "sinew/language.h"
#include "sinew/world.h"

#include <fmt/core.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sys/resource.h>
#include <unistd.h>

using namespace sinew;

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kNodes = 16;

double seconds_since(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
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
    const Clock::time_point begin = Clock::now();
    std::FILE* file = std::fopen(path.c_str(), "wb");
    std::vector<float> floats;
    for (std::int64_t i = 0; i < frames; ++i) {
        floats.clear();
        for (const Vec3& x : waves.frame(i).nodes)
            floats.insert(floats.end(), {float(x.x), float(x.y), float(x.z)});
        std::fwrite(floats.data(), 4, floats.size(), file);
    }
    std::fclose(file);
    return seconds_since(begin);
}

} // namespace

int main(int argc, char** argv)
{
    const int strands = argc > 1 ? std::atoi(argv[1]) : 10'000;
    const std::int64_t frames = argc > 2 ? std::atoll(argv[2]) : 24;
    const ScriptReading reading =
        read_script("hair", script_of(strands), no_files(), {.check_start = false});
    if (!reading.is_sound()) {
        fmt::print("{}", problems_text(reading.problems, false));
        return 1;
    }
    const Result<World> world = World::create(reading.scene);
    const Waves waves(world->frame());
    const double points = double(strands) * kNodes * double(frames);
    const fs::path folder = fs::temp_directory_path() / fmt::format("sinew-bench-{}", getpid());
    fs::create_directories(folder);
    const double bare = write_bare(waves, frames, folder / "bare");
    fmt::print("{} strands x {} nodes x {} frames, {:.0f} MB before\n", strands, kNodes, frames,
               peak_memory());
    fmt::print("format  seconds  Mpoints/s  bytes/point  of bare floats  peak MB\n");
    fmt::print("bare    {:7.2f}  {:9.1f}  {:11.1f}  {:14.2f}  {:7.0f}\n", bare, points / bare / 1e6,
               12.0, 1.0, peak_memory());
    const FrameSource source{.scene = reading.scene, .count = frames, .frame = [&](std::int64_t i) {
                                 return Result<Frame>(waves.frame(i));
                             }};
    for (const char* format : {"usdc", "usda", "pc2"}) {
        const Clock::time_point begin = Clock::now();
        const Result<ExportReport> report =
            export_frames(source, folder / fmt::format("out.{}", format), {});
        const double seconds = seconds_since(begin);
        if (!report) {
            fmt::print("{}", problems_text(report.problems(), false));
            continue;
        }
        fmt::print("{:6}  {:7.2f}  {:9.1f}  {:11.1f}  {:14.2f}  {:7.0f}\n", format, seconds,
                   points / seconds / 1e6, double(report->byte_count) / points, seconds / bare,
                   peak_memory());
        for (const std::string& file : report->files)
            fs::remove(file);
    }
    fs::remove_all(folder);
    return 0;
}
