// Every fault of rods, points on them and what holds them, taken as data.

#include "base/text.h"
#include "scene/formula.h"
#include "scene/kinematics.h"
#include "scene/objects/bodies.h"
#include "scene/objects/rods.h"
#include "scene/objects/strands.h"
#include "scene/validate/problems.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace sinew {

namespace {

using Kind = RodConstraintKind;

constexpr std::uint32_t kMostSpans = 100'000;
constexpr std::uint64_t kMostInAll = 1'000'000;
constexpr double kShortest = 1e-100, kLongest = 1e100; // [m]: their squares are numbers still

class RodValidator {
public:
    explicit RodValidator(const Scene& scene) : scene_(scene) {}

    Problems run()
    {
        if (!check_references())
            return std::move(problems_);
        check_rods();
        check_sites();
        for (std::size_t i = 0; i < scene_.rod_constraints.size(); ++i)
            check_constraint(scene_.rod_constraints[i], at("rod_constraints", i));
        check_held_elsewhere();
        if (scene_.settings.rods.iterations < 0)
            fault({}, "settings.rods", "out-of-range", "the iterations of rods are negative",
                  "write `rods(iterations = 1);`, or leave it out");
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
    bool is_object(ObjectId id) const { return id.index < scene_.objects.size(); }
    bool is_path(PathId id) const { return id.index < scene_.paths.size(); }
    bool is_value(Value v) const
    {
        return v.is_constant() ? std::isfinite(v.number) : v.formula < scene_.formulas.size();
    }

    bool check_references()
    {
        const auto check = [&](bool fits, Origin origin, const char* list, std::size_t i) {
            if (!fits)
                fault(origin, at(list, i), "no-such-object",
                      "names an object, a path, a value or a rod that does not exist",
                      "use numbers of elements of the scene");
        };
        for (std::size_t i = 0; i < scene_.rods.size(); ++i)
            check(is_object(scene_.rods[i].object) && is_path(scene_.rods[i].path) &&
                      (!scene_.rods[i].whole.is_valid() || is_object(scene_.rods[i].whole)),
                  scene_.rods[i].origin, "rods", i);
        for (std::size_t i = 0; i < scene_.rod_sites.size(); ++i)
            check(is_object(scene_.rod_sites[i].object) &&
                      scene_.rod_sites[i].rod < scene_.rods.size(),
                  scene_.rod_sites[i].origin, "rod_sites", i);
        for (std::size_t i = 0; i < scene_.rod_constraints.size(); ++i) {
            const RodConstraint& c = scene_.rod_constraints[i];
            check(is_object(c.a) && (!c.b.is_valid() || is_object(c.b)) &&
                      (!c.path.is_valid() || is_path(c.path)) &&
                      (!c.frame.is_valid() || is_object(c.frame)) && is_value(c.distance) &&
                      is_value(c.release.active) && (!c.slide || is_value(*c.slide)),
                  c.origin, "rod_constraints", i);
        }
        return problems_.empty();
    }

    void check_rods()
    {
        std::set<std::uint32_t> objects;
        std::uint64_t spans = 0;
        for (std::size_t i = 0; i < scene_.rods.size(); ++i) {
            const Rod& rod = scene_.rods[i];
            const std::string element = at("rods", i);
            if (!objects.insert(rod.object.index).second)
                fault(rod.origin, element, "two-rods", "there are two rods in one def",
                      "give each a def of its own, so that it has a name");
            spans += rod.spans;
            if (rod.spans < 1 || rod.spans > kMostSpans)
                fault(rod.origin, element, "spans-out-of-range",
                      "a rod has 1 to " + std::to_string(kMostSpans) + " spans, not " +
                          std::to_string(rod.spans),
                      "its stiffness does not depend on their number: 20 are enough for most");
            if (!(rod.begin >= 0 && rod.begin < rod.end && rod.end <= 1))
                fault(rod.origin, element, "piece-out-of-range",
                      "a piece of a rod lies between 0 and 1 of its path",
                      "let it begin before it ends");
            check_numbers(rod, element);
            check_curve(rod, element);
        }
        if (spans > kMostInAll)
            fault(scene_.rods.back().origin, "rods", "too-many-spans",
                  "the rods have more than " + std::to_string(kMostInAll) + " spans in all",
                  "give them fewer");
    }

    void check_numbers(const Rod& rod, const std::string& element)
    {
        const auto positive = [&](double number, const char* what) {
            if (!(number > 0) || !std::isfinite(number))
                fault(rod.origin, element, "not-positive",
                      std::string("its ") + what + " must be positive and finite, is " +
                          number_text(number),
                      "write a number above 0");
        };
        const auto not_negative = [&](double number, const char* what) {
            if (!(number >= 0) || !std::isfinite(number))
                fault(rod.origin, element, "negative",
                      std::string("its ") + what + " must not be negative, is " +
                          number_text(number),
                      "write 0 or more");
        };
        positive(rod.radius, "radius");
        positive(rod.young, "Young's modulus");
        positive(rod.density, "density");
        const auto maybe_positive = [&](const std::optional<double>& number, const char* what) {
            if (number)
                positive(*number, what);
        };
        maybe_positive(rod.stretch_stiffness, "stretch_stiffness");
        maybe_positive(rod.bend_stiffness, "bend_stiffness");
        maybe_positive(rod.twist_stiffness, "twist_stiffness");
        maybe_positive(rod.mass_per_length, "mass_per_length");
        not_negative(rod.stretch_damping.value_or(0), "stretch_damping");
        not_negative(rod.bend_damping.value_or(0), "bend_damping");
        not_negative(rod.twist_damping.value_or(0), "twist_damping");
        if (rod.rest_length)
            positive(*rod.rest_length, "length");
        if (rod.rest_length && *rod.rest_length > 0 && std::isfinite(*rod.rest_length))
            check_length(*rod.rest_length, rod.origin, element);
        not_negative(rod.damping, "damping");
        not_negative(rod.drag_along, "drag");
        not_negative(rod.drag_across, "drag");
        if (!(rod.poisson > -1 && rod.poisson <= 0.5))
            fault(rod.origin, element, "poisson-out-of-range",
                  "Poisson's ratio lies above -1 and is at most 0.5, not " +
                      number_text(rod.poisson),
                  "0.3 is that of steel, 0.5 that of rubber");
        check_surface(rod, element);
        if (!is_finite(rod.velocity) || !is_finite(rod.spin))
            fault(rod.origin, element, "not-finite", "its initial motion is not a finite number",
                  "give finite numbers");
    }

    void check_length(double length, Origin origin, const std::string& element)
    {
        if (!(length >= kShortest && length <= kLongest))
            fault(origin, element, "length-out-of-range",
                  "a rod of a length of " + number_text(length) + " m cannot be simulated",
                  "give it a length between " + number_text(kShortest) + " and " +
                      number_text(kLongest) + " m");
    }

    void check_surface(const Rod& rod, const std::string& element)
    {
        constexpr int kTried = 16;
        const auto check = [&](Value value, const char* what, double most) {
            if (!is_value(value) || !is_known_in_advance(scene_, value))
                return fault(rod.origin, element, "surface-unknown",
                             std::string("the ") + what + " of a rod depends on what moves",
                             "give numbers, or keys along the rod");
            for (int k = 0; k <= kTried; ++k) {
                const double number =
                    value.is_constant()
                        ? value.number
                        : rates_at(scene_, value, scene_.settings.start, double(k) / kTried).value;
                if (!(number >= 0 && number <= most))
                    return fault(rod.origin, element, "out-of-range",
                                 std::string("the ") + what + " of a rod lies between 0 and " +
                                     number_text(most) + ", is " + number_text(number) +
                                     " somewhere",
                                 "give numbers within that, everywhere along the rod");
            }
        };
        check(rod.friction, "friction", 1e6);
        check(rod.bounce, "bounce", 1);
        check(rod.contact, "contact", 1e6);
    }

    void check_curve(const Rod& rod, const std::string& element)
    {
        const Path& path = scene_.paths[rod.path.index];
        const auto first = scene_.values.begin() + path.points.first;
        const bool is_constant = std::all_of(first, first + path.points.count, [](Value v) {
            return v.is_constant() && std::isfinite(v.number);
        });
        if (!is_constant)
            return fault(rod.origin, element, "rod-path-moves",
                         "the path of a rod must not change: it is its shape at the start",
                         "give numbers; constraints move it later");
        if (path.kind == PathKind::point || path.points.count < 6)
            return fault(rod.origin, element, "rod-without-length", "a point is not a rod",
                         "give a line or a curve: `rod(line(0,0,0, 1,0,0), ...);`");
        if (rod.spans < 1 || rod.spans > kMostSpans)
            return;
        const double length = sample_path(scene_, path, 1).length;
        if (!(length > 0))
            return fault(rod.origin, element, "rod-without-length",
                         "the path of this rod has no length", "move its points apart");
        check_length(length, rod.origin, element);
        check_rest_path(rod, element);
        if (rod.kind == RodKind::chain && !rod.is_straight && path.kind != PathKind::line)
            fault(rod.origin, element, "chain-is-straight",
                  "a chain has no frame that could keep a bent shape: at rest it is straight",
                  "write `rest = straight`, or leave `model = chain` out");
    }

    void check_rest_path(const Rod& rod, const std::string& element)
    {
        if (!rod.rest_path.is_valid())
            return;
        if (rod.rest_path.index >= scene_.paths.size())
            return fault(rod.origin, element, "no-such-path", "its path at rest does not exist",
                         "name one of Scene::paths");
        const Path& path = scene_.paths[rod.rest_path.index];
        const auto first = scene_.values.begin() + path.points.first;
        const bool is_constant = std::all_of(first, first + path.points.count, [](Value v) {
            return v.is_constant() && std::isfinite(v.number);
        });
        const bool is_curve = path.kind != PathKind::point && path.points.count >= 6;
        const double length = is_constant && is_curve ? sample_path(scene_, path, 1).length : 0;
        if (!(length > 0))
            return fault(rod.origin, element, "rest-path",
                         "the shape of a rod at rest is a curve that does not move, with a length",
                         "give a line or a curve of numbers");
        check_length(length, rod.origin, element);
        if (rod.is_straight || rod.kind == RodKind::chain)
            fault(rod.origin, element, "rest-path",
                  "this rod is straight at rest: it has no other shape",
                  "leave out `rest_path`, or `rest = straight` and `model = chain`");
    }

    void check_sites()
    {
        for (std::size_t i = 0; i < scene_.rod_sites.size(); ++i) {
            const RodSite& site = scene_.rod_sites[i];
            if (!(site.along >= 0 && site.along <= 1))
                fault(site.origin, at("rod_sites", i), "along-off-curve",
                      "a place along a rod lies between 0 and 1, this is " +
                          number_text(site.along),
                      "0 is its first point, 1 its last");
            is_site_.insert(site.object.index);
        }
        for (const Rod& rod : scene_.rods)
            is_rod_.insert(rod.object.index);
    }

    void check_constraint(const RodConstraint& c, const std::string& element)
    {
        const bool is_wheel = c.kind == Kind::pulley || c.kind == Kind::winch;
        check_ends(c, is_wheel, element);
        check_point(c, element);
        check_direction(c, is_wheel, element);
        check_numbers(c, element);
        check_limits(c, element);
        if (is_wheel)
            check_wheel(c, element);
        if (c.kind == Kind::pearl)
            check_pearl(c, element);
        if (c.a == c.b)
            fault(c.origin, element, "same-object", "this holds a thing to itself",
                  "name two different places");
    }

    void check_ends(const RodConstraint& c, bool is_wheel, const std::string& element)
    {
        const bool slides = c.kind == Kind::keyhole || c.kind == Kind::pearl || is_wheel;
        if (slides && !is_rod_.contains(c.a.index))
            fault(c.origin, element, "not-a-rod", "this slides along something that is not a rod",
                  "name an instance whose def has `rod(...)`");
        if (!slides && !rides(c.a) && !rides(c.b))
            fault(c.origin, element, "holds-no-rod", "this holds no point of a rod",
                  "say where on the rod: `cable at 0.5 along`");
        if (!c.b.is_valid() && !c.path.is_valid() && c.kind != Kind::orientation)
            fault(c.origin, element, "held-to-nothing", "this says not where it is held",
                  "name an object, or give a point(...)");
    }

    void check_point(const RodConstraint& c, const std::string& element)
    {
        if (!c.path.is_valid())
            return;
        const PathKind kind = scene_.paths[c.path.index].kind;
        if (c.kind != Kind::axis && c.kind != Kind::trajectory && kind != PathKind::point)
            fault(c.origin, element, "wants-point", "this is held at a point, not along a curve",
                  "write point(x, y, z)");
        if (c.kind == Kind::axis && kind != PathKind::line)
            fault(c.origin, element, "wants-line", "an axis is a straight line",
                  "write line(x,y,z, x,y,z), or path_constraint for a curve");
    }

    void check_direction(const RodConstraint& c, bool is_wheel, const std::string& element)
    {
        const bool needs_direction = c.kind == Kind::orientation || c.kind == Kind::plane ||
                                     c.kind == Kind::circle || c.is_oriented || is_wheel;
        if (needs_direction && !(std::abs(length(c.direction) - 1) < 1e-6))
            fault(c.origin, element, "no-direction", "its direction has no length",
                  "give x, y, z that are not all 0");
    }

    void check_numbers(const RodConstraint& c, const std::string& element)
    {
        if ((c.kind == Kind::distance || c.kind == Kind::circle) && c.distance.is_constant() &&
            !(c.distance.number > 0))
            fault(c.origin, element, "no-distance",
                  "a distance of " + number_text(c.distance.number) + " has no direction to pull",
                  "use fusion(...) or position_constraint(...) to hold two points together");
        const bool is_nearest = c.kind == Kind::pulley && c.from == -1;
        if (!(c.from >= 0 && c.from <= 1) && !is_nearest)
            fault(c.origin, element, "along-off-curve",
                  "a place along a rod lies between 0 and 1, this is " + number_text(c.from),
                  "0 is its first point, 1 its last");
        if (!(c.friction >= 0) || !(c.viscous >= 0))
            fault(c.origin, element, "negative", "its friction must not be negative",
                  "write 0 or more");
    }

    /// What slides along a rod is a body, or moves as a part of a linkage.
    void check_pearl(const RodConstraint& c, const std::string& element)
    {
        if (rides(c.b))
            return fault(c.origin, element, "pearl-on-rod",
                         "a pearl is a body, and this is a point of a rod",
                         "for two rods that slide on each other write `keyhole(rod, other at u "
                         "along)`");
        if (c.b.is_valid() && stands_still(c.b))
            fault(c.origin, element, "pearl-stands",
                  "a pearl is a body, and nothing moves this object",
                  "write `body(...)` in its def; a hole that stands still is `keyhole(rod, "
                  "point(x, y, z))`");
    }

    /// Is no part of a body, and no coordinate or track moves it.
    bool stands_still(ObjectId id)
    {
        if (!bodies_)
            bodies_ = make_body_map(scene_);
        const ObjectId body = bodies_->around[id.index];
        if (body.is_valid() && bodies_->is_moved[body.index])
            return false;
        for (; id.is_valid() && id.index > 0; id = frame_parent(scene_.objects[id.index])) {
            const Object& object = scene_.objects[id.index];
            if (std::ranges::find(scene_.strand_sites, id, &StrandSite::object) !=
                scene_.strand_sites.end())
                return false;
            for (std::uint32_t k = 0; k < object.transformation_count; ++k)
                if (!scene_.transformations[object.first_transformation + k].amount.is_constant())
                    return false;
        }
        return true;
    }

    /// A wheel that a rope runs round or is wound on.
    void check_wheel(const RodConstraint& c, const std::string& element)
    {
        if (!(c.radius > 0) || !std::isfinite(c.radius))
            fault(c.origin, element, "not-positive",
                  "the radius of a wheel must be positive and finite, is " + number_text(c.radius),
                  "write a number above 0; a hole without radius is a keyhole");
        if (!(c.stored >= 0) || !std::isfinite(c.stored))
            fault(c.origin, element, "negative",
                  "the rope on a winch must not be negative, is " + number_text(c.stored),
                  "write 0 or more");
        if (c.slide && c.torque)
            fault(c.origin, element, "winch-speed-and-torque",
                  "a winch has a speed or a torque, not both", "leave one of them out");
        if (c.torque && !is_value(*c.torque))
            fault(c.origin, element, "not-finite", "the torque of a winch is not a finite number",
                  "give a finite number or a track");
        if (const auto rod = std::ranges::find(scene_.rods, c.a, &Rod::object);
            rod != scene_.rods.end() && is_closed(scene_, *rod))
            fault(c.origin, element, "wheel-in-ring",
                  "a closed rod has no end that could run over a wheel or onto a drum",
                  "draw it around the wheel, made of a cylinder that touches it: friction drives "
                  "it");
        if (rides(c.b))
            fault(c.origin, element, "wheel-on-rod", "a wheel cannot ride on a rod",
                  "give it a body of its own, and hold that to the rod");
    }

    /// Is a point of a rod, or stands on one.
    bool rides(ObjectId id) const
    {
        while (id.is_valid() && id.index > 0) {
            if (is_site_.contains(id.index))
                return true;
            const Object& object = scene_.objects[id.index];
            id = object.on.is_valid() ? object.on : object.parent;
        }
        return false;
    }

    /// What else may not hold a point of a rod.
    void check_held_elsewhere()
    {
        if (is_site_.empty())
            return;
        for (std::size_t i = 0; i < scene_.point_springs.size(); ++i)
            if (const PointSpring& s = scene_.point_springs[i]; rides(s.a) || rides(s.b))
                fault(s.origin, at("point_springs", i), "spring-on-rod",
                      "a spring cannot hold what moves against the rod that it rides on",
                      "name what stands still there, or the place itself: `cable at 0.5 along`");
    }

    void check_limits(const RodConstraint& c, const std::string& element)
    {
        constexpr double kPi = 3.14159265358979323846;
        if (!(c.low >= 0 && c.high <= 1 && c.low < c.high && c.low <= c.from && c.from <= c.high) &&
            c.kind != Kind::pulley)
            fault(c.origin, element, "stops-out-of-order",
                  "the stops lie at " + number_text(c.low) + " and " + number_text(c.high) +
                      ", and it begins at " + number_text(c.from),
                  "between 0 and 1, with `from` between them");
        if (c.angle && !(*c.angle > 0 && *c.angle < kPi))
            fault(c.origin, element, "out-of-range",
                  "the angle of a fusion lies between 0 and 180 deg",
                  "for 0 write `tangent = parallel`");
        if (c.kind == Kind::spring)
            for (const Value value : {c.stiffness, c.damping, c.distance})
                if (!is_value(value) || (value.is_constant() && value.number < 0))
                    fault(c.origin, element, "negative",
                          "a spring's stiffness, damping and length must not be negative",
                          "write 0 or more");
        if (!(c.release.ease >= 0 && std::isfinite(c.release.ease)))
            fault(c.origin, element, "negative",
                  "'ease' must not be negative, is " + number_text(c.release.ease),
                  "give 0 or more");
        for (const std::optional<double>& number : {c.release.breaks, c.release.beyond})
            if (number && !(*number > 0))
                fault(c.origin, element, "not-positive",
                      "it would be released at once: " + number_text(*number), "write more than 0");
    }

    const Scene& scene_;
    std::set<std::uint32_t> is_site_, is_rod_;
    std::optional<BodyMap> bodies_ = {}; ///< made when it is needed
    Problems problems_;
};

} // namespace

Problems validate_rods(const Scene& scene)
{
    const bool has_any = !scene.rods.empty() || !scene.rod_sites.empty() ||
                         !scene.rod_constraints.empty() || scene.settings.rods.iterations != 0;
    return has_any ? RodValidator(scene).run() : Problems{};
}

} // namespace sinew
