// The only place that knows Embree.

#include "render/ray_scene.h"

#include "base/contract.h"
#include "render/geometry.h"
#include "render/image/tone.h"

#include <embree3/rtcore.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace sinew::picture {

namespace {

constexpr float kLift = 3e-5f; // how far from a surface a new ray starts

/// Embree reads 16 bytes at a time: it adds the padding itself.
template <class T>
void set_buffer(RTCGeometry geometry, RTCBufferType type, RTCFormat format,
                const std::vector<T>& items, unsigned slot = 0)
{
    void* to = rtcSetNewGeometryBuffer(geometry, type, slot, format, sizeof(T), items.size());
    SINEW_EXPECTS(to != nullptr);
    std::memcpy(to, items.data(), items.size() * sizeof(T));
}

enum Part : unsigned { kSpheres, kLines, kCurves, kHairs, kFaces };

} // namespace

struct RayScene::Parts {
    Ruler ruler;
    Geometry geometry;
    std::optional<Geometry> later; ///< the same pieces when the shutter closes
    Paint floor_paint;
    bool has_glass = false;
    std::optional<Plane> floor;
    RTCDevice device = nullptr;
    RTCScene scene = nullptr;
    Vec low, high; ///< the box around all things, with some room

    /// Most rays of a picture pass everything by: finding that here costs a tenth of asking Embree.
    bool passes_by(const Vec& origin, const Vec& direction, float reach) const
    {
        float near = 0, far = reach;
        for (int k = 0; k < 3; ++k) {
            const float inverse = 1 / direction[k];
            const float a = (low[k] - origin[k]) * inverse, b = (high[k] - origin[k]) * inverse;
            // Not a number where a ray runs in a face: then the comparison keeps the other bound.
            near = max(near, min(a, b));
            far = min(far, max(a, b));
        }
        return near > far;
    }

    /// A plain plane where the floor lies is the floor.
    void merge_ground()
    {
        const Vec plain = to_linear(kGroundColour);
        std::erase_if(geometry.planes, [&](const Plane& plane) {
            const Paint& paint = geometry.paints[plane.paint];
            const bool is_same = plane.normal.y > 0.99999f && paint.colour == plain &&
                                 abs(plane.offset - floor->offset) < 1e-4f;
            if (is_same)
                floor_paint.object = paint.object;
            return is_same;
        });
    }

    void find_box()
    {
        constexpr float kRoom = 1e-3f;
        RTCBounds box;
        rtcGetSceneBounds(scene, &box);
        low = Vec{box.lower_x, box.lower_y, box.lower_z} - Vec{kRoom, kRoom, kRoom};
        high = Vec{box.upper_x, box.upper_y, box.upper_z} + Vec{kRoom, kRoom, kRoom};
    }

    void attach(RTCGeometry shape, unsigned part) const
    {
        rtcCommitGeometry(shape);
        rtcAttachGeometryByID(scene, shape, part);
        rtcReleaseGeometry(shape);
    }

    /// Points now, and where they are when the shutter closes.
    template <class T>
    void set_points(RTCGeometry shape, RTCFormat format, const std::vector<T>& now,
                    const std::vector<T>* then) const
    {
        rtcSetGeometryTimeStepCount(shape, then ? 2 : 1);
        set_buffer(shape, RTC_BUFFER_TYPE_VERTEX, format, now);
        if (then)
            set_buffer(shape, RTC_BUFFER_TYPE_VERTEX, format, *then, 1);
    }

    void add_round(RTCGeometryType type, RoundPieces Geometry::*kind, unsigned part) const
    {
        const RoundPieces& pieces = geometry.*kind;
        if (pieces.paints.empty())
            return;
        RTCGeometry shape = rtcNewGeometry(device, type);
        set_points(shape, RTC_FORMAT_FLOAT4, pieces.points,
                   later ? &((*later).*kind).points : nullptr);
        if (!pieces.starts.empty())
            set_buffer(shape, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT, pieces.starts);
        attach(shape, part);
    }

