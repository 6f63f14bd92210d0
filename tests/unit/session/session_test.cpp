// Sessions: the same take gives the same bits, whatever was done and undone before.

#include "unit/record/scratch.h"
#include "unit/session/sessions.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace sinew;
using test::find, test::open;

namespace {

const char* kPendulum = "param len = 1 [0.5..3] \"length\"; # how long\n"
                        "dynamic theta;\n"
                        "theta = initial(0, 0); # level\n"
                        "def nail label(); end;\n"
                        "nail translate(0, 0.5, 0);\n"
                        "def bob mass(2); end;\n"
                        "bob translatex(len) rotatez(theta);\n"
                        "line(0, 0, 0, bob_x, bob_y, 0);\n"
                        "simulate(0 sec, 2 sec);\n";

const char* kChain = "param links = 2 [1..5] \"links\";\n"
                     "def link(i)\n"
                     "  dynamic theta; theta = initial(-0.3, 0);\n"
                     "  def bob mass(1); end; bob translatex(1) rotatez(theta);\n"
                     "  if i < links link(i + 1) on bob; end;\n"
                     "end;\n"
                     "link(1); simulate(0 sec, 1 sec);\n";

void advance_to(Session& session, std::int64_t count)
{
    while (session.valid_count() < count && session.advance()) {
    }
}

void advance_all(Session& session)
{
    while (session.advance()) {
    }
}

Vec3 place(Session& session, std::int64_t frame, const std::string& name)
{
    const std::shared_ptr<const Shot> shot = session.shot(frame);
    REQUIRE(shot);
    return shot->frame.objects[find(session, name).index].origin;
}

std::vector<std::uint64_t> hashes(Session& session)
{
    advance_all(session);
    std::vector<std::uint64_t> all;
    for (std::int64_t i = 0; i < session.valid_count(); ++i)
        all.push_back(session.shot(i)->statistics.state_hash);
    return all;
}

/// A drag from frame 10 to 20 and a slider at frame 30.
void play_about(Session& session)
{
    advance_to(session, 10);
    for (std::int64_t i = 10; i < 20; ++i) {
        REQUIRE(session.grab(i, find(session, "bob"), {0.1 * double(i), 0.5, 0}).empty());
        session.advance();
    }
    REQUIRE(session.release(20).empty());
    advance_to(session, 30);
    REQUIRE(session.set_parameter(30, "len", 1.5).empty());
}

} // namespace

TEST_CASE("an untouched session computes what the world does")
{
    Session session = open(kPendulum);
    advance_all(session);
    CHECK(session.valid_count() == 49);
    CHECK(session.frame_count() == 49);
    Result<World> world = World::create(session.scene());
    REQUIRE(bool(world));
    for (std::int64_t i = 0; i < 49; ++i) {
        world->advance(session.time_of(i));
        CHECK(session.shot(i)->statistics.state_hash == world->state_hash());
    }
}

TEST_CASE("a hand moves a mass, and frames behind it become stale")
{
    Session session = open(kPendulum);
    advance_all(session);
    const Vec3 free = place(session, 20, "bob");
    REQUIRE(session.grab(10, find(session, "bob"), {-1, 0, 0}).empty());
    CHECK(session.valid_count() == 10);
    CHECK(session.stale_count() == 49);
    CHECK(place(session, 20, "bob") == free); // the stale one
    for (int i = 0; i < 60; ++i)
        CHECK(session.advance()); // also beyond the end: it is held
    CHECK(length(place(session, 69, "bob") - Vec3{-1, 0, 0}) < 0.1);
    CHECK(session.shot(69)->grabs.size() == 1);
    CHECK(session.frame_count() == 70);
    REQUIRE(session.release(70).empty());
    CHECK_FALSE(session.advance());
}

TEST_CASE("the same take, made on another way, gives the same bits")
{
    Session played = open(kPendulum);
    play_about(played);
    advance_all(played);
    Result<Session> replayed = Session::open(played.take(), {});
    REQUIRE(bool(replayed));
    CHECK(hashes(played) == hashes(*replayed));
    // and with detours: looked at elsewhere, changed, undone
    Session detour = open(kPendulum);
    play_about(detour);
    detour.details(5);
    detour.shot(7);
    advance_to(detour, 40);
    REQUIRE(detour.grab(15, find(detour, "bob"), {0, 0, 0}).empty());
    advance_to(detour, 30);
    detour.undo();
    CHECK(detour.take() == played.take());
    CHECK(hashes(detour) == hashes(played));
}

