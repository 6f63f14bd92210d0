// Two convex bodies of any kind. The separation along n,
//
//   s(n) = min over b of n·x − max over a of n·x
//
// is largest, for nearly all contacts that last, at a face's normal. Elsewhere it is climbed: b is
// moved along the best n so far until the cores are a little apart; the direction n' between the
// then nearest places has s(n') ≥ s(n), since for the moved b the distance is at least that along
// n. The gain stops at a local maximum, quickly where the overlap is small against the bodies.

#include "collide/touch.h"

#include "math/functions.h"

#include <limits>

namespace sinew {

namespace {

using Kind = ConvexAxis::Kind;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Calls with every normal of a flat face.
template <class Call>
void for_each_face(const Convex& c, Call&& call)
{
    if (!c.shape)
        return call(c.triangle_normal);
    if (c.has_hull()) {
        for (const Hull::Face& face : c.shape->hull.faces)
            call(c.R * face.normal);
    } else if (c.is_revolved()) {
        call(-c.axis());
        if (c.shape->kind == CollisionKind::cylinder)
            call(c.axis());
    }
}

struct Search {
    const Convex &a, &b;
    double reach;
    ConvexAxis best = {.separation = -kInfinity};
    bool is_beyond = false; ///< some direction separates by more than the reach

    /// Keeps a direction if it is better by more than `bias`.
    void attempt(Kind kind, const Vec3& n, double bias)
    {
        const double separation = separation_along(a, b, n);
        is_beyond = is_beyond || separation > reach;
        if (separation > best.separation + bias)
            best = {kind, separation, n, {}};
    }
    void attempt_if_any(const Vec3& n)
    {
        constexpr double kParallel = 1e-9; // sine: edges that are parallel have no normal across
        if (const double size = length(n); size > kParallel)
            attempt(Kind::other, n / size, 0);
    }
};

/// The normals of round sides that look at the other body.
void attempt_sides(Search& search, const Convex& own, const Convex& other, double sign)
{
    if (!own.is_revolved())
        return;
    const Vec3 local = own.to_local(other.centre());
    const Vec3 radial = radial_along(local);
    search.attempt(Kind::other, own.R * side_normal(*own.shape, radial) * sign, 0);
    if (other.shape && !other.has_hull()) {
        const Vec3 n = cross(own.axis(), other.axis());
        search.attempt_if_any(n);
        search.attempt_if_any(-n);
    }
}

void climb(const Convex& a, const Convex& b, double small, ConvexAxis& best)
{
    constexpr int kMostSteps = 10;
    constexpr double kAsGood = 1e-12, kNoGain = 1e-10; // of the smaller one: rounding; an end
    const double lift = 0.05 * small;
    for (int step = 0; step < kMostSteps; ++step) {
        const double core = best.separation + a.radius + b.radius;
        const Vec3 shift = best.normal * max(0.0, lift - core);
        const NearestPlaces places = find_nearest(a, b, shift, best.normal);
        if (!places.are_known)
            return;
        const double separation = separation_along(a, b, places.normal);
        const double gain = separation - best.separation;
        if (gain > 0 || best.kind != Kind::other || !best.places.are_known)
            if (gain > -kAsGood * small)
                best = {Kind::other, separation, places.normal, places};
        if (!(gain > kNoGain * small) || core >= lift)
            return;
    }
}

void set_point(const ConvexAxis& axis, const Vec3& on_a, const Vec3& on_b, std::uint32_t feature,
               double reach, ConvexTouch& touch)
{
    const double gap = dot(axis.normal, on_b - on_a);
    if (gap <= reach && touch.count < 4)
        touch.point[static_cast<std::size_t>(touch.count++)] = {on_a, on_b, gap, feature};
}

/// The patch on a face of a (or of b). False: the nearest place is not on the face.
bool touch_face(const Convex& a, const Convex& b, const ConvexAxis& axis,
                const CollideLengths& lengths, ConvexTouch& touch)
{
    const bool of_a = axis.kind == Kind::face_a;
    const Vec3 n = of_a ? axis.normal : -axis.normal;
    constexpr double kFlat = 1e-5, kOnFace = 1e-4; // of the length to clip by
    const double flat = kFlat * lengths.clip;
    SupportFace own, other;
    find_support_face(of_a ? a : b, n, flat, own);
    find_support_face(of_a ? b : a, -n, flat, other);
    FacePatch patch;
    find_face_patch(own, other, n, lengths, patch);
    touch.axis = axis;
    touch.count = 0;
    for (std::size_t i = 0; i < patch.count; ++i) {
        const PatchCorner& c = patch.corner[i];
        const Vec3 foot = c.place - n * c.gap;
        set_point(axis, of_a ? foot : c.place, of_a ? c.place : foot,
                  c.feature | (of_a ? 0 : 0x80000000u), lengths.reach, touch);
    }
    return patch.lowest <= axis.separation + kOnFace * lengths.clip;
}

/// Two lines beside each other, or else the nearest places.
void touch_elsewhere(const Convex& a, const Convex& b, const ConvexAxis& axis,
                     const CollideLengths& lengths, ConvexTouch& touch)
{
    constexpr double kParallel = 1e-3; // sine
    touch.axis = axis;
    touch.count = 0;
    const Vec3 n = axis.normal;
    SupportFace p, q;
    find_support_line(a, n, lengths.clip, p);
    find_support_line(b, -n, lengths.clip, q);
    if (p.count == 2 && q.count == 2) {
        const Vec3 u = p.corner[1] - p.corner[0], v = q.corner[1] - q.corner[0];
        const double uu = squared_length(u), vv = squared_length(v);
        if (squared_length(cross(u, v)) <= kParallel * kParallel * uu * vv && uu > 0 && vv > 0) {
            const double s0 = dot(u, q.corner[0] - p.corner[0]) / uu;
            const double s1 = dot(u, q.corner[1] - p.corner[0]) / uu;
            const double low = max(0.0, min(s0, s1)), high = min(1.0, max(s0, s1));
            if (low < high) {
                for (const double s : {low, high}) {
                    const Vec3 on_a = p.corner[0] + u * s;
                    const double t = min(1.0, max(0.0, dot(v, on_a - q.corner[0]) / vv));
                    set_point(axis, on_a, q.corner[0] + v * t, s == low ? 2 : 3, lengths.reach,
                              touch);
                }
                return;
            }
        }
    }
    if (axis.places.are_known)
        set_point(axis, axis.places.on_a + n * a.radius, axis.places.on_b - n * b.radius, 1,
                  lengths.reach, touch);
    else
        set_point(axis, core_support(a, n) + n * a.radius, core_support(b, -n) - n * b.radius, 1,
                  lengths.reach, touch);
}

/// The best of all directions known beforehand.
ConvexAxis try_known(const Convex& a, const Convex& b, const CollideLengths& lengths,
                     ConvexAxis& face)
{
    Search search{a, b, lengths.reach};
    for_each_face(a, [&](const Vec3& n) { search.attempt(Kind::face_a, n, 0); });
    const ConvexAxis of_a = search.best;
    search.best = {.separation = -kInfinity};
    for_each_face(b, [&](const Vec3& n) { search.attempt(Kind::face_b, -n, 0); });
    face = search.best.separation > of_a.separation + lengths.face_bias ? search.best : of_a;
    if (of_a.kind == Kind::none)
        face = search.best;
    search.best = face;
    search.attempt_if_any(b.centre() - a.centre());
    attempt_sides(search, a, b, 1);
    attempt_sides(search, b, a, -1);
    return search.is_beyond ? ConvexAxis{} : search.best;
}

/// A face wins against directions that are better by rounding only.
ConvexAxis finish(const Convex& a, const Convex& b, const CollideLengths& lengths, ConvexAxis best,
                  const ConvexAxis& face)
{
    const double small = min(a.size, b.size);
    const ConvexAxis start = best;
    climb(a, b, small, best);
    if (best.separation < -0.1 * small && face.kind != Kind::none) {
        // Deep within each other there are several summits.
        ConvexAxis second = start.kind == Kind::other ? face : start;
        if (start.kind != Kind::other) {
            constexpr double kOnePlace = 1e-9; // of the smaller one: centres without a direction
            const Vec3 apart = b.centre() - a.centre();
            if (const double size = length(apart); size > kOnePlace * small)
                second = {Kind::other, separation_along(a, b, apart / size), apart / size, {}};
        }
        climb(a, b, small, second);
        if (second.separation > best.separation)
            best = second;
    }
    if (best.separation > lengths.reach)
        return {};
    constexpr double kFaceWins = 1e-3; // of what edges must be better by: of equals a face
    const bool is_face = face.kind != Kind::none &&
                         face.separation >= best.separation - kFaceWins * lengths.edge_bias;
    if (!is_face)
        return best;
    ConvexAxis axis = face;
    axis.places = best.places;
    return axis;
}

} // namespace

ConvexAxis find_convex_axis(const Convex& a, const Convex& b, const CollideLengths& lengths)
{
    ConvexAxis face;
    const ConvexAxis best = try_known(a, b, lengths, face);
    return best.kind == Kind::none ? best : finish(a, b, lengths, best, face);
}

void find_touch_along(const Convex& a, const Convex& b, const ConvexAxis& axis,
                      const CollideLengths& lengths, ConvexTouch& touch)
{
    touch.axis = axis;
    touch.count = 0;
    if (axis.kind == Kind::other)
        touch_elsewhere(a, b, axis, lengths, touch);
    else if (axis.kind != Kind::none)
        touch_face(a, b, axis, lengths, touch);
}

void find_touch(const Convex& a, const Convex& b, const CollideLengths& lengths, ConvexTouch& touch)
{
    ConvexAxis face;
    const ConvexAxis best = try_known(a, b, lengths, face);
    touch.axis = best;
    touch.count = 0;
    if (best.kind == Kind::none)
        return;
    // Where the deepest place lies within a face, its normal is the best: nothing to climb.
    if (best.kind != Kind::other && touch_face(a, b, best, lengths, touch))
        return;
    const ConvexAxis axis = finish(a, b, lengths, best, face);
    find_touch_along(a, b, axis, lengths, touch);
    if (axis.kind == Kind::none || axis.kind == Kind::other)
        return;
    for (std::size_t i = 0; i < static_cast<std::size_t>(touch.count); ++i)
        if (touch.point[i].gap <= axis.separation + lengths.clip)
            return;
    ConvexAxis place = axis; // the deepest places lie beside the face
    place.kind = Kind::other;
    touch_elsewhere(a, b, place, lengths, touch);
}

} // namespace sinew
