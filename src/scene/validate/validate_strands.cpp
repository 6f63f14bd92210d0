// Every fault of strands, their properties and points on them, taken as data.

#include "base/parallel.h"
#include "base/text.h"
#include "scene/formula.h"
#include "scene/kinematics.h"
#include "scene/objects/drawn_strands.h"
#include "scene/objects/strand_section.h"
#include "scene/objects/strands.h"
#include "scene/validate/problems.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>

namespace sinew {

namespace {

using Kind = StrandPropertyKind;

constexpr std::uint32_t kMostSegments = 100'000; // of one curve
constexpr std::uint64_t kMostInAll = 2'000'000;  // that one process holds
constexpr double kThinnest = 1e-9; // radius by length of a segment: its square is rounding

class StrandValidator {
public:
    explicit StrandValidator(const Scene& scene) : scene_(scene) {}

    Problems run()
    {
        if (!check_references())
            return std::move(problems_);
        check_settings();
        check_trees();
        check_curves();
        check_properties();
        check_sites();
        check_riders();
        if (problems_.empty())
            check_shapes();
        return std::move(problems_);
    }

private:
    void fault(Origin origin, const std::string& element, std::string_view code, std::string what,
               std::string hint)
    {
        fault(problems_, origin, element, code, std::move(what), std::move(hint));
    }
    void fault(Problems& problems, Origin origin, const std::string& element, std::string_view code,
               std::string what, std::string hint) const
    {
        problems.push_back(make_problem(scene_, Severity::error, std::string(code), origin, element,
                                        std::move(what), std::move(hint)));
    }

    /// Calls check(i, problems) for i = 0 … count − 1, portions side by side; the faults come in
    /// their order.
    template <class Check>
    void check_each(std::size_t count, Check check)
    {
        constexpr std::size_t kPortion = 64;
        std::vector<Problems> found((count + kPortion - 1) / kPortion);
        for_each_index(found.size(), threads_here(), [&](std::size_t portion) {
            const std::size_t end = std::min(count, (portion + 1) * kPortion);
            for (std::size_t i = portion * kPortion; i < end; ++i)
                check(i, found[portion]);
        });
        for (Problems& problems : found)
            std::ranges::move(problems, std::back_inserter(problems_));
    }

    static std::string at(const char* list, std::size_t i)
    {
        return std::string(list) + "[" + std::to_string(i) + "]";
    }

    std::string named(ObjectId object) const
    {
        if (names_.empty())
            names_ = object_names(scene_);
        return "'" + names_[object.index] + "'";
    }

    bool is_sound(Value value) const
    {
        return value.is_constant() ? std::isfinite(value.number)
                                   : value.formula < scene_.formulas.size();
    }

    bool check_references()
    {
        const std::size_t objects = scene_.objects.size(), curves = scene_.strands.size();
        const auto check = [&](bool fits, Origin origin, const char* list, std::size_t i) {
            if (!fits)
                fault(origin, at(list, i), "no-such-object",
                      "names an object, a path, a value or a strand that does not exist",
                      "use numbers of elements of the scene");
        };
        for (std::size_t i = 0; i < scene_.trees.size(); ++i)
            check(scene_.trees[i].object.index < objects, scene_.trees[i].origin, "trees", i);
        for (std::size_t i = 0; i < curves; ++i) {
            const StrandCurve& c = scene_.strands[i];
            check(c.tree.index < objects && c.object.index < objects &&
                      c.path.index < scene_.paths.size() &&
                      (c.root == StrandCurve::kNone || c.root < scene_.strand_roots.size()),
                  c.origin, "strands", i);
        }
        check_skins();
        for (std::size_t i = 0; i < scene_.strand_properties.size(); ++i) {
            const StrandProperty& p = scene_.strand_properties[i];
            check(p.tree.index < objects && (p.curve == StrandCurve::kNone || p.curve < curves) &&
                      is_sound(p.a) && is_sound(p.b),
                  p.origin, "strand_properties", i);
        }
        for (std::size_t i = 0; i < scene_.strand_sites.size(); ++i) {
            const StrandSite& s = scene_.strand_sites[i];
            check(s.object.index < objects && s.curve < curves, s.origin, "strand_sites", i);
        }
        return problems_.empty();
    }

