// A strand kernel by itself: what one more iteration costs.

#include "kernels.h"

#include "../timing.h"
#include "models/strand/lanes/batch.h"
#include "models/strand/plan.h"

#include <array>
#include <cmath>

namespace sinew::bench {

namespace {

using namespace strand;

constexpr double kStep = 1.0 / 240;

/// Operations of an exact iteration, counted by a test.
constexpr double kOperations = 1630 + 415;

/// Hair of 1 cm segments: 0.5 mm, 10 MPa, a little damped.
std::vector<SegmentData> make_strand(int count, bool is_tree)
{
    const double l = 0.01, r = 0.0005, pi = 3.14159265358979, EI = 1e7 * pi * r * r * r * r / 4;
    std::vector<SegmentData> segments;
    for (int i = 0; i < count; ++i) {
        SegmentData s;
        s.parent = i - 1;
        if (is_tree && i > 0 && i % 8 == 0) {
            s.parent = i / 2;
            s.attach = i % 16 == 0 ? 1 : 0.4;
        }
        s.length = l;
        s.mass = 1300 * pi * r * r * l;
        s.inertia = inertia_of_cylinder(s.mass, l, r);
        s.stiffness = Vec3{EI, EI / 1.3, EI} * ((i == 0 ? 4 : 2) / l);
        s.damping = s.stiffness * 0.01;
        s.rest = i == 0 ? rotation_about(Vec3{1, 0, 0}, 2.9) : exp_quat(Vec3{0.02, 0, 0.01});
        segments.push_back(s);
    }
    return segments;
}

struct Swing : BaseSource {
    PoseMotion base_at(std::uint32_t, double time) const noexcept override
    {
        const double w = 6, a = 0.05;
        PoseMotion m;
        m.pose.translation = {a * std::sin(w * time), 0, 0};
        m.velocity = {a * w * std::cos(w * time), 0, 0};
        m.acceleration = {-a * w * w * std::sin(w * time), 0, 0};
        return m;
    }
    Vec3 gravity_at(double) const noexcept override { return {0, -9.81, 0}; }
};

struct Run {
    double seconds = 0;
    long solves = 0;
};

/// A full batch of equal strands for some steps, from rest.
Run run(const Kernel& kernel, const std::vector<SegmentData>& segments, const Effort& effort,
        int steps)
{
    const TreeShape shape(segments);
    const Units units = units_of(segments, kStep);
    const std::size_t n = segments.size();
    const int width = kernel.width();
    std::vector<Quat> turn;
    for (const SegmentData& s : segments)
        turn.push_back(s.parent < 0 ? s.rest : turn[s.parent] * s.rest);
    std::vector<double> turns, rates(3 * n * width), memory(6 * n * width);
    for (int k = 0; k < width; ++k)
        for (const Quat& q : turn)
            turns.insert(turns.end(), {q.x, q.y, q.z, q.w});
    std::vector<StepOutcome> outcomes(width);
    std::vector<Rider> riders;
    Storage params, room;
    for (int k = 0; k < width; ++k) {
        kernel.set_params(params, k, static_cast<int>(n), make_params(segments, units));
        riders.push_back(
            {0, units, &turns[4 * n * k], &rates[3 * n * k], &memory[6 * n * k], &outcomes[k]});
    }
    const Swing base;
    Run out;
    for (int i = 0; i < steps; ++i) {
        const double start = seconds_now();
        kernel.step(shape.view(), params, nullptr, {}, false, riders, base, i * kStep,
                    (i + 1) * kStep, effort, room);
        out.seconds += seconds_now() - start;
        out.solves += outcomes[0].solves;
    }
    return out;
}

Run fastest(const Kernel& kernel, const std::vector<SegmentData>& segments, const Effort& effort,
            int steps)
{
    Run best{1e9, 0};
    for (int i = 0; i < 2 * kRepeats; ++i)
        if (const Run r = run(kernel, segments, effort, steps); r.seconds < best.seconds)
            best = r;
    return best;
}

/// From a loose and a tight tolerance: the further solves alone.
double iteration_time(const Kernel& kernel, const std::vector<SegmentData>& segments, Effort effort,
                      int steps, double& whole)
{
    effort.least_solves = 1;
    const Run few = fastest(kernel, segments, effort, steps);
    effort.least_solves = 5;
    const Run many = fastest(kernel, segments, effort, steps);
    const double per = 1e9 / (static_cast<double>(segments.size()) * kernel.width());
    whole = few.seconds * per / static_cast<double>(few.solves);
    return (many.seconds - few.seconds) * per / static_cast<double>(many.solves - few.solves);
}

} // namespace

std::vector<KernelTime> time_kernels(int count, bool is_tree)
{
    const std::vector<SegmentData> segments = make_strand(count, is_tree);
    const int steps = 2000 / count + 2;
    std::vector<KernelTime> times;
    for (const bool is_float : {false, true}) {
        const double peak = find_peak(is_float);
        for (const InstructionSet set :
             {InstructionSet::scalar, InstructionSet::avx2, InstructionSet::avx512}) {
            const Kernel* kernel = find_kernel(set, is_float);
            if (!kernel)
                continue;
            Effort effort;
            effort.tolerance = is_float ? 1e-4 : 1e-7;
            KernelTime time{kernel->name(), count, is_tree};
            time.exact = iteration_time(*kernel, segments, effort, steps, time.whole);
            effort.is_symmetric = true;
            double unused = 0;
            time.symmetric = iteration_time(*kernel, segments, effort, steps, unused);
            time.peak_share = kOperations / (time.exact * 1e-9) / peak;
            times.push_back(time);
        }
    }
    return times;
}

double time_one_step(int segments)
{
    const int steps = 100;
    return fastest(*find_kernel(InstructionSet::scalar, false), make_strand(segments, false), {},
                   steps)
               .seconds /
           steps;
}

} // namespace sinew::bench
