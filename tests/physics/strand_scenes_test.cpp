// Random scenes of strands that meet obstacles: stiffness over eight decades, brisk motion of roots
// and obstacles. None stops, none passes through what it meets.

#include "sinew/world.h"

#include "support/readings.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <random>

using namespace sinew;

namespace {

class Dice {
public:
    explicit Dice(unsigned seed) : random_(seed) {}
    double between(double low, double high) // the same on every machine
    {
        return low + (high - low) * (static_cast<double>(random_()) / 4294967296.0);
    }
    double decades(double low, double high)
    {
        return std::exp(between(std::log(low), std::log(high)));
    }
    int below(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }

private:
    std::mt19937 random_;
};

constexpr double kFreeRoot = 0.03; // [m]

struct Encounter {
    std::string script;
    int shape = 0;
    double a = 0, b = 0, radius = 0;
};

std::string number(double x) { return std::to_string(x); }

/// A track through a few values, `speed` the fastest change.
std::string track(Dice& dice, double size, double speed)
{
    std::string text = "{0 at 0 sec";
    double at = 0, time = 0;
    for (int i = 0; i < 4; ++i) {
        const double next = dice.between(-size, size);
        time += std::max(0.05, std::abs(next - at) / (speed * dice.between(0.3, 1)));
        text += std::string(dice.below(2) ? " linear " : " slowinout ") + number(next) + " at " +
                number(time) + " sec";
        at = next;
    }
    return text + "}";
}

Encounter make_meeting(unsigned seed)
{
    Dice dice(seed);
    Encounter m;
    m.shape = dice.below(5);
    m.a = dice.between(0.04, 0.15), m.b = dice.between(0.05, 0.2);
    m.radius = dice.between(0.5e-3, 4e-3);
    const char* const kinds[] = {"sphere", "box", "capsule", "cylinder", "plane"};
    std::string shape = kinds[m.shape];
    if (m.shape == 0)
        shape += "(" + number(m.a) + ")";
    else if (m.shape == 1)
        shape += "(" + number(2 * m.a) + ", " + number(2 * m.b) + ", " + number(2 * m.a) + ")";
    else if (m.shape == 4)
        shape += "(0, 1, 0, 0)";
    else
        shape += "(" + number(m.a) + ", " + number(2 * m.b) + ")";
    const double line = 0.4, mass = dice.decades(1e-3, 0.3);
    // EI over eight decades about what bends by its own weight over its own length.
    const double bend = mass * 9.81 * line * line * line * dice.decades(1e-6, 1e2);
    const double top = m.shape == 4 ? 0.02 : (m.shape == 0 ? m.a : m.b + m.a * (m.shape == 2));
    // Of one in four the lengths give way too, from twice under its own weight to hardly.
    Dice more(seed + 1'000'000);
    const double stretch = mass * 9.81 * line * more.decades(0.5, 1e4);
    const std::string elastic =
        seed % 4 == 1 ? "stretch_stiffness(" + std::to_string(stretch) + "); " : "";
    m.script =
        "def hair strand(line(0,0,0, 0.4," + number(dice.between(-0.1, 0.1)) +
        ",0), segments = " + std::to_string(4 + dice.below(17)) + "); radius(" +
        number(1000 * m.radius) + " mm); mass_per_length(" + number(mass) + "); bend_stiffness(" +
        std::to_string(bend * 1e6) + " * 1e-6); damping(" + number(dice.decades(1e-3, 0.3)) +
        "); " + elastic + "surface(friction = " + number(dice.between(0, 1)) + "); end;\n" +
        "def thing obstacle(); " + shape + "; end;\n" + "for i in 0..2 h[i] = hair rotatey(" +
        number(dice.between(0, 6)) + " + 0.3 * i) translate(" + number(dice.between(-0.2, 0)) +
        ", " + number(top + dice.between(0.02, 0.2)) + ", 0.01 * i) translatey(" +
        track(dice, 0.05, dice.decades(0.1, 3)) + ") rotatex(" +
        track(dice, 0.6, dice.decades(0.5, 10)) + "); end;\n" + "thing translatex(" +
        track(dice, 0.2, dice.decades(0.1, 5)) + ")" +
        (m.shape == 4 ? "" : " rotatez(" + track(dice, 1, dice.decades(0.3, 10)) + ")") +
        ";\nstrands(precision = " + (dice.below(2) ? "float" : "double") +
        ");\nsimulate(0 sec, 1 sec, step = 1 / 96);\n";
    return m;
}

/// How deep a place is in the shape, in its own frame.
double depth_of(const Encounter& m, const Vec3& x)
{
    const double y = std::abs(x.y), across = std::hypot(x.x, x.z);
    switch (m.shape) {
    case 0: return m.a - length(x);
    case 1: return std::min({m.a - std::abs(x.x), m.b - y, m.a - std::abs(x.z)});
    case 2: return m.a - std::hypot(across, std::max(0.0, y - m.b));
    case 3: return std::min(m.a - across, m.b - y);
    default: return -x.y;
    }
}

} // namespace

