// Every fault of moving air, and of values that know the place they act at, taken as data.

#include "base/text.h"
#include "scene/formula.h"
#include "scene/objects/strands.h"
#include "scene/validate/problems.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

class AirValidator {
public:
    explicit AirValidator(const Scene& scene) : scene_(scene) {}

    Problems run()
    {
        compute_traits(scene_, traits_);
        is_strand_.resize(scene_.objects.size());
        for (const StrandCurve& curve : scene_.strands)
            if (curve.tree.index < is_strand_.size() && curve.object.index < is_strand_.size())
                is_strand_[curve.tree.index] = is_strand_[curve.object.index] = true;
        for (const Rod& rod : scene_.rods)
            if (rod.object.index < is_strand_.size())
                is_strand_[rod.object.index] = true;
        for (std::size_t i = 0; i < scene_.airs.size(); ++i)
            check_air(scene_.airs[i], "airs[" + std::to_string(i) + "]");
        for (std::size_t i = 0; i < scene_.fields.size(); ++i)
            check_field(scene_.fields[i], "fields[" + std::to_string(i) + "]");
        check_places();
        return std::move(problems_);
    }

private:
    void fault(Origin origin, const std::string& element, std::string_view code, std::string what,
               std::string hint)
    {
        problems_.push_back(make_problem(scene_, Severity::error, std::string(code), origin,
                                         element, std::move(what), std::move(hint)));
    }

    std::uint8_t dependence(Value value) const
    {
        return value.is_constant() ? 0 : traits_[value.formula].dependence;
    }

    bool is_sound(Value value) const
    {
        return value.is_constant() ? std::isfinite(value.number)
                                   : value.formula < scene_.formulas.size();
    }

    void check_air(const Air& air, const std::string& element)
    {
        const std::size_t count = scene_.objects.size();
        const bool exists = air.frame.index < count &&
                            (air.kind != AirKind::wake || air.behind.index < count) &&
                            std::all_of(air.on.begin(), air.on.end(),
                                        [&](ObjectId object) { return object.index < count; });
        if (!exists)
            return fault(air.origin, element, "no-such-object",
                         "names an object that does not exist",
                         "use the number of one in `objects`");
        bool is_finite_air = is_finite(air.point) && std::abs(length(air.axis) - 1) < 1e-9 &&
                             air.size > 0 && std::isfinite(air.size) && air.period > 0 &&
                             std::isfinite(air.period);
        for (const Value value : {air.x, air.y, air.z, air.strength, air.weight})
            is_finite_air = is_finite_air && is_sound(value);
        if (!is_finite_air)
            fault(air.origin, element, "out-of-range",
                  "its numbers must be finite, its size and period above zero, its axis of unit "
                  "length",
                  "give finite numbers");
        if (air.kind == AirKind::continuum)
            check_continuum(air, element);
        bool is_on_body = false;
        for (const ObjectId object : air.on) {
            is_on_body = is_on_body || is_body(object);
            if (!is_strand_[object.index] && !is_body(object))
                fault(air.origin, element, "no-strand", "this air is on something without strands",
                      "name trees, or single strands");
        }
        if (is_on_body)
            check_air_on_bodies(air, element);
    }

    bool is_body(ObjectId object) const
    {
        return std::any_of(scene_.bodies.begin(), scene_.bodies.end(), [&](const RigidBody& body) {
            return body.object == object && !body.is_obstacle();
        });
    }

    /// Bodies feel the air at one place, and know no curve along it.
    void check_air_on_bodies(const Air& air, const std::string& element)
    {
        if (air.kind == AirKind::wake || air.kind == AirKind::continuum)
            fault(air.origin, element, "air-on-body",
                  "a wake and a continuum act on strands only; this is on a body too",
                  "name strands after `on`, or use wind(...), turbulence(...), vortex(...)");
        std::uint8_t on = 0;
        for (const Value value : {air.x, air.y, air.z, air.strength, air.weight})
            on |= dependence(value);
        if (on & (Dependence::kHere | Dependence::kAlong))
            fault(air.origin, element, "air-of-place",
                  "air that changes with here_x, here_y, here_z or along a curve acts on strands "
                  "only; this is on a body too",
                  "name only strands after `on`");
    }

