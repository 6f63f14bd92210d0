// Pixels: rays through each, in a pattern of its own; rows in any order on any thread.

#include "sinew/render.h"

#include "base/contract.h"
#include "base/parallel.h"
#include "render/camera.h"
#include "render/marks.h"
#include "render/sampler.h"
#include "render/shade.h"
#include "render/stage.h"
#include "render/text.h"
#include "render/tone.h"

#include <numeric>

namespace sinew {

namespace {

using namespace picture;

constexpr std::uint32_t kFewest = 16; // rays for a pixel of one colour
constexpr float kSame = 0.002f;       // half a step of eight bits

/// A tent one pixel wide at half its height: sharp, and lines have no steps.
float tent(float u)
{
    constexpr float kReach = 0.95f;
    return kReach * (u < 0.5f ? sqrt(2 * u) - 1 : 1 - sqrt(2 - 2 * u));
}

/// What belongs to one picture while its rows are made.
struct Work {
    const Stage& stage;
    const Lens& lens;
    const Pattern& pattern;
    bool is_transparent;
    Image& image;
    std::vector<std::uint64_t>& ray_counts; ///< by row
};

Shade mean_shade(const Work& work, Shader& shader, int x, int y)
{
    const Sampler sampler(work.pattern, std::uint32_t(x), std::uint32_t(y));
    Vec sum = {0, 0, 0};
    float opacity = 0, low = 1, high = 0;
    std::uint32_t i = 0;
    // Where the first rays all see the same, the others would too.
    for (; i < work.pattern.count() && (i < kFewest || high - low > kSame); ++i) {
        const Sample at = sampler(i, Purpose::pixel);
        const Vec way =
            work.lens.direction(float(x) + 0.5f + tent(at.u), float(y) + 0.5f + tent(at.v));
        const Shade shade = shader.see(
            work.lens.origin(), way,
            {sampler(i, Purpose::sun), sampler(i, Purpose::sky), sampler(i, Purpose::mirror)});
        // Each ray by itself, before they are mixed: or an edge of a lamp would keep its steps.
        const Vec seen{compress(shade.colour.x), compress(shade.colour.y),
                       compress(shade.colour.z)};
        sum += seen * shade.opacity;
        opacity += shade.opacity;
        const float tone = shade.opacity * (1 + luminance(seen)) / 2;
        low = min(low, tone);
        high = max(high, tone);
    }
    return {opacity > 0 ? sum / opacity : Vec{0, 0, 0}, opacity / float(i)};
}

void make_row(const Work& work, int y)
{
    Image& image = work.image;
    Shader shader(work.stage, work.is_transparent);
    for (int x = 0; x < image.width; ++x) {
        const std::size_t i = std::size_t(y) * std::size_t(image.width) + std::size_t(x);
        const Shade shade = mean_shade(work, shader, x, y);
        image.rgba[4 * i] = to_byte(to_screen(shade.colour.x));
        image.rgba[4 * i + 1] = to_byte(to_screen(shade.colour.y));
        image.rgba[4 * i + 2] = to_byte(to_screen(shade.colour.z));
        image.rgba[4 * i + 3] = to_byte(shade.opacity);
        const Vec way = work.lens.direction(float(x) + 0.5f, float(y) + 0.5f);
        if (const std::optional<Hit> hit = work.stage.find_hit(work.lens.origin(), way))
            image.objects[i] = hit->object;
    }
    work.ray_counts[std::size_t(y)] = shader.ray_count() + std::uint64_t(image.width);
}

/// A stride that visits all rows, far from one another: neighbours cost about the same, and each
/// thread takes a run of indices.
std::size_t row_stride(std::size_t height)
{
    std::size_t stride = std::size_t(double(height) * 0.618) + 1;
    while (std::gcd(stride, height) != 1)
        ++stride;
    return stride;
}

} // namespace

Image render(const Display& display, const DisplayFrame& frame, const RenderOptions& options)
{
    const Camera& camera = options.camera;
    SINEW_EXPECTS(options.width > 0 && options.width <= RenderOptions::kLargestSize);
    SINEW_EXPECTS(options.height > 0 && options.height <= RenderOptions::kLargestSize);
    SINEW_EXPECTS(options.samples > 0);
    SINEW_EXPECTS(length(camera.target - camera.position) > 0 && camera.field_of_view > 0);
    Image image{.width = options.width,
                .height = options.height,
                .rgba = {},
                .objects = {},
                .ray_count = 0};
    const std::size_t pixels = std::size_t(image.width) * std::size_t(image.height);
    image.rgba.resize(4 * pixels);
    image.objects.assign(pixels, Image::kNothing);

    const Stage stage(display, frame, options);
    const Lens lens(camera, stage.ruler(), image.width, image.height);
    const Pattern pattern(std::uint32_t(options.samples));
    const std::size_t rows = std::size_t(image.height), stride = row_stride(rows);
    std::vector<std::uint64_t> ray_counts(rows);
    const Work work{stage, lens, pattern, options.is_transparent, image, ray_counts};
    for_each_index(rows, options.threads,
                   [&](std::size_t i) { make_row(work, int(i * stride % rows)); });
    image.ray_count = std::accumulate(ray_counts.begin(), ray_counts.end(), std::uint64_t(0));
    draw_marks(options.marks, stage.ruler(), lens, image);
    if (!options.captions.empty())
        draw_captions(options.captions, stage.ruler(), lens, image);
    return image;
}

} // namespace sinew
