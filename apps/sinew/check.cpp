// `sinew check`: every problem of a script, and the reading of its mechanism.

#include "commands.h"
#include "printing.h"

#include "sinew/language.h"
#include "sinew/world.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <numeric>
#include <span>
#include <unistd.h>

namespace sinew::app {

namespace {

using nlohmann::json;

constexpr int kMostLines = 40; // of a list, on a screen

std::string text_of(const Scene& scene, Origin origin)
{
    return origin.file < scene.files.size()
               ? scene.files[origin.file].text->substr(origin.offset, origin.length)
               : "";
}

/// On one line, with single blanks.
std::string flat(std::string text)
{
    std::string out;
    for (const char c : text)
        if (c != ' ' && c != '\n' && c != '\t' && c != '\r')
            out += c;
        else if (!out.empty() && out.back() != ' ')
            out += ' ';
    return out;
}

const char* shape_name(ShapeKind kind)
{
    switch (kind) {
    case ShapeKind::sphere: return "sphere";
    case ShapeKind::box: return "box";
    case ShapeKind::capsule: return "capsule";
    case ShapeKind::cylinder: return "cylinder";
    case ShapeKind::cone: return "cone";
    case ShapeKind::hull: return "hull";
    case ShapeKind::plane: return "plane";
    case ShapeKind::height_field: return "height field";
    case ShapeKind::mesh: return "mesh";
    case ShapeKind::ellipsoid: return "ellipsoid";
    }
    return "";
}

/// What stands in each object: "1 kg", "label", "body of 400 kg, box".
std::vector<std::string> contents_of(const Scene& scene, const Reading& reading)
{
    std::vector<std::string> contents(scene.objects.size());
    const auto add = [&](ObjectId object, const std::string& text) {
        std::string& line = contents[object.index];
        line += (line.empty() ? "" : ", ") + text;
    };
    for (const Mass& mass : scene.masses)
        add(mass.object, fmt::format("{} kg", mass.mass));
    for (const BoxMass& box : scene.box_masses)
        add(box.object, fmt::format("block of {} kg", box.mass));
    for (const Label& label : scene.labels)
        add(label.object, "label");
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const RigidBody& body = scene.bodies[i];
        const double mass = i < reading.body_masses.size() ? reading.body_masses[i] : body.mass;
        add(body.object, body.is_obstacle() ? "obstacle" : fmt::format("body of {:.6g} kg", mass));
    }
    for (const Shape& shape : scene.shapes)
        add(shape.body, shape_name(shape.kind));
    for (std::size_t i = 0, same = 1; i < scene.strands.size(); i += same, same = 1) {
        const StrandCurve& curve = scene.strands[i];
        const bool is_strand = curve.from == StrandCurve::kNone;
        while (i + same < scene.strands.size() && scene.strands[i + same].object == curve.object &&
               (scene.strands[i + same].from == StrandCurve::kNone) == is_strand &&
               scene.strands[i + same].segments == curve.segments)
            ++same; // those of a groom
        const std::string kind =
            same == 1 ? (is_strand ? "strand" : "branch")
                      : count_of(std::int64_t(same), "", is_strand ? "strands" : "branches");
        add(curve.object,
            fmt::format("{} of {}", kind, count_of(int(curve.segments), "segment", "segments")));
    }
    for (const Rod& rod : scene.rods)
        add(rod.object, fmt::format("{} of {}", rod.kind == RodKind::chain ? "chain" : "rod",
                                    count_of(int(rod.spans), "span", "spans")));
    return contents;
}

int depth_of(const Scene& scene, const Object& object)
{
    int depth = 0;
    for (ObjectId up = object.parent; up.is_valid() && up.index > 0;
         up = scene.objects[up.index].parent)
        ++depth;
    return depth;
}

std::string own_name(const Object& object)
{
    std::string name = object.name;
    if (object.index != Object::kNoIndex)
        name += fmt::format("[{}]", object.index);
    if (object.ordinal > 1)
        name += fmt::format("#{}", object.ordinal);
    return name;
}

void print_objects(const Scene& scene, const Reading& reading, const Style& s)
{
    fmt::print("\n{}objects{}\n", s.title, s.off);
    const std::vector<std::string> contents = contents_of(scene, reading);
    int shown = 0;
    for (std::size_t i = 1; i < scene.objects.size(); ++i) {
        const Object& object = scene.objects[i];
        if (object.is_anonymous)
            continue;
        if (++shown > kMostLines)
            break;
        std::string moves;
        Origin last;
        for (std::uint32_t k = 0; k < object.transformation_count; ++k) {
            const Origin origin = scene.transformations[object.first_transformation + k].origin;
            if (origin.offset != last.offset || origin.file != last.file)
                moves += " " + flat(text_of(scene, origin));
            last = origin;
        }
        const std::string indent(
            static_cast<std::size_t>(2 + 2 * std::min(depth_of(scene, object), 20)), ' ');
        fmt::print("{}{}{}{}{}{}{}{}\n", indent, s.name, own_name(object), s.off,
                   contents[i].empty() ? "" : "  " + contents[i], s.quiet,
                   moves.empty() ? "" : " " + moves, s.off);
    }
    const auto all = std::count_if(scene.objects.begin() + 1, scene.objects.end(),
                                   [](const Object& o) { return !o.is_anonymous; });
    if (all == 0)
        fmt::print("  none\n");
    if (all > kMostLines)
        fmt::print("  ... and {} more\n", all - kMostLines);
}

void print_coordinates(const Scene& scene, const Style& s)
{
    fmt::print("\n{}coordinates{}\n", s.title, s.off);
    std::size_t widest = 0;
    for (const Coordinate& coordinate : scene.coordinates)
        widest = std::max(widest, coordinate.name.size());
    int shown = 0;
    for (const Coordinate& coordinate : scene.coordinates) {
        if (++shown > kMostLines) {
            fmt::print("  ... and {} more\n", scene.coordinates.size() - kMostLines);
            break;
        }
        if (coordinate.kind == CoordinateKind::event)
            fmt::print("  {}{:<{}}{}  an event\n", s.name, coordinate.name, widest, s.off);
        else
            fmt::print("  {}{:<{}}{}  starts at {:g}, rate {:g}\n", s.name, coordinate.name, widest,
                       s.off, coordinate.initial, coordinate.initial_rate);
    }
    if (scene.coordinates.empty())
        fmt::print("  none: everything is fixed or driven\n");
}

/// Statements one a line; constraints with what they are off at the start.
template <class Things>
void print_statements(const Scene& scene, const Things& things, int& shown,
                      std::span<const double> residuals = {})
{
    for (std::size_t i = 0; i < things.size(); ++i) {
        if (++shown > kMostLines)
            return;
        const std::string off =
            i < residuals.size() ? fmt::format("  holds to {:.1e} m", residuals[i]) : "";
        fmt::print("  {}{}\n", flat(text_of(scene, things[i].origin)), off);
    }
}

/// Of linkages, rods and strands.
int constraint_count(const Scene& scene, const Reading& reading)
{
    return reading.constraint_count + reading.rod_constraint_count +
           static_cast<int>(scene.strand_constraints.size());
}

void print_constraints(const Scene& scene, const Reading& reading, const Style& s)
{
    if (reading.constraint_count > 0 || constraint_count(scene, reading) == 0)
        fmt::print("\n{}constraints{}\n", s.title, s.off);
    int shown = 0;
    const std::span<const double> residuals = reading.residuals;
    const std::size_t distances = std::min(scene.distance_constraints.size(), residuals.size());
    print_statements(scene, scene.distance_constraints, shown, residuals.first(distances));
    print_statements(scene, scene.path_constraints, shown, residuals.subspan(distances));
    if (constraint_count(scene, reading) == 0)
        fmt::print("  none\n");
    if (reading.constraint_count > kMostLines)
        fmt::print("  ... and {} more\n", reading.constraint_count - kMostLines);
    const int forces = reading.spring_count + reading.force_count;
    if (forces == 0)
        return;
    fmt::print("\n{}forces{}\n", s.title, s.off);
    shown = 0;
    print_statements(scene, scene.point_springs, shown);
    print_statements(scene, scene.coordinate_springs, shown);
    print_statements(scene, scene.forces, shown);
    print_statements(scene, scene.torques, shown);
    print_statements(scene, scene.drags, shown);
    print_statements(scene, scene.fields, shown);
    print_statements(scene, scene.airs, shown);
    if (forces > kMostLines)
        fmt::print("  ... and {} more\n", forces - kMostLines);
}

void print_joints(const Scene& scene, const Style& s)
{
    if (scene.joints.empty())
        return;
    fmt::print("\n{}joints{}\n", s.title, s.off);
    int shown = 0;
    print_statements(scene, scene.joints, shown);
    if (shown > kMostLines)
        fmt::print("  ... and {} more\n", scene.joints.size() - kMostLines);
}

void print_strands(const Reading& r, const Style& s)
{
    if (r.strand_count == 0)
        return;
    fmt::print("\n{}strands{}\n  {} in {}: {} segments, {} coordinates of joints, {:.6g} kg\n",
               s.title, s.off, count_of(r.strand_count, "strand", "strands"),
               count_of(r.tree_count, "tree", "trees"), r.segment_count, r.joint_coordinate_count,
               std::accumulate(r.strand_masses.begin(), r.strand_masses.end(), 0.0));
}

void print_rods(const Scene& scene, const Reading& r, const Style& s)
{
    if (r.rod_count == 0)
        return;
    fmt::print("\n{}rods{}\n  {}: {} control points, {:.6g} kg; {}\n", s.title, s.off,
               count_of(r.rod_count, "rod", "rods"), r.rod_point_count,
               std::accumulate(r.rod_masses.begin(), r.rod_masses.end(), 0.0),
               count_of(r.rod_constraint_count, "constraint", "constraints"));
    int shown = 0;
    print_statements(scene, scene.rod_constraints, shown);
    if (shown > kMostLines)
        fmt::print("  ... and {} more\n", scene.rod_constraints.size() - kMostLines);
}

void print_parameters(const Scene& scene, const Style& s)
{
    if (scene.parameters.empty())
        return;
    fmt::print("\n{}params{}\n", s.title, s.off);
    for (const Parameter& p : scene.parameters) {
        const std::string range =
            p.low && p.high ? fmt::format(" [{:g}..{:g}]", *p.low, *p.high) : "";
        fmt::print("  {}{}{} = {:g}{}  {}{}{}\n", s.name, p.name, s.off, p.value, range, s.quiet,
                   p.text, s.off);
    }
}

void print_reading(const std::string& script, const ScriptReading& result, bool colour)
{
    const Style s = make_style(colour);
    const Reading& r = result.reading;
    const std::string bodies =
        r.body_count + r.obstacle_count == 0
            ? ""
            : fmt::format(", {}, {}, {}", count_of(r.body_count, "body", "bodies"),
                          count_of(r.obstacle_count, "obstacle", "obstacles"),
                          count_of(r.joint_count, "joint", "joints"));
    fmt::print("{}{}{}: {}, {}, {}, {}, {}{}\n", s.name, script, s.off,
               count_of(r.object_count, "object", "objects"),
               count_of(r.mass_count, "mass", "masses"),
               count_of(r.coordinate_count, "coordinate", "coordinates"),
               count_of(constraint_count(result.scene, r), "constraint", "constraints"),
               count_of(r.spring_count + r.force_count, "force", "forces"), bodies);
    print_parameters(result.scene, s);
    print_objects(result.scene, r, s);
    const bool has_linkage = r.coordinate_count + r.constraint_count > 0 ||
                             (r.body_count == 0 && r.strand_count == 0 && r.rod_count == 0);
    if (has_linkage)
        print_coordinates(result.scene, s);
    if (has_linkage || r.spring_count + r.force_count > 0)
        print_constraints(result.scene, r, s);
    print_joints(result.scene, s);
    print_strands(r, s);
    print_rods(result.scene, r, s);
    if (!has_linkage)
        return;
    fmt::print("\n{}freedom{}\n", s.title, s.off);
    if (!r.freedom) {
        fmt::print("  not counted: the mechanism is too large to be looked at as a whole\n");
        return;
    }
    fmt::print("  {}{}{} = {} − {}", s.good, *r.freedom, s.off,
               count_of(r.coordinate_count, "coordinate", "coordinates"),
               count_of(r.independent_count, "independent equation", "independent equations"));
    if (r.equation_count > r.independent_count)
        fmt::print(" ({} implied by these)",
                   count_of(r.equation_count - r.independent_count, "more is", "more are"));
    if (r.driven_count > 0)
        fmt::print("; {} driven",
                   count_of(r.driven_count, "transformation is", "transformations are"));
    fmt::print("\n");
}

json reading_json(const ScriptReading& result)
{
    json out{{"problems", json::array()}};
    for (const Problem& problem : result.problems)
        out["problems"].push_back(problem_json(problem));
    if (result.is_sound()) {
        const Reading& r = result.reading;
        out["reading"] = {{"objects", r.object_count},
                          {"masses", r.mass_count},
                          {"labels", r.label_count},
                          {"coordinates", r.coordinate_count},
                          {"driven", r.driven_count},
                          {"constraints", r.constraint_count},
                          {"equations", r.equation_count},
                          {"independent", r.independent_count},
                          {"springs", r.spring_count},
                          {"forces", r.force_count},
                          {"drawings", r.drawing_count},
                          {"bodies", r.body_count},
                          {"obstacles", r.obstacle_count},
                          {"joints", r.joint_count},
                          {"trees", r.tree_count},
                          {"strands", r.strand_count},
                          {"segments", r.segment_count},
                          {"joint_coordinates", r.joint_coordinate_count},
                          {"strand_masses", r.strand_masses},
                          {"rods", r.rod_count},
                          {"rod_constraints", r.rod_constraint_count},
                          {"rod_points", r.rod_point_count},
                          {"rod_masses", r.rod_masses},
                          {"body_masses", r.body_masses},
                          {"residuals", r.residuals},
                          {"freedom", r.freedom ? json(*r.freedom) : json()}};
    }
    return out;
}

ScriptReading read(const std::string& script, const CheckOptions& options)
{
    const ReadOptions how{.parameters = options.parameters};
    if (script != "-")
        return read_script_file(script, how);
    const std::string text(std::istreambuf_iterator<char>(std::cin), {});
    return read_script("standard input", text, files_below("."), how);
}

/// Adds what `sinew run` would refuse or warn of at the start: only the world that is made of the
/// scene knows it. A world with imports cannot be made here.
void add_start(ScriptReading& result)
{
    if (!result.is_sound() || !result.scene.imports.empty())
        return;
    const Result<World> world = World::create(result.scene);
    const Problems& found = world ? world->start_notes() : world.problems();
    result.problems.insert(result.problems.end(), found.begin(), found.end());
}

} // namespace

int check(const CheckOptions& options)
{
    int status = 0;
    json list = json::array();
    for (const std::string& script : options.scripts) {
        ScriptReading result = read(script, options);
        add_start(result);
        status = std::max(status, result.is_sound() ? 0 : 1);
        if (options.json)
            list.push_back(reading_json(result));
        else if (!result.is_sound())
            print_refusal(script, result.problems, options.colour);
        else
            print_problems(result.problems, options.colour);
        if (!options.json && !options.is_quiet && result.is_sound())
            print_reading(script, result, use_colour(options.colour, STDOUT_FILENO));
    }
    if (options.json)
        print_json(list.size() == 1 ? list[0] : list);
    return status;
}

} // namespace sinew::app
