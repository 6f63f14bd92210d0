// How roots move.

#include "models/strand/bases/bases.h"
#include "sinew/language.h"

#include <doctest/doctest.h>

namespace sinew::strand {

namespace {

constexpr const char* kHead = R"(
def lock strand(line(0,0,0, 0.05,-0.25,0), segments = 3); radius(1 mm); density(1300); young(1e8);
end;
def head for i in 1..4 s[i] = lock rotatey(0.7 * i) translatex(0.1 * i); end; end;
h = head rotatez({0 at 0 sec slowinout 0.3 at 0.5 sec slowinout 0 at 1 sec})
    translatey({0 at 0 sec slowinout 2 at 1 sec}) rotatex(0.4);
simulate(0 sec, 1 sec, step = 1/96);
)";

double distance(const PoseMotion& a, const PoseMotion& b)
{
    const Quat turn = conjugate(a.pose.rotation) * b.pose.rotation;
    return length(a.pose.translation - b.pose.translation) + length(turn.vector()) +
           length(a.velocity - b.velocity) + length(a.angular_velocity - b.angular_velocity) +
           length(a.acceleration - b.acceleration) +
           length(a.angular_acceleration - b.angular_acceleration);
}

} // namespace

TEST_CASE("strands: what stands on a carrier moves as its whole chain of transformations does")
{
    const ScriptReading reading = read_script("head", kHead, {});
    REQUIRE(reading.is_sound());
    const Scene& scene = reading.scene;
    REQUIRE(scene.strands.size() == 4);
    const Carried first = find_carrier(scene, scene.strands[0].tree);

    for (const StrandCurve& strand : scene.strands) {
        const Carried carried = find_carrier(scene, strand.tree);
        CHECK(carried.carrier == first.carrier); // evaluated once for all
        CHECK(carried.carrier.object != strand.tree);
        for (const double time : {0.1, 0.3, 0.77}) {
            const PoseMotion whole = motion_by_tracks(scene, {strand.tree, 0}, time, Side::after);
            const PoseMotion carrier = motion_by_tracks(scene, carried.carrier, time, Side::after);
            CHECK(length(whole.acceleration) > 0.1);
            CHECK(distance(carried_by(carrier, carried.pose), whole) < 1e-12);
        }
    }
}

TEST_CASE("strands: motions that trees share have the bits of those that each would find")
{
    const ScriptReading reading = read_script("head", kHead, {});
    REQUIRE(reading.is_sound());
    const Scene& scene = reading.scene;
    std::vector<ObjectId> trees;
    for (const StrandCurve& strand : scene.strands)
        trees.push_back(strand.tree);
    const std::vector<Affine> objects(scene.objects.size());
    const std::vector<std::uint32_t> roots(trees.size(), StrandCurve::kNone);
    Bases bases(scene, trees, roots, objects);
    const double t0 = 0.2, t1 = 0.2 + 1.0 / 96, stage = t0 + (t1 - t0) * kGamma;

    bases.prepare(scene, t0, t1, objects, objects, {});

    for (std::uint32_t i = 0; i < trees.size(); ++i)
        for (const double time : {t0, stage, t0 + (t1 - t0) * 0.4}) {
            const PoseMotion shared = bases.base_at(i, time), own = bases.driven_at(scene, i, time);
            CHECK(shared.pose == own.pose);
            CHECK(shared.acceleration == own.acceleration);
        }
}

} // namespace sinew::strand
