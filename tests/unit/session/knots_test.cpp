// Hands on strands and rods: what they do becomes statements, and the world goes on.

#include "unit/session/sessions.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace sinew;
using test::find, test::open;

namespace {

const char* kRope =
    "def rope rod(line(0,0,0, 1,0,0), spans = 10, radius = 4 mm, young = 1e8, rest = straight, "
    "damping = 5 ms); end; rope;\n"
    "position_constraint(rope at 0 along, point(0, 0, 0)); # the nail\n";
const char* kEnd = "simulate(0 sec, 2 sec, step = 1 / 240);\n";
const char* kHair =
    "def hair strand(line(0,0,0, 0.4,0,0), segments = 8); radius(2 mm); density(900); young(1e6); "
    "damping(0.1); end; hair;\n"
    "simulate(0 sec, 2 sec, step = 1 / 240);\n";

void advance_to(Session& session, std::int64_t count)
{
    while (session.valid_count() < count && session.advance()) {
    }
    REQUIRE_FALSE(session.fault());
}

void advance_all(Session& session) { advance_to(session, session.frame_count()); }

Vec3 node(Session& session, std::int64_t frame, std::size_t number)
{
    const std::shared_ptr<const Shot> shot = session.shot(frame);
    REQUIRE(shot);
    return shot->frame.nodes[number];
}

Vec3 last_node(Session& session, std::size_t number)
{
    return node(session, session.valid_count() - 1, number);
}

void require(const Problems& problems)
{
    REQUIRE_MESSAGE(problems.empty(), problems_text(problems, false));
}

bool says(const Session& session, const std::string& text)
{
    return session.script_to_save().find(text) != std::string::npos;
}

/// How far a node moves at most from one frame to the next.
double largest_jump(Session& session, std::int64_t from, std::int64_t to, std::size_t number)
{
    double largest = 0;
    for (std::int64_t i = from; i < to; ++i)
        largest =
            std::max(largest, length(node(session, i + 1, number) - node(session, i, number)));
    return largest;
}

/// What the saved script says runs, and holds the same.
Session opened_again(const Session& session) { return open(session.script_to_save()); }

} // namespace

TEST_CASE("a rod is dragged anywhere, and pinned where the hand held it: the world goes on")
{
    Session session = open(std::string(kRope) + kEnd);
    const ObjectId rope = find(session, "rope");
    REQUIRE(session.handles()[rope.index].grip == rope);
    advance_to(session, 1);
    const Vec3 point = session.point_at(0, rope, {0.7, 0.01, 0});
    CHECK(point.x == doctest::Approx(0.7));
    require(session.grab(1, rope, {0.6, 0.2, 0}, point));
    advance_to(session, 20);
    const std::shared_ptr<const Shot> held = session.shot(19);
    const Vec3 there = held->frame.nodes[7];
    CHECK(length(there - Vec3{0.6, 0.2, 0}) < 0.1);
    REQUIRE(held->grabs.size() == 1); // drawn from the rod to the hand
    CHECK(length(apply(held->frame.objects[rope.index], held->grabs[0].point) - there) < 1e-6);
    require(session.release(20));
    require(session.pin(19, rope));
    CHECK(says(session, "position_constraint(rope at 0.7 along, point("));
    CHECK(says(session, "active = {0 at 0 sec hold 1 at 0.791666667 sec}"));
    CHECK(says(session, "# the nail"));
    CHECK(session.handles()[find(session, "rope").index].is_pinned);
    advance_all(session);
    CHECK(length(node(session, 19, 7) - there) < 1e-3); // all before is as it was
    CHECK(length(last_node(session, 7) - there) < 2e-3);
    CHECK(largest_jump(session, 19, 48, 7) < 0.02);

    Session again = opened_again(session);
    advance_all(again);
    CHECK(length(last_node(again, 7) - there) < 2e-3);

    require(session.unpin(30, find(session, "rope")));
    CHECK(says(session, "hold 1 at 0.791666667 sec hold 0 at 1.25 sec}"));
    advance_all(session);
    CHECK(length(node(session, 30, 7) - there) < 2e-3);
    CHECK(length(last_node(session, 7) - there) > 0.05);
    session.undo();
    session.undo();
    CHECK_FALSE(says(session, "rope at 0.7"));
}

