// Surfaces of shapes: meshes from files, hulls of points, grids of heights. Each is made once,
// however many instances show it.

#include "charli/evaluate/evaluator.h"

#include "base/text.h"
#include "geometry/hull.h"
#include "geometry/mass_properties.h"
#include "geometry/mesh.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace sinew::charli {

namespace {

/// "line 3: a face has two corners only".
std::string told(const Problem& problem)
{
    return (problem.place.line > 0 ? "line " + std::to_string(problem.place.line) + ": " : "") +
           problem.what;
}

void add_bytes(std::string& key, double x)
{
    const double plain = x + 0.0; // −0 is 0
    key.append(reinterpret_cast<const char*>(&plain), sizeof plain);
}

/// What a surface is made from: the same key, the same surface.
std::string key_of(const Word& word, const std::string& file, std::span<const Bound> bound,
                   std::span<const Value> list)
{
    std::string key = std::string(word.name) + "\n" + file + "\n";
    for (const Bound& argument : bound)
        if (argument.kind == Bound::Kind::value)
            add_bytes(key, argument.value.number);
    for (const Value& value : list)
        add_bytes(key, value.number);
    return key;
}

/// Two triangles for each field of the grid, counter-clockwise seen from above.
TriangleMesh make_grid(const std::vector<double>& heights, std::size_t columns, double spacing)
{
    TriangleMesh mesh;
    const std::size_t rows = heights.size() / columns;
    const double left = -0.5 * spacing * double(columns - 1);
    const double back = -0.5 * spacing * double(rows - 1);
    for (std::size_t i = 0; i < heights.size(); ++i)
        mesh.vertices.push_back({left + spacing * double(i % columns), heights[i],
                                 back + spacing * double(i / columns)});
    for (std::size_t row = 0; row + 1 < rows; ++row)
        for (std::size_t column = 0; column + 1 < columns; ++column) {
            const auto a = static_cast<std::uint32_t>(row * columns + column);
            const auto b = a + 1, c = a + static_cast<std::uint32_t>(columns), d = c + 1;
            mesh.triangles.push_back({a, c, d});
            mesh.triangles.push_back({a, d, b});
        }
    return mesh;
}

std::string count_of(std::size_t heights)
{
    return std::to_string(heights) + (heights == 1 ? " height" : " heights");
}

bool is_between_numbers(char c)
{
    return c == ',' || c == ';' || c == ' ' || c == '\t' || c == '\r';
}

} // namespace

/// The surface a shape needs; none for other words. Faults are told and make the call bad.
Surface Evaluator::find_surface(Site call, const Word& word, Arguments& arguments)
{
    const auto kind = static_cast<ShapeKind>(word.code);
    const bool needs_one =
        word.kind == WordKind::shape &&
        (kind == ShapeKind::hull || kind == ShapeKind::mesh || kind == ShapeKind::height_field);
    if (!needs_one)
        return {};
    for (const Value value : arguments.points)
        if (!value.is_constant()) {
            error(call.tree->origin(call.node), "shape-changes",
                  "the numbers of '" + std::string(word.name) + "' must not move",
                  "a shape keeps its form: give constants");
            arguments.is_good = false;
            return {};
        }
    const Surface surface = make_surface(call, word, arguments);
    arguments.is_good = surface.mesh != Shape::kNoMesh;
    return surface;
}

/// Where a shape stands: its object; of a capsule between two points a frame there, whose y axis
/// leads from the one to the other. Its length becomes the second argument.
ObjectId Evaluator::find_frame(Site call, const Word& word, ObjectId object, Arguments& arguments)
{
    const bool is_capsule =
        word.kind == WordKind::shape && static_cast<ShapeKind>(word.code) == ShapeKind::capsule;
    if (!is_capsule || arguments.points.empty())
        return object;
    const Origin origin = call.tree->origin(call.node);
    std::array<double, 6> at = {};
    bool is_constant = true;
    for (std::size_t i = 0; i < at.size(); ++i) {
        at[i] = arguments.points[i].number;
        is_constant = is_constant && arguments.points[i].is_constant();
    }
    const Vec3 from = {at[0], at[1], at[2]}, way = Vec3{at[3], at[4], at[5]} - from;
    const double size = length(way);
    arguments.is_good = is_constant && size > 0 && std::isfinite(size);
    if (!arguments.is_good) {
        error(origin, is_constant ? "capsule-without-length" : "shape-changes",
              is_constant ? "the two ends of this capsule are one point"
                          : "the ends of a capsule must not move",
              is_constant ? "write `sphere(radius)`, or give two different points"
                          : "a shape keeps its form: give constants");
        return object;
    }
    const Vec3 y = way / size, helper = std::abs(y.x) < 0.7 ? Vec3{1, 0, 0} : Vec3{0, 0, 1};
    const Vec3 x = normalised(cross(y, helper));
    const ObjectId frame = add_object(kNoSymbol, std::string(word.name), Object::kNoIndex,
                                      object_scopes_[0], origin, true);
    if (!frame.is_valid())
        return object;
    close_object(frame);
    close_object(ObjectId{0});
    ride(frame, object, Affine{Mat3{x, y, cross(x, y)}, from + way * 0.5}, origin);
    arguments.bound.resize(2);
    arguments.bound[1] = {.kind = Bound::Kind::value, .value = {size}, .origin = origin};
    return frame;
}

