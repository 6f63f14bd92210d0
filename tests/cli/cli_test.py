#!/usr/bin/env python3
"""The program from outside: statuses, output, files. cli_test.py SINEW

Status 0: fine; 1: the input has problems; 2: the command line is wrong. Nothing but Python's
standard library is needed.
"""
import json
import os
import pathlib
import pty
import re
import select
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import unittest

SINEW = ""
LIMIT_S = 30
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")

SOUND = """\
param gust = 4 [0..20] "wind speed"; param reach = 5 cm;
dynamic theta; theta = initial(0, 0);
def bob mass(1 + gust); end;
def root label(); end;
root;
bob translatex(reach) rotatez(theta);
dist_constraint(root, bob, reach);
"""
UNSOUND = """\
def bob mass(1); end;
param a = 1 "é 𝄞"; bob translutex(a);
bob translatey(lenght);
"""
UGLY = "def   bob mass( 1 );end;   # é\n bob translatex( 1 ) ;\n"
NEAT = "def bob mass(1); end;  # é\nbob translatex(1);\n"


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="sinew-cli-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name) / "scripts é"
        self.folder.mkdir()

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    def run_sinew(self, *arguments, text="", env=None, cwd=None):
        done = subprocess.run([SINEW, *arguments], input=text.encode(), capture_output=True, timeout=LIMIT_S,
                              env={**os.environ, **(env or {})}, cwd=cwd or self.folder)
        done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
        return done

    def expect(self, status, *arguments, **more):
        done = self.run_sinew(*arguments, **more)
        self.assertEqual(done.returncode, status,
                         f"sinew {' '.join(arguments)}\n{done.stdout}{done.stderr}")
        return done

    def problems_of(self, *arguments, status=1):
        done = self.expect(status, "check", "--errors=json", *arguments)
        self.assertEqual(done.stderr, "")
        return json.loads(done.stdout)["problems"]


