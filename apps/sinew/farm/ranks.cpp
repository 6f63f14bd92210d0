// Ranks of an MPI job. They need not talk while they compute: each makes its part and leaves a
// note, and rank 0 joins the parts when all notes are there. So any launcher will do that tells a
// process its rank, and no MPI library is linked.

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

namespace sinew::app {

namespace {

namespace fs = std::filesystem;

struct Rank {
    int number = 0, count = 0;
    std::string job; ///< the same for all ranks of one start
};

std::optional<int> number_in(const char* variable)
{
    const char* text = std::getenv(variable);
    return text && *text ? std::optional(std::atoi(text)) : std::nullopt;
}

/// Open MPI, MPICH and Intel MPI, Slurm's own launcher.
std::optional<Rank> find_rank()
{
    constexpr const char* kNames[][3] = {
        {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_NAMESPACE"},
        {"PMI_RANK", "PMI_SIZE", "PMI_ID"},
        {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_JOB_ID"}};
    for (const auto& [rank, size, job] : kNames) {
        const std::optional<int> number = number_in(rank), count = number_in(size);
        const char* name = std::getenv(job);
        if (number && count && *number >= 0 && *number < *count)
            return Rank{*number, *count, name ? name : "job"};
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

/// How a rank of this job ended; nothing while it is at it.
std::optional<int> read_note(const RunOptions& own, const std::string& job)
{
    std::ifstream file(note_of(own));
    std::string of;
    int status = 0;
    return file >> of >> status && of == job ? std::optional(status) : std::nullopt;
}

/// The worst status of all ranks.
int wait_for_others(const RunOptions& options, const Rank& rank)
{
    int worst = 0;
    for (int number = 0; number < rank.count; ++number) {
        const RunOptions own = options_of_rank(options, rank, number);
        std::optional<int> status = read_note(own, rank.job);
        while (!status && !Interruption::is_wanted()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            status = read_note(own, rank.job);
        }
        if (!status)
            return 3;
        worst = std::max(worst, *status);
    }
    return worst;
}

int join_ranks(const RunOptions& options, const Rank& rank)
{
    JoinOptions wish{.parts = {}, .out = out_name(options), .is_quiet = options.is_quiet};
    for (int number = 0; number < rank.count; ++number)
        wish.parts.push_back(options_of_rank(options, rank, number).out);
    const int status = join(wish);
    std::error_code missing;
    for (int number = 0; status == 0 && number < rank.count; ++number) {
        const RunOptions own = options_of_rank(options, rank, number);
        fs::remove(own.out, missing);
        fs::remove(note_of(own), missing);
    }
    return status;
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
    const int status = run_script(own).status;
    const Problems problems = write_whole(note_of(own), fmt::format("{} {}\n", rank->job, status));
    print_problems(problems, options.colour);
    if (rank->number != 0 || !problems.empty())
        return problems.empty() ? status : 1;
    const Interruption interruption;
    const int worst = wait_for_others(options, *rank);
    return worst == 0 ? join_ranks(options, *rank) : worst;
}

} // namespace sinew::app
