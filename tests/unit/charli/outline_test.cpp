#include "sinew/language.h"
#include "sinew/outline.h"

#include <doctest/doctest.h>

using namespace sinew;

namespace {

const std::string kScript = R"(# A pendulum.
# It swings.
def bob(m, r = 2)
  mass(m);
  def tip label(); end;
end;
def twice(x) = 2 * x;
var a = twice(3); dynamic theta;
/* two
lines */
left = bob(1) rotatez(theta);
)";

std::string names_of(const std::vector<OutlineItem>& items)
{
    std::string names;
    for (const OutlineItem& item : items)
        names +=
            item.name + (item.children.empty() ? "" : "{" + names_of(item.children) + "}") + " ";
    return names;
}

} // namespace

TEST_CASE("the outline has what a script introduces, inside one another")
{
    const auto outline = script_outline(kScript);
    CHECK(names_of(outline) == "bob{tip } twice a theta left ");
    CHECK(outline[1].kind == OutlineItem::Kind::function);
    CHECK(outline[4].kind == OutlineItem::Kind::instance);
    CHECK(kScript.substr(outline[0].name_offset, outline[0].name_length) == "bob");
    CHECK(script_outline("def ((").empty());
}

TEST_CASE("blocks and comments of several lines fold")
{
    std::string folded;
    for (const ScriptFold& fold : script_folds(kScript))
        folded += kScript.substr(fold.offset, 4) + (fold.is_comment ? "# " : " ");
    CHECK(folded == "def  # A # /* t# ");
}

TEST_CASE("words have their meaning")
{
    std::string found;
    for (const ScriptMeaning& meaning : script_meanings("def f(x) = x; b = f(x = 2) /* n */;"))
        found += std::to_string(static_cast<int>(meaning.kind));
    // keyword, function, parameter x2, variable, function, argument, number, comment
    CHECK(found == "035543679");
}

TEST_CASE("call help knows words of the language and of the script, and the argument")
{
    const auto help = call_help("dist_constraint(a, bob(1), ", 27);
    REQUIRE(help);
    CHECK(help->argument == 2);
    CHECK(help->forms[0].arguments[2] == "distance");
    const auto own = call_help(kScript + "bob(1, ", kScript.size() + 7);
    REQUIRE(own);
    CHECK(own->forms[0].text == "bob(m, r = 2)");
    CHECK(own->argument == 1);
    CHECK(call_help("line((1, 2, ", 12)->argument == 0);
    CHECK_FALSE(call_help("var a; a = 2;", 13));
}

TEST_CASE("the comment above a definition is part of its hover")
{
    CHECK(comment_above(kScript, kScript.find("def bob")) == "A pendulum.\nIt swings.");
    CHECK(comment_above(kScript, kScript.find("mass")).empty());
    const ScriptAssistant assistant("t.charli", kScript, no_files());
    const auto hover = assistant.hover(kScript.find("bob(1)"));
    REQUIRE(hover);
    CHECK(hover->markdown.find("It swings.") != std::string::npos);
}
