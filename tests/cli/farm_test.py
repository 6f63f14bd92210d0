#!/usr/bin/env python3
"""`sinew sweep`, `plan`, `run --part`, `join` and `run --mpi` from outside: farm_test.py SINEW

What ends is whole, what is killed goes on, parts joined are the whole bit for bit, bad input is refused in words. Nothing but
Python's standard library is needed; mpirun is used where there is one.
"""
import csv
import json
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

SINEW = ""
LIMIT_S = 120

SWING = """\
param length = 1 [0.1..10] "of the rod";
param start = 30;
dynamic theta;
theta = initial(-start * 1 deg, 0);
def bob mass(2); end;
def pivot label(); end;
pivot;
bob translatex(length) rotatez(theta);
simulate(0 sec, 0.5 sec);
"""
GRASS = """\
def tuft(bend)
  blade = strand(spline(0,0,0, 0,0.2,0, bend,0.5,0, bend,0.9,0.1), segments = 8);
  leaf = branch(spline(0,0,0, 0.1,0.1,0, 0.2,0.1,0.1, 0.3,0.1,0), from = blade at 0.6 along, segments = 4);
  radius(2 mm); density(300); young(1e7); damping(0.05); air_drag(0.01, 0.1);
end;
for i in 1..23
  t[i] = tuft(0.02 * i) translatex(i);
end;
wind(3, 0, 1) on t[1];
wind(0, 0, 2) on t[22];
simulate(0 sec, 0.5 sec, step = 1 / 96);
"""
# Curly hair in clumps on a square, and some that is given by its curves; a strand of its own with a point on it.
FUR = """\
param hairs = 40;
def fur
  groom("skin.obj", count = hairs, segments = 6, length = 12 cm, vary = 0.4, droop = 0.5, curl = 2, curl_radius = 3 mm, clumps = 5,
      clumping = 0.6);
  groom("curves.obj", segments = 5);
  radius(1 mm); density(1300); young(1e8); damping(0.02); air_drag(2e-3, 1e-2);
end;
def pole
  mast = strand(line(0,0,0, 0,0.5,0), segments = 4); radius(5 mm); density(300); young(1e8);
end;
def flag label(); end;
left = fur; right = fur translatex(0.5); pole translatex(-1);
flag on pole.mast at 1 along;
wind(3, 0, 1) on left;
simulate(0 sec, 0.25 sec, step = 1 / 96);
"""
SKIN = "v 0 0 0\nv 0.2 0 0\nv 0.2 0 0.2\nv 0 0.05 0.2\nf 1 3 2\nf 1 4 3\n"
CURVES = "v 0 0 0.3\nv 0 0.1 0.3\nv 0.02 0.2 0.3\nv 0.1 0 0.3\nv 0.1 0.1 0.3\nl 1 2 3\nl 4 5\n"
# A ball that hairs may touch: they cannot be cut.
HEAD = """\
def head obstacle(); sphere(0.1); end;
head;
def hair h = strand(line(0,0.2,0, 0,0.4,0), segments = 4); radius(1 mm); density(1000); young(1e7); end;
hair;
simulate(0 sec, 0.1 sec);
"""

# Six pairs of ropes that are tied together, hang from hooks and lie down on the ground, one hook moved by a track; two tufts.
ROPES = """\
def ground obstacle(); plane(0, 1, 0, 0); end;
def hook label(); end;
def rope rod(line(0, 0, 0, 0.8, 0, 0.1), spans = 8, radius = 0.01, density = 500, young = 1e6, drag_across = 0.1); end;
def tuft
  blade = strand(spline(0,0,0, 0,0.2,0, 0.1,0.5,0, 0.1,0.9,0.1), segments = 8);
  radius(2 mm); density(300); young(1e7); damping(0.05); contact(0);
end;
ground;
for i in 1..6
  a[i] = rope translate(0, 0.3, i);
  b[i] = rope translate(0.8, 0.3, i + 0.1);
  fusion(a[i] at 1 along, b[i] at 0 along, tangent = free);
  h[i] = hook translate({0 at 0 sec hold 0.2 at 1 sec}, 0.3, i);
  position_constraint(a[i] at 0 along, h[i]);
end;
for i in 1..2 t[i] = tuft translatex(-i); end;
simulate(0 sec, 0.5 sec, step = 1 / 240);
"""
# What every part computes beside its own: a double pendulum and crates; a rope that is tied to one of them.
BESIDE = """\
dynamic p, q;
p = initial(1, 0);
q = initial(0.5, 0);
def bob mass(1); end;
def lower tip = bob translatey(-1); end;
def upper elbow = bob translatey(-1); lower rotatez(q) translatey(-1); end;
upper rotatez(p);
def crate body(density = 100); box(0.2, 0.2, 0.2); end;
for i in 1..3 crate translate(5, 0.3 * i, 0.01 * i); end;
tied = crate translate(8, 1, 0);
leash = rope translate(8, 1, 0);
position_constraint(leash at 0 along, tied);
rods(contact = none);
"""