TEST_CASE("a rod is pinned where it is clicked; without a place or a hand nobody knows where")
{
    Session session = open(std::string(kRope) + kEnd);
    advance_to(session, 1);
    const ObjectId rope = find(session, "rope");
    CHECK(session.pin(0, rope).size() == 1);
    require(session.pin(0, rope, Vec3{1.2, 0, 0})); // beyond its end
    CHECK(says(session, "position_constraint(rope at 1 along, point(1, 0, 0));"));
    require(session.loosen(0, {find(session, "rope"), {1, 0, 0}})); // at the start: as if never
    CHECK_FALSE(says(session, "rope at 1"));
    CHECK(says(session, "# the nail"));
    require(session.loosen(0, {find(session, "rope"), {0.3, 0, 0}})); // the script's own too
    CHECK_FALSE(says(session, "position_constraint"));
    CHECK(session.loosen(0, {find(session, "rope"), {0.3, 0, 0}}).size() == 1);
}

TEST_CASE("two ropes are tied while they move, and untied")
{
    Session session = open(std::string(kRope) +
                           "other = rope translatez(0.2);\n"
                           "position_constraint(other at 0 along, point(0, 0, 0.2));\n" +
                           kEnd);
    advance_to(session, 13);
    const ObjectId rope = find(session, "rope"), other = find(session, "other");
    require(session.tie(12, {rope, node(session, 12, 10)}, {other, node(session, 12, 21)}));
    CHECK(says(session, "fusion(rope at 1 along, other at 1 along, active = {0 at 0 sec hold 1 at "
                        "0.5 sec});"));
    advance_all(session);
    CHECK(length(last_node(session, 10) - last_node(session, 21)) < 1e-6);
    CHECK(length(node(session, 12, 10) - node(session, 12, 21)) ==
          doctest::Approx(0.2).epsilon(0.02));
    CHECK(largest_jump(session, 10, 40, 10) < 0.3); // as fast as a rope falls
    Session again = opened_again(session);
    advance_all(again);
    CHECK(length(last_node(again, 10) - last_node(again, 21)) < 1e-6);
    require(session.loosen(30, {find(session, "other"), node(session, 30, 21)}));
    CHECK(says(session, "hold 1 at 0.5 sec hold 0 at 1.25 sec}"));
    advance_all(session);
    CHECK(length(last_node(session, 10) - last_node(session, 21)) > 1e-3);
    CHECK(session.tie(12, {rope, {0, 0, 0}}, {rope, {0, 0, 0}}).size() == 1);
}

TEST_CASE("letting go ends what an author wrote: the past stays, whatever `active` says")
{
    const auto rope = [](const std::string& active) {
        return "def rope rod(line(0,0,0, 1,0,0), spans = 8); end; rope;\n"
               "var gate; gate = {1 at 0 sec linear 0 at 4 sec};\n"
               "position_constraint(rope at 0 along, point(0,0,0)" +
               active + "); # kept\nsimulate(0 sec, 1 sec);\n";
    };
    struct Case {
        const char *before, *after;
    };
    for (const auto& [before, after] :
         {Case{"", ", active = {1 at 0 sec hold 0 at 0.333333333 sec});"},
          Case{", active = {1 at 0 sec hold 1 at 5 sec}", "{1 at 0 sec hold 0 at 0.333333333 sec}"},
          Case{", active={1 at 0 sec}", "active={1 at 0 sec hold 0 at 0.333333333 sec}"},
          Case{", active = {1 at 0 sec linear 0.8 at 5 sec}",
               "{{1 at 0 sec linear 0.8 at 5 sec} at 0 sec hold 0 at 0.333333333 sec}"},
          Case{", active = {1 at 0 frames hold 1 at 12 frames}",
               "{{1 at 0 frames hold 1 at 12 frames} at 0 sec hold 0 at 0.333333333 sec}"},
          Case{", active = gate", "active = {gate at 0 sec hold 0 at 0.333333333 sec}"},
          Case{", active=1, ease = 0.1", "active={1 at 0 sec hold 0 at 0.333333333 sec}, ease"}}) {
        CAPTURE(before);
        Session session = open(rope(before));
        advance_to(session, 10);
        std::vector<Vec3> past;
        for (std::int64_t i = 0; i < 8; ++i)
            for (const Vec3& x : session.shot(i)->frame.nodes)
                past.push_back(x);
        const Vec3 end = node(session, 8, 0);
        require(session.loosen(8, {find(session, "rope"), {0, 0, 0}}));
        CHECK_MESSAGE(says(session, after), session.script_to_save());
        CHECK(says(session, "# kept"));
        advance_all(session);
        std::size_t at = 0;
        bool is_same = true;
        for (std::int64_t i = 0; i < 8; ++i)
            for (const Vec3& x : session.shot(i)->frame.nodes)
                is_same = is_same && x == past[at++];
        CHECK(is_same);
        CHECK(length(node(session, 8, 0) - end) < 1e-9);
        CHECK(last_node(session, 0).y < -0.1);
        require(session.loosen(4, {find(session, "rope"), {0, 0, 0}})); // earlier still
        advance_all(session);
        CHECK(std::abs(node(session, 4, 0).y) < 1e-9);
        CHECK(node(session, 8, 0).y < -0.01);
    }
}

