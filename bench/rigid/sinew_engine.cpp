// Ours, behind the public headers: a pile alone, as the rivals have it.

#include "engine.h"

#include "models/rigid/pile.h"

#include <cstdlib>

namespace sinew::bench {

namespace {

CollisionShape make_shape(const StackShape& shape)
{
    switch (shape.kind) {
    case StackShapeKind::box: return make_box(shape.half * 2.0);
    case StackShapeKind::sphere: return make_sphere(shape.radius);
    case StackShapeKind::hull: break;
    }
    auto hull = make_hull(shape.corners);
    if (!hull)
        std::abort(); // a scene of ours
    return make_convex(*std::move(hull));
}

class SinewEngine : public StackEngine {
public:
    SinewEngine(const StackScene& scene, double h) : h_(h)
    {
        pile_.gravity = scene.gravity;
        std::vector<std::shared_ptr<const CollisionShape>> shapes;
        for (const StackShape& shape : scene.shapes)
            shapes.push_back(std::make_shared<CollisionShape>(make_shape(shape)));
        std::vector<BodyState> start;
        for (const StackBody& body : scene.bodies) {
            const auto index = static_cast<std::uint32_t>(pile_.bodies.size());
            pile_.shapes.push_back(
                {.shape = shapes[body.shape], .body = index, .friction = scene.friction});
            pile_.bodies.push_back({.mass = body.mass,
                                    .inertia = scene.shapes[body.shape].inertia * body.mass,
                                    .first_shape = index,
                                    .shape_count = 1});
            start.push_back({.x = body.x, .q = body.q, .v = body.v});
        }
        state_ = make_pile_state(pile_, std::move(start));
    }

    void step() override { report_ = step_pile(pile_, options_, h_, state_, *work_); }
    std::size_t contact_count() const override { return std::size_t(report_.contacts); }

    MovingPose pose(std::size_t body) const override
    {
        const BodyState& now = state_.bodies[body];
        return {now.x, now.q, now.v};
    }

private:
    Pile pile_;
    PileOptions options_;
    PileState state_;
    PileReport report_;
    std::shared_ptr<PileWork> work_ = make_pile_work();
    double h_;
};

} // namespace

StackEnginePointer make_sinew_engine(const StackScene& scene, double h)
{
    return std::make_unique<SinewEngine>(scene, h);
}

} // namespace sinew::bench
