#pragma once

#include "charli/text/read.h"
#include "sinew/language.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace sinew::fuzz {

/// A law that every input must keep: libFuzzer keeps the input that breaks one.
inline void require(bool holds, const char* law)
{
    if (holds)
        return;
    std::fprintf(stderr, "broken law: %s\n", law);
    std::abort();
}

/// Small, so that thousands of inputs a second go through.
inline charli::Limits small_limits()
{
    charli::Limits limits;
    limits.statement_count = 3000;
    limits.object_count = 1000;
    limits.value_count = 10'000;
    limits.problem_count = 50;
    return limits;
}

/// A script and the files it may include: "part.charli" is the script itself once more, so that it
/// can include itself; "other.charli" is a small library.
inline ScriptReading read(const std::string& text)
{
    const ReadFile files = [&](const std::string& name) -> FileText {
        if (name == "part.charli")
            return {FileText::Status::ok, text};
        if (name == "other.charli")
            return {FileText::Status::ok,
                    "var length; length = 2; def bob mass(1); end; bob translatex(length);"};
        return {FileText::Status::missing};
    };
    return charli::read("t.charli", text, files, {}, small_limits(), nullptr);
}

/// Every problem has a place, a fact and a remedy; a sound script gives a valid scene.
inline void check_reading(const ScriptReading& reading)
{
    for (const Problem& problem : reading.problems) {
        const bool wants_hint = problem.code != "echo"; // what a script prints needs no remedy
        require(!problem.what.empty() && !problem.code.empty() &&
                    (!problem.hint.empty() || !wants_hint),
                "a problem says what and what to do");
        require(!problem.place.file.empty(), "a problem has a place");
    }
    if (reading.is_sound())
        require(!has_errors(validate(reading.scene)), "a sound script gives a valid scene");
    problems_text(reading.problems, true);
}

} // namespace sinew::fuzz
