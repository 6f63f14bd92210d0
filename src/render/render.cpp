// Pixels: rays through each, in a pattern of its own; rows in any order on any thread. Few rays are
// enough within a surface, whose noise is smoothed afterwards; edges get more of them.

#include "sinew/render.h"

#include "base/contract.h"
#include "base/parallel.h"
#include "render/camera.h"
#include "render/image/denoise.h"
#include "render/image/marks.h"
#include "render/image/text.h"
#include "render/image/tone.h"
#include "render/ray_scene.h"
#include "render/shade/sampler.h"
#include "render/shade/shade.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>

namespace sinew {

namespace {

using namespace picture;

constexpr std::uint32_t kFewest = 6;  // rays for a pixel of one colour
constexpr std::uint32_t kAtEdges = 4; // times as many as elsewhere
constexpr float kSame = 0.002f;       // half a step of eight bits
constexpr float kSettled = 0.006f;    // error of a mean that needs no more rays

/// A tent one pixel wide at half its height: sharp, and lines have no steps.
float tent(float u)
{
    constexpr float kReach = 0.95f;
    return kReach * (u < 0.5f ? sqrt(2 * u) - 1 : 1 - sqrt(2 - 2 * u));
}

/// The rays of one pixel, summed up.
class Pixel {
public:
    void add(const Shade& shade)
    {
        // Each ray by itself, before they are mixed: or an edge of a lamp would keep its steps.
        const Vec seen{compress(shade.colour.x), compress(shade.colour.y),
                       compress(shade.colour.z)};
        colour_ += seen * shade.opacity;
        opacity_ += shade.opacity;
        albedo_ += shade.albedo;
        normal_ += shade.normal;
        place_ += shade.position;
        is_fine_ = is_fine_ || shade.is_fine;
        const float tone = shade.opacity * (1 + luminance(seen)) / 2,
                    paint = luminance(shade.albedo);
        tone_ += tone;
        tone_squares_ += tone * tone;
        low_ = min(low_, tone);
        high_ = max(high_, tone);
        low_paint_ = min(low_paint_, paint);
        high_paint_ = max(high_paint_, paint);
        ++count_;
    }

    std::uint32_t count() const { return count_; }
    bool is_even() const { return high_ - low_ <= kSame; }

    /// Whether its rays met different surfaces.
    bool is_edge() const
    {
        return is_fine_ || high_paint_ - low_paint_ > 0.08f ||
               length(normal_) < 0.97f * float(count_);
    }

    /// Of the mean of its tone.
    float variance() const
    {
        const float n = float(count_), mean = tone_ / n;
        return n > 1 ? max(0.0f, tone_squares_ / n - mean * mean) / (n - 1) : 0;
    }

