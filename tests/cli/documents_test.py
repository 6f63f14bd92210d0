#!/usr/bin/env python3
"""The documents tell the truth: generated pages are fresh, examples are short and check clean, scripts can be read. guide_test.py runs what the guide shows.
Takes the program's path."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SINEW = sys.argv.pop(1)
PAGES = [ROOT / name for name in subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True,
                                                check=True).stdout.split()]
SHOTS = sorted((ROOT / "examples/shots").glob("*.charli"))
EXAMPLES = sorted(set((ROOT / "examples").rglob("*.charli")) - set(SHOTS))


def run(*arguments):
    return subprocess.run([SINEW, *map(str, arguments)], capture_output=True, text=True, timeout=60)


class Documents(unittest.TestCase):
    def test_the_reference_page_is_fresh(self):
        page = (ROOT / "docs/guide/words.md").read_text()
        self.assertEqual(page, run("help", "--reference").stdout, "call ./dev docs")

    def test_examples_are_short_and_clean(self):
        self.assertGreater(len(EXAMPLES), 8)
        for example in EXAMPLES:
            with self.subTest(example.name):
                self.assertLessEqual(len(example.read_text().splitlines()), 40)
                result = run("check", example)
                self.assertEqual(result.returncode, 0, result.stderr)
                warned = re.findall("warning: (.*)", result.stderr)
                if example.name in ("hairdo.charli", "long_hair.charli"):  # styles that hair this soft cannot keep
                    warned = [text for text in warned if "too soft for its weight" not in text]
                self.assertEqual(warned, [])

    def test_nothing_is_to_be_said_of_shots(self):
        """They may be longer, and earn neither warnings nor notes."""
        self.assertGreater(len(SHOTS), 15)
        for shot in SHOTS:
            with self.subTest(shot.name):
                result = run("check", "-q", shot)
                self.assertEqual((result.returncode, result.stdout + result.stderr), (0, ""))

    def test_both_triple_pendulums_have_three_freedoms(self):
        for name in ("fig03_triple_pendulum", "fig04_triple_pendulum_constraints"):
            self.assertIn("\n  3 = ", run("check", ROOT / "examples" / f"{name}.charli").stdout)

    def test_scripts_in_the_guide_parse(self):
        for page in PAGES:
            for script in re.findall(r"```charli\n(.*?)```", page.read_text(), re.S):
                with self.subTest(page.name), tempfile.NamedTemporaryFile("w", suffix=".charli") as file:
                    file.write(script)
                    file.flush()
                    result = run("format", file.name)
                    self.assertEqual(result.returncode, 0, f"{script}\n{result.stderr}")

    def test_every_script_of_words_runs(self):
        """Each is whole: it is checked and run as it stands, without a warning."""
        page = (ROOT / "docs/guide/words.md").read_text()
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / "examples/meshes", pathlib.Path(folder) / "files/meshes")
            path, recording = pathlib.Path(folder) / "files/word.charli", pathlib.Path(folder) / "word.sinew"
            scripts = dict.fromkeys(re.findall(r"```charli\n(.*?)```", page, re.S))
            self.assertGreater(len(scripts), 100)
            for script in scripts:
                with self.subTest(script=script):
                    path.write_text(script)
                    checked = run("check", "-q", path)
                    self.assertEqual(checked.returncode, 0, checked.stderr)
                    self.assertNotIn("warning", checked.stderr)
                    done = run("run", "-q", path, "--seconds", "0.1", "-o", recording)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertNotIn("warning", done.stderr)
                    recording.unlink()

    def test_every_script_of_words_has_its_picture(self):
        """A script, then its picture, drawn by ./dev gallery words; nothing lies in the folder that the page does not show."""
        page = (ROOT / "docs/guide/words.md").read_text()
        pictures = re.findall(r"```charli\n[^`]*```\n\n!\[[^\]]+\]\(pictures/words/(\w+\.webp)\)", page)
        self.assertEqual(len(pictures), page.count("```charli"), "call ./dev docs and ./dev gallery words")
        folder = ROOT / "docs/guide/pictures/words"
        self.assertEqual(set(pictures), {path.name for path in folder.iterdir()}, "call ./dev gallery words")
        self.assertLess(sum(path.stat().st_size for path in folder.iterdir()), 1_000_000)

    def test_every_word_has_help(self):
        for word in re.findall(r"^### (\w+)$", (ROOT / "docs/guide/words.md").read_text(), re.M):
            self.assertEqual(run("help", word).returncode, 0, word)

    def test_the_readme_says_what_it_is_then_shows_it_then_the_two_commands(self):
        lines = [line for line in (ROOT / "README.md").read_text().splitlines() if line]
        self.assertEqual(lines[0], "# Sinew")
        self.assertIn(".webp", lines[2])
        self.assertTrue(lines[4].startswith("./dev demo") and lines[5].startswith("./dev test"), lines[4:6])

    def test_the_pictures_of_the_readme_are_there_and_small(self):
        text = (ROOT / "README.md").read_text()
        pictures = re.findall(r'<img src="([^"]+)"', text)
        self.assertEqual(len(pictures), 4)
        for name in pictures:
            self.assertLess((ROOT / name).stat().st_size, 2_000_000, name)

    def test_the_table_of_the_readme_is_that_of_the_theory(self):
        """The measured figures stand in docs/theory/rigid.md; the README rounds them."""
        full = (ROOT / "docs/theory/rigid.md").read_text()
        names = {"tower": "tower", "pyramid": "pyramid", "brick wall": "wall", "house of cards": "cards", "masonry arch": "arch", "silo": "silo"}
        for row in re.findall(r"^\| ([a-z ]+) \| (.*) \|$", (ROOT / "README.md").read_text(), re.M):
            if row[0] not in names:
                continue
            for engine, cell in zip(("sinew", "bullet", "ode", "mujoco"), row[1].replace("*", "").split(" | ")):
                time, overlap, verdict = re.search(rf"^\| {names[row[0]]} \| {engine} \| ([\d.]+) \|[^|]*\|[^|]*\| ([\d.]+) \|.*\| ([^|]+) \|$", full,
                                                   re.M).groups()
                if said := re.match(r"([\d.]+) ms", cell):
                    self.assertAlmostEqual(float(said[1]) / float(time), 1, delta=0.04, msg=(row[0], engine))
                if deep := re.search(r"([\d.]+) mm", cell):
                    self.assertAlmostEqual(float(deep[1]) / float(overlap), 1, delta=0.05, msg=(row[0], engine))
                self.assertEqual("falls" in cell, "fell" in verdict, (row[0], engine))


unittest.main(verbosity=1)
