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
std::optional<Vec3> velocity_of(Session& session, ObjectId object, std::int64_t frame)
{
    const std::shared_ptr<const Shot> now = session.shot(frame);
    const std::shared_ptr<const Shot> before = frame > 0 ? session.shot(frame - 1) : nullptr;
    if (!now || !before || object.index >= before->frame.objects.size())
        return std::nullopt;
    return (now->frame.objects[object.index].origin - before->frame.objects[object.index].origin) *
           session.scene().settings.frame_rate;
}

/// Of a strand, or of all strands of a tree: pieces, length, where the tip is and how fast.
void add_strand_rows(Session& session, ObjectId object, std::int64_t number, Inspection& out)
{
    const Scene& scene = session.scene();
    const std::vector<std::string> names = strand_names(scene);
    const std::shared_ptr<const Shot> now = session.shot(number);
    const std::shared_ptr<const Shot> before = number > 0 ? session.shot(number - 1) : nullptr;
    constexpr int kMost = 8; // on one page
    std::size_t first = 0;
    int shown = 0;
    for (std::size_t i = 0; i < scene.strands.size(); ++i) {
        const StrandCurve& strand = scene.strands[i];
        const std::size_t tip = first + strand.segments;
        const bool is_meant = strand.object == object || strand.tree == object;
        if (is_meant && tip < now->frame.nodes.size() && ++shown <= kMost) {
            double size = 0;
            for (std::size_t k = first; k < tip; ++k)
                size += length(now->frame.nodes[k + 1] - now->frame.nodes[k]);
            out.rows.push_back(
                {names[i], fmt::format("{} segments, {:.4g} m", strand.segments, size)});
            out.rows.push_back({"its tip", vector_text(now->frame.nodes[tip], "m")});
            if (before && tip < before->frame.nodes.size())
                out.rows.push_back({"speed of its tip",
                                    fmt::format("{:.4g} m/s", length(now->frame.nodes[tip] -
                                                                     before->frame.nodes[tip]) *
                                                                  scene.settings.frame_rate)});
        }
        first = tip + 1;
    }
}

std::string ways_of(const Session::Handle& handle)
{
    return handle.is_pinned         ? "pinned"
           : handle.grip.is_valid() ? "moves freely"
           : handle.is_fixed        ? "fixed"
                                    : "driven";
}

} // namespace

Inspection inspect(Session& session, ObjectId object, std::int64_t frame)
{
    const Scene& scene = session.scene();
    const std::vector<std::string> names = object_names(scene);
    Inspection out{.object = object, .name = names[object.index], .rows = {}};
    const std::shared_ptr<const Shot> shot = session.shot(frame);
    if (!shot || object.index >= shot->frame.objects.size())
        return out;
    if (object.index < session.handles().size())
        out.rows.push_back({"motion", ways_of(session.handles()[object.index])});
    const Vec3 place = shot->frame.objects[object.index].origin;
    out.rows.push_back({"position", vector_text(place, "m")});
    const double mass = mass_of(scene, object);
    if (const std::optional<Vec3> velocity = velocity_of(session, object, frame)) {
        out.rows.push_back({"velocity", vector_text(*velocity, "m/s")});
        out.rows.push_back({"speed", fmt::format("{:.4g} m/s", length(*velocity))});
        if (mass > 0)
            out.rows.push_back({"kinetic energy",
                                fmt::format("{:.4g} J", 0.5 * mass * squared_length(*velocity))});
    }
    if (mass > 0)
        out.rows.push_back({"mass", fmt::format("{:.4g} kg", mass)});
    add_strand_rows(session, object, frame, out);
    const Object& shown = scene.objects[object.index];
    if (shown.parent.is_valid())
        out.rows.push_back({"part of", names[shown.parent.index]});
    if (shown.on.is_valid())
        out.rows.push_back({"rides on", names[shown.on.index]});
    if (const Place line = place_of(scene, shown.origin); line.line > 0)
        out.rows.push_back({"written at", to_string(line)});
    return out;
}

} // namespace sinew::viewer
