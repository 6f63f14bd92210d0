#include "sinew/language.h"
#include "support/files.h"
#include "support/scripts.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <filesystem>
#include <fstream>

using namespace sinew;

namespace {

std::string formatted(const std::string& text)
{
    const Result<std::string> result = format_script("t.charli", text);
    REQUIRE_MESSAGE(bool(result), problems_text(result.problems(), false));
    return *result;
}

ScriptReading read(const std::string& text) { return read_script("t.charli", text, no_files()); }

std::vector<std::string> token_texts(const std::string& text)
{
    std::vector<std::string> texts;
    for (const ScriptToken& token : script_tokens(text))
        texts.push_back(text.substr(token.offset, token.length));
    return texts;
}

} // namespace

TEST_CASE("blocks are indented by two, continued statements by four")
{
    CHECK(formatted("def a\nmass(1);\nfor i in "
                    "1..2\nlabel();\nend\nend;\nbob\ntranslatex(1)\nrotatez(2);\n") ==
          "def a\n  mass(1);\n  for i in 1..2\n    label();\n  end\nend;\nbob\n    translatex(1)\n "
          "   rotatez(2);\n");
}

TEST_CASE("else stands below its if")
{
    CHECK(formatted("if 1\nlabel();\nelse\nmass(1);\nend;\n") ==
          "if 1\n  label();\nelse\n  mass(1);\nend;\n");
}

TEST_CASE("one blank between words, none inside brackets, blanks around operators")
{
    CHECK(formatted("x=2*( a+b )-  -c;") == "x = 2 * (a + b) - -c;\n");
    CHECK(formatted("r={0 at 0sec   linear 5cm at 1 sec} ;") ==
          "r = {0 at 0 sec linear 5 cm at 1 sec};\n");
    CHECK(formatted("param a=1[0 .. 2]\"x\";") == "param a = 1 [0..2] \"x\";\n");
    CHECK(formatted("b [ 3 ] = bob  translatex ( 1 )on  a . b ;") ==
          "b[3] = bob translatex(1) on a.b;\n");
    CHECK(formatted("if not(a)==1 and-b<2 end") == "if not (a) == 1 and -b < 2 end\n");
}

TEST_CASE("numbers that stand close together stay close")
{
    CHECK(formatted("line( 0,0,0,  1, 0,0 );") == "line(0,0,0, 1, 0,0);\n");
}

TEST_CASE("comments stay where they are, and neighbours stand below one another")
{
    CHECK(formatted("# head\nvar a;# one\n a = 1;   # two\n\n\n\n# tail\n") ==
          "# head\nvar a;  # one\na = 1;  # two\n\n# tail\n");
    CHECK(formatted("var a, # inside\nb;\n") == "var a,  # inside\n    b;\n");
}

TEST_CASE("line ends of other systems and a byte order mark become the standard ones")
{
    CHECK(formatted("\xef\xbb\xbfvar a;\r\n\r\na = 1;\r\n") == "var a;\n\na = 1;\n");
    CHECK(formatted("") == "");
}

TEST_CASE("a script with syntax faults is not formatted")
{
    const Result<std::string> result = format_script("t.charli", "var ;\nx = (1;\n");

    REQUIRE_FALSE(bool(result));
    CHECK(result.problems().size() == 2);
}

TEST_CASE("format(format(x)) = format(x), same tokens, same scene: generated scripts")
{
    CHECK(rc::check("generated scripts", [](std::uint32_t seed) {
        const std::string text = test::make_script(seed);
        const ScriptReading reading = read(text);
        RC_ASSERT(!has_errors(reading.problems));

        const Result<std::string> once = format_script("t.charli", text);
        RC_ASSERT(bool(once));
        const Result<std::string> twice = format_script("t.charli", *once);

        RC_ASSERT(bool(twice));
        RC_ASSERT(*twice == *once);
        RC_ASSERT(token_texts(*once) == token_texts(text));
        RC_ASSERT(fingerprint(read(*once).scene) == fingerprint(reading.scene));
    }));
}

TEST_CASE("format(format(x)) = format(x), same scene: all examples and printed figures")
{
    namespace fs = std::filesystem;
    int count = 0;
    for (const char* folder : {"/examples", "/tests/language/printed", "/tests/language/reference"})
        for (const auto& entry :
             fs::recursive_directory_iterator(std::string(SINEW_ROOT) + folder)) {
            if (entry.path().extension() != ".charli")
                continue;
            CAPTURE(entry.path().string());
            std::ifstream stream(entry.path(), std::ios::binary);
            const std::string text(std::istreambuf_iterator<char>(stream), {});
            const ReadFile files = files_below(entry.path().parent_path().string());
            const std::string once = formatted(text);
            CHECK(formatted(once) == once);
            CHECK(fingerprint(read_script("t.charli", once, files).scene) ==
                  fingerprint(read_script("t.charli", text, files).scene));
            ++count;
        }
    CHECK(count > 15);
}

TEST_CASE("the fingerprint sees what decides the motion and ignores the layout")
{
    const auto of = [](const char* text) { return fingerprint(read(text).scene); };

    CHECK(of("def a mass(1); end; a translatex(2);") ==
          of("def a\n  mass( 1 ); # one\nend;\n\na translatex(2);"));
    CHECK(of("def a mass(1); end; a translatex(2);") != of("def a mass(1); end; a translatex(3);"));
    CHECK(of("def a mass(1); end; a translatex(2);") != of("def b mass(1); end; b translatex(2);"));
    CHECK(of("gravity(0, -1, 0);") != of("gravity(0, -2, 0);"));
}

TEST_CASE("vectors, choices, functions and block comments have their layout")
{
    CHECK(formatted("def f( x,y=2 )=x?-1:[ 1,2 ][0];\nlabel();\n") ==
          "def f(x,y = 2) = x ? -1 : [1,2][0];\nlabel();\n");
    CHECK(formatted("var a=(1, 2 ,3),b;for x in[1, 2]label();end") ==
          "var a = (1, 2,3),b; for x in [1, 2] label(); end\n");
    CHECK(formatted("x=1/*one*/+2;\n") == "x = 1 /*one*/ + 2;\n");
    CHECK(formatted("def a\n/* first\n   second */ mass(1);\nend;\n") ==
          "def a\n  /* first\n   second */ mass(1);\nend;\n");
}

TEST_CASE("formatting what the corpus of values holds changes nothing the second time")
{
    const std::string text = test::read_repository_file("tests/fuzz/corpus/parse/values.charli");
    CHECK(formatted(formatted(text)) == formatted(text));
    CHECK(token_texts(formatted(text)) == token_texts(text));
}
