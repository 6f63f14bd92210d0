// The exact words in which scripts are found wanting, against tests/language/diagnostics.txt,
// slips.txt (what beginners get wrong) and the printed figures. SINEW_UPDATE_GOLDEN=1 writes the
// words anew; read the difference.

#include "sinew/language.h"
#include "support/files.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <regex>
#include <set>
#include <sstream>

using namespace sinew;
using namespace sinew::test;

namespace {

const std::string kCases = "tests/language/diagnostics.txt";
const std::string kSlips = "tests/language/slips.txt";
const std::string kPrinted = "tests/language/printed";

/// Codes that no script of reasonable size can raise: broken scenes made by programs, and limits.
/// validate_test.cpp and limits_test.cpp raise them.
const std::set<std::string> kRaisedElsewhere = {
    "shot-no-camera", "shot-no-animation", // shots_test.cpp: files with numbers that are no text

    // broken scenes made by programs
    "bad-formula", "bad-mesh", "bad-object", "bad-points", "frames-too-deep", "no-keys",
    "no-such-coordinate", "no-such-object", "no-such-path", "no-world", "not-finite",
    "piece-out-of-range", "properties-out-of-order", "site-elsewhere", "strand-path-elsewhere",
    "strand-without-tree", "tree-twice", "held-to-nothing", "not-positive", "constraint-on-strand",
    "held-to-itself", "spring-without-length", "bad-skin",
    // limits
    "file-no-text", "file-too-large", "file-unreadable", "includes-too-deep", "name-too-long",
    "nested-too-deep", "script-too-long", "too-many-objects", "too-many-pairs", "too-many-problems",
    "too-many-triangles", "too-many-values", "too-much-work", "too-many-spans",
    // bytes that are no text do not belong into a text file
    "not-utf8"};

struct Case {
    std::string title;
    std::string head; ///< all of it as written, up to and with the line of three dashes
    std::string expected;
    std::string script;
    std::map<std::string, std::string> files = {};
    ReadOptions options = {};
};

struct Golden {
    std::string preface;
    std::vector<Case> cases = {};
};

Golden parse_cases(const std::string& text)
{
    Golden golden;
    enum class Part { preface, file, script, expected } part = Part::preface;
    std::string file;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        line += '\n';
        Case* const here = golden.cases.empty() ? nullptr : &golden.cases.back();
        if (line.starts_with("=== ")) {
            golden.cases.push_back({.title = line.substr(4, line.size() - 5),
                                    .head = line,
                                    .expected = {},
                                    .script = {}});
            part = Part::script;
            continue;
        }
        if (!here) {
            golden.preface += line;
            continue;
        }
        if (part == Part::expected) {
            here->expected += line;
            continue;
        }
        here->head += line;
        if (line == "---\n") {
            part = Part::expected;
        } else if (line == "--- script\n") {
            part = Part::script;
        } else if (line.starts_with("--- file ")) {
            file = line.substr(9, line.size() - 10);
            here->files[file] = "";
            part = Part::file;
        } else if (line.starts_with("--- param ")) {
            const std::size_t sign = line.find('=');
            here->options.parameters[line.substr(10, sign - 10)] =
                line.substr(sign + 1, line.size() - sign - 2);
        } else if (part == Part::file) {
            here->files[file] += line;
        } else {
            here->script += line;
        }
    }
    return golden;
}

bool is_updating() { return std::getenv("SINEW_UPDATE_GOLDEN") != nullptr; }

/// Shows where two texts part, for the eye.
std::string difference(const std::string& expected, const std::string& found)
{
    std::istringstream old_lines(expected), new_lines(found);
    std::ostringstream out;
    out << '\n';
    std::string a, b;
    while (true) {
        const bool has_a = bool(std::getline(old_lines, a)),
                   has_b = bool(std::getline(new_lines, b));
        if (!has_a && !has_b)
            return out.str();
        if (has_a && has_b && a == b) {
            out << "    " << a << '\n';
            continue;
        }
        if (has_a)
            out << "  - " << a << '\n';
        if (has_b)
            out << "  + " << b << '\n';
    }
}

