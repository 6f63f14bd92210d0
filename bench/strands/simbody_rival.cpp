// Simbody in a process of its own: it brings an integrator whose names are also those of SUNDIALS.
//
//   bench_strands_simbody SEGMENTS      prints the seconds for 1/240 s

#include "../timing.h"

#include <Simbody.h>

#include <cstdio>
#include <cstdlib>

namespace {

using namespace sinew::bench;

double time_simbody_step(int segments)
{
    constexpr double kStep = 1.0 / 240;
    SimTK::MultibodySystem system;
    SimTK::SimbodyMatterSubsystem matter(system);
    SimTK::GeneralForceSubsystem forces(system);
    const SimTK::Force::UniformGravity gravity(forces, matter, SimTK::Vec3(0, -9.81, 0));
    const double m = 0.001, l = 0.01;
    const SimTK::Body::Rigid rod(SimTK::MassProperties(
        m, SimTK::Vec3(l / 2, 0, 0), SimTK::Inertia(m * 4e-6, m * l * l / 3, m * l * l / 3)));
    SimTK::MobilizedBodyIndex above = SimTK::GroundIndex;
    for (int i = 0; i < segments; ++i) {
        SimTK::MobilizedBody& parent = matter.updMobilizedBody(above);
        SimTK::MobilizedBody::Ball link(parent, SimTK::Vec3(i == 0 ? 0 : l, 0, 0), rod,
                                        SimTK::Vec3(0));
        // Springs and dampers about three axes, none along them.
        SimTK::Force::LinearBushing(forces, parent,
                                    SimTK::Transform(SimTK::Vec3(i == 0 ? 0 : l, 0, 0)), link,
                                    SimTK::Transform(), SimTK::Vec6(1e-4, 1e-4, 1e-4, 0, 0, 0),
                                    SimTK::Vec6(1e-6, 1e-6, 1e-6, 0, 0, 0));
        above = link.getMobilizedBodyIndex();
    }
    const SimTK::State state = system.realizeTopology();
    SimTK::CPodesIntegrator integrator(system, SimTK::CPodes::BDF, SimTK::CPodes::Newton);
    integrator.setAccuracy(1e-3);
    SimTK::TimeStepper stepper(system, integrator);
    stepper.initialize(state);
    double time = 0.2, fastest = 1e9;
    stepper.stepTo(time);
    for (int i = 0; i < kRepeats; ++i) {
        const double start = seconds_now();
        time += kStep;
        stepper.stepTo(time);
        fastest = std::min(fastest, seconds_now() - start);
    }
    return fastest;
}

} // namespace

int main(int, char** arguments)
{
    std::printf("%.9g\n", time_simbody_step(std::atoi(arguments[1])));
}