    /// A time may stand twice, within the list: there velocities jump.
    static bool is_rising(std::span<const double> times)
    {
        const std::size_t last = times.size() - 1;
        for (std::size_t k = 1; k <= last; ++k)
            if (!(times[k - 1] <= times[k]) ||
                (times[k - 1] == times[k] && (k == 1 || k == last || times[k - 2] == times[k - 1])))
                return false;
        return true;
    }

    void check_skins()
    {
        for (std::size_t i = 0; i < scene_.skins.size(); ++i) {
            const Skin& skin = scene_.skins[i];
            const std::size_t count = skin.vertex_count();
            const bool is_sound_skin =
                count > 0 && skin.vertices.size() == count * skin.times.size() &&
                is_rising(skin.times) &&
                std::all_of(skin.times.begin(), skin.times.end(),
                            [](double t) { return std::isfinite(t); }) &&
                std::all_of(skin.vertices.begin(), skin.vertices.end(),
                            [](const Vec3& x) { return is_finite(x); }) &&
                std::all_of(skin.triangles.begin(), skin.triangles.end(), [&](const auto& t) {
                    return t[0] < count && t[1] < count && t[2] < count;
                });
            if (!is_sound_skin)
                fault(skin.origin, at("skins", i), "bad-skin",
                      "a skin has rising times, as many corners at each, and triangles of them",
                      "give it finite corners for every time");
        }
        for (std::size_t i = 0; i < scene_.strand_roots.size(); ++i) {
            const StrandRoot& root = scene_.strand_roots[i];
            if (root.skin >= scene_.skins.size() ||
                root.triangle >= scene_.skins[root.skin].triangles.size() ||
                !std::isfinite(root.u) || !std::isfinite(root.v))
                fault({}, at("strand_roots", i), "bad-skin",
                      "a root stands on a triangle of a skin", "use numbers of elements");
        }
    }

    void check_settings()
    {
        const double tolerance = scene_.settings.strands.tolerance;
        if (!(tolerance > 0 && tolerance < 1))
            fault({}, "strands", "out-of-range",
                  "the tolerance of strands lies between 0 and 1, is " + number_text(tolerance),
                  "write `strands(method = ida, tolerance = 1e-8);`");
    }

    void check_trees()
    {
        std::set<ObjectId> seen;
        for (std::size_t i = 0; i < scene_.trees.size(); ++i) {
            const StrandTree& tree = scene_.trees[i];
            if (tree.object.index == 0)
                fault(tree.origin, at("trees", i), "strand-outside-def",
                      "the world as a whole cannot be a strand",
                      "put it into a def, and make an instance of that");
            else if (!seen.insert(tree.object).second)
                fault(tree.origin, at("trees", i), "tree-twice",
                      named(tree.object) + " is a tree already", "remove one");
            if (!is_finite(tree.velocity) || !is_finite(tree.spin))
                fault(tree.origin, at("trees", i), "not-finite",
                      "its velocity and spin must be finite", "give them numbers");
            check_frames_above(tree, at("trees", i));
        }
        for (std::size_t i = 0; i < scene_.strands.size(); ++i)
            if (!seen.contains(scene_.strands[i].tree) && scene_.strands[i].tree.index != 0)
                fault(scene_.strands[i].origin, at("strands", i), "strand-without-tree",
                      "this strand belongs to no tree", "add one to `trees` for its object");
    }

    void check_frames_above(const StrandTree& tree, const std::string& element)
    {
        for (ObjectId up = tree.object; up.is_valid();
             up = frame_parent(scene_.objects[up.index])) {
            const Object& object = scene_.objects[up.index];
            for (std::uint32_t k = 0; k < object.transformation_count; ++k) {
                const Transformation& t = scene_.transformations[object.first_transformation + k];
                if (is_scale(t.kind))
                    return fault(t.origin, element, "strand-scaled",
                                 named(tree.object) + " is a strand: it cannot be scaled",
                                 "give its path and its radius their sizes, as parameters of its "
                                 "def");
            }
        }
    }

