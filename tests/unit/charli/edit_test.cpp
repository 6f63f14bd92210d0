#include "sinew/language.h"
#include "support/scripts.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <functional>

using namespace sinew;

namespace {

const std::string kScript = R"(# a pendulum, carefully laid out
var   length ;            # of the rod
param gust = 4 [0..20] "wind";
dynamic x0, y0;  dynamic z0;
length=1.5;               # metres
x0 = initial( 2, 0 );     y0 = initial(0,0);

def bob
  var size;  size = 3;    # inside
  mass(2);
  line(0,0,0, 1,0,0);     # first
end;
def one label(); end;

bob translatex(1)  translatey( -2 );   # moved twice
left = bob rotatez(10 deg) on bob#;
)";

/// The script above without the line that does not parse: kept apart to test refusal.
std::string sound_script()
{
    std::string text = kScript;
    text.erase(text.find("left = bob"));
    return text +
           "left = bob   rotatez(10 deg);  # turned\nm = one translatex(x0) translatey(y0);\nbob;\n"
           "line(1,1,1, 2,2,2);\n";
}

/// What an edit changed: the text between the common beginning and the common end.
std::pair<std::string, std::string> difference(const std::string& before, const std::string& after)
{
    std::size_t begin = 0;
    while (begin < before.size() && begin < after.size() && before[begin] == after[begin])
        ++begin;
    std::size_t end = 0;
    while (end < before.size() - begin && end < after.size() - begin &&
           before[before.size() - 1 - end] == after[after.size() - 1 - end])
        ++end;
    return {before.substr(begin, before.size() - begin - end),
            after.substr(begin, after.size() - begin - end)};
}

using Change = std::pair<std::string, std::string>;

/// Makes an edit and returns what changed.
Change after(const std::function<Problems(ScriptEditor&)>& edit)
{
    const std::string text = sound_script();
    Result<ScriptEditor> editor = ScriptEditor::open("t.charli", text);
    REQUIRE_MESSAGE(bool(editor), problems_text(editor.problems(), false));
    const Problems problems = edit(*editor);
    CHECK_MESSAGE(problems.empty(), problems_text(problems, false));
    return difference(text, editor->text());
}

Problems refused(const std::function<Problems(ScriptEditor&)>& edit)
{
    const std::string text = sound_script();
    Result<ScriptEditor> editor = ScriptEditor::open("t.charli", text);
    const Problems problems = edit(*editor);
    CHECK_FALSE(problems.empty());
    CHECK(editor->text() == text);
    return problems;
}

} // namespace

TEST_CASE("a script that does not parse is not opened, and says why")
{
    const Result<ScriptEditor> editor = ScriptEditor::open("t.charli", kScript);

    REQUIRE_FALSE(bool(editor));
    CHECK(editor.problems()[0].place.line == 16);
}

TEST_CASE("setting a value changes the value and nothing else")
{
    CHECK(after([](auto& e) { return e.set_value("length", "2 * pi"); }) ==
          Change("1.5", "2 * pi"));
    CHECK(after([](auto& e) { return e.set_value("gust", "7"); }) == Change("4", "7"));
    CHECK(after([](auto& e) { return e.set_value("x0", "initial(9, 0)"); }) ==
          Change(" 2, 0 ", "9, 0"));
    CHECK(after([](auto& e) {
              return e.set_value("bob.size", "{1 at 0 sec linear 2 at 1 sec}");
          }) == Change("3", "{1 at 0 sec linear 2 at 1 sec}"));
}

TEST_CASE("a declared name without a value gets a statement behind its declaration")
{
    CHECK(after([](auto& e) { return e.set_value("z0", "initial(1, 0)"); }) ==
          Change("", " z0 = initial(1, 0);"));
}

TEST_CASE("setting an argument changes that argument")
{
    CHECK(after([](auto& e) { return e.set_argument("line", 0, 3, "length"); }) ==
          Change("1", "length"));
    CHECK(after([](auto& e) { return e.set_argument("line", 1, 0, "5"); }) == Change("1", "5"));
    CHECK(after([](auto& e) { return e.set_argument("mass", 0, 0, "8 gram"); }) ==
          Change("2", "8 gram"));
}

TEST_CASE("moving an instance changes the number of its last translation")
{
    CHECK(after([](auto& e) { return e.move_instance("bob", {0.5, 0, 0}); }) == Change("", ".5"));
    CHECK(after([](auto& e) {
              return e.move_instance("bob#1", {0, 2.5, 0});
          }) == Change("-2", "0.5"));
}

TEST_CASE("moving an instance without a translation adds one behind its transformations")
{
    CHECK(after([](auto& e) {
              return e.move_instance("left", {0, 0, 3});
          }) == Change("", " translatez(3)"));
    CHECK(after([](auto& e) {
              return e.move_instance("bob#2", {1, 2, 0});
          }) == Change("", " translate(1, 2, 0)"));
    CHECK(after([](auto& e) {
              return e.move_instance("bob", {0, 0, 1});
          }) == Change("", " translatez(1)"));
}

TEST_CASE("moving what a dynamic variable carries changes where that starts")
{
    CHECK(after([](auto& e) { return e.move_instance("m", {0.25, 0, 0}); }) == Change("", ".25"));
}

