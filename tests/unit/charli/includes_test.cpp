#include "support/files.h"
#include "support/readings.h"
#include "support/temporary_folder.h"

#include <doctest/doctest.h>

#include <filesystem>

using namespace sinew;
using namespace sinew::test;

namespace fs = std::filesystem;

namespace {

const std::string kBob = "def bob mass(1); end;";

} // namespace

TEST_CASE("an included file stands where it is included")
{
    const Files files = {{"parts.charli", kBob + "var size; size = 3;"}};

    const Posture posture(sound_scene("bob translatex(size); include \"parts.charli\";", files));

    CHECK(posture.place("bob").x == 3);
}

TEST_CASE("an included file may be included by a def, a loop or a branch")
{
    const Files files = {{"bob.charli", "mass(1);"}, {"tip.charli", "label() translatex(i);"}};

    const Scene scene = sound_scene("def bob include \"bob.charli\"; end; bob;"
                                    "for i in 1..3 include \"tip.charli\"; end;"
                                    "if 0 include \"missing.charli\"; end;",
                                    files);

    CHECK(scene.masses.size() == 1);
    CHECK(scene.labels.size() == 3);
}

TEST_CASE("a namespace keeps names apart")
{
    const Files files = {{"a.charli", kBob + "var size; size = 3; left = bob translatex(size);"},
                         {"b.charli", kBob + "var size; size = 5; left = bob translatex(size);"}};

    const Posture posture(sound_scene("include \"a.charli\" as a; include \"b.charli\" as b;"
                                      "right = a.bob translatex(a.size + b.size);"
                                      "mark = label() translatey(b.left_x);",
                                      files));

    CHECK(posture.place("a.left").x == 3);
    CHECK(posture.place("b.left").x == 5);
    CHECK(posture.place("right").x == 8);
    CHECK(posture.place("mark").y == 5);
}

TEST_CASE("a namespace does not see the names around it, and hides its own")
{
    const Files files = {{"a.charli", "var mine; mine = 1; label() translatex(size);"}};

    CHECK(codes_of("var size; size = 1; include \"a.charli\" as a; label() translatex(size);",
                   files) == Codes{"unknown-name"});
    CHECK(codes_of("include \"a.charli\" as a; label() translatex(mine);",
                   {{"a.charli", "var mine; mine = 1; label() translatex(mine);"}}) ==
          Codes{"unknown-name"});
}

TEST_CASE("one file under two names makes everything twice")
{
    const Files files = {{"a.charli", kBob + "dynamic q; q = initial(1, 0); bob translatex(q);"}};

    const Scene scene = sound_scene("include \"a.charli\" as a; include \"a.charli\" as b;", files);

    REQUIRE(scene.coordinates.size() == 2);
    CHECK(scene.coordinates[0].name == "a.q");
    CHECK(scene.coordinates[1].name == "b.q");
    CHECK(scene.masses.size() == 2);
    CHECK(scene.files.size() == 2); // the text is read once
}

TEST_CASE("names of files are relative to the file that includes")
{
    const Files files = {{"lib/arm.charli",
                          "include \"parts/bob.charli\"; include \"../top.charli\";"
                          "bob translatex(top);"},
                         {"lib/parts/bob.charli", kBob},
                         {"top.charli", "var top; top = 4;"}};

    const Posture posture(sound_scene("include \"lib/arm.charli\";", files));

    CHECK(posture.place("bob").x == 4);
    CHECK(posture.scene().files[2].name == "lib/parts/bob.charli");
}

TEST_CASE("a script beside others is named with its folder in messages")
{
    const ScriptReading reading =
        read_script("scenes/t.charli", "include \"a.charli\";",
                    files_in_memory({{"a.charli", "def bob mas(1); end; bob;"}}));

    REQUIRE(reading.problems.size() == 1);
    CHECK(to_string(reading.problems[0].place) == "scenes/a.charli:1:9");
}

TEST_CASE("files that include one another are refused, with the way round")
{
    CHECK(codes_of("include \"t.charli\";", {{"t.charli", ""}}) == Codes{"include-cycle"});
    CHECK(codes_of("include \"sub/../t.charli\";", {{"t.charli", ""}}) == Codes{"include-cycle"});
    CHECK(codes_of("include \"a.charli\" as a;", {{"a.charli", "include \"a.charli\" as a;"}}) ==
          Codes{"include-cycle"});
    const Problems problems =
        read_text("include \"a.charli\";", {{"a.charli", "include \"lib/b.charli\";"},
                                            {"lib/b.charli", "include \"../a.charli\";"}})
            .problems;
    REQUIRE(codes_in(problems) == Codes{"include-cycle"});
    CHECK(problems[0].what ==
          "'../a.charli' includes itself: t.charli → a.charli → lib/b.charli → a.charli");
}

