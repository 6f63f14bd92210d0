#include "charli/words/scripts.h"
#include "charli/words/words.h"

#include "sinew/language.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

using namespace sinew;
using namespace sinew::charli;

TEST_CASE("every word says what it means, what it takes, and shows an example of itself")
{
    for (const Word& word : words()) {
        CAPTURE(word.name);
        CHECK_FALSE(word.meaning.empty());
        CHECK(word.example.find(word.name) != std::string_view::npos);
        CHECK_FALSE(word.signatures.empty());
        for (const Signature& signature : word.signatures) {
            std::set<std::string_view> names;
            for (const Argument& argument : signature) {
                CHECK_FALSE(argument.name.empty());
                CHECK(names.insert(argument.name).second);
                CHECK((argument.kind != ArgumentKind::word) == argument.words.empty());
            }
        }
        const bool only_tells = word.name == "echo" || word.name == "assert";
        CHECK((word.add != nullptr) == (is_statement(word.kind) && !only_tells));
    }
}

TEST_CASE("every example of a word parses")
{
    for (const Word& word : words()) {
        CAPTURE(word.example);
        CHECK(bool(format_script("t.charli", std::string(word.example))));
    }
}

TEST_CASE("every word has a whole script that shows it, in its standard layout")
{
    for (const Word& word : words()) {
        CAPTURE(word.name);
        const std::string script(script_of(word));
        INFO("add a script to src/charli/words/scripts.cpp");
        CHECK(script.find(word.name) != std::string::npos);
        const Result<std::string> laid_out = format_script("t.charli", script);
        REQUIRE(bool(laid_out));
        CHECK(*laid_out == script);
    }
}

TEST_CASE("no word of one kind stands twice, and all are found by name")
{
    std::set<std::pair<std::string_view, WordKind>> seen;
    for (const Word& word : words()) {
        CHECK(seen.insert({word.name, word.kind}).second);
        CHECK(find_word(word.name, word.kind) == &word);
    }
    CHECK(find_any_word("nothing") == nullptr);
    CHECK(find_word("line", WordKind::path) != find_word("line", WordKind::drawing));
    CHECK(find_statement_word("line") == find_word("line", WordKind::drawing));
}

TEST_CASE("help, reference page and similar words come from the table")
{
    for (const Word& word : words()) {
        CHECK(word_help(std::string(word.name)).find(word.meaning) != std::string::npos);
        CHECK(words_reference().find("### " + std::string(word.name) + "\n") != std::string::npos);
    }
    CHECK(similar_word("translutex") == "translatex");
    CHECK(similar_word("dist_constrain") == "dist_constraint");
    CHECK(similar_word("qqqqqqq").empty());
    CHECK(word_help("functions").find("atan2") != std::string::npos);
    CHECK(word_help("slowin").find("s²") != std::string::npos);
}