TEST_CASE("what had not begun to hold is let go as if it had never been written")
{
    Session session =
        open("def rope rod(line(0,0,0, 1,0,0), spans = 8); end; rope;\n"
             "position_constraint(rope at 0 along, point(0,0,0), active={0 at 0 sec hold 1 at 20 "
             "frames});\nsimulate(0 sec, 1 sec);\n");
    advance_to(session, 10);
    require(session.loosen(8, {find(session, "rope"), {0, 0, 0}}));
    CHECK_FALSE(says(session, "position_constraint"));
}

TEST_CASE("a rope is tied to a crate where that is clicked")
{
    Session session = open(std::string(kRope) +
                           "gravity(0, 0, 0); def crate body(density = 100); box(0.1, 0.1, 0.1); "
                           "end; crate translate(1, 0.2, 0);\n" +
                           kEnd);
    advance_to(session, 5);
    const ObjectId crate = find(session, "crate");
    require(session.tie(4, {crate, {1, 0.15, 0}}, {find(session, "rope"), {1, 0, 0}}));
    CHECK(says(session, "knot_1 = label() translate(0, -0.05, 0) on crate;"));
    CHECK(says(session, "fusion(rope at 1 along, knot_1, active"));
    advance_all(session);
    const std::shared_ptr<const Shot> last = session.shot(session.valid_count() - 1);
    const Vec3 knot = last->frame.objects[find(session, "knot_1").index].origin;
    CHECK(length(knot - last->frame.nodes[10]) < 1e-6);
}

TEST_CASE("a bead is threaded where the rod is clicked, and slides from there")
{
    Session session = open(std::string(kRope) +
                           "gravity(0, 0, 0); def bead body(density = 500); sphere(0.02); end;\n"
                           "bead translate(0.5, 0.1, 0);\n" +
                           kEnd);
    advance_to(session, 6);
    require(session.thread(5, find(session, "bead"), {find(session, "rope"), {0.8, 0, 0}}));
    CHECK(says(session, "pearl(bead, rope, from = 0.8, active = {0 at 0 sec hold 1 at"));
    advance_all(session);
    const auto bead_at = [&](std::int64_t frame) {
        return session.shot(frame)->frame.objects[find(session, "bead").index].origin;
    };
    CHECK(length(bead_at(5) - Vec3{0.5, 0.1, 0}) < 1e-6);
    const Vec3 there = session.point_at(13, find(session, "rope"), bead_at(13));
    CHECK(there.x == doctest::Approx(0.8).epsilon(0.02)); // closed after a quarter of a second
    Session again = opened_again(session);
    advance_all(again);
    const auto last = again.shot(again.valid_count() - 1);
    const Vec3 bead = last->frame.objects[find(again, "bead").index].origin;
    double nearest = 1;
    for (std::size_t k = 0; k < 10; ++k)
        for (int j = 0; j <= 20; ++j)
            nearest = std::min(nearest, length(last->frame.nodes[k] * (1 - j / 20.0) +
                                               last->frame.nodes[k + 1] * (j / 20.0) - bead));
    CHECK(nearest < 5e-3);
    CHECK(session.thread(5, find(session, "rope"), {find(session, "rope"), {0, 0, 0}}).size() == 1);
}

TEST_CASE("a rope is cut while it hangs: its end falls, and is still a rope to pin")
{
    Session session = open(std::string(kRope) + kEnd);
    advance_to(session, 13);
    const Vec3 place = node(session, 12, 6);
    require(session.cut(12, {find(session, "rope"), place}));
    CHECK(says(session, "cut(rope at 0.6 along, when = 0.5);"));
    REQUIRE(session.scene().rods.size() == 2);
    advance_all(session);
    CHECK(length(node(session, 12, 6) - place) < 5e-3); // held together until then
    CHECK(length(node(session, 12, 6) - node(session, 12, 7)) < 1e-6);
    CHECK(length(last_node(session, 6) - last_node(session, 7)) > 0.5);
    CHECK(last_node(session, 9).y < -5);
    const ObjectId piece = find(session, "rope.piece[2]");
    require(session.pin(12, piece, node(session, 12, 11)));
    CHECK(says(session, "position_constraint(rope at 1 along, point("));
    Session again = opened_again(session);
    advance_all(again);
    CHECK(last_node(again, 11).y > -1.2);
    session.undo();
    session.undo();
    CHECK(session.scene().rods.size() == 1);
}

