#include "simbody_rival.h"

#ifdef SINEW_HAS_SIMBODY

#include <Simbody.h>

namespace sinew::bench {

namespace {

class Chain final : public SimbodyChain {
public:
    Chain(int masses, double angle)
        : matter_(system_), forces_(system_), gravity_(forces_, matter_, SimTK::Vec3(0, -9.81, 0))
    {
        const SimTK::Body::Rigid body(
            SimTK::MassProperties(1.0, SimTK::Vec3(0), SimTK::Inertia(0)));
        SimTK::MobilizedBodyIndex above = SimTK::GroundIndex;
        for (int i = 0; i < masses; ++i) {
            SimTK::MobilizedBody::Pin link(matter_.updMobilizedBody(above), SimTK::Vec3(0), body,
                                           SimTK::Vec3(0, 1, 0));
            above = link.getMobilizedBodyIndex();
        }
        state_ = system_.realizeTopology();
        system_.realizeModel(state_);
        state_.updQ() = 0;
        state_.updQ()[0] = angle;
        q_ = q_stage_ = q_sum_ = state_.getQ();
        u_ = u_stage_ = u_sum_ = state_.getU();
    }

    void step(double h) override
    {
        constexpr double kNodes[] = {0.5, 0.5, 1, 0},
                         kWeights[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
        q_stage_ = q_sum_ = q_;
        u_stage_ = u_sum_ = u_;
        for (int stage = 0; stage < 4; ++stage) {
            const SimTK::Vector& a = accelerate(q_stage_, u_stage_);
            for (int i = 0; i < q_.size(); ++i) {
                q_sum_[i] += h * kWeights[stage] * u_stage_[i];
                u_sum_[i] += h * kWeights[stage] * a[i];
                q_stage_[i] = q_[i] + h * kNodes[stage] * u_stage_[i];
                u_stage_[i] = u_[i] + h * kNodes[stage] * a[i];
            }
        }
        q_ = q_sum_;
        u_ = u_sum_;
    }

    double angle(int link) const override { return q_[link]; }

private:
    const SimTK::Vector& accelerate(const SimTK::Vector& q, const SimTK::Vector& u)
    {
        state_.updQ() = q; // says that everything behind it is out of date
        state_.updU() = u;
        system_.realize(state_, SimTK::Stage::Acceleration);
        return state_.getUDot();
    }

    SimTK::MultibodySystem system_;
    SimTK::SimbodyMatterSubsystem matter_;
    SimTK::GeneralForceSubsystem forces_;
    SimTK::Force::UniformGravity gravity_;
    SimTK::State state_;
    SimTK::Vector q_, u_, q_stage_, u_stage_, q_sum_, u_sum_;
};

} // namespace

std::unique_ptr<SimbodyChain> SimbodyChain::make(int masses, double angle)
{
    return std::make_unique<Chain>(masses, angle);
}

} // namespace sinew::bench

#else

namespace sinew::bench {

std::unique_ptr<SimbodyChain> SimbodyChain::make(int, double) { return nullptr; }

} // namespace sinew::bench

#endif
