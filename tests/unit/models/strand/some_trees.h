#pragma once

// Trees for the tests of strands.

#include "models/strand/lanes/kernels.h"
#include "models/strand/plan.h"

#include <functional>
#include <numbers>
#include <random>
#include <vector>

namespace sinew::strand {

inline Quat shortest_turn(const Vec3& a, const Vec3& b)
{
    const Vec3 c = cross(a, b);
    if (dot(a, b) < -0.999999) // of y and −y
        return {1, 0, 0, 0};
    return normalised(Quat{c.x, c.y, c.z, 1 + dot(a, b)});
}

/// Half-cell root: the first joint stands for half a segment.
inline std::vector<SegmentData> round_curve(int count, double length, double radius, double density,
                                            double young, double damping,
                                            const std::function<Vec3(double)>& direction)
{
    std::vector<SegmentData> segments;
    const double pi = std::numbers::pi, l = length / count;
    const double EI = young * pi * radius * radius * radius * radius / 4, GJ = EI / 1.3;
    Quat frame;
    for (int i = 0; i < count; ++i) {
        const Vec3 d = normalised(direction((i + 0.5) / count));
        SegmentData s;
        s.parent = i - 1;
        s.length = l;
        s.mass = density * pi * radius * radius * l;
        s.inertia = inertia_of_cylinder(s.mass, l, radius);
        s.rest = shortest_turn({0, 1, 0}, rotate(conjugate(frame), d));
        frame = frame * s.rest;
        const double f = (i == 0 ? 4 : 2) / l;
        s.stiffness = {f * EI, f * GJ, f * EI};
        s.damping = s.stiffness * (damping / 2);
        segments.push_back(s);
    }
    return segments;
}

/// Any tree: unequal segments, anisotropic joints, bent at rest.
inline std::vector<SegmentData> random_tree(int count, bool is_branched, double stiffness,
                                            double drag, unsigned seed)
{
    std::mt19937 random(seed);
    const auto uniform = [&] { return 2 * (static_cast<double>(random()) / 4294967296.0) - 1; };
    std::vector<SegmentData> segments;
    for (int i = 0; i < count; ++i) {
        SegmentData s;
        s.parent = i - 1;
        if (is_branched && i > 2 && random() % 3 == 0)
            s.parent = static_cast<int>(random() % static_cast<unsigned>(i));
        if (is_branched && s.parent >= 0 && random() % 4 == 0)
            s.attach = 0.5 * (uniform() + 1);
        s.length = 1 + 0.3 * uniform();
        s.mass = 1 + 0.3 * uniform();
        s.inertia = inertia_of_cylinder(s.mass, s.length, 0.1);
        const double k = stiffness * (1 + 0.5 * uniform());
        s.stiffness = {k, 0.7 * k, 1.4 * k};
        s.damping = Vec3{0.02, 0.01, 0.03} * k;
        s.rest = exp_quat(Vec3{uniform(), uniform(), uniform()} * 0.4);
        s.drag_along = drag * (1 + 0.5 * uniform());
        s.drag_across = 3 * drag * (1 + 0.5 * uniform());
        s.offset = s.parent < 0 ? Vec3{0.2, -0.1, 0.3} : Vec3{0, 0, 0};
        segments.push_back(s);
    }
    return segments;
}

/// A strand that is stepped by itself.
struct Runner {
    std::vector<SegmentData> segments;
    TreeShape shape;
    Units units;
    std::vector<double> turns, rates, memory;
    StepOutcome outcome = {};
    Storage params = {}, room = {};
    Effort effort = {};
    bool has_drag = false;
    int stages = 0, solves = 0, halvings = 0, worst = 0, unconverged = 0;

    Runner(std::vector<SegmentData> data, double step, Quat base = {})
        : segments(std::move(data)), shape(segments), units(units_of(segments, step))
    {
        for (const SegmentData& s : segments) {
            const Quat before = s.parent < 0 ? base : turn(s.parent);
            const Quat q = before * s.rest;
            turns.insert(turns.end(), {q.x, q.y, q.z, q.w});
            has_drag = has_drag || s.drag_across > 0 || s.drag_along > 0;
        }
        rates.assign(3 * segments.size(), 0);
        memory.assign(6 * segments.size(), 0);
    }

    Quat turn(int i) const
    {
        return {turns[4 * i], turns[4 * i + 1], turns[4 * i + 2], turns[4 * i + 3]};
    }

    void step(const BaseSource& base, double t0, double t1, const Kernel& kernel)
    {
        if (params.bytes.empty())
            kernel.set_params(params, 0, shape.view().count, make_params(segments, units));
        const Rider rider{0, units, turns.data(), rates.data(), memory.data(), &outcome};
        kernel.step(shape.view(), params, nullptr, {}, has_drag, {&rider, 1}, base, t0, t1, effort,
                    room);
        stages += outcome.stages;
        solves += outcome.solves;
        halvings += outcome.halvings;
        worst = outcome.worst > worst ? outcome.worst : worst;
        unconverged += !outcome.is_converged;
    }

    /// Of a chain.
    Vec3 tip(const Vec3& root = {0, 0, 0}) const
    {
        Vec3 x = root;
        for (int i = 0; i < static_cast<int>(segments.size()); ++i)
            x += rotate(turn(i), Vec3{0, segments[i].length, 0});
        return x;
    }
};

struct StillBase : BaseSource {
    Vec3 gravity = {0, -9.81, 0};
    PoseMotion motion = {};
    PoseMotion base_at(std::uint32_t, double) const noexcept override { return motion; }
    Vec3 gravity_at(double) const noexcept override { return gravity; }
};

} // namespace sinew::strand
