// The contact sheet of a sweep: its runs in rows and columns, all seen by the first one's camera.

#include "farm/sheet.h"

#include "film.h"
#include "painter.h"
#include "progress.h"
#include "runner.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

namespace sinew::app {

namespace {

constexpr std::size_t kMostTiles = 400;

/// Params that do not have the same value in all runs.
std::vector<std::string> varied_names(const SweepPlan& plan)
{
    std::vector<std::string> names;
    for (const auto& [name, value] : plan.runs.front())
        if (std::ranges::any_of(plan.runs, [&](const Parameters& run) {
                const auto found = run.find(name);
                return found == run.end() || found->second != value;
            }))
            names.push_back(name);
    return names;
}

/// Four digits of a number: tiles are narrow.
std::string short_text(const std::string& value)
{
    double number = 0;
    const char* const end = value.data() + value.size();
    const auto [rest, fault] = std::from_chars(value.data(), end, number);
    return fault == std::errc() ? fmt::format("{:.4g}", number) + std::string(rest, end) : value;
}

struct Tile {
    PictureOptions options;
    std::string title;
    std::unique_ptr<Painter> painter = {};
};

std::vector<Tile> list_tiles(const SweepFolder& folder, const SweepPlan& plan,
                             const SheetOptions& options)
{
    const std::vector<std::string> names = varied_names(plan);
    std::vector<std::size_t> done;
    std::error_code missing;
    for (std::size_t run = 0; run < plan.runs.size(); ++run)
        if (std::filesystem::exists(folder.run_file(run, ".sinew"), missing))
            done.push_back(run);
    const std::size_t stride = (done.size() + kMostTiles - 1) / kMostTiles;
    std::vector<Tile> tiles;
    for (std::size_t i = 0; i < done.size(); i += stride) {
        Tile& tile = tiles.emplace_back();
        tile.options.file = folder.run_file(done[i], ".sinew");
        tile.options.out = options.out;
        tile.options.width = options.width;
        tile.options.height = options.height;
        tile.options.threads = options.threads;
        tile.options.imports = plan.options.imports;
        for (const std::string& name : names)
            if (const auto value = plan.runs[done[i]].find(name); value != plan.runs[done[i]].end())
                tile.title +=
                    (tile.title.empty() ? "" : "  ") + name + " " + short_text(value->second);
    }
    return tiles;
}

void put(const Image& tile, std::size_t column, std::size_t row, Image& sheet)
{
    const auto width = std::size_t(tile.width) * 4;
    for (std::size_t y = 0; y < std::size_t(tile.height); ++y) {
        const std::size_t line = row * std::size_t(tile.height) + y;
        std::copy_n(tile.rgba.begin() + std::ptrdiff_t(y * width), width,
                    sheet.rgba.begin() +
                        std::ptrdiff_t(line * std::size_t(sheet.width) * 4 + column * width));
    }
}

Image make_sheet(std::size_t columns, std::size_t rows, const SheetOptions& options)
{
    Image sheet;
    sheet.width = int(columns) * options.width;
    sheet.height = int(rows) * options.height;
    sheet.rgba.assign(std::size_t(sheet.width) * std::size_t(sheet.height) * 4, 255);
    return sheet;
}

/// One picture of all; false: interrupted.
bool draw_tiles(std::vector<Tile>& tiles, std::size_t columns, std::optional<std::int64_t> frame,
                Image& sheet)
{
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        Painter& painter = *tiles[i].painter;
        const Image tile = painter.draw(frame.value_or(tiles[0].painter->typical_frame()));
        if (tile.rgba.empty() || Interruption::is_wanted())
            return false;
        put(tile, i % columns, i / columns, sheet);
    }
    return true;
}

Problems open_all(std::vector<Tile>& tiles)
{
    for (Tile& tile : tiles) {
        Result<Painter> painter = Painter::open(tile.options);
        if (!painter)
            return painter.problems();
        tile.painter = std::make_unique<Painter>(std::move(*painter));
        tile.painter->set_camera(tiles[0].painter->camera());
        tile.painter->set_title(tile.title);
    }
    return {};
}

Problems write_film(std::vector<Tile>& tiles, std::size_t columns, const SheetOptions& options,
                    Image& sheet)
{
    std::int64_t last = 0;
    for (const Tile& tile : tiles)
        last = std::max(last, tile.painter->frame_count() - 1);
    Result<Film> film =
        Film::create(options.out, sheet.width, sheet.height, tiles[0].painter->frame_rate(), false);
    if (!film)
        return film.problems();
    Progress progress(0, last);
    for (std::int64_t frame = 0; frame <= last; ++frame) {
        if (!draw_tiles(tiles, columns, frame, sheet))
            return {};
        if (Problems problems = film->append(sheet); !problems.empty())
            return problems;
        progress.update(frame);
    }
    return film->finish();
}

} // namespace

Problems draw_sheet(const SweepFolder& folder, const SweepPlan& plan, const SheetOptions& options)
{
    std::vector<Tile> tiles = list_tiles(folder, plan, options);
    if (tiles.empty())
        return {{.code = "sweep-no-sheet",
                 .place = {.file = options.out},
                 .what = "there is no finished recording to draw",
                 .hint = "results.csv says how the runs ended"}};
    const PictureKind kind = picture_kind(options.out);
    if (kind >= PictureKind::jpg)
        if (Problems problems = check_ffmpeg(); !problems.empty())
            return problems;
    if (Problems problems = open_all(tiles); !problems.empty())
        return problems;
    const auto columns = std::size_t(std::ceil(std::sqrt(double(tiles.size()))));
    Image sheet = make_sheet(columns, (tiles.size() + columns - 1) / columns, options);
    if (kind >= PictureKind::mp4)
        return write_film(tiles, columns, options, sheet);
    if (!draw_tiles(tiles, columns, options.frame, sheet))
        return {};
    return write_png(options.out, sheet);
}

} // namespace sinew::app
