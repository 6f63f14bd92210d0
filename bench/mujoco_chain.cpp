#include "mujoco_chain.h"

#ifndef SINEW_HAS_MUJOCO

std::unique_ptr<sinew::bench::MujocoChain> sinew::bench::MujocoChain::make(int, double, double)
{
    return nullptr;
}

#else

#include <fmt/core.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

namespace sinew::bench {

namespace {

/// MuJoCo's parser refuses elements nested deeper than 100, not files that include each other.
constexpr int kLinksOfFile = 50;

std::string file_name(int first) { return fmt::format("chain{}.xml", first); }

/// The file that begins with this link; it includes the next one.
std::string make_text(int first, int masses, double step)
{
    const int end = std::min(first + kLinksOfFile, masses);
    std::string text = first > 0
                           ? "<mujocoinclude>"
                           : fmt::format("<mujoco><size nstack='20000000'/><option timestep='{}' "
                                         "integrator='RK4' gravity='0 -9.81 0'/><worldbody>",
                                         step);
    for (int i = first; i < end; ++i)
        text += fmt::format("<body pos='0 {} 0'><joint type='hinge' axis='0 0 1' pos='0 0 0'/>"
                            "<inertial pos='0 -1 0' mass='1' diaginertia='1e-9 1e-9 1e-9'/>",
                            i == 0 ? 0 : -1);
    if (end < masses)
        text += fmt::format("<include file='{}'/>", file_name(end));
    for (int i = first; i < end; ++i)
        text += "</body>";
    return text + (first > 0 ? "</mujocoinclude>" : "</worldbody></mujoco>");
}

class Chain final : public MujocoChain {
public:
    explicit Chain(mjModel* model) : model_(model), data_(mj_makeData(model)) {}
    Chain(const Chain&) = delete;
    Chain& operator=(const Chain&) = delete;
    ~Chain() override
    {
        mj_deleteData(data_);
        mj_deleteModel(model_);
    }
    void start(double angle) { data_->qpos[0] = angle; }
    void step() override { mj_step(model_, data_); }
    double angle(int link) const override { return data_->qpos[link]; }

private:
    mjModel* model_;
    mjData* data_;
};

} // namespace

std::unique_ptr<MujocoChain> MujocoChain::make(int masses, double angle, double step)
{
    const auto files = std::make_unique<mjVFS>(); // two megabytes
    mj_defaultVFS(files.get());
    for (int first = 0; first < masses; first += kLinksOfFile) {
        const std::string text = make_text(first, masses, step);
        mj_makeEmptyFileVFS(files.get(), file_name(first).c_str(), static_cast<int>(text.size()));
        std::memcpy(files->filedata[first / kLinksOfFile], text.data(), text.size());
    }
    char error[500] = "";
    mjModel* model = mj_loadXML(file_name(0).c_str(), files.get(), error, sizeof error);
    mj_deleteVFS(files.get());
    if (!model) {
        std::fprintf(stderr, "MuJoCo: %s\n", error);
        return nullptr;
    }
    auto chain = std::make_unique<Chain>(model);
    chain->start(angle);
    return chain;
}

} // namespace sinew::bench

#endif
