#pragma once

#include "scene/kinematics.h"
#include "sinew/language.h"

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace sinew::test {

using Files = std::map<std::string, std::string>;

ScriptReading read_text(const std::string& text, const Files& files = {},
                        const ReadOptions& options = {});

/// The scene of a script without errors; fails the test and shows the problems otherwise.
Scene sound_scene(const std::string& text, const Files& files = {},
                  const ReadOptions& options = {});

/// The codes of all problems, in the order in which people read them.
std::vector<std::string> codes_of(const std::string& text, const Files& files = {},
                                  const ReadOptions& options = {});

using Codes = std::vector<std::string>;

/// The reading of a script of tests/language/reference.
ScriptReading read_reference(const std::string& name);

/// Where everything of a scene is, at its start or for given coordinates.
class Posture {
public:
    explicit Posture(Scene scene);
    Posture(Scene scene, std::vector<double> coordinates, double time);

    const Scene& scene() const { return *scene_; }
    const Kinematics& kinematics() const { return *kinematics_; }

    /// The object with this name, as tables and messages call it. Fails the test when there is
    /// none.
    ObjectId object(const std::string& name) const;

    /// The origin of an object in the world.
    Vec3 place(const std::string& name) const;

private:
    std::unique_ptr<Scene> scene_;
    std::vector<double> coordinates_;
    std::unique_ptr<Kinematics> kinematics_;
};

/// |a − b| in every component at most `tolerance`.
bool is_near(const Vec3& a, const Vec3& b, double tolerance = 1e-12);

/// The codes of some problems, in their order.
std::vector<std::string> codes_in(const Problems& problems);

} // namespace sinew::test

namespace sinew {

inline std::ostream& operator<<(std::ostream& out, const Vec3& v)
{
    return out << '(' << v.x << ", " << v.y << ", " << v.z << ')';
}

} // namespace sinew

namespace doctest {

template <>
struct StringMaker<std::vector<std::string>> {
    static String convert(const std::vector<std::string>& words)
    {
        std::string text;
        for (const std::string& word : words)
            text += (text.empty() ? "" : ", ") + word;
        return ("[" + text + "]").c_str();
    }
};

} // namespace doctest