class CommandLine(Case):
    def test_wrong_command_lines_have_status_2(self):
        script = self.write("a.charli", SOUND)
        for arguments in ((), ("frob",), ("check",), ("check", "--frob", script), ("completions", "tcsh"),
                          ("check", "--errors=xml", script), ("check", "--colour=blue", script),
                          ("check", script, "-D"), ("check", script, "-D", "gust"), ("check", script, "-D", "=3"),
                          ("format",), ("format", "--frob", script), ("help", "mass", "line"), ("doctor", "me"),
                          ("lsp", "now")):
            with self.subTest(arguments):
                done = self.expect(2, *arguments)
                self.assertEqual(done.stdout, "")
                self.assertTrue(done.stderr.strip(), "no word about what is wrong")

    def test_help_and_version_have_status_0(self):
        for arguments in (("--help",), ("check", "--help"), ("format", "--help"), ("help",), ("--version",)):
            with self.subTest(arguments):
                self.assertTrue(self.expect(0, *arguments).stdout.strip())
        self.assertRegex(self.expect(0, "--version").stdout, r"^sinew \d+\.\d+\.\d+\n$")

    def test_doctor_runs(self):
        text = self.expect(0, "doctor").stdout
        self.assertRegex(text, r"^sinew \d+\.\d+\.\d+")
        for tool in ("cmake", "python", "neovim", "ffmpeg", "browser"):
            self.assertRegex(text, rf"(?m)^  [✓✗] {tool} ")

    def test_doctor_runs_where_nothing_is_installed(self):
        text = self.expect(0, "doctor", env={"PATH": str(self.folder)}).stdout
        self.assertIn("✗ cmake", text)
        self.assertIn("apt-get install", text)

    def test_doctor_finds_any_browser(self):
        browser = self.folder / "firefox"
        browser.write_text("#!/bin/sh\necho Mozilla Firefox 128.0\n")
        browser.chmod(0o755)
        self.assertRegex(self.expect(0, "doctor", env={"PATH": str(self.folder)}).stdout, "✓ browser .* Mozilla Firefox 128.0")


    def test_doctor_reports_as_json(self):
        report = json.loads(self.expect(0, "doctor", "--json").stdout)
        self.assertGreaterEqual(report["processors"], 1)
        self.assertIn("ffmpeg", report["tools"])

    def test_the_same_thing_has_the_same_option_everywhere(self):
        """Commands that print a summary can be silent and can print JSON; those that write a file take -o; those that simulate take the same settings."""
        wanted = {"-q,--quiet": "check run sweep join demo render export", "--json": "check run sweep plan join info render export examples doctor demo",
                  "-o,--out": "run sweep join render export", "--colour,--color": "check run sweep plan join info demo render export examples",
                  **dict.fromkeys(("--seconds", "--fps", "--step", "--threads", "--import", "-D"), "run sweep view render")}
        for option, commands in wanted.items():
            for command in commands.split():
                self.assertRegex(self.expect(0, command, "--help").stdout, rf"(?m)^  (\w+,)?{option}\b", command)

    def test_the_list_of_examples_is_json_too(self):
        listed = json.loads(self.expect(0, "demo", "--list", "--json").stdout)
        self.assertEqual(listed, json.loads(self.expect(0, "examples", "--json").stdout))
        self.expect(2, "demo", "--json")

    def test_a_mistyped_command_or_option_gets_a_proposal(self):
        script = self.write("a.charli", SOUND)
        self.assertIn("did you mean 'help'?", self.expect(2, "hlep").stderr)
        self.assertIn("did you mean '--seconds'?", self.expect(2, "run", script, "--secnds", "3").stderr)
        self.assertNotIn("did you mean", self.expect(2, "xyzzyxyzzy").stderr)
        for words, said in ((("run", script, "--zzzzzz"), "sinew run has no option '--zzzzzz'\n      hint: `sinew run --help` lists its options\n"),
                            (("info", script, "more"), "sinew info does not expect 'more'\n      hint: `sinew info --help` lists its options\n"),
                            (("run", script, "--seconds"), "--seconds needs a value\n      hint: `sinew run --help` lists its options\n")):
            self.assertEqual(self.expect(2, *words).stderr, said)

    def test_option_help_shows_no_types_of_its_checks(self):
        for command in ("check", "run", "view", "render", "export", "info", "format", "doctor", "demo", "examples", "new"):
            text = self.expect(0, command, "--help").stdout
            for internal in ("ENUM", " in {", "INT in [", "Excludes", "TEXT ..."):
                self.assertNotIn(internal, text, command)

    def test_completions_and_manual_name_every_command_and_option(self):
        commands = re.findall(r"(?m)^  sinew (\w+) ", self.expect(0, "help").stdout)
        self.assertGreater(len(commands), 12)
        for shell in ("bash", "zsh", "fish", "man"):
            text = self.expect(0, "completions", shell).stdout.replace("\\-", "-")
            for command in commands:
                self.assertIn(command, text, shell)
            self.assertIn("-l resume" if shell == "fish" else "--resume", text)
        text = self.expect(0, "completions", "bash").stdout
        self.assertEqual(subprocess.run(["bash", "-n"], input=text, text=True).returncode, 0)
        typed = text + "COMP_WORDS=(sinew run --res); COMP_CWORD=2; _sinew; echo ${COMPREPLY[*]}"
        done = subprocess.run(["bash"], input=typed, text=True, capture_output=True)
        self.assertEqual(done.stdout.strip(), "--resume")

    def test_examples_are_listed_by_system_and_searched(self):
        text = self.expect(0, "examples").stdout
        for line in ("linkages", "bodies", "strands", "rods", "several systems together"):
            self.assertRegex(text, rf"(?m)^{line}$")
        listed = json.loads(self.expect(0, "examples", "--json").stdout)
        self.assertGreater(len(listed), 50)
        for example in listed:
            self.assertTrue(example["description"], example["name"])
        self.assertIn("card_house", self.expect(0, "examples", "cards").stdout)
        self.assertIn("sinew examples", self.expect(1, "examples", "xyzzy").stderr)

    def test_new_scripts_check_clean_and_nothing_is_overwritten(self):
        self.assertIn("sinew view swing.charli", self.expect(0, "new", "swing").stdout)
        self.assertEqual(self.expect(0, "check", "-q", "swing.charli").stderr, "")
        before = (self.folder / "swing.charli").read_text()
        self.assertIn("choose another name", self.expect(1, "new", "swing.charli").stderr)
        self.assertEqual((self.folder / "swing.charli").read_text(), before)
        self.expect(0, "new", "cards.charli", "--from", "card_house")
        self.expect(0, "check", "-q", "cards.charli")
        self.assertIn("did you mean 'card_house'?", self.expect(2, "new", "x", "--from", "card_huose").stderr)
        self.assertIn("hint", self.expect(1, "new", "no/such/folder/x").stderr)


