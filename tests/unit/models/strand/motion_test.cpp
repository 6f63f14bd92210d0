// Strands in motion: order, energy, stiffness, the number of solves.

#include "math/functions.h"
#include "models/strand/statics.h"
#include "some_trees.h"

#include <doctest/doctest.h>
#include <string>

namespace sinew::strand {

namespace {

constexpr double kPi = std::numbers::pi;

/// A base that is shaken: to and fro, and about a slanting axis.
struct ShakenBase : StillBase {
    PoseMotion base_at(std::uint32_t, double t) const noexcept override
    {
        const double o = 2 * kPi * 1.5, a = 0.1, p = 2 * kPi * 2, b = 0.4;
        const Vec3 axis = normalised(Vec3{0, 0.3, 1});
        // 1 − cos: at rest at the start
        const double turn = b * (1 - cos(p * t)), rate = b * p * sin(p * t);
        PoseMotion m;
        m.pose = {rotation_about(axis, turn), {a * (1 - cos(o * t)), 0, 0}};
        m.velocity = {a * o * sin(o * t), 0, 0};
        m.acceleration = {a * o * o * cos(o * t), 0, 0};
        m.angular_velocity = axis * rate;
        m.angular_acceleration = axis * (b * p * p * cos(p * t));
        return m;
    }
};

Vec3 down(double) { return {0, -1, 0}; }
Vec3 aside(double) { return {1, 0, 0}; }

void run(Runner& strand, const BaseSource& base, double h, double until)
{
    const int count = static_cast<int>(round(until / h));
    for (int i = 0; i < count; ++i)
        strand.step(base, i * h, (i + 1) * h, *scalar_kernel(false));
}

/// Kinetic and potential energy of a chain whose root stands at the origin.
double energy_of(const Runner& strand)
{
    double sum = 0;
    Vec3 x{0, 0, 0}, v{0, 0, 0};
    for (int i = 0; i < static_cast<int>(strand.segments.size()); ++i) {
        const SegmentData& s = strand.segments[i];
        const Quat q = strand.turn(i);
        const Vec3 own{strand.rates[3 * i], strand.rates[3 * i + 1], strand.rates[3 * i + 2]};
        const Vec3 r = rotate(q, Vec3{0, s.length, 0}), w = rotate(q, own);
        const Vec3 middle = x + r * 0.5, speed = v + cross(w, r) * 0.5;
        const double taken = s.mass * s.length * s.length / 4;
        sum += 0.5 * s.mass * dot(speed, speed) + s.mass * 9.81 * middle.y +
               0.5 * ((s.inertia.x - taken) * own.x * own.x + s.inertia.y * own.y * own.y +
                      (s.inertia.z - taken) * own.z * own.z);
        const Quat before = s.parent < 0 ? Quat{} : strand.turn(s.parent);
        const Quat d = conjugate(s.rest) * (conjugate(before) * q);
        const Vec3 g = rotate(joint_axes(s), d.vector() / d.w), K = s.stiffness;
        sum += K.x * log(1 + dot(g, g)) + (K.y - K.x) * log(1 + g.y * g.y) +
               (K.z - K.x) * log(1 + g.z * g.z);
        x += r, v += cross(w, r);
    }
    return sum;
}

} // namespace

TEST_CASE("strands: a chain of ten without stiffness, second order in time")
{
    // Planar chain released horizontally; its tip at 0.5 s by two methods in long arithmetic.
    const Vec3 exact{-0.264645112002, -0.863546754750, 0};
    double last = 0;
    for (const double h : {1 / 384., 1 / 768., 1 / 1536.}) {
        std::vector<SegmentData> segments = round_curve(10, 1, 0.001, 1, 0, 0, aside);
        for (SegmentData& s : segments) {
            s.mass = 0.01;
            s.inertia = inertia_of_cylinder(s.mass, s.length, 1e-6);
        }
        Runner strand(segments, h);
        run(strand, StillBase{}, h, 0.5);
        const double error = length(strand.tip() - exact);
        if (last > 0)
            CHECK(last / error > 3.73);
        last = error;
    }
    CHECK(last < 1e-5);
}

TEST_CASE("strands: a shaken curl in space, second order in time")
{
    const auto curl = [](double u) { return Vec3{cos(9 * u), -0.7, sin(9 * u)}; };
    const auto tip_after = [&](double h) {
        std::vector<SegmentData> segments = round_curve(12, 0.3, 0.002, 1200, 1e7, 0.01, curl);
        for (SegmentData& s : segments)
            s.stiffness.z *= 1.5, s.drag_along = 1e-4, s.drag_across = 3e-4;
        Runner strand(segments, h);
        run(strand, ShakenBase{}, h, 0.5);
        return strand.tip({0.1 * (1 - cos(2 * kPi * 1.5 * 0.5)), 0, 0});
    };
    const Vec3 a = tip_after(1 / 240.), b = tip_after(1 / 480.), c = tip_after(1 / 960.);
    CHECK(length(a - b) / length(b - c) > 3.73);
}

TEST_CASE("strands: the lowest bending frequencies of a clamped beam")
{
    // E = 1 GPa, r = 1 mm, ρ = 1200, L = 0.3 m without gravity: 2.838 Hz. With 40 segments the
    // chain's own frequency is 3.515007262843132/3.51601526850015 of that.
    const double f = 2.837969710011941 * 3.515007262843132 / 3.51601526850015, h = 1 / 2000.;
    Runner strand(round_curve(40, 0.3, 0.001, 1200, 1e9, 0, aside), h);
    for (std::size_t i = 0; i < strand.segments.size(); ++i) // about z: a small first mode
        strand.rates[3 * i + 2] = 0.02 * sin(kPi / 2 * (static_cast<double>(i) + 0.5) / 40.0);
    StillBase base;
    base.gravity = {0, 0, 0};
    double last = 0, first_time = 0, last_time = 0;
    int crossings = 0;
    for (int i = 0; i < 6000; ++i) {
        strand.step(base, i * h, (i + 1) * h, *scalar_kernel(false));
        const double y = strand.tip().y;
        if (last < 0 && y >= 0) {
            last_time = (i + 1 - y / (y - last)) * h;
            first_time = crossings == 0 ? last_time : first_time;
            ++crossings;
        }
        last = y;
    }
    REQUIRE(crossings > 3);
    CHECK((crossings - 1) / (last_time - first_time) == doctest::Approx(f).epsilon(0.005));
}

TEST_CASE("strands: without damping energy does not grow")
{
    struct Case {
        double young, h, most; ///< of the weight times the length
    };
    for (const Case& c :
         {Case{4e6, 1 / 240., 0.02}, Case{4e6, 1 / 96., 0.08}, Case{1e9, 1 / 96., 0.02}}) {
        Runner strand(round_curve(25, 0.5, 0.002, 1100, c.young, 0, aside), c.h);
        const double mass = strand.segments[0].mass * 25, scale = mass * 9.81 * 0.5;
        const double start = energy_of(strand);
        double highest = start;
        for (int i = 0; i < static_cast<int>(2 / c.h); ++i) {
            strand.step(StillBase{}, i * c.h, (i + 1) * c.h, *scalar_kernel(false));
            highest = max(highest, energy_of(strand));
        }
        CAPTURE(c.young);
        CAPTURE(c.h);
        CHECK(highest - start < c.most * scale);
        CHECK(strand.unconverged == 0);
    }
}

TEST_CASE("strands: 50 GPa at 24 steps a second: stable, and still at the right equilibrium")
{
    const double h = 1 / 24.;
    const auto curl = [](double u) {
        return Vec3{cos(2 * kPi * 5 * u), -0.35, sin(2 * kPi * 5 * u)};
    };
    for (const bool is_curl : {false, true}) {
        const std::vector<SegmentData> segments =
            is_curl ? round_curve(50, 0.3, 0.0002, 1300, 50e9, 0.001, curl)
                    : round_curve(25, 0.2, 0.0004, 1300, 50e9, 0.001, aside);
        Runner strand(segments, h);
        run(strand, ShakenBase{}, h, 2);
        CHECK(strand.unconverged == 0);
        CHECK(strand.solves <= 4 * strand.stages);
        const PoseMotion held = ShakenBase{}.base_at(0, 2);
        StillBase still; // held where it stopped: the rest is damped away
        still.motion.pose = held.pose;
        for (int i = 0; i < 24 * 60; ++i)
            strand.step(still, i * h, (i + 1) * h, *scalar_kernel(false));
        std::vector<Quat> now, start;
        for (int i = 0; i < static_cast<int>(segments.size()); ++i)
            now.push_back(strand.turn(i));
        for (const SegmentData& s : segments)
            start.push_back((s.parent < 0 ? held.pose.rotation : start[s.parent]) * s.rest);
        const Equilibrium right = find_equilibrium(
            segments, {.base = held.pose.rotation, .gravity = {0, -9.81, 0}}, start);
        CHECK(right.is_stable);
        CHECK(largest_turn(now, right.turns) < 1e-5);
    }
}

TEST_CASE("strands: solves of a stage where the motion is resolved, and where it whips")
{
    struct Case {
        std::string name;
        std::vector<SegmentData> segments;
        double h, most_mean;
    };
    const double soft = 1100 * 9.81 * 4 * 0.125 / 1000 / (0.001 * 0.001); // Γ = 1000
    std::vector<SegmentData> hair = round_curve(25, 0.5, 0.001, 1100, soft, 0.002, down);
    for (SegmentData& s : hair)
        s.drag_along = s.drag_across = 4 * s.mass;
    const std::vector<Case> cases = {
        {"hair in air", hair, 1 / 96., 3.3},
        {"soft, no air", round_curve(25, 0.5, 0.001, 1100, soft, 0.002, down), 1 / 240., 3.3},
        {"stiff rod", round_curve(25, 0.2, 0.0004, 1300, 50e9, 0.001, down), 1 / 24., 3.3},
        {"whip", round_curve(25, 0.5, 0.001, 1100, soft, 0.002, down), 1 / 96., 6},
    };
    for (const Case& c : cases) {
        Runner strand(c.segments, c.h);
        run(strand, ShakenBase{}, c.h, 2);
        CAPTURE(c.name);
        MESSAGE(c.name << ": " << static_cast<double>(strand.solves) / strand.stages
                       << " solves a stage, worst " << strand.worst << ", halvings "
                       << strand.halvings);
        CHECK(strand.solves <= c.most_mean * strand.stages);
        CHECK(strand.unconverged == 0);
    }
}

} // namespace sinew::strand
