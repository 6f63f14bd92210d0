#include "workplace.h"

#include "gate.h"

#include "sinew/record.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace sinew::viewer {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kMostBytes = 16 << 20; // of a script
constexpr std::size_t kMostName = 200;

const char* ending_of(FileKind kind) { return kind == FileKind::script ? ".charli" : ".sinew"; }

Problem refusal(const std::string& name, const std::string& what, const std::string& hint)
{
    return {.code = "cannot-save", .place = {.file = name}, .what = what, .hint = hint};
}

bool is_plain(const std::string& name)
{
    return !name.empty() && name.size() <= kMostName && name[0] != '.' && name[0] != '-' &&
           std::all_of(name.begin(), name.end(), [](char c) {
               return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f && c != '/' && c != '\\';
           });
}

/// A file of our own, closed whatever happens.
struct File {
    int number = -1;

    explicit File(int opened) : number(opened) {}
    ~File()
    {
        if (number >= 0)
            ::close(number);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
};

bool write_all(int file, const std::string& text)
{
    for (std::size_t at = 0; at < text.size();) {
        const ssize_t count = ::write(file, text.data() + at, text.size() - at);
        if (count < 0 && errno != EINTR)
            return false;
        at += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    return ::fsync(file) == 0;
}

Problem system_problem(const std::string& name)
{
    return refusal(name, std::string("cannot be written: ") + std::strerror(errno),
                   "make room, or change who may write in the folder");
}

/// Whether it is of this moment, within what a file system tells apart.
bool is_fresh(const FileStamp& stamp)
{
    constexpr double kGrain_s = 0.05;
    struct timespec now;
    ::clock_gettime(CLOCK_REALTIME, &now);
    const double age_s = static_cast<double>(now.tv_sec - stamp.seconds) +
                         1e-9 * static_cast<double>(now.tv_nsec - stamp.nanoseconds);
    return age_s < kGrain_s && age_s > -kGrain_s;
}

std::string beside(const std::string& name)
{
    return "." + name.substr(0, kMostName / 2) + "." + make_secret(6) + ".tmp";
}

} // namespace

std::optional<FileStamp> stamp_of(const fs::path& path)
{
    struct stat found;
    if (::stat(path.c_str(), &found) != 0)
        return std::nullopt;
    const FileStamp stamp{found.st_mtim.tv_sec, found.st_mtim.tv_nsec, found.st_size, found.st_ino};
    return is_fresh(stamp) ? std::nullopt : std::optional(stamp);
}

std::optional<std::string> read_text(const fs::path& path)
{
    std::error_code fault;
    if (!fs::is_regular_file(path, fault) || fs::file_size(path, fault) > kMostBytes || fault)
        return std::nullopt;
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file)
        return std::nullopt;
    return text;
}

bool is_recording(const fs::path& path)
{
    constexpr char kHead[] = "SQLite format 3";
    char head[sizeof kHead] = {};
    std::ifstream file(path, std::ios::binary);
    return file.read(head, sizeof head) && std::memcmp(head, kHead, sizeof head) == 0;
}

Workplace::Workplace(const fs::path& file)
    : folder_(file.has_parent_path() ? file.parent_path() : fs::path(".")),
      own_name_(file.filename().string())
{
}

Result<std::string> Workplace::check_name(const std::string& wanted, FileKind kind) const
{
    std::string name = wanted;
    const std::string ending = ending_of(kind);
    if (!is_plain(name))
        return refusal(wanted, "is not a plain file name",
                       "write a name without folders, as pendulum" + ending);
    const bool is_own = name == own_name_;
    if (!is_own && fs::path(name).extension().empty())
        name += ending;
    if (!is_own && !name.ends_with(ending))
        return refusal(wanted, "does not end with " + ending, "write another name");
    struct stat found;
    if (::lstat((folder_ / name).c_str(), &found) != 0)
        return name;
    if (S_ISLNK(found.st_mode))
        return refusal(wanted, "is a symbolic link, which is not written through",
                       "write another name, or open the file that it leads to");
    if (!S_ISREG(found.st_mode))
        return refusal(wanted, "is not a file", "write another name");
    const bool holds_recording = is_recording(folder_ / name);
    if (kind == FileKind::script && holds_recording)
        return refusal(wanted, "is a recording", "write another name for the script");
    if (kind == FileKind::recording && !Recording::open((folder_ / name).string()))
        return refusal(wanted, "exists and is not a recording", "write another name");
    return name;
}

std::string Workplace::find_free_name(const std::string& stem, FileKind kind) const
{
    std::error_code fault;
    std::string name = stem + ending_of(kind);
    for (int i = 2; fs::exists(fs::symlink_status(folder_ / name, fault)); ++i)
        name = stem + "-" + std::to_string(i) + ending_of(kind);
    return name;
}

Problems Workplace::write_script(const std::string& name, const std::string& text) const
{
    const File folder(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder.number < 0)
        return {system_problem(name)};
    struct stat old;
    const bool is_new = ::fstatat(folder.number, name.c_str(), &old, AT_SYMLINK_NOFOLLOW) != 0;
    const std::string draft = beside(name);
    const File file(::openat(folder.number, draft.c_str(),
                             O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (file.number < 0)
        return {system_problem(name)};
    const bool is_written = (is_new || ::fchmod(file.number, old.st_mode & 0777) == 0) &&
                            write_all(file.number, text) &&
                            ::renameat(folder.number, draft.c_str(), folder.number,
                                       name.c_str()) == 0; // replaces a link, never follows it
    if (is_written)
        return {};
    const Problem problem = system_problem(name);
    ::unlinkat(folder.number, draft.c_str(), 0);
    return {problem};
}

Problems
Workplace::write_recording(const std::string& name,
                           const std::function<Problems(const std::string& path)>& write) const
{
    const fs::path draft = folder_ / beside(name);
    Problems problems = write(draft.string());
    std::error_code fault;
    if (!has_errors(problems))
        fs::rename(draft, folder_ / name, fault);
    if (fault)
        problems.push_back(refusal(name, "cannot be written: " + fault.message(),
                                   "make room, or change who may write in the folder"));
    if (has_errors(problems))
        fs::remove(draft, fault);
    return problems;
}

} // namespace sinew::viewer
