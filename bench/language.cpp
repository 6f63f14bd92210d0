// The front end on generated scripts, beside the least that any reader of text must do: reading the
// file and splitting it into words. The ratio to that rival is what to watch; times depend on the
// machine.
//
//   ./dev bench language            all sizes
//   ./dev bench language --benchmark_filter=100000

#include "sinew/language.h"

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace {

using namespace sinew;

constexpr int kLinesPerMass = 10;

/// A long chain with springs, tracks and drawing: every second statement names something made
/// before.
std::string make_script(int lines)
{
    std::string text = "var length;\nlength = 0.5;\ndef bob mass(1.5); end;\nm0 = bob;\n";
    for (int i = 1; i <= lines / kLinesPerMass; ++i) {
        const int before = i - 1;
        text += fmt::format("# mass number {}\n", i);
        text += fmt::format("dynamic x{0}, y{0};\n", i);
        text += fmt::format("x{0} = initial({0} * length, 0);\n", i);
        text += fmt::format("y{} = initial(0, 0.1 * {});\n", i, i % 7);
        text += fmt::format("m{0} = bob translatex(x{0}) translatey(y{0});\n", i);
        text += fmt::format("dist_constraint(m{}, m{}, length);\n", before, i);
        text += fmt::format("var rest{};\n", i);
        text += fmt::format("rest{} = {{0 at 0 sec slowinout {} at 2 sec hold 0.5 at 3.5 sec}};\n",
                            i, 1 + i % 3);
        text +=
            fmt::format("spring_and_damper(m{0}, m{1}, rest{1} + length, 100, 0.1);\n", before, i);
        text += fmt::format("line(m{0}_x, m{0}_y, 0, m{1}_x, m{1}_y, 0);\n", before, i);
    }
    return text;
}

const std::string& file_of(int lines)
{
    static std::map<int, std::string> names;
    std::string& name = names[lines];
    if (name.empty()) {
        name =
            (std::filesystem::temp_directory_path() / fmt::format("sinew_bench_{}.charli", lines))
                .string();
        std::ofstream(name, std::ios::binary) << make_script(lines);
    }
    return name;
}

std::string read_text(const std::string& name)
{
    std::ifstream stream(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// The rival: no reader can do less.
void split_into_words(benchmark::State& state)
{
    const std::string& name = file_of(static_cast<int>(state.range(0)));
    for (auto _ : state) {
        std::istringstream stream(read_text(name));
        std::vector<std::string> words;
        for (std::string word; stream >> word;)
            words.push_back(word);
        benchmark::DoNotOptimize(words.size());
    }
}

void parse(benchmark::State& state)
{
    const std::string& name = file_of(static_cast<int>(state.range(0)));
    for (auto _ : state) {
        const auto editor = ScriptEditor::open(name, read_text(name));
        if (!editor)
            state.SkipWithError("the script does not parse");
    }
}

void parse_and_evaluate(benchmark::State& state)
{
    const std::string& name = file_of(static_cast<int>(state.range(0)));
    for (auto _ : state) {
        const ScriptReading reading =
            read_script(name, read_text(name), no_files(), {.check_start = false});
        if (!reading.is_sound())
            state.SkipWithError(problems_text(reading.problems, false).c_str());
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    state.counters["peak_MB"] = double(usage.ru_maxrss) / 1024;
}

void parse_evaluate_and_check_start(benchmark::State& state)
{
    const std::string& name = file_of(static_cast<int>(state.range(0)));
    for (auto _ : state)
        benchmark::DoNotOptimize(read_script_file(name).reading.freedom);
}

#define FOR_SIZES                                                                                  \
    ->Arg(10'000)->Arg(30'000)->Arg(100'000)->Unit(benchmark::kMillisecond)->MinTime(1)
BENCHMARK(split_into_words) FOR_SIZES;
BENCHMARK(parse) FOR_SIZES;
BENCHMARK(parse_and_evaluate) FOR_SIZES;
BENCHMARK(parse_evaluate_and_check_start) FOR_SIZES;

} // namespace

BENCHMARK_MAIN();