    void add_faces() const
    {
        const Faces& faces = geometry.faces;
        if (faces.corners.empty())
            return;
        RTCGeometry shape = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
        set_points(shape, RTC_FORMAT_FLOAT3, faces.vertices,
                   later ? &later->faces.vertices : nullptr);
        set_buffer(shape, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, faces.corners);
        attach(shape, kFaces);
    }

    std::uint32_t paint_of(const RTCHit& hit) const
    {
        switch (hit.geomID) {
        case kSpheres: return geometry.spheres.paints[hit.primID];
        case kLines: return geometry.lines.paints[hit.primID];
        case kCurves: return geometry.curves.paints[hit.primID];
        case kHairs: return geometry.hairs.paints[hit.primID];
        default: return geometry.faces.paints[hit.primID];
        }
    }

    Vec normal_of(const RTCHit& hit, float time) const
    {
        if (hit.geomID != kFaces)
            return unit_or(Vec{hit.Ng_x, hit.Ng_y, hit.Ng_z}, {0, 0, 0});
        const auto& [a, b, c] = geometry.faces.corners[hit.primID];
        const auto mean = [&, a = a, b = b, c = c](const std::vector<Vec>& normals) {
            return normals[a] * (1 - hit.u - hit.v) + normals[b] * hit.u + normals[c] * hit.v;
        };
        const Vec now = mean(geometry.faces.normals);
        return unit_or(later && time > 0 ? mix(now, mean(later->faces.normals), time) : now,
                       {0, 0, 0});
    }

    /// Catmull and Rom's curve and its slope at u of a piece.
    struct CurvePoint {
        Vec place, slope;
    };
    static CurvePoint curve_point(const RoundPieces& pieces, std::uint32_t first, float u)
    {
        const Vec a = middle_of(pieces.points[first]), b = middle_of(pieces.points[first + 1]),
                  c = middle_of(pieces.points[first + 2]), d = middle_of(pieces.points[first + 3]);
        const Vec k1 = (c - a) * 0.5f, k2 = a - b * 2.5f + c * 2.0f - d * 0.5f,
                  k3 = (d - a) * 0.5f + (b - c) * 1.5f;
        return {b + (k1 + (k2 + k3 * u) * u) * u, k1 + (k2 * 2.0f + k3 * (3 * u)) * u};
    }

    /// What patterns of curves need to know.
    void add_curve_place(const RTCHit& found, const Vec& direction, Hit& hit) const
    {
        const bool is_hair = found.geomID == kHairs;
        const RoundPieces& pieces = is_hair ? geometry.hairs : geometry.curves;
        const std::uint32_t first = pieces.starts[found.primID];
        const CurvePoint at = curve_point(pieces, first, found.u);
        const float size = length(at.slope);
        if (!(size > 0))
            return;
        hit.tangent = at.slope / size;
        if (is_hair) {
            hit.across = found.v;
            return;
        }
        const Vec out = hit.position - at.place;
        hit.along = pieces.alongs[first + 1] +
                    (pieces.alongs[first + 2] - pieces.alongs[first + 1]) * found.u;
        const Vec side = mix(pieces.sides[first + 1], pieces.sides[first + 2], found.u);
        hit.angle = atan2(dot(out, cross(hit.tangent, side)), dot(out, side));
        const Vec aside = cross(direction, hit.tangent);
        const float size_aside = length(aside), radius = length(out);
        hit.across = radius > 0 && size_aside > 0 ? dot(out, aside) / (radius * size_aside) : 0;
    }
};

