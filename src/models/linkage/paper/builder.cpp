// From a scene to the paper's system.
//
//   in:  a validated scene
//   out: coordinates, equations, masses, the points that forces act on; or what cannot be done
//
// The equations of the script's constraints [HerrWyvill90, dist_constraints]:
//
//   distance f ≠ 0    |b − a|² − f² = 0
//   distance 0        b − a = 0, three equations
//   a track           both, and while running the one that fits
//   path              x − P(u) = 0, three equations and a coordinate u more

#include "models/linkage/paper/builder.h"

#include "math/functions.h"
#include "scene/kinematics.h"
#include "scene/validate/problems.h"

#include <algorithm>

namespace sinew::charli_method {

namespace {

std::vector<std::uint32_t> unknowns_in(const Triple& a)
{
    std::vector<std::uint32_t> found;
    for (const Factor factor : a)
        if (!factor.is_known)
            found.push_back(factor.index);
    return found;
}

void append(std::vector<std::uint32_t>& to, const std::vector<std::uint32_t>& more)
{
    to.insert(to.end(), more.begin(), more.end());
}

} // namespace

Result<System> build_system(const Scene& scene) { return Builder(scene).run(); }

Builder::Builder(const Scene& scene) : scene_(system_.scene), names_(object_names(scene))
{
    system_.scene = scene;
    compute_traits(scene_, traits_);
    add_number(0); // kZero
    add_number(1); // kOne
    system_.script_unknowns.assign(scene_.coordinates.size(), kNone);
    system_.script_turns.assign(scene_.coordinates.size(), kNone);
    system_.positions.assign(scene_.formulas.size(), kZero);
    system_.driving_imports.assign(scene_.imports.size(), false);
}

Result<System> Builder::run()
{
    ObjectId faulty;
    order_of_frames(scene_, faulty);
    if (faulty.is_valid())
        refuse("place-depends-on-itself", scene_.objects[faulty.index].origin,
               "objects[" + std::to_string(faulty.index) + "]",
               "the position of '" + names_[faulty.index] + "' depends on itself",
               "break the circle of `name_x` and `on`");
    if (!problems_.empty())
        return std::move(problems_);
    add_masses();
    for (std::uint32_t i = 0; i < scene_.distance_constraints.size(); ++i)
        add_distance(i);
    for (std::uint32_t i = 0; i < scene_.path_constraints.size(); ++i)
        add_path(i);
    add_forces();
    finish();
    if (!problems_.empty())
        return std::move(problems_);
    return std::move(system_);
}

void Builder::refuse(std::string code, Origin origin, std::string element, std::string what,
                     std::string hint)
{
    problems_.push_back(make_problem(scene_, Severity::error, std::move(code), origin,
                                     std::move(element), std::move(what), std::move(hint)));
}

/// Masses sit on the coordinates of their places, so the mass matrix is diagonal and constant. A
/// block is eight eighths at its corners / √3: the same mass, centre and inertia.
void Builder::add_masses()
{
    for (const Mass& mass : scene_.masses)
        system_.masses.push_back({place(mass.object), mass.mass, mass.object});
    const double reach = 0.5 / sqrt(3.0);
    for (const BoxMass& box : scene_.box_masses)
        for (int corner = 0; corner < 8; ++corner) {
            Triple local;
            for (int k = 0; k < 3; ++k)
                local[std::size_t(k)] =
                    add_number((corner >> k & 1 ? reach : -reach) * box.size[k]);
            const std::string name = names_[box.object.index] + "#" + std::to_string(corner);
            system_.masses.push_back(
                {carry(local, box.object, {}, name), box.mass / 8, box.object});
        }
    for (const MassPoint& point : system_.masses)
        for (const std::uint32_t unknown : unknowns_in(point.place))
            system_.unknowns[unknown].mass += point.mass;
}

void Builder::add_distance(std::uint32_t statement)
{
    const DistanceConstraint& constraint = scene_.distance_constraints[statement];
    const Triple a = place(constraint.a), b = place(constraint.b);
    const Factor length = amount(constraint.distance, constraint.origin, true);
    const std::optional<double> number = number_of(length);
    if (number == 0.0)
        return add_coincidence(b, a, statement);
    const auto distance = static_cast<std::uint32_t>(system_.distances.size());
    const bool may_vanish = length.is_known && !number;
    system_.distances.push_back({a, b, length});
    std::vector<std::uint32_t> columns = unknowns_in(a);
    append(columns, unknowns_in(b));
    if (!length.is_known)
        columns.push_back(length.index);
    add_row({.kind = RowKind::distance,
             .first = distance,
             .statement = statement,
             .distance = may_vanish ? distance : kNone},
            std::move(columns));
    if (may_vanish)
        add_coincidence(b, a, statement, distance);
}

void Builder::add_path(std::uint32_t number)
{
    const PathConstraint& constraint = scene_.path_constraints[number];
    const Path& path = scene_.paths[constraint.path.index];
    const auto statement = static_cast<std::uint32_t>(scene_.distance_constraints.size()) + number;
    if (path.kind == PathKind::polyline && path.points.count > 6)
        return refuse("corners-on-path", constraint.origin,
                      "path_constraints[" + std::to_string(number) + "]",
                      "'" + names_[constraint.point.index] +
                          "' is to run round the corners of a polyline, which `method = charli` "
                          "cannot: its speed would jump there",
                      "use spline_through(...), or leave `method = charli` away");
    const Triple point = place(constraint.point);
    Curve curve{.kind = path.kind,
                .path = constraint.path,
                .out = point,
                .on_it = point,
                .chain = chain(path.frame, {}),
                .statement = statement};
    for (std::uint32_t i = 0; i < path.points.count; i += 3) {
        Triple& corner = curve.points.emplace_back();
        for (std::uint32_t k = 0; k < 3; ++k)
            corner[k] = amount(scene_.values[path.points.first + i + k], path.origin, true);
    }
    const std::string name = names_[constraint.point.index] + ".path" + std::to_string(number);
    if (path.kind == PathKind::point)
        return add_coincidence(point, carry(curve.points[0], path.frame, {}, name), statement);

    add_curve(std::move(curve), name);
}

/// x − P(u) = 0; where the path has a frame of its own, p − P(u) = 0 there, and x − T(p) = 0.
void Builder::add_curve(Curve curve, const std::string& name)
{
    const auto item = static_cast<std::uint32_t>(system_.curves.size());
    curve.u = add_unknown(name + ".u", false, {DefinitionKind::place, item});
    std::vector<std::uint32_t> columns = {curve.u};
    for (const Triple& corner : curve.points)
        append(columns, unknowns_in(corner));
    const bool is_in_world = curve.chain.empty();
    for (std::uint32_t k = 0; k < 3; ++k) {
        if (!is_in_world)
            curve.out[k] = {false, add_unknown(name, true,
                                               {DefinitionKind::row,
                                                static_cast<std::uint32_t>(system_.rows.size())})};
        std::vector<std::uint32_t> here = columns;
        if (!curve.out[k].is_known)
            here.push_back(curve.out[k].index);
        add_row({.kind = RowKind::curve, .first = item, .axis = k, .statement = curve.statement},
                std::move(here));
    }
    const ObjectId frame = scene_.paths[curve.path.index].frame;
    if (!is_in_world)
        add_coincidence(curve.on_it, carry(curve.out, frame, {}, name), curve.statement);
    system_.curves.push_back(std::move(curve));
}

void Builder::add_forces()
{
    const Settings& settings = scene_.settings;
    for (const Value value : {settings.gravity_x, settings.gravity_y, settings.gravity_z})
        need_positions(value);
    for (const PointSpring& spring : scene_.point_springs) {
        system_.spring_ends.push_back({place(spring.a), place(spring.b)});
        for (const Value value : {spring.rest_length, spring.stiffness, spring.damping})
            need_positions(value);
    }
    for (const CoordinateSpring& spring : scene_.coordinate_springs)
        for (const Value value : {spring.rest_length, spring.stiffness, spring.damping})
            need_positions(value);
    for (const Force& force : scene_.forces) {
        system_.force_points.push_back(place(force.object));
        system_.force_frames.push_back(chain(force.frame, {}));
        for (const Value value : {force.x, force.y, force.z})
            need_positions(value);
    }
    for (const Torque& torque : scene_.torques)
        need_positions(torque.value);
    for (const Drag& drag : scene_.drags) {
        system_.drag_points.push_back(place(drag.object));
        need_positions(drag.coefficient);
    }
    for (const Field& field : scene_.fields) {
        system_.field_frames.push_back(chain(field.frame, {}));
        std::vector<std::uint32_t>& masses = system_.field_masses.emplace_back();
        for (std::uint32_t i = 0; i < system_.masses.size(); ++i)
            if (std::any_of(field.on.begin(), field.on.end(), [&](ObjectId on) {
                    const std::uint32_t object = system_.masses[i].object.index;
                    return object >= on.index && object < scene_.objects[on.index].end;
                }))
                masses.push_back(i);
        for (const Value value : {field.x, field.y, field.z})
            need_positions(value);
    }
}

/// What is left of the script's coordinates: angles that follow their ξ and η, and coordinates that
/// move nothing.
void Builder::finish()
{
    std::vector<bool> is_used(scene_.coordinates.size());
    for (const Transformation& t : scene_.transformations)
        for_each_leaf(scene_, t.amount, [&](const Formula& formula) {
            if (formula.operation == Operation::coordinate)
                is_used[formula.index] = true;
        });
    for (std::uint32_t i = 0; i < scene_.coordinates.size(); ++i) {
        if (system_.script_unknowns[i] != kNone)
            continue;
        system_.followers.push_back(i);
        if (is_used[i] && system_.script_turns[i] == kNone)
            refuse("no-mass", scene_.coordinates[i].origin,
                   "coordinates[" + std::to_string(i) + "]",
                   "'" + scene_.coordinates[i].name +
                       "' moves no mass: its acceleration is undetermined",
                   "give what it moves a mass, or fix it by a constraint");
    }
}

} // namespace sinew::charli_method
