#include "charli/assist/symbols.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace sinew::charli;

TEST_CASE("equal names have equal numbers, others have others")
{
    Symbols symbols;
    const std::string again = std::string("a") + "b";

    const Symbol ab = symbols.intern("ab"), ba = symbols.intern("ba");

    CHECK(ab != ba);
    CHECK(symbols.intern(again) == ab);
    CHECK(symbols.find("ba") == ba);
    CHECK(symbols.find("bb") == kNoSymbol);
    CHECK(symbols.name(ba) == "ba");
    CHECK(symbols.size() == 2);
}

TEST_CASE("names keep their numbers however many there are")
{
    std::vector<std::string> names;
    for (int i = 0; i < 10'000; ++i)
        names.push_back("name" + std::to_string(i));
    Symbols symbols;

    for (const std::string& name : names)
        symbols.intern(name);

    for (std::size_t i = 0; i < names.size(); ++i)
        REQUIRE(symbols.find(names[i]) == i);
}
