// What the scheme can do, one law at a time.

#include "unit/models/linkage/charli_run.h"

#include <numbers>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double kPi = std::numbers::pi;

CharliRun run_of(const std::string& script, const CharliOptions& options = {},
                 const std::vector<ImportFunction>& imports = {})
{
    return CharliRun(sound_scene("def m mass(1); end;" + script), options, imports);
}

} // namespace

TEST_CASE("an angle goes on over many turns: a torque drives a rotor")
{
    CharliRun run =
        run_of("gravity(0, 0, 0); dynamic theta; theta = initial(0, 0); torque(theta, 8);"
               "m translatex(2) rotatez(theta);");

    run.run_to(10, 1e-3);

    CHECK(run.coordinates[0] == doctest::Approx(0.5 * (8. / 4) * 100).epsilon(1e-7)); // 100 rad
    CHECK(run.rates[0] == doctest::Approx(20).epsilon(1e-7));
}

TEST_CASE("a torsion spring counts turns")
{
    CharliRun run = run_of("gravity(0, 0, 0); dynamic theta; theta = initial(40, 0); "
                           "spring_and_damper(theta, 10, 4, 0); m rotatex(0) translatey(1) "
                           "rotatez(theta);");

    run.run_to(kPi, kPi / 6000); // a whole swing of √(k/I) = 2 / s

    CHECK(run.coordinates[0] == doctest::Approx(40).epsilon(1e-6));
    run.run_to(1.5 * kPi, kPi / 6000);
    CHECK(run.coordinates[0] == doctest::Approx(-20).epsilon(1e-6));
}

TEST_CASE("gears: the angle of a formula goes on over many turns too")
{
    // I = 1 + 3² · 1 for theta; the torque acts on theta.
    CharliRun run =
        run_of("gravity(0, 0, 0); dynamic theta; theta = initial(0, 0); torque(theta, 20);"
               "a = m translatex(1) rotatez(theta); b = m translatex(1) rotatez(-3 * theta)"
               " translatex(5);");

    run.run_to(5, 1e-3);

    CHECK(run.coordinates[0] == doctest::Approx(25).epsilon(1e-6));
}

TEST_CASE("springs, drag, forces and fields act as Newton says")
{
    SUBCASE("a spring between points, with damping")
    {
        // Reduced mass 1/2, k = 8: ω = 4, c = 0.5: damping 0.5 / s.
        CharliRun run =
            run_of("gravity(0, 0, 0); dynamic x, y; x = initial(0, 0); y = initial(3, 0);"
                   "a = m translatex(x); b = m translatex(y);"
                   "spring_and_damper(a, b, 2, 8, 0.5);");
        run.run_to(2, 1e-3);
        const double w = std::sqrt(16 - 0.25);
        CHECK(run.coordinates[1] - run.coordinates[0] ==
              doctest::Approx(2 + std::exp(-1) * (std::cos(2 * w) + 0.5 / w * std::sin(2 * w)))
                  .epsilon(1e-8));
        CHECK(run.coordinates[1] + run.coordinates[0] == doctest::Approx(3).epsilon(1e-12));
    }
    SUBCASE("drag")
    {
        CharliRun run = run_of("gravity(0, 0, 0); dynamic x; x = initial(0, 3); m translatex(x); "
                               "drag(m, 0.5);");
        run.run_to(2, 1e-2);
        CHECK(run.rates[0] == doctest::Approx(3 * std::exp(-1)).epsilon(1e-8));
    }
    SUBCASE("a force that depends on time, place and coordinates")
    {
        CharliRun run = run_of("gravity(0, 0, 0); dynamic x; x = initial(1, 0); m translatex(x); "
                               "force(m, -2 * m_x - 2 * x + 6 * time, 0, 0);");
        run.run_to(2, 1e-2);
        // ẍ + 4x = 6t
        CHECK(run.coordinates[0] ==
              doctest::Approx(3 + std::cos(4.) - 0.75 * std::sin(4.)).epsilon(1e-7));
    }
    SUBCASE("a field in the frame of a def that is turned, for what it names only")
    {
        CharliRun run =
            run_of("gravity(0, 0, 0); dynamic x, y; x = initial(0, 0); y = initial(0, 0);"
                   "def box a = m translatex(x); b = m translatex(y) translatez(1);"
                   "field(3, 0, 0) on a; end; box scale(2) rotatez(90 deg);");
        run.run_to(1, 1e-2);
        CHECK(run.coordinates[0] == doctest::Approx(0.5 * 3 / 2).epsilon(1e-9));
        CHECK(run.coordinates[1] == doctest::Approx(0).epsilon(1e-12));
    }
    SUBCASE("gravity that a track turns on")
    {
        CharliRun run = run_of("gravity(0, {0 at 0 sec linear -6 at 1 sec}, 0); dynamic y; "
                               "y = initial(0, 0); m translatey(y);");
        run.run_to(1, 1e-2);
        CHECK(run.coordinates[0] == doctest::Approx(-1).epsilon(1e-12));
    }
}