    void check_continuum(const Air& air, const std::string& element)
    {
        if (!air.y.is_constant() || !air.z.is_constant() || !(air.y.number >= 0) ||
            !(air.z.number > 0) || !is_known_in_advance(scene_, air.x))
            fault(air.origin, element, "out-of-range",
                  "a continuum has a pressure that may change in time, a constant density above "
                  "zero, and a constant viscosity",
                  "give it numbers");
        if (scene_.settings.strands.method == StrandMethod::ida)
            fault(air.origin, element, "continuum-with-ida",
                  "`method = ida` does not support a continuum",
                  "leave out `method = ida`, or the continuum");
        for (const Rod& rod : scene_.rods)
            if (std::find(air.on.begin(), air.on.end(), rod.object) != air.on.end())
                fault(air.origin, element, "continuum-of-rods", "a continuum acts on strands only",
                      "name strands after `on`");
    }

    /// What a linkage's mass or a body feels is the same everywhere: its place is no variable.
    void check_field(const Field& field, const std::string& element)
    {
        const std::uint8_t on = dependence(field.x) | dependence(field.y) | dependence(field.z);
        if (!(on & (Dependence::kHere | Dependence::kAlong)))
            return;
        const auto is_inside = [&](ObjectId object) {
            return std::any_of(field.on.begin(), field.on.end(), [&](ObjectId outer) {
                return object.index >= outer.index &&
                       object.index < scene_.objects[outer.index].end;
            });
        };
        const auto has_any = [&](const auto& list) {
            return std::any_of(list.begin(), list.end(),
                               [&](const auto& thing) { return is_inside(thing.object); });
        };
        if (has_any(scene_.masses) || has_any(scene_.box_masses) || has_any(scene_.bodies))
            fault(field.origin, element, "field-of-place",
                  "a field that changes with here_x, here_y, here_z or along a curve acts on "
                  "strands only; this is on masses or bodies too",
                  "name only trees after `on`; for a mass use force(a, ...) with a_x, a_y, a_z");
    }

    /// here_x means something in fields and in moving air only.
    void check_places()
    {
        const bool has_any =
            std::any_of(scene_.formulas.begin(), scene_.formulas.end(),
                        [](const Formula& f) { return f.operation == Operation::here; });
        if (!has_any)
            return;
        const auto check = [&](Origin origin, const std::string& element,
                               std::initializer_list<Value> values) {
            for (const Value value : values)
                if (dependence(value) & Dependence::kHere)
                    return fault(
                        origin, element, "here-out-of-place",
                        "here_x, here_y and here_z are the position at which a field or the "
                        "air acts: they have no meaning here",
                        "name an object: `bob_x`");
        };
        const Settings& s = scene_.settings;
        check({}, "gravity", {s.gravity_x, s.gravity_y, s.gravity_z});
        for (const Transformation& t : scene_.transformations)
            check(t.origin, "transformations", {t.amount});
        for (const Path& path : scene_.paths)
            for (std::uint32_t i = 0; i < path.points.count; ++i)
                check(path.origin, "paths", {scene_.values[path.points.first + i]});
        for (const Drawing& drawing : scene_.drawings)
            for (std::uint32_t i = 0; i < drawing.points.count; ++i)
                check(drawing.origin, "drawings", {scene_.values[drawing.points.first + i]});
        for (const DistanceConstraint& c : scene_.distance_constraints)
            check(c.origin, "distance_constraints", {c.distance});
        for (const PointSpring& p : scene_.point_springs)
            check(p.origin, "point_springs", {p.rest_length, p.stiffness, p.damping});
        for (const CoordinateSpring& p : scene_.coordinate_springs)
            check(p.origin, "coordinate_springs", {p.rest_length, p.stiffness, p.damping});
        for (const Force& f : scene_.forces)
            check(f.origin, "forces", {f.x, f.y, f.z});
        for (const Torque& t : scene_.torques)
            check(t.origin, "torques", {t.value});
        for (const Drag& d : scene_.drags)
            check(d.origin, "drags", {d.coefficient});
    }

    const Scene& scene_;
    std::vector<FormulaTraits> traits_;
    std::vector<bool> is_strand_; ///< by object: a tree or the name of a curve
    Problems problems_;
};

} // namespace

Problems validate_air(const Scene& scene) { return AirValidator(scene).run(); }

} // namespace sinew
