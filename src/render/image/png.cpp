// PNG files by libpng. Its errors are long jumps; they end in one function that owns nothing.

#include "sinew/render.h"

#include "base/draft.h"

#include <png.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace sinew {

namespace {

bool is_opaque(const Image& image)
{
    for (std::size_t i = 3; i < image.rgba.size(); i += 4)
        if (image.rgba[i] != 255)
            return false;
    return true;
}

/// Whether the image came into the file whole.
bool encode(std::FILE* file, const Image& image, std::vector<png_bytep>& rows, bool is_opaque)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png ? png_create_info_struct(png) : nullptr;
    if (!info) {
        png_destroy_write_struct(&png, nullptr);
        return false;
    }
    if (setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_init_io(png, file);
    png_set_IHDR(png, info, png_uint_32(image.width), png_uint_32(image.height), 8,
                 is_opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, info);
    if (is_opaque)
        png_set_filler(png, 0, PNG_FILLER_AFTER); // which is to say: leave the fourth byte out
    png_write_image(png, rows.data());
    png_write_end(png, nullptr);
    png_destroy_write_struct(&png, &info);
    return true;
}

std::vector<png_bytep> rows_of(const Image& image)
{
    std::vector<png_bytep> rows;
    for (int y = 0; y < image.height; ++y)
        rows.push_back(const_cast<png_bytep>(image.rgba.data() +
                                             4 * std::size_t(y) * std::size_t(image.width)));
    return rows;
}

Problem cannot_write(const std::string& path)
{
    return {.code = "unwritable-picture",
            .place = {.file = path},
            .what = std::string("the picture cannot be written: ") + std::strerror(errno),
            .hint = "name a file in a folder that exists and may be written to"};
}

} // namespace

Problems write_png(const std::string& path, const Image& image)
{
    // Beside its place first: a file that is there stays whole until the new one is.
    const std::string draft = make_draft(path);
    std::FILE* file = draft.empty() ? nullptr : std::fopen(draft.c_str(), "wb");
    if (!file)
        return {cannot_write(path)};
    std::vector<png_bytep> rows = rows_of(image);
    const bool is_encoded = encode(file, image, rows, is_opaque(image));
    const bool is_closed = std::fclose(file) == 0;
    if (is_encoded && is_closed && std::rename(draft.c_str(), path.c_str()) == 0)
        return {};
    const Problem problem = cannot_write(path);
    std::remove(draft.c_str());
    return {problem};
}

Result<std::string> encode_png(const Image& image)
{
    char* bytes = nullptr;
    std::size_t size = 0;
    std::FILE* file = open_memstream(&bytes, &size);
    std::vector<png_bytep> rows = rows_of(image);
    const bool is_encoded = file && encode(file, image, rows, is_opaque(image));
    const bool is_closed = file && std::fclose(file) == 0;
    std::string png = is_encoded && is_closed ? std::string(bytes, size) : std::string();
    std::free(bytes);
    if (png.empty())
        return cannot_write("picture.png");
    return png;
}

} // namespace sinew
