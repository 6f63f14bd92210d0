// The only place that knows Embree.

#include "render/stage.h"

#include "base/contract.h"
#include "render/geometry.h"

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
                const std::vector<T>& items)
{
    void* to = rtcSetNewGeometryBuffer(geometry, type, 0, format, sizeof(T), items.size());
    SINEW_EXPECTS(to != nullptr);
    std::memcpy(to, items.data(), items.size() * sizeof(T));
}

enum Part : unsigned { kSpheres, kLines, kCurves, kFaces };

} // namespace

struct Stage::Parts {
    Ruler ruler;
    Geometry geometry;
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

    void add_round(RTCGeometryType type, const RoundPieces& pieces, unsigned part) const
    {
        if (pieces.looks.empty())
            return;
        RTCGeometry shape = rtcNewGeometry(device, type);
        set_buffer(shape, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4, pieces.points);
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
        set_buffer(shape, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, faces.vertices);
        set_buffer(shape, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, faces.corners);
        attach(shape, kFaces);
    }

    std::uint32_t look_of(const RTCHit& hit) const
    {
        switch (hit.geomID) {
        case kSpheres: return geometry.spheres.looks[hit.primID];
        case kLines: return geometry.lines.looks[hit.primID];
        case kCurves: return geometry.curves.looks[hit.primID];
        default: return geometry.faces.looks[hit.primID];
        }
    }

    Vec normal_of(const RTCHit& hit) const
    {
        if (hit.geomID != kFaces)
            return normalised(Vec{hit.Ng_x, hit.Ng_y, hit.Ng_z});
        const auto& [a, b, c] = geometry.faces.corners[hit.primID];
        const std::vector<Vec>& normals = geometry.faces.normals;
        return normalised(normals[a] * (1 - hit.u - hit.v) + normals[b] * hit.u +
                          normals[c] * hit.v);
    }
};

Stage::Stage(const Display& display, const DisplayFrame& frame, const RenderOptions& options)
    : parts_(std::make_unique<Parts>())
{
    Parts& parts = *parts_;
    parts.ruler = {options.camera.target, 100 * display.unit};
    parts.geometry = make_geometry(parts.ruler, display, frame, options);
    if (options.floor && options.camera.position.y > *options.floor) {
        const Vec3 below{options.camera.target.x, *options.floor, options.camera.target.z};
        parts.floor = Plane{{0, 1, 0}, parts.ruler.point(below).y, 0};
    }
    parts.device = rtcNewDevice(nullptr);
    SINEW_EXPECTS(parts.device != nullptr);
    parts.scene = rtcNewScene(parts.device);
    rtcSetSceneFlags(parts.scene, RTC_SCENE_FLAG_ROBUST);
    parts.add_round(RTC_GEOMETRY_TYPE_SPHERE_POINT, parts.geometry.spheres, kSpheres);
    parts.add_round(RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE, parts.geometry.lines, kLines);
    parts.add_round(RTC_GEOMETRY_TYPE_ROUND_CATMULL_ROM_CURVE, parts.geometry.curves, kCurves);
    parts.add_faces();
    rtcCommitScene(parts.scene);
    parts.find_box();
}

Stage::~Stage()
{
    rtcReleaseScene(parts_->scene);
    rtcReleaseDevice(parts_->device);
}

const Ruler& Stage::ruler() const { return parts_->ruler; }

std::optional<Hit> Stage::find_thing(const Vec& origin, const Vec& direction, float reach) const
{
    if (parts_->passes_by(origin, direction, reach))
        return std::nullopt;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRayHit query{};
    query.ray = {origin.x,    origin.y, origin.z, 0,   direction.x, direction.y,
                 direction.z, 0,        reach,    ~0u, 0,           0};
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(parts_->scene, &context, &query);
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID)
        return std::nullopt;
    const Look& look = parts_->geometry.looks[parts_->look_of(query.hit)];
    Vec normal = parts_->normal_of(query.hit);
    if (dot(normal, direction) > 0)
        normal = -normal;
    Hit hit{.distance = query.ray.tfar,
            .position = origin + direction * query.ray.tfar + normal * kLift,
            .normal = normal,
            .colour = look.colour,
            .object = look.object};
    return hit;
}

std::optional<Hit> Stage::find_hit(const Vec& origin, const Vec& direction) const
{
    std::optional<Hit> hit = find_thing(origin, direction);
    const auto try_plane = [&](const Plane& plane, bool is_floor) {
        const float slope = dot(plane.normal, direction);
        const float t = (plane.offset - dot(plane.normal, origin)) / slope;
        if (slope == 0 || !(t > 0) || t >= kFar || (hit && hit->distance <= t))
            return;
        const Vec normal = slope < 0 ? plane.normal : -plane.normal;
        const Look floor;
        const Look& look = is_floor ? floor : parts_->geometry.looks[plane.look];
        hit = Hit{.distance = t,
                  .position = origin + direction * t + normal * kLift,
                  .normal = normal,
                  .colour = look.colour,
                  .object = look.object,
                  .is_floor = is_floor};
    };
    for (const Plane& plane : parts_->geometry.planes)
        try_plane(plane, false);
    if (parts_->floor)
        try_plane(*parts_->floor, true);
    return hit;
}

bool Stage::is_blocked(const Vec& origin, const Vec& direction) const
{
    if (parts_->passes_by(origin, direction, kFar))
        return false;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRay ray{origin.x,    origin.y, origin.z, 0,   direction.x, direction.y,
               direction.z, 0,        kFar,     ~0u, 0,           0};
    rtcOccluded1(parts_->scene, &context, &ray);
    return ray.tfar < 0;
}

} // namespace sinew::picture
