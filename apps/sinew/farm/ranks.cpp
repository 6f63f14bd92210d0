// Ranks of an MPI job. They need not talk while they compute: each makes its part and leaves a
// note, and rank 0 joins the parts when all notes are there. So any launcher will do that tells a
// process its rank, and no MPI library is linked.
//
// Notes of an earlier job that was killed may lie there, and not every launcher tells its ranks
// which job they are of. So rank 0 puts up a call, which no other job has, and a note counts that
// answers it; the others wait until it is taken down, and answer again where it changes.

#include "farm/parts.h"
#include "farm/shared_files.h"
#include "run.h"
#include "runner.h"

#include <fmt/core.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>
#include <unistd.h>

namespace sinew::app {

namespace {

namespace fs = std::filesystem;

struct Rank {
    int number = 0, count = 0;
};

std::optional<int> number_in(const char* variable)
{
    const char* text = std::getenv(variable);
    return text && *text ? std::optional(std::atoi(text)) : std::nullopt;
}

/// Open MPI, MPICH and Intel MPI, Slurm's own launcher.
std::optional<Rank> find_rank()
{
    constexpr const char* kNames[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                         {"PMI_RANK", "PMI_SIZE"},
                                         {"SLURM_PROCID", "SLURM_NTASKS"}};
    for (const auto& [rank, size] : kNames) {
        const std::optional<int> number = number_in(rank), count = number_in(size);
        if (number && count && *number >= 0 && *number < *count)
            return Rank{*number, *count};
    }
    return std::nullopt;
}

RunOptions options_of_rank(const RunOptions& options, const Rank& rank, int number)
{
    RunOptions own = options;
    own.part = number + 1;
    own.part_count = rank.count;
    const std::string whole = out_name(options);
    own.out = fmt::format("{}.part{}of{}.sinew", fs::path(whole).replace_extension().string(),
                          own.part, own.part_count);
    if (own.threads == 0)
        own.threads = std::max(1, int(std::thread::hardware_concurrency()) / rank.count);
    return own;
}

std::string note_of(const RunOptions& own) { return own.out + ".end"; }

std::string call_of(const RunOptions& options) { return out_name(options) + ".ranks"; }

/// Empty: it is not there.
std::string read_word(const std::string& path)
{
    std::ifstream file(path);
    std::string word;
    file >> word;
    return word;
}

/// A word that no other job has.
std::string make_call()
{
    char host[64] = "";
    gethostname(host, sizeof host - 1);
    return fmt::format("{}-{}-{}", host, getpid(),
                       std::chrono::system_clock::now().time_since_epoch().count());
}

/// How a rank of this job ended; nothing while it is at it.
std::optional<int> read_note(const RunOptions& own, const std::string& call)
{
    std::ifstream file(note_of(own));
    std::string of;
    int status = 0;
    return file >> of >> status && of == call ? std::optional(status) : std::nullopt;
}

void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }

/// The worst status of all other ranks.
int wait_for_others(const RunOptions& options, const Rank& rank, const std::string& call)
{
    int worst = 0;
    for (int number = 1; number < rank.count; ++number) {
        const RunOptions own = options_of_rank(options, rank, number);
        std::optional<int> status = read_note(own, call);
        while (!status && !Interruption::is_wanted()) {
            pause();
            status = read_note(own, call);
        }
        if (!status)
            return 3;
        worst = std::max(worst, *status);
    }
    return worst;
}

/// Leaves the note of a rank that has ended until rank 0 has seen it. False: it cannot, or there is
/// no rank 0, whose call stands from its start to its end.
bool answer(const RunOptions& options, const RunOptions& own, int status)
{
    constexpr std::chrono::minutes kLongest{10}; // for rank 0 to start
    const auto begin = std::chrono::steady_clock::now();
    std::string answered;
    while (!Interruption::is_wanted()) {
        const std::string call = read_word(call_of(options));
        if (call.empty() && !answered.empty())
            return true;
        if (call.empty() && std::chrono::steady_clock::now() - begin > kLongest)
            return false;
        if (call != answered && !call.empty()) {
            const Problems problems =
                write_whole(note_of(own), fmt::format("{} {}\n", call, status));
            print_problems(problems, options.colour);
            if (!problems.empty())
                return false;
            answered = call;
        }
        pause();
    }
    return true;
}

int join_ranks(const RunOptions& options, const Rank& rank)
{
    JoinOptions wish{.parts = {}, .out = out_name(options), .is_quiet = options.is_quiet};
    for (int number = 0; number < rank.count; ++number)
        wish.parts.push_back(options_of_rank(options, rank, number).out);
    const int status = join(wish);
    std::error_code missing;
    for (int number = 0; status == 0 && number < rank.count; ++number)
        fs::remove(options_of_rank(options, rank, number).out, missing);
    return status;
}

/// Rank 0: its own part, then all of them together.
int run_first(const RunOptions& options, const Rank& rank, const RunOptions& own)
{
    const std::string call = make_call();
    if (const Problems problems = write_whole(call_of(options), call + "\n"); !problems.empty()) {
        print_problems(problems, options.colour);
        return 1;
    }
    const int status = run_script(own).status;
    const Interruption interruption;
    const int worst = std::max(status, wait_for_others(options, rank, call));
    std::error_code missing;
    fs::remove(call_of(options), missing);
    for (int number = 1; number < rank.count; ++number)
        fs::remove(note_of(options_of_rank(options, rank, number)), missing);
    return worst == 0 ? join_ranks(options, rank) : worst;
}

} // namespace

int run_rank(const RunOptions& options)
{
    const std::optional<Rank> rank = find_rank();
    if (!rank) {
        fmt::print(stderr, "--mpi: this process has no rank\n      hint: start it by `mpirun -n 4 "
                           "sinew run --mpi SCRIPT`, or by srun\n");
        return 2;
    }
    RunOptions own = options_of_rank(options, *rank, rank->number);
    own.is_quiet = true;
    if (rank->number == 0)
        return run_first(options, *rank, own);
    const int status = run_script(own).status;
    const Interruption interruption;
    return answer(options, own, status) ? status : 1;
}

} // namespace sinew::app