TEST_CASE("hair is dragged anywhere along it, and pinned there")
{
    Session session = open(kHair);
    const ObjectId hair = find(session, "hair");
    REQUIRE(session.handles()[hair.index].grip == hair);
    advance_to(session, 11);
    Session untouched = open(kHair);
    advance_all(untouched);
    const Vec3 point = session.point_at(10, hair, node(session, 10, 6));
    CHECK(point.x == doctest::Approx(0.75));
    const Vec3 target{0.25, 0.1, 0.1};
    for (std::int64_t i = 11; i < 30; ++i) {
        require(session.grab(i, hair, target, point));
        session.advance();
    }
    CHECK(length(node(session, 29, 6) - target) < 0.05);
    CHECK(length(node(untouched, 29, 6) - target) > 0.1);
    require(session.release(30));
    // the same take again, and with detours: the same bits
    Result<Session> replayed = Session::open(session.take(), {});
    REQUIRE(bool(replayed));
    session.shot(5);
    session.details(15);
    advance_all(session);
    advance_all(*replayed);
    for (const std::int64_t i : {9, 20, 29, 30, 45})
        CHECK(session.shot(i)->statistics.state_hash == replayed->shot(i)->statistics.state_hash);
    session.undo();
    advance_all(session);
    CHECK(session.shot(40)->statistics.state_hash == untouched.shot(40)->statistics.state_hash);
    session.redo();
    advance_to(session, 30);
    const Vec3 there = node(session, 29, 6);
    require(session.pin(29, hair));
    CHECK(says(session, "position_constraint(hair at 0.75 along, point("));
    advance_all(session);
    CHECK(length(last_node(session, 6) - there) < 2e-3);
    require(session.unpin(40, find(session, "hair")));
    CHECK(says(session, "hold 0 at"));
    Session again = opened_again(session);
    advance_all(again);
}

TEST_CASE("what a hand pulls a hair with is in newtons")
{
    Session session = open(kHair);
    advance_to(session, 11);
    const ObjectId hair = find(session, "hair");
    require(session.grab(11, hair, {0.2, 0.1, 0}, {1, 0, 0}));
    advance_to(session, 30);
    const auto details = session.details(29);
    REQUIRE(details);
    const auto hand =
        std::ranges::find(details->forces, ActingForce::Kind::hand, &ActingForce::kind);
    REQUIRE(hand != details->forces.end());
    CHECK(length(hand->force) > 1e-3); // it carries most of 4.5 g
    CHECK(length(hand->force) < 1);
    REQUIRE(hand->place);
    CHECK(length(*hand->place - node(session, 29, 8)) < 1e-9);
}

TEST_CASE("ropes and hair go on through a slider from where they are")
{
    const std::string slider = "param pull = 9.81 [0..20] \"gravity\"; gravity(0, -pull, 0);\n";
    Session session = open(slider + kRope +
                           "def hair strand(line(0,0,0, 0.4,0,0), segments = 8); "
                           "young(1e6); end; hair translatez(1);\n" +
                           kEnd);
    advance_to(session, 12);
    require(session.set_parameter(12, "pull", 5));
    advance_to(session, 20);
    const double steady = largest_jump(session, 8, 10, 19), hair = largest_jump(session, 8, 10, 8);
    CHECK(largest_jump(session, 10, 13, 19) < 3 * steady); // its end: nodes of strands come first
    CHECK(largest_jump(session, 10, 13, 8) < 3 * hair);
    Result<Session> replayed = Session::open(session.take(), {});
    REQUIRE(bool(replayed));
    advance_to(*replayed, 20);
    session.shot(3);
    session.details(14); // from a snapshot
    for (const std::int64_t i : {11, 12, 19})
        CHECK(session.shot(i)->statistics.state_hash == replayed->shot(i)->statistics.state_hash);
}

TEST_CASE("nonsense is refused, and changes nothing")
{
    Session session = open(std::string(kRope) + kEnd);
    advance_to(session, 3);
    const std::string before = session.script_to_save();
    const ObjectId rope = find(session, "rope");
    CHECK(has_errors(session.cut(2, {rope, node(session, 2, 0)}))); // at its end
    CHECK(has_errors(session.cut(2, {ObjectId{0}, {0, 0, 0}})));
    CHECK(has_errors(session.tie(2, {rope, {0, 0, 0}}, {ObjectId{99}, {0, 0, 0}})));
    CHECK(has_errors(session.thread(2, rope, {rope, {0, 0, 0}})));
    CHECK(has_errors(session.loosen(2, {ObjectId{99}, {0, 0, 0}})));
    CHECK(session.script_to_save() == before);
    CHECK_FALSE(session.can_undo());
}
