#include "engine.h"

#ifndef SINEW_HAS_ODE

sinew::bench::StackEnginePointer sinew::bench::make_ode_engine(const StackScene&, double)
{
    return nullptr;
}

#else

#include <ode/ode.h>

namespace sinew::bench {

namespace {

/// Lists that ODE's convex shapes point into.
struct OdeHull {
    std::vector<dReal> planes = {}, points = {};
    std::vector<unsigned> polygons = {};

    explicit OdeHull(const StackShape& shape)
    {
        for (const Vec3& p : shape.corners)
            points.insert(points.end(), {p.x, p.y, p.z});
        const auto at = [&](int i) { return shape.corners[std::size_t(i)]; };
        for (const auto& f : shape.faces) {
            const Vec3 n = normalised(cross(at(f[1]) - at(f[0]), at(f[2]) - at(f[0])));
            planes.insert(planes.end(), {n.x, n.y, n.z, dot(n, at(f[0]))});
            polygons.push_back(unsigned(f.size()));
            for (const int i : f)
                polygons.push_back(unsigned(i));
        }
    }
};

class OdeEngine : public StackEngine {
public:
    OdeEngine(const StackScene& scene, double h) : h_(h), friction_(scene.friction)
    {
        dInitODE2(0);
        world_ = dWorldCreate();
        space_ = dHashSpaceCreate(nullptr);
        contacts_ = dJointGroupCreate(0);
        dWorldSetGravity(world_, scene.gravity.x, scene.gravity.y, scene.gravity.z);
        for (const StackShape& shape : scene.shapes)
            hulls_.emplace_back(shape);
        for (const StackBody& body : scene.bodies)
            add(scene, body);
    }
    ~OdeEngine() override
    {
        dJointGroupDestroy(contacts_);
        dSpaceDestroy(space_);
        dWorldDestroy(world_);
    }

    void step() override
    {
        dJointGroupEmpty(contacts_);
        dSpaceCollide(space_, this, &OdeEngine::touch);
        dWorldQuickStep(world_, h_);
    }

    MovingPose pose(std::size_t i) const override
    {
        const dReal* x = dBodyGetPosition(bodies_[i]);
        const dReal* q = dBodyGetQuaternion(bodies_[i]);
        const dReal* v = dBodyGetLinearVel(bodies_[i]);
        return {{x[0], x[1], x[2]}, {q[1], q[2], q[3], q[0]}, {v[0], v[1], v[2]}};
    }

private:
    dGeomID make_geometry(const StackShape& shape, OdeHull& hull)
    {
        if (shape.kind == StackShapeKind::box)
            return dCreateBox(space_, 2 * shape.half.x, 2 * shape.half.y, 2 * shape.half.z);
        if (shape.kind == StackShapeKind::sphere)
            return dCreateSphere(space_, shape.radius);
        return dCreateConvex(space_, hull.planes.data(), unsigned(hull.planes.size() / 4),
                             hull.points.data(), unsigned(hull.points.size() / 3),
                             hull.polygons.data());
    }

    void add(const StackScene& scene, const StackBody& body)
    {
        const StackShape& shape = scene.shapes[body.shape];
        dGeomID geometry = make_geometry(shape, hulls_[body.shape]);
        const dQuaternion q = {body.q.w, body.q.x, body.q.y, body.q.z};
        bodies_.push_back(nullptr);
        if (body.mass == 0) {
            dGeomSetPosition(geometry, body.x.x, body.x.y, body.x.z);
            dGeomSetQuaternion(geometry, q);
            return;
        }
        const Vec3 inertia = shape.inertia * body.mass;
        dMass mass;
        dMassSetParameters(&mass, body.mass, 0, 0, 0, inertia.x, inertia.y, inertia.z, 0, 0, 0);
        dBodyID moving = bodies_.back() = dBodyCreate(world_);
        dBodySetMass(moving, &mass);
        dGeomSetBody(geometry, moving);
        dBodySetPosition(moving, body.x.x, body.x.y, body.x.z);
        dBodySetQuaternion(moving, q);
        dBodySetAutoDisableFlag(moving, 0);
    }

    static void touch(void* data, dGeomID a, dGeomID b)
    {
        constexpr int kMost = 8;
        auto& self = *static_cast<OdeEngine*>(data);
        if (!dGeomGetBody(a) && !dGeomGetBody(b))
            return;
        dContact contact[kMost];
        const int count = dCollide(a, b, kMost, &contact[0].geom, sizeof(dContact));
        for (int i = 0; i < count; ++i) {
            // Convex pairs that just touch can come back without a normal, which would make the
            // whole world NaN.
            const dReal* n = contact[i].geom.normal;
            if (!(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] > 0.5))
                continue;
            contact[i].surface = {};
            contact[i].surface.mode = dContactApprox1;
            contact[i].surface.mu = self.friction_;
            dJointAttach(dJointCreateContact(self.world_, self.contacts_, &contact[i]),
                         dGeomGetBody(a), dGeomGetBody(b));
        }
    }

    double h_, friction_;
    dWorldID world_ = nullptr;
    dSpaceID space_ = nullptr;
    dJointGroupID contacts_ = nullptr;
    std::vector<dBodyID> bodies_;
    std::vector<OdeHull> hulls_;
};

} // namespace

StackEnginePointer make_ode_engine(const StackScene& scene, double h)
{
    return std::make_unique<OdeEngine>(scene, h);
}

} // namespace sinew::bench

#endif
