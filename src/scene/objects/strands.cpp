// Curves of strands at rest: paths sampled at equal arc lengths, frames carried along them.
//
// Every path is a chain of cubic pieces. The length of a piece is the integral of |c'|, by Gauss
// quadrature on intervals halved until both halves agree with the whole; a node is found on it by
// Newton steps on the length, which cannot leave its interval.

#include "scene/objects/strands.h"

#include "base/contract.h"
#include "base/parallel.h"
#include "math/functions.h"
#include "math/spline.h"
#include "scene/objects/drawn_strands.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace sinew {

namespace {

/// c(t) = a + b t + c t² + d t³, −½ ≤ t ≤ ½.
struct CubicPiece {
    Vec3 a, b, c, d;

    Vec3 point(double t) const { return a + t * (b + t * (c + t * d)); }
    double speed(double t) const { return length(b + t * (2 * c + (3 * t) * d)); }
};

/// A part of a piece on which one quadrature measures the length.
struct Interval {
    std::uint32_t piece = 0;
    double begin = 0, end = 0; ///< of t
    double before = 0;         ///< length from the beginning of the path to here [m]
    double length = 0;
};

/// Gauss-Legendre with ten points on [−1, 1]: half of the symmetric nodes.
constexpr std::array<std::array<double, 2>, 5> kGauss10 = {
    {{0.14887433898163121088, 0.29552422471475287017},
     {0.43339539412924719080, 0.26926671930999635509},
     {0.67940956829902440623, 0.21908636251598204400},
     {0.86506336668898451073, 0.14945134915058059315},
     {0.97390652851717172008, 0.06667134430868813759}}};

double length_between(const CubicPiece& piece, double begin, double end)
{
    const double middle = (begin + end) / 2, half = (end - begin) / 2;
    double sum = 0;
    for (const auto& [x, weight] : kGauss10)
        sum += weight * (piece.speed(middle - half * x) + piece.speed(middle + half * x));
    return half * sum;
}

/// Halves where the speed is not smooth: at cusps, where the curve stands still.
void add_intervals(std::uint32_t number, const CubicPiece& piece, Interval whole, double tolerance,
                   int depth, std::vector<Interval>& out)
{
    constexpr int kDeepest = 40;
    const double middle = (whole.begin + whole.end) / 2;
    const Interval first{number, whole.begin, middle, 0,
                         length_between(piece, whole.begin, middle)};
    const Interval second{number, middle, whole.end, 0, length_between(piece, middle, whole.end)};
    const double change = abs(first.length + second.length - whole.length);
    if (depth >= kDeepest || !(change > tolerance)) { // infinite lengths too: halves are no better
        out.push_back(first);
        out.push_back(second);
        return;
    }
    add_intervals(number, piece, first, tolerance, depth + 1, out);
    add_intervals(number, piece, second, tolerance, depth + 1, out);
}

std::vector<CubicPiece> pieces_of_polyline(const std::vector<Vec3>& points)
{
    std::vector<CubicPiece> pieces;
    for (std::size_t i = 0; i + 1 < points.size(); ++i)
        pieces.push_back({(points[i] + points[i + 1]) / 2., points[i + 1] - points[i], {}, {}});
    return pieces;
}

/// Taylor about the middle of each piece: the third derivative from two second ones.
template <class Evaluate>
std::vector<CubicPiece> pieces_of_curve(std::size_t piece_count, Evaluate&& evaluate)
{
    const double n = double(piece_count);
    std::vector<CubicPiece> pieces;
    for (std::size_t i = 0; i < piece_count; ++i) {
        const CurvePoint middle = evaluate((double(i) + 0.5) / n);
        const CurvePoint before = evaluate((double(i) + 0.25) / n);
        const CurvePoint behind = evaluate((double(i) + 0.75) / n);
        const Vec3 third = (behind.second - before.second) * 2.;
        pieces.push_back(
            {middle.point, middle.first / n, middle.second / (2 * n * n), third / (6 * n * n)});
    }
    return pieces;
}

std::vector<Vec3> constant_points(const Scene& scene, const Path& path)
{
    std::vector<Vec3> points(path.points.count / 3);
    for (std::uint32_t i = 0; i < points.size() * 3; ++i)
        points[i / 3][int(i % 3)] = scene.values[path.points.first + i].number;
    return points;
}

/// The natural spline through points with chord lengths hᵢ for parameters: uneven points do not
/// make it overshoot. Moments are second derivatives M along the chords: hᵢ₋₁ Mᵢ₋₁ + 2 (hᵢ₋₁ + hᵢ)
/// Mᵢ + hᵢ Mᵢ₊₁ = 6 (dᵢ/hᵢ − dᵢ₋₁/hᵢ₋₁), dᵢ = pᵢ₊₁ − pᵢ.
std::vector<CubicPiece> pieces_by_chords(const std::vector<Vec3>& points)
{
    const std::size_t n = points.size();
    double whole = 0;
    std::vector<double> h(n - 1), pivot(n, 1);
    for (std::size_t i = 0; i + 1 < n; ++i)
        whole += h[i] = length(points[i + 1] - points[i]);
    for (double& chord : h)
        chord = max(chord, 1e-9 * whole + 1e-300); // a point that is there twice
    std::vector<Vec3> moment(n, Vec3{0, 0, 0});
    for (std::size_t i = 1; i + 1 < n; ++i) {
        const double share = i > 1 ? h[i - 1] / pivot[i - 1] : 0;
        pivot[i] = 2 * (h[i - 1] + h[i]) - share * h[i - 1];
        moment[i] =
            ((points[i + 1] - points[i]) / h[i] - (points[i] - points[i - 1]) / h[i - 1]) * 6.0 -
            moment[i - 1] * share;
    }
    for (std::size_t i = n - 2; i > 0; --i)
        moment[i] = (moment[i] - moment[i + 1] * h[i]) / pivot[i];
    std::vector<CubicPiece> pieces;
    for (std::size_t i = 0; i + 1 < n; ++i) {
        const Vec3 sum = (moment[i] + moment[i + 1]) * (h[i] * h[i]),
                   change = (moment[i + 1] - moment[i]) * (h[i] * h[i]);
        pieces.push_back({(points[i] + points[i + 1]) / 2. - sum / 16.,
                          points[i + 1] - points[i] - change / 24., sum / 4., change / 6.});
    }
    return pieces;
}

/// The same of a closed curve, whose last point is its first: the middle turn of several. What the
/// ends of a natural spline change falls by a factor of at least 2 from point to point.
std::vector<CubicPiece> ring_by_chords(const std::vector<Vec3>& points)
{
    constexpr std::size_t kFar = 64; // 2⁻⁶⁴ is below rounding
    const std::size_t pieces = points.size() - 1, turns = (kFar + pieces - 1) / pieces;
    std::vector<Vec3> wound;
    for (std::size_t i = 0; i <= (2 * turns + 1) * pieces; ++i)
        wound.push_back(points[i % pieces]);
    const std::vector<CubicPiece> all = pieces_by_chords(wound);
    const auto first = all.begin() + std::ptrdiff_t(turns * pieces);
    return {first, first + std::ptrdiff_t(pieces)};
}

std::vector<CubicPiece> pieces_of(const Scene& scene, const Path& path)
{
    const std::vector<Vec3> points = constant_points(scene, path);
    const std::size_t n = points.size();
    if (path.kind == PathKind::spline && n > 2)
        return pieces_of_curve(n > 3 ? n - 3 : 1,
                               [&](double u) { return evaluate_bspline(points, u); });
    if (passes_through(path.kind) && n > 2) {
        std::vector<Vec3> moments(n);
        if (path.kind == PathKind::closed_spline)
            update_closed_moments(points, moments);
        else
            update_moments(points, moments);
        return pieces_of_curve(n - 1,
                               [&](double u) { return evaluate_through(points, moments, u); });
    }
    return pieces_of_polyline(points);
}

/// The point at a length from the beginning of an interval.
Vec3 point_at(const CubicPiece& piece, const Interval& interval, double wanted)
{
    constexpr int kMost = 60;
    double low = interval.begin, high = interval.end;
    double t = low + (high - low) * (interval.length > 0 ? wanted / interval.length : 0);
    for (int i = 0; i < kMost && low < high; ++i) {
        t = min(max(t, low), high);
        const double off = length_between(piece, interval.begin, t) - wanted;
        (off > 0 ? high : low) = t;
        const double speed = piece.speed(t);
        const double step = speed > 0 ? off / speed : 0;
        const double next = t - step;
        const double last = t;
        t = speed > 0 && next > low && next < high ? next : (low + high) / 2;
        if (abs(step) <= 1e-15 && speed > 0)
            return piece.point(last - step);
    }
    return piece.point(t);
}

/// The tree's axis least along a direction; near-equals go to the first, whatever the rounding.
Vec3 least_axis(const Vec3& direction)
{
    constexpr double kNear = 1e-6;
    constexpr Vec3 kAxes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int least = 0;
    for (int i = 1; i < 3; ++i)
        if (abs(direction[i]) < abs(direction[least]) - kNear)
            least = i;
    return kAxes[least];
}

void add_frames(StrandShape& shape, Quat frame, bool is_branch)
{
    for (std::size_t k = 0; k + 1 < shape.nodes.size(); ++k) {
        const Vec3 chord = shape.nodes[k + 1] - shape.nodes[k];
        const double size = length(chord);
        const bool has_direction = size > 0;
        if (has_direction && (k > 0 || is_branch))
            frame = carry_frame(frame, chord / size);
        else if (has_direction)
            frame = first_frame(chord / size);
        shape.segments.push_back(frame);
    }
}

} // namespace

