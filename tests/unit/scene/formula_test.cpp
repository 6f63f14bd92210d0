#include "scene/formula.h"
#include "support/differences.h"
#include "support/scene_builder.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

/// e(s), e'(s) and e''(s) as the books write them.
Rates closed_form(Easing easing, double s)
{
    switch (easing) {
    case Easing::linear: return {s, 1, 0};
    case Easing::slowin: return {s * s, 2 * s, 2};
    case Easing::slowout: return {1 - (1 - s) * (1 - s), 2 * (1 - s), -2};
    case Easing::slowinout: return {3 * s * s - 2 * s * s * s, 6 * s - 6 * s * s, 6 - 12 * s};
    case Easing::hold: return {0, 0, 0};
    }
    return {};
}

constexpr Easing kEasings[] = {Easing::linear, Easing::slowin, Easing::slowout, Easing::slowinout,
                               Easing::hold};

void check_rates(const Rates& found, const Rates& wanted)
{
    CHECK(found.value == doctest::Approx(wanted.value));
    CHECK(found.first == doctest::Approx(wanted.first));
    CHECK(found.second == doctest::Approx(wanted.second));
}

} // namespace

TEST_CASE("between two keys a track follows its easing, with both derivatives")
{
    for (const Easing easing : kEasings) {
        SceneBuilder builder;
        const Value track = builder.add_track({{{1}, 1}, {{4}, 3, easing}});
        const Scene& scene = builder.scene;
        const auto value = [&](double t) { return rates_at(scene, track, t).value; };
        CAPTURE(static_cast<int>(easing));

        for (const double t : {1.1, 1.5, 2.0, 2.9}) {
            CAPTURE(t);
            const Rates e = closed_form(easing, (t - 1) / 2); // value 1 + 3 e(s), ds/dt = 1/2
            const Rates found = rates_at(scene, track, t);
            check_rates(found, {1 + 3 * e.value, 1.5 * e.first, 0.75 * e.second});
            CHECK(is_close(found.first, slope_of(value, t), 1e-8));
            CHECK(is_close(found.second, bend_of(value, t), 1e-8));
        }
    }
}

TEST_CASE("outside its keys a track holds its ends, at rest")
{
    for (const Easing easing : kEasings) {
        SceneBuilder builder;
        const Value track = builder.add_track({{{1}, 1}, {{4}, 3, easing}});

        check_rates(rates_at(builder.scene, track, -5), {1, 0, 0});
        check_rates(rates_at(builder.scene, track, 0.999), {1, 0, 0});
        check_rates(rates_at(builder.scene, track, 3.001), {4, 0, 0});
        check_rates(rates_at(builder.scene, track, 1e9), {4, 0, 0});
    }
}

TEST_CASE("at a key each side has its own derivatives")
{
    SceneBuilder builder;
    const Value track = builder.add_track({{{0}, 0},
                                           {{2}, 1, Easing::linear},
                                           {{3}, 2, Easing::slowin},
                                           {{3}, 3, Easing::hold},
                                           {{7}, 4, Easing::slowinout}});
    const auto before = [&](double t) {
        return rates_at(builder.scene, track, t, 0, Side::before);
    };
    const auto after = [&](double t) { return rates_at(builder.scene, track, t, 0, Side::after); };

    check_rates(before(0), {0, 0, 0});
    check_rates(after(0), {0, 2, 0});
    check_rates(before(1), {2, 2, 0});
    check_rates(after(1), {2, 0, 2});
    check_rates(before(2), {3, 2, 2});
    check_rates(after(2), {3, 0, 0});
    check_rates(before(4), {7, 0, -24});
    check_rates(after(4), {7, 0, 0});
    check_rates(rates_at(builder.scene, track, 1), {2, 0, 2}); // behind the key, unless asked
}

TEST_CASE("a hold jumps at its key: the old value arrives, the new one starts")
{
    SceneBuilder builder;
    const Value track =
        builder.add_track({{{1}, 0}, {{5}, 2, Easing::hold}, {{9}, 3, Easing::hold}});

    check_rates(rates_at(builder.scene, track, 1.999), {1, 0, 0});
    check_rates(rates_at(builder.scene, track, 2, 0, Side::before), {1, 0, 0});
    check_rates(rates_at(builder.scene, track, 2, 0, Side::after), {5, 0, 0});
    check_rates(rates_at(builder.scene, track, 3, 0, Side::before), {5, 0, 0});
    check_rates(rates_at(builder.scene, track, 3, 0, Side::after), {9, 0, 0});
}

TEST_CASE("a track of one key is a constant")
{
    SceneBuilder builder;
    const Value track = builder.add_track({{{3}, 1}});

    for (const double t : {0.0, 1.0, 2.0})
        for (const Side side : {Side::before, Side::after})
            check_rates(rates_at(builder.scene, track, t, 0, side), {3, 0, 0});
}

