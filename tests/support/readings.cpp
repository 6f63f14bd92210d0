#include "support/readings.h"

#include "sinew/names.h"
#include "support/files.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace sinew::test {

ScriptReading read_text(const std::string& text, const Files& files, const ReadOptions& options)
{
    return read_script("t.charli", text, files_in_memory(files), options);
}

Scene sound_scene(const std::string& text, const Files& files, const ReadOptions& options)
{
    ScriptReading reading = read_text(text, files, options);
    REQUIRE_MESSAGE(reading.is_sound(), problems_text(reading.problems, false));
    return std::move(reading.scene);
}

std::vector<std::string> codes_in(const Problems& problems)
{
    std::vector<std::string> codes;
    for (const Problem& problem : problems)
        codes.push_back(problem.code);
    return codes;
}

std::vector<std::string> codes_of(const std::string& text, const Files& files,
                                  const ReadOptions& options)
{
    return codes_in(read_text(text, files, options).problems);
}

ScriptReading read_reference(const std::string& name)
{
    return read_script(name, read_repository_file("tests/language/reference/" + name), no_files());
}

namespace {

std::vector<double> start_of(const Scene& scene)
{
    std::vector<double> start;
    for (const Coordinate& coordinate : scene.coordinates)
        start.push_back(coordinate.initial);
    return start;
}

} // namespace

Posture::Posture(Scene scene)
    : scene_(std::make_unique<Scene>(std::move(scene))), coordinates_(start_of(*scene_)),
      kinematics_(std::make_unique<Kinematics>(*scene_, coordinates_, scene_->settings.start))
{
}

Posture::Posture(Scene scene, std::vector<double> coordinates, double time)
    : scene_(std::make_unique<Scene>(std::move(scene))), coordinates_(std::move(coordinates)),
      kinematics_(std::make_unique<Kinematics>(*scene_, coordinates_, time))
{
}

ObjectId Posture::object(const std::string& name) const
{
    const std::vector<std::size_t> found = find_names(object_paths(*scene_), name);
    REQUIRE_MESSAGE(found.size() == 1, "there is no object " << name);
    return ObjectId{static_cast<std::uint32_t>(found.front())};
}

Vec3 Posture::place(const std::string& name) const
{
    return kinematics_->frame(object(name)).origin;
}

bool is_near(const Vec3& a, const Vec3& b, double tolerance)
{
    return std::abs(a.x - b.x) <= tolerance && std::abs(a.y - b.y) <= tolerance &&
           std::abs(a.z - b.z) <= tolerance;
}

} // namespace sinew::test
