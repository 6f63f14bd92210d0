// The common part of two convex faces seen along a normal has three kinds of corners: those of one
// face within the other, both ways, and crossings of their outlines. Discs take part exactly, with
// points of the rim as their corners.

#include "collide/pairs/face_patch.h"

#include "math/functions.h"

#include <algorithm>
#include <limits>

namespace sinew {

namespace {

constexpr std::uint32_t kOfOther = 0x100, kOfOwn = 0x10000, kCrossing = 0x1000000;

std::size_t count_of(const SupportFace& face) { return static_cast<std::size_t>(face.count); }

/// Whether a place is within a face, seen along n, or beside it by no more than `slack`.
bool contains(const SupportFace& face, const Vec3& x, const Vec3& n, double slack)
{
    const double facing = dot(face.normal, n);
    if (face.is_disc) {
        const Vec3 foot = x - n * (dot(face.normal, x - face.centre) / facing);
        const double reach = face.radius + slack;
        return squared_length(foot - face.centre) <= reach * reach;
    }
    for (std::size_t k = 0; k < count_of(face); ++k) {
        const Vec3 p = face.corner[k], q = face.corner[(k + 1) % count_of(face)];
        const Vec3 out = cross(q - p, n) * (facing < 0 ? -1.0 : 1.0);
        if (const double beyond = dot(out, x - p);
            beyond > 0 && beyond * beyond > slack * slack * squared_length(out))
            return false;
    }
    return true;
}

class Gatherer {
public:
    Gatherer(const SupportFace& own, const SupportFace& other, const Vec3& n,
             const CollideLengths& lengths, FacePatch& patch)
        : own_(own), other_(other), n_(n), lengths_(lengths), patch_(patch),
          height_(dot(n, own.is_disc ? own.centre : own.corner[0])),
          facing_(other.is_flat() ? dot(other.normal, n) : 0)
    {
    }

    /// `place` on the other face. Of near ones the lowest stands for all.
    void add(const Vec3& place, std::uint32_t feature, bool is_within)
    {
        const double gap = dot(n_, place) - height_;
        if (!(gap <= lengths_.reach) || patch_.count == FacePatch::kMost)
            return;
        if (is_within)
            patch_.lowest = min(patch_.lowest, gap);
        for (PatchCorner& known : std::span(patch_.corner).first(patch_.count))
            if (squared_length(known.place - place) < lengths_.clip * lengths_.clip) {
                if (gap < known.gap)
                    known.place = place, known.gap = gap;
                return;
            }
        patch_.corner[patch_.count++] = {place, gap, feature};
    }

    /// Corners of the other within our own. True: the whole disc is, and four corners tell it all.
    bool add_other_corners()
    {
        if (other_.is_disc) {
            bool all = true;
            for (std::size_t i = 0; i < 8 && all; ++i)
                all = contains(own_, other_.corner[i], n_, 0);
            for (std::size_t i = 0; i < 8 && all; i += 2)
                add(other_.corner[i], kOfOther + other_.id[i], true);
            if (all)
                return true;
        }
        for (std::size_t i = 0; i < count_of(other_); ++i)
            if (contains(own_, other_.corner[i], n_, lengths_.clip))
                add(other_.corner[i], kOfOther + other_.id[i],
                    contains(own_, other_.corner[i], n_, 0));
        return false;
    }

    void add_own_corners()
    {
        constexpr double kEdgeOn = 1e-3; // cosine: a face seen from its edge has no area to clip
        if (!other_.is_flat() || abs(facing_) < kEdgeOn)
            return;
        for (std::size_t i = 0; i < count_of(own_); ++i)
            if (contains(other_, own_.corner[i], n_, 0))
                add(onto_other(own_.corner[i]), kOfOwn + own_.id[i], true);
    }

    void add_crossings()
    {
        if (own_.is_disc && other_.is_disc)
            return cross_discs();
        if (other_.is_disc) {
            for (std::size_t k = 0; k < count_of(own_); ++k)
                cross_disc(onto_other(own_.corner[k]),
                           onto_other(own_.corner[(k + 1) % count_of(own_)]), other_.centre,
                           other_.radius, own_.id[k]);
            return;
        }
        const std::size_t edges = other_.count == 2 ? 1 : other_.count < 2 ? 0 : count_of(other_);
        for (std::size_t i = 0; i < edges; ++i) {
            const Vec3 p = other_.corner[i], q = other_.corner[(i + 1) % count_of(other_)];
            if (own_.is_disc)
                cross_disc(p, q, own_.centre, own_.radius, other_.id[i]);
            else
                cross_polygon(p, q, other_.id[i]);
        }
    }

private:
    Vec3 onto_other(const Vec3& x) const
    {
        const Vec3 base = other_.is_disc ? other_.centre : other_.corner[0];
        return x - n_ * (dot(other_.normal, x - base) / facing_);
    }

