// A strand's bits do not depend on lanes, neighbours or instructions.

#include "some_trees.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>

namespace sinew::strand {

namespace {

constexpr double kStep = 1.0 / 96;
constexpr int kSteps = 24;

/// Shaken, each tree in its own way.
struct ShakenBase : BaseSource {
    PoseMotion base_at(std::uint32_t tree, double time) const noexcept override
    {
        const double a = 0.03 * (1 + tree), w = 5 + tree, s = std::sin(w * time);
        PoseMotion m;
        m.pose.translation = {a * s, 0, 0};
        m.velocity = {a * w * std::cos(w * time), 0, 0};
        m.acceleration = {-a * w * w * s, 0, 0};
        return m;
    }
    Vec3 gravity_at(double) const noexcept override { return {0, -9.81, 0}; }
};

/// Trees of one topology that differ in all else: soft ones whip, need halvings and the exact
/// matrix, while stiff ones do not.
std::vector<SegmentData> member(std::uint32_t number)
{
    std::vector<SegmentData> segments = random_tree(14, true, 1, 0.02, 77);
    const std::array<double, 4> stiffness = {300, 0.02, 20, 0.5};
    for (SegmentData& s : segments) {
        const double k = stiffness[number % 4];
        s.length *= 0.1 + 0.01 * number, s.mass *= 0.02;
        s.inertia = inertia_of_cylinder(s.mass, s.length, 0.01);
        s.stiffness = s.stiffness * (0.001 * k), s.damping = s.damping * (0.0001 * k);
        s.drag_along *= 0.01, s.drag_across *= 0.01;
    }
    return segments;
}

struct Member {
    Runner runner;
    double pause = 0;
    int halvings = 0;
    std::vector<RiderTouch> touches = {};

    explicit Member(std::uint32_t number) : runner(member(number), kStep) {}
};

/// Of one tree in three some segments meet a wall.
std::vector<RiderTouch> wall_of(std::uint32_t number)
{
    std::vector<RiderTouch> touches;
    for (int segment = 4; number % 3 == 0 && segment < 14; segment += 3)
        touches.push_back({.segment = segment,
                           .part = 1,
                           .place = {0.02, 0, 0},
                           .normal = {-1, 0, 0},
                           .gap = 0,
                           .friction = 0.4});
    return touches;
}

std::vector<double> numbers_of(const Member& m)
{
    std::vector<double> all = m.runner.turns;
    all.insert(all.end(), m.runner.rates.begin(), m.runner.rates.end());
    all.insert(all.end(), m.runner.memory.begin(), m.runner.memory.end());
    for (const RiderTouch& touch : m.touches)
        for (const Vec3& v : {touch.force, touch.first_force, touch.crept})
            all.insert(all.end(), {v.x, v.y, v.z});
    all.push_back(m.pause);
    return all;
}

/// These trees in one batch, for some steps.
std::vector<std::vector<double>> run(const Kernel& kernel, std::span<const std::uint32_t> numbers,
                                     bool has_wall, int& halvings)
{
    std::vector<Member> members;
    for (const std::uint32_t number : numbers) {
        members.emplace_back(number);
        if (has_wall)
            members.back().touches = wall_of(number);
    }
    const TreeShape& shape = members[0].runner.shape;
    Storage params, room;
    for (std::size_t k = 0; k < members.size(); ++k)
        kernel.set_params(params, static_cast<int>(k), shape.view().count,
                          make_params(members[k].runner.segments, members[k].runner.units));
    std::vector<Rider> riders;
    for (std::size_t k = 0; k < members.size(); ++k) {
        Runner& r = members[k].runner;
        riders.push_back({numbers[k], r.units, r.turns.data(), r.rates.data(), r.memory.data(),
                          &r.outcome, &members[k].pause});
        riders.back().touches = members[k].touches;
    }
    Effort effort;
    effort.tolerance = 1e-5; // in reach of float
    for (int i = 0; i < kSteps; ++i) {
        kernel.step(shape.view(), params, nullptr, {}, true, riders, ShakenBase{}, i * kStep,
                    (i + 1) * kStep, effort, room);
        for (const Member& m : members)
            halvings += m.runner.outcome.halvings;
    }
    std::vector<std::vector<double>> out;
    for (const Member& m : members)
        out.push_back(numbers_of(m));
    return out;
}

bool is_same(const std::vector<double>& a, const std::vector<double>& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

void check_all_sets(bool is_float, bool has_wall)
{
    constexpr std::uint32_t kTrees = 16;
    std::vector<std::vector<double>> alone;
    int halvings = 0, modes = 0;
    for (std::uint32_t i = 0; i < kTrees; ++i) {
        alone.push_back(
            run(*find_kernel(InstructionSet::scalar, is_float), {&i, 1}, has_wall, halvings)[0]);
        modes += alone.back().back() > 0;
    }
    CHECK(halvings > 0); // lanes went different ways
    CHECK(modes > 0);
    CHECK(modes < static_cast<int>(kTrees));
    for (const InstructionSet set :
         {InstructionSet::sse2, InstructionSet::avx2, InstructionSet::avx512}) {
        const Kernel* kernel = find_kernel(set, is_float);
        if (!kernel)
            continue;
        CAPTURE(kernel->name());
        for (std::uint32_t first = 0; first < kTrees; first += 3) { // batches of any fill
            std::vector<std::uint32_t> numbers;
            for (std::uint32_t i = first; i < kTrees; ++i)
                if (static_cast<int>(numbers.size()) < kernel->width())
                    numbers.push_back(i);
            const auto together = run(*kernel, numbers, has_wall, halvings);
            for (std::size_t k = 0; k < numbers.size(); ++k)
                CHECK(is_same(together[k], alone[numbers[k]]));
        }
    }
}

} // namespace

TEST_CASE("strands: the same bits alone, in any batch and for every instruction set, in double")
{
    check_all_sets(false, false);
}

TEST_CASE("strands: the same bits alone, in any batch and for every instruction set, in float")
{
    check_all_sets(true, false);
}

TEST_CASE("strands: the same bits in any batch where some of it touch, in double")
{
    check_all_sets(false, true);
}

TEST_CASE("strands: the same bits in any batch where some of it touch, in float")
{
    check_all_sets(true, true);
}

} // namespace sinew::strand