TEST_CASE("a block swings by its inertia")
{
    // I about the pivot: m (1² + (0.6² + 0.2²)/12), small swing.
    CharliRun run(
        sound_scene("dynamic a; a = initial(1e-4, 0); def block box_mass(3, 0.6, 0.2, 5); "
                    "end; block translatey(-1) rotatez(a);"));
    const double period = 2 * kPi * std::sqrt((1 + 0.4 / 12) / 9.81);

    run.run_to(period, period / 1000);

    CHECK(run.coordinates[0] == doctest::Approx(1e-4).epsilon(1e-7));
}

TEST_CASE("a bead slides down a parabola, and along a spline through points")
{
    // ∫ √((1 + 4x²)/(2g(1 − x²))) dx from 0 to 1.
    CharliRun run = run_of("dynamic x, y; x = initial(1, 0); y = initial(1, 0); m translatex(x) "
                           "translatey(y); path_constraint(m, spline(-1,1,0, 0,-1,0, 1,1,0));");
    run.run_to(0.594923842714, 1e-3);
    CHECK(std::abs(run.coordinates[0]) < 1e-9);
    CHECK(std::abs(run.coordinates[1]) < 1e-9);

    CharliRun ride =
        run_of("dynamic x, y, z; x = initial(0, 0); y = initial(1, 0); z = initial(0, 0);"
               "m translatex(x) translatey(y) translatez(z); path_constraint(m, "
               "spline_through(0,1,0, 1,0,1, 2,0.5,0, 3,-1,-1));");
    const double before = ride.energy();
    ride.run_to(1.2, 1e-3);
    CHECK(std::abs(ride.energy() - before) < 1e-4); // the curve's third derivative jumps: order two
}

TEST_CASE("dependent equations do no harm: coincidence in a plane, one rod twice")
{
    const std::string pendulum =
        "dynamic x, y, a; x = initial(0.6, 0); y = initial(0.8, 0); a = initial(0.5, 0); def o "
        "label(); end; o; p = m translatex(x) translatey(y); dist_constraint(o, p, 1); "
        "def arm hand = m translatex(1); end; arm rotatez(a) translatex(x) translatey(y);";
    const std::string doubled =
        "dist_constraint(p, o, 1); def tip label(); end; tip translatex(x) translatey(y); "
        "dist_constraint(tip, p, 0);";
    CharliRun once = run_of(pendulum), twice = run_of(pendulum + doubled);

    once.run_to(2, 1e-2);
    twice.run_to(2, 1e-2);

    for (std::size_t i = 0; i < 3; ++i)
        CHECK(twice.coordinates[i] == doctest::Approx(once.coordinates[i]).epsilon(1e-9));
}

TEST_CASE("masses of a gram and of a tonne, and a place far away, are no obstacle")
{
    const std::string chain =
        "dynamic a, b; a = initial(0, 0); b = initial(0.1, 0); def heavy "
        "mass(1000); end; def light mass(0.001); end; def arm light "
        "translatex(1) rotatez(b); h = heavy; end; arm translatex(1) rotatez(a)";
    CharliRun here = run_of(chain + ";"), far = run_of(chain + " translatex(1e5);");

    here.run_to(1, 1e-3);
    far.run_to(1, 1e-3);

    CharliRun alone = run_of("dynamic a; a = initial(0, 0); m translatex(1) rotatez(a);");
    alone.run_to(1, 1e-3);
    CHECK(here.coordinates[0] == doctest::Approx(alone.coordinates[0]).epsilon(1e-5));
    CHECK(far.coordinates[0] == doctest::Approx(here.coordinates[0]).epsilon(1e-6));
    CHECK(far.coordinates[1] == doctest::Approx(here.coordinates[1]).epsilon(1e-6));
}

TEST_CASE("at a key velocities change as little as the constraint allows, in the metric of masses")
{
    // Distance 2 for a second, then shrinking by 1 m/s: momentum stays, 3 : 1 shares the rest.
    CharliRun run =
        run_of("gravity(0, 0, 0); dynamic x, y; x = initial(0, 1); y = initial(2, 1);"
               "def big mass(3); end; big translatex(x); m translatex(y);"
               "dist_constraint(big, m, {2 at 0 sec linear 2 at 1 sec linear 1 at 2 sec});");
    run.run_to(1, 0.1);
    run.pass_key();
    CHECK(run.rates[0] == doctest::Approx(1.25).epsilon(1e-12));
    CHECK(run.rates[1] == doctest::Approx(0.25).epsilon(1e-12));

    run.run_to(2, 0.1);
    CHECK(run.coordinates[1] - run.coordinates[0] == doctest::Approx(1).epsilon(1e-12));
}

