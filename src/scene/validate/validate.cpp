// Every fault of a scene taken as data. After this, inner code may rely on the scene.

#include "base/text.h"
#include "scene/fields.h"
#include "scene/formula.h"
#include "scene/objects/bodies.h"
#include "scene/objects/rods.h"
#include "scene/objects/strands.h"
#include "scene/validate/problems.h"
#include "sinew/scene.h"

#include <cmath>
#include <numbers>

namespace sinew {

namespace {

class Validator {
public:
    explicit Validator(const Scene& scene) : scene_(scene) {}

    Problems run()
    {
        if (scene_.objects.empty()) {
            fault({}, "objects", "no-world", "the scene has no world",
                  "objects[0] must be the world");
            return std::move(problems_);
        }
        check_formulas();
        if (!problems_.empty())
            return std::move(problems_); // values cannot be looked at
        check_tracks();
        check_objects();
        check_settings();
        check_masses();
        check_things();
        if (problems_.empty()) {
            problems_ = validate_bodies(scene_);
            for (const auto& more :
                 {validate_strands(scene_), validate_air(scene_), validate_rods(scene_)})
                problems_.insert(problems_.end(), more.begin(), more.end());
        }
        if (problems_.empty())
            problems_ = validate_held(scene_);
        if (const std::string where = problems_.empty() ? find_not_finite(scene_) : "";
            !where.empty())
            fault({}, where, "not-finite", "this is not a finite number", "give it a number");
        return std::move(problems_);
    }

private:
    void fault(Origin origin, const std::string& element, std::string_view code, std::string what,
               std::string hint)
    {
        problems_.push_back(make_problem(scene_, Severity::error, std::string(code), origin,
                                         element, std::move(what), std::move(hint)));
    }

    static std::string at(const char* list, std::size_t i)
    {
        return std::string(list) + "[" + std::to_string(i) + "]";
    }

    bool is_sound(Value value) const
    {
        return value.is_constant() ? std::isfinite(value.number)
                                   : value.formula < scene_.formulas.size();
    }

    void check_value(Value value, Origin origin, const std::string& element)
    {
        if (!is_sound(value))
            fault(origin, element, "not-finite", "a value is not a finite number",
                  "give it a number");
    }

    void check_not_negative(Value value, Origin origin, const std::string& element)
    {
        check_value(value, origin, element);
        if (value.is_constant() && value.number < 0)
            fault(origin, element, "out-of-range",
                  "a value must not be negative, is " + number_text(value.number),
                  "give it 0 or more");
    }

    void check_object(ObjectId id, Origin origin, const std::string& element)
    {
        if (id.index >= scene_.objects.size())
            fault(origin, element, "no-such-object", "names an object that does not exist",
                  "use the number of one in `objects`");
    }

    void check_coordinate(CoordinateId id, Origin origin, const std::string& element)
    {
        if (id.index >= scene_.coordinates.size())
            fault(origin, element, "no-such-coordinate", "names a coordinate that does not exist",
                  "use the number of one in `coordinates`");
    }

    void check_list(ValueList list, std::size_t least, Origin origin, const std::string& element)
    {
        const bool fits = list.count % 3 == 0 && list.count >= 3 * least &&
                          list.first <= scene_.values.size() &&
                          list.count <= scene_.values.size() - list.first;
        if (!fits)
            return fault(origin, element, "bad-points",
                         "its points are not whole triples of `values`",
                         "give x, y, z of at least " + std::to_string(least) + " points");
        for (std::uint32_t i = 0; i < list.count; ++i)
            check_value(scene_.values[list.first + i], origin, element);
    }

    void check_release(const Release& release, Origin origin, const std::string& element)
    {
        check_value(release.active, origin, element);
        if (!release.always_holds() && scene_.settings.linkage_method == LinkageMethod::charli)
            fault(origin, element, "charli-always-holds",
                  "`linkages(method = charli)` cannot release constraints",
                  "leave that statement out: the default method can do it");
    }

