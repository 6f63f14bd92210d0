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
            fault({}, where, "not-finite", "this is no finite number", "give it a number");
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
            fault(origin, element, "not-finite", "a value is no finite number", "give it a number");
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
                  "with `linkages(method = charli)` nothing lets go",
                  "leave that statement out: the default method can do it");
    }

    void check_formulas()
    {
        for (std::size_t i = 0; i < scene_.formulas.size(); ++i) {
            const Formula& f = scene_.formulas[i];
            const bool fits =
                is_sound(f.a) && is_sound(f.b) &&
                (f.operation != Operation::track || f.index < scene_.tracks.size()) &&
                (f.operation != Operation::coordinate || f.index < scene_.coordinates.size()) &&
                (f.operation != Operation::imported || f.index < scene_.imports.size()) &&
                (f.operation != Operation::position ||
                 (f.index < scene_.objects.size() && f.frame.index < scene_.objects.size())) &&
                (f.operation != Operation::here || f.frame.index < scene_.objects.size()) &&
                (f.operation != Operation::choose ||
                 (!f.b.is_constant() && is_sound(f.b) &&
                  scene_.formulas[f.b.formula].operation == Operation::either));
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
        constexpr int kDeepest = 5000;
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
        for (std::size_t i = 0; i < scene_.transformations.size(); ++i) {
            const Transformation& t = scene_.transformations[i];
            check_value(t.amount, t.origin, at("transformations", i));
            const bool is_flat = t.kind >= TransformationKind::scale && t.amount.is_constant() &&
                                 t.amount.number == 0;
            if (is_flat)
                fault(t.origin, at("transformations", i), "scaled-to-nothing",
                      "a scale of zero leaves nothing", "use a factor that is not zero");
        }
        if (!problems_.empty())
            return;
        // Frames must not ride on themselves, nor on a tower of others.
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
                      "let one of them stand on its own");
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
                      "'" + scene_.parameters[i].name + "' is no finite number",
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

    void check_things()
    {
        for (std::size_t i = 0; i < scene_.coordinates.size(); ++i)
            if (!std::isfinite(scene_.coordinates[i].initial) ||
                !std::isfinite(scene_.coordinates[i].initial_rate))
                fault(scene_.coordinates[i].origin, at("coordinates", i), "not-finite",
                      "the start of '" + scene_.coordinates[i].name + "' is no finite number",
                      "give it a number");
        for (std::size_t i = 0; i < scene_.paths.size(); ++i) {
            const Path& p = scene_.paths[i];
            check_object(p.frame, p.origin, at("paths", i));
            check_list(p.points, p.kind == PathKind::point ? 1 : 2, p.origin, at("paths", i));
        }
        const auto check_path = [&](PathId id, Origin origin, const std::string& element) {
            if (id.index >= scene_.paths.size())
                fault(origin, element, "no-such-path", "names a path that does not exist",
                      "use one of `paths`");
        };
        for (std::size_t i = 0; i < scene_.drawings.size(); ++i) {
            const Drawing& d = scene_.drawings[i];
            check_object(d.object, d.origin, at("drawings", i));
            if (d.kind == DrawingKind::path)
                check_path(d.path, d.origin, at("drawings", i));
            else
                check_list(d.points, d.kind == DrawingKind::probe ? 1 : 2, d.origin,
                           at("drawings", i));
        }
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
        for (std::size_t i = 0; i < scene_.drags.size(); ++i) {
            check_object(scene_.drags[i].object, scene_.drags[i].origin, at("drags", i));
            check_not_negative(scene_.drags[i].coefficient, scene_.drags[i].origin, at("drags", i));
        }
        for (std::size_t i = 0; i < scene_.fields.size(); ++i) {
            const Field& f = scene_.fields[i];
            check_object(f.frame, f.origin, at("fields", i));
            for (const ObjectId object : f.on)
                check_object(object, f.origin, at("fields", i));
            for (const Value value : {f.x, f.y, f.z})
                check_value(value, f.origin, at("fields", i));
        }
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

    const Scene& scene_;
    Problems problems_;
};

} // namespace

Problems validate(const Scene& scene) { return Validator(scene).run(); }

} // namespace sinew
