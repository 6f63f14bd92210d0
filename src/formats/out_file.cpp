#include "formats/out_file.h"

#include "base/draft.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace sinew::formats {

namespace {

constexpr std::size_t kBuffer = 1 << 18;

} // namespace

OutFile::OutFile(std::string path)
    : path_(std::move(path)), draft_(make_draft(path_)),
      file_(draft_.empty() ? nullptr : std::fopen(draft_.c_str(), "wb+"), std::fclose)
{
    if (!file_)
        error_ = errno;
    else
        std::setvbuf(file_.get(), nullptr, _IOFBF, kBuffer);
    std::error_code ignored;
    if (file_ && std::filesystem::is_directory(path_, ignored))
        error_ = EISDIR;
    else if (file_ && std::filesystem::exists(path_, ignored) &&
             !std::filesystem::is_regular_file(path_, ignored))
        error_ = ENODEV; // a file must not take its place
}

OutFile::~OutFile()
{
    if (file_)
        unlink(draft_.c_str());
}

void OutFile::write(const void* bytes, std::size_t size)
{
    size_ += size; // also of what is dropped: whoever fills up to a size must come to an end
    if (error_ != 0 || size == 0)
        return;
    errno = 0;
    if (must_seek_ && fseeko(file_.get(), 0, SEEK_END) != 0)
        error_ = errno;
    must_seek_ = false;
    if (error_ == 0 && std::fwrite(bytes, 1, size, file_.get()) != size)
        error_ = errno == 0 ? EIO : errno;
}

void OutFile::align(std::size_t size, char filling)
{
    while (size_ % size != 0)
        write(&filling, 1);
}

void OutFile::overwrite(std::uint64_t offset, const void* bytes, std::size_t size)
{
    if (error_ != 0)
        return;
    must_seek_ = true;
    errno = 0;
    if (fseeko(file_.get(), off_t(offset), SEEK_SET) != 0 ||
        std::fwrite(bytes, 1, size, file_.get()) != size)
        error_ = errno == 0 ? EIO : errno;
}

void OutFile::read(std::uint64_t offset, void* bytes, std::size_t size)
{
    if (error_ != 0)
        return;
    must_seek_ = true;
    errno = 0;
    if (fseeko(file_.get(), off_t(offset), SEEK_SET) != 0 ||
        std::fread(bytes, 1, size, file_.get()) != size)
        error_ = errno == 0 ? EIO : errno;
}

Problems OutFile::problems() const
{
    if (error_ == 0)
        return {};
    return {{.code = "export-unwritable",
             .place = {.file = path_},
             .what = std::string("cannot be written: ") + std::strerror(error_),
             .hint = error_ == ENOSPC || error_ == EFBIG
                         ? "make room on the disk"
                         : "name a file in a folder that exists and may be written to"}};
}

Problems OutFile::finish()
{
    errno = 0;
    if (error_ == 0 && std::fflush(file_.get()) != 0)
        error_ = errno == 0 ? EIO : errno;
    if (error_ == 0 && std::rename(draft_.c_str(), path_.c_str()) != 0)
        error_ = errno;
    if (error_ == 0)
        file_.reset();
    return problems();
}

void append_number(std::string& text, double value)
{
    char digits[40];
    const auto end = std::to_chars(digits, digits + sizeof digits, value);
    text.append(digits, end.ptr);
}

void append_number(std::string& text, float value)
{
    char digits[40];
    const auto end = std::to_chars(digits, digits + sizeof digits, value);
    text.append(digits, end.ptr);
}

std::string sequence_name(const std::string& path, std::int64_t frame)
{
    const std::filesystem::path whole(path);
    char number[32];
    std::snprintf(number, sizeof number, "_%04lld", static_cast<long long>(frame));
    return (whole.parent_path() / (whole.stem().string() + number + whole.extension().string()))
        .string();
}

} // namespace sinew::formats