    [[nodiscard]] bool is_measure(const Formula& f) const
    {
        const auto last = static_cast<double>(Measure::error);
        return f.a.is_constant() && f.a.number >= 0 && f.a.number <= last &&
               f.a.number == std::floor(f.a.number) && names_constraint(f);
    }

    /// True where the constraint that a leaf asks for exists, or none is asked for.
    [[nodiscard]] bool names_constraint(const Formula& f) const
    {
        constexpr double kMost = 1e15;
        if (!f.b.is_constant() || !(f.b.number >= 0 && f.b.number < kMost))
            return false;
        const ConstraintPlace place = sinew::constraint_of(f);
        switch (place.list) {
        case ConstraintList::none: return f.b.number == 0 && measure_of(f) != Measure::error;
        case ConstraintList::distance: return place.index < scene_.distance_constraints.size();
        case ConstraintList::path: return place.index < scene_.path_constraints.size();
        case ConstraintList::spring: return place.index < scene_.point_springs.size();
        case ConstraintList::joint: return place.index < scene_.joints.size();
        case ConstraintList::strand: return place.index < scene_.strand_constraints.size();
        case ConstraintList::rod: return place.index < scene_.rod_constraints.size();
        }
        return false;
    }

    /// True where every element of the scene that a formula names exists.
    [[nodiscard]] bool names_what_exists(const Formula& f) const
    {
        const auto is_object = [&](std::uint32_t index) { return index < scene_.objects.size(); };
        switch (f.operation) {
        case Operation::track: return f.index < scene_.tracks.size();
        case Operation::coordinate: return f.index < scene_.coordinates.size();
        case Operation::imported: return f.index < scene_.imports.size();
        case Operation::position: return is_object(f.index) && is_object(f.frame.index);
        case Operation::rate: return !f.a.is_constant() || f.index < scene_.coordinates.size();
        case Operation::contact:
            return is_measure(f) && is_object(f.index) &&
                   (!f.frame.is_valid() || is_object(f.frame.index));
        case Operation::here: return is_object(f.frame.index);
        case Operation::choose:
            return !f.b.is_constant() && is_sound(f.b) &&
                   scene_.formulas[f.b.formula].operation == Operation::either;
        default: return true;
        }
    }

    void check_formulas()
    {
        for (std::size_t i = 0; i < scene_.formulas.size(); ++i) {
            const Formula& f = scene_.formulas[i];
            const bool fits = is_sound(f.a) && is_sound(f.b) && names_what_exists(f);
            if (!fits)
                fault({}, at("formulas", i), "bad-formula",
                      "refers to something that does not exist",
                      "use numbers of elements of the scene");
        }
        for (std::size_t i = 0; i < scene_.tracks.size(); ++i)
            for (const Key& key : scene_.tracks[i].keys)
                check_value(key.value, scene_.tracks[i].origin, at("tracks", i));
        std::vector<FormulaTraits> traits;
        if (problems_.empty())
            if (const auto faulty = compute_traits(scene_, traits))
                fault({}, at("formulas", *faulty), "depends-on-itself",
                      "depends on itself, or on too many others", "break the circle");
    }

    void check_tracks()
    {
        for (std::size_t i = 0; i < scene_.tracks.size(); ++i) {
            const Track& track = scene_.tracks[i];
            if (track.keys.empty())
                fault(track.origin, at("tracks", i), "no-keys", "a track has no keys",
                      "give it one");
            if (track.repeats && (track.along || track.keys.size() < 2))
                fault(track.origin, at("tracks", i), "cannot-repeat",
                      "only a track in time with two keys or more can repeat",
                      "add a key, or remove `repeat`");
            for (std::size_t k = 0; k < track.keys.size(); ++k)
                if (!std::isfinite(track.keys[k].at) ||
                    (k > 0 && !(track.keys[k - 1].at < track.keys[k].at)))
                    fault(track.origin, at("tracks", i), "keys-out-of-order",
                          "the keys are not in order",
                          "let each key come later than the one before");
                else if (track.along && !(track.keys[k].at >= 0 && track.keys[k].at <= 1))
                    fault(track.origin, at("tracks", i), "key-off-curve",
                          "a place along a curve lies between 0 and 1, this is " +
                              number_text(track.keys[k].at),
                          "0 is the first point, 1 the last");
        }
    }