TEST_CASE("a slider acts from its frame on and keeps the state")
{
    Session session = open(kPendulum);
    advance_to(session, 20);
    const Vec3 before = place(session, 19, "bob");
    REQUIRE(session.set_parameter(20, "len", 2).empty());
    CHECK(session.valid_count() == 20);
    advance_all(session);
    CHECK_FALSE(session.fault());
    CHECK(place(session, 19, "bob") == before);
    CHECK(length(place(session, 20, "bob")) == doctest::Approx(2).epsilon(1e-12));
    CHECK(session.parameters(19).at("len") == 1);
    CHECK(session.parameters(20).at("len") == 2);
    const double turn = std::atan2(place(session, 20, "bob").y, place(session, 20, "bob").x) -
                        std::atan2(before.y, before.x);
    CHECK(std::abs(turn) < 0.5);
}

TEST_CASE("a slider that changes the objects starts again")
{
    Session session = open(kChain);
    advance_to(session, 10);
    const std::uint32_t revision = session.revision();
    REQUIRE(session.set_parameter(10, "links", 4).empty());
    CHECK(session.valid_count() == 0);
    CHECK(session.stale_count() == 0); // other objects: nothing to show
    CHECK(session.revision() != revision);
    CHECK(session.take().inputs.empty());
    session.undo();
    CHECK(session.take().parameters.empty());
    CHECK(session.can_redo());
}

TEST_CASE("moves of one slider are undone as one, two drags as two")
{
    Session session = open(kPendulum);
    advance_all(session);
    for (const double value : {1.1, 1.2, 1.3})
        REQUIRE(session.set_parameter(10, "len", value).empty());
    session.undo();
    CHECK_FALSE(session.can_undo());
    CHECK(session.take().inputs.empty());
    for (const std::int64_t first : {5, 20}) {
        for (std::int64_t i = first; i < first + 3; ++i)
            REQUIRE(session.grab(i, find(session, "bob"), {0, 1, 0}).empty());
        REQUIRE(session.release(first + 3).empty());
    }
    CHECK(session.take().inputs.size() == 8);
    session.undo();
    CHECK(session.take().inputs.size() == 4);
    session.redo();
    CHECK(session.take().inputs.size() == 8);
    session.undo();
    session.undo();
    CHECK(session.take().inputs.empty());
}

TEST_CASE("a script with an error changes nothing; a sound one starts again")
{
    Session session = open(kPendulum);
    advance_to(session, 10);
    const Problems problems = session.set_script("bob translutex(1);");
    CHECK(has_errors(problems));
    CHECK(session.take().script == kPendulum);
    CHECK(session.valid_count() == 10);
    CHECK(session.set_script(std::string(kPendulum) + "gravity(0, -1.6, 0);\n").empty());
    CHECK(session.valid_count() == 0);
    CHECK(session.stale_count() == 10);
}

TEST_CASE("a pin becomes statements, and the saved script starts in the pinned pose")
{
    Session session = open(kPendulum);
    advance_to(session, 12);
    const Vec3 pinned = place(session, 11, "bob");
    REQUIRE_MESSAGE(session.pin(11, find(session, "bob")).empty(), "pinned");
    CHECK(session.handles()[find(session, "bob").index].is_pinned);
    const std::string saved = session.script_to_save();
    CHECK(saved.find("# how long") != std::string::npos);
    CHECK(saved.find("# level") != std::string::npos);
    CHECK(saved.find("dist_constraint(bob, pin_1, 0);") != std::string::npos);
    Session again = open(saved);
    advance_all(again);
    CHECK_FALSE(again.fault());
    for (const std::int64_t frame : {0, 24, 48})
        CHECK(length(place(again, frame, "bob") - pinned) < 1e-6);
    REQUIRE(session.unpin(0, find(session, "bob")).empty());
    CHECK_FALSE(session.handles()[find(session, "bob").index].is_pinned);
    CHECK(session.script_to_save().find("pin_1") == std::string::npos);
    session.undo();
    session.undo();
    CHECK(session.script_to_save() == kPendulum);
}

TEST_CASE("a pin in a loop of instances assembles instead")
{
    Session session = open(kChain);
    advance_to(session, 10);
    const std::vector<std::string> names = object_names(session.scene());
    const auto last = std::ranges::find_if(
        names, [](const std::string& name) { return name.find("link.bob") != std::string::npos; });
    REQUIRE(last != names.end());
    const ObjectId bob{static_cast<std::uint32_t>(last - names.begin())};
    const Vec3 pinned = session.shot(9)->frame.objects[bob.index].origin;
    const Problems problems = session.pin(9, bob);
    REQUIRE_MESSAGE(problems.empty(), problems_text(problems, false));
    session.advance();
    CHECK(length(session.shot(0)->frame.objects[bob.index].origin - pinned) < 1e-6);
}