namespace {

/// A path as intervals whose lengths are known to rounding.
struct Measured {
    std::vector<Interval> intervals;
    double length = 0;
};

Measured measure(const std::vector<CubicPiece>& pieces)
{
    Measured path;
    double rough = 0;
    std::vector<double> wholes;
    for (const CubicPiece& piece : pieces)
        rough += wholes.emplace_back(length_between(piece, -0.5, 0.5));
    for (std::uint32_t i = 0; i < pieces.size(); ++i)
        if (wholes[i] > 0)
            add_intervals(i, pieces[i], {i, -0.5, 0.5, 0, wholes[i]}, 1e-15 * rough, 0,
                          path.intervals);
    for (Interval& interval : path.intervals) {
        interval.before = path.length;
        path.length += interval.length;
    }
    return path;
}

SampledPath sample_pieces(const std::vector<CubicPiece>& pieces, std::uint32_t count, double begin,
                          double end)
{
    SampledPath result;
    const auto [intervals, whole_length] = measure(pieces);
    result.length = whole_length * (end - begin);
    std::size_t at = 0;
    for (std::uint32_t k = 0; k <= count && !pieces.empty(); ++k) {
        const double share = k == count ? end : begin + (end - begin) * (double(k) / double(count));
        const double wanted = whole_length * share;
        while (at + 1 < intervals.size() && intervals[at + 1].before <= wanted)
            ++at;
        result.points.push_back(share <= 0 || intervals.empty() ? pieces.front().point(-0.5)
                                : share >= 1                    ? pieces.back().point(0.5)
                                             : point_at(pieces[intervals[at].piece], intervals[at],
                                                        wanted - intervals[at].before));
    }
    return result;
}

} // namespace

