#include "farm/scratch.h"

#include "farm/shared_files.h"

#include "sinew/record.h"

#include <fmt/core.h>

#include <cstdint>
#include <filesystem>

namespace sinew::app {

namespace {

namespace fs = std::filesystem;

/// FNV-1a: the same name for the same place, whatever the run.
std::uint64_t hash_of(const std::string& text)
{
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return hash;
}

/// −1: there is none that can be read.
std::int64_t frame_count(const std::string& path)
{
    const Result<Recording> recording = Recording::open(path);
    return recording ? recording->info().frame_count : -1;
}

} // namespace

Scratch::Scratch(const std::string& out, const std::string& folder) : out_(out), path_(out)
{
    const std::string chosen = scratch_folder(folder, out);
    if (!chosen.empty())
        path_ = fmt::format("{}/sinew-{:016x}.sinew", chosen, hash_of(fs::absolute(out).string()));
}

Problems Scratch::bring_in() const
{
    std::error_code missing;
    if (path_ == out_ || !fs::exists(out_, missing) || frame_count(path_) >= frame_count(out_))
        return {};
    return copy_whole(out_, path_);
}

Problems Scratch::bring_out() const
{
    std::error_code missing;
    if (path_ == out_ || !fs::exists(path_, missing))
        return {};
    Problems problems = copy_whole(path_, out_);
    for (Problem& problem : problems)
        problem.hint +=
            fmt::format("{}it is at {}", problem.hint.empty() ? "" : "; until then ", path_);
    if (problems.empty())
        fs::remove(path_, missing);
    return problems;
}

} // namespace sinew::app
