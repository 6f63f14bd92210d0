#include "player.h"

#include <fmt/core.h>

#include <algorithm>

namespace sinew::viewer {

namespace {

std::string vector_text(const Vec3& v, const char* unit)
{
    return fmt::format("{:.4g}, {:.4g}, {:.4g} {}", v.x, v.y, v.z, unit);
}

double mass_of(const Scene& scene, ObjectId object)
{
    double mass = 0;
    for (const Mass& one : scene.masses)
        mass += one.object == object ? one.mass : 0;
    for (const BoxMass& one : scene.box_masses)
        mass += one.object == object ? one.mass : 0;
    return mass;
}

/// How fast its origin is, from the frame before: what the pictures show.
std::optional<Vec3> velocity_of(const Scene& scene, ObjectId object, const Shot& now,
                                const Shot* before)
{
    if (!before || object.index >= before->frame.objects.size())
        return std::nullopt;
    return (now.frame.objects[object.index].origin - before->frame.objects[object.index].origin) *
           scene.settings.frame_rate;
}

/// Below this a speed is rounding.
constexpr double kRestSpeed = 1e-9; // [m/s]

std::string speed_text(double speed)
{
    return speed < kRestSpeed ? "at rest" : fmt::format("{:.4g} m/s", speed);
}

/// Of a strand, or of all strands of a tree: pieces, length, where the tip is and how fast.
bool add_strand_rows(const Picture& picture, ObjectId object, const Shot& now, const Shot* before,
                     Inspection& out)
{
    const Scene& scene = picture.scene;
    const std::vector<std::string> names = strand_names(scene);
    constexpr int kMost = 8; // on one page
    std::size_t first = 0;
    int shown = 0;
    for (std::size_t i = 0; i < scene.strands.size(); ++i) {
        const StrandCurve& strand = scene.strands[i];
        const std::size_t tip = first + strand.segments;
        const bool is_meant = strand.object == object || strand.tree == object;
        if (is_meant && tip < now.frame.nodes.size() && ++shown <= kMost) {
            double size = 0;
            for (std::size_t k = first; k < tip; ++k)
                size += length(now.frame.nodes[k + 1] - now.frame.nodes[k]);
            out.rows.push_back({names[i] == out.name ? "length" : "length of " + names[i],
                                fmt::format("{:.4g} m, {} segments", size, strand.segments)});
            out.rows.push_back({"tip", vector_text(now.frame.nodes[tip], "m")});
            if (before && tip < before->frame.nodes.size())
                out.rows.push_back({"speed of tip", speed_text(length(now.frame.nodes[tip] -
                                                                      before->frame.nodes[tip]) *
                                                               scene.settings.frame_rate)});
        }
        first = tip + 1;
    }
    return shown > 0;
}

std::string motion_of(const Session::Handle& handle)
{
    return handle.is_pinned         ? "pinned"
           : handle.grip.is_valid() ? "moves freely"
           : handle.is_fixed        ? "fixed"
                                    : "driven";
}

} // namespace

namespace {

/// The point of an object that plots are about: its origin, or the tip of a strand or rod.
std::optional<Vec3> point_of(const Picture& picture, ObjectId object, const Frame& frame)
{
    std::size_t first = 0;
    for (const StrandCurve& strand : picture.scene.strands) {
        const std::size_t tip = first + strand.segments;
        if ((strand.object == object || strand.tree == object) && tip < frame.nodes.size())
            return frame.nodes[tip];
        first = tip + 1;
    }
    for (const Rod& rod : picture.scene.rods) {
        const std::size_t tip = first + rod.spans;
        if (rod.object == object && tip < frame.nodes.size())
            return frame.nodes[tip];
        first = tip + 1;
    }
    if (object.index >= frame.objects.size())
        return std::nullopt;
    return frame.objects[object.index].origin;
}

std::vector<double> numbers_of_object(const Picture& picture, ObjectId object, const Frame& now,
                                      const Frame* before)
{
    const std::optional<Vec3> here = point_of(picture, object, now);
    if (!here)
        return {};
    std::vector<double> numbers = {here->x, here->y, here->z};
    if (const auto there = before ? point_of(picture, object, *before) : std::nullopt)
        numbers.push_back(length(*here - *there) * picture.scene.settings.frame_rate);
    return numbers;
}

std::vector<double> numbers_of_probe(const Scene& scene, std::uint32_t number, const Frame& now)
{
    std::size_t point = 0;
    for (const Drawing& drawing : scene.drawings) {
        if (drawing.kind == DrawingKind::probe && number-- == 0) {
            if (point >= now.points.size())
                return {};
            return {now.points[point].x, now.points[point].y, now.points[point].z};
        }
        point += drawing_point_count(scene, drawing);
    }
    return {};
}

} // namespace

std::vector<double> watched_numbers(const Picture& picture, const message::Watch::Quantity& what,
                                    const Frame& now, const Frame* before)
{
    using Kind = message::Watch::Kind;
    if (what.kind == Kind::object)
        return numbers_of_object(picture, {what.number}, now, before);
    if (what.kind == Kind::probe)
        return numbers_of_probe(picture.scene, what.number, now);
    if (what.number >= now.loads.size())
        return {};
    const ConstraintLoad& load = now.loads[what.number];
    return {length(load.force), length(load.torque)};
}

Inspection inspect(const Picture& picture, ObjectId object, const Shot& now, const Shot* before)
{
    const Scene& scene = picture.scene;
    Inspection out{.object = object, .name = picture.names[object.index], .rows = {}};
    if (object.index >= now.frame.objects.size())
        return out;
    if (object.index < picture.handles.size())
        out.rows.push_back({"motion", motion_of(picture.handles[object.index])});
    const double mass = mass_of(scene, object);
    const bool is_strand = add_strand_rows(picture, object, now, before, out);
    if (!is_strand) {
        out.rows.push_back({"position", vector_text(now.frame.objects[object.index].origin, "m")});
        if (const auto velocity = velocity_of(scene, object, now, before)) {
            const double speed = length(*velocity);
            if (speed >= kRestSpeed)
                out.rows.push_back({"velocity", vector_text(*velocity, "m/s")});
            out.rows.push_back({"speed", speed_text(speed)});
            if (mass > 0)
                out.rows.push_back(
                    {"kinetic energy", fmt::format("{:.4g} J", 0.5 * mass * speed * speed)});
        }
    }
    if (mass > 0)
        out.rows.push_back({"mass", fmt::format("{:.4g} kg", mass)});
    const Object& shown = scene.objects[object.index];
    if (shown.parent.is_valid())
        out.rows.push_back({"part of", picture.names[shown.parent.index]});
    if (shown.on.is_valid())
        out.rows.push_back({"rides on", picture.names[shown.on.index]});
    if (const Place line = place_of(scene, shown.origin); line.line > 0)
        out.rows.push_back({"written at", to_string(line)});
    return out;
}

} // namespace sinew::viewer
