#include "film.h"

#include "draft.h"

#include <fmt/core.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <sstream>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

extern char** environ;

namespace sinew::app {

namespace {

Problem film_problem(const std::string& path, const std::string& what)
{
    return {.code = "unwritable-film",
            .place = {.file = path},
            .what = what,
            .hint =
                "what ffmpeg said is above; single pictures need no ffmpeg: OUT.png --frames A..B"};
}

/// How ffmpeg is to write each kind.
std::vector<std::string> codec_of(PictureKind kind, bool is_transparent)
{
    switch (kind) {
    case PictureKind::jpg:
        return {"-c:v", "mjpeg", "-q:v", "2", "-pix_fmt", "yuvj444p", "-f", "mjpeg"};
    case PictureKind::webp:
        return {"-c:v", "libwebp_anim", "-quality", "90", "-loop", "0", "-f", "webp"};
    case PictureKind::gif:
        return {"-vf",
                "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=bayer:"
                "bayer_scale=4:diff_mode=rectangle",
                "-loop",
                "0",
                "-f",
                "gif"};
    case PictureKind::webm:
        return {"-c:v", "libvpx-vp9", "-crf", "24",       "-b:v",
                "0",    "-row-mt",    "1",    "-pix_fmt", is_transparent ? "yuva420p" : "yuv420p",
                "-f",   "webm"};
    case PictureKind::mov:
        return {"-c:v",       "prores_ks",
                "-profile:v", is_transparent ? "4444" : "hq",
                "-pix_fmt",   is_transparent ? "yuva444p10le" : "yuv422p10le",
                "-f",         "mov"};
    default:
        return {"-c:v",
                "libx264",
                "-preset",
                "medium",
                "-crf",
                "16",
                "-tune",
                "animation",
                "-pix_fmt",
                "yuv420p",
                "-color_primaries",
                "bt709",
                "-color_trc",
                "bt709",
                "-colorspace",
                "bt709",
                "-vf",
                "scale=out_color_matrix=bt709",
                "-movflags",
                "+faststart",
                "-f",
                "mp4"};
    }
}

std::vector<std::string> make_arguments(const std::string& out, int width, int height,
                                        double frame_rate, PictureKind kind, bool is_transparent)
{
    std::vector<std::string> words = {"ffmpeg",     "-y",
                                      "-loglevel",  "error",
                                      "-f",         "rawvideo",
                                      "-pix_fmt",   is_transparent ? "rgba" : "rgb0",
                                      "-s",         fmt::format("{}x{}", width, height),
                                      "-framerate", fmt::format("{}", frame_rate),
                                      "-i",         "pipe:0",
                                      "-an"};
    const std::vector<std::string> codec = codec_of(kind, is_transparent);
    words.insert(words.end(), codec.begin(), codec.end());
    words.push_back(out);
    return words;
}

/// Starts ffmpeg with the reading end of a pipe as its input, in a process group of its own:
/// Ctrl-C is ours to answer. Its process, or −1.
int start(const std::vector<std::string>& arguments, int input)
{
    std::vector<char*> words;
    for (const std::string& word : arguments)
        words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    pid_t process = -1;
    errno = posix_spawnp(&process, words[0], &actions, &attributes, words.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return errno == 0 ? process : -1;
}

} // namespace

Problems check_ffmpeg()
{
    const char* folders = std::getenv("PATH");
    std::istringstream list(folders ? folders : "/usr/bin:/bin");
    for (std::string folder; std::getline(list, folder, ':');)
        if (access((folder + "/ffmpeg").c_str(), X_OK) == 0)
            return {};
    return {{.code = "no-ffmpeg",
             .place = {.file = "ffmpeg"},
             .what = "films are made by ffmpeg, and it is not installed",
             .hint = "install it (Debian: apt install ffmpeg), or write pictures: OUT.png --frames "
                     "A..B"}};
}

PictureKind picture_kind(const std::string& path)
{
    constexpr std::pair<std::string_view, PictureKind> kKinds[] = {
        {".png", PictureKind::png},   {".exr", PictureKind::exr},   {".jpg", PictureKind::jpg},
        {".jpeg", PictureKind::jpg},  {".webp", PictureKind::webp}, {".mp4", PictureKind::mp4},
        {".webm", PictureKind::webm}, {".mov", PictureKind::mov},   {".gif", PictureKind::gif}};
    const std::string ending = std::filesystem::path(path).extension().string();
    for (const auto& [name, kind] : kKinds)
        if (ending == name)
            return kind;
    return PictureKind::none;
}

Result<Film> Film::create(const std::string& path, int width, int height, double frame_rate,
                          bool is_transparent)
{
    // A path that begins with - would be an option.
    const std::string out = make_draft((path.starts_with('-') ? "./" : "") + path);
    if (out.empty())
        return film_problem(path, fmt::format("cannot be written: {}", std::strerror(errno)));
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        return film_problem(path, fmt::format("no pipe to ffmpeg: {}", std::strerror(errno)));
    std::signal(SIGPIPE, SIG_IGN); // an ffmpeg that dies is told by the call that writes
    const int process =
        start(make_arguments(out, width, height, frame_rate, picture_kind(path), is_transparent),
              ends[0]);
    ::close(ends[0]);
    if (process < 0) {
        ::close(ends[1]);
        return film_problem(path, fmt::format("ffmpeg does not start: {}", std::strerror(errno)));
    }
    return Film(path, out, ends[1], process);
}

Film::Film(Film&& other) noexcept
    : path_(std::move(other.path_)), draft_(std::move(other.draft_)),
      pipe_(std::exchange(other.pipe_, -1)), process_(std::exchange(other.process_, -1))
{
}

Film::~Film()
{
    if (process_ < 0)
        return;
    close();
    std::remove(draft_.c_str());
}

Problems Film::append(const Image& image)
{
    const std::uint8_t* at = image.rgba.data();
    for (std::size_t left = image.rgba.size(); left > 0;) {
        const ssize_t written = ::write(pipe_, at, left);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return {film_problem(path_, "ffmpeg takes no more frames")};
        at += written;
        left -= std::size_t(written);
    }
    return {};
}

/// Whether ffmpeg ended well.
bool Film::close()
{
    ::close(std::exchange(pipe_, -1));
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR)
        continue;
    process_ = -1;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

Problems Film::finish()
{
    if (close() && std::rename(draft_.c_str(), path_.c_str()) == 0)
        return {};
    std::remove(draft_.c_str());
    return {film_problem(path_, "ffmpeg could not finish the film")};
}

} // namespace sinew::app