TEST_CASE("a ramp of tracks changes in time and along the curve")
{
    SceneBuilder builder;
    const Value root = builder.add_track({{{0}, 0}, {{8}, 2, Easing::slowin}});
    const Value tip = builder.add_track({{{4}, 0}, {{0}, 2, Easing::linear}});
    const Value ramp = builder.add_track({{root, 0}, {tip, 1, Easing::slowout}}, true);
    const double t = 0.6, u = 0.3;
    // root = 2 t², tip = 4 − 2 t, along the way e = 1 − (1 − u)².
    const double e = 1 - 0.7 * 0.7, de = 2 * 0.7, dde = -2;
    const double r = 2 * t * t, dr = 4 * t, ddr = 4, s = 4 - 2 * t, ds = -2;

    check_rates(rates_at(builder.scene, ramp, t, u),
                {r + (s - r) * e, dr + (ds - dr) * e, ddr + (0 - ddr) * e});
    check_rates(rates_along(builder.scene, ramp, t, u),
                {r + (s - r) * e, (s - r) * de, (s - r) * dde});
    check_rates(rates_at(builder.scene, ramp, 5, 0.5), {8 + (0 - 8) * 0.75, 0, 0});
    CHECK(key_times(builder.scene, ramp) == std::vector<double>{0, 2});
    CHECK(key_places(builder.scene, ramp) == std::vector<double>{0, 1});
}

TEST_CASE("a track of ramps is the same thing the other way round")
{
    SceneBuilder builder;
    const Value first = builder.add_track({{{1}, 0.25}, {{3}, 0.75}}, true);
    const Value track = builder.add_track({{first, 1}, {{5}, 2}});

    CHECK(rates_at(builder.scene, track, 0, 0.5).value == 2);
    CHECK(rates_at(builder.scene, track, 1.5, 0.5).value == 3.5);
    CHECK(rates_at(builder.scene, track, 1.5, 0.5).first == 3);
    CHECK(rates_along(builder.scene, track, 1.5, 0.5).first == 2); // half of 4 per length
    CHECK(key_times(builder.scene, track) == std::vector<double>{1, 2});
    CHECK(key_places(builder.scene, track) == std::vector<double>{0.25, 0.75});
}

TEST_CASE("key times are collected from everything a value depends on, each once, sorted")
{
    SceneBuilder builder;
    const Value a = builder.add_track({{{0}, 3}, {{1}, 5}});
    const Value inner = builder.add_track({{{0}, 4}, {{1}, 5}});
    const Value b = builder.add_track({{{0}, 1}, {inner, 2}});
    const Value sum = builder.apply(Operation::add, a, builder.apply(Operation::sine, b));

    CHECK(key_times(builder.scene, sum) == std::vector<double>{1, 2, 3, 4, 5});
    CHECK(key_places(builder.scene, sum).empty());
    CHECK(key_times(builder.scene, {7}).empty());
    CHECK(key_times(builder.scene, builder.time()).empty());
}

TEST_CASE("derivatives of every operation agree with differences")
{
    struct Case {
        Operation operation;
        double at; ///< of time, away from corners and poles
    };
    const Case cases[] = {
        {Operation::negate, 0.7},     {Operation::sine, 0.7},        {Operation::cosine, 0.7},
        {Operation::tangent, 0.7},    {Operation::arcsine, 0.4},     {Operation::arccosine, 0.4},
        {Operation::arctangent, 0.7}, {Operation::square_root, 0.7}, {Operation::exponential, 0.7},
        {Operation::logarithm, 0.7},  {Operation::absolute, -0.7},   {Operation::round_down, 0.7},
        {Operation::round_up, 0.7},   {Operation::add, 0.7},         {Operation::subtract, 0.7},
        {Operation::multiply, 0.7},   {Operation::divide, 0.7},      {Operation::arctangent2, 0.7},
        {Operation::power, 0.7},      {Operation::minimum, 0.7},     {Operation::maximum, 0.7},
        {Operation::remainder, 0.7}};
    for (const Case& c : cases) {
        SceneBuilder builder;
        const Value time = builder.time();
        const Value square = builder.apply(Operation::multiply, time, time);
        const Value other = builder.apply(Operation::add, square, {0.3});
        const Value value = builder.apply(c.operation, time, other);
        const auto at = [&](double t) { return rates_at(builder.scene, value, t).value; };
        CAPTURE(static_cast<int>(c.operation));

        const Rates rates = rates_at(builder.scene, value, c.at);

        CHECK(is_close(rates.first, slope_of(at, c.at), 1e-8));
        CHECK(is_close(rates.second, bend_of(at, c.at), 1e-4)); // step² times the fourth derivative
    }
}