class Farm(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="sinew-farm-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        for name, text in (("swing", SWING), ("grass", GRASS), ("head", HEAD)):
            (self.folder / f"{name}.charli").write_text(text)

    def sinew(self, *words, status=0, environment=None):
        done = subprocess.run([SINEW, *words], cwd=self.folder, capture_output=True, text=True, timeout=LIMIT_S,
                              env={**os.environ, **(environment or {})})
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def table(self, folder):
        with open(self.folder / folder / "results.csv", newline="") as file:
            return list(csv.DictReader(file))

    def blocks(self, name):
        connection = sqlite3.connect(f"file:{self.folder / name}?mode=ro", uri=True)
        try:
            return connection.execute("SELECT number, time, block FROM frames ORDER BY number").fetchall()
        finally:
            connection.close()

    # ------------------------------------------------------------------ sweeps

    def test_grid_gives_the_runs_that_each_would_be_alone(self):
        self.sinew("sweep", "swing.charli", "-D", "length=0.5..2:log:3", "-D", "start=10,40", "-o", "s", "--jobs", "2", "--probe", "bob",
                   "--probe", "bob.y:min", "--parquet")
        rows = self.table("s")
        self.assertEqual([(r["length"], r["start"]) for r in rows],
                         [("0.5", "10"), ("0.5", "40"), ("1", "10"), ("1", "40"), ("2", "10"), ("2", "40")])
        self.assertEqual({r["status"] for r in rows}, {"complete"})
        for row in rows:
            self.sinew("run", "swing.charli", "-D", f"length={float(row['length']):g}", "-D", f"start={row['start']}", "-o", "alone.sinew")
            alone = json.loads(self.sinew("info", "--json", "alone.sinew"))
            self.assertEqual(alone["state_hash"], row["state_hash"])
            self.assertLessEqual(float(row["bob.y:min"]), float(row["bob.y"]))
        with sqlite3.connect(self.folder / "s/results.db") as database:
            self.assertEqual(database.execute("SELECT count(*), sum(frames), typeof(length) FROM runs").fetchone(), (6, 6 * 13, "real"))
        self.assertEqual((self.folder / "s/results.parquet").read_bytes()[:4], b"PAR1")
        self.assertEqual(sorted(p.name for p in (self.folder / "s/runs").glob("*.sinew")), [f"{i:05}.sinew" for i in range(6)])

    def test_list_and_random_samples(self):
        (self.folder / "list.csv").write_text('\ufefflength,start\r\n1,10\n"2",20\n', encoding="utf-8")  # as spreadsheets write it
        self.sinew("sweep", "swing.charli", "--list", "list.csv", "-o", "l")
        self.assertEqual([(r["length"], r["start"]) for r in self.table("l")], [("1", "10"), ("2", "20")])
        for folder in ("r1", "r2"):
            self.sinew("sweep", "swing.charli", "-D", "length=0.5..2", "-D", "start=1..90", "--random", "4", "--seed", "7", "-o", folder)
        first, second = self.table("r1"), self.table("r2")
        self.assertEqual([r["state_hash"] for r in first], [r["state_hash"] for r in second])
        self.assertEqual(len({r["length"] for r in first}), 4)
        self.assertTrue(all(0.5 <= float(r["length"]) <= 2 for r in first))

    def test_killed_sweep_goes_on_and_ends_each_run_once(self):
        words = ["sweep", "swing.charli", "-D", "length=0.5..2:8", "--fps", "2000", "--seconds", "2", "-o", "k", "--jobs", "2"]
        running = subprocess.Popen([SINEW, *words], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        time.sleep(0.3)
        running.send_signal(signal.SIGTERM)
        running.communicate(timeout=LIMIT_S)
        self.assertIn(running.returncode, (0, 3))
        for whole in (self.folder / "k/runs").glob("?????.sinew"):
            self.assertEqual(json.loads(self.sinew("info", "--json", str(whole)))["status"], "complete")
        self.sinew(*words)
        rows = self.table("k")
        self.assertEqual([r["status"] for r in rows], ["complete"] * 8)
        self.sinew("run", "swing.charli", "-D", "length=2", "--fps", "2000", "--seconds", "2", "-o", "alone.sinew")
        self.assertEqual(json.loads(self.sinew("info", "--json", "alone.sinew"))["state_hash"], rows[7]["state_hash"])
        before = {p.name: p.stat().st_mtime_ns for p in (self.folder / "k/runs").glob("*.sinew")}
        self.sinew(*words)  # nothing is left to do
        self.assertEqual(before, {p.name: p.stat().st_mtime_ns for p in (self.folder / "k/runs").glob("*.sinew")})

    def test_commands_for_any_farm(self):
        self.sinew("sweep", "swing.charli", "-D", "length=1,2", "-o", "it's f", "--on", "files")
        for line in (self.folder / "it's f/commands.txt").read_text().splitlines():
            subprocess.run(line, shell=True, check=True, cwd=self.folder, timeout=LIMIT_S, capture_output=True)
        self.sinew("sweep", "it's f", "--gather")
        self.assertEqual([r["status"] for r in self.table("it's f")], ["complete", "complete"])

    def test_run_that_the_script_refuses_has_a_line_and_the_others_end(self):
        (self.folder / "gate.charli").write_text(SWING.replace("mass(2)", "mass(length - 1)"))
        self.sinew("sweep", "gate.charli", "-D", "length=2,1,3", "-o", "g")
        self.assertEqual([r["status"] for r in self.table("g")], ["complete", "refused", "complete"])
        self.assertIn("mass", self.table("g")[1]["message"])  # why

    def test_numbers_of_the_script_are_columns(self):
        probes = 'probe("tilt", theta); probe("two", 3, theta); probe("run", length);\nsimulate('
        (self.folder / "told.charli").write_text(SWING.replace("simulate(", probes))
        self.sinew("sweep", "told.charli", "-D", "length=1,2", "-o", "t", "--probe", "tilt:max", "--probe", "two.y:min", "--probe", "bob.x")
        row = self.table("t")[1]
        self.sinew("run", "told.charli", "-D", "length=2", "-o", "alone.sinew", "--table", "alone.csv")
        with open(self.folder / "alone.csv", newline="") as file:
            tilts = [float(line["x"]) for line in csv.DictReader(file) if line["name"] == "tilt"]
        self.assertAlmostEqual(float(row["tilt"]), tilts[-1], delta=1e-5)
        self.assertAlmostEqual(float(row["tilt:max"]), max(tilts), delta=1e-5)
        self.assertAlmostEqual(float(row["two.y:min"]), min(tilts), delta=1e-5)
        self.assertEqual((row["run"], row["run:end"], row["two.x"]), ("1", "2", "3"))
        self.assertNotIn("two.z", row)
        for wrong in ("two.z", "tilt.y", "tall"):
            self.assertIn("no object and no `probe`", self.sinew("sweep", "told.charli", "-D", "length=1", "--probe", wrong, "-o", "b", status=1))

    def test_run_that_goes_on_each_time_is_not_given_up(self):
        (self.folder / "gust.charli").write_text("param gust = 3;\n" + GRASS.replace("wind(3, 0, 1)", "wind(gust, 0, 1)"))
        words = ["sweep", "gust.charli", "-D", "gust=2", "--step", "2e-5", "--seconds", "2.4", "--fps", "240"]
        done = subprocess.run(["sh", "-c", 'ulimit -t 1; exec "$@"', "sh", SINEW, *words, "-o", "limit", "--retries", "1"], cwd=self.folder,
                              capture_output=True, text=True, timeout=LIMIT_S)  # killed after each second of processor time
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertGreater(float(self.table("limit")[0]["stepping_s"]), 1.2)  # it was killed, and more than once
        self.sinew(*words, "-o", "free")
        self.assertEqual(self.table("free")[0]["state_hash"], self.table("limit")[0]["state_hash"])

    def test_contact_sheet(self):
        self.sinew("sweep", "swing.charli", "-D", "length=1,2,3", "-o", "c", "--sheet", "sheet.png", "--tile", "64x48")
        data = (self.folder / "sheet.png").read_bytes()
        self.assertEqual((int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")), (128, 96))

    def test_bad_ranges_are_refused_before_anything_is_made(self):
        for text, words in (("length=1..", "is not a range"), ("length=2..1:3", "its first end is not below its last"),
                            ("length=0..1:log:3", "needs positive ends"), ("length=0.5..2", "does not say how many values"),
                            ("length=1..2:0", "is not a number of values"), ("length=1..2:x", "is not a number of values"),
                            ("length=nan..2:3", "is not a range"), ("length=1..2:3:4", "'4' is too much"), ("length=", "is empty"),
                            ("length=2..2:3", "one value: -D length=2"), ("length=1...3", "they are 1 and 0.3"), ("length=1,,2", "a value of the list is empty"),
                            ("length=1 cm..2 m:3", "different units")):
            said = self.sinew("sweep", "swing.charli", "-D", text, "-o", "bad", status=1)
            self.assertIn(words, said)
            self.assertFalse((self.folder / "bad").exists(), text)
        self.assertIn("more than 1000000 runs", self.sinew("sweep", "swing.charli", "-D", "length=1..2:1001", "-D", "start=1..1000", "-o",
                                                           "bad", status=1))
        self.sinew("sweep", "swing.charli", "-D", "longness=1,2", "-o", "bad", status=1)
        (self.folder / "list.csv").write_text("length,start\n1\n")
        self.assertIn("list.csv:2", self.sinew("sweep", "swing.charli", "--list", "list.csv", "-o", "bad", status=1))
        for text, words in (("length,length\n1,2\n", "two columns are named 'length'"), ("length;start\n1;2\n", "not separated by commas"),
                            ('length,start\n"1,2\n', "is not closed"), ("length,\n1,2\n", "has no name"), ("", "has no runs"),
                            ("length,start\n1,\n", "'' is not a number"), ("length\n99\n", "outside its range")):
            (self.folder / "list.csv").write_text(text)
            self.assertIn(words, self.sinew("sweep", "swing.charli", "--list", "list.csv", "-o", "bad", status=1))
        self.assertIn("was given before", self.sinew("sweep", "swing.charli", "-D", "length=1", "-D", "length=2", "-o", "bad", status=1))
        self.assertIn("add --on slurm", self.sinew("sweep", "swing.charli", "-D", "length=1,2", "--slurm=--time=5", "-o", "bad", status=2))
        self.assertIn("no object and no `probe`", self.sinew("sweep", "swing.charli", "-D", "length=1,2", "--probe", "bobb", "-o", "bad", status=1))
        self.assertFalse((self.folder / "bad").exists())

    def test_another_sweep_in_the_folder_is_refused(self):
        self.sinew("sweep", "swing.charli", "-D", "length=1,2", "-o", "s")
        self.assertIn("another script, other values", self.sinew("sweep", "swing.charli", "-D", "length=1,3", "-o", "s", status=1))
        plan = json.loads((self.folder / "s/sweep.json").read_text())
        plan["version"] = "0.0.1"
        (self.folder / "s/sweep.json").write_text(json.dumps(plan))
        (self.folder / "s/runs/00000.json").unlink()
        self.assertIn("made by Sinew 0.0.1", self.sinew("sweep", "swing.charli", "-D", "length=1,2", "-o", "s", status=1))
        self.assertIn("made by Sinew 0.0.1", self.sinew("sweep", "s", "--share", "0/2", status=1))

    def test_full_disk_loses_nothing(self):
        words = ["sweep", "swing.charli", "-D", "length=1,2", "--fps", "3000", "--exact", "-o", "d", "--retries", "0"]
        done = subprocess.run(["sh", "-c", 'ulimit -f 600; exec "$@"', "sh", SINEW, *words], cwd=self.folder, capture_output=True, text=True,
                              timeout=LIMIT_S)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual(list((self.folder / "d/runs").glob("?????.sinew")), [])
        self.sinew(*words)
        self.assertEqual([r["status"] for r in self.table("d")], ["complete"] * 2)

    def limited(self, blocks, *words):
        """With files of at most so many blocks of 512 bytes: a disk that is full at this node."""
        done = subprocess.run(["sh", "-c", f'ulimit -f {blocks}; exec "$@"', "sh", SINEW, *words], cwd=self.folder, capture_output=True,
                              text=True, timeout=LIMIT_S)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("hint: ", done.stderr)
        return done.stderr

    def test_full_disk_at_the_node_of_one_part_costs_that_part_alone(self):
        options = ("--seconds", "2", "--exact")
        self.sinew("run", "grass.charli", "--part", "1/2", *options)
        self.assertIn("grass.part2of2.sinew", self.limited(400, "run", "grass.charli", "--part", "2/2", *options))
        names = [f"grass.part{part}of2.sinew" for part in (1, 2)]
        self.assertIn("is not complete", self.sinew("join", *names, "-o", "joined.sinew", status=1))
        self.sinew("run", "grass.charli", "--part", "2/2", "--resume", *options)
        self.limited(400, "join", *names, "-o", "joined.sinew")
        self.assertEqual(sorted(p.name for p in self.folder.glob("joined*")), [])
        self.sinew("join", *names, "-o", "joined.sinew")
        self.sinew("run", "grass.charli", "-o", "whole.sinew", *options)
        self.assertEqual(self.blocks("joined.sinew"), self.blocks("whole.sinew"))
        self.assertEqual(sorted(p.name for p in self.folder.glob("joined*")), ["joined.sinew"])

    def test_join_replaces_recordings_alone(self):
        names = self.parts(2)
        (self.folder / "notes.txt").write_text("mine")
        self.assertIn("is not replaced", self.sinew("join", *names, "-o", "notes.txt", status=1))
        self.assertEqual((self.folder / "notes.txt").read_text(), "mine")
        for _ in range(2):  # over an earlier one
            self.sinew("join", *names, "-o", "joined.sinew")

    def test_commands_of_the_guide_do_what_it_says(self):
        page = (pathlib.Path(__file__).resolve().parents[2] / "docs/guide/farm.md").read_text()
        scripts = {re.search(r"sinew (?:sweep|plan) (\w+\.charli)", page[found.end():])[1]: found[1]
                   for found in re.finditer(r"```charli\n(.*?)```", page, re.S)}
        self.assertEqual(sorted(scripts), ["groom.charli", "pendulum.charli", "tuft.charli"])
        for name, text in scripts.items():
            (self.folder / name).write_text(text)
        (self.folder / "meshes").mkdir()
        (self.folder / "meshes/scalp.obj").write_text(SKIN)
        commands = re.findall(r"^sinew ((?:sweep|plan|run) (?:tuft|pendulum|groom)\.charli .*)$", page, re.M)
        self.assertEqual(len(commands), 4)
        for command in commands:  # the same, smaller
            for large, small in (("log:100", "log:2"), ("--random 10000", "--random 3"), ("strands=1000000", "strands=640")):
                command = command.replace(large, small)
            self.sinew(*command.split())
        self.assertEqual([r["status"] for r in self.table("wedge") + self.table("data")], ["complete"] * 5)
        self.assertLess(float(self.table("data")[0]["tip.y:min"]), 0)
        self.assertEqual(json.loads(self.sinew("info", "--json", "groom.part7of64.sinew"))["status"], "complete")

    def test_scratch_is_left_empty_and_the_recording_is_in_its_place(self):
        (self.folder / "local").mkdir()
        self.sinew("run", "swing.charli", "-o", "whole.sinew", "--exact")
        self.sinew("run", "swing.charli", "-o", "moved.sinew", "--exact", "--scratch", "local")
        self.assertEqual(self.blocks("whole.sinew"), self.blocks("moved.sinew"))
        self.assertEqual(list((self.folder / "local").iterdir()), [])
        self.sinew("run", "swing.charli", "-o", "moved.sinew", "--exact", "--scratch", "local", "--resume", "--seconds", "1")
        self.assertEqual(len(self.blocks("moved.sinew")), 25)

    # ------------------------------------------------------------------ parts

    def parts(self, count, *options):
        for part in range(1, count + 1):
            self.sinew("run", "grass.charli", "--part", f"{part}/{count}", *options)
        return [f"grass.part{part}of{count}.sinew" for part in range(1, count + 1)]

    def test_parts_joined_are_the_whole_bit_for_bit(self):
        plan = json.loads(self.sinew("plan", "grass.charli", "--parts", "4", "--json"))
        self.assertEqual((plan["trees"], sum(plan["segments"]), plan["shared_segments"]), (23, 23 * 12, 0))
        self.assertLessEqual(max(plan["segments"]) - min(plan["segments"]), 12)
        for options in ((), ("--exact", "--threads", "2")):
            self.sinew("run", "grass.charli", "-o", "whole.sinew", *options)
            parts = self.parts(4, *options)
            self.assertIn("is part 1 of 4", self.sinew("run", parts[0], status=1))
            joined = json.loads(self.sinew("join", *reversed(parts), "-o", "joined.sinew", "--json"))
            self.assertEqual((joined["recording"], joined["parts"]), ("joined.sinew", len(parts)))
            self.assertEqual(self.blocks("joined.sinew"), self.blocks("whole.sinew"))
            self.assertEqual(json.loads(self.sinew("info", "--json", "joined.sinew"))["status"], "complete")
            self.sinew("info", "--check", "joined.sinew")
            self.assertIn("the same bits", self.sinew("run", "joined.sinew"))
            tables = []
            for name in (*parts, "joined.sinew"):
                self.sinew("export", name, "x.obj", "--frame", "12")
                tables.append([line for line in (self.folder / "x.obj").read_text().splitlines() if line.startswith("v ")])
            self.assertEqual([line for table in tables[:4] for line in table], tables[4])

    def test_long_shot_is_joined_in_groups_side_by_side(self):
        for options in ((), ("--exact",)):
            seconds = ("--seconds", "4.2")  # 101 frames: nine groups, the last of five
            self.sinew("run", "grass.charli", "-o", "whole.sinew", *seconds, *options)
            parts = self.parts(3, *seconds, *options)
            for _ in range(2):
                self.sinew("join", *parts, "-o", "joined.sinew")
                self.assertEqual(self.blocks("joined.sinew"), self.blocks("whole.sinew"))
            self.sinew("info", "--check", "joined.sinew")
        with sqlite3.connect(self.folder / parts[1]) as connection:  # a frame in the midst
            connection.execute("UPDATE frames SET block = zeroblob(40) WHERE number = 50")
        self.assertIn("frame 50 is damaged", self.sinew("join", *parts, "-o", "joined.sinew", status=1))
        self.assertEqual(self.blocks("joined.sinew"), self.blocks("whole.sinew"))

    def test_part_makes_its_own_strands_of_a_groom_alone_as_they_are_in_the_whole(self):
        self.write_fur()
        plan = json.loads(self.sinew("plan", "fur.charli", "--parts", "3", "--json"))
        self.assertEqual((plan["trees"], sum(plan["segments"]), plan["shared_segments"]), (84, 2 * (40 * 6 + 2 * 5), 4))
        self.sinew("run", "fur.charli", "-o", "whole.sinew", "--exact")
        for part in (2, 1, 3):
            self.sinew("run", "fur.charli", "--part", f"{part}/3", "--exact")
        self.sinew("join", *(f"fur.part{part}of3.sinew" for part in (1, 2, 3)), "-o", "joined.sinew")
        self.assertEqual(self.blocks("joined.sinew"), self.blocks("whole.sinew"))
        self.assertIn("the same bits", self.sinew("run", "joined.sinew"))
        prints = [json.loads(self.sinew("info", "--json", name))["scene_fingerprint"] for name in ("whole.sinew", "joined.sinew")]
        self.assertEqual(*prints)

    def test_part_of_another_groom_is_refused(self):
        self.write_fur()
        for part in (1, 2):
            self.sinew("run", "fur.charli", "--part", f"{part}/2")
        for name, text in (("skin.obj", SKIN.replace("0.05", "0.06")), ("curves.obj", CURVES.replace("0.02", "0.03"))):
            (self.folder / name).write_text(text)
            self.sinew("run", "fur.charli", "--part", "2/2", "-o", "other.sinew")
            self.assertIn("made by another script", self.sinew("join", "fur.part1of2.sinew", "other.sinew", "-o", "j.sinew", status=1))
            self.assertIn("made by another script", self.sinew("run", "fur.charli", "--part", "2/2", "--resume", status=1))
            self.write_fur()

    def test_million_strands_are_planned_and_too_many_for_one_process(self):
        self.write_fur()
        said = self.sinew("run", "fur.charli", "-D", "hairs=1000000", status=1)
        self.assertIn("1000000 strands of 6 segments are too many for one process", said)
        self.assertIn("--parts 3", said)
        self.assertIn("2000004 trees", self.sinew("plan", "fur.charli", "--parts", "64", "-D", "hairs=1000000"))
        said = self.sinew("run", "fur.charli", "-D", "hairs=1000000", "--part", "1/2", status=1)
        self.assertIn("more than the 2000000 that one process holds", said)

    def write_fur(self):
        for name, text in (("fur.charli", FUR), ("skin.obj", SKIN), ("curves.obj", CURVES)):
            (self.folder / name).write_text(text)

    def join_and_compare(self, script, count):
        """The parts of a shot joined, beside the whole."""
        stem = script.removesuffix(".charli")
        self.sinew("run", script, "-o", "whole.sinew", "--exact")
        names = [f"{stem}.part{part}of{count}.sinew" for part in range(1, count + 1)]
        for part in range(1, count + 1):
            self.sinew("run", script, "--part", f"{part}/{count}", "--exact")
        self.sinew("join", *names, "-o", "joined.sinew")
        self.assertEqual(self.blocks("joined.sinew"), self.blocks("whole.sinew"))
        self.assertIn("the same bits", self.sinew("run", "joined.sinew"))
        return [json.loads(self.sinew("info", "--json", name)) for name in ("joined.sinew", "whole.sinew")]

    def test_islands_of_rods_are_cut(self):
        (self.folder / "ropes.charli").write_text(ROPES)
        plan = json.loads(self.sinew("plan", "ropes.charli", "--parts", "4", "--json"))
        self.assertEqual((plan["islands"], plan["trees"], sum(plan["spans"]), plan["shared_spans"]), (6, 2, 6 * 16, 0))
        self.assertLessEqual(max(plan["spans"]), 2 * 16)
        for count in (4, 9):
            joined, whole = self.join_and_compare("ropes.charli", count)
            self.assertAlmostEqual(joined["energy_at_end"], whole["energy_at_end"], delta=1e-9 * abs(whole["energy_at_end"]))

    def test_what_every_part_computes_is_the_same_in_the_whole_and_counts_once(self):
        (self.folder / "beside.charli").write_text(ROPES.replace("simulate(", BESIDE + "simulate("))
        said = self.sinew("plan", "beside.charli", "--parts", "9")
        for words in ("1 rod: they are held to what moves freely, 'leash' first", "4 bodies: they may touch each other",
                      "2 coordinates: they take their steps together"):
            self.assertIn(words, said)
        for count in (2, 11):  # more parts than islands and trees
            joined, whole = self.join_and_compare("beside.charli", count)
            self.assertEqual(joined["contacts"], whole["contacts"])
            self.assertIsNone(joined["energy_at_end"])
        self.assertIn("energy       not known", self.sinew("info", "joined.sinew"))

    def test_rods_that_may_meet_are_not_cut(self):
        ball = "def ball body(mass = 1); sphere(0.1); end; ball translatey(9);"
        for words, change in (("may touch each other", "rods(contact = all);"), ("may touch bodies that move", ball),
                              ("carry other things", "hook on a[1] at 1 along;")):
            (self.folder / "meet.charli").write_text(ROPES.replace("simulate(", change + "\nsimulate("))
            self.assertIn(words, self.sinew("plan", "meet.charli", "--parts", "2"))

    def test_what_cannot_be_cut_is_said(self):
        self.assertIn("may touch bodies", self.sinew("plan", "head.charli", "--parts", "2", status=1))
        self.assertIn("nothing in it can be computed apart", self.sinew("run", "head.charli", "--part", "1/2", status=1))
        for wrong in ("0/2", "3/2", "x", "1/2/3"):
            self.assertIn("is not a part", self.sinew("run", "grass.charli", "--part", wrong, status=2))

    def test_parts_that_do_not_belong_together_are_refused(self):
        parts = self.parts(3)
        self.assertIn("missing: 2", self.sinew("join", parts[0], parts[2], "-o", "j.sinew", status=1))
        self.assertIn("is part 1 again", self.sinew("join", *parts, parts[0], "-o", "j.sinew", status=1))
        self.sinew("run", "grass.charli", "-o", "whole.sinew")
        self.assertIn("is not part of a shot", self.sinew("join", *parts, "whole.sinew", "-o", "j.sinew", status=1))
        (self.folder / "grass.charli").write_text(GRASS.replace("young(1e7)", "young(2e7)"))
        self.sinew("run", "grass.charli", "--part", "2/3", "-o", "other.sinew")
        self.assertIn("made by another script", self.sinew("join", parts[0], "other.sinew", parts[2], "-o", "j.sinew", status=1))
        with sqlite3.connect(self.folder / parts[1]) as database:
            database.execute("UPDATE meta SET value = '0.0.1' WHERE key = 'version'")
        self.assertIn("was made by Sinew 0.0.1", self.sinew("join", *parts, "-o", "j.sinew", status=1))
        self.assertFalse((self.folder / "j.sinew").exists())

    @unittest.skipUnless(shutil.which("mpirun"), "no mpirun here")
    def test_ranks_of_mpi_make_the_whole(self):
        self.sinew("run", "grass.charli", "-o", "whole.sinew")
        launcher = ["mpirun", "--allow-run-as-root", "--oversubscribe"]
        if "Open MPI" not in subprocess.run(["mpirun", "--version"], capture_output=True, text=True, timeout=LIMIT_S).stdout:
            launcher = ["mpirun"]
        done = subprocess.run([*launcher, "-n", "4", SINEW, "run", "--mpi", "grass.charli", "-o",
                               "ranks.sinew"], cwd=self.folder, capture_output=True, text=True, timeout=LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.blocks("ranks.sinew"), self.blocks("whole.sinew"))
        self.assertEqual(sorted(p.name for p in self.folder.glob("ranks*")), ["ranks.sinew"])

    def test_notes_of_an_earlier_job_are_not_taken_for_those_of_this_one(self):
        """Ranks as MPICH starts them, which does not tell them of what job they are; the second one is late."""
        self.sinew("run", "grass.charli", "-o", "whole.sinew")
        for name, text in (("ranks.part2of2.sinew.end", "job 0\n"), ("ranks.sinew.ranks", "stale\n")):
            (self.folder / name).write_text(text)
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "PMI_", "SLURM_"))}

        def rank(number):
            return subprocess.Popen([SINEW, "run", "--mpi", "grass.charli", "-o", "ranks.sinew"], cwd=self.folder, stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, text=True, env={**clean, "PMI_RANK": str(number), "PMI_SIZE": "2"})

        for order in ((0, 1), (1, 0)):
            first = rank(order[0])
            time.sleep(1)
            for each in (rank(order[1]), first):
                said = each.communicate(timeout=LIMIT_S)[0]
                self.assertEqual(each.returncode, 0, said)
            self.assertEqual(self.blocks("ranks.sinew"), self.blocks("whole.sinew"))
            self.assertEqual(sorted(p.name for p in self.folder.glob("ranks*")), ["ranks.sinew"])

    def test_mpi_without_a_rank_is_refused(self):
        clean = {name: "" for name in os.environ if name.startswith(("OMPI_", "PMI_", "SLURM_"))}
        self.assertIn("has no rank", self.sinew("run", "--mpi", "grass.charli", status=2, environment=clean))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    SINEW = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