TEST_CASE("what is fixed can be put elsewhere; what moves cannot")
{
    Session session = open(kPendulum);
    session.advance();
    REQUIRE(session.move(find(session, "nail"), {0.25, 0, 0}).empty());
    CHECK(session.script_to_save().find("nail translate(0.25, 0.5, 0);") != std::string::npos);
    CHECK(session.move(find(session, "bob"), {1, 0, 0}).size() == 1);
    CHECK(session.grab(3, find(session, "nail"), {1, 0, 0}).size() == 1);
}

TEST_CASE("saving writes what sliders are set to and nothing else")
{
    Session session = open(kPendulum);
    advance_to(session, 5);
    CHECK(session.script_to_save() == kPendulum);
    REQUIRE(session.set_parameter(5, "len", 1.75).empty());
    std::string expected = kPendulum;
    expected.replace(expected.find("len = 1 "), 8, "len = 1.75 ");
    CHECK(session.script_to_save() == expected);
}

TEST_CASE("a text from the editor says everything: sliders moved before give way to it")
{
    Session session = open(kPendulum);
    advance_to(session, 5);
    REQUIRE(session.set_parameter(0, "len", 1.75).empty());
    advance_to(session, 5);
    const std::uint32_t revision = session.revision();
    REQUIRE(session.set_script(session.script_to_save()).empty());
    CHECK(session.revision() == revision); // it says what is already
    std::string typed = session.script_to_save();
    typed.replace(typed.find("1.75"), 4, "2.5");
    REQUIRE(session.set_script(typed).empty());
    CHECK(session.parameters(0).at("len") == 2.5);
    CHECK(session.script_to_save() == typed);
    REQUIRE(session.set_parameter(3, "len", 3).empty());
    REQUIRE(session.set_script(typed + "# a comment\n").empty());
    CHECK(session.parameters(48).at("len") == 2.5);
    session.undo();
    CHECK(session.parameters(48).at("len") == 3);
}

TEST_CASE("a recording of a session holds the inputs and replays to the same bits")
{
    const test::Scratch scratch;
    Session session = open(kPendulum);
    play_about(session);
    REQUIRE(session.write_recording(scratch.path()).empty());
    Result<Recording> opened = Recording::open(scratch.path());
    REQUIRE(bool(opened));
    auto recording = std::make_shared<const Recording>(std::move(*opened));
    CHECK(recording->info().frame_count == session.valid_count());
    CHECK(*recording->inputs() == session.take().inputs);

    Result<Take> take = take_of(*recording);
    REQUIRE(bool(take));
    Result<Session> replayed = Session::open(*take, *options_of(*recording, {}));
    REQUIRE(bool(replayed));
    CHECK(hashes(*replayed) == hashes(session));

    Result<Session> viewed = Session::open(recording, {});
    REQUIRE(bool(viewed));
    CHECK(viewed->valid_count() == session.valid_count());
    CHECK(viewed->shot(33)->frame == session.shot(33)->frame);
    // gone on with, before and behind the slider
    for (const std::int64_t frame : {40, 8}) {
        REQUIRE(viewed->grab(frame, find(*viewed, "bob"), {1, 1, 0}).empty());
        REQUIRE(viewed->release(frame + 2).empty());
        REQUIRE(session.grab(frame, find(session, "bob"), {1, 1, 0}).empty());
        REQUIRE(session.release(frame + 2).empty());
        CHECK(hashes(*viewed) == hashes(session));
    }
}

TEST_CASE("a run that stops says so, and goes on after a change before it")
{
    // the arm's length becomes zero where nothing can be done about it
    Session session = open("param speed = 1 [0..2] \"\";\n"
                           "dynamic x, y; x = initial(1, 0); y = initial(0, 0);\n"
                           "def root label(); end; root; def bob mass(1); end;\n"
                           "bob translatex(x) translatey(y);\n"
                           "force(bob, speed * exp(exp(10 * time)), 0, 0);\n"
                           "simulate(0 sec, 3 sec);\n");
    advance_all(session);
    REQUIRE(session.fault());
    const std::int64_t stopped = session.valid_count();
    CHECK(stopped < 73);
    REQUIRE(session.set_parameter(5, "speed", 0).empty());
    CHECK_FALSE(session.fault());
}