Surface Evaluator::make_surface(Site call, const Word& word, Arguments& arguments)
{
    const auto kind = static_cast<ShapeKind>(word.code);
    const bool is_file = arguments.signature[0].kind == ArgumentKind::file;
    std::optional<std::string> file_name = std::string();
    if (is_file)
        file_name = resolve_file(arguments.bound[0].origin, std::string(arguments.bound[0].text),
                                 name_below_folder(*call.tree));
    if (!file_name)
        return {};
    const auto [known, is_new] = surfaces_.try_emplace(
        key_of(word, *file_name, arguments.bound, arguments.points), Surface{});
    if (!is_new)
        return known->second; // with its fault told, if it has one
    Surface& surface = known->second;
    if (kind == ShapeKind::height_field)
        return surface = make_height_field(call, *file_name, arguments);
    if (!is_file)
        return surface = make_hull_of_points(call, arguments);
    const bool has_scale = arguments.bound[1].kind == Bound::Kind::value;
    auto mesh = read_surface(arguments.bound[0], *file_name,
                             has_scale ? arguments.bound[1].value.number : 1);
    if (!mesh)
        return {};
    if (kind != ShapeKind::mesh)
        return surface = make_hull_of(mesh->mesh.vertices, arguments.bound[0].origin);
    surface = add_mesh(std::move(mesh->mesh), arguments.bound[0].origin);
    if (mesh->motion && surface.mesh != Shape::kNoMesh) {
        const auto number = [&](std::size_t i, double otherwise) {
            const Bound& bound = arguments.bound[i];
            return bound.kind == Bound::Kind::value ? bound.value.number : otherwise;
        };
        mesh->motion->mesh = surface.mesh;
        mesh->motion->begin = number(2, 0);
        mesh->motion->speed = number(3, 1);
        scene.mesh_motions.push_back(std::move(*mesh->motion));
    }
    return surface;
}

/// The bytes of a file that is no script; the scene keeps them, so that a recording is whole.
std::optional<std::string> Evaluator::read_asset(const Bound& file, const std::string& file_name)
{
    std::optional<std::string> bytes = read_text(file.origin, std::string(file.text), file_name);
    const bool is_known = std::ranges::find(assets_, file_name, &SourceFile::name) != assets_.end();
    if (bytes && !is_known)
        assets_.push_back({file_name, std::make_shared<const std::string>(*bytes)});
    return bytes;
}

/// A mesh from a file, in metres; one that is inside out is turned.
std::optional<MovingMesh> Evaluator::read_surface(const Bound& file, const std::string& file_name,
                                                  double scale)
{
    const auto bytes = read_asset(file, file_name);
    if (!bytes)
        return std::nullopt;
    const std::string shown = "'" + excerpt(file.text, 100) + "'";
    Result<MovingMesh> read = read_moving_mesh(file_name, *bytes);
    if (!read) {
        const Problem& first = read.problems().front();
        const std::size_t more = read.problems().size() - 1;
        error(file.origin, "mesh-faulty",
              shown + " cannot be read, " + told(first) +
                  (more > 0 ? ", and " + std::to_string(more) + " more" : ""),
              first.hint);
        return std::nullopt;
    }
    TriangleMesh& mesh = read->mesh;
    for (Vec3& vertex : mesh.vertices)
        vertex = vertex * scale;
    if (read->motion)
        read->motion->scale = scale;
    if (mesh_mass(mesh).volume < 0 && check_solid(mesh, file_name).empty()) {
        report_.note(file.origin, "mesh-inside-out",
                     shown + " is inside out: its triangles run clockwise; they are flipped",
                     "flip its normals in the program that made it");
        turn_inside_out(mesh);
    }
    return std::move(*read);
}

/// Camera or timing of a file; none for other words. Faults are told and make the call bad.
std::optional<FileShot> Evaluator::find_shot(Site call, const Word& word, Arguments& arguments)
{
    const bool is_camera = word.name == "camera";
    if (word.kind != WordKind::setting || !arguments.is_good || arguments.signature.empty() ||
        arguments.signature[0].kind != ArgumentKind::file)
        return std::nullopt;
    arguments.is_good = false;
    const Bound& file = arguments.bound[0];
    const auto file_name =
        resolve_file(file.origin, std::string(file.text), name_below_folder(*call.tree));
    const auto bytes = file_name ? read_asset(file, *file_name) : std::nullopt;
    if (!bytes)
        return std::nullopt;
    const std::string shown = "'" + excerpt(file.text, 100) + "'";
    Result<FileShot> shot = read_shot(*file_name, *bytes);
    if (!shot)
        error(file.origin, "shot-faulty",
              shown + " cannot be read, " + told(shot.problems().front()),
              shot.problems().front().hint);
    else if (is_camera && shot->keys.empty())
        error(file.origin, "shot-no-camera", shown + " has no camera",
              "export the cameras too, or write camera(0, 1, 6, 0, 1, 0);");
    else if (!is_camera && !(shot->end > 0))
        error(file.origin, "shot-no-animation", shown + " has no animation",
              "export the animation too, or write simulate(0 sec, 10 sec);");
    else
        arguments.is_good = true;
    return arguments.is_good ? std::optional(std::move(*shot)) : std::nullopt;
}

