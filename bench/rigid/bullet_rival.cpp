#include "engine.h"

#ifndef SINEW_HAS_BULLET

sinew::bench::StackEnginePointer sinew::bench::make_bullet_engine(const StackScene&, double)
{
    return nullptr;
}

#else

#include <btBulletDynamicsCommon.h>

#include <cmath>

namespace sinew::bench {

namespace {

btVector3 vector_of(const Vec3& v) { return {btScalar(v.x), btScalar(v.y), btScalar(v.z)}; }

std::unique_ptr<btCollisionShape> make_shape(const StackShape& shape)
{
    if (shape.kind == StackShapeKind::sphere)
        return std::make_unique<btSphereShape>(btScalar(shape.radius));
    if (shape.kind == StackShapeKind::box)
        return std::make_unique<btBoxShape>(vector_of(shape.half));
    auto hull = std::make_unique<btConvexHullShape>();
    for (const Vec3& corner : shape.corners)
        hull->addPoint(vector_of(corner), false);
    hull->recalcLocalAabb();
    hull->setMargin(btScalar(0.001)); // the usual margin would make the stones larger
    hull->initializePolyhedralFeatures();
    return hull;
}

class BulletEngine : public StackEngine {
public:
    BulletEngine(const StackScene& scene, double h) : h_(h)
    {
        world_.setGravity(vector_of(scene.gravity));
        for (const StackShape& shape : scene.shapes)
            shapes_.push_back(make_shape(shape));
        for (const StackBody& body : scene.bodies)
            add(scene, body);
    }
    ~BulletEngine() override
    {
        for (const auto& body : bodies_)
            world_.removeRigidBody(body.get());
    }

    void step() override { world_.stepSimulation(btScalar(h_), 0); }

    MovingPose pose(std::size_t i) const override
    {
        const btTransform& t = bodies_[i]->getWorldTransform();
        const btVector3 x = t.getOrigin(), v = bodies_[i]->getLinearVelocity();
        const btQuaternion q = t.getRotation();
        return {{x.x(), x.y(), x.z()}, {q.x(), q.y(), q.z(), q.w()}, {v.x(), v.y(), v.z()}};
    }

    std::size_t contact_count() const override
    {
        std::size_t count = 0;
        for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
            // Not const in Bullet's older versions.
            auto& dispatcher = const_cast<btCollisionDispatcher&>(dispatcher_);
            count += std::size_t(dispatcher.getManifoldByIndexInternal(i)->getNumContacts());
        }
        return count;
    }

private:
    void add(const StackScene& scene, const StackBody& body)
    {
        const Quat& q = body.q;
        const btTransform place(
            btQuaternion(btScalar(q.x), btScalar(q.y), btScalar(q.z), btScalar(q.w)),
            vector_of(body.x));
        btRigidBody::btRigidBodyConstructionInfo info(
            btScalar(body.mass), nullptr, shapes_[body.shape].get(),
            vector_of(scene.shapes[body.shape].inertia * body.mass));
        info.m_startWorldTransform = place;
        info.m_friction = btScalar(std::sqrt(scene.friction)); // Bullet multiplies the two
        bodies_.push_back(std::make_unique<btRigidBody>(info));
        bodies_.back()->setLinearVelocity(vector_of(body.v));
        bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
        world_.addRigidBody(bodies_.back().get());
    }

    double h_;
    btDefaultCollisionConfiguration config_;
    btCollisionDispatcher dispatcher_{&config_};
    btDbvtBroadphase broad_phase_;
    btSequentialImpulseConstraintSolver solver_;
    btDiscreteDynamicsWorld world_{&dispatcher_, &broad_phase_, &solver_, &config_};
    std::vector<std::unique_ptr<btCollisionShape>> shapes_;
    std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

} // namespace

StackEnginePointer make_bullet_engine(const StackScene& scene, double h)
{
    return std::make_unique<BulletEngine>(scene, h);
}

} // namespace sinew::bench

#endif