    void store(Film& film, std::size_t i) const
    {
        const float n = float(count_);
        film.colours[i] = opacity_ > 0 ? colour_ / opacity_ : Vec{0, 0, 0};
        film.opacities[i] = opacity_ / n;
        film.albedos[i] = albedo_ / n;
        const float size = length(normal_);
        film.normals[i] = size > 0.5f * n ? normal_ / size : Vec{0, 0, 0};
        film.places[i] = place_ / n;
        // Twice a tone is a brightness; what is fine is not smoothed: it has details to lose.
        film.may_change[i] = !is_fine_ && size > 0.5f * n;
        film.variances[i] = film.may_change[i] ? 4 * variance() : 0;
    }

private:
    Vec colour_ = {0, 0, 0}, albedo_ = {0, 0, 0}, normal_ = {0, 0, 0}, place_ = {0, 0, 0};
    float opacity_ = 0, tone_ = 0, tone_squares_ = 0, low_ = 1, high_ = 0;
    float low_paint_ = 1e9f, high_paint_ = 0;
    bool is_fine_ = false;
    std::uint32_t count_ = 0;
};

/// What belongs to one picture while its rows are made.
struct Work {
    const RayScene& rays;
    const Light& light;
    const Lens& lens;
    const Pattern& pattern;
    const RenderOptions& options;
    Image& image;
    Film& film;
    std::vector<std::uint64_t>& ray_counts; ///< by row
};

Pixel trace_pixel(const Work& work, Shader& shader, int x, int y)
{
    const Sampler sampler(work.pattern, std::uint32_t(x), std::uint32_t(y));
    const auto usual = std::uint32_t(work.options.samples);
    Pixel pixel;
    // Where the first rays all see the same, the others would too.
    for (std::uint32_t i = 0; i < work.pattern.count(); ++i) {
        const bool is_enough = i >= usual
                                   ? !pixel.is_edge() || pixel.variance() < kSettled * kSettled
                                   : i >= kFewest && pixel.is_even();
        if (is_enough)
            break;
        const Sample at = sampler(i, Purpose::pixel), lens = sampler(i, Purpose::lens),
                     choice = sampler(i, Purpose::choice);
        Ray ray = work.lens.ray(float(x) + 0.5f + tent(at.u), float(y) + 0.5f + tent(at.v), lens.u,
                                lens.v);
        ray.time = work.options.shutter_end ? choice.u : 0;
        pixel.add(shader.see(ray, {sampler(i, Purpose::sun), sampler(i, Purpose::sky),
                                   sampler(i, Purpose::mirror), choice}));
    }
    return pixel;
}

void make_row(const Work& work, int y)
{
    Image& image = work.image;
    Shader shader(work.rays, work.light, work.options.is_transparent);
    for (int x = 0; x < image.width; ++x) {
        const std::size_t i = std::size_t(y) * std::size_t(image.width) + std::size_t(x);
        trace_pixel(work, shader, x, y).store(work.film, i);
        const Vec way = work.lens.direction(float(x) + 0.5f, float(y) + 0.5f);
        if (const std::optional<Hit> hit = work.rays.find_hit({work.lens.origin(), way}))
            image.objects[i] = hit->paint->object;
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

/// A part of a step of eight bits, different from pixel to pixel: gradients show no bands.
float dither(std::size_t x, std::size_t y)
{
    const float a = 0.06711056f * float(x) + 0.00583715f * float(y);
    const float b = 52.9829189f * (a - floor(a));
    return b - floor(b) - 0.5f;
}

/// To the screen, and as light without a curve where that is wanted.
void develop(const Film& film, const RenderOptions& options, Image& image)
{
    const auto width = std::size_t(image.width);
    for (std::size_t i = 0; i < film.colours.size(); ++i) {
        const Vec& colour = film.colours[i];
        const float grain = film.opacities[i] > 0 ? dither(i % width, i / width) : 0;
        for (int k = 0; k < 3; ++k)
            image.rgba[4 * i + std::size_t(k)] =
                to_byte(to_screen(min(1.0f, max(0.0f, colour[k]))) + grain / 255);
        image.rgba[4 * i + 3] = to_byte(film.opacities[i]);
    }
    if (!options.wants_light)
        return;
    image.light.resize(3 * film.colours.size());
    for (std::size_t i = 0; i < film.colours.size(); ++i)
        for (int k = 0; k < 3; ++k)
            image.light[3 * i + std::size_t(k)] = expand(film.colours[i][k]);
}

/// Shadows of a picture without background are all opacity.
void smooth_opacities(Film& film, const Lens& lens, int threads)
{
    Film alone = film;
    std::fill(alone.albedos.begin(), alone.albedos.end(), Vec{1, 1, 1});
    for (std::size_t i = 0; i < alone.colours.size(); ++i)
        alone.colours[i] = Vec{1, 1, 1} * film.opacities[i];
    smooth(alone, lens.origin(), lens.step(), threads);
    for (std::size_t i = 0; i < alone.colours.size(); ++i)
        film.opacities[i] = alone.colours[i].x;
}

/// Rows with their progress told; false: it was stopped.
bool trace(const Work& work)
{
    const std::size_t rows = work.ray_counts.size(), stride = row_stride(rows);
    std::atomic<std::size_t> done = 0;
    std::atomic<bool> is_stopped = false;
    std::mutex telling;
    for_each_index(rows, work.options.threads, [&](std::size_t i) {
        if (is_stopped)
            return;
        make_row(work, int(i * stride % rows));
        const std::size_t count = ++done;
        if (!work.options.on_progress || !telling.try_lock())
            return;
        if (!work.options.on_progress(double(count) / double(rows)))
            is_stopped = true;
        telling.unlock();
    });
    return !is_stopped;
}

} // namespace

Image render(const Display& display, const DisplayFrame& frame, const RenderOptions& options)
{
    const Camera& camera = options.camera;
    SINEW_EXPECTS(options.width > 0 && options.width <= RenderOptions::kLargestSize);
    SINEW_EXPECTS(options.height > 0 && options.height <= RenderOptions::kLargestSize);
    SINEW_EXPECTS(options.samples > 0);
    SINEW_EXPECTS(length(camera.target - camera.position) > 0 && camera.field_of_view > 0);
    Image image;
    image.width = options.width;
    image.height = options.height;
    const std::size_t pixels = std::size_t(image.width) * std::size_t(image.height);
    image.rgba.resize(4 * pixels);
    image.objects.assign(pixels, Image::kNothing);

    const RayScene rays(display, frame, options);
    const Light light(options.studio);
    const Lens lens(options, rays.ruler());
    const Pattern pattern(std::uint32_t(options.samples) * kAtEdges);
    std::vector<std::uint64_t> ray_counts(std::size_t(image.height));
    Film film(image.width, image.height);
    if (!trace({rays, light, lens, pattern, options, image, film, ray_counts}))
        return {};
    image.ray_count = std::accumulate(ray_counts.begin(), ray_counts.end(), std::uint64_t(0));
    if (options.is_denoised) {
        if (options.is_transparent)
            smooth_opacities(film, lens, options.threads);
        smooth(film, lens.origin(), lens.step(), options.threads);
    }
    develop(film, options, image);
    draw_marks(options.marks, rays.ruler(), lens, image);
    if (!options.captions.empty())
        draw_captions(options.captions, rays.ruler(), lens, image);
    if (options.legend)
        draw_legend(*options.legend, image);
    return image;
}

} // namespace sinew
