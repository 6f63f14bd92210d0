#pragma once

// A small scene, and frames that look like motion.

#include "sinew/record.h"
#include "support/scene_builder.h"
#include "support/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <stdlib.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace sinew::test {

/// A folder with a recording in it.
class Scratch : public TemporaryFolder {
public:
    std::string path(const std::string& name = "run.sinew") const
    {
        return (folder / name).string();
    }
};

inline std::string read_file(const std::string& path)
{
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

inline void write_file(const std::string& path, const std::string& bytes)
{
    std::ofstream(path, std::ios::binary) << bytes;
}

/// The world and two bobs, a line drawn between them.
inline Scene small_scene()
{
    SceneBuilder builder;
    const ObjectId left = builder.add_object("left");
    builder.add_object("right");
    builder.scene.files = {
        {"a.charli", std::make_shared<const std::string>("def bob mass(1); end;\n")},
        {"b.charli", std::make_shared<const std::string>("# \xc3\xa9 \xff\n")}};
    builder.scene.values.resize(6);
    builder.scene.drawings = {
        {.kind = DrawingKind::line, .object = left, .points = {.first = 0, .count = 6}}};
    return builder.finish();
}

inline RecordingInfo small_info(const Scene& scene)
{
    RecordingInfo info = make_recording_info(scene, "a.charli");
    info.parameters = {{"gust", "4"}, {"reach", "5 cm"}};
    return info;
}

/// Frame `i` of a motion that no two frames and no two numbers of share.
inline Frame frame_at(int i, std::size_t objects = 3, std::size_t points = 2)
{
    std::mt19937_64 random(static_cast<std::uint64_t>(i) + 1);
    std::normal_distribution<double> any(0, 1);
    Frame frame{.time = i / 24.0};
    frame.objects.resize(objects);
    frame.points.resize(points);
    for (Affine& object : frame.objects) {
        object.origin = {any(random), any(random), any(random)};
        object.linear.x = {any(random), any(random), any(random)};
    }
    for (Vec3& point : frame.points)
        point = {any(random), -0.0, any(random)};
    return frame;
}

inline FrameStatistics statistics_at(int i)
{
    return {.report = {.steps = 10 + i,
                       .rejected = i % 3,
                       .implicit_steps = i % 2,
                       .rows = 4,
                       .iterations = 5 * i,
                       .residual = 1e-12 * (i + 1),
                       .converged = i % 5 != 0},
            .energy = {.kinetic = 0.1 * i, .potential = -0.3 * i},
            .elapsed_ms = 0.25 * i,
            .state_hash = 0xfedcba9876543210u + static_cast<std::uint64_t>(i)};
}

inline std::vector<std::byte> snapshot_at(int i)
{
    return std::vector<std::byte>(100, static_cast<std::byte>(i));
}

/// Bit for bit: what is not a number equals itself, −0 is not 0.
inline bool is_same(const Frame& a, const Frame& b)
{
    const auto same = [](double x, double y) {
        return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
    };
    const auto same_vector = [&](const Vec3& x, const Vec3& y) {
        return same(x.x, y.x) && same(x.y, y.y) && same(x.z, y.z);
    };
    return same(a.time, b.time) &&
           std::equal(a.objects.begin(), a.objects.end(), b.objects.begin(), b.objects.end(),
                      [&](const Affine& x, const Affine& y) {
                          return same_vector(x.origin, y.origin) &&
                                 same_vector(x.linear.x, y.linear.x) &&
                                 same_vector(x.linear.y, y.linear.y) &&
                                 same_vector(x.linear.z, y.linear.z);
                      }) &&
           std::equal(a.points.begin(), a.points.end(), b.points.begin(), b.points.end(),
                      same_vector);
}

inline std::string first_problem(const Problems& problems)
{
    return problems.empty() ? "" : problems[0].code + ": " + problems[0].what;
}

/// Appends frames `first` to `last`, with a snapshot every fifth.
inline void append_frames(Recording& recording, int first, int last)
{
    for (int i = first; i <= last; ++i) {
        std::optional<std::vector<std::byte>> snapshot;
        if (i % 5 == 0)
            snapshot = snapshot_at(i);
        const Problems problems = recording.append(frame_at(i), statistics_at(i), snapshot);
        REQUIRE_MESSAGE(problems.empty(), first_problem(problems));
    }
}

/// A finished recording of `count` frames.
inline void record_frames(const std::string& path, int count)
{
    const Scene scene = small_scene();
    Result<Recording> recording = Recording::create(path, scene, small_info(scene));
    REQUIRE_MESSAGE(recording, first_problem(recording.problems()));
    append_frames(*recording, 0, count - 1);
    REQUIRE(recording->finish(std::nullopt).empty());
}

} // namespace sinew::test
