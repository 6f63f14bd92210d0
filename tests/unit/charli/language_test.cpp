#include "charli/text/lexer.h"
#include "support/files.h"
#include "support/readings.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

using namespace sinew;
using namespace sinew::test;

namespace {

/// A script as its tokens, each with the gap before it.
std::vector<std::string> pieces_of(const std::string& text)
{
    const charli::Limits limits;
    charli::Symbols symbols;
    charli::add_reserved_words(symbols);
    charli::Report report(1);
    std::vector<std::string> pieces;
    std::size_t at = 0;
    for (const charli::Token& token : charli::lex(text, 0, limits, symbols, report)) {
        pieces.push_back(text.substr(at, token.end() - at));
        at = token.end();
    }
    return pieces;
}

std::vector<std::string> all_scripts()
{
    std::vector<std::string> scripts;
    for (const char* folder : {"tests/language/reference", "tests/language/printed", "examples"})
        for (const std::string& name : list_repository_files(folder, ".charli"))
            scripts.push_back(read_repository_file(name));
    return scripts;
}

} // namespace

TEST_CASE("whatever is done to a script, reading it ends with problems that help")
{
    std::vector<std::vector<std::string>> scripts;
    for (const std::string& script : all_scripts())
        scripts.push_back(pieces_of(script));
    const std::vector<std::string> strangers = {";",
                                                "(",
                                                ")",
                                                "{",
                                                "}",
                                                "[",
                                                "]",
                                                "=",
                                                "..",
                                                ".",
                                                ",",
                                                "-",
                                                " end ",
                                                " def ",
                                                " for ",
                                                " if ",
                                                " var ",
                                                " on ",
                                                " at ",
                                                " 1 ",
                                                " 0 ",
                                                " 1e300 ",
                                                " time ",
                                                " x ",
                                                " m0 ",
                                                " mass(1); ",
                                                " translatex ",
                                                " initial ",
                                                " cm ",
                                                " \"t\" ",
                                                " include \"t.charli\"; ",
                                                " not ",
                                                " along "};

    CHECK(rc::check("tokens removed, doubled, exchanged, added", [&] {
        std::vector<std::string> pieces =
            scripts[*rc::gen::inRange<std::size_t>(0, scripts.size())];
        const int changes = *rc::gen::inRange(1, 6);
        for (int i = 0; i < changes && pieces.size() > 2; ++i) {
            const auto at = *rc::gen::inRange<std::size_t>(0, pieces.size() - 1);
            const auto here = pieces.begin() + static_cast<std::ptrdiff_t>(at);
            switch (*rc::gen::inRange(0, 4)) {
            case 0: pieces.erase(here); break;
            case 1: pieces.insert(here, std::string(*here)); break;
            case 2: std::swap(*here, *(here + 1)); break;
            default:
                pieces.insert(here, strangers[*rc::gen::inRange<std::size_t>(0, strangers.size())]);
            }
        }
        std::string text;
        for (const std::string& piece : pieces)
            text += piece;

        const ScriptReading reading = read_script("t.charli", text, no_files());

        for (const Problem& problem : reading.problems) {
            RC_ASSERT(!problem.code.empty());
            RC_ASSERT(problem.place.file == "t.charli");
            RC_ASSERT(!problem.what.empty());
            RC_ASSERT(!problem.hint.empty());
        }
        if (reading.is_sound())
            RC_ASSERT(validate(reading.scene).empty());
    }));
}

TEST_CASE("reading twice gives the same, to the last bit")
{
    for (const std::string& script : all_scripts()) {
        const ScriptReading one =
            read_script("t.charli", script, files_below(SINEW_ROOT "/examples"));
        const ScriptReading two =
            read_script("t.charli", script, files_below(SINEW_ROOT "/examples"));

        CHECK(fingerprint(one.scene) == fingerprint(two.scene));
        CHECK(problems_text(one.problems, false) == problems_text(two.problems, false));
    }
}

TEST_CASE("an import is a name for whoever starts the run, and drives what it moves")
{
    const ScriptReading reading = read_text("import f, g; def bob mass(1); end;"
                                            "bob translatex(f) rotatez(2 * g + time);");

    CHECK(reading.problems.empty());
    REQUIRE(reading.scene.imports.size() == 2);
    CHECK(reading.scene.imports[0].name == "f");
    CHECK(reading.scene.imports[1].name == "g");
    CHECK(reading.reading.driven_count == 2);
    CHECK(reading.reading.freedom == 0);
    CHECK(codes_of("import f; f = 1; label() translatex(f);") == Codes{"cannot-assign"});
    CHECK(codes_of("import f; def bob mass(f); end; bob;") == Codes{"must-be-constant"});
}

TEST_CASE("the start is looked at unless the caller says no")
{
    const std::string apart = "def bob mass(1); end; post = label(); dynamic x; x = initial(3, 0);"
                              "bob translatex(x); dist_constraint(post, bob, 1);";

    CHECK(codes_of(apart) == Codes{"start-apart"});
    CHECK(codes_of(apart, {}, {.parameters = {}, .frame_rate = {}, .check_start = false}) ==
          Codes{});
}

TEST_CASE("a frame rate from outside wins, also when it is wrong")
{
    ReadOptions options;
    options.frame_rate = 48;
    CHECK(sound_scene("frame_rate(30); label();", {}, options).settings.frame_rate == 48);
    options.frame_rate = 0;
    CHECK(codes_of("label();", {}, options) == Codes{"out-of-range"});
}