    void check_curves()
    {
        std::uint64_t all = 0;
        for (std::size_t i = 0; i < scene_.strands.size(); ++i) {
            const StrandCurve& curve = scene_.strands[i];
            all += curve.segments;
            check_path(curve, at("strands", i));
            if (curve.segments < 1 || curve.segments > kMostSegments)
                fault(curve.origin, at("strands", i), "segments-out-of-range",
                      "a strand has 1 to " + std::to_string(kMostSegments) + " segments, not " +
                          std::to_string(curve.segments),
                      "its stiffness does not depend on their number: 20 are enough for most");
            if (curve.from == StrandCurve::kNone)
                continue;
            if (curve.from >= i || scene_.strands[curve.from].tree != curve.tree)
                fault(curve.origin, at("strands", i), "branch-of-nothing",
                      "a branch must come after the strand it grows from, in the same tree",
                      "name an earlier strand of its tree");
            if (!(curve.from_along >= 0 && curve.from_along <= 1))
                fault(curve.origin, at("strands", i), "along-off-curve",
                      "a place along a strand lies between 0 and 1, this is " +
                          number_text(curve.from_along),
                      "0 is its first point, 1 its last");
        }
        if (all > kMostInAll)
            fault(scene_.strands.back().origin, "strands", "too-many-segments",
                  "the scene has " + std::to_string(all) + " segments of strands, more than the " +
                      std::to_string(kMostInAll) + " that one process holds",
                  "give its strands fewer, or compute it in parts: `sinew plan SCRIPT --parts " +
                      std::to_string((all + kMostInAll - 1) / kMostInAll) + "`");
    }

    void check_path(const StrandCurve& curve, const std::string& element)
    {
        const Path& path = scene_.paths[curve.path.index];
        if (path.kind == PathKind::point)
            return fault(curve.origin, element, "strand-of-one-point",
                         "a strand needs a curve, not a point",
                         "write line(...), polyline(...), spline(...) or spline_through(...)");
        if (path.frame != curve.tree)
            return fault(curve.origin, element, "strand-path-elsewhere",
                         "the path of a strand stands in the frame of its tree",
                         "give the path that frame");
        const auto first = scene_.values.begin() + path.points.first;
        if (!std::all_of(first, first + path.points.count, [](Value v) { return v.is_constant(); }))
            fault(curve.origin, element, "strand-path-moves",
                  "the shape of a strand at rest must not move",
                  "give its path numbers; what moves is the frame that it is on");
    }

    // --- properties

    void check_properties()
    {
        std::vector<bool> is_tree(scene_.objects.size());
        for (const StrandCurve& curve : scene_.strands)
            is_tree[curve.tree.index] = true;
        check_each(scene_.strand_properties.size(), [&](std::size_t i, Problems& problems) {
            check_property(i, is_tree, problems);
        });
    }

    void check_property(std::size_t i, const std::vector<bool>& is_tree, Problems& problems) const
    {
        const StrandProperty& p = scene_.strand_properties[i];
        const auto tell = [&](std::string_view code, std::string what, std::string hint) {
            fault(problems, p.origin, at("strand_properties", i), code, std::move(what),
                  std::move(hint));
        };
        if (i > 0 && p.tree < scene_.strand_properties[i - 1].tree)
            tell("properties-out-of-order",
                 "the properties of a tree stand together, trees in the order of their objects",
                 "sort them by `tree`");
        if (p.curve != StrandCurve::kNone && scene_.strands[p.curve].tree != p.tree)
            tell("property-of-other-tree", "this property is of a strand of another tree",
                 "name one of its own");
        if (p.curve == StrandCurve::kNone && !is_tree[p.tree.index])
            tell("property-without-strand",
                 "there is no strand here that this property could apply to",
                 "write it into the def of a strand(...)");
        if (!is_known_in_advance(scene_, p.a) || !is_known_in_advance(scene_, p.b))
            tell("property-not-known",
                 "a property of strands may depend only on time and on the position along the "
                 "curve",
                 "use a number, a track, a ramp or a formula of `time`");
        else
            check_range(p, tell);
        if (p.kind == Kind::stretch_stiffness &&
            scene_.settings.strands.method == StrandMethod::ida)
            tell("stretch-with-ida", "`method = ida` does not support strands that stretch",
                 "leave out `method = ida`, or stretch_stiffness");
    }

    struct Extremes {
        double low = HUGE_VAL, high = -HUGE_VAL;
    };

