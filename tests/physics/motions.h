#pragma once

#include "sinew/language.h"
#include "sinew/world.h"

#include <map>
#include <string>
#include <vector>

namespace sinew::test {

/// A table of tests/physics/reference: times and positions by name, "left.tip.x".
struct ReferenceTable {
    std::vector<std::string> columns = {}; ///< without the time
    std::vector<double> times = {};
    std::vector<std::vector<double>> rows = {};
};

ReferenceTable read_reference_table(const std::string& name);

/// A world from a script, moved in frames; what it says goes wrong fails the test.
class Motion {
public:
    explicit Motion(Scene scene);

    World world;
    double residual = 0;          ///< largest so far, at the ends of advances [m]
    double kinetic = 0;           ///< largest so far [J]
    bool may_be_unsolved = false; ///< steps that are told as not solved are no failure

    void advance(double until);
    /// In frames of 1/fps s, looking at energy and residual after each.
    void advance_in_frames(double until, double fps);

    Vec3 place(const std::string& name) const;
    double coordinate(const std::string& name) const;
    double energy() const;
};

/// A script of the repository as a world's scene; parameters as on the command line.
Scene repository_scene(const std::string& path,
                       const std::map<std::string, std::string>& parameters = {});

/// Runs a scene in frames of 1/fps s and returns the largest difference from the table.
double largest_error(const Scene& scene, const ReferenceTable& table, double fps);

/// Checks a script of tests/physics/scripts against its table at 24 and 100 frames per second, and
/// that its constraints hold to 1e-10 m.
void check_against_table(const std::string& name, double tolerance,
                         const std::string& table_name = "",
                         const std::map<std::string, std::string>& parameters = {});

/// How far the energy of a scene without losses strays, in parts of the largest kinetic energy.
double energy_drift(const Scene& scene, double until);

} // namespace sinew::test
