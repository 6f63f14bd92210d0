#include "table.h"

#include "draft.h"

#include "sinew/frame.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace sinew::app {

namespace {

/// Something that takes bytes and must not be exchanged: a terminal, a pipe, whatever a link leads
/// to.
bool is_stream(const std::string& path)
{
    struct stat status {};
    return lstat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

} // namespace

Problem Table::problem(int error) const
{
    return {.code = "table-unwritable",
            .place = {.file = path_},
            .what = fmt::format("the table cannot be written: {}", std::strerror(error)),
            .hint = error == ENOSPC || error == EFBIG ? "make room on the disk"
                                                      : "may you write in its folder?"};
}

Result<Table> Table::open(const std::string& path)
{
    Table table;
    table.path_ = path;
    if (!is_stream(path)) {
        table.beside_ = make_draft(path, ".new");
        if (table.beside_.empty())
            return table.problem(errno);
    }
    const std::string& target = table.beside_.empty() ? path : table.beside_;
    table.file_.reset(std::fopen(target.c_str(), "wb"));
    if (table.file_)
        return table;
    const Problem problem = table.problem(errno);
    table.beside_.clear();
    return problem;
}

Table::~Table()
{
    if (file_ && !beside_.empty())
        unlink(beside_.c_str());
}

Problems Table::write(const Scene& scene, const Recording& recording)
{
    std::size_t points = 0;
    for (const Drawing& drawing : scene.drawings)
        points += drawing_point_count(scene, drawing);
    errno = 0;
    std::fputs(table_head(scene).c_str(), file_.get());
    for (std::int64_t i = 0; i < recording.info().frame_count; ++i) {
        const Result<Frame> frame = recording.frame(i);
        if (!frame)
            return frame.problems();
        if (frame->objects.size() != scene.objects.size() || frame->points.size() != points)
            return {{.code = "table-other-scene",
                     .place = {.file = path_},
                     .what = "no table: the recording holds frames of another scene",
                     .hint = "start again without --resume"}};
        const std::string lines = table_lines(scene, *frame);
        if (std::fwrite(lines.data(), 1, lines.size(), file_.get()) != lines.size())
            return {problem(errno)};
    }
    if (std::fflush(file_.get()) != 0)
        return {problem(errno)};
    if (!beside_.empty() && std::rename(beside_.c_str(), path_.c_str()) != 0)
        return {problem(errno)};
    beside_.clear();
    return {};
}

} // namespace sinew::app
