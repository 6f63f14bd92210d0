#include "scenes.h"

#include <fmt/core.h>

#include <cmath>
#include <fstream>
#include <sstream>

namespace sinew::bench {

namespace {

constexpr double kStep = 1.0 / 240;
constexpr double kBrick[3] = {0.2, 0.1, 0.1}; // its sides [m]

std::string read(const std::string& path)
{
    std::ifstream file(std::string(SINEW_ROOT) + path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string finish(const std::string& script, double seconds)
{
    return script + fmt::format("simulate(0, {}, step = {});\n", seconds, kStep);
}

// ---------------------------------------------------------------- walls

struct Place {
    double x, y;
};

/// A wall in bond, `wide` bricks a course, whose lowest bricks stand on `ground`.
std::vector<Place> wall_of(int count, int wide, double left, double ground)
{
    std::vector<Place> places;
    for (int i = 0; i < count; ++i) {
        const int course = i / wide, k = i % wide;
        places.push_back(
            {left + kBrick[0] * (k + 0.5 * (course % 2)), ground + kBrick[1] * (course + 0.5)});
    }
    return places;
}

std::string brick_script(const std::vector<Place>& places)
{
    std::string script = fmt::format("def brick body(density = 500); box({}, {}, {}); "
                                     "material(friction = 0.6); end;\n",
                                     kBrick[0], kBrick[1], kBrick[2]);
    for (std::size_t i = 0; i < places.size(); ++i)
        script += fmt::format("b[{}] = brick translate({}, {}, 0);\n", i, places[i].x, places[i].y);
    return script;
}

constexpr const char* kFloor =
    "def ground obstacle(); plane(0, 1, 0, 0); material(friction = 0.6); end;\nground;\n";

/// MuJoCo's scene: `what` stands among its bodies.
std::string rival_of(const std::string& what, const std::vector<Place>& places)
{
    std::string text = fmt::format(
        "<mujoco><size njmax='8000' nconmax='2000'/><option timestep='{}' gravity='0 -9.81 0'/>"
        "<default><geom condim='3' friction='0.6 0.005 0.0001'/></default><worldbody>{}",
        kStep, what);
    for (const Place& place : places)
        text += fmt::format("<body pos='{} {} 0'><freejoint/><geom type='box' size='{} {} {}' "
                            "density='500'/></body>",
                            place.x, place.y, kBrick[0] / 2, kBrick[1] / 2, kBrick[2] / 2);
    return text + "</worldbody></mujoco>";
}

constexpr const char* kRivalFloor =
    "<geom type='plane' size='20 20 1' quat='0.70710678 -0.70710678 0 0'/>";

CoupledScene make_wall(int count, int wide, const char* name, const std::string& more, double goal)
{
    const std::vector<Place> places = wall_of(count, wide, 0, 0);
    return {name,  finish(kFloor + brick_script(places) + more, 2),
            2,     goal,
            false, rival_of(kRivalFloor, places)};
}

/// A tray on a sprung hinge, bricks on it.
CoupledScene make_tray(int count, double goal, int wide = 8)
{
    const std::vector<Place> places = wall_of(count, wide, -0.1 * wide + 0.05, 0.05);
    const std::string script =
        "dynamic a;\na = initial(0, 0);\ndef beam box_mass(5, 2, 0.1, 0.5); end;\n"
        "beam translatey(-0.05) rotatez(a);\nholder = label() rotatez(a);\n"
        "spring_and_damper(a, 0, 4000, 40);\n"
        "def tray body(mass = 2); " +
        fmt::format("box({}, 0.05, 0.6)", 0.25 * wide) +
        "; material(friction = 0.6); end;\n"
        "tray translatey(0.025);\nfixed_joint(tray, holder);\n" +
        brick_script(places);
    return {fmt::format("tray_{}", count),
            finish(script, 1),
            1,
            goal,
            false,
            rival_of("<body><joint type='hinge' axis='0 0 1' stiffness='4000' damping='40'/>"
                     "<geom type='box' size='1 0.025 0.3' pos='0 0.025 0' mass='7'/></body>",
                     places)};
}

/// A carriage that slides into a wall.
CoupledScene make_ram()
{
    const std::vector<Place> places = wall_of(12, 2, 0.3, 0);
    const std::string script =
        "dynamic x;\nx = initial(-0.3, 2);\ndef carriage mass(10); end;\n"
        "carriage translate(x, 0.3, 0);\nholder = label() translate(x, 0.3, 0);\n"
        "def shoe body(mass = 1); box(0.2, 0.2, 0.2); material(friction = 0.4); end;\n"
        "shoe translate(-0.3, 0.3, 0);\nfixed_joint(shoe, holder);\n" +
        std::string(kFloor) + brick_script(places);
    return {"ram_12",
            finish(script, 0.4),
            0.4,
            1,
            false,
            rival_of(std::string(kRivalFloor) +
                         "<body pos='-0.3 0.3 0'><joint type='slide' axis='1 0 0' "
                         "springref='0'/><geom type='box' size='0.1 0.1 0.1' mass='11'/></body>",
                     places)};
}

// ---------------------------------------------------------------- rods

/// Boxes on a floor, each joined to the next by a short rod.
CoupledScene make_train(int count, double goal)
{
    std::string script = std::string(kFloor) +
                         "def car body(mass = 0.2); box(0.1, 0.1, 0.1); nose = label() "
                         "translatex(0.05); tail = label() translatex(-0.05); end;\n"
                         "def hose rod(line(0,0,0, 0.2,0,0), spans = 4, radius = 5 mm, young = "
                         "1e7, density = 1000, damping = 5 ms); end;\n";
    for (int i = 0; i < count; ++i)
        script += fmt::format("c[{}] = car translate({}, 0.05, 0){};\n", i, 0.3 * i,
                              i == 0 ? " velocity(0.5, 0, 0.3)" : "");
    for (int i = 0; i + 1 < count; ++i)
        script += fmt::format("r[{0}] = hose translate({1}, 0.05, 0);\nfusion(r[{0}] at 0 along, "
                              "c[{0}].nose);\nfusion(r[{0}] at 1 along, c[{2}].tail);\n",
                              i, 0.3 * i + 0.05, i + 1);
    return {fmt::format("body_rod_body_{}", count),
            finish(script + "rods(contact = none);\n", 0.25), 0.25, goal};
}

/// A hanging rope with pearls; dropped: it begins straight, with its ends free to fall.
CoupledScene make_pearls(int count, bool is_dropped, double friction, double goal, int spans = 100)
{
    const double span = (is_dropped ? 10 : 9.8) * spans / 100;
    std::string script =
        fmt::format("def rope rod(line(0,0,0, {},0,0), spans = {}, radius = 5 mm, young = 1e8, "
                    "damping = 5 ms); end;\nrope;\n"
                    "position_constraint(rope at 0 along, point(0,0,0));\n"
                    "position_constraint(rope at 1 along, point({},0,0));\n"
                    "def bead body(mass = 0.01); sphere(1 cm); end;\n",
                    span, spans, 0.98 * span);
    for (int i = 0; i < count; ++i) {
        const double u = (i + 0.5) / count;
        script += fmt::format("b[{0}] = bead translatex({1}); pearl(b[{0}], rope, from = {2}, "
                              "friction = {3});\n",
                              i, span * u, u, friction);
    }
    return {fmt::format("pearls_{}{}", count, is_dropped ? "_dropped" : ""),
            finish(script + "rods(contact = none);\nassemble();\n", 0.25), 0.25, goal};
}

/// A rope on a row of bricks.
CoupledScene make_rope_over(int count, double goal)
{
    std::string script = std::string(kFloor) + "def brick body(density = 500); box(0.1, 0.1, 0.1); "
                                               "material(friction = 0.5); end;\n";
    for (int i = 0; i < count; ++i)
        script += fmt::format("b[{}] = brick translate({}, 0.05, 0);\n", i, 0.12 * i);
    script += fmt::format("def rope rod(line({},0.115,0, {},0.115,0), spans = {}, radius = 1 cm, "
                          "young = 1e7, density = 900, damping = 10 ms); "
                          "surface(friction = 0.4); end;\nrope;\n",
                          -0.05, 0.12 * count - 0.07, 4 * count);
    return {fmt::format("rope_over_{}", count), finish(script, 0.5), 0.5, goal};
}

/// A rope that is drawn through eyes in zigzag, one a span.
CoupledScene make_holes(int count, double goal)
{
    std::string script =
        fmt::format("def rope rod(line(0,0,0, {},0,0), spans = {}, radius = 4 mm, young = 1e8, "
                    "damping = 5 ms); end;\nrope;\n",
                    0.1 * count, count);
    for (int i = 0; i < count; ++i)
        script += fmt::format("keyhole(rope, point({}, {}, 0), from = {}, friction = 0.1);\n",
                              0.1 * (i + 0.5), i % 2 ? 0.001 : -0.001, (i + 0.5) / count);
    script += "var pull;\npull = {0 at 0 sec slowin 0.02 at 0.25 sec};\n";
    script +=
        fmt::format("position_constraint(rope at 1 along, point({} + pull, 0, 0));\n", 0.1 * count);
    return {fmt::format("holes_{}", count), finish(script + "rods(contact = none);\n", 0.25), 0.25,
            goal};
}

/// A limp rope that is drawn against 2 N through holes in zigzag, `spans` from one to the next:
/// from three on it runs through them as eyes, below it stays a spline.
CoupledScene make_zigzag(const char* name, int count, int spans, double goal)
{
    struct Hole {
        double x, y, along;
    };
    std::vector<Hole> holes;
    double length = 0, x = 0, y = 0;
    std::string points = "0,0,0";
    for (int i = 0; i < count; ++i) {
        const Hole next = {0.2 + 0.1 * i, i % 2 == 0 ? -0.02 : 0.02, 0};
        length += std::hypot(next.x - x, next.y - y);
        x = next.x, y = next.y;
        holes.push_back({x, y, length});
        points += fmt::format(", {},{},0", x, y);
    }
    const double end = x + 0.2;
    length += std::hypot(0.2, y);
    std::string script =
        fmt::format("def rope rod(polyline({}, {},0,0), spans = {}, radius = 1 mm, young = 1e8, "
                    "density = 1000, damping = 5 ms); end; rope;\n",
                    points, end, spans * (count + 4));
    for (const Hole& hole : holes)
        script += fmt::format("keyhole(rope, point({}, {}, 0), from = {}, friction = 0.1);\n",
                              hole.x, hole.y, hole.along / length);
    script += fmt::format("gravity(0, 0, 0);\nforce(rope at 0 along, -2, 0, 0);\n"
                          "position_constraint(rope at 1 along, point({} + 0.1 * time, 0, 0));\n"
                          "rods(contact = none);\n",
                          end);
    return {name, finish(script, 0.4), 0.4, goal};
}

// ---------------------------------------------------------------- strands

/// A plate that stands on a brush.
CoupledScene make_brush(int side, int other, double goal)
{
    std::string script = "def brush\n";
    for (int i = 0; i < side * other; ++i)
        script += fmt::format("  strand(line({0},0,{1}, {2},0.3,{1}), segments = 12);\n",
                              0.1 * (i % side), 0.1 * (i / side), 0.1 * (i % side) + 0.02);
    script += "  radius(3 mm); young(2e9); density(1000); damping(0.02); end;\nbrush;\n";
    script +=
        fmt::format("def plate body(mass = 1); box({}, 0.04, {}); material(friction = 0.4); "
                    "end;\nplate translate({}, 0.33, {});\n",
                    0.1 * side + 0.1, 0.1 * other + 0.1, 0.05 * (side - 1), 0.05 * (other - 1));
    return {fmt::format("plate_on_{}", side * other), finish(script, 0.5), 0.5, goal};
}

/// Hairs on a ball that falls and turns: free, or driven in the same way.
CoupledScene make_head(int count, int segments, bool is_free, double goal)
{
    constexpr double kGolden = 2.399963229728653, kRadius = 0.1, kLength = 0.25;
    std::string script = "def hair\n";
    for (int i = 0; i < count; ++i) {
        const double y = 1 - 1.2 * (i + 0.5) / count;
        script += fmt::format(
            "  strand(line({0}*cos({1}),{2},{0}*sin({1}), {3}*cos({1}),{4},{3}*sin({1})), segments "
            "= {5});\n",
            fmt::format("{} * sqrt(1 - {} * {})", kRadius, y, y), kGolden * i, kRadius * y,
            fmt::format("{} * sqrt(1 - {} * {})", kRadius + kLength, y, y), (kRadius + kLength) * y,
            segments);
    }
    script += "  radius(0.5 mm); density(1300); young(4e8); damping(0.05); contact(0); end;\n";
    script += is_free ? "def head body(mass = 4); sphere(0.1); end;\n"
                        "head velocity(0.5, 3, 0) spin(0, 2, 3);\n"
                      : "def head label(); end;\nhead rotatez({0 at 0 sec linear 3 at 1 sec}) "
                        "translatex({0 at 0 sec linear 0.5 at 1 sec});\n";
    return {is_free ? "head_free" : "head_driven", finish(script + "hair on head;\n", 0.5), 0.5,
            goal};
}

CoupledScene whole(const char* name, const std::string& path, double seconds, double goal)
{
    return {name, read(path), seconds, 1e3 * goal, true};
}

} // namespace

std::vector<CoupledScene> make_scenes(bool is_large)
{
    const std::string spring = "peg = label() translate(0.1, 2, 0);\n"
                               "spring_and_damper(b[60], peg, 1, 1, 0);\n";
    std::vector<CoupledScene> scenes = {
        make_wall(64, 8, "wall_64", "", 0.1),
        make_wall(64, 8, "wall_64_spring", spring, 0.15),
        make_tray(24, 0.5),
        make_ram(),
        make_train(200, 30),
        make_pearls(200, false, 0.1, 12),
        make_pearls(200, true, 0.1, 100),
        make_pearls(50, false, 0, 12),
        make_rope_over(20, 3),
        make_rope_over(50, 10),
        make_brush(10, 5, 5),
        make_holes(100, 2),
        make_zigzag("eyes_50", 50, 4, 1),
        make_zigzag("spline_holes_100", 100, 2, 1),
        {"drum_1.5_turns", read("/examples/winch.charli"), 2, 1},
        make_head(190, 25, false, 1),
        make_head(190, 25, true, 1),
        whole("dominoes_lever_rope", "/bench/coupling/dominoes_lever_rope.charli", 3, 1),
        whole("goldberg", "/bench/coupling/goldberg.charli", 6, 3),
        whole("shoelace", "/examples/shoelace.charli", 2.4, 3),
        whole("suture", "/examples/suture.charli", 2.5, 3),
        whole("catapult", "/examples/catapult.charli", 5, 3),
    };
    if (is_large)
        scenes.push_back(make_wall(2004, 40, "wall_2004", "", 30));
    return scenes;
}

std::vector<GrowthFamily> make_families()
{
    std::vector<GrowthFamily> families = {{"body_rod_body", 1.15, {}},
                                          {"pearls", 1.15, {}},
                                          {"rope_over", 1.15, {}},
                                          {"holes", 1.15, {}},
                                          {"tray", 1.6, {}}};
    for (const int parts : {10, 30, 100, 300, 1000}) {
        families[0].sizes.push_back({parts, make_train(parts / 2, 0)});
        families[1].sizes.push_back({parts, make_pearls(parts, false, 0.1, 0, parts / 2)});
        families[2].sizes.push_back({parts, make_rope_over(parts, 0)});
        families[3].sizes.push_back({parts, make_holes(parts, 0)});
    }
    for (const int wide : {3, 5, 10, 17, 32})
        families[4].sizes.push_back({wide * wide, make_tray(wide * wide, 0, wide)});
    return families;
}

} // namespace sinew::bench