class Help(Case):
    def test_other_programs_words_lead_to_ours(self):
        for term, word in (("hair", "strand"), ("hairs", "strand"), ("ropes", "rod"),
                           ("spring", "spring_and_damper"), ("collider", "obstacle"), ("weld", "fixed_joint"),
                           ("bounce", "material"), ("Friction", "material")):
            with self.subTest(term):
                self.assertRegex(self.expect(0, "help", term).stdout, rf"(?m)^  {word} ")

    def test_overview_has_every_group_and_help_explains_commands(self):
        text = self.expect(0, "help").stdout
        for group in ("bodies", "joints", "'strands and rods'", "functions", "shapes"):
            self.assertIn(group, text)
            self.assertTrue(self.expect(0, "help", group.strip("'")).stdout)
        self.assertIn("--resume", self.expect(0, "help", "run").stdout)

    def test_a_word_is_explained(self):
        for word in ("dist_constraint", "initial", "slowin", "cm", "var", "functions"):
            with self.subTest(word):
                self.assertTrue(self.expect(0, "help", word).stdout.strip())
        self.assertIn("dist_constraint(a, b, distance, [until]", self.expect(0, "help", "dist_constraint").stdout)

    def test_a_misspelt_word_gets_a_proposal(self):
        done = self.expect(1, "help", "translutex")
        self.assertEqual(done.stdout, "")
        self.assertIn("did you mean 'translatex'?", done.stderr)

    def test_a_word_like_no_other_gets_none(self):
        done = self.expect(1, "help", "qqqqqqqqqq")
        self.assertNotIn("did you mean", done.stderr)
        self.assertIn("`sinew help`", done.stderr)

    def test_every_example_of_the_reference_is_on_the_page_of_its_word(self):
        page = self.expect(0, "help", "--reference").stdout
        words = re.findall(r"(?m)^### (\w+)$", page)
        self.assertGreater(len(words), 40)
        for word in set(words):
            self.assertTrue(self.expect(0, "help", word).stdout.startswith(word + "("), word)


class Check(Case):
    def test_several_scripts_and_standard_input(self):
        good, bad = self.write("a.charli", SOUND), self.write("b.charli", UNSOUND)
        self.assertEqual(self.expect(1, "check", good, bad).stdout.count("freedom"), 1)
        self.assertEqual(len(json.loads(self.expect(1, "check", "--json", good, bad).stdout)), 2)
        self.assertIn("freedom", self.expect(0, "check", "-", text=SOUND).stdout)
        self.assertIn("standard input:2:", self.expect(1, "check", "-", text=UNSOUND).stderr)
        self.assertEqual(self.expect(0, "check", "-q", good).stdout, "")

    def test_what_a_run_refuses_at_the_start_is_told(self):
        script = self.write("off.charli", """\
def crate body(density = 500); box(0.2, 0.2, 0.2); end;
c = crate translatey(-1);
def rope rod(line(0,0,0, 1,0,0), spans = 8); end;
r = rope;
fusion(r at 1 along, c);
""")
        refused = self.expect(1, "run", script).stderr
        self.assertIn("at the start", refused)
        self.assertEqual(self.expect(1, "check", script).stderr, refused)

    def test_equal_warnings_are_folded(self):
        script = self.write("many.charli", """\
def box_ body(density = 500); box(0.2, 0.2, 0.2); end;
for i in 0..5 b[i] = box_ translatex(i); c[i] = box_ translate(i, 0.1, 0); end;
""")
        text = self.expect(0, "check", script).stderr
        self.assertIn("and 5 more like it", text)
        self.assertEqual(text.count("warning:"), 1)

    def test_a_sound_script_is_read(self):
        script = self.write("sound.charli", SOUND)
        done = self.expect(0, "check", script)
        self.assertEqual(done.stderr, "")
        for line in ("gust = 4 [0..20]  wind speed", "bob  5 kg  translatex(reach) rotatez(theta)",
                     "theta  starts at 0, rate 0", "dist_constraint(root, bob, reach)"):
            self.assertIn(line, done.stdout)
        self.assertIn(f"{script}: 2 objects, 1 mass, 1 coordinate, 1 constraint, 0 forces", done.stdout)

    def test_an_unsound_script_has_every_problem_with_its_place(self):
        script = self.write("unsound.charli", UNSOUND)
        done = self.expect(1, "check", script)
        self.assertEqual(done.stdout, "")
        self.assertIn(f"{script}:2:24: unknown transformation 'translutex'; did you mean 'translatex'?\n"
                      '    2 | param a = 1 "é 𝄞"; bob translutex(a);\n'
                      "      |                        ^~~~~~~~~~\n", done.stderr)
        self.assertIn(f"{script}:3:16: unknown name 'lenght'", done.stderr)
        self.assertTrue(done.stderr.endswith(f"{script}: 2 errors\n"))

    def test_json_has_the_same_problems(self):
        script = self.write("unsound.charli", UNSOUND)
        first, second = self.problems_of(script)
        self.assertEqual((first["file"], first["line"], first["column"], first["length"]), (script, 2, 24, 10))
        self.assertEqual((first["severity"], first["code"]), ("error", "unknown-transformation"))
        self.assertEqual(first["message"], "unknown transformation 'translutex'")
        self.assertEqual(first["hint"], "did you mean 'translatex'?")
        self.assertEqual((second["line"], second["column"], second["length"]), (3, 16, 6))

    def test_json_of_a_sound_script_has_its_reading(self):
        done = self.expect(0, "check", "--errors=json", self.write("sound.charli", SOUND))
        answer = json.loads(done.stdout)
        self.assertEqual(answer["problems"], [])
        self.assertEqual({k: answer["reading"][k] for k in ("objects", "masses", "coordinates", "constraints")},
                         {"objects": 2, "masses": 1, "coordinates": 1, "constraints": 1})

    def test_json_names_related_places(self):
        (problem,) = self.problems_of(self.write("twice.charli", "var a; a = 1;\nvar a;\ndef b mass(a); end; b;\n"))
        self.assertEqual((problem["line"], problem["code"]), (2, "declared-twice"))
        self.assertEqual((problem["related"][0]["line"], problem["related"][0]["column"]), (1, 5))

    def test_warnings_leave_the_status_0(self):
        script = self.write("warned.charli", "var unused; unused = 1;\ndef bob mass(1); end; bob;\n")
        self.assertIn("unused", self.expect(0, "check", script).stderr)
        (problem,) = self.problems_of(script, status=0)
        self.assertEqual(problem["severity"], "warning")

    def test_bytes_that_are_no_text_still_give_json(self):
        script = self.write("bytes.charli", b'var a; a = "\xff\xfe";\n\x00 \xc3( bob\xe2\x82 ;\n')
        self.assertTrue(self.problems_of(script))

    def test_problems_of_an_included_file_name_it(self):
        self.write("parts/wheel.charli", "def wheel mas(1); end;\n")
        script = self.write("main.charli", 'include "parts/wheel.charli";\nwheel;\n')
        problem = self.problems_of(script)[0]
        self.assertEqual(problem["file"], str(self.folder / "parts/wheel.charli"))
        self.assertEqual((problem["line"], problem["column"]), (1, 11))
        done = self.expect(1, "check", "main.charli")
        self.assertIn("parts/wheel.charli:1:11: ", done.stderr)