SampledPath sample_path(const Scene& scene, const Path& path, std::uint32_t count, double begin,
                        double end)
{
    return sample_pieces(pieces_of(scene, path), count, begin, end);
}

SampledPath sample_by_chords(const Scene& scene, const Path& path, std::uint32_t count,
                             double begin, double end)
{
    if (!passes_through(path.kind) || path.points.count <= 6)
        return sample_path(scene, path, count, begin, end);
    const std::vector<Vec3> points = constant_points(scene, path);
    const bool is_ring = path.kind == PathKind::closed_spline;
    return sample_pieces(is_ring ? ring_by_chords(points) : pieces_by_chords(points), count, begin,
                         end);
}

std::vector<Vec3> sample_pose(const Scene& scene, const StrandPose& pose, std::uint32_t count,
                              double time)
{
    Path path = scene.paths[pose.path.index];
    Scene still; // the path as it is at that time
    for (std::uint32_t i = 0; i < path.points.count; ++i)
        still.values.push_back({rates_at(scene, scene.values[path.points.first + i], time).value});
    const bool is_somewhere = std::ranges::all_of(
        still.values, [](const Value& value) { return std::isfinite(value.number); });
    if (!is_somewhere) // what is drawn there is lost, and said to be
        return std::vector<Vec3>(count + 1, Vec3{NAN, NAN, NAN});
    path.points.first = 0;
    return sample_path(still, path, count).points;
}

Quat first_frame(const Vec3& direction)
{
    const Vec3 axis = least_axis(direction);
    const Vec3 x = normalised(axis - direction * dot(axis, direction));
    return rotation_quat(Mat3{x, direction, cross(x, direction)});
}

