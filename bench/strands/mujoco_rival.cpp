#include "rivals.h"

#ifndef SINEW_HAS_MUJOCO

double sinew::bench::time_mujoco_step(int) { return -1; }

#else

#include "../timing.h"

#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstring>
#include <string>

namespace sinew::bench {

namespace {

/// Rods of 1 cm and a gram with springs and dampers in their joints, held out sideways.
std::string make_text(int segments)
{
    std::string text = "<mujoco><size nstack='20000000'/>"
                       "<option timestep='0.004166666666666667' integrator='implicit'/>"
                       "<default><geom contype='0' conaffinity='0'/></default><worldbody>";
    for (int i = 0; i < segments; ++i)
        text += std::string("<body pos='") + (i == 0 ? "0" : "0.01") +
                " 0 0'><joint type='ball' stiffness='1e-4' damping='1e-6'/>"
                "<geom type='capsule' size='0.002' fromto='0 0 0 0.01 0 0' mass='0.001'/>";
    for (int i = 0; i < segments; ++i)
        text += "</body>";
    return text + "</worldbody></mujoco>";
}

} // namespace

double time_mujoco_step(int segments)
{
    const std::string text = make_text(segments);
    mjVFS files;
    mj_defaultVFS(&files);
    mj_makeEmptyFileVFS(&files, "chain.xml", static_cast<int>(text.size()));
    std::memcpy(files.filedata[0], text.data(), text.size());
    char error[500] = "";
    mjModel* model = mj_loadXML("chain.xml", &files, error, sizeof error);
    mj_deleteVFS(&files);
    if (!model) {
        std::fprintf(stderr, "MuJoCo: %s\n", error);
        return -1;
    }
    mjData* data = mj_makeData(model);
    for (int i = 0; i < 48; ++i)
        mj_step(model, data);
    const double seconds = seconds_per_call([&] { mj_step(model, data); });
    mj_deleteData(data);
    mj_deleteModel(model);
    return seconds;
}

} // namespace sinew::bench

#endif