    void check_objects()
    {
        check_descendants();
        check_transformations();
        for (std::size_t i = 0; i < scene_.objects.size(); ++i)
            check_turns(scene_.objects[i], at("objects", i));
        if (problems_.empty())
            check_riding();
    }

    void check_descendants()
    {
        const std::size_t count = scene_.objects.size();
        std::vector<std::uint32_t> around; // the objects whose descendants are being listed
        for (std::size_t i = 0; i < count; ++i) {
            const Object& object = scene_.objects[i];
            while (!around.empty() && scene_.objects[around.back()].end <= i)
                around.pop_back();
            const ObjectId parent = around.empty() ? ObjectId{} : ObjectId{around.back()};
            const std::size_t last = parent.is_valid() ? scene_.objects[parent.index].end : count;
            around.push_back(static_cast<std::uint32_t>(i));
            const bool fits = object.parent == parent && (i == 0) == !parent.is_valid() &&
                              (!object.on.is_valid() || object.on.index < count) &&
                              object.end > i && object.end <= last &&
                              object.first_transformation <= scene_.transformations.size() &&
                              object.transformation_count <=
                                  scene_.transformations.size() - object.first_transformation;
            if (!fits)
                fault(object.origin, at("objects", i), "bad-object",
                      "its parent, end or transformations do not exist",
                      "descendants follow their ancestor up to its end, and refer to elements of "
                      "the scene");
        }
    }

    void check_transformations()
    {
        for (std::size_t i = 0; i < scene_.transformations.size(); ++i) {
            const Transformation& t = scene_.transformations[i];
            check_value(t.amount, t.origin, at("transformations", i));
            const bool is_flat = is_scale(t.kind) && t.amount.is_constant() && t.amount.number == 0;
            if (is_flat)
                fault(t.origin, at("transformations", i), "scaled-to-nothing",
                      "a scale of zero leaves nothing", "use a factor that is not zero");
        }
    }

    /// Frames must not ride on themselves, nor on a tower of others.
    void check_riding()
    {
        constexpr int kDeepest = 5000;
        const std::size_t count = scene_.objects.size();
        std::vector<int> depth(count, 0); // 0: unknown, -1: being looked at
        depth[0] = 1;
        for (std::size_t i = 1; i < count; ++i) {
            std::vector<std::size_t> way;
            std::size_t o = i;
            while (depth[o] == 0) {
                depth[o] = -1;
                way.push_back(o);
                const Object& object = scene_.objects[o];
                o = object.on.is_valid() ? object.on.index : object.parent.index;
            }
            if (depth[o] == -1)
                fault(scene_.objects[i].origin, at("objects", i), "rides-on-itself",
                      "'" + scene_.objects[i].name + "' rides on itself through `on`",
                      "make one of them independent of the other");
            int d = std::max(1, depth[o]);
            for (auto back = way.rbegin(); back != way.rend(); ++back)
                depth[*back] = ++d;
            if (d > kDeepest && depth[o] <= kDeepest)
                fault(scene_.objects[i].origin, at("objects", i), "frames-too-deep",
                      "frames ride on one another more than " + std::to_string(kDeepest) + " deep",
                      "attach some of them to the world");
        }
    }