class Parameters(Case):
    def setUp(self):
        super().setUp()
        self.script = self.write("sound.charli", SOUND)

    def test_a_param_takes_another_value(self):
        self.assertIn("gust = 7 [0..20]", self.expect(0, "check", self.script, "-D", "gust=7").stdout)
        self.assertIn("gust = 7 [0..20]", self.expect(0, "check", "-Dgust=7", self.script).stdout)
        self.assertIn("gust = 0.5 [0..20]", self.expect(0, "check", "-D", "gust=.5", self.script).stdout)

    def test_the_value_may_have_a_unit(self):
        for value, shown in (("30cm", "0.3"), ("30 cm", "0.3"), ("2 mm", "0.002"), ("1e-1", "0.1")):
            done = self.expect(0, "check", self.script, "-D", f"reach={value}")
            self.assertIn(f"reach = {shown}", done.stdout)

    def test_several_params_and_the_last_of_several_values(self):
        text = self.expect(0, "check", self.script, "-D", "gust=1", "-D", "reach=2", "-D", "gust=3").stdout
        self.assertIn("gust = 3 ", text)
        self.assertIn("reach = 2", text)

    def test_an_unknown_param_is_an_error_with_a_proposal(self):
        done = self.expect(1, "check", self.script, "-D", "gus=3")
        self.assertIn("-D gus=3: the script has no param 'gus'; did you mean 'gust'?", done.stderr)

    def test_a_value_outside_the_range_is_an_error(self):
        for value in ("25", "-1"):
            done = self.expect(1, "check", self.script, "-D", f"gust={value}")
            self.assertIn(f"'gust' is {value}, outside its range 0 to 20", done.stderr)

    def test_what_is_no_number_is_an_error(self):
        for value in ("abc", "", "1/2", "nan", "inf", "1e999", "3 apples", "5 cm cm", "0x10", "1,5"):
            with self.subTest(value):
                (problem,) = self.problems_of(self.script, "-D", f"gust={value}")
                self.assertIn("is not a number", problem["message"])
                self.assertEqual(problem["file"], f"-D gust={value}")