TEST_CASE("random formulas of tracks and time agree with differences")
{
    CHECK(rc::check("first and second derivative", [] {
        SceneBuilder builder;
        std::vector<Value> pool = {builder.time(), {0.5}, {-1.25}};
        for (const Easing easing :
             {Easing::linear, Easing::slowin, Easing::slowout, Easing::slowinout})
            pool.push_back(builder.add_track({{{0.2}, -1}, {{0.9}, 3, easing}}));
        const int count = *rc::gen::inRange(1, 6);
        for (int i = 0; i < count; ++i) {
            const auto pick = [&] { return pool[*rc::gen::inRange<std::size_t>(0, pool.size())]; };
            const auto operation = *rc::gen::element(
                Operation::add, Operation::subtract, Operation::multiply, Operation::sine,
                Operation::cosine, Operation::arctangent, Operation::negate);
            const Value a = pick(), b = pick();
            pool.push_back(builder.apply(operation, a, b));
        }
        const Value value = pool.back();
        const double t = 0.1 + 0.01 * *rc::gen::inRange(0, 200); // between the keys
        const auto at = [&](double time) { return rates_at(builder.scene, value, time).value; };

        const Rates rates = rates_at(builder.scene, value, t);

        // Where halving the step changes the difference, it proves nothing.
        RC_PRE(is_close(slope_of(at, t), slope_of(at, t, 5e-6), 1e-7));
        RC_PRE(is_close(bend_of(at, t), bend_of(at, t, 5e-4), 1e-5));
        RC_ASSERT(is_close(rates.first, slope_of(at, t), 1e-6));
        RC_ASSERT(is_close(rates.second, bend_of(at, t), 1e-4));
    }));
}

TEST_CASE("a value is known in advance when it depends on time and place only")
{
    SceneBuilder builder;
    builder.scene.imports.push_back({.name = "wind"});
    const ObjectId object = builder.add_object("a");
    const Value track = builder.add_track({{builder.time(), 0}, {{1}, 1}}, true);
    const Value coordinate = builder.add_coordinate("q");
    const Value imported = builder.add_formula({.operation = Operation::imported});
    const Value place = builder.position(object, Axis::y, ObjectId{0});
    const Scene& scene = builder.scene;

    CHECK(is_known_in_advance(scene, {3}));
    CHECK(is_known_in_advance(scene, track));
    for (const Value value : {coordinate, imported, place}) {
        CHECK_FALSE(is_known_in_advance(scene, value));
        CHECK_FALSE(is_known_in_advance(scene, builder.apply(Operation::sine, value)));
        CHECK_FALSE(is_known_in_advance(scene, builder.add_track({{{0}, 0}, {value, 1}})));
    }
}

TEST_CASE("traits tell what a formula depends on, how deep and how large it is")
{
    SceneBuilder builder;
    const Value time = builder.time();
    const Value q = builder.add_coordinate("q");
    const Value sum = builder.apply(Operation::add, time, q);
    const Value twice = builder.apply(Operation::add, sum, sum);
    const Value ramp = builder.add_track({{time, 0}, {{1}, 1}}, true);
    std::vector<FormulaTraits> traits;

    REQUIRE_FALSE(compute_traits(builder.scene, traits).has_value());

    CHECK(traits[time.formula].dependence == Dependence::kTime);
    CHECK(traits[sum.formula].dependence == (Dependence::kTime | Dependence::kCoordinate));
    CHECK(traits[sum.formula].depth == 2);
    CHECK(traits[sum.formula].size == 3);
    CHECK(traits[twice.formula].size == 7);
    CHECK(traits[ramp.formula].dependence == (Dependence::kTime | Dependence::kAlong));
}

TEST_CASE("formulas that lead back to themselves, or are too deep or too large, are found")
{
    std::vector<FormulaTraits> traits;
    SceneBuilder circle;
    const Value a = circle.apply(Operation::add, {1}, {2});
    const Value b = circle.apply(Operation::sine, a);
    circle.scene.formulas[a.formula].b = b;
    CHECK(compute_traits(circle.scene, traits).has_value());

    SceneBuilder through_track;
    const Value track = through_track.add_track({{{0}, 0}});
    through_track.scene.tracks[0].keys[0].value = through_track.apply(Operation::sine, track);
    CHECK(compute_traits(through_track.scene, traits).has_value());

    SceneBuilder tower;
    Value top = tower.time();
    for (std::uint32_t i = 1; i < kDeepestFormula; ++i)
        top = tower.apply(Operation::sine, top);
    CHECK_FALSE(compute_traits(tower.scene, traits).has_value());
    tower.apply(Operation::sine, top);
    CHECK(compute_traits(tower.scene, traits).has_value());

    SceneBuilder doubling;
    Value large = doubling.time();
    for (int i = 0; i < 12; ++i)
        large = doubling.apply(Operation::add, large, large);
    CHECK(compute_traits(doubling.scene, traits).has_value());
}

TEST_CASE("formulas may be listed in any order of use")
{
    SceneBuilder builder;
    const Value outer = builder.apply(Operation::negate, {0, 2});
    const Value middle = builder.apply(Operation::sine, {0, 2});
    const Value inner = builder.time();
    builder.scene.formulas[outer.formula].a = middle;
    builder.scene.formulas[middle.formula].a = inner;
    std::vector<FormulaTraits> traits;

    REQUIRE_FALSE(compute_traits(builder.scene, traits).has_value());
    CHECK(traits[outer.formula].depth == 3);
    CHECK(rates_at(builder.scene, outer, 1).value == doctest::Approx(-std::sin(1.0)));
}
