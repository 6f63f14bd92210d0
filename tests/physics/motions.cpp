#include "physics/motions.h"

#include "sinew/names.h"
#include "support/files.h"
#include "support/worlds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace sinew::test {

namespace {

std::vector<std::string> split(const std::string& line)
{
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');)
        cells.push_back(cell);
    return cells;
}

/// "m0_x" of older tables is "m0.x".
std::string with_point(std::string column)
{
    if (column.size() > 2 && column[column.size() - 2] == '_')
        column[column.size() - 2] = '.';
    return column;
}

} // namespace

ReferenceTable read_reference_table(const std::string& name)
{
    ReferenceTable table;
    std::istringstream text(read_repository_file("tests/physics/reference/" + name + ".csv"));
    for (std::string line; std::getline(text, line);) {
        if (line.starts_with("#"))
            continue;
        const std::vector<std::string> cells = split(line);
        if (table.columns.empty()) {
            for (std::size_t i = 1; i < cells.size(); ++i)
                table.columns.push_back(with_point(cells[i]));
            continue;
        }
        table.times.push_back(std::stod(cells[0]));
        table.rows.emplace_back();
        for (std::size_t i = 1; i < cells.size(); ++i)
            table.rows.back().push_back(std::stod(cells[i]));
    }
    return table;
}

Motion::Motion(Scene scene) : world(make_world(scene)) { kinetic = world.energy().kinetic; }

void Motion::advance(double until)
{
    const StepReport report = world.advance(until);
    REQUIRE_MESSAGE(!report.fault, report.fault->what);
    CHECK((report.converged || may_be_unsolved));
    REQUIRE(world.time() == until);
    residual = std::max(residual, report.residual);
    kinetic = std::max(kinetic, world.energy().kinetic);
}

void Motion::advance_in_frames(double until, double fps)
{
    const double from = world.time();
    const auto count = std::lround((until - from) * fps);
    for (long i = 1; i <= count; ++i)
        advance(i == count ? until : from + double(i) / fps);
}

Vec3 Motion::place(const std::string& name) const
{
    const std::vector<std::size_t> found = find_names(object_paths(world.scene()), name);
    REQUIRE_MESSAGE(found.size() == 1, "there is no object " << name);
    return world.frame().objects[found.front()].origin;
}

double Motion::coordinate(const std::string& name) const
{
    const std::vector<Coordinate>& all = world.scene().coordinates;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].name == name)
            return world.coordinates()[i];
    FAIL("there is no coordinate " << name);
    return 0;
}

double Motion::energy() const { return world.energy().kinetic + world.energy().potential; }

Scene repository_scene(const std::string& path,
                       const std::map<std::string, std::string>& parameters)
{
    const ScriptReading reading =
        read_script_file(std::string(SINEW_ROOT) + "/" + path, {.parameters = parameters});
    REQUIRE_MESSAGE(reading.is_sound(), problems_text(reading.problems, false));
    return reading.scene;
}

double largest_error(const Scene& scene, const ReferenceTable& table, double fps)
{
    Motion motion(scene);
    double worst = 0;
    for (std::size_t i = 0; i < table.times.size(); ++i) {
        if (table.times[i] > motion.world.time())
            motion.advance_in_frames(table.times[i], fps);
        const Frame frame = motion.world.frame();
        const std::vector<TableRow> lines = table_rows(scene, frame);
        std::vector<std::string> names;
        for (const TableRow& line : lines)
            names.push_back(line.name);
        for (std::size_t k = 0; k < table.columns.size(); ++k) {
            const std::string& column = table.columns[k];
            if (column.size() < 2)
                continue;
            const auto found = find_names(names, column.substr(0, column.size() - 2));
            if (column[column.size() - 2] == '.' && found.size() == 1)
                worst = std::max(worst, std::abs(lines[found[0]].position[column.back() - 'x'] -
                                                 table.rows[i][k]));
        }
    }
    CHECK(motion.residual < 1e-10);
    return worst;
}

void check_against_table(const std::string& name, double tolerance, const std::string& table_name,
                         const std::map<std::string, std::string>& parameters)
{
    const Scene scene = repository_scene("tests/physics/scripts/" + name + ".charli", parameters);
    const ReferenceTable table = read_reference_table(table_name.empty() ? name : table_name);
    CHECK(largest_error(scene, table, 24) < tolerance);
    CHECK(largest_error(scene, table, 100) < tolerance);
}

double energy_drift(const Scene& scene, double until)
{
    Motion motion(scene);
    const double start = motion.energy();
    double drift = 0;
    for (int second = 1; second <= until; ++second) {
        motion.advance_in_frames(second, 24);
        drift = std::max(drift, std::abs(motion.energy() - start));
    }
    return drift / motion.kinetic;
}

} // namespace sinew::test
