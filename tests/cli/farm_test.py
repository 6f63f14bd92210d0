#!/usr/bin/env python3
"""`sinew sweep`, `plan`, `run --part`, `join` and `run --mpi` from outside: farm_test.py SINEW

What ends is whole, what is killed goes on, parts joined are the whole bit for bit, bad input is refused in words. Nothing but
Python's standard library is needed; mpirun is used where there is one.
"""
import csv
import json
import os
import pathlib
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
# A ball that hairs may touch: they cannot be cut.
HEAD = """\
def head obstacle(); sphere(0.1); end;
head;
def hair h = strand(line(0,0.2,0, 0,0.4,0), segments = 4); radius(1 mm); density(1000); young(1e7); end;
hair;
simulate(0 sec, 0.1 sec);
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
        (self.folder / "list.csv").write_text('length,start\n1,10\n"2",20\n')
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
        self.sinew("sweep", "swing.charli", "-D", "length=1,2", "-o", "f", "--on", "files")
        for line in (self.folder / "f/commands.txt").read_text().splitlines():
            subprocess.run(line, shell=True, check=True, cwd=self.folder, timeout=LIMIT_S, capture_output=True)
        self.sinew("sweep", "f", "--gather")
        self.assertEqual([r["status"] for r in self.table("f")], ["complete", "complete"])

    def test_run_that_the_script_refuses_has_a_line_and_the_others_end(self):
        (self.folder / "gate.charli").write_text(SWING.replace("mass(2)", "mass(length - 1)"))
        self.sinew("sweep", "gate.charli", "-D", "length=2,1,3", "-o", "g")
        self.assertEqual([r["status"] for r in self.table("g")], ["complete", "refused", "complete"])

    def test_contact_sheet(self):
        self.sinew("sweep", "swing.charli", "-D", "length=1,2,3", "-o", "c", "--sheet", "sheet.png", "--tile", "64x48")
        data = (self.folder / "sheet.png").read_bytes()
        self.assertEqual((int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")), (128, 96))

    def test_bad_ranges_are_refused_before_anything_is_made(self):
        for text, words in (("length=1..", "is not a range"), ("length=2..1:3", "its first end is not below its last"),
                            ("length=0..1:log:3", "needs positive ends"), ("length=0.5..2", "does not say how many values"),
                            ("length=1..2:0", "is not a number of values"), ("length=1..2:x", "is not a number of values"),
                            ("length=nan..2:3", "is not a range"), ("length=1,,2", "a value of the list is empty"),
                            ("length=1 cm..2 m:3", "different units")):
            said = self.sinew("sweep", "swing.charli", "-D", text, "-o", "bad", status=1)
            self.assertIn(words, said)
            self.assertFalse((self.folder / "bad").exists(), text)
        self.assertIn("more than 1000000 runs", self.sinew("sweep", "swing.charli", "-D", "length=1..2:1001", "-D", "start=1..1000", "-o",
                                                           "bad", status=1))
        self.sinew("sweep", "swing.charli", "-D", "longness=1,2", "-o", "bad", status=1)
        (self.folder / "list.csv").write_text("length,start\n1\n")
        self.assertIn("list.csv:2", self.sinew("sweep", "swing.charli", "--list", "list.csv", "-o", "bad", status=1))
        self.assertIn("no object 'bobb'", self.sinew("sweep", "swing.charli", "-D", "length=1,2", "--probe", "bobb", "-o", "bad", status=1))
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
            self.assertIn("is part 1 of 4", self.sinew("export", parts[0], "x.csv", status=1))
            self.sinew("join", *reversed(parts), "-o", "joined.sinew")
            self.assertEqual(self.blocks("joined.sinew"), self.blocks("whole.sinew"))
            self.assertEqual(json.loads(self.sinew("info", "--json", "joined.sinew"))["status"], "complete")
            self.sinew("info", "--check", "joined.sinew")
            self.assertIn("the same bits", self.sinew("run", "joined.sinew"))

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
        done = subprocess.run(["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "4", SINEW, "run", "--mpi", "grass.charli", "-o",
                               "ranks.sinew"], cwd=self.folder, capture_output=True, text=True, timeout=LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
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