TEST_CASE("bodies go on through a slider, are dragged, and replay to the same bits")
{
    const std::string text = "param push = 0 [-20..20] \"sideways\";\n"
                             "def floor obstacle(); plane(0, 1, 0, 0); end; floor;\n"
                             "def crate body(density = 400); box(1, 1, 1); end;\n"
                             "crate translatey(2);\n"
                             "field(push, 0, 0) on crate;\n"
                             "simulate(0 sec, 2 sec, step = 1/100);\n";
    Session session = open(text);
    advance_to(session, 10);
    const Vec3 before = place(session, 9, "crate");
    REQUIRE(session.set_parameter(10, "push", 8).empty());
    advance_to(session, 12);
    const Vec3 after = place(session, 10, "crate");
    CHECK(std::abs(after.y - before.y) < 0.3); // it falls on from where it was
    CHECK(after.y < before.y);
    for (std::int64_t i = 12; i < 20; ++i) {
        REQUIRE(session.grab(i, find(session, "crate"), {-1, 1, 0}).empty());
        session.advance();
    }
    REQUIRE(session.release(20).empty());
    advance_all(session);
    CHECK_FALSE(session.fault());
    Result<Session> replayed = Session::open(session.take(), {});
    REQUIRE(bool(replayed));
    CHECK(hashes(*replayed) == hashes(session));
}

namespace {

const char* kCrate = "def crate body(density = 400); box(1, 1, 1); end; # falls\n"
                     "crate translatey(2);\n"
                     "simulate(0 sec, 2 sec, step = 1/100);\n";

} // namespace

TEST_CASE("a body is held by the point that was clicked, and a recording keeps it")
{
    Session session = open(kCrate);
    advance_to(session, 1);
    const ObjectId crate = find(session, "crate");
    const Vec3 corner{0.5, 2.5, 0.5};
    const Vec3 point = session.point_at(0, crate, corner);
    CHECK(length(point - Vec3{0.5, 0.5, 0.5}) < 1e-12);
    for (std::int64_t i = 1; i < 120; ++i) {
        REQUIRE(session.grab(i, crate, corner, point).empty());
        session.advance();
    }
    // it hangs by its corner: that near the hand, the centre below it
    const std::shared_ptr<const Shot> shot = session.shot(119);
    const Vec3 held = apply(shot->frame.objects[crate.index], point);
    const Vec3 centre = shot->frame.objects[crate.index].origin;
    CHECK(length(held - corner) < 0.3);
    CHECK(std::hypot(held.x - centre.x, held.z - centre.z) < 0.3);
    CHECK(held.y - centre.y > 0.8);

    REQUIRE(session.release(120).empty());
    const test::Scratch scratch;
    REQUIRE(session.write_recording(scratch.path()).empty());
    Result<Recording> recording = Recording::open(scratch.path());
    REQUIRE(bool(recording));
    const Result<Take> take = take_of(*recording);
    REQUIRE(bool(take));
    CHECK(take->inputs == session.take().inputs);
    CHECK(take->inputs.front().point == point);
}

TEST_CASE("the pin of a body is a joint of the script")
{
    Session session = open(kCrate);
    advance_to(session, 10);
    const ObjectId crate = find(session, "crate");
    REQUIRE(session.pin(9, crate).empty());
    CHECK(session.handles()[crate.index].is_pinned);
    CHECK(session.script_to_save().find("ball_joint(crate, point(0, 2, 0));") != std::string::npos);
    CHECK(session.script_to_save().find("# falls") != std::string::npos);
    advance_to(session, 40);
    CHECK(length(place(session, 39, "crate") - Vec3{0, 2, 0}) < 1e-6);
    REQUIRE(session.unpin(0, crate).empty());
    CHECK_FALSE(session.handles()[crate.index].is_pinned);
    CHECK(session.script_to_save() == kCrate);
}

TEST_CASE("nonsense is refused")
{
    Session session = open(kPendulum);
    advance_to(session, 5);
    CHECK(session.grab(2, ObjectId{9999}, {0, 0, 0}).size() == 1);
    CHECK(session.grab(2, {}, {0, 0, 0}).size() == 1);
    CHECK(session.grab(2, find(session, "bob"), {NAN, 0, 0}).size() == 1);
    CHECK(session.grab(0, find(session, "bob"), {0, 0, 0}).size() == 1);
    CHECK(session.set_parameter(2, "nothing", 1).size() == 1);
    CHECK(session.set_parameter(2, "len", INFINITY).size() == 1);
    CHECK(session.pin(99, find(session, "bob")).size() == 1);
    CHECK(session.unpin(0, ObjectId{0}).size() == 1);
    CHECK(session.move(ObjectId{9999}, {0, 0, 0}).size() == 1);
    CHECK_FALSE(session.shot(-1));
    CHECK_FALSE(session.shot(99));
    CHECK_FALSE(session.details(99));
    CHECK(session.release(3).empty());
    CHECK(session.valid_count() == 5);
}