    void check_settings()
    {
        const Settings& s = scene_.settings;
        for (const Value value : {s.gravity_x, s.gravity_y, s.gravity_z})
            check_value(value, {}, "gravity");
        const auto positive = [&](double x, const char* name) {
            if (!(x > 0) || !std::isfinite(x))
                fault({}, name, "out-of-range", "must be positive and finite, is " + number_text(x),
                      "change it");
        };
        positive(s.frame_rate, "frame_rate");
        positive(s.step, "simulate.step");
        if (s.camera &&
            ((s.camera->frame.is_valid() && s.camera->frame.index >= scene_.objects.size()) ||
             !is_finite(s.camera->position) || !is_finite(s.camera->target) ||
             !(s.camera->field_of_view > 0 && s.camera->field_of_view < std::numbers::pi)))
            fault(s.camera->origin, "camera", "out-of-range",
                  "its places must be finite, its field of view above 0 and below 180 degrees",
                  "write camera(0, 1, 6, 0, 1, 0, fov = 35 deg);");
        for (std::size_t i = 0; i < scene_.parameters.size(); ++i)
            if (!std::isfinite(scene_.parameters[i].value))
                fault(scene_.parameters[i].origin, at("parameters", i), "not-finite",
                      "'" + scene_.parameters[i].name + "' is not a finite number",
                      "give it a number");
        if (!std::isfinite(s.start) || !std::isfinite(s.end) || !(s.start < s.end))
            fault(s.simulate_origin, "simulate", "out-of-range",
                  "the simulation ends at " + number_text(s.end) + " s, not after its start at " +
                      number_text(s.start) + " s",
                  "write simulate(0 sec, 10 sec);");
        else
            check_step();
    }

    /// Times are doubles: steps must be seen on the clock.
    void check_step()
    {
        const Settings& s = scene_.settings;
        const double far = std::max(std::abs(s.start), std::abs(s.end));
        const double least = 4 * (std::nextafter(far, HUGE_VAL) - far);
        const double step = s.step / std::max(1, s.bodies.substeps);
        if (step > 0 && step < least)
            fault(s.simulate_origin, "simulate.step", "step-too-small",
                  "a step of " + number_text(step) + " s is too small for a clock that shows " +
                      number_text(far) + " s: the least there is " + number_text(least) + " s",
                  "make the step larger, or simulate nearer to 0 sec");
    }

    void check_masses()
    {
        const auto check = [&](double mass, Origin origin, const std::string& element) {
            if (!(mass > 0) || !std::isfinite(mass))
                fault(origin, element, "out-of-range",
                      "the mass must be positive and finite, is " + number_text(mass),
                      "for a point without mass use a label");
        };
        for (std::size_t i = 0; i < scene_.masses.size(); ++i) {
            check_object(scene_.masses[i].object, scene_.masses[i].origin, at("masses", i));
            check(scene_.masses[i].mass, scene_.masses[i].origin, at("masses", i));
        }
        for (std::size_t i = 0; i < scene_.box_masses.size(); ++i) {
            const BoxMass& box = scene_.box_masses[i];
            check_object(box.object, box.origin, at("box_masses", i));
            check(box.mass, box.origin, at("box_masses", i));
            if (!(box.size.x > 0 && box.size.y > 0 && box.size.z > 0) || !is_finite(box.size))
                fault(box.origin, at("box_masses", i), "out-of-range",
                      "the sides of a block must be positive and finite",
                      "give three lengths above zero");
        }
        for (std::size_t i = 0; i < scene_.labels.size(); ++i)
            check_object(scene_.labels[i].object, scene_.labels[i].origin, at("labels", i));
    }

    /// The four parts of a turn stand in a row and are the coordinates of one.
    void check_turns(const Object& object, const std::string& element)
    {
        const std::size_t end =
            std::size_t(object.first_transformation) + object.transformation_count;
        if (end > scene_.transformations.size())
            return; // told already
        for (std::size_t i = object.first_transformation; i < end; ++i) {
            if (!is_turn_part(scene_.transformations[i].kind))
                continue;
            if (i + 4 > end || !is_turn(i))
                return fault(scene_.transformations[i].origin, element, "bad-turn",
                             "a turn is neither the four coordinates of one, w, x, y, z in a row, "
                             "nor four functions of time",
                             "write ball(q) with a `dynamic ball q;`");
            i += 3;
        }
    }