TEST_CASE("random meetings of strands and obstacles: all go on, none passes through")
{
    const char* wanted = std::getenv("SINEW_MEETINGS");
    const unsigned count = wanted ? static_cast<unsigned>(std::atoi(wanted)) : 24;
    const char* from = std::getenv("SINEW_SEED");
    const unsigned first = from ? static_cast<unsigned>(std::atoi(from)) : 1;
    int touched = 0, through = 0, faults = 0, unconverged = 0;
    double deepest = 0;
    for (unsigned seed = first; seed < first + count; ++seed) {
        const Encounter meeting = make_meeting(seed);
        CAPTURE(seed);
        CAPTURE(meeting.script);
        Result<World> world = World::create(test::sound_scene(meeting.script));
        REQUIRE_MESSAGE(bool(world), problems_text(world.problems(), false));
        bool has_touched = false, is_through = false;
        std::array<bool, 3> is_left_out = {};
        for (int i = 0; i <= 24 && !is_through; ++i) {
            const StepReport report = world->advance(i / 24.0);
            faults += report.fault.has_value();
            CHECK_FALSE(report.fault);
            if (report.fault)
                break;
            unconverged += !report.converged;
            has_touched = has_touched || !world->contacts().empty();
            const Frame frame = world->frame();
            const auto thing = std::ranges::find_if(
                world->scene().shapes, [](const Shape& shape) { return shape.body.is_valid(); });
            REQUIRE(thing != world->scene().shapes.end());
            const Affine& at = frame.objects[thing->body.index];
            const auto depth_at = [&](const Vec3& x) {
                return depth_of(meeting, transpose(at.linear) * (x - at.origin));
            };
            const std::size_t each = frame.nodes.size() / 3;
            for (std::size_t n = 0; n < frame.nodes.size(); ++n) {
                const Vec3& node = frame.nodes[n];
                REQUIRE(std::isfinite(node.x + node.y + node.z));
                const double depth = depth_at(node);
                // What is in the obstacle at the start stays in it, and a root that the obstacle
                // comes over drags its strand in: nothing can hold it off.
                bool& is_out = is_left_out[n / each];
                is_out = is_out || depth_at(frame.nodes[n / each * each]) > -kFreeRoot ||
                         (i == 0 && depth > -meeting.radius);
                if (is_out)
                    continue;
                deepest = std::max(deepest, depth);
                if (depth > 0.25 * std::min(meeting.a, meeting.b)) {
                    MESSAGE("seed " << seed << ", frame " << i << ", node " << n << ": "
                                    << 1000 * depth << " mm");
                    is_through = true;
                }
            }
        }
        touched += has_touched;
        through += is_through;
        CHECK_FALSE(is_through);
    }
    MESSAGE(count << " meetings, " << touched << " with contact, " << faults << " stopped, "
                  << through << " passed through, axis at most " << 1000 * deepest << " mm inside, "
                  << unconverged << " frames not to tolerance");
    CHECK(2 * touched >= static_cast<int>(count));
}