    /// Values between keys lie between those at keys; of a formula some are tried. The first that
    /// is not finite is both.
    Extremes extremes_of(Value value) const
    {
        if (value.is_constant())
            return {value.number, value.number};
        std::vector<double> times = key_times(scene_, value), places = key_places(scene_, value);
        times.push_back(scene_.settings.start);
        times.push_back(scene_.settings.end);
        constexpr int kTried = 8;
        for (int i = 0; i <= kTried; ++i)
            places.push_back(double(i) / kTried);
        Extremes found;
        for (const double time : times)
            for (const double place : places) {
                const double x = rates_at(scene_, value, time, place).value;
                if (!std::isfinite(x))
                    return {x, x};
                found = {std::min(found.low, x), std::max(found.high, x)};
            }
        return found;
    }

    template <class Tell>
    void check_range(const StrandProperty& p, Tell tell) const
    {
        static constexpr const char* kNames[] = {
            "radius",       "mass_per_length", "density",           "young",
            "poisson",      "bend_stiffness",  "twist_stiffness",   "damping",
            "air_drag",     "hinge",           "surface",           "contact",
            "least_radius", "stretch",         "stretch_stiffness", "sliding friction"};
        for (const Value value : {p.a, p.b}) {
            const auto [low, high] = extremes_of(value);
            const bool is_positive = p.kind <= Kind::density ||
                                     (p.kind >= Kind::least_radius && p.kind != Kind::sliding);
            const bool fits = p.kind == Kind::hinge
                                  ? value.is_constant() && (low == 0 || low == 1 || low == 2)
                              : p.kind == Kind::poisson ? low > -1 && high <= 0.5
                                                        : (is_positive ? low > 0 : low >= 0);
            if (fits && std::isfinite(low) && std::isfinite(high))
                continue;
            const double shown = p.kind == Kind::poisson && low > -1 ? high : low;
            return tell("out-of-range",
                        std::string("'") + kNames[static_cast<int>(p.kind)] + "' " +
                            (p.kind == Kind::poisson ? "lies above -1 and is at most 0.5"
                             : p.kind == Kind::hinge ? "is 0, 1 or 2"
                             : is_positive ? "must be positive everywhere and at all times"
                                           : "must never be negative") +
                            ", is " + number_text(shown) + " somewhere",
                        p.kind == Kind::poisson ? "rubber has 0.5, steel 0.3"
                        : is_positive           ? "give values above 0"
                                                : "give 0 or more");
        }
    }

    // --- points of strands, and what rides on them

    void check_sites()
    {
        for (std::size_t i = 0; i < scene_.strand_sites.size(); ++i) {
            const StrandSite& site = scene_.strand_sites[i];
            if (!(site.along >= 0 && site.along <= 1))
                fault(site.origin, at("strand_sites", i), "along-off-curve",
                      "a place along a strand lies between 0 and 1, this is " +
                          number_text(site.along),
                      "0 is its first point, 1 its last");
            if (scene_.objects[site.object.index].on != scene_.strands[site.curve].tree)
                fault(site.origin, at("strand_sites", i), "site-elsewhere",
                      "the object of a point of a strand rides on the strand's tree",
                      "set its `on`");
        }
    }