class Files(Case):
    def test_a_missing_file(self):
        self.assertIn("no.charli: there is no such file", self.expect(1, "check", "no.charli").stderr)
        self.assertIn("no.charli: ", self.expect(1, "format", "no.charli").stderr)
        (problem,) = self.problems_of("no.charli")
        self.assertEqual((problem["file"], problem["code"], problem["line"]), ("no.charli", "file-missing", 0))

    def test_a_folder_instead_of_a_file(self):
        for command in ("check", "format"):
            self.assertIn("cannot be read", self.expect(1, command, str(self.folder)).stderr)

    def test_what_is_no_regular_file_is_not_waited_for(self):
        os.mkfifo(self.folder / "pipe.charli")
        for name in ("pipe.charli", "/dev/zero"):
            for command in ("check", "format"):
                self.expect(1, command, name)

    def test_an_unreadable_file(self):
        script = self.write("secret.charli", SOUND)
        os.chmod(script, 0)
        user = {}
        program = SINEW
        if os.geteuid() == 0:  # root reads everything: be somebody else
            program = shutil.copy(SINEW, self.folder / "sinew")
            os.chmod(self.folder.parent, 0o755)
            user = {"user": 65534, "group": 65534, "extra_groups": []}
        for command in ("check", "format"):
            done = subprocess.run([program, command, script], capture_output=True, text=True, timeout=LIMIT_S, **user)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("cannot be read", done.stderr)
            self.assertEqual(done.stdout, "")

    def test_a_script_cannot_include_what_lies_outside_its_folder(self):
        secret = self.write("secret.charli", "var password;\n")
        self.write("inside/own.charli", "def wheel mass(1); end;\n")
        self.write("inside/deeper/own.charli", 'include "../own.charli";\n')
        (self.folder / "inside/link.charli").symlink_to(secret)
        (self.folder / "inside/up").symlink_to(self.folder)
        (self.folder / "inside/good_link.charli").symlink_to("own.charli")
        for name in ("../secret.charli", "deeper/../../secret.charli", secret, "link.charli", "up/secret.charli",
                     "../inside/../secret.charli", "/etc/passwd", "..", "/", "./../secret.charli"):
            with self.subTest(name):
                script = self.write("inside/main.charli", f'include "{name}";\n')
                (problem,) = self.problems_of(script)
                self.assertEqual((problem["code"], problem["line"], problem["column"]), ("file-outside", 1, 9))
                self.assertNotIn("password", json.dumps(problem))
        for name in ("own.charli", "deeper/own.charli", "good_link.charli", "./own.charli", "deeper/../own.charli"):
            with self.subTest(name):
                script = self.write("inside/main.charli", f'include "{name}";\nwheel;\n')
                self.expect(0, "check", script)
                self.expect(0, "check", "main.charli", cwd=self.folder / "inside")

    def test_a_file_that_includes_itself_is_an_error(self):
        script = self.write("a.charli", 'include "b.charli";\n')
        self.write("b.charli", 'include "a.charli";\n')
        self.assertEqual(self.problems_of(script)[0]["code"], "include-cycle")