    /// Whether four transformations are those of a turn's coordinates, or move in time alone.
    bool is_turn(std::size_t first) const
    {
        if (is_driven_turn(first))
            return true;
        std::uint32_t w = 0;
        for (std::uint32_t part = 0; part < 4; ++part) {
            const Transformation& t = scene_.transformations[first + part];
            const auto kind = static_cast<std::uint32_t>(TransformationKind::turn_w) + part;
            if (t.kind != static_cast<TransformationKind>(kind) || t.amount.is_constant() ||
                t.amount.formula >= scene_.formulas.size())
                return false;
            const Formula& leaf = scene_.formulas[t.amount.formula];
            w = part == 0 ? leaf.index : w;
            if (leaf.operation != Operation::coordinate || leaf.index != w + part)
                return false;
        }
        return w < scene_.coordinates.size() &&
               scene_.coordinates[w].kind == CoordinateKind::turn_w;
    }

    /// None of the parts is constant: what stands still is told apart by each transformation.
    bool is_driven_turn(std::size_t first) const
    {
        for (std::uint32_t part = 0; part < 4; ++part) {
            const Transformation& t = scene_.transformations[first + part];
            const auto kind = static_cast<std::uint32_t>(TransformationKind::turn_w) + part;
            if (t.kind != static_cast<TransformationKind>(kind) || t.amount.is_constant() ||
                t.amount.formula >= scene_.formulas.size() ||
                !is_known_in_advance(scene_, t.amount))
                return false;
        }
        return true;
    }

    /// The parts of every turn follow each other.
    void check_coordinates()
    {
        const std::vector<Coordinate>& all = scene_.coordinates;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const int part = int(all[i].kind) - int(CoordinateKind::turn_w);
            if (part < 0 || all[i].kind == CoordinateKind::event)
                continue;
            const bool has_before =
                part == 0 || (i > 0 && int(all[i - 1].kind) + 1 == int(all[i].kind));
            const bool has_next =
                part == 3 || (i + 1 < all.size() && int(all[i + 1].kind) == int(all[i].kind) + 1);
            if (!has_before || !has_next)
                fault(all[i].origin, at("coordinates", i), "bad-turn",
                      "the parts w, x, y, z of a turn do not follow each other",
                      "add all four of them, in this order");
        }
    }

    /// Stops, friction and events; and that the paper's scheme has none of these.
    void check_switches()
    {
        const auto check_number = [&](CoordinateId id, Origin origin, const std::string& element) {
            check_coordinate(id, origin, element);
            if (id.index < scene_.coordinates.size() &&
                scene_.coordinates[id.index].kind != CoordinateKind::number)
                fault(origin, element, "not-one-number", "is of a coordinate that is one number",
                      "name a `dynamic` that is no ball");
        };
        for (std::size_t i = 0; i < scene_.coordinate_limits.size(); ++i) {
            const CoordinateLimit& limit = scene_.coordinate_limits[i];
            check_number(limit.coordinate, limit.origin, at("coordinate_limits", i));
            if (!(limit.low < limit.high) || !(limit.bounce >= 0 && limit.bounce <= 1))
                fault(limit.origin, at("coordinate_limits", i), "bad-limits",
                      "its low end is not below its high one, or its bounce not from 0 to 1",
                      "give low < high, and a bounce from 0 to 1");
        }
        for (std::size_t i = 0; i < scene_.coordinate_frictions.size(); ++i) {
            const CoordinateFriction& friction = scene_.coordinate_frictions[i];
            check_number(friction.coordinate, friction.origin, at("coordinate_frictions", i));
            check_not_negative(friction.most, friction.origin, at("coordinate_frictions", i));
        }
        for (std::size_t i = 0; i < scene_.events.size(); ++i) {
            const Event& event = scene_.events[i];
            check_value(event.condition, event.origin, at("events", i));
            check_coordinate(event.time, event.origin, at("events", i));
            for (const Event::RateSet& set : event.rates) {
                check_number(set.coordinate, event.origin, at("events", i));
                check_value(set.rate, event.origin, at("events", i));
            }
        }
        const auto is_new = [](const Coordinate& c) { return c.kind != CoordinateKind::number; };
        const auto follows = [](const CoordinateSpring& s) { return s.follows; };
        if (scene_.settings.linkage_method == LinkageMethod::charli &&
            (std::ranges::any_of(scene_.coordinates, is_new) ||
             std::ranges::any_of(scene_.coordinate_springs, follows) ||
             !scene_.coordinate_limits.empty() || !scene_.coordinate_frictions.empty()))
            fault(
                {}, "settings", "not-in-charli",
                "with `linkages(method = charli)` there are no balls, motors, limits, friction or "
                "events",
                "leave that statement out: the default method can do it");
    }

