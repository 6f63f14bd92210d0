#!/usr/bin/env python3
"""The language server in a real editor: neovim_test.py SINEW

Neovim, without a screen and without anyone's settings, loads editors/neovim/charli.lua, opens
scripts, edits them and asks. Nothing but Python's standard library is needed.
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from urllib.parse import unquote

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIMIT_S = 50
SINEW = ""

TRANSFORMATIONS = {"translatex", "translatey", "translatez", "translate", "rotatex", "rotatey",
                   "rotatez", "scale"}
UNITS = {"mm", "cm", "km", "gram", "kg", "ms", "sec", "fps", "deg"}
EASINGS = {"linear", "slowin", "slowout", "slowinout", "hold"}

MAIN = """\
param n = 1 [0..5] "é 𝄞"; var length; dynamic theta; # é
length = 2; theta = initial(0, 0);
include "parts.charli" as parts;
def tip label(); end;
def arm mass(n); tip translatex(length); end;
param k = 2 "𝄞é𝄞"; left = arm rotatez(theta); # tip stays, 𝄞
line(0,0,0, left.tip_x, left.tip_y, 0); param s = 3 "tip 𝄞"; line(0,0,0, tip_x, tip_y, tip_z);
var tipx; tipx = 2; wheel2 = parts.wheel translatex(tipx * parts.size);
if n > 4 line(0,0,0, tip_x, 0, 0); end;
"""
PARTS = """\
# é: wheels
var size; size = 2;
def wheel mass(size); end;
"""
FAULTY = """\
def bob mass(1); end;
param a = 1 "é 𝄞"; bob translutex(a); # é
bob translatey(2);
"""
UGLY = """\
def   bob mass( 1 );end;   # é 𝄞
      bob translatex(1)
 translatey( 2 ) ;


