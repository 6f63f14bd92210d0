#include "sinew/language.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sinew;

namespace {

/// A script with the place asked about marked by `|`.
struct Asked {
    std::string text;
    std::size_t offset;
};

Asked at(std::string marked)
{
    const std::size_t offset = marked.find('|');
    marked.erase(offset, 1);
    return {marked, offset};
}

ScriptAssistant assistant(const std::string& text) { return {"t.charli", text, no_files()}; }

bool offers(const std::string& marked, const std::string& label)
{
    const Asked asked = at(marked);
    const std::vector<Completion> list = assistant(asked.text).complete(asked.offset);
    return std::any_of(list.begin(), list.end(),
                       [&](const Completion& c) { return c.label == label; });
}

std::string text_of(const std::string& text, const TextSpan& span)
{
    return text.substr(span.offset, span.length);
}

const std::string kPendulum =
    "var length; dynamic theta;\nlength = 2;\ndef bob mass(1); end;\n"
    "bob translatex(length) rotatez(theta);\nline(0,0,0, bob_x,bob_y,0);\n";

} // namespace

TEST_CASE("completion offers what may stand at a place, and nothing else")
{
    CHECK(offers("def bob mass(1); end;\nbob |", "translatex"));
    CHECK_FALSE(offers("def bob mass(1); end;\nbob |", "dist_constraint"));
    CHECK(offers("def bob mass(1); end;\nb|", "bob"));
    CHECK(offers("dist|", "dist_constraint"));
    CHECK_FALSE(offers("dist|", "drag"));
    CHECK(offers("linkages(method = |", "charli"));
    CHECK(offers("linkages(|", "method = "));
    CHECK(offers("var r; r = {0 at 0 sec |", "slowinout"));
    CHECK(offers("translatex(5 |", "cm"));
    CHECK(offers("var length; mass(|", "length"));
    CHECK(offers("def bob mass(1); end; bob; line(bo|", "bob_x"));
    CHECK(offers("def square end; def bob end; square on |", "bob"));
}

TEST_CASE("nothing is offered for a new name, in a comment or in a text")
{
    CHECK_FALSE(offers("var ma|", "mass"));
    CHECK_FALSE(offers("# ma|", "mass"));
    CHECK_FALSE(offers("include \"ma|", "mass"));
}

TEST_CASE("a name leads to its definition, also as part of a position")
{
    const ScriptAssistant a = assistant(kPendulum);
    const auto definition = a.definition(kPendulum.find("bob_x") + 1);

    REQUIRE(definition.has_value());
    CHECK(definition->offset == kPendulum.find("bob mass"));
    CHECK(text_of(kPendulum, *definition) == "bob");
    CHECK_FALSE(a.definition(kPendulum.find("mass(1)")).has_value());
}

TEST_CASE("references are every place of a name and no other")
{
    const ScriptAssistant a = assistant(kPendulum);
    const std::vector<TextSpan> bob = a.references(kPendulum.find("bob mass"));

    CHECK(bob.size() == 4);
    for (const TextSpan& span : bob)
        CHECK(text_of(kPendulum, span) == "bob");
    CHECK(a.references(kPendulum.find("theta;")).size() == 2);
}

TEST_CASE("hover explains built-in words and shows what a name holds")
{
    const ScriptAssistant a = assistant(kPendulum);

    CHECK(a.hover(kPendulum.find("mass(1)"))->markdown.find("A point with mass") !=
          std::string::npos);
    CHECK(a.hover(kPendulum.find("length)"))->markdown.find("length = 2;") != std::string::npos);
    CHECK_FALSE(a.hover(kPendulum.find("2;")).has_value());
}

TEST_CASE("assistant: what is too much while a script is typed is a note, and no fault")
{
    for (const char* rounds : {"2000", "200000"}) { // squared, and at once
        const std::string text = "def bob mass(1); end; var x;\nfor i in 1.." +
                                 std::string(rounds) +
                                 " for k in 1..2000 x = i; end; end; bob translatex(x); typo();";
        const ScriptAssistant asked = assistant(text);
        const Problems& problems = asked.problems();
        const auto is_work = [](const Problem& p) {
            return p.hint.find("sinew check") != p.hint.npos;
        };
        REQUIRE(std::any_of(problems.begin(), problems.end(), is_work));
        for (const Problem& problem : problems)
            CHECK((problem.severity == Severity::note) == is_work(problem));
    }
}

TEST_CASE("a name is one word that is not reserved")
{
    CHECK(ScriptAssistant::is_name("theta_1"));
    CHECK_FALSE(ScriptAssistant::is_name("def"));
    CHECK_FALSE(ScriptAssistant::is_name("1a"));
    CHECK_FALSE(ScriptAssistant::is_name("a b"));
    CHECK_FALSE(ScriptAssistant::is_name(""));
}
