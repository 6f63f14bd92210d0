#pragma once

#include "sinew/error.h"
#include "sinew/math.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace sinew::formats {

/// A file being written: beside its place until it is whole. The first fault is remembered, what
/// is written behind it is dropped, and `finish` tells.
class OutFile {
public:
    explicit OutFile(std::string path);
    OutFile(const OutFile&) = delete;
    OutFile& operator=(const OutFile&) = delete;
    /// What was not finished leaves nothing.
    ~OutFile();

    void write(const void* bytes, std::size_t size);
    void write(std::string_view text) { write(text.data(), text.size()); }
    template <class T>
    void put(const T& value)
    {
        write(&value, sizeof value);
    }
    /// Zeros up to a multiple of `size`.
    void align(std::size_t size, char filling = '\0');

    std::uint64_t size() const { return size_; }
    bool has_failed() const { return error_ != 0; }
    const std::string& path() const { return path_; }

    /// Changes bytes that are there already.
    void overwrite(std::uint64_t offset, const void* bytes, std::size_t size);
    /// Reads back what was written.
    void read(std::uint64_t offset, void* bytes, std::size_t size);

    Problems problems() const;
    /// Afterwards the file is in its place.
    Problems finish();

private:
    std::string path_, draft_;
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
    std::uint64_t size_ = 0;
    int error_ = 0;
    bool must_seek_ = false;
};

/// A number as text, the shortest that reads back as the same; for float as a float.
void append_number(std::string& text, double value);
void append_number(std::string& text, float value);

/// "walk_0007.obj" for "walk.obj".
std::string sequence_name(const std::string& path, std::int64_t frame);

} // namespace sinew::formats