    /// What has a mass or is held by constraints has no place on a strand: it would not feel it.
    void check_riders()
    {
        if (scene_.strand_sites.empty())
            return;
        std::vector<bool> is_site(scene_.objects.size());
        for (const StrandSite& site : scene_.strand_sites)
            is_site[site.object.index] = true;
        const auto rides = [&](ObjectId object) {
            for (; object.is_valid(); object = frame_parent(scene_.objects[object.index]))
                if (is_site[object.index])
                    return true;
            return false;
        };
        const auto check_mass = [&](ObjectId object, Origin origin, const char* list,
                                    std::size_t i) {
            if (rides(object))
                fault(origin, at(list, i), "mass-on-strand",
                      "what rides on a strand follows it without weight; this has a mass or is a "
                      "body",
                      "leave the mass out, or make the strand heavier there with "
                      "mass_per_length");
        };
        for (std::size_t i = 0; i < scene_.masses.size(); ++i)
            check_mass(scene_.masses[i].object, scene_.masses[i].origin, "masses", i);
        for (std::size_t i = 0; i < scene_.box_masses.size(); ++i)
            check_mass(scene_.box_masses[i].object, scene_.box_masses[i].origin, "box_masses", i);
        for (std::size_t i = 0; i < scene_.bodies.size(); ++i)
            check_mass(scene_.bodies[i].object, scene_.bodies[i].origin, "bodies", i);
        const auto check_held = [&](ObjectId object, Origin origin, const char* list,
                                    std::size_t i) {
            if (rides(object))
                fault(origin, at(list, i), "constraint-on-strand",
                      "a constraint or spring of linkages cannot hold a point of a strand",
                      "put it into `strand_constraints`");
        };
        for (std::size_t i = 0; i < scene_.point_springs.size(); ++i) {
            const PointSpring& s = scene_.point_springs[i];
            check_held(rides(s.a) ? s.a : s.b, s.origin, "point_springs", i);
        }
        for (std::size_t i = 0; i < scene_.distance_constraints.size(); ++i) {
            const DistanceConstraint& c = scene_.distance_constraints[i];
            check_held(rides(c.a) ? c.a : c.b, c.origin, "distance_constraints", i);
        }
        for (std::size_t i = 0; i < scene_.path_constraints.size(); ++i)
            check_held(scene_.path_constraints[i].point, scene_.path_constraints[i].origin,
                       "path_constraints", i);
    }

    // --- shapes, once all else is sound

    void check_shapes()
    {
        const StrandShapes drawn = drawn_strands(scene_);
        const std::vector<StrandShape>& shapes = *drawn;
        check_each(shapes.size(), [&](std::size_t i, Problems& problems) {
            const StrandCurve& curve = scene_.strands[i];
            const double length = shapes[i].length;
            if (!(length > 0) || !std::isfinite(length))
                return fault(problems, curve.origin, at("strands", i), "strand-without-length",
                             "the path of this strand has no length",
                             "give it two different points");
            check_segments(i, shapes[i], problems);
            check_radius(static_cast<std::uint32_t>(i), length, problems);
        });
    }

    void check_segments(std::size_t i, const StrandShape& shape, Problems& problems) const
    {
        constexpr double kShortest = 1e-6; // of what it would be on a straight path
        const StrandCurve& curve = scene_.strands[i];
        const double usual = shape.length / curve.segments;
        for (std::size_t k = 0; k + 1 < shape.nodes.size(); ++k)
            if (!(length(shape.nodes[k + 1] - shape.nodes[k]) > kShortest * usual))
                return fault(problems, curve.origin, at("strands", i), "segment-without-length",
                             "the path turns back within segment " + std::to_string(k) +
                                 ": both its ends are in one place",
                             "give the strand more segments");
    }

    void check_radius(std::uint32_t i, double length, Problems& problems) const
    {
        const StrandSections sections(scene_, i, length);
        const StrandCurve& curve = scene_.strands[i];
        const double segment = length / curve.segments;
        for (std::uint32_t k = 0; k < curve.segments; ++k) {
            const StrandSection s = sections.at(scene_.settings.start, (k + 0.5) / curve.segments);
            const bool is_needle = !(s.radius >= kThinnest * segment);
            if (!is_needle && s.mass_per_length > 0 && std::isfinite(s.mass_per_length) &&
                std::isfinite(sections.stiffest()))
                continue;
            const StrandProperty* said = sections.find(Kind::radius);
            return fault(problems, said ? said->origin : curve.origin, at("strands", i), "needle",
                         is_needle ? "a radius of " + number_text(s.radius) +
                                         " m is negligible beside segments of " +
                                         number_text(segment) + " m: twist has no inertia"
                                   : "a segment of this strand has no mass that can be computed "
                                     "with",
                         is_needle ? "give a radius of at least " +
                                         number_text(kThinnest * segment) + " m"
                                   : "give it a mass_per_length, or a larger radius");
        }
    }

    const Scene& scene_;
    mutable std::vector<std::string> names_;
    Problems problems_;
};

} // namespace

Problems validate_strands(const Scene& scene)
{
    const bool has_any = !scene.trees.empty() || !scene.strands.empty() ||
                         !scene.strand_properties.empty() || !scene.strand_sites.empty();
    return has_any ? StrandValidator(scene).run() : Problems{};
}

} // namespace sinew
