// One list of all fields serves the fingerprint, equality and finiteness: every number counts.

#include "scene/fields.h"
#include "support/readings.h"

#include <doctest/doctest.h>

#include <limits>

using namespace sinew;

namespace {

const char* kEverything = R"(
param k = 2 [0..5] "knob";
var gust; gust = {0 at 0 sec linear 1 at 1 sec};
dynamic a; a = initial(0.1, 0.2);
def bob mass(1); colour(0.5, 0.5, 0.5); look(brass); line(0,0,0, 1,0,0); end;
def arm box_mass(1, 0.1, 0.2, 0.3); label(); end;
def crate body(density = 400); box(0.1, 0.2, 0.3); material(friction = 0.3); end;
def floor obstacle(); plane(0, 1, 0, -5); end;
def hair strand(line(0,0,0, 0.4,0,0), segments = 4); radius(2 mm); air_drag(0.01, 0.1); children(9); end;
def rope rod(line(0,0,0, 1,0,0), spans = 6); end;
m = bob translatex(a); other = bob translatey(-1); post = arm translatex(3);
c = crate translatey(3); d = crate translatey(4); floor;
h = hair translatez(2); r = rope translatez(4);
dist_constraint(m, other, 1); path_constraint(m, line(0,0,0, 1,0,0));
spring_and_damper(m, post, 1, 2, 3); spring_and_damper(a, 1, 2, 3);
force(m, 1, 2, 3); torque(a, 1); drag(m, 0.1); field(1, 2, 3) on m; wind(gust, 0, 0) on h;
hinge_joint(c, d, line(0,3,0, 0,4,0), low = -1, high = 1, motor = 2, motor_force = 3, breaks = 9);
contact_material(c, d, friction = 0.1);
position_constraint(h at 1 along, point(0.4, 0, 2), active = gust);
keyhole(r, point(0.5, 0, 4), from = 0.5, friction = 0.1);
camera(0, 1, 6, 0, 1, 0); assemble; still(1 sec);
studio(evening, ground = -6, azimuth = 1, elevation = 1, backdrop = "#888");
)";

Scene everything() { return test::sound_scene(kEverything); }

/// Calls use(way, leaf) for every number, word and switch of a thing; of lists in their first
/// element.
template <class T, class Use>
void each_leaf(T& x, const std::string& way, Use&& use)
{
    if constexpr (std::is_same_v<T, Origin> || std::is_same_v<T, SourceFile>) {
    } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T> ||
                         std::is_same_v<T, std::string>) {
        use(way, x);
    } else if constexpr (std::is_same_v<T, Value>) {
        use(way, x.formula);
        if (x.is_constant()) // else the number says nothing
            use(way, x.number);
    } else if constexpr (std::is_same_v<T, Vec3>) {
        each_leaf(x.y, way + ".y", use);
    } else if constexpr (requires { x.is_valid(); }) {
        use(way, x.index);
    } else if constexpr (requires { x.has_value(); }) {
        if (x)
            each_leaf(*x, way, use);
    } else if constexpr (HasFields<T>) {
        for_each_field(
            [&](FieldName name, auto& field) {
                each_leaf(field, way + "." + std::string(name.text), use);
            },
            x);
    } else if constexpr (requires { x.begin(); }) {
        if (x.begin() != x.end())
            each_leaf(*x.begin(), way, use);
    }
}

template <class T>
void change(T& x)
{
    if constexpr (std::is_same_v<T, std::string>)
        x += "x";
    else if constexpr (std::is_same_v<T, bool>)
        x = !x;
    else if constexpr (std::is_enum_v<T>)
        x = static_cast<T>(static_cast<int>(x) + 1);
    else if constexpr (std::is_floating_point_v<T>)
        x += 0.125;
    else
        x += 1;
}

bool starts_with_any(const std::string& text, std::initializer_list<const char*> beginnings)
{
    for (const char* beginning : beginnings)
        if (text.starts_with(beginning))
            return true;
    return false;
}

} // namespace

TEST_CASE("every field of a scene decides its fingerprint, and whether two are the same")
{
    Scene scene = everything();
    const Scene original = scene;
    const std::uint64_t own = fingerprint(original);
    int count = 0;
    each_leaf(scene, "", [&](const std::string& way, auto& leaf) {
        // Said again by the lists that are made of it, or of what always holds.
        if (starts_with_any(way, {".rod_cuts", ".distance_constraints.release",
                                  ".path_constraints.release", ".point_springs.release",
                                  ".joints.active"}))
            return;
        CAPTURE(way);
        const auto before = leaf;
        change(leaf);
        CHECK(fingerprint(scene) != own);
        CHECK_FALSE(is_same(scene, original));
        leaf = before;
        ++count;
    });
    CHECK(count > 250);
    CHECK(fingerprint(scene) == own);
    CHECK(is_same(scene, original));
}

TEST_CASE("a scene is the same however its script is laid out")
{
    std::string spaced = kEverything;
    for (std::size_t at = spaced.find(';'); at != std::string::npos; at = spaced.find(';', at + 3))
        spaced.insert(at, "  ");
    CHECK(is_same(test::sound_scene(spaced), everything()));
}

TEST_CASE("every number of a scene must be finite, and the one that is not is named")
{
    const Scene original = everything();
    CHECK(find_not_finite(original) == "");
    Scene scene = original;
    int count = 0;
    each_leaf(scene, "", [&](const std::string& way, auto& leaf) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(leaf)>, double>) {
            const double before = leaf;
            leaf = std::numeric_limits<double>::quiet_NaN();
            CHECK_MESSAGE(find_not_finite(scene) != "", way);
            CHECK_MESSAGE(has_errors(validate(scene)), way);
            leaf = before;
            ++count;
        }
    });
    CHECK(count > 100);
    scene.bodies[1].spin.z = INFINITY;
    CHECK(find_not_finite(scene) == "bodies[1].spin");
}
