// Every word that holds things, between every two kinds of ends: it holds, or is refused in words.

#include "support/worlds.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>
#include <string_view>

using namespace sinew;

namespace {

/// Linkage, body, strand, rod, obstacle.
constexpr std::string_view kKinds = "LBSRO";

const std::string kDefs = R"(
def bob mass(1); end;
def crate body(density = 400); box(0.1, 0.1, 0.1); end;
def hair strand(polyline(0,0,0, 0.15,-0.2,0, 0,-0.4,0), segments = 4); radius(2 mm); density(900); young(1e6); end;
def rope rod(line(-0.5,0,0, 0.5,0,0), spans = 6); end;
def block obstacle(); box(0.1, 0.1, 0.1); end;
def dot label(); end;
assemble;
simulate(0 sec, 0.4 sec, step = 1/240);
)";

/// A thing whose point to be held stands at (0, 3, z) as it is drawn.
std::string thing(char kind, const std::string& name, const std::string& z)
{
    const std::string at = " translate(0, 3, " + z + ");\n";
    switch (kind) {
    case 'L':
        return "dynamic " + name + "0; dynamic " + name + "1; dynamic " + name + "2;\n" + name +
               "0 = initial(0, 0); " + name + "1 = initial(0, 0); " + name +
               "2 = initial(0, 0);\n" + name + " = bob translatex(" + name + "0) translatey(" +
               name + "1) translatez(" + name + "2)" + at;
    case 'B': return name + " = crate" + at;
    case 'S': return name + " = hair translate(0, 3.4, " + z + ");\n";
    case 'R': return name + " = rope" + at;
    default: return name + " = block" + at;
    }
}

std::string point_of(char kind, const std::string& name)
{
    return name + (kind == 'S' ? " at 1 along" : kind == 'R' ? " at 0.5 along" : "");
}

struct Word {
    const char* statement;           ///< A and B stand for its ends, W for the first as a whole
    double distance;                 ///< of its ends at the end; below 0: not looked at
    std::array<const char*, 5> told; ///< by the kinds of A and B: + holds, else why not
    const char* apart = "0.15";      ///< as they are drawn [m]
};

/// Why something is refused.
std::string_view code_of(char letter)
{
    switch (letter) {
    case 'n': return "cannot-be-satisfied";
    case 'r': return "holds-no-rod";
    case 's': return "not-of-strands";
    case 't': return "no-tangent";
    case 'h': return "holds-no-strand";
    case 'j': return "joint-holds-nothing";
    case 'R': return "joint-on-rod";
    case 'S': return "joint-on-strand";
    case 'k': return "position-not-known";
    case 'w': return "not-a-rod";
    case 'q': return "pearl-on-rod";
    case 'z': return "pearl-stands";
    default: return "";
    }
}

std::string things(const Word& word, char a, char b)
{
    std::string text;
    for (const char c : std::string_view(word.statement))
        text += c == 'A'   ? point_of(a, "a")
                : c == 'W' ? std::string("a")
                : c == 'B' ? point_of(b, "b")
                           : std::string(1, c);
    return kDefs + thing(a, "a", "0") + thing(b, "b", word.apart) + "pa = dot on " +
           point_of(a, "a") + ";\npb = dot on " + point_of(b, "b") + ";\n" + text;
}

void check_pair(const Word& word, std::size_t i, std::size_t k)
{
    const std::string text = things(word, kKinds[i], kKinds[k]);
    const std::string pair =
        std::string(word.statement) + ", A = " + kKinds[i] + ", B = " + kKinds[k];
    INFO(pair);
    const char expected = word.told[i][k];
    const test::Codes codes = test::codes_of(text);
    if (expected != '+') {
        CHECK(codes.size() >= 1);
        CHECK((codes.empty() ? "holds" : codes.front()) == code_of(expected));
        return;
    }
    CHECK((codes.empty() ? "holds" : codes.front()) == "holds");
    if (!codes.empty())
        return;
    World world = test::make_world(text);
    for (int step = 1; step <= 96; ++step) {
        const StepReport report = world.advance(step / 240.0);
        const std::string fault = report.fault ? report.fault->what : std::string();
        INFO(fault);
        REQUIRE_FALSE(report.fault);
    }
    const double distance =
        length(test::row_of(world, "pa").position - test::row_of(world, "pb").position);
    CHECK(std::isfinite(distance));
    if (word.distance >= 0)
        CHECK(distance == doctest::Approx(word.distance).epsilon(0.002).scale(1));
}

} // namespace

TEST_CASE("words that hold two things work between all ends, or say why not")
{
    const Word words[] = {
        {"position_constraint(A, B);", 0, {"+++++", "+++++", "+++++", "+++++", "++++n"}},
        {"fusion(A, B);", 0, {"+++++", "+++++", "+++++", "+++++", "++++n"}},
        {"fusion(A, B, tangent = fixed);", -1, {"tt++t", "tt++t", "+++++", "+++++", "tt++t"}},
        {"dist_constraint(A, B, 0.15);", 0.15, {"+++++", "+++++", "+++++", "+++++", "+++++"}},
        {"dist_joint(A, B);", 0.15, {"j+++j", "+++++", "+++++", "+++++", "j+++j"}},
        {"spring_and_damper(A, B, 0.1, 9, 1);", -1, {"+++++", "+++++", "+++++", "+++++", "+++++"}},
        {"orientation_constraint(A, 1, 0, 0, b = B);",
         -1,
         {"rrr+r", "rrr+r", "kkk++", "+++++", "rrr+r"}},
        {"plane_constraint(A, B, 0, 1, 0);", -1, {"rrr+r", "rrr+r", "sssss", "+++++", "rrr+r"}},
        {"above(A, B);", -1, {"hhhhh", "hhhhh", "+++++", "+++++", "hhhhh"}},
        {"ball_joint(A, B, point(0, 3, 0));", -1, {"j+SRj", "++SR+", "SSSRS", "RRRRR", "j+SRj"}},
        {"hinge_joint(A, B, line(0,3,0, 0,3,1));",
         -1,
         {"j+SRj", "++SR+", "SSSRS", "RRRRR", "j+SRj"}},
        {"slider_joint(A, B, line(0,3,0, 0,3,1));",
         -1,
         {"j+SRj", "++SR+", "SSSRS", "RRRRR", "j+SRj"}},
        {"fixed_joint(A, B);", 0.15, {"j+SRj", "++SR+", "SSSRS", "RRRRR", "j+SRj"}},
        {"keyhole(W, B);", -1, {"wwwww", "wwwww", "wwwww", "+++++", "wwwww"}, "0"},
        {"pearl(B, W);", -1, {"wwwww", "wwwww", "wwwww", "+++qz", "wwwww"}, "0"},
    };
    for (const Word& word : words)
        for (std::size_t i = 0; i < kKinds.size(); ++i)
            for (std::size_t k = 0; k < kKinds.size(); ++k)
                check_pair(word, i, k);
}