RayScene::RayScene(const Display& display, const DisplayFrame& frame, const RenderOptions& options)
    : parts_(std::make_unique<Parts>())
{
    Parts& parts = *parts_;
    parts.ruler = {options.camera.target, 100 * display.unit};
    parts.geometry = make_geometry(parts.ruler, display, frame, options);
    if (options.shutter_end) {
        Geometry later = make_geometry(parts.ruler, display, *options.shutter_end, options);
        if (have_same_pieces(parts.geometry, later))
            parts.later = std::move(later);
    }
    for (const Paint& paint : parts.geometry.paints)
        parts.has_glass = parts.has_glass || paint.transparency > 0;
    if (options.floor && options.camera.position.y > *options.floor) {
        const Vec3 below{options.camera.target.x, *options.floor, options.camera.target.z};
        parts.floor = Plane{{0, 1, 0}, parts.ruler.point(below).y, 0};
        parts.merge_ground();
    }
    parts.device = rtcNewDevice(nullptr);
    SINEW_EXPECTS(parts.device != nullptr);
    parts.scene = rtcNewScene(parts.device);
    rtcSetSceneFlags(parts.scene, RTC_SCENE_FLAG_ROBUST);
    parts.add_round(RTC_GEOMETRY_TYPE_SPHERE_POINT, &Geometry::spheres, kSpheres);
    parts.add_round(RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE, &Geometry::lines, kLines);
    parts.add_round(RTC_GEOMETRY_TYPE_ROUND_CATMULL_ROM_CURVE, &Geometry::curves, kCurves);
    parts.add_round(RTC_GEOMETRY_TYPE_FLAT_CATMULL_ROM_CURVE, &Geometry::hairs, kHairs);
    parts.add_faces();
    rtcCommitScene(parts.scene);
    parts.find_box();
}

RayScene::~RayScene()
{
    rtcReleaseScene(parts_->scene);
    rtcReleaseDevice(parts_->device);
}

const Ruler& RayScene::ruler() const { return parts_->ruler; }

bool RayScene::has_glass() const { return parts_->has_glass; }

std::optional<Hit> RayScene::find_thing(const Ray& ray, float reach) const
{
    const auto& [origin, direction, time] = ray;
    if (parts_->passes_by(origin, direction, reach))
        return std::nullopt;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRayHit query{};
    query.ray = {origin.x,    origin.y, origin.z, 0,   direction.x, direction.y,
                 direction.z, time,     reach,    ~0u, 0,           0};
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(parts_->scene, &context, &query);
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID)
        return std::nullopt;
    Vec normal = parts_->normal_of(query.hit, time);
    if (normal == Vec{0, 0, 0}) // a flat hair may have none
        normal = -direction;
    const bool is_inside = dot(normal, direction) > 0;
    if (is_inside)
        normal = -normal;
    Hit hit{.distance = query.ray.tfar,
            .position = origin + direction * query.ray.tfar + normal * kLift,
            .normal = normal,
            .paint = &parts_->geometry.paints[parts_->paint_of(query.hit)],
            .is_inside = is_inside};
    if (hit.paint->pattern >= LookPattern::rope &&
        (query.hit.geomID == kCurves || query.hit.geomID == kHairs))
        parts_->add_curve_place(query.hit, direction, hit);
    return hit;
}

std::optional<Hit> RayScene::find_hit(const Ray& ray) const
{
    std::optional<Hit> hit = find_thing(ray);
    const auto try_plane = [&](const Plane& plane, bool is_floor) {
        const float slope = dot(plane.normal, ray.direction);
        const float t = (plane.offset - dot(plane.normal, ray.origin)) / slope;
        if (slope == 0 || !(t > 0) || t >= kFar || (hit && hit->distance <= t))
            return;
        const Vec normal = slope < 0 ? plane.normal : -plane.normal;
        hit = Hit{.distance = t,
                  .position = ray.origin + ray.direction * t + normal * kLift,
                  .normal = normal,
                  .paint = is_floor ? &parts_->floor_paint : &parts_->geometry.paints[plane.paint],
                  .is_floor = is_floor,
                  .is_plane = true};
    };
    for (const Plane& plane : parts_->geometry.planes)
        try_plane(plane, false);
    if (parts_->floor)
        try_plane(*parts_->floor, true);
    return hit;
}

bool RayScene::is_blocked(const Ray& ray) const
{
    if (parts_->passes_by(ray.origin, ray.direction, kFar))
        return false;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRay query{ray.origin.x,
                 ray.origin.y,
                 ray.origin.z,
                 0,
                 ray.direction.x,
                 ray.direction.y,
                 ray.direction.z,
                 ray.time,
                 kFar,
                 ~0u,
                 0,
                 0};
    rtcOccluded1(parts_->scene, &context, &query);
    return query.tfar < 0;
}

} // namespace sinew::picture