Quat carry_frame(const Quat& frame, const Vec3& direction)
{
    constexpr double kStraightBack = 1e-12; // of 1 + cos: above it the turn is known to 1e-4
    const Vec3 y = rotate(frame, Vec3{0, 1, 0});
    const double w = 1 + dot(y, direction);
    if (w < kStraightBack)
        return frame * Quat{1, 0, 0, 0};
    const Vec3 v = cross(y, direction);
    return normalised(normalised(Quat{v.x, v.y, v.z, w}) * frame);
}

StrandPlace place_on_strand(std::uint32_t segment_count, double along)
{
    SINEW_EXPECTS(segment_count >= 1);
    constexpr double kNearNode =
        1e-9; // of a segment: 0.6 of 20 segments is node 12, whatever the rounding
    const double n = double(segment_count);
    const double at = min(max(along * n, 0.), n);
    const double node = floor(at + 0.5);
    const double x = abs(at - node) < kNearNode ? node : at;
    const double segment = max(min(ceil(x), n) - 1, 0.);
    return {std::uint32_t(segment), x - segment};
}

bool is_at_tip(std::uint32_t segment_count, double along)
{
    const StrandPlace place = place_on_strand(segment_count, along);
    return place.segment + 1 == segment_count && place.fraction >= 1;
}

Affine frame_on_strand(std::span<const Vec3> nodes, std::span<const Quat> segments, double along)
{
    const auto [segment, fraction] = place_on_strand(std::uint32_t(segments.size()), along);
    const Vec3 a = nodes[segment], b = nodes[segment + 1];
    return {rotation_matrix(segments[segment]), a + (b - a) * fraction};
}

namespace {

constexpr std::size_t kPortion = 32; // curves that one thread takes at a time

/// Whether a curve's points are left to another process, that computes its part of the shot.
bool is_counted(const Scene& scene, const StrandCurve& curve)
{
    return scene.paths[curve.path.index].points.count == 0;
}

std::span<const Value> points_of(const Scene& scene, const StrandCurve& curve)
{
    const ValueList points = scene.paths[curve.path.index].points;
    return std::span(scene.values).subspan(points.first, points.count);
}

/// Instances of one def are drawn by the same numbers: what follows from these alone is found once.
struct DistinctCurves {
    std::vector<std::uint32_t> first; ///< curves that are drawn as none before
    std::vector<std::uint32_t> which; ///< for each curve, its place in `first`
};

bool is_drawn_alike(const Scene& scene, const StrandCurve& a, const StrandCurve& b)
{
    const auto same = [](const Value& x, const Value& y) {
        return std::bit_cast<std::uint64_t>(x.number) == std::bit_cast<std::uint64_t>(y.number);
    };
    return a.segments == b.segments &&
           scene.paths[a.path.index].kind == scene.paths[b.path.index].kind &&
           std::ranges::equal(points_of(scene, a), points_of(scene, b), same);
}

DistinctCurves find_distinct(const Scene& scene)
{
    constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15u; // odd, with mixed bits
    DistinctCurves found;
    std::unordered_map<std::uint64_t, std::uint32_t> by_hash; // of curves: their places in `first`
    by_hash.reserve(scene.strands.size());
    for (std::uint32_t i = 0; i < scene.strands.size(); ++i) {
        const StrandCurve& curve = scene.strands[i];
        std::uint64_t hash = curve.segments;
        for (const Value& value : points_of(scene, curve))
            hash = std::rotl((hash ^ std::bit_cast<std::uint64_t>(value.number)) * kMix, 29);
        const auto next = static_cast<std::uint32_t>(found.first.size());
        const auto [known, is_new] = by_hash.emplace(hash, next);
        const bool is_known =
            !is_new && is_drawn_alike(scene, scene.strands[found.first[known->second]], curve);
        found.which.push_back(is_known ? known->second : next);
        if (!is_known)
            found.first.push_back(i);
    }
    return found;
}

/// Where lists of curves may be cut: no branch behind a cut grows from a strand before it.
std::vector<std::size_t> cut_between_trees(const Scene& scene)
{
    const std::size_t count = scene.strands.size();
    std::vector<std::size_t> cuts = {count};
    std::size_t lowest = count;
    for (std::size_t i = count; i-- > 0;) {
        const std::uint32_t from = scene.strands[i].from;
        lowest = std::min(lowest, from == StrandCurve::kNone ? i : std::size_t(from));
        if (lowest == i && (i == 0 || cuts.back() - i >= kPortion))
            cuts.push_back(i);
    }
    std::ranges::reverse(cuts);
    return cuts;
}

/// Puts a curve onto the one it branches from, and frames onto its segments.
void finish_shape(const Scene& scene, std::size_t index, std::vector<StrandShape>& shapes)
{
    const StrandCurve& curve = scene.strands[index];
    StrandShape& shape = shapes[index];
    Quat frame;
    const bool is_branch = curve.from != StrandCurve::kNone;
    if (is_branch) {
        const StrandShape& parent = shapes[curve.from];
        const auto place = place_on_strand(std::uint32_t(parent.segments.size()), curve.from_along);
        const Vec3 start = frame_on_strand(parent.nodes, parent.segments, curve.from_along).origin;
        frame = parent.segments[place.segment];
        const Vec3 shift = start - shape.nodes.front();
        for (Vec3& node : shape.nodes)
            node += shift;
        shape.nodes.front() = start;
    }
    add_frames(shape, frame, is_branch);
}

} // namespace