Problems problems_of(const Case& wanted)
{
    return read_script("t.charli", wanted.script, files_in_memory(wanted.files), wanted.options)
        .problems;
}

/// Every code that stands in the sources of reading; the tools have tests of their own.
std::set<std::string> codes_in_sources()
{
    const std::set<std::string> tools = {
        "src/charli/text/edit.cpp", "src/charli/text/edit_tree.cpp",
        "src/charli/text/edit_statements.cpp", "src/charli/text/format.cpp"};
    const std::regex code("\"([a-z0-9]+(-[a-z0-9]+)+)\"");
    std::set<std::string> codes = {"undeclared", "stray-end"}; // one without a dash, one composed
    for (const std::string folder : {"src/charli", "src/scene", "src/scene/constraints"})
        for (const std::string& name : list_repository_files(folder, ".cpp")) {
            if (tools.contains(name))
                continue;
            const std::string text = read_repository_file(name);
            for (std::sregex_iterator match(text.begin(), text.end(), code), end; match != end;
                 ++match)
                codes.insert((*match)[1]);
        }
    return codes;
}

/// Compares every case of a file, or writes it again; how many there are.
std::size_t check_cases(const std::string& file)
{
    const Golden golden = parse_cases(read_repository_file(file));
    std::string rewritten = golden.preface;
    for (const Case& wanted : golden.cases) {
        std::string found = problems_text(problems_of(wanted), false);
        rewritten += wanted.head + found + "\n";
        std::string expected = wanted.expected;
        if (expected.ends_with("\n\n") || expected == "\n") // the blank line before the next case
            expected.pop_back();
        CHECK_MESSAGE(found == expected, wanted.title << difference(expected, found));
    }
    if (is_updating())
        write_repository_file(file, rewritten);
    return golden.cases.size();
}

} // namespace

TEST_CASE("every mistake is told in exactly the words written down for it")
{
    CHECK(check_cases(kCases) >= 100);
}

TEST_CASE("what beginners get wrong is answered with a remedy")
{
    CHECK(check_cases(kSlips) >= 35);
    for (const Case& wanted : parse_cases(read_repository_file(kSlips)).cases) {
        CAPTURE(wanted.title);
        for (const Problem& problem : problems_of(wanted))
            CHECK_FALSE(problem.hint.empty());
    }
}

TEST_CASE("the slips in the printed figures are found")
{
    for (const std::string& name : list_repository_files(kPrinted, ".charli")) {
        const std::string file = name.substr(kPrinted.size() + 1);
        const std::string golden = name.substr(0, name.size() - 6) + "expected";

        const std::string found = problems_text(
            read_script(file, read_repository_file(name), no_files()).problems, false);

        if (is_updating())
            write_repository_file(golden, found);
        const std::string expected = read_repository_file(golden);
        CHECK_MESSAGE(found == expected, name << difference(expected, found));
    }
}

TEST_CASE("every problem has a place, a fact and a remedy")
{
    for (const Case& wanted : parse_cases(read_repository_file(kCases)).cases)
        for (const Problem& problem : problems_of(wanted)) {
            CAPTURE(wanted.title);
            CAPTURE(problem.code);
            CHECK_FALSE(problem.code.empty());
            CHECK_FALSE(problem.place.file.empty());
            CHECK_FALSE(problem.what.empty());
            CHECK_FALSE(problem.hint.empty());
            if (problem.place.line > 0)
                CHECK_FALSE(problem.source_line.empty());
        }
}

TEST_CASE("every code that reading can raise is raised by a test")
{
    std::set<std::string> seen;
    for (const Case& wanted : parse_cases(read_repository_file(kCases)).cases)
        for (const Problem& problem : problems_of(wanted))
            seen.insert(problem.code);
    CHECK(seen.size() >= 80);

    for (const std::string& code : codes_in_sources()) {
        const bool is_covered = seen.contains(code) || kRaisedElsewhere.contains(code);
        CHECK_MESSAGE(is_covered, "no case raises '" << code << "'");
    }
    for (const std::string& code : kRaisedElsewhere)
        CHECK_MESSAGE(!seen.contains(code), "a case raises '" << code << "': take it off the list");
}