    /// A line of the other face with the outline of our own.
    void cross_polygon(const Vec3& p, const Vec3& q, std::uint32_t id)
    {
        for (std::size_t k = 0; k < count_of(own_); ++k) {
            const Vec3 a = own_.corner[k], along = own_.corner[(k + 1) % count_of(own_)] - a;
            const Vec3 out = cross(along, n_);
            const double at_p = dot(out, p - a), at_q = dot(out, q - a);
            if (!(at_p * at_q < 0))
                continue;
            const Vec3 x = p + (q - p) * (at_p / (at_p - at_q));
            const double share = dot(along, x - a) / squared_length(along);
            if (share >= 0 && share <= 1)
                add(x, kCrossing + (id << 8) + own_.id[k], true);
        }
    }

    /// A line with a circle; both in one plane once what is along n is left out.
    void cross_disc(const Vec3& p, const Vec3& q, const Vec3& centre, double radius,
                    std::uint32_t id)
    {
        const Vec3 axis = own_.is_disc ? n_ : other_.normal;
        const auto flat = [&](const Vec3& v) { return v - axis * dot(axis, v); };
        const Vec3 d = flat(q - p), w = flat(p - centre);
        const double dd = squared_length(d), dw = dot(d, w);
        const double root = dw * dw - dd * (squared_length(w) - radius * radius);
        if (!(root > 0) || !(dd > 0))
            return;
        for (const double sign : {-1.0, 1.0})
            if (const double t = (-dw + sign * sqrt(root)) / dd; t > 0 && t < 1)
                add(p + (q - p) * t, kCrossing + (id << 8) + (sign < 0 ? 1u : 2u), true);
    }

    void cross_discs()
    {
        const Vec3 apart = other_.centre - own_.centre;
        const Vec3 d = apart - n_ * dot(n_, apart);
        const double dd = squared_length(d), r = own_.radius, s = other_.radius;
        if (!(dd > (r - s) * (r - s) && dd < (r + s) * (r + s)) || abs(facing_) < 0.999)
            return; // tilted, one is no circle as seen along n: points of the rims must do
        const double along = 0.5 * (dd + r * r - s * s) / dd;
        const double beside = sqrt(max(0.0, r * r / dd - along * along));
        for (const double sign : {-1.0, 1.0})
            add(onto_other(own_.centre + d * along + cross(n_, d) * (sign * beside)),
                kCrossing + (sign < 0 ? 1u : 2u), true);
    }

    const SupportFace &own_, &other_;
    Vec3 n_;
    const CollideLengths& lengths_;
    FacePatch& patch_;
    double height_, facing_;
};

/// The outermost four, and among them the lowest.
std::size_t reduce_keeping_lowest(std::span<PatchCorner> corners, const Vec3& n, double unit)
{
    constexpr double kDeeper = 1e-3; // of a unit: what is lower by less need not be kept
    if (corners.size() <= 4)
        return corners.size();
    const PatchCorner lowest = *std::ranges::min_element(corners, {}, &PatchCorner::gap);
    const auto count = static_cast<std::size_t>(reduce_patch(corners, n, unit));
    const std::span<PatchCorner> kept = corners.first(count);
    if (std::ranges::min(kept, {}, &PatchCorner::gap).gap > lowest.gap + kDeeper * unit)
        *std::ranges::min_element(kept, {}, [&](const PatchCorner& c) {
            return squared_length(c.place - lowest.place);
        }) = lowest;
    return count;
}

} // namespace

void find_face_patch(const SupportFace& own, const SupportFace& other, const Vec3& n,
                     const CollideLengths& lengths, FacePatch& patch)
{
    patch.count = 0;
    patch.lowest = std::numeric_limits<double>::infinity();
    Gatherer gatherer(own, other, n, lengths, patch);
    if (!gatherer.add_other_corners()) {
        gatherer.add_own_corners();
        gatherer.add_crossings();
    }
    patch.count =
        reduce_keeping_lowest(std::span(patch.corner).first(patch.count), n, lengths.clip);
}

} // namespace sinew