    void check_things()
    {
        check_coordinates();
        check_switches();
        check_starts();
        check_paths();
        check_drawings();
        check_held();
        check_springs();
        check_loads();
        check_fields();
        check_colours();
        check_looks();
    }

    void check_starts()
    {
        for (std::size_t i = 0; i < scene_.coordinates.size(); ++i)
            if (!std::isfinite(scene_.coordinates[i].initial) ||
                !std::isfinite(scene_.coordinates[i].initial_rate))
                fault(scene_.coordinates[i].origin, at("coordinates", i), "not-finite",
                      "the start of '" + scene_.coordinates[i].name + "' is not a finite number",
                      "give it a number");
    }

    void check_paths()
    {
        for (std::size_t i = 0; i < scene_.paths.size(); ++i) {
            const Path& p = scene_.paths[i];
            check_object(p.frame, p.origin, at("paths", i));
            check_list(p.points, p.kind == PathKind::point ? 1 : 2, p.origin, at("paths", i));
        }
    }

    void check_path(PathId id, Origin origin, const std::string& element)
    {
        if (id.index >= scene_.paths.size())
            fault(origin, element, "no-such-path", "names a path that does not exist",
                  "use one of `paths`");
    }

    void check_drawings()
    {
        for (std::size_t i = 0; i < scene_.drawings.size(); ++i) {
            const Drawing& d = scene_.drawings[i];
            check_object(d.object, d.origin, at("drawings", i));
            if (d.kind == DrawingKind::path)
                check_path(d.path, d.origin, at("drawings", i));
            else
                check_list(d.points, d.kind == DrawingKind::probe ? 1 : 2, d.origin,
                           at("drawings", i));
        }
    }

    void check_held()
    {
        for (std::size_t i = 0; i < scene_.distance_constraints.size(); ++i) {
            const DistanceConstraint& c = scene_.distance_constraints[i];
            const std::string element = at("distance_constraints", i);
            check_object(c.a, c.origin, element);
            check_object(c.b, c.origin, element);
            check_value(c.distance, c.origin, element);
            check_release(c.release, c.origin, element);
            if (c.a == c.b)
                fault(c.origin, element, "same-object",
                      "this keeps an object at a distance from itself",
                      "name two different objects");
        }
        for (std::size_t i = 0; i < scene_.path_constraints.size(); ++i) {
            const PathConstraint& c = scene_.path_constraints[i];
            check_object(c.point, c.origin, at("path_constraints", i));
            check_path(c.path, c.origin, at("path_constraints", i));
            check_release(c.release, c.origin, at("path_constraints", i));
        }
    }

    void check_springs()
    {
        for (std::size_t i = 0; i < scene_.point_springs.size(); ++i) {
            const PointSpring& s = scene_.point_springs[i];
            const std::string element = at("point_springs", i);
            check_object(s.a, s.origin, element);
            check_object(s.b, s.origin, element);
            for (const Value value : {s.rest_length, s.stiffness, s.damping})
                check_not_negative(value, s.origin, element);
            if (s.a == s.b)
                fault(s.origin, element, "same-object",
                      "a spring from an object to itself does nothing",
                      "name two different objects");
        }
        for (std::size_t i = 0; i < scene_.coordinate_springs.size(); ++i) {
            const CoordinateSpring& s = scene_.coordinate_springs[i];
            check_coordinate(s.coordinate, s.origin, at("coordinate_springs", i));
            check_value(s.rest_length, s.origin, at("coordinate_springs", i));
            for (const Value value : {s.stiffness, s.damping})
                check_not_negative(value, s.origin, at("coordinate_springs", i));
        }
    }

