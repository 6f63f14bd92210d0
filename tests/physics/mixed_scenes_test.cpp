// Random scenes of linkages, bodies, strands and rods that touch, stand on, hold and pull each
// other: none stops, gains energy, falls through the floor or takes without end.

#include "support/worlds.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <random>

using namespace sinew;
using sinew::test::make_world;

namespace {

constexpr double kSeconds = 0.75;
constexpr double kMostTime = 30; // of processor time for a scene [s]; most take a tenth of one
constexpr double kGain = 2e-3;   // of the largest kinetic energy: rounding and projections

class Draw {
public:
    explicit Draw(unsigned seed) : random_(seed) {}

    double number(double low, double high)
    {
        return low + (high - low) * double(random_() % 10000) / 10000;
    }
    bool chance(double share) { return number(0, 1) < share; }
    int below(int count) { return int(random_() % unsigned(count)); }

private:
    std::mt19937 random_;
};

struct Place {
    double x, y;
};

/// Crates side by side above the floor, an arm above them, ropes and hairs between.
std::string make_script(unsigned seed)
{
    Draw draw(seed);
    const double friction = draw.chance(0.2) ? 0 : draw.number(0.1, 0.9);
    std::string text = fmt::format(
        "def floor obstacle(); plane(0, 1, 0, 0); material(friction = {0}); end; floor;\n"
        "def crate body(density = {1}); box(0.3, 0.2, 0.3); material(friction = {0}); "
        "left = label() translatex(-0.15); right = label() translatex(0.15); "
        "top = label() translatey(0.1); end;\n"
        "def ball body(mass = {2}); sphere(0.06); end;\n"
        "def hair strand(line(0,0,0, 0,0.25,0), segments = 5); radius(4 mm); "
        "mass_per_length(0.1); bend_stiffness(0.01); damping(0.05); end;\n"
        "def tuft strand(line(0,0,0, 0,0.08,0), segments = 3); radius(3 mm); "
        "mass_per_length(0.1); bend_stiffness(0.01); damping(0.05); end;\n",
        friction, draw.number(50, 2000), draw.number(0.01, 1));
    const int count = 2 + draw.below(3);
    std::vector<Place> crates;
    for (int i = 0; i < count; ++i) {
        crates.push_back({0.7 * i, 0.1 + (draw.chance(0.5) ? 0 : draw.number(0.01, 0.5))});
        text += fmt::format("c{} = crate translate({}, {}, 0){};\n", i, crates.back().x,
                            crates.back().y,
                            draw.chance(0.3) ? fmt::format(" velocity({}, 0, {})",
                                                           draw.number(-2, 2), draw.number(-1, 1))
                                             : "");
        if (draw.chance(0.3))
            text += fmt::format("b{0} = ball translate({1}, {2}, 0);\n", i,
                                crates.back().x + draw.number(-0.05, 0.05),
                                crates.back().y + draw.number(0.17, 0.4));
        if (draw.chance(0.3))
            text += fmt::format("hair translate(0.05, 0.1, 0.1) on c{};\n", i);
    }
    const auto rope = [&](const std::string& name, Place from, Place to) {
        text += fmt::format("def kind_{0} rod(line({1},{2},0, {3},{4},0), spans = {5}, radius = 8 "
                            "mm, young = {6}, damping = 5 ms); surface(friction = {7}); end;\n"
                            "{0} = kind_{0};\n",
                            name, from.x, from.y, to.x, to.y, 4 + draw.below(8),
                            std::pow(10, draw.number(6, 8.5)), friction);
    };
    for (int i = 0; i + 1 < count; ++i) {
        const Place from{crates[i].x + 0.15, crates[i].y},
            to{crates[i + 1].x - 0.15, crates[i + 1].y};
        switch (draw.below(5)) {
        case 0:
            rope(fmt::format("r{}", i), from, to);
            text += fmt::format("fusion(r{0} at 0 along, c{0}.right, tangent = free);\n"
                                "fusion(r{0} at 1 along, c{1}.left, tangent = free);\n",
                                i, i + 1);
            if (draw.chance(0.3))
                text += fmt::format("tuft on r{} at 0.5 along;\n", i);
            break;
        case 1:
            text += fmt::format("spring_and_damper(c{}.right, c{}.left, {}, {}, {});\n", i, i + 1,
                                draw.number(0.2, 0.6), draw.number(1, 500), draw.number(0, 2));
            break;
        case 2: text += fmt::format("dist_joint(c{}, c{});\n", i, i + 1); break;
        default: break;
        }
    }
    if (draw.chance(0.8)) { // an arm, from its joint to its tip above a crate
        const int at = draw.below(count);
        const double length = draw.number(0.4, 1), height = draw.number(1.1, 1.6);
        const Place tip{crates[at].x, height};
        text += fmt::format(
            "dynamic a; a = initial(0, {0});\ndef bar box_mass({1}, {2}, 0.1, 0.1); tip = label() "
            "translatex({3}); end;\nbar translatex({3}) rotatez(a) translate({4}, {5}, 0);\n",
            draw.number(-2, 2), draw.number(0.1, 10), length, 0.5 * length, tip.x - length, height);
        const std::string crate = fmt::format("c{}", at);
        switch (draw.below(5)) {
        case 0:
            rope("line", tip, {crates[at].x, crates[at].y + 0.1});
            text += "fusion(line at 0 along, bar.tip, tangent = free);\nfusion(line at 1 along, " +
                    crate + ".top, tangent = free);\n";
            break;
        case 1:
            text += "dist_constraint(bar.tip, " + crate + ".top, " +
                    fmt::format("{});\n", tip.y - crates[at].y - 0.1);
            break;
        case 2:
            text += fmt::format("spring_and_damper(bar.tip, {}.top, {}, {}, 0.5);\n", crate,
                                draw.number(0.3, 1), draw.number(1, 300));
            break;
        case 3: text += "hair on bar.tip;\n"; break;
        default:
            text += fmt::format("def shoe obstacle(); sphere(0.1); end;\n"
                                "shoe translatex({}) rotatez(a) translate({}, {}, 0);\n",
                                length, tip.x - length, height);
        }
    }
    if (draw.chance(0.6)) { // a rope that falls on everything, beside its middle
        const double y = draw.number(0.75, 1), end = 0.7 * count;
        text +=
            fmt::format("def loose rod(line(-0.2,{0},0.05, {1},{0},0.05), spans = {2}, radius = "
                        "8 mm, young = 1e7, damping = 10 ms); surface(friction = {3}); end;\n"
                        "loose;\n",
                        y, end, 6 * count, friction);
    }
    const char* contacts[] = {"all", "bodies", "none"};
    return text + fmt::format("rods(contact = {});\nsimulate(0, {}, step = {});\n",
                              contacts[draw.below(3)], kSeconds, 1.0 / 240);
}

double processor_seconds()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

/// How deep a body's centre is below where it could lie [m].
double deepest_below_floor(const World& world)
{
    double deepest = 0;
    for (const BodyMotion& body : world.bodies())
        deepest = std::max(deepest, -body.pose.translation.y);
    return deepest;
}

void check_scene(unsigned seed)
{
    CAPTURE(seed);
    const std::string script = make_script(seed);
    CAPTURE(script);
    World world = make_world(script);
    const Energy start = world.energy();
    const double begin = processor_seconds();
    double fastest = std::abs(start.kinetic), most = start.kinetic + start.potential;
    for (int step = 1; step <= int(240 * kSeconds); ++step) {
        const StepReport report = world.advance(step / 240.0);
        REQUIRE_MESSAGE(!report.fault, (report.fault ? report.fault->what : std::string()));
        const Energy now = world.energy();
        fastest = std::max(fastest, now.kinetic);
        most = std::max(most, now.kinetic + now.potential);
        REQUIRE(std::isfinite(now.kinetic + now.potential));
        REQUIRE(processor_seconds() - begin < kMostTime);
    }
    CHECK(most - start.kinetic - start.potential < kGain * fastest);
    CHECK(deepest_below_floor(world) < 0.01);
}

unsigned wish(const char* name, unsigned otherwise)
{
    const char* text = std::getenv(name);
    return text ? unsigned(std::atoi(text)) : otherwise;
}

} // namespace

TEST_CASE("mixed scenes: linkages, bodies, strands and rods at random")
{
    const unsigned first = wish("SINEW_SEED", 1), count = wish("SINEW_MIXED", 20);
    MESSAGE(fmt::format("seeds {} to {} (SINEW_SEED=... SINEW_MIXED=1 repeats one)", first,
                        first + count - 1));
    for (unsigned seed = first; seed < first + count; ++seed)
        check_scene(seed);
}