for i in 1 .. 3   b[ i ]=bob translatex( i );end
"""
COLOURS = """\
# a comment é "no string"
var a, b; dynamic theta; param gust = 4 [0..20] "wind speed"; import engine;
r = {0 at 0 sec slowinout 1.8 at 2 sec hold 5cm at 48 frames linear 1 at .5 along};
def bob(i) mass(mass = 1.5e-3); end; for i in 1..5 m translatex(i); end
theta = initial(-pi / 2, time); x = left.tip_x + b[3].x; 30deg 2m a.5 1...5
if a == b and not a != b or a <= b include "x" as y; else c = d on e; end; a<b>c>=d
"open
"""
PREFIX = """\
var length; length = 1; dynamic theta, phi; theta = initial(0, 0);
def bob mass(1); end; left = bob translatex(length) rotatez(theta);
def arm dynamic own; own = initial(0, 0); bob rotatez(own); end; right = arm translatey(1);
"""
# What is typed, with | at the place; the labels that must be offered; those that must not.
COMPLETIONS = {
    'param p = 1 "é𝄞"; bob |': (TRANSFORMATIONS | {"on"}, {"mass", "length", "sin"}),
    'param p = 1 "é𝄞"; bob tr|': ({"translatex", "translatey", "translatez", "translate"}, {"rotatex"}),
    'param p = 1 "é𝄞"; bob translatex(1) |;': (TRANSFORMATIONS, {"length"}),
    'param p = 1 "é𝄞"; linkages(method = |);': ({"automatic", "charli", "fixed"}, {"length", "bob", "sin", "method = "}),
    'linkages(method = c|': ({"charli"}, {"automatic"}),
    'linkages(|': ({"method = "}, set()),
    'param p = 1 "é𝄞"; bob translatex(5 |);': (UNITS, {"length", "translatex"}),
    "x = 5 c|": ({"cm"}, {"mm", "ceil", "cos"}),
    'param p = 1 "é𝄞"; var r; r = {0 at 0 sec |': (EASINGS, {"length", "at"}),
    "var r; r = {0 at 0 sec slow| 1 at 2 sec};": ({"slowin", "slowout", "slowinout"}, {"linear"}),
    "var r; r = {0 at 0 |": ({"sec", "frames", "along"}, {"cm"}),
    "var r; r = {0 at 0 sec linear |": ({"length"}, EASINGS),
    'param p = 1 "é𝄞"; torque(|': ({"theta", "phi", "length", "coordinate = "}, {"rotatex", "theta_x"}),
    "torque(th|": ({"theta"}, {"phi"}),
    'param p = 1 "é𝄞"; dist_constraint(|, bob, 1);': ({"left", "right", "bob", "a = "}, {"rotatex"}),
    "dist_constraint(left, le|": ({"left", "length", "left_x"}, {"bob"}),
    "force(left, right.|": ({"own", "x", "y", "z"}, {"length", "sin"}),
    "field(1, 0, 0) on |": ({"left", "right"}, {"theta", "sin"}),
    "|": ({"bob", "mass", "dist_constraint", "def", "for", "gravity"}, {"translatex", "sin"}),
    "var |": (set(), {"length", "mass"}),
    "# bob |": (set(), TRANSFORMATIONS),
    'include "|': (set(), {"bob"}),
}


def place(text, needle, occurrence=0, shift=0):
    """Line and byte of a needle, both from 0."""
    at = -1
    for _ in range(occurrence + 1):
        at = text.index(needle, at + 1)
    start = text.rfind("\n", 0, at) + 1
    return {"line": text.count("\n", 0, at), "byte": len(text[start:at].encode()) + shift}


def units_before(line, byte):
    """UTF-16 units, as the protocol counts."""
    return len(line.encode()[:byte].decode().encode("utf-16-le")) // 2


class Editor:
    """Collects steps, then runs them all in one Neovim."""

    def __init__(self, folder):
        self.folder = folder
        self.steps = []

    def add(self, name, **step):
        self.steps.append({"do": name, **step})
        return len(self.steps) - 1

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def open(self, name, text=None):
        if text is not None:
            self.write(name, text)
        return self.add("open", file=str(self.folder / name))

    def ask(self, method, where, apply=False, **extra):
        return self.add("request", method="textDocument/" + method, apply=apply,
                        extra=extra or None, **where)

    def run(self):
        job = self.folder / "job.json"
        out = self.folder / "out.json"
        self.steps = [{k: v for k, v in s.items() if v is not None} for s in self.steps]
        job.write_text(json.dumps({"sinew": SINEW, "plugin": str(ROOT / "editors/neovim/charli.lua"),
                                   "out": str(out), "steps": self.steps}), encoding="utf-8")
        home = {name: str(self.folder / "home") for name in
                ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")}
        process = subprocess.Popen(
            ["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n",
             "-c", f"luafile {HERE / 'neovim_driver.lua'}", "-c", "cquit 3"],
            env={**os.environ, **home, "CHARLI_JOB": str(job), "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True)
        try:
            said, _ = process.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            said, _ = process.communicate()
            raise AssertionError(f"Neovim did not finish within {LIMIT_S} s; it said:\n{said.decode()}")
        fault = f"Neovim stopped with status {process.returncode}"
        if out.exists():
            answer = json.loads(out.read_text(encoding="utf-8"))
            fault = answer["fault"]
        if fault:
            try:
                os.killpg(process.pid, signal.SIGKILL)  # a server that does not end by itself
            except ProcessLookupError:
                pass
            raise AssertionError(f"in Neovim: {fault}\n{said.decode()}")
        return answer["results"]


class NeovimTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="charli-neovim-")
        folder = pathlib.Path(cls.scratch.name) / "mes scripts é (1)"  # addresses must be escaped
        (folder / "home").mkdir(parents=True)
        cls.folder = folder
        editor = Editor(folder)
        step = cls.step = {}

        # problems, and typing
        step["open"] = editor.open("faulty.charli", FAULTY)
        step["first"] = editor.add("diagnostics", codes="unknown-transformation")
        where = place(FAULTY, "translutex")
        step["mended"] = editor.add("edit", line=where["line"], **{"from": where["byte"] + 6},
                                    to=where["byte"] + 7, text="a")
        step["none"] = editor.add("diagnostics", codes="")
        where = place(FAULTY, "(2)", 0, 1)
        step["spoiled"] = editor.add("edit", line=where["line"], **{"from": where["byte"]},
                                     to=where["byte"] + 1, text="lenght")
        step["second"] = editor.add("diagnostics", codes="unknown-name")

        # completion
        step["completion"] = {}
        for number, (typed, _) in enumerate(COMPLETIONS.items()):
            text = PREFIX + typed.replace("|", "") + "\n"
            where = place(PREFIX + typed, "|")
            editor.open(f"c{number}.charli", text)
            step["completion"][typed] = editor.ask("completion", where)

        # hover and definition
        editor.write("parts.charli", PARTS)
        step["main"] = editor.open("main.charli", MAIN)
        step["hover word"] = editor.ask("hover", place(MAIN, "rotatez", 0, 3))
        step["hover variable"] = editor.ask("hover", place(MAIN, "length)"))
        step["hover attribute"] = editor.ask("hover", place(MAIN, "tip_y", 1))
        step["hover nothing"] = editor.ask("hover", place(MAIN, "(n)"))
        step["hover comment"] = editor.ask("hover", place(MAIN, "stays"))
        step["definition here"] = editor.ask("definition", place(MAIN, "tip_x", 1, 1))
        step["definition behind"] = editor.ask("definition", place(MAIN, "arm rotatez"))
        step["definition there"] = editor.ask("definition", place(MAIN, "wheel translatex", 0, 2))
        step["definition value"] = editor.ask("definition", place(MAIN, "size);"))

        # rename
        step["rename"] = editor.ask("rename", place(MAIN, "tip translatex"), apply=True, newName="end_point")
        step["renamed"] = editor.add("text", file=str(folder / "main.charli"))
        step["rename there"] = editor.ask("rename", place(MAIN.replace("tip_", "end_point_"), "wheel translatex", 0, 1),
                                          apply=True, newName="disc")
        step["renamed main"] = editor.add("text", file=str(folder / "main.charli"))
        step["renamed parts"] = editor.add("text", file=str(folder / "parts.charli"))
        step["rename reserved"] = editor.ask("rename", place(MAIN, "length"), newName="end")
        step["rename taken"] = editor.ask("rename", place(MAIN, "length"), newName="theta")

        # layout and colours
        editor.open("ugly.charli", UGLY)
        step["format"] = editor.add("format")
        editor.open("colours.charli", COLOURS)
        step["colours"] = editor.add("colours")

        begin = time.monotonic()
        cls.results = editor.run()
        cls.elapsed_s = time.monotonic() - begin

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def result(self, *names):
        step = self.step
        for name in names:
            step = step[name]
        return self.results[step]

    def answer(self, *names):
        answer = self.result(*names)
        self.assertEqual(answer.get("refusal"), None, f"{names}: the server refused")
        return answer.get("result")

    def test_scripts_have_their_filetype_and_server(self):
        opened = self.result("open")
        self.assertEqual(opened["filetype"], "charli")
        self.assertEqual(opened["sync"], 2, "changes are to be sent piece by piece")

    def test_an_error_is_shown_at_its_line_and_column(self):
        (problem,) = self.result("first")
        where = place(FAULTY, "translutex")
        self.assertEqual((problem["lnum"], problem["col"]), (where["line"], where["byte"]))
        self.assertEqual(problem["end_col"] - problem["col"], len("translutex"))
        self.assertEqual(problem["severity"], 1)
        self.assertIn("did you mean 'translatex'", problem["message"])

    def test_typing_removes_one_error_and_makes_another(self):
        self.assertIn("bob translatex(a); # é", self.result("mended"))
        self.assertEqual(self.result("none"), [])
        (problem,) = self.result("second")
        where = place(FAULTY, "(2)", 0, 1)
        self.assertEqual((problem["lnum"], problem["col"]), (where["line"], where["byte"]))
        self.assertIn("lenght", problem["message"])

    def test_completion_offers_what_may_stand_there(self):
        for typed, (wanted, unwanted) in COMPLETIONS.items():
            with self.subTest(typed):
                labels = {item["label"] for item in self.answer("completion", typed) or []}
                self.assertFalse(wanted - labels, f"missing; offered: {sorted(labels)}")
                self.assertFalse(unwanted & labels, "offered but useless here")

    def hover_of(self, name):
        hover = self.answer(name)
        self.assertTrue(hover, f"{name}: nothing shown")
        return hover["contents"]["value"], hover["range"]

    def test_hover_explains_a_built_in_word(self):
        text, area = self.hover_of("hover word")
        self.assertIn("Rotates about the z axis.", text)
        where = place(MAIN, "rotatez")
        line = MAIN.splitlines()[where["line"]]
        self.assertEqual(area["start"], {"line": where["line"],
                                         "character": units_before(line, where["byte"])})
        self.assertEqual(area["end"]["character"] - area["start"]["character"], len("rotatez"))

    def test_hover_shows_where_a_name_comes_from(self):
        self.assertIn("length = 2;", self.hover_of("hover variable")[0])
        self.assertIn("def tip label(); end;", self.hover_of("hover attribute")[0])

    def test_hover_is_silent_on_brackets_and_comments(self):
        self.assertFalse(self.answer("hover nothing"))
        self.assertFalse(self.answer("hover comment"))

    def expect_definition(self, name, file, text, needle, length, shift=0):
        found = self.answer(name)
        self.assertTrue(found, f"{name}: not found")
        self.assertEqual(unquote(found["uri"]), "file://" + str(self.folder / file))
        where = place(text, needle, 0, shift)
        line = text.splitlines()[where["line"]]
        character = units_before(line, where["byte"])
        self.assertEqual(found["range"], {"start": {"line": where["line"], "character": character},
                                          "end": {"line": where["line"], "character": character + length}})

    def test_definitions_are_found_in_the_same_file(self):
        self.expect_definition("definition here", "main.charli", MAIN, "def tip", 3, 4)
        self.expect_definition("definition behind", "main.charli", MAIN, "def arm", 3, 4)

    def test_definitions_are_found_in_an_included_file(self):
        self.expect_definition("definition there", "parts.charli", PARTS, "wheel mass", 5)
        self.expect_definition("definition value", "parts.charli", PARTS, "size;", 4)

    def test_rename_changes_every_place_and_nothing_else(self):
        self.answer("rename")
        wanted = (MAIN.replace("def tip", "def end_point").replace("; tip translatex", "; end_point translatex")
                  .replace("tip_", "end_point_"))
        self.assertEqual(self.result("renamed"), wanted)

    def test_rename_reaches_the_included_file(self):
        self.answer("rename there")
        self.assertEqual(self.result("renamed parts"), PARTS.replace("wheel mass", "disc mass"))
        self.assertIn("wheel2 = parts.disc translatex", self.result("renamed main"))

    def test_rename_refuses_what_cannot_be_or_is_another_name(self):
        self.assertIn("cannot be a name", self.result("rename reserved")["refusal"])
        self.assertIn("already means something", self.result("rename taken")["refusal"])

    def test_formatting_is_that_of_the_program(self):
        wanted = subprocess.run([SINEW, "format", "-"], input=UGLY.encode(), capture_output=True,
                                check=True, timeout=20).stdout.decode()
        self.assertNotEqual(wanted, UGLY)
        self.assertEqual(self.result("format"), wanted)

    def test_colours_agree_with_the_language(self):
        groups = {"Comment": "comment", "String": "string", "OpenString": "string", "Number": "number",
                  "Unit": "unit", "Easing": "easing", "Constant": "constant", "Keyword": "keyword",
                  "Declaration": "keyword", "Word": "identifier", "Definition": "identifier",
                  "Name": "identifier", "Operator": "punctuation", "Delimiter": "punctuation",
                  "Unknown": "unknown"}
        script = self.folder / "colours.charli"
        data = script.read_bytes()
        wanted = ["comment"] * len(data)
        tokens = subprocess.run([SINEW, "tokens", str(script)], capture_output=True, check=True,
                                text=True, timeout=20).stdout
        for offset, length, kind in (line.split() for line in tokens.splitlines()):
            wanted[int(offset):int(offset) + int(length)] = [kind] * int(length)
        at = 0
        for number, (line, names) in enumerate(zip(data.split(b"\n"), self.result("colours")), 1):
            for column, name in enumerate(names):
                if line[column:column + 1] not in (b" ", b"\t"):
                    found = groups.get(name.removeprefix("charli"), name)
                    self.assertEqual(found, wanted[at + column], f"{line.decode()} at {number}:{column + 1}")
            at += len(line) + 1

    def test_the_server_ends_with_the_editor(self):
        pid = self.result("open")["pid"]
        for _ in range(50):
            if not pathlib.Path(f"/proc/{pid}").exists():
                return
            time.sleep(0.1)
        self.fail(f"the server is still running as process {pid}")

    def test_it_is_quick(self):
        self.assertLess(self.elapsed_s, 30)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    SINEW = str(pathlib.Path(sys.argv.pop(1)).resolve())
    if not shutil.which("nvim"):
        sys.exit("neovim_test.py: there is no nvim; install the package neovim")
    unittest.main()