class Format(Case):
    def test_to_standard_output(self):
        script = self.write("ugly.charli", UGLY)
        self.assertEqual(self.expect(0, "format", script).stdout, NEAT)
        self.assertEqual(pathlib.Path(script).read_text(), UGLY)

    def test_from_standard_input(self):
        self.assertEqual(self.expect(0, "format", "-", text=UGLY).stdout, NEAT)
        self.assertEqual(self.expect(0, "format", "--write", "-", text=UGLY).stdout, NEAT)
        self.assertEqual(self.expect(0, "format", "-", text="").stdout, "")

    def test_write_changes_the_file_and_keeps_its_mode(self):
        script = pathlib.Path(self.write("ugly.charli", UGLY))
        script.chmod(0o640)
        self.assertEqual(self.expect(0, "format", "--write", str(script)).stdout, "")
        self.assertEqual(script.read_text(), NEAT)
        self.assertEqual(stat.S_IMODE(script.stat().st_mode), 0o640)
        self.assertEqual([p.name for p in self.folder.iterdir()], ["ugly.charli"])

    def test_write_leaves_a_neat_file_untouched(self):
        script = pathlib.Path(self.write("neat.charli", NEAT))
        os.utime(script, (1000, 1000))
        self.expect(0, "format", "-w", str(script))
        self.assertEqual(script.stat().st_mtime, 1000)

    def test_write_takes_several_files_and_a_fault_in_one_spoils_no_other(self):
        scripts = [self.write(f"{name}.charli", text) for name, text in
                   (("a", UGLY), ("b", "def ( ;"), ("c", UGLY))]
        self.expect(1, "format", "-w", *scripts)
        self.assertEqual([pathlib.Path(s).read_text() for s in scripts], [NEAT, "def ( ;", NEAT])

    def test_check_only_says_which(self):
        ugly, neat = self.write("ugly.charli", UGLY), self.write("neat.charli", NEAT)
        done = self.expect(1, "format", "--check", ugly, neat)
        self.assertIn(ugly, done.stdout)
        self.assertNotIn(neat, done.stdout)
        self.expect(0, "format", "--check", neat)
        self.assertEqual(pathlib.Path(ugly).read_text(), UGLY)
        self.expect(1, "format", "--check", "-", text=UGLY)

    def test_a_script_that_does_not_parse_is_left_alone(self):
        script = self.write("faulty.charli", "def bob mass(1;\n")
        done = self.expect(1, "format", "--write", script)
        self.assertIn(f"{script}:1:", done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(pathlib.Path(script).read_text(), "def bob mass(1;\n")
        self.assertEqual(self.expect(1, "format", "-", text="def bob mass(1;\n").stdout, "")

    def test_twice_is_once(self):
        for text in (UGLY, SOUND, UNSOUND, "# only a comment", "\n\n\n", "\ufeffvar a;\r\na = 1;\r\n"):
            once = self.expect(0, "format", "-", text=text).stdout
            self.assertEqual(self.expect(0, "format", "-", text=once).stdout, once)


class Colours(Case):
    def run_on_terminal(self, *arguments, env=None):
        """Output and errors of the program when both are a terminal."""
        master, slave = pty.openpty()
        variables = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
        process = subprocess.Popen([SINEW, *arguments], stdin=slave, stdout=slave, stderr=slave,
                                   env={**variables, "TERM": "xterm", **(env or {})}, cwd=self.folder)
        os.close(slave)
        data, end = b"", time.monotonic() + LIMIT_S
        while time.monotonic() < end:
            if not select.select([master], [], [], 0.2)[0]:
                if process.poll() is not None:
                    break
                continue
            try:
                more = os.read(master, 65536)
            except OSError:  # the other side is closed
                break
            if not more:
                break
            data += more
        os.close(master)
        process.kill()
        process.wait()
        return data.decode().replace("\r\n", "\n")

    def test_colours_only_on_a_terminal(self):
        for name, text, status in (("sound.charli", SOUND, 0), ("unsound.charli", UNSOUND, 1)):
            script = self.write(name, text)
            done = self.expect(status, "check", script)
            self.assertNotRegex(done.stdout + done.stderr, ESCAPE)
            shown = self.run_on_terminal("check", script)
            self.assertRegex(shown, ESCAPE)
            self.assertEqual(ESCAPE.sub("", shown), done.stderr + done.stdout)

    def test_no_color_is_respected(self):
        script = self.write("unsound.charli", UNSOUND)
        self.assertNotRegex(self.run_on_terminal("check", script, env={"NO_COLOR": "1"}), ESCAPE)
        self.assertNotRegex(self.run_on_terminal("format", self.write("f.charli", "def ("), env={"NO_COLOR": "1"}),
                            ESCAPE)
        # By convention it counts when present and not empty.
        self.assertRegex(self.run_on_terminal("check", script, env={"NO_COLOR": ""}), ESCAPE)

    def test_the_option_wins(self):
        script = self.write("unsound.charli", UNSOUND)
        self.assertRegex(self.expect(1, "check", "--colour=always", script).stderr, ESCAPE)
        self.assertRegex(self.expect(1, "check", "--color", "always", script, env={"NO_COLOR": "1"}).stderr, ESCAPE)
        self.assertNotRegex(self.run_on_terminal("check", "--colour=never", script), ESCAPE)

    def test_json_and_formatted_scripts_are_never_coloured(self):
        self.assertNotRegex(self.run_on_terminal("check", "--errors=json", self.write("u.charli", UNSOUND)), ESCAPE)
        self.assertNotRegex(self.run_on_terminal("format", self.write("ugly.charli", UGLY)), ESCAPE)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    SINEW = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
