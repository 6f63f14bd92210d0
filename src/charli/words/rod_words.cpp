#include "charli/words/rod_words.h"

#include <string>

namespace sinew::charli {

namespace {

double number_of(const Call& call, std::string_view name)
{
    for (std::size_t i = 0; i < call.signature.size(); ++i)
        if (call.signature[i].name == name)
            return call.number(i);
    return 0;
}

std::optional<double> given(const Call& call, std::string_view name)
{
    const Bound* bound = call.find(name);
    return bound ? std::optional(bound->value.number) : std::nullopt;
}

std::string_view word_of(const Call& call, std::string_view name)
{
    const Bound* bound = call.find(name);
    return bound ? bound->text : std::string_view{};
}

} // namespace

void add_rod(const Call& call, Scene& scene)
{
    const double spans = number_of(call, "spans");
    if (spans < 0)
        return call.fault("spans-out-of-range",
                          "a rod has at least 1 span, not " +
                              std::to_string(static_cast<std::int64_t>(spans)),
                          "its stiffness does not depend on their number: 20 are enough for most");
    Rod rod{.object = call.object, .path = call.arguments[0].path, .origin = call.origin};
    if (scene.paths[rod.path.index].frame != call.frame) {
        scene.paths.push_back(scene.paths[rod.path.index]);
        scene.paths.back().frame = call.frame;
        rod.path = PathId{static_cast<std::uint32_t>(scene.paths.size() - 1)};
    }
    rod.spans = static_cast<std::uint32_t>(spans);
    rod.radius = number_of(call, "radius");
    rod.young = number_of(call, "young");
    rod.poisson = number_of(call, "poisson");
    rod.density = number_of(call, "density");
    rod.damping = number_of(call, "damping");
    rod.drag_along = number_of(call, "drag_along");
    rod.drag_across = number_of(call, "drag_across");
    rod.stretch_stiffness = given(call, "stretch_stiffness");
    rod.bend_stiffness = given(call, "bend_stiffness");
    rod.twist_stiffness = given(call, "twist_stiffness");
    rod.mass_per_length = given(call, "mass_per_length");
    rod.stretch_damping = given(call, "stretch_damping");
    rod.bend_damping = given(call, "bend_damping");
    rod.twist_damping = given(call, "twist_damping");
    rod.rest_length = given(call, "length");
    if (const Bound* rest = call.find("rest_path"))
        rod.rest_path = rest->path;
    const bool is_polyline = scene.paths[rod.path.index].kind == PathKind::polyline;
    const std::string_view rest = word_of(call, "rest");
    rod.is_straight =
        rest == "straight" || (rest.empty() && is_polyline && !rod.rest_path.is_valid());
    rod.kind = word_of(call, "model") == "chain" ? RodKind::chain : RodKind::spline;
    scene.rods.push_back(rod);
}

void set_rods(const Call& call, Scene& scene)
{
    RodSettings& settings = scene.settings.rods; // what is not said stays as said before
    if (call.find("iterations"))
        settings.iterations = static_cast<int>(number_of(call, "iterations"));
    if (const std::string_view contact = word_of(call, "contact"); !contact.empty())
        settings.contact = contact == "all"    ? RodContact::all
                           : contact == "none" ? RodContact::none
                                               : RodContact::bodies;
    if (const std::string_view solver = word_of(call, "solver"); !solver.empty())
        settings.solver = solver == "banded" ? RodSolver::banded : RodSolver::fast;
    if (call.find("tolerance"))
        settings.tolerance = number_of(call, "tolerance");
    if (const std::string_view stepping = word_of(call, "stepping"); !stepping.empty())
        settings.is_quasi_static = stepping == "quasi_static";
}

} // namespace sinew::charli
