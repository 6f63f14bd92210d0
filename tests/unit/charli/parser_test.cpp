#include "charli/text/lexer.h"
#include "charli/text/parser.h"
#include "support/files.h"
#include "support/readings.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <chrono>

using namespace sinew;
using namespace sinew::charli;
using sinew::test::Codes;

namespace {

struct Parsed {
    Symbols symbols = {};
    Tree tree = {};
    Problems problems = {};
};

Parsed parse_text(const std::string& text, const Limits& limits = {})
{
    Parsed parsed;
    add_reserved_words(parsed.symbols);
    Report report(limits.problem_count);
    parsed.tree = parse({"t.charli", std::make_shared<const std::string>(text)}, limits,
                        parsed.symbols, report);
    parsed.problems = report.take();
    return parsed;
}

const char* name_of(NodeKind kind)
{
    constexpr const char* kNames[] = {
        "script",  "block",  "declare", "param",   "def", "for",    "if",     "when",
        "include", "assign", "item",    "fault",   "of",  "on",     "name",   "part",
        "call",    "named",  "along",   "track",   "key", "number", "text",   "pi",
        "time",    "paren",  "list",    "element", "let", "choice", "negate", "plus",
        "not",     "sum",    "product", "compare", "and", "or"};
    return kNames[static_cast<int>(kind)];
}

/// The tree as nested brackets; leaves show their text.
void add_outline(const Tree& tree, NodeId id, std::string& out)
{
    const Node& node = tree.nodes[id];
    if (node.first_child == kNoNode && node.kind != NodeKind::block &&
        node.kind != NodeKind::script) {
        const bool says_enough = node.kind == NodeKind::name || node.kind == NodeKind::number ||
                                 node.kind == NodeKind::part || node.kind == NodeKind::string ||
                                 node.kind == NodeKind::pi || node.kind == NodeKind::time;
        out += says_enough
                   ? std::string(tree.text(id))
                   : std::string(name_of(node.kind)) + "<" + std::string(tree.text(id)) + ">";
        return;
    }
    out += std::string(name_of(node.kind)) + "(";
    bool is_first = true;
    for (const NodeId child : children(tree, id)) {
        out += is_first ? "" : " ";
        is_first = false;
        add_outline(tree, child, out);
    }
    out += ")";
}

/// Of the only statement of a text without faults.
std::string outline(const std::string& text)
{
    const Parsed parsed = parse_text(text);
    REQUIRE_MESSAGE(parsed.problems.empty(), problems_text(parsed.problems, false));
    const NodeId statement = parsed.tree.child(parsed.tree.root, 0);
    REQUIRE(statement != kNoNode);
    REQUIRE(parsed.tree.nodes[statement].next == kNoNode);
    std::string out;
    add_outline(parsed.tree, statement, out);
    return out;
}

/// Of the value in `a = ...;`.
std::string value_outline(const std::string& value)
{
    const std::string whole = outline("a = " + value + ";");
    REQUIRE(whole.starts_with("assign(a "));
    return whole.substr(9, whole.size() - 10);
}

int statement_count(const Parsed& parsed)
{
    int count = 0;
    for (const NodeId statement : children(parsed.tree, parsed.tree.root))
        count += parsed.tree.nodes[statement].kind != NodeKind::fault;
    return count;
}

Codes faults_of(const std::string& text) { return test::codes_in(parse_text(text).problems); }

std::string repeat(const std::string& piece, int count)
{
    std::string text;
    text.reserve(piece.size() * static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
        text += piece;
    return text;
}

constexpr int kMillion = 1'000'000;

} // namespace

TEST_CASE("declarations list names")
{
    CHECK(outline("var a;") == "declare(a)");
    CHECK(outline("dynamic a, b, c;") == "declare(a b c)");
    CHECK(outline("import wind;") == "declare(wind)");
    CHECK(outline("var a = 1, b;") == "declare(assign(a 1) b)");
}

TEST_CASE("a param has a value, perhaps a range, perhaps a text")
{
    CHECK(outline("param a = 1;") == "param(1)");
    CHECK(outline("param a = 1 [0..2];") == "param(1 0 2)");
    CHECK(outline("param a = 1 \"size\";") == "param(1 \"size\")");
    CHECK(outline("param a = b [-1..2 cm] \"size\";") == "param(b negate(1) 2 cm \"size\")");
    CHECK(outline("param a = (h[1]) [0..2];") == "param(paren(name(part(1))) 0 2)");
}

TEST_CASE("a def has a body, perhaps parameters")
{
    CHECK(outline("def a end") == "def(block())");
    CHECK(outline("def a end;") == "def(block())");
    CHECK(outline("def a() end;") == "def(of<()> block())");
    CHECK(outline("def a(b, c) d; e; end;") == "def(of(b c) block(item(d) item(e)))");
    CHECK(outline("def a def b end end") == "def(block(def(block())))");
}

TEST_CASE("loops and branches hold statements")
{
    CHECK(outline("for i in 1..n a; end") == "for(1 n block(item(a)))");
    CHECK(outline("for i in 1..5 m translatex(i); end;") ==
          "for(1 5 block(item(m call(translatex i))))");
    CHECK(outline("if a b; end") == "if(a block(item(b)))");
    CHECK(outline("if a b; else c; end;") == "if(a block(item(b)) block(item(c)))");
    CHECK(outline("if a if b c; else d; end end") ==
          "if(a block(if(b block(item(c)) block(item(d)))))");
}

TEST_CASE("an include names a file, perhaps a namespace")
{
    CHECK(outline("include \"a.charli\";") == "include(\"a.charli\")");
    const Parsed parsed = parse_text("include \"a.charli\" as parts;");
    const Node& node = parsed.tree.nodes[parsed.tree.child(parsed.tree.root, 0)];
    CHECK((node.flags & Node::kHasNamespace) != 0);
}

TEST_CASE("an item is a name or call with transformations, perhaps on something")
{
    CHECK(outline("a;") == "item(a)");
    CHECK(outline("a(1, 2);") == "item(call(a 1 2))");
    CHECK(outline("a translatex(1) rotatez(b);") == "item(a call(translatex 1) call(rotatez b))");
    CHECK(outline("a(1) scale(2) on b;") == "item(call(a 1) call(scale 2) on(b))");
    CHECK(outline("wind(1, 0, 0) on a, b.c, d[2];") ==
          "item(call(wind 1 0 0) on(a name(b c) name(part(2))))");
    CHECK(outline("a on b at 0.5 along;") == "item(a on(along(b 0.5)))");
}

TEST_CASE("right of = stands a value, or an instance when a transformation or `on` follows")
{
    CHECK(outline("a = 1;") == "assign(a 1)");
    CHECK(outline("a = b;") == "assign(a b)");
    CHECK(outline("a = b(1);") == "assign(a call(b 1))");
    CHECK(outline("a = b translatex(1);") == "assign(a item(b call(translatex 1)))");
    CHECK(outline("a = b(1) translatex(1) on c;") ==
          "assign(a item(call(b 1) call(translatex 1) on(c)))");
    CHECK(outline("a[i + 1] = b on c;") == "assign(name(part(sum(i 1))) item(b on(c)))");
}

TEST_CASE("names lead downwards, with an index at each step")
{
    CHECK(value_outline("b.c.d") == "name(b c d)");
    CHECK(value_outline("b[1]") == "name(part(1))");
    CHECK(value_outline("b[i].c[2 * i].x") == "name(part(i) part(product(2 i)) x)");
}

TEST_CASE("arguments may be named, tracks, texts and places along a curve")
{
    CHECK(outline("a(b = 1, 2);") == "item(call(a named(1) 2))");
    CHECK(outline("a(b = c at 1 along);") == "item(call(a named(along(c 1))))");
    CHECK(outline("a(\"text\");") == "item(call(a \"text\"))");
    CHECK(outline("a({1 at 0 sec});") == "item(call(a track(key(1 0))))");
    CHECK(outline("a();") == "item(call(a))");
}

TEST_CASE("a track is a list of keys; here sec ends the key and is no unit")
{
    CHECK(value_outline("{1 at 0 sec}") == "track(key(1 0))");
    CHECK(value_outline("{0 at 0 sec slowinout 1.8 at 2 sec}") == "track(key(0 0) key(1.8 2))");
    CHECK(value_outline("{2 cm at 0 along linear 5 mm at 1 along}") ==
          "track(key(2 cm 0) key(5 mm 1))");
    CHECK(value_outline("{1 at 500 ms sec}") == "track(key(1 500 ms))");
    CHECK(value_outline("{1 sec at a + 1 sec hold 2 at (1 sec) sec}") ==
          "track(key(1 sec sum(a 1)) key(2 paren(1 sec)))");
    CHECK(value_outline("{ {1 at 0 sec} at 0 along linear b at 1 along }") ==
          "track(key(track(key(1 0)) 0) key(b 1))");
    CHECK(value_outline("{1 at 2 * 3 frames}") == "track(key(1 product(2 3)))");
}

TEST_CASE("or binds less than and, and less than not, and so on up to the sign")
{
    CHECK(value_outline("b or c and not d == e + f * -g") ==
          "or(b and(c not(compare(d sum(e product(f negate(g)))))))");
    CHECK(value_outline("not b == c") == "not(compare(b c))");
    CHECK(value_outline("-b * c") == "product(negate(b) c)");
    CHECK(value_outline("b - c - d + e") == "sum(b c d e)");
    CHECK(value_outline("b / c * d") == "product(b c d)");
    CHECK(value_outline("(b - c) - d") == "sum(paren(sum(b c)) d)");
    CHECK(value_outline("--b") == "negate(negate(b))");
    CHECK(value_outline("2 - -1") == "sum(2 negate(1))");
}

TEST_CASE("each comparison has its place")
{
    for (const char* sign : {"==", "!=", "<", "<=", ">", ">="})
        CHECK(value_outline("b " + std::string(sign) + " c") == "compare(b c)");
    CHECK(faults_of("a = b < c < d;") == Codes{"chained-comparison"});
}

TEST_CASE("a unit applies to its number alone")
{
    CHECK(value_outline("1/2 cm") == "product(1 2 cm)");
    CHECK(value_outline("5 cm * 2") == "product(5 cm 2)");
    CHECK(value_outline("-5 cm") == "negate(5 cm)");
}

TEST_CASE("several independent mistakes are all told")
{
    const Parsed parsed = parse_text("var a b;\n"
                                     "c = 1 + ;\n"
                                     "good;\n"
                                     "d translatex(1;\n"
                                     "def e(f g) h; end;\n"
                                     "also good(1);\n" // `good` is no transformation of `also`
                                     "for i 1..2 j; end;\n"
                                     "if k k = {1 at 2}; end;\n"
                                     "good;\n");

    CHECK(test::codes_in(parsed.problems) == Codes{"expected-semicolon", "expected-value",
                                                   "open-bracket", "open-bracket", "expected-in",
                                                   "expected-key-unit"});
    CHECK(statement_count(parsed) == 4); // both good ones, `also good(1)`, the branch
}

TEST_CASE("a forgotten semicolon loses no statement")
{
    const Parsed parsed = parse_text("a = 1\nb = 2;\nc translatex(1)\nd;\ne = f\ng[1] = 2;\nh");

    CHECK(test::codes_in(parsed.problems) == Codes(4, "missing-semicolon"));
    CHECK(statement_count(parsed) == 7);
}

TEST_CASE("a mistake in the head of a block does not unbalance its end")
{
    for (const char* head :
         {"def 1", "def end", "def a(", "def a(b", "def a(1)", "for i", "for i in", "for i in 1",
          "for 1 in 1..2", "if )", "if (1", "if 1 < 2 < 3", "if {"}) {
        const std::string text = std::string(head) + "\n a; b;\nend;\nc;";
        CAPTURE(text);
        const Parsed parsed = parse_text(text);

        CHECK(parsed.problems.size() == 1);
        CHECK(statement_count(parsed) == 1); // `c`: the block is lost as a whole
    }
}

TEST_CASE("a missing end points to the block whose end looks wrong")
{
    const Parsed parsed = parse_text("def a\n  for i in 1..2\n    b;\nend;\na;\n");

    REQUIRE(test::codes_in(parsed.problems) == Codes{"missing-end"});
    CHECK(parsed.problems[0].place.line == 1);
    REQUIRE(parsed.problems[0].remarks.size() == 1);
    CHECK(parsed.problems[0].remarks[0].place.line == 2);
}

TEST_CASE("every token belongs to a statement, except stray ends")
{
    const std::string text = test::read_repository_file("tests/language/reference/"
                                                        "fig06_balloon.charli");
    const Parsed parsed = parse_text(text);
    REQUIRE(parsed.problems.empty());

    std::uint32_t next = 0;
    for (const NodeId statement : children(parsed.tree, parsed.tree.root)) {
        CHECK(parsed.tree.nodes[statement].first_token == next);
        next = parsed.tree.nodes[statement].last_token + 1;
    }
    CHECK(parsed.tree.tokens[next].kind == TokenKind::end_of_text);
}

TEST_CASE("nesting without end is refused, quickly")
{
    struct Bomb {
        const char *head, *piece;
        int count = kMillion;
    };
    const Bomb bombs[] = {{"a = ", "("},
                          {"a = ", "{"},
                          {"a = ", "-"},
                          {"if ", "not "},
                          {"", "def a\n"},
                          {"a = ", "h[", 100'000},
                          {"a = ", "sin(", 100'000},
                          {"", "if 1 ", 100'000}};

    for (const Bomb& bomb : bombs) {
        CAPTURE(bomb.piece);
        const std::string text = bomb.head + repeat(bomb.piece, bomb.count);

        const auto start = std::chrono::steady_clock::now();
        const Parsed parsed = parse_text(text);
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;

        const Codes codes = test::codes_in(parsed.problems);
        CHECK(std::count(codes.begin(), codes.end(), "nested-too-deep") > 0);
        CHECK(elapsed.count() < 10); // with sanitizers; plain it is a fraction of a second
    }
}

TEST_CASE("a chain of operators is a list, not a tower")
{
    for (const char* next : {"*1", " or 1"}) {
        const Parsed parsed = parse_text("a = 1" + repeat(next, kMillion) + ";");

        REQUIRE(parsed.problems.empty());
        const NodeId value = parsed.tree.child(parsed.tree.child(parsed.tree.root, 0), 1);
        int operands = 0;
        for ([[maybe_unused]] const NodeId operand : children(parsed.tree, value))
            ++operands;
        CHECK(operands == kMillion + 1);
    }
}

TEST_CASE("no text crashes the parser, and every fault has a place")
{
    const std::string figure =
        test::read_repository_file("tests/language/reference/fig06_balloon.charli");
    const std::vector<Token> tokens = parse_text(figure).tree.tokens;
    const auto look_at = [](const std::string& text) {
        const Parsed parsed = parse_text(text);
        for (const Problem& problem : parsed.problems) {
            RC_ASSERT(problem.place.file == "t.charli");
            RC_ASSERT(!problem.what.empty() && !problem.hint.empty());
        }
        std::vector<NodeId> open = {parsed.tree.root};
        while (!open.empty()) {
            const NodeId id = open.back();
            const Node& node = parsed.tree.nodes[id];
            open.pop_back();
            RC_ASSERT(node.first_token <= node.last_token);
            RC_ASSERT(node.last_token < parsed.tree.tokens.size());
            for (const NodeId child : children(parsed.tree, id))
                open.push_back(child);
        }
    };

    CHECK(rc::check("words in any order", [&] {
        const auto words = *rc::gen::container<std::vector<std::string>>(
            rc::gen::elementOf(std::vector<std::string>{
                "def", "end", "for",   "in",      "if",     "else", "var", "param", "include", "as",
                "on",  "at",  "along", "sec",     "linear", "a",    "b",   "1",     "..",      "(",
                ")",   "[",   "]",     "{",       "}",      "=",    "==",  ",",     ";",       "-",
                "+",   "not", "\"t\"", "initial", ".",      "\n",   "@"}));
        std::string text;
        for (const std::string& word : words)
            text += word + " ";
        look_at(text);
    }));
    CHECK(rc::check("a script without some of its tokens", [&] {
        std::string text = figure;
        const auto holes = *rc::gen::container<std::vector<std::size_t>>(
            rc::gen::inRange<std::size_t>(0, tokens.size()));
        for (const std::size_t i : holes)
            for (std::size_t k = tokens[i].offset; k < tokens[i].end(); ++k)
                text[k] = ' ';
        look_at(text);
    }));
}