TEST_CASE("moving really moves by that much")
{
    const std::string text = sound_script();
    Result<ScriptEditor> editor = ScriptEditor::open("t.charli", text);
    CHECK(editor->move_instance("m", {0.25, -1, 4}).empty());
    const Scene scene = read_script("t.charli", editor->text(), no_files()).scene;

    CHECK(scene.coordinates[0].initial == 2.25);
    CHECK(scene.coordinates[1].initial == -1);
    CHECK(editor->text().find("translatey(y0) translatez(4);") != std::string::npos);
}

TEST_CASE("a statement is added at the end of the script, or as the last of a def")
{
    CHECK(after([](auto& e) { return e.add_statement("gravity(0, 0, 0);"); }) ==
          Change("", "gravity(0, 0, 0);\n"));
    CHECK(after([](auto& e) { return e.add_statement("label();", "bob"); }) ==
          Change("", "  label();\n"));
    CHECK(after([](auto& e) { return e.add_statement("mass(1);", "one"); }) ==
          Change("", "mass(1); "));
}

TEST_CASE("removing a statement takes its line when nothing else is on it")
{
    CHECK(after([](auto& e) { return e.remove_statement("line", 1); }) ==
          Change("line(1,1,1, 2,2,2);\n", ""));
    CHECK(after([](auto& e) { return e.remove_statement("line", 0); }) ==
          Change("line(0,0,0, 1,0,0);", ""));
}

TEST_CASE("a statement is found by where it is written, and ended there")
{
    const std::string text = "def a mass(1); end;\n"
                             "for i in 1 .. 2 x[i] = a translatex(i); end;\n"
                             "fusion(a at 1 along, # }) active = {\n  b, active={1 at 0 sec});\n";
    const auto edited = [&](auto&& edit) {
        Result<ScriptEditor> editor = ScriptEditor::open("t.charli", text);
        REQUIRE(bool(editor));
        CHECK(edit(*editor).empty());
        return difference(text, editor->text());
    };
    CHECK(edited([&](auto& e) { return e.remove_statement_at(text.find("x[i]") + 7); }) ==
          Change("x[i] = a translatex(i);", ""));
    CHECK(edited([&](auto& e) { return e.remove_statement_at(text.find("mass")); }) ==
          Change("mass(1);", ""));
    CHECK(edited([&](auto& e) { return e.end_statement_at(text.find("fusion"), 2); }) ==
          Change("", " hold 0 at 2 sec"));
    Result<ScriptEditor> editor = ScriptEditor::open("t.charli", text);
    CHECK(editor->remove_statement_at(text.size() + 5)[0].code == "unknown-statement");
    CHECK(editor->end_statement_at(text.find("def"), 1)[0].code == "unknown-statement");
    CHECK(editor->text() == text);
    CHECK(editor->end_statement_at(text.find("fusion"), -1).empty());
    CHECK(editor->text().find("active={{1 at 0 sec} at -2 sec hold 0 at -1 sec});") !=
          std::string::npos);
}

TEST_CASE("what cannot be done is refused with a reason, and the text stays")
{
    CHECK(refused([](auto& e) { return e.set_value("nothing", "1"); })[0].code == "unknown-name");
    CHECK(refused([](auto& e) { return e.set_value("length", "1; mass(2)"); })[0].code ==
          "not-a-value");
    CHECK(refused([](auto& e) { return e.set_value("length", "1 # and"); })[0].code ==
          "not-a-value");
    CHECK(refused([](auto& e) { return e.set_value("length", "("); })[0].code == "not-a-value");
    CHECK(refused([](auto& e) { return e.set_argument("line", 7, 0, "1"); })[0].code ==
          "unknown-statement");
    CHECK(refused([](auto& e) { return e.set_argument("line", 0, 99, "1"); })[0].code ==
          "missing-argument");
    CHECK(refused([](auto& e) {
              return e.move_instance("right", {1, 0, 0});
          })[0]
              .code == "unknown-object");
    CHECK(refused([](auto& e) { return e.add_statement("mass(1); mass(2);"); })[0].code ==
          "not-a-statement");
    CHECK(refused([](auto& e) { return e.add_statement("mass(1)"); })[0].code ==
          "missing-semicolon");
    CHECK(refused([](auto& e) { return e.add_statement("mass(1);", "none"); })[0].code ==
          "unknown-def");
    CHECK(refused([](auto& e) { return e.remove_statement("torque", 0); })[0].code ==
          "unknown-statement");
}

TEST_CASE("an edit of a generated script changes only the bytes it means to")
{
    CHECK(rc::check("generated scripts", [](std::uint32_t seed) {
        const std::string text = test::make_script(seed);
        Result<ScriptEditor> editor = ScriptEditor::open("t.charli", text);
        RC_ASSERT(bool(editor));

        RC_ASSERT(editor->set_value("v0", "12345.5").empty());
        const auto [gone, come] = difference(text, editor->text());
        RC_ASSERT(gone.size() <= 2u && come.size() <= 7u);
        RC_ASSERT(gone.find_first_not_of("0123456789") == std::string::npos);

        const std::string before = editor->text();
        RC_ASSERT(editor->add_statement("camera(0,0,5, 0,0,0);").empty());
        RC_ASSERT(editor->remove_statement("camera", 0).empty());
        RC_ASSERT(editor->text() == before || editor->text() == before + "\n");
    }));
}