    void check_loads()
    {
        for (std::size_t i = 0; i < scene_.forces.size(); ++i) {
            const Force& f = scene_.forces[i];
            check_object(f.object, f.origin, at("forces", i));
            check_object(f.frame, f.origin, at("forces", i));
            for (const Value value : {f.x, f.y, f.z})
                check_value(value, f.origin, at("forces", i));
        }
        for (std::size_t i = 0; i < scene_.torques.size(); ++i) {
            check_coordinate(scene_.torques[i].coordinate, scene_.torques[i].origin,
                             at("torques", i));
            check_value(scene_.torques[i].value, scene_.torques[i].origin, at("torques", i));
        }
        for (std::size_t i = 0; i < scene_.turn_torques.size(); ++i) {
            const TurnTorque& t = scene_.turn_torques[i];
            const std::string element = at("turn_torques", i);
            check_coordinate(t.turn, t.origin, element);
            if (t.turn.index < scene_.coordinates.size() &&
                scene_.coordinates[t.turn.index].kind != CoordinateKind::turn_w)
                fault(t.origin, element, "bad-turn", "names a coordinate that begins no turn",
                      "use the first of its four");
            for (const Value value : {t.x, t.y, t.z})
                check_value(value, t.origin, element);
            for (const Value value : {t.stiffness, t.damping})
                check_not_negative(value, t.origin, element);
        }
        for (std::size_t i = 0; i < scene_.drags.size(); ++i) {
            check_object(scene_.drags[i].object, scene_.drags[i].origin, at("drags", i));
            check_not_negative(scene_.drags[i].coefficient, scene_.drags[i].origin, at("drags", i));
        }
    }

    void check_fields()
    {
        for (std::size_t i = 0; i < scene_.fields.size(); ++i) {
            const Field& f = scene_.fields[i];
            check_object(f.frame, f.origin, at("fields", i));
            for (const ObjectId object : f.on)
                check_object(object, f.origin, at("fields", i));
            for (const Value value : {f.x, f.y, f.z})
                check_value(value, f.origin, at("fields", i));
        }
    }

    void check_colours()
    {
        for (std::size_t i = 0; i < scene_.colours.size(); ++i) {
            const Colour& colour = scene_.colours[i];
            check_object(colour.object, colour.origin, at("colours", i));
            for (const double part : {colour.rgb.x, colour.rgb.y, colour.rgb.z})
                if (!(part >= 0 && part <= 1))
                    fault(colour.origin, at("colours", i), "out-of-range",
                          "its parts must lie between 0 and 1, one is " + number_text(part),
                          "write a number from 0 to 1");
        }
    }

    void check_share(double x, Origin origin, const std::string& element, const char* name)
    {
        if (!(x >= 0 && x <= 1))
            fault(origin, element, "out-of-range",
                  std::string(name) + " must lie between 0 and 1, it is " + number_text(x),
                  "write a number from 0 to 1");
    }

    void check_looks()
    {
        for (std::size_t i = 0; i < scene_.looks.size(); ++i) {
            const auto& [object, look, colour, origin] = scene_.looks[i];
            check_object(object, origin, at("looks", i));
            check_share(look.roughness, origin, at("looks", i), "roughness");
            check_share(look.metal, origin, at("looks", i), "metal");
            check_share(look.transparency, origin, at("looks", i), "transparency");
            check_share(look.translucency, origin, at("looks", i), "translucency");
        }
        for (std::size_t i = 0; i < scene_.children.size(); ++i) {
            const auto& [tree, children, origin] = scene_.children[i];
            check_object(tree, origin, at("children", i));
            check_share(children.clump, origin, at("children", i), "clump");
            check_share(children.taper, origin, at("children", i), "taper");
            const auto has_tree = [&, tree = tree](const StrandCurve& curve) {
                return curve.tree == tree;
            };
            if (std::ranges::none_of(scene_.strands, has_tree))
                fault(origin, at("children", i), "no-strand",
                      "this def has no strands that could guide hairs",
                      "write it in the def of strand(...) or groom(...)");
        }
    }

    const Scene& scene_;
    Problems problems_;
};

} // namespace

Problems validate(const Scene& scene) { return Validator(scene).run(); }

} // namespace sinew