TEST_CASE("a way out of the folder is not taken, nor asked for")
{
    std::vector<std::string> asked;
    const ReadFile spy = [&](const std::string& name) -> FileText {
        asked.push_back(name);
        return {FileText::Status::ok, ""};
    };

    for (const char* name : {"../a.charli", "/etc/passwd", "sub/../../a.charli", "..", "sub/../..",
                             "..\\\\a.charli", "a/./../../b"}) {
        const ScriptReading reading =
            read_script("t.charli", "include \"" + std::string(name) + "\";", spy);
        CHECK_MESSAGE(codes_in(reading.problems) == Codes{"file-outside"}, name);
    }
    CHECK(codes_in(read_script("t.charli", "include \"\"; include \".\";", spy).problems) ==
          Codes{"no-file-name", "no-file-name"});
    CHECK(asked.empty());
    CHECK(codes_in(read_script("t.charli", "include \"..a.charli\"; include \"b..charli\";", spy)
                       .problems) == Codes{});
    CHECK(asked == std::vector<std::string>{"..a.charli", "b..charli"});
}

TEST_CASE("what the reader of files says becomes an error at the include")
{
    const auto codes = [](FileText::Status status) {
        return codes_in(read_script("t.charli", "include \"a.charli\";", [&](const std::string&) {
                            return FileText{status};
                        }).problems);
    };

    CHECK(codes(FileText::Status::missing) == Codes{"file-missing"});
    CHECK(codes(FileText::Status::outside) == Codes{"file-outside"});
    CHECK(codes(FileText::Status::unreadable) == Codes{"file-unreadable"});
    CHECK(codes(FileText::Status::too_large) == Codes{"file-too-large"});
}

TEST_CASE("files below a folder are read, nothing else")
{
    const TemporaryFolder folder;
    folder.write("scene/main.charli", "include \"parts/bob.charli\"; bob;");
    folder.write("scene/parts/bob.charli", kBob);
    folder.write("secret.charli", kBob);
    fs::create_symlink(folder / "secret.charli", folder / "scene/link.charli");
    fs::create_directory_symlink(folder / ".", folder / "scene/up");
    fs::create_symlink(folder / "scene/parts/bob.charli", folder / "scene/inside.charli");
    const ReadFile read = files_below((folder / "scene").string());

    CHECK(read("parts/bob.charli").status == FileText::Status::ok);
    CHECK(read("parts/bob.charli").text == kBob);
    CHECK(read("inside.charli").status == FileText::Status::ok); // a link that stays inside
    CHECK(read("missing.charli").status == FileText::Status::missing);
    CHECK(read("parts").status == FileText::Status::unreadable);
    CHECK(read("../secret.charli").status == FileText::Status::outside);
    CHECK(read((folder / "secret.charli").string()).status == FileText::Status::outside);
    CHECK(read("link.charli").status == FileText::Status::outside);
    CHECK(read("up/secret.charli").status == FileText::Status::outside);
    CHECK(read("up/scene/parts/bob.charli").status == FileText::Status::ok);

    CHECK(read_script_file((folder / "scene/main.charli").string()).is_sound());
    folder.write("scene/bad.charli", "include \"link.charli\"; include \"up/secret.charli\";");
    CHECK(codes_in(read_script_file((folder / "scene/bad.charli").string()).problems) ==
          Codes{"file-outside", "file-outside"});
}

TEST_CASE("a script that is not there is a problem like any other")
{
    const TemporaryFolder folder;
    fs::create_directory(folder / "a_folder");

    CHECK(codes_in(read_script_file((folder / "none.charli").string()).problems) ==
          Codes{"file-missing"});
    CHECK(codes_in(read_script_file((folder / "a_folder").string()).problems) ==
          Codes{"file-unreadable"});
}

TEST_CASE("files may include one another 32 deep, not deeper")
{
    const auto chain = [](int length) {
        Files files;
        for (int i = 1; i <= length; ++i)
            files[std::to_string(i) + ".charli"] =
                i == length ? "label();" : "include \"" + std::to_string(i + 1) + ".charli\";";
        return files;
    };

    CHECK(codes_of("include \"1.charli\";", chain(32)) == Codes{});
    CHECK(codes_of("include \"1.charli\";", chain(33)) == Codes{"includes-too-deep"});
}
