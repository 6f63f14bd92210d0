#pragma once

#include "models/linkage/paper/scheme.h"
#include "scene/kinematics.h"
#include "support/files.h"
#include "support/readings.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

namespace sinew::test {

/// A scene on its way with the paper's scheme.
class CharliRun {
public:
    explicit CharliRun(Scene given, const CharliOptions& options = {},
                       const std::vector<ImportFunction>& imports = {})
        : scene(std::move(given)), names(object_names(scene)), time(scene.settings.start),
          scheme_(CharliScheme::create(scene, imports, options))
    {
        REQUIRE_MESSAGE(scheme_, problems_text(scheme_.problems(), false));
        for (const Coordinate& coordinate : scene.coordinates) {
            coordinates.push_back(coordinate.initial);
            rates.push_back(coordinate.initial_rate);
        }
        state.resize(scheme_->state_size());
        scheme_->start(time, coordinates, rates, state);
    }

    /// Steps of equal length, about h, up to a time.
    std::optional<Problem> try_to(double until, double h)
    {
        const int count = std::max(1, int(std::lround((until - time) / h)));
        const double from = time;
        for (int i = 0; i < count; ++i) {
            const double here = from + (until - from) * i / count;
            if (auto problem = scheme_->step(here, (until - from) / count, state))
                return problem;
            time = from + (until - from) * (i + 1) / count;
            scheme_->read(state, coordinates, rates);
        }
        return std::nullopt;
    }

    void run_to(double until, double h)
    {
        const auto problem = try_to(until, h);
        REQUIRE_MESSAGE(!problem, problem->what);
    }

    void pass_key()
    {
        const auto problem = scheme_->pass_key(time, state);
        REQUIRE_MESSAGE(!problem, problem->what);
        scheme_->read(state, coordinates, rates);
    }

    ObjectId object(const std::string& name) const
    {
        const auto found = std::find(names.begin(), names.end(), name);
        REQUIRE_MESSAGE(found != names.end(), "there is no object " << name);
        return ObjectId{static_cast<std::uint32_t>(found - names.begin())};
    }

    Vec3 place(const std::string& name) const
    {
        return Kinematics(scene, coordinates, time).frame(object(name)).origin;
    }

    /// Of masses at the origins of their objects, in the time's gravity along y.
    double energy() const
    {
        const Kinematics kinematics(scene, coordinates, time);
        double sum = 0;
        for (const Mass& mass : scene.masses) {
            const PointMotion motion = kinematics.point(mass.object);
            Vec3 velocity;
            for (const Partial<Vec3>& partial : motion.partials)
                velocity +=
                    (partial.column == kinematics.time_column() ? 1.0 : rates[partial.column]) *
                    partial.value;
            sum += mass.mass * (0.5 * dot(velocity, velocity) + 9.81 * motion.position.y);
        }
        return sum;
    }

    Scene scene;
    std::vector<std::string> names;
    double time;
    std::vector<double> coordinates, rates, state;

private:
    Result<CharliScheme> scheme_;
};

/// A table of tests/physics/reference.
struct CharliTable {
    std::vector<std::string> columns;
    std::vector<std::vector<double>> rows;

    explicit CharliTable(const std::string& name)
    {
        std::istringstream text(read_repository_file("tests/physics/reference/" + name));
        std::string line, cell;
        std::getline(text, line);
        for (std::istringstream cells(line); std::getline(cells, cell, ',');)
            columns.push_back(cell);
        while (std::getline(text, line)) {
            rows.emplace_back();
            for (std::istringstream cells(line); std::getline(cells, cell, ',');)
                rows.back().push_back(std::stod(cell));
        }
    }

    /// The largest difference of the positions in row i from those of a run; m_x is `bead`'s.
    double error(const CharliRun& run, std::size_t i) const
    {
        double worst = 0;
        for (std::size_t k = 1; k < columns.size(); ++k) {
            const std::string name = columns[k].substr(0, columns[k].find('_'));
            if (columns[k].size() < 3 || columns[k][columns[k].size() - 2] != '_' ||
                name == "anchor")
                continue;
            const Vec3 place = run.place(name == "m" ? "bead" : name);
            worst = std::max(worst, std::abs(place[columns[k].back() - 'x'] - rows[i][k]));
        }
        return worst;
    }
};

inline Scene charli_reference(const std::string& name)
{
    return sound_scene(read_repository_file("tests/physics/reference/" + name));
}

} // namespace sinew::test
