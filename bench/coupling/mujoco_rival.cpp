#include "rival.h"

#ifndef SINEW_HAS_MUJOCO

std::optional<double> sinew::bench::time_mujoco(const std::string&, int) { return std::nullopt; }

#else

#include "../timing.h"

#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

std::optional<double> sinew::bench::time_mujoco(const std::string& text, int steps)
{
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "scene.xml", static_cast<int>(text.size()));
    std::memcpy(files->filedata[0], text.data(), text.size());
    char error[1000] = "";
    mjModel* model = mj_loadXML("scene.xml", files.get(), error, sizeof error);
    mj_deleteVFS(files.get());
    if (!model) {
        std::fprintf(stderr, "%s\n", error);
        std::abort();
    }
    mjData* data = mj_makeData(model);
    const double start = seconds_now();
    for (int i = 0; i < steps; ++i)
        mj_step(model, data);
    const double spent = seconds_now() - start;
    mj_deleteData(data);
    mj_deleteModel(model);
    return 1e3 * spent / steps;
}

#endif