std::vector<double> measure_strands(const Scene& scene)
{
    std::vector<double> lengths;
    if (const StrandShapes drawn = find_drawn_strands(scene)) {
        for (const StrandShape& shape : *drawn)
            lengths.push_back(shape.length);
        return lengths;
    }
    const DistinctCurves distinct = find_distinct(scene);
    std::vector<double> found(distinct.first.size());
    for_each_index((found.size() + kPortion - 1) / kPortion, threads_here(), [&](std::size_t p) {
        const std::size_t end = std::min(found.size(), (p + 1) * kPortion);
        for (std::size_t i = p * kPortion; i < end; ++i) {
            const StrandCurve& curve = scene.strands[distinct.first[i]];
            found[i] = measure(pieces_of(scene, scene.paths[curve.path.index])).length;
        }
    });
    for (const std::uint32_t which : distinct.which)
        lengths.push_back(found[which]);
    return lengths;
}

std::vector<StrandShape> sample_strands(const Scene& scene, int threads)
{
    const DistinctCurves distinct = find_distinct(scene);
    const std::size_t count = distinct.first.size();
    std::vector<SampledPath> sampled(count);
    for_each_index((count + kPortion - 1) / kPortion, threads, [&](std::size_t portion) {
        const std::size_t end = std::min(count, (portion + 1) * kPortion);
        for (std::size_t i = portion * kPortion; i < end; ++i) {
            const StrandCurve& curve = scene.strands[distinct.first[i]];
            if (!is_counted(scene, curve))
                sampled[i] = sample_path(scene, scene.paths[curve.path.index], curve.segments);
        }
    });
    std::vector<StrandShape> shapes(scene.strands.size());
    const std::vector<std::size_t> cuts = cut_between_trees(scene);
    for_each_index(cuts.size() - 1, threads, [&](std::size_t portion) {
        for (std::size_t i = cuts[portion]; i < cuts[portion + 1]; ++i) {
            if (is_counted(scene, scene.strands[i]))
                continue;
            const SampledPath& drawn = sampled[distinct.which[i]];
            shapes[i].nodes = drawn.points;
            shapes[i].length = drawn.length;
            finish_shape(scene, i, shapes);
        }
    });
    return shapes;
}

void add_rest_strands(const Scene& scene, const std::vector<StrandShape>& shapes, Frame& frame)
{
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const Affine& place = frame.objects[scene.strands[i].tree.index];
        const Quat turn = rotation_quat(place.linear);
        for (const Vec3& node : shapes[i].nodes)
            frame.nodes.push_back(apply(place, node));
        for (const Quat& segment : shapes[i].segments)
            frame.segments.push_back(turn * segment);
    }
}

StrandLayout layout_of_strands(const Scene& scene)
{
    StrandLayout layout{{0}, {0}};
    for (const StrandCurve& curve : scene.strands) {
        layout.first_node.push_back(layout.first_node.back() + curve.segments + 1);
        layout.first_segment.push_back(layout.first_segment.back() + curve.segments);
    }
    for (const Rod& rod : scene.rods) {
        layout.first_node.push_back(layout.first_node.back() + rod.spans + 1);
        layout.first_segment.push_back(layout.first_segment.back() + rod.spans);
    }
    return layout;
}

} // namespace sinew
