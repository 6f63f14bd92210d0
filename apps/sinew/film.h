#pragma once

// Films, and pictures of other kinds, by ffmpeg: frames go into it through a pipe, without a shell.

#include "sinew/error.h"
#include "sinew/render.h"

#include <memory>
#include <string>

namespace sinew::app {

/// The kind of picture or film that the extension of a file name asks for.
enum class PictureKind : std::uint8_t { none, png, exr, jpg, webp, mp4, webm, mov, gif };
PictureKind picture_kind(const std::string& path);

/// The problem when there is no ffmpeg to be found; none: there is.
Problems check_ffmpeg();

class Film {
public:
    /// The end of the name says the kind. `is_transparent`: with opacity, where the kind has it.
    static Result<Film> create(const std::string& path, int width, int height, double frame_rate,
                               bool is_transparent);

    Film(Film&& other) noexcept;
    Film& operator=(Film&&) = delete;
    /// A film that was not finished leaves no file.
    ~Film();

    Problems append(const Image& image);
    /// Afterwards the film is there.
    Problems finish();

private:
    Film(std::string path, std::string draft, int pipe, int process)
        : path_(std::move(path)), draft_(std::move(draft)), pipe_(pipe), process_(process)
    {
    }
    bool close();

    std::string path_, draft_;
    int pipe_ = -1, process_ = -1;
};

} // namespace sinew::app
