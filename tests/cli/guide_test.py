#!/usr/bin/env python3
"""What README, guide and tutorials tell a reader to do works: scripts run, commands succeed, links have their places, options exist. Takes the program's path."""
import html
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import guide_scripts  # noqa: E402  (its folder is known only now)

SINEW = str(pathlib.Path(sys.argv.pop(1)).resolve())
GUIDE = [ROOT / "README.md", *sorted(path for path in (ROOT / "docs/guide").rglob("*.md") if path.name != "words.md")]
PAGES = [ROOT / name for name in subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()]
FARM = "farm.md"  # its commands and scripts are run by farm_test.py
# Scripts that continue another one, by their first line.
FRAGMENTS = ("var pull;", "def eye camera", "import shake;")
SHORT = {"run": ["--seconds", "2.1"], "render": ["--size", "32x18", "--samples", "1"]}


def scripts(page):
    return guide_scripts.scripts(page.read_text())


def commands(page):
    """The command lines that a page shows, without comments and prompts."""
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text(), re.S | re.M):
        for line in block.splitlines() if language in ("", "sh", "bash") else ():
            line = re.sub(r"^\$ ", "", re.sub(r"\s#.*", "", line)).strip()
            if re.match(r"(sinew|cc) ", line):
                yield shlex.split(line)


def run(*arguments, cwd=None):
    return subprocess.run([str(each) for each in arguments], capture_output=True, text=True, timeout=300, cwd=cwd)


def anchor(heading):
    """What GitHub and the site make of a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", html.unescape(heading)).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(page):
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
    return {anchor(heading) for heading in re.findall(r"^#+ (.*)$", text, re.M)} | set(re.findall(r'<a (?:id|name)="([^"]+)"', text))


class Guide(unittest.TestCase):
    def prepare(self, folder, page):
        """A folder as the page expects it: the examples, the files that the repository has, and the script of the page under the name it uses."""
        for script in (ROOT / "examples").glob("*.charli"):
            shutil.copy(script, folder)
        shutil.copytree(ROOT / "examples/meshes", folder / "meshes")
        for name in ("include", "examples", "tests"):
            (folder / name).symlink_to(ROOT / name)
        shutil.copy(ROOT / "examples/fig03_triple_pendulum.charli", folder / "pendulum.charli")
        if any(command[:2] == ["sinew", "view"] and command[2] == "pendulum.sinew" or command[:3] == ["sinew", "render", "pendulum.sinew"] for command in commands(page)):
            self.assertEqual(run(SINEW, "run", "-q", "pendulum.charli", "--seconds", "2", cwd=folder).returncode, 0)

    def try_command(self, command, folder, page):
        if command[0] == "cc":
            return self.assertEqual(run(*command, cwd=folder).returncode, 0, command)
        verb = command[1]
        if verb == "run" and scripts(page) and not (folder / command[2]).exists():  # the reader has saved what the page shows
            (folder / command[2]).write_text(scripts(page)[0 if page.name == "first-steps.md" else -1])
        if verb == "view":
            return self.try_view(command, folder)
        if verb == "render" and not shutil.which("ffmpeg") and not command[3].endswith(".png"):
            return None
        more = [*SHORT.get(verb, []), *(["--frames", "0..2"] if verb == "render" and not command[3].endswith(".png") else [])]
        done = run(SINEW, *command[1:], *more, cwd=folder)
        wanted = 1 if page.name == "README.md" and verb == "check" else 0
        self.assertEqual(done.returncode, wanted, f"{page.name}: {shlex.join(command)}\n{done.stderr}")
        if verb == "new" and scripts(page):
            (folder / command[2]).write_text(scripts(page)[-1])
        return None

    def try_view(self, command, folder):
        with subprocess.Popen([SINEW, *command[1:], *([] if "--no-open" in command else ["--no-open"])], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True) as viewer:
            try:
                self.assertRegex(viewer.stdout.readline(), "http://")
            finally:
                viewer.terminate()
                viewer.stdout.read()

    def test_commands_succeed(self):
        count = 0
        for page in GUIDE:
            if page.name == FARM or not list(commands(page)):
                continue
            with self.subTest(page.name), tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                self.prepare(folder, page)
                for command in commands(page):
                    self.try_command(command, folder, page)
                    count += 1
        self.assertGreater(count, 25)

    def test_scripts_run(self):
        count = 0
        for page in GUIDE:
            for script in scripts(page):
                if script.startswith(FRAGMENTS) or page.name == FARM:
                    continue
                with self.subTest(page=page.name, script=script), tempfile.TemporaryDirectory() as name:
                    shutil.copytree(ROOT / "examples/meshes", pathlib.Path(name) / "meshes")
                    path = pathlib.Path(name) / "guide.charli"
                    path.write_text(script)
                    for done in (run(SINEW, "check", "-q", path), run(SINEW, "run", "-q", path, "--seconds", "0.2", "-o", path.with_suffix(".sinew"))):
                        self.assertEqual(done.returncode, 0, f"{page.name}\n{script}\n{done.stderr}")
                        if page.parent.name == "tutorials" or page.name == "README.md":
                            self.assert_told(page, done.stderr)
                    count += 1
        self.assertGreater(count, 35)

    def assert_told(self, page, said):
        """Nothing but notes, of which the page quotes the end."""
        text = page.read_text()
        for line in re.findall(r"^\S+\.charli:\d+.*", said, re.M):
            self.assertIn(": note: ", line, page.name)
            self.assertTrue(any(line.endswith(quoted) for quoted in re.findall(r"`([^`\n]+)`", text)), f"{page.name}: {line}")

    def test_the_readme_shows_what_check_prints(self):
        shown = re.search(r"```\n\$ (sinew check \S+)\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
        self.assertEqual(run(SINEW, *shown[1].split()[1:], "-q", cwd=ROOT).stderr, shown[2])

    def test_options_that_are_named_exist(self):
        """Of every `sinew COMMAND --option` in running text and in blocks."""
        helps, count = {}, 0
        for page in GUIDE:
            for line in re.findall(r"`(sinew [^`\n]+)`", page.read_text()) + [shlex.join(command) for command in commands(page)]:
                verb = line.split()[1]
                if not re.fullmatch(r"[a-z]+", verb):
                    continue
                helps[verb] = helps.get(verb) or run(SINEW, verb, "--help").stdout
                self.assertTrue(helps[verb], f"{page.name}: there is no command in {line}")
                for option in re.findall(r"(?<![\w=])--[a-z-]+", line):
                    self.assertIn(option, helps[verb], f"{page.name}: {line}")
                    count += 1
        self.assertGreater(count, 20)

    def test_links_lead_to_places(self):
        """Files and headings, in Markdown and in HTML."""
        for page in PAGES:
            text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
            for target in re.findall(r"\]\(([^)\s]+)[^)]*\)", text) + re.findall(r'(?:src|href)="([^"]+)"', text):
                if "://" in target:
                    continue
                name, _, place = target.partition("#")
                path = page.parent / name if name else page
                self.assertTrue(path.exists(), f"{page.relative_to(ROOT)}: {target}")
                if place and path.suffix == ".md":
                    self.assertIn(place, anchors(path), f"{page.relative_to(ROOT)}: {target}")

    def test_tutorials_show_pictures(self):
        for page in sorted((ROOT / "docs/guide/tutorials").glob("*.md")):
            pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page.read_text())
            self.assertGreaterEqual(len(pictures), 3, page.name)
            for picture in pictures:
                self.assertLess((page.parent / picture).stat().st_size, 120_000, picture)


unittest.main(verbosity=1)
