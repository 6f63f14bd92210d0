#include "engine.h"

#ifndef SINEW_HAS_MUJOCO

sinew::bench::StackEnginePointer sinew::bench::make_mujoco_engine(const StackScene&, double)
{
    return nullptr;
}

#else

#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>

namespace sinew::bench {

namespace {

std::ostream& operator<<(std::ostream& out, const Vec3& v)
{
    return out << v.x << ' ' << v.y << ' ' << v.z;
}

void write_body(std::ostream& out, const StackScene& scene, std::size_t i)
{
    const StackBody& body = scene.bodies[i];
    const StackShape& shape = scene.shapes[body.shape];
    out << "<body name='b" << i << "' pos='" << body.x << "' quat='" << body.q.w << ' '
        << body.q.vector() << "'>";
    if (body.mass > 0)
        out << "<freejoint/><inertial pos='0 0 0' mass='" << body.mass << "' diaginertia='"
            << shape.inertia * body.mass << "'/>";
    if (shape.kind == StackShapeKind::box)
        out << "<geom type='box' size='" << shape.half << "'/>";
    else if (shape.kind == StackShapeKind::sphere)
        out << "<geom type='sphere' size='" << shape.radius << "'/>";
    else
        out << "<geom type='mesh' mesh='m" << body.shape << "'/>";
    out << "</body>";
}

/// The scene in MuJoCo's own language.
std::string make_text(const StackScene& scene, double h)
{
    std::ostringstream out;
    out.precision(17);
    // Before 3.0 rows times (rows + degrees of freedom) must stay under 2 GiB.
    const bool is_big = scene.bodies.size() > 500;
    out << "<mujoco><size njmax='" << (is_big ? 8000 : 10000) << "' nconmax='4000' nstack='"
        << (is_big ? 120'000'000 : 60'000'000) << "'/><option timestep='" << h << "' gravity='"
        << scene.gravity << "'/><default><geom condim='3' friction='" << scene.friction
        << " 0.005 0.0001'/></default><asset>";
    for (std::size_t i = 0; i < scene.shapes.size(); ++i) {
        if (scene.shapes[i].kind != StackShapeKind::hull)
            continue;
        out << "<mesh name='m" << i << "' vertex='";
        for (const Vec3& corner : scene.shapes[i].corners)
            out << corner << ' ';
        out << "'/>";
    }
    out << "</asset><worldbody>";
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
        write_body(out, scene, i);
    out << "</worldbody></mujoco>";
    return out.str();
}

class MujocoEngine : public StackEngine {
public:
    MujocoEngine(const StackScene& scene, double h)
    {
        const std::string text = make_text(scene, h);
        const auto files = std::make_unique<mjVFS>();
        mj_defaultVFS(files.get());
        mj_makeEmptyFileVFS(files.get(), "scene.xml", static_cast<int>(text.size()));
        std::memcpy(files->filedata[0], text.data(), text.size());
        char error[1000] = "";
        model_ = mj_loadXML("scene.xml", files.get(), error, sizeof error);
        mj_deleteVFS(files.get());
        if (!model_) {
            std::fprintf(stderr, "%s\n", error);
            std::abort();
        }
        data_ = mj_makeData(model_);
        for (std::size_t i = 0; i < scene.bodies.size(); ++i)
            ids_.push_back(mj_name2id(model_, mjOBJ_BODY, ("b" + std::to_string(i)).c_str()));
    }
    ~MujocoEngine() override
    {
        mj_deleteData(data_);
        mj_deleteModel(model_);
    }

    void step() override { mj_step(model_, data_); }

    MovingPose pose(std::size_t i) const override
    {
        const int joint = model_->body_jntadr[ids_[i]];
        const mjtNum* q = data_->qpos + model_->jnt_qposadr[joint];
        const mjtNum* v = data_->qvel + model_->jnt_dofadr[joint];
        return {{q[0], q[1], q[2]}, {q[4], q[5], q[6], q[3]}, {v[0], v[1], v[2]}};
    }

private:
    mjModel* model_ = nullptr;
    mjData* data_ = nullptr;
    std::vector<int> ids_;
};

} // namespace

StackEnginePointer make_mujoco_engine(const StackScene& scene, double h)
{
    return std::make_unique<MujocoEngine>(scene, h);
}

} // namespace sinew::bench

#endif
