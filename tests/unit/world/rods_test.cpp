// Rods held by rows: closed forms and independent results.

#include "some_ropes.h"
#include "support/tiny_models.h"

#include <cmath>
#include <doctest/doctest.h>

namespace sinew {

using namespace test;

TEST_CASE("rods: a hanging rope is a catenary, its ends pull as that says")
{
    // Reference: length 1.5, span 1, 0.2 kg/m: H = 0.604759954 N, end tension 1.590926413 N.
    const auto sag = [](double u) { return Vec3{u, -2.0 * u * (1 - u), 0}; };
    double length = 0; // of the drawn parabola, by many chords
    for (int k = 0; k < 100000; ++k)
        length += sinew::length(sag((k + 1) / 1e5) - sag(k / 1e5));
    rod::Drawing drawing = rod::drawn(sag, length, 20, rope(0.2, 2e5), true);
    drawing.rest_length = 1.5;
    Ropes ropes({drawing});
    ropes.ensemble.attachments = {hold(1, 0, 0, {0, 0, 0}), hold(2, 0, 1, {1, 0, 0})};

    const int steps = ropes.settle();
    CHECK(steps < 60);

    const Vec3 left = ropes.force(1), right = ropes.force(2);
    CHECK(-left.x == doctest::Approx(0.604759954).epsilon(2e-3));
    CHECK(right.x == doctest::Approx(0.604759954).epsilon(2e-3));
    CHECK(sinew::length(left) == doctest::Approx(1.590926413).epsilon(2e-3));
    CHECK(left.y + right.y == doctest::Approx(0.2 * 1.5 * kGravity).epsilon(1e-9));
    const double a = 0.604759954 / (0.2 * kGravity);
    const double lowest = a * (1 - std::cosh(0.5 / a));
    CHECK(ropes.place(0, 0.5).y == doctest::Approx(lowest).epsilon(1e-3));
}

TEST_CASE("rods: a cantilever bends as Bernoulli says, and swings with his frequency")
{
    const rod::Material steel{.radius = 2e-3, .young = 2e9, .poisson = 0.3, .density = 7800};
    Ropes ropes({rod::straight(0.5, 12, steel)});
    ropes.input.loads[0] = {.gravity = {0, -1e-3, 0}};
    ropes.ensemble.attachments = {hold(1, 0, 0, {0, 0, 0}), clamp(2, 0, 0, {1, 0, 0})};

    ropes.settle();

    const double area = kPi * 4e-6, EI = 2e9 * area * 4e-6 / 4, load = 7800 * area * 1e-3;
    CHECK(-ropes.place(0, 1).y == doctest::Approx(load * 0.0625 / (8 * EI)).epsilon(1e-4));

    // Let go of gravity: it swings through zero after a quarter of its period.
    ropes.input.loads[0] = {};
    const double omega = 1.8751040687 * 1.8751040687 * std::sqrt(EI / (7800 * area * 0.0625));
    const double h = 2 * kPi / omega / 400;
    double time = 0, last = ropes.place(0, 1).y, crossing = 0;
    while (crossing == 0 && time < 2 * kPi / omega) {
        ropes.step(h);
        const double now = ropes.place(0, 1).y;
        if (now > 0)
            crossing = time + h * last / (last - now);
        time += h;
        last = now;
    }
    CHECK(crossing * omega / (kPi / 2) == doctest::Approx(1).epsilon(0.02));
}

namespace {

/// The parabola y = x² from x = 1 to −1.2, at equal arc lengths.
rod::Drawing parabola(std::uint32_t spans)
{
    const auto arc = [](double x) {
        return (2 * x * std::sqrt(1 + 4 * x * x) + std::asinh(2 * x)) / 4;
    };
    const double from = arc(1), whole = from - arc(-1.2);
    const auto at = [&](double u) {
        double low = -1.2, high = 1;
        for (int i = 0; i < 80; ++i) {
            const double x = (low + high) / 2;
            (from - arc(x) > u * whole ? low : high) = x;
        }
        return Vec3{low, low * low, 0};
    };
    return rod::drawn(at, whole, spans, rope(0.1, 1e4));
}

struct Slide {
    double time = 0, speed = 0; ///< when it passes the bottom
};

/// A bead of 1 kg lets go at x = 1 on a wire that does not move.
Slide slide_down(double friction, double viscous, double h)
{
    Ropes ropes({parabola(40)});
    const test::Particles bead(std::vector<test::Particles::Particle>{
        {.mass = 1, .position = {1, 1, 0}, .velocity = {0, 0, 0}}});
    ropes.ensemble.models.push_back(&bead);
    ropes.state.models.push_back(bead.start());
    ropes.state.frozen = {{0, 0}};
    Attachment thread = hold(1, 0, 0, {0, 0, 0});
    thread.kind = Attachment::Kind::thread;
    thread.b = {.block = {1, 0}};
    thread.friction = friction;
    ropes.ensemble.attachments = {thread};
    if (viscous > 0) {
        Attachment rub = thread;
        rub.key = 2;
        rub.kind = Attachment::Kind::rub;
        rub.damping = viscous;
        ropes.ensemble.attachments.push_back(rub);
    }
    Vec3 last{1, 1, 0};
    for (int i = 0; i < 3000; ++i) {
        ropes.step(h);
        for (Attachment& made : ropes.ensemble.attachments)
            made.a.u = ropes.state.held[0].u;
        const double* x = ropes.state.models[1].x.data();
        const double* v = ropes.state.models[1].v.data();
        CHECK(std::abs(x[1] - x[0] * x[0]) < 1e-5); // the fitted curve
        if (x[0] <= 0)
            return {h * i + h * last.x / (last.x - x[0]), std::hypot(v[0], v[1])};
        last = {x[0], x[1], 0};
    }
    return {};
}

} // namespace

TEST_CASE("rods: a bead slides down a fixed wire as it should [Theetten08, §6.2]")
{
    // Reference: the wire y = x² from x = 1 at rest.
    const Slide free = slide_down(0, 0, 1e-3);
    CHECK(free.time == doctest::Approx(0.594923842714).epsilon(1e-4));
    CHECK(free.speed == doctest::Approx(4.4294469180700204).epsilon(1e-3));

    const Slide thick = slide_down(0, 0.5, 1e-3);
    CHECK(thick.time == doctest::Approx(0.6279999933804664).epsilon(5e-4));
    CHECK(thick.speed == doctest::Approx(3.8998992030224806).epsilon(2e-3));

    const Slide dry = slide_down(0.2, 0, 1e-3);
    CHECK(dry.time == doctest::Approx(0.6540025892657949).epsilon(1e-3));
    CHECK(dry.speed == doctest::Approx(3.293158386881962).epsilon(2e-3));
}

namespace {

/// A light rope about `count` keyholes that turn it by `angle` in all, drawn over them; the ratio
/// of the forces at its two ends.
double capstan(double friction, double angle, int count)
{
    const double gap = 0.2, lead = 0.8;
    std::vector<Vec3> corners = {{0, 0, 0}};
    double turned = 0;
    for (int k = 0; k <= count; ++k) {
        const double size = k == 0 || k == count ? lead : gap;
        corners.push_back(corners.back() + Vec3{std::cos(turned), std::sin(turned), 0} * size);
        turned += angle / count;
    }
    const double length = 2 * lead + gap * (count - 1);
    const auto along = [&](double u) {
        double left = u * length;
        for (int k = 0; k <= count; ++k) {
            const double size = k == 0 || k == count ? lead : gap;
            if (left <= size || k == count)
                return corners[std::size_t(k)] +
                       (corners[std::size_t(k) + 1] - corners[std::size_t(k)]) * (left / size);
            left -= size;
        }
        return corners.back();
    };
    // Stiff enough that the spans see how it bends at a hole, √(EI/T) = 3 cm.
    rod::Material thread = rope(1e-3, 2e4, 1.4e-3);
    thread.damping = 1e-3;
    Ropes ropes({rod::drawn(along, length, std::uint32_t(50 * length), thread, true)});
    const double tension = 10;
    rod::Loads pull;
    pull.force.assign(ropes.model.plan(0).size(), 0.0);
    pull.force[0] = -tension; // the first control point is the first end
    ropes.input.loads[0] = pull;
    const Vec3 out = normalised(corners.back() - corners[corners.size() - 2]);
    Attachment drawn = hold(1, 0, 1, {0, 0, 0});
    const double h = 1e-3, speed = 0.1;
    std::vector<Attachment> holes;
    for (int k = 1; k <= count; ++k) {
        Attachment hole =
            hold(std::uint64_t(k) + 1, 0, (lead + gap * (k - 1)) / length, corners[std::size_t(k)]);
        hole.kind = Attachment::Kind::thread;
        hole.friction = friction;
        holes.push_back(hole);
    }
    double force = 0;
    for (int i = 1; i <= 400; ++i) {
        drawn.point_b = corners.back() + out * (speed * h * i);
        drawn.ground = {.place = {.rate = out * speed}, .about = drawn.point_b, .at = h * i};
        ropes.ensemble.attachments = holes;
        ropes.ensemble.attachments.push_back(drawn);
        ropes.step(h);
        for (std::size_t k = 0; k < holes.size(); ++k)
            for (const HeldForce& held : ropes.state.held)
                if (held.key == holes[k].key)
                    holes[k].a.u = held.u;
        if (i > 300) // a knot passes a hole in 200 steps
            force += dot(ropes.force(1), out) / 100;
    }
    return force / tension;
}

} // namespace

TEST_CASE("rods: a rope over keyholes pulls as the capstan says: exp(μθ) [Theetten08, §6.1]")
{
    // At a hole a rope that can bend a little has the tangent at which ½EIκ² + T cos is the same on
    // both sides, T₁ sin²(α/2) = T₂ sin²((δ − α)/2); that and the cone give T₂/T₁. Reference, for
    // a reaction about the bisector: 1.6128, 2.6010, 1.3748; exp(μθ): 1.6020, 2.5663, 1.3691.
    CHECK(capstan(0, kPi / 2, 4) == doctest::Approx(1).epsilon(1e-3)); // nothing along the rod
    CHECK(capstan(0.3, kPi / 2, 4) == doctest::Approx(1.5967173691195438).epsilon(6e-3));
    CHECK(capstan(0.3, kPi, 8) == doctest::Approx(2.5495063568480374).epsilon(6e-3));
    CHECK(capstan(0.1, kPi, 8) == doctest::Approx(1.3663250879102544).epsilon(6e-3));
}

TEST_CASE("rods: an elastic catenary pulls less [reference: EA = 50 N, H = 0.580793036 N]")
{
    const auto sag = [](double u) { return Vec3{u, -2.0 * u * (1 - u), 0}; };
    rod::Drawing drawing = rod::drawn(sag, 1.5, 40, rope(0.2, 50), true);
    Ropes ropes({drawing});
    ropes.ensemble.attachments = {hold(1, 0, 0, {0, 0, 0}), hold(2, 0, 1, {1, 0, 0})};

    ropes.settle();

    CHECK(ropes.force(2).x == doctest::Approx(0.580793036).epsilon(2e-3));
}

TEST_CASE("rods: a column buckles at Euler's load, and not below")
{
    const rod::Material steel{.radius = 2e-3, .young = 2e9, .poisson = 0.3, .density = 7800};
    const double EI = 2e9 * kPi * 16e-12 / 4, length = 0.5;
    const double critical = kPi * kPi * EI / (length * length); // both ends on pins
    const auto sideways = [&](double share) {
        Ropes ropes({rod::straight(length, 16, steel)});
        rod::Loads load;
        load.gravity = {0, -1e-4, 0}; // a breath
        load.force.assign(ropes.model.plan(0).size(), 0.0);
        load.force[load.force.size() - 4] = -share * critical;
        ropes.input.loads[0] = load;
        Attachment roller = hold(2, 0, 1, {0, 0, 0});
        roller.kind = Attachment::Kind::on_axis;
        ropes.ensemble.attachments = {hold(1, 0, 0, {0, 0, 0}), roller};
        ropes.settle();
        return std::abs(ropes.place(0, 0.5).y);
    };
    CHECK(sideways(0.97) < 1e-3 * length);
    CHECK(sideways(1.03) > 0.1 * length);
}

TEST_CASE("rods: static shapes converge with the square of the spans, or faster")
{
    // A heavy cantilever, bent far: tip against that of many spans.
    const rod::Material rubber{.radius = 5e-3, .young = 2e6, .poisson = 0.4, .density = 1100};
    const auto tip = [&](std::uint32_t spans) {
        Ropes ropes({rod::straight(0.5, spans, rubber)});
        ropes.ensemble.attachments = {hold(1, 0, 0, {0, 0, 0}), clamp(2, 0, 0, {1, 0, 0})};
        ropes.settle();
        return ropes.place(0, 1);
    };
    const Vec3 exact = tip(64);
    const double coarse = length(tip(4) - exact), fine = length(tip(8) - exact),
                 finer = length(tip(16) - exact);
    CHECK(std::log2(coarse / fine) > 1.9);
    CHECK(std::log2(fine / finer) > 1.9);
}

TEST_CASE("rods: two holds at one place that contradict each other give the middle, redundant ones "
          "share")
{
    Ropes ropes({rod::straight(1, 8, rope(0.1, 1e4, 1e-3))});
    ropes.ensemble.attachments = {hold(1, 0, 0, {0, 0, 0}), hold(2, 0, 0, {0, 0.02, 0}),
                                  hold(3, 0, 1, {1, 0, 0}), hold(4, 0, 1, {1, 0, 0})};
    for (int i = 0; i < 50; ++i)
        ropes.step(0.01);

    CHECK(ropes.place(0, 0).y == doctest::Approx(0.01).epsilon(1e-3));
    CHECK(length(ropes.place(0, 1) - Vec3{1, 0, 0}) < 1e-8);
    CHECK(length(ropes.force(3) - ropes.force(4)) < 1e-6);
}

namespace {

/// Two ropes side by side, held at their ends and at `holes` keyholes, kept apart by distances.
Ropes make_pair(int holes, bool is_banded)
{
    const auto sag = [](double z) {
        return [z](double u) { return Vec3{2 * u, -0.8 * u * (1 - u), z}; };
    };
    rod::Material hemp{.radius = 5e-3, .young = 1e7, .poisson = 0.3, .density = 900};
    Ropes ropes(
        {rod::drawn(sag(0), 2.1, 80, hemp, true), rod::drawn(sag(0.4), 2.1, 80, hemp, true)});
    ropes.ensemble.settings.is_banded = is_banded;
    std::vector<Attachment>& made = ropes.ensemble.attachments;
    for (std::uint32_t rod = 0; rod < 2; ++rod)
        for (const double u : {0.0, 1.0})
            made.push_back(hold(made.size(), rod, u, ropes.place(rod, u)));
    for (int k = 1; k < 8; ++k) {
        Attachment rung = hold(made.size(), 0, k / 8.0, {0, 0, 0});
        rung.kind = Attachment::Kind::distance;
        rung.b = {{0, 1}, 0, k / 8.0};
        rung.length = 0.4;
        made.push_back(rung);
    }
    for (int k = 0; k < holes; ++k) {
        const double u = (k + 0.5) / holes;
        Attachment hole = hold(made.size(), 1, u, ropes.place(1, u));
        hole.kind = Attachment::Kind::thread;
        made.push_back(hole);
    }
    return ropes;
}

} // namespace

TEST_CASE("rods: the paper's band takes the same steps as dense rows, and as fronts of many rows "
          "[notes: rods, eq. 9]")
{
    for (const int holes : {0, 3, 60}) { // with sixty: fronts
        CAPTURE(holes);
        Ropes own = make_pair(holes, false), band = make_pair(holes, true);
        own.ensemble.models = {&own.model};
        band.ensemble.models = {&band.model};
        for (int i = 0; i < 3; ++i) {
            CHECK(own.step(1 / 240.0).converged);
            CHECK(band.step(1 / 240.0).converged);
        }
        CHECK(own.work.exposed.empty() == (holes < 40));
        CHECK(!band.work.exposed.empty());
        for (int k = 0; k <= 80; ++k)
            for (std::uint32_t rod = 0; rod < 2; ++rod)
                CHECK(length(own.place(rod, k / 80.0) - band.place(rod, k / 80.0)) < 1e-10);
    }
}

} // namespace sinew