Surface Evaluator::make_hull_of_points(Site call, const Arguments& arguments)
{
    std::vector<Vec3> points;
    for (std::size_t i = 0; i + 2 < arguments.points.size(); i += 3)
        points.push_back({arguments.points[i].number, arguments.points[i + 1].number,
                          arguments.points[i + 2].number});
    return make_hull_of(points, call.tree->origin(call.node));
}

Surface Evaluator::make_hull_of(const std::vector<Vec3>& points, Origin origin)
{
    const Result<Hull> hull = make_hull(points);
    if (hull)
        return add_mesh(triangles_of(*hull), origin);
    const Problem& first = hull.problems().front();
    error(origin, "hull-faulty", "this has no convex hull: " + first.what, first.hint);
    return {};
}

Surface Evaluator::make_height_field(Site call, const std::string& file_name,
                                     const Arguments& arguments)
{
    const bool is_file = arguments.signature[0].kind == ArgumentKind::file;
    const Origin origin = is_file ? arguments.bound[0].origin : call.tree->origin(call.node);
    std::vector<double> heights;
    std::size_t columns = 0;
    if (is_file) {
        if (!read_heights(arguments.bound[0], file_name, heights, columns))
            return {};
    } else {
        columns = static_cast<std::size_t>(arguments.bound[0].value.number);
        for (const Value value : arguments.points)
            heights.push_back(value.number);
    }
    if (columns < 2 || heights.size() % columns != 0 || heights.size() / columns < 2) {
        error(origin, "heights-not-rows",
              count_of(heights.size()) + " do not make whole rows of " + std::to_string(columns),
              "give at least two rows of at least two heights, all of the same length");
        return {};
    }
    Surface surface =
        add_mesh(make_grid(heights, columns, arguments.bound[1].value.number), origin);
    surface.columns = static_cast<std::uint32_t>(columns);
    return surface;
}

/// Rows of numbers; lines that are empty or start with # are passed over. False: told.
bool Evaluator::read_heights(const Bound& file, const std::string& file_name,
                             std::vector<double>& heights, std::size_t& columns)
{
    const auto bytes = read_asset(file, file_name);
    if (!bytes)
        return false;
    const std::string shown = "'" + excerpt(file.text, 100) + "'";
    std::size_t line_number = 0;
    for (std::size_t at = 0; at < bytes->size();) {
        const std::size_t end = std::min(bytes->find('\n', at), bytes->size());
        const char* next = bytes->data() + at;
        const char* const stop = bytes->data() + end;
        at = end + 1;
        ++line_number;
        const std::size_t before = heights.size();
        for (;;) {
            while (next != stop && is_between_numbers(*next))
                ++next;
            if (next == stop || *next == '#')
                break;
            double height = 0;
            const auto [rest, fault] = std::from_chars(next, stop, height);
            const bool is_whole_word = rest == stop || is_between_numbers(*rest);
            if (fault != std::errc() || !is_whole_word || !std::isfinite(height)) {
                error(file.origin, "heights-faulty",
                      "line " + std::to_string(line_number) + " of " + shown +
                          " contains something that is not a number",
                      "give rows of numbers, separated by commas or spaces");
                return false;
            }
            heights.push_back(height);
            next = rest;
        }
        const std::size_t count = heights.size() - before;
        columns = columns == 0 ? count : columns;
        if (count != 0 && count != columns) {
            error(file.origin, "heights-faulty",
                  "line " + std::to_string(line_number) + " of " + shown + " has " +
                      count_of(count) + ", the first row " + std::to_string(columns),
                  "give rows of the same length");
            return false;
        }
    }
    return true;
}

Surface Evaluator::add_mesh(TriangleMesh mesh, Origin origin)
{
    triangle_count_ += mesh.triangles.size();
    if (triangle_count_ > limits_.triangle_count) {
        error(origin, "too-many-triangles",
              "the meshes of the script have more than " + std::to_string(limits_.triangle_count) +
                  " triangles",
              "use simpler meshes");
        return {};
    }
    scene.meshes.push_back(std::move(mesh));
    return {static_cast<std::uint32_t>(scene.meshes.size() - 1)};
}

} // namespace sinew::charli