TEST_CASE("a track that jumps takes what it carries along, and leaves its velocity")
{
    CharliRun run =
        run_of("gravity(0, 0, 0); dynamic theta; theta = initial(0, 2); var x; x = {0 at "
               "0 sec hold 5 at 1 sec}; m translatex(1) rotatez(theta) translatex(x);");
    run.run_to(1, 0.01);
    const double rate = run.rates[0];
    run.pass_key();

    CHECK(run.rates[0] == doctest::Approx(rate).epsilon(1e-6));
    CHECK(run.coordinates[0] == doctest::Approx(2).epsilon(1e-6));
    CHECK(run.place("m").x == doctest::Approx(5 + std::cos(2)).epsilon(1e-6));
    run.run_to(2, 0.01);
    CHECK(run.coordinates[0] == doctest::Approx(4).epsilon(1e-6));
}

TEST_CASE("a distance may shrink to zero and stay there [HerrWyvill90, dist_constraints]")
{
    CharliRun run =
        run_of("gravity(0, 0, 0); dynamic x, y, z, w; x = initial(0, 0); y = initial(1, 0);"
               "z = initial(0, 0); w = initial(0, 0); a = m translatex(x) translatey(z); "
               "b = m translatex(y) translatey(w); force(a, 0, {0 at 0 sec hold 1 at 1 sec}, 0);"
               "dist_constraint(a, b, {1 at 0 sec slowinout 0 at 1 sec});");
    run.run_to(1, 1e-3);
    run.pass_key();
    run.run_to(2, 1e-3);

    // From 1 s on both are one body of 2 kg under 1 N.
    CHECK(std::abs(run.coordinates[0] - run.coordinates[1]) < 1e-8);
    CHECK(std::abs(run.coordinates[2] - run.coordinates[3]) < 1e-9);
    CHECK(run.rates[2] == doctest::Approx(0.5).epsilon(1e-9));
    CHECK(run.rates[3] == doctest::Approx(0.5).epsilon(1e-9));
}

TEST_CASE("a distance may pass through zero: the masses go through one another")
{
    CharliRun run =
        run_of("gravity(0, 0, 0); dynamic x, y; x = initial(0, 0.5); y = initial(1, -0.5);"
               "a = m translatex(x); b = m translatex(y); "
               "dist_constraint(a, b, 1 - time);");
    run.run_to(2, 0.01);

    CHECK(run.coordinates[0] == doctest::Approx(1).epsilon(1e-9));
    CHECK(run.coordinates[1] == doctest::Approx(0).epsilon(1e-9));
}

TEST_CASE("an import drives a place as a function of time, with and without its derivatives")
{
    const std::string script =
        "dynamic theta; theta = initial(0, 0); import drive; m translatex(1) rotatez(theta) "
        "translatey(drive);";
    const ImportFunction plain = [](const ImportInput& in) {
        return ImportValue{std::sin(2 * in.time)};
    };
    const ImportFunction exact = [](const ImportInput& in) {
        return ImportValue{std::sin(2 * in.time), 2 * std::cos(2 * in.time),
                           -4 * std::sin(2 * in.time)};
    };
    CharliRun by_values = run_of(script, {}, {plain}), by_rates = run_of(script, {}, {exact});
    CharliRun truth = run_of("dynamic theta; theta = initial(0, 0); m translatex(1) rotatez(theta) "
                             "translatey(sin(2 * time));");
    for (CharliRun* run : {&by_values, &by_rates, &truth})
        run->run_to(2, 0.01);

    CHECK(by_rates.coordinates[0] == doctest::Approx(truth.coordinates[0]).epsilon(1e-12));
    CHECK(by_values.coordinates[0] == doctest::Approx(truth.coordinates[0]).epsilon(1e-8));
}

TEST_CASE("an import makes a force of time and state")
{
    CharliRun run = run_of("gravity(0, 0, 0); dynamic x; x = initial(1, 0); import pull; "
                           "m translatex(x); force(m, pull, 0, 0);",
                           {}, {[](const ImportInput& in) {
                               return ImportValue{-5 * in.coordinates[0] - 2 * in.rates[0]};
                           }});
    run.run_to(2, 0.01);

    // ẍ + 2ẋ + 5x = 0
    CHECK(run.coordinates[0] ==
          doctest::Approx(std::exp(-2) * (std::cos(4.) + 0.5 * std::sin(4.))).epsilon(1e-6));
}
