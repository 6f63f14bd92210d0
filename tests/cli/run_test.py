#!/usr/bin/env python3
"""`sinew run` and `sinew info` from outside: options, statuses, files, resuming. run_test.py SINEW

Status 0: fine; 1: the input has problems, or the recording cannot be written; 2: the command line is wrong; 3: the
simulation stopped early. Nothing but Python's standard library and a C compiler is needed.
"""
import contextlib
import csv
import json
import os
import pathlib
import pty
import re
import resource
import select
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SINEW = ""
LIMIT_S = 120

SWING = """\
param length = 1 [0.1..10] "of the rod";
dynamic theta;
theta = initial(-30 deg, 0);
def bob mass(2); end;
def pivot label(); end;
pivot;
bob translatex(length) rotatez(theta);
line(0, 0, 0, bob_x, bob_y, 0);
simulate(0 sec, 2 sec);
"""
# Long enough to be caught in the middle: some ten seconds.
CHAIN = (ROOT / "examples/chain.charli").read_text()
LONG = ("-D", "links=40", "--fps", "1000", "--seconds", "10")
# Two strings of one metre whose ends a track pulls more than two metres apart: the run stops before.
STOPS = """\
dynamic x, y;
x = initial(0.5, 0);
y = initial(-0.866025403784, 0);
var pull;
pull = {1 at 0 sec linear 3 at 2 sec};
def bob mass(1); end;
def left label(); end;
def right label(); end;
left;
right translatex(pull);
bob translatex(x) translatey(y);
dist_constraint(left, bob, 1);
dist_constraint(right, bob, 1);
"""
# A rope over a log that friction holds, a crate on its end, a hole that rubs, two pearls that run together.
ROPE = """\
def rope rod(line(-0.35,0.16,0, 0.45,0.16,0), spans = 16, radius = 5 mm, young = 1e6, rest = straight, damping = 5 ms);
  surface(friction = 0.4, bounce = 0); end;
rope;
def log obstacle(); cylinder(0.15, 1); material(friction = 0.5); end;
log rotatex(90 deg);
def crate body(mass = 0.1); box(0.05, 0.05, 0.05); ring = label() translatey(0.025); end;
crate translate(0.45, 0.135, 0);
fusion(rope at 1 along, crate.ring);
def thread rod(line(0,0,1, 0.6,-0.3,1), spans = 12, radius = 1 mm, young = 4e8, damping = 2 ms); end;
thread;
position_constraint(thread at 0 along, point(0, 0, 1));
keyhole(thread, point(0.5, -0.25, 1), from = 0.8333333, friction = 0.3);
def bead body(mass = 0.01); sphere(18 mm); end;
for i in 1..2
  pearls[i] = bead translate(0.15 * i, -0.075 * i, 1);
  pearl(pearls[i], thread, from = 0.25 * i, friction = 0.05);
end;
simulate(0 sec, 1 sec, step = 1 / 240);
"""


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="sinew-run-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name) / "work é"
        self.folder.mkdir()
        self.write("swing.charli", SWING)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    def files(self):
        return sorted(p.name for p in self.folder.iterdir())

    def run_sinew(self, *arguments, cwd=None, **more):
        done = subprocess.run([SINEW, *arguments], capture_output=True, timeout=LIMIT_S, cwd=cwd or self.folder, **more)
        done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
        return done

    def expect(self, status, *arguments, **more):
        done = self.run_sinew(*arguments, **more)
        self.assertEqual(done.returncode, status, f"sinew {' '.join(arguments)}\n{done.stdout}{done.stderr}")
        return done

    def info(self, name="swing.sinew"):
        return json.loads(self.expect(0, "info", "--json", name).stdout)

    def query(self, sql, name="swing.sinew"):
        connection = sqlite3.connect(f"file:{self.folder / name}?mode=ro", uri=True)
        try:
            return connection.execute(sql).fetchall()
        finally:
            connection.close()

    def motion(self, name="swing.sinew"):
        return self.query("SELECT number, time, block, state_hash FROM frames JOIN statistics ON frame = number "
                          "ORDER BY number", name)

    def alter(self, sql, name="swing.sinew"):
        connection = sqlite3.connect(self.folder / name)
        connection.execute(sql)
        connection.commit()
        connection.close()

    def start(self, *arguments, frames=1, name="chain.sinew"):
        """Starts a run and waits until its recording holds some frames."""
        process = subprocess.Popen([SINEW, *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(lambda: (process.kill(), process.communicate()))
        for _ in range(LIMIT_S * 20):
            time.sleep(0.05)
            try:
                if self.query("SELECT count(*) FROM statistics", name)[0][0] >= frames:
                    return process
            except sqlite3.Error:
                pass
            self.assertIsNone(process.poll(), process.stderr.read() if process.poll() is not None else "")
        self.fail("no frames appear")

    def interrupt(self, process, with_signal=signal.SIGINT):
        process.send_signal(with_signal)
        out, err = process.communicate(timeout=LIMIT_S)
        return process.returncode, out.decode(), err.decode()

    @staticmethod
    def as_nobody():
        """Options of subprocess.run for somebody who may not write everywhere."""
        return {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}


class CommandLine(Case):
    def test_wrong_command_lines_have_status_2(self):
        for arguments in (("run",), ("run", "a", "b"), ("run", "--frob", "swing.charli"), ("info",), ("info", "a", "b"),
                          ("run", "swing.charli", "--seconds"), ("run", "swing.charli", "--seconds", "soon"),
                          ("run", "swing.charli", "--seconds", "-1"), ("run", "swing.charli", "--seconds", "0"),
                          ("run", "swing.charli", "--seconds", "nan"), ("run", "swing.charli", "--seconds", "inf"),
                          ("run", "swing.charli", "--fps", "0"), ("run", "swing.charli", "--fps", "1e999"),
                          ("run", "swing.charli", "--step", "-0.1"), ("run", "swing.charli", "--step", "0.1s"),
                          ("run", "swing.charli", "--threads", "0"), ("run", "swing.charli", "--threads", "many"),
                          ("run", "swing.charli", "-D", "length"), ("run", "swing.charli", "--import", "f"),
                          ("run", "swing.charli", "--import", "f="), ("run", "swing.charli", "--import", "=f"),
                          ("run", "swing.charli", "--table", "swing.charli"),
                          ("run", "swing.charli", "--table", "../work é/swing.sinew")):
            with self.subTest(arguments):
                done = self.expect(2, *arguments)
                self.assertEqual(done.stdout, "")
                self.assertTrue(done.stderr.strip(), "no word about what is wrong")
        self.assertEqual(self.files(), ["swing.charli"])
        self.assertEqual((self.folder / "swing.charli").read_text(), SWING)

    def test_help_has_every_option(self):
        text = self.expect(0, "run", "--help").stdout
        for option in ("-D", "--seconds", "--fps", "--step", "--threads", "--out", "--resume", "--import", "--table"):
            self.assertIn(option, text)
        self.assertIn("--json", self.expect(0, "info", "--help").stdout)


class Run(Case):
    def test_a_script_becomes_a_recording_in_this_folder(self):
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        done = self.expect(0, "run", "../swing.charli", cwd=elsewhere)
        self.assertEqual(done.stderr, "")
        self.assertRegex(done.stdout, r"^swing\.sinew: 49 frames, 0 to 2 s, \d+ kB, computed in [\d.]+ s\n$")
        self.assertEqual([p.name for p in elsewhere.iterdir()], ["swing.sinew"])

    def test_out_names_the_recording(self):
        done = self.expect(0, "run", "swing.charli", "--out", "other.sinew")
        self.assertTrue(done.stdout.startswith("other.sinew: 49 frames"))
        self.assertEqual(self.files(), ["other.sinew", "swing.charli"])

    def test_frames_are_at_start_plus_i_over_fps(self):
        self.expect(0, "run", "swing.charli")
        times = [t for (t,) in self.query("SELECT time FROM frames ORDER BY number")]
        self.assertEqual(times, [i / 24 for i in range(49)])
        self.write("late.charli", SWING.replace("0 sec, 2 sec", "5 sec, 6 sec"))
        self.expect(0, "run", "late.charli", "--fps", "10")
        times = [t for (t,) in self.query("SELECT time FROM frames ORDER BY number", "late.sinew")]
        self.assertEqual(times, [5 + i / 10 for i in range(11)])

    def test_the_command_line_wins(self):
        self.write("swing.charli", SWING + "frame_rate(30);\n")
        self.expect(0, "run", "swing.charli")
        self.assertEqual((self.info()["frames"], self.info()["frame_rate"]), (61, 30))
        self.expect(0, "run", "swing.charli", "--fps", "12", "--seconds", "0.5", "--step", "0.001")
        info = self.info()
        self.assertEqual((info["frames"], info["frame_rate"], info["end"], info["step"]), (7, 12, 0.5, 0.001))

    def test_the_end_is_a_frame_only_where_it_falls_on_one(self):
        for seconds, fps, frames in (("0.1", "30", 4), ("0.3", "10", 4), ("1.01", "24", 25), ("0.99", "24", 24),
                                     ("0.01", "24", 1), ("0.7", "100", 71), ("1.1", "90", 100)):
            with self.subTest(seconds=seconds, fps=fps):
                self.expect(0, "run", "swing.charli", "--seconds", seconds, "--fps", fps)
                self.assertEqual(self.info()["frames"], frames)

    def test_parameters_change_the_motion(self):
        self.expect(0, "run", "swing.charli")
        first = self.motion()
        self.expect(0, "run", "swing.charli", "-D", "length=2")
        self.assertNotEqual(self.motion(), first)
        self.assertEqual(self.query("SELECT * FROM parameters"), [("length", "2")])

    def test_the_same_bits_for_any_number_of_threads_and_again(self):
        self.write("chain.charli", CHAIN)
        motions = []
        for threads in ("1", "2", "3", "4", "4"):
            self.expect(0, "run", "chain.charli", "--seconds", "1", "--threads", threads)
            motions.append(self.motion("chain.sinew"))
        self.assertTrue(all(motion == motions[0] for motion in motions))

    def test_more_frames_than_can_be_are_refused(self):
        done = self.expect(1, "run", "swing.charli", "--seconds", "1e300")
        self.assertIn("more frames than a recording holds", done.stderr)
        self.assertEqual(self.files(), ["swing.charli"])


class Contacts(Case):
    def test_who_met_whom_is_listed_as_csv_and_json(self):
        self.write("ball.charli", "bodies(sleep = no); def ground obstacle(); plane(0, 1, 0, 0); end; ground;\n"
                   "def ball body(mass = 2); sphere(0.1); end; b = ball translatey(1.1); simulate(0 sec, 1 sec);\n")
        self.expect(0, "run", "ball.charli")
        (hit,) = csv.DictReader(self.expect(0, "info", "ball.sinew", "--contacts").stdout.splitlines())
        self.assertEqual({hit["a"], hit["b"]}, {"ground", "b"})
        self.assertEqual(hit["kind"], "hit")
        self.assertAlmostEqual(float(hit["impulse"]), 2 * (2 * 9.81) ** 0.5, delta=0.3)
        (same,) = json.loads(self.expect(0, "info", "ball.sinew", "--contacts", "--json").stdout)
        self.assertEqual(same["impulse"], float(hit["impulse"]))
        self.assertEqual(self.info("ball.sinew")["contacts"], 1)
        self.assertEqual(self.query("SELECT count(*) FROM contacts", "ball.sinew"), [(1,)])

    def test_the_papers_method_says_its_theta(self):
        self.write("ball.charli", "bodies(method = erleben); def ground obstacle(); plane(0, 1, 0, 0); end; ground;\n"
                   "def ball body(mass = 2); sphere(0.1); end; b = ball translatey(0.1); simulate(0 sec, 0.2 sec);\n")
        self.expect(0, "run", "ball.charli")
        self.assertIsNotNone(self.info("ball.sinew")["largest_theta"])


class Problems(Case):
    def test_an_unsound_script_touches_nothing(self):
        self.expect(0, "run", "swing.charli")
        before = (self.folder / "swing.sinew").read_bytes()
        self.write("swing.charli", "def bob mass(1); end;\nbob translutex(1);\nbob translatey(lenght);\n")
        done = self.expect(1, "run", "swing.charli", "--table", "t.csv")
        self.assertEqual(done.stdout, "")
        self.assertIn("swing.charli:2:5: unknown transformation 'translutex'; did you mean 'translatex'?", done.stderr)
        self.assertIn("swing.charli:3:16: unknown name 'lenght'", done.stderr)
        self.assertTrue(done.stderr.endswith("swing.charli: 2 errors\n"))
        self.assertEqual((self.folder / "swing.sinew").read_bytes(), before)
        self.assertEqual(self.files(), ["swing.charli", "swing.sinew"])

    def test_a_missing_script(self):
        self.assertIn("no.charli: there is no such file", self.expect(1, "run", "no.charli").stderr)

    def test_a_run_that_stops_keeps_its_good_frames(self):
        self.write("stops.charli", STOPS)
        done = self.expect(3, "run", "stops.charli", "--table", "stops.csv")
        self.assertRegex(done.stderr, r"(?s)stops\.charli:\d+:\d+: at (1|0\.9\d*) s .*\n      hint: ")
        self.assertRegex(done.stdout, r"^stops\.sinew: stopped early: 2[45] frames, 0 to (0\.958333|1) s, ")
        info = self.info("stops.sinew")
        self.assertEqual(info["status"], "stopped")
        self.assertTrue(info["fault"]["message"] and info["fault"]["hint"])
        self.assertIn(info["fault"]["message"], done.stderr)
        self.assertIn(info["frames"], (24, 25))  # taut at 1 s exactly
        self.assertIn(info["fault"]["message"], self.expect(0, "info", "stops.sinew").stdout)
        with open(self.folder / "stops.csv") as file:
            times = {row["time"] for row in csv.DictReader(file)}
        self.assertEqual(len(times), info["frames"])
        # Again from the last snapshot: the same end.
        again = self.expect(3, "run", "stops.charli", "--resume")
        self.assertIn(info["fault"]["message"], again.stderr)
        self.assertEqual(self.info("stops.sinew")["frames"], info["frames"])
        self.assertEqual(self.query("SELECT count(*) FROM diagnostics WHERE severity = 'error'", "stops.sinew"), [(1,)])

    def test_energy_that_drifts_where_nothing_drives_or_damps_is_a_warning_with_its_time(self):
        swing = "dynamic a; a = initial(1, 0); def bob mass(2); end; bob translatey(-1) rotatez(a);\n"
        self.write("good.charli", swing + "simulate(0, 2);\n")
        self.assertNotIn("warning", self.expect(0, "run", "good.charli").stderr)
        coarse = "linkages(method = charli); simulate(0, 2, step = 0.05);\n"
        self.write("coarse.charli", swing + coarse)
        self.assertRegex(self.expect(0, "run", "coarse.charli").stderr,
                         r"warning: energy has (risen|fallen) by .* after [0-9.]+ s, and nothing drives or damps")
        self.write("damped.charli", swing + "spring_and_damper(a, 0, 1, 0.1);\n" + coarse)
        self.assertNotIn("nothing drives", self.expect(0, "run", "damped.charli").stderr)

    def test_energy_is_watched_in_scenes_of_several_bodies_rods_and_strands(self):
        space = "gravity(0, 0, 0);\n"
        rod = "rod(line(0,0,0, 1,0,0), spans = 8, radius = 5 mm, young = 1e7, density = 1000{}); end;\n"
        drifting = {
            "rod": space + "def wire " + rod.format("") + "wire spin(0, 0, 3);\nrods(contact = none);\n",
            "strand": "def whip strand(line(0,0,0, 0.6,0,0), segments = 8); radius(4 mm); mass_per_length(0.1); "
                      "bend_stiffness(0.01); contact(0); end;\nwhip;\n",
        }
        quiet = {
            "damped": space + "def wire " + rod.format(", damping = 5 ms") + "wire spin(0, 0, 3);\nrods(contact = none);\n",
            "bodies": space + "def ball body(mass = 1); sphere(0.1); end;\na = ball velocity(1, 0, 0);\n"
                      "b = ball translatex(3) spin(1, 2, 3);\n",
            "touching": space + "def ball body(mass = 1); sphere(0.1); end;\na = ball velocity(1, 0, 0);\n"
                        "b = ball translatex(0.5);\n",
        }
        told = "nothing drives or damps"
        for name, script in drifting.items():
            with self.subTest(name):
                self.write(name + ".charli", script + "simulate(0, 0.5, step = 0.01);\n")
                self.assertIn(told, self.expect(0, "run", name + ".charli").stderr)
        for name, script in quiet.items():
            with self.subTest(name):
                self.write(name + ".charli", script + "simulate(0, 1);\n")
                self.assertNotIn(told, self.expect(0, "run", name + ".charli").stderr)

    def test_a_warning_of_the_run_is_printed_once(self):
        self.write("slide.charli", "dynamic x, y;\nx = initial(0, 1); y = initial(0, 0);\nvar rail;\n"
                   "rail = spline(0,0,0, 0.3,0,0, 0.6,0,0, 1,0,0);\ndef bead mass(1); end;\nbead translatex(x) translatey(y);\n"
                   "path_constraint(bead, rail);\nsimulate(0 sec, 2 sec);\n")
        done = self.run_sinew("run", "slide.charli")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("warning: "), 1, done.stderr)
        (warning,) = self.info("slide.sinew")["warnings"]
        self.assertIn(warning["message"], done.stderr)
        self.assertIn(warning["message"], self.expect(0, "info", "slide.sinew").stdout)


class Writing(Case):
    def test_a_folder_that_is_not_there(self):
        done = self.expect(1, "run", "swing.charli", "--out", "no/where.sinew")
        self.assertIn("no/where.sinew: cannot be written: No such file or directory", done.stderr)

    def test_a_folder_that_cannot_be_written(self):
        closed = self.folder / "closed"
        closed.mkdir(mode=0o555)
        program = shutil.copy(SINEW, self.folder / "sinew")
        for folder in (self.folder, self.folder.parent):
            os.chmod(folder, 0o755)
        for option in ("--out", "--table"):
            done = subprocess.run([program, "run", "swing.charli", option, "closed/file"], cwd=self.folder,
                                  capture_output=True, text=True, timeout=LIMIT_S, **self.as_nobody())
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("cannot be written: Permission denied", done.stderr)
            self.assertIn("hint: may you write in its folder?", done.stderr)
        self.assertEqual(list(closed.iterdir()), [])

    def test_what_is_no_recording_is_not_replaced(self):
        os.mkfifo(self.folder / "pipe")
        self.write("notes.txt", "precious")
        for out, words in (("swing.charli", "is not a recording, and is not replaced"),
                           ("notes.txt", "is not a recording, and is not replaced"), (".", "is a folder"),
                           ("pipe", "is not a plain file"), ("/dev/null", "is not a plain file")):
            with self.subTest(out):
                self.assertIn(words, self.expect(1, "run", "swing.charli", "--out", out).stderr)
        self.assertEqual((self.folder / "notes.txt").read_text(), "precious")
        self.assertEqual((self.folder / "swing.charli").read_text(), SWING)

    def test_a_full_disk_is_said_and_the_recording_stays_good(self):
        # A limit of the size of files does what a full disk does, at any of its bytes.
        self.expect(0, "run", "swing.charli", "--out", "whole.sinew")
        whole = self.motion("whole.sinew")
        size = (self.folder / "whole.sinew").stat().st_size
        hit = 0
        for limit in range(20000, size + 4096, size // 8):
            with self.subTest(limit=limit):
                (self.folder / "swing.sinew").unlink(missing_ok=True)
                done = self.run_sinew("run", "swing.charli", preexec_fn=lambda: resource.setrlimit(
                    resource.RLIMIT_FSIZE, (limit, limit)))
                if done.returncode == 0:
                    continue
                hit += 1
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertRegex(done.stderr, r"swing\.sinew: (cannot be written: disk I/O error|the disk is full)")
                self.assertIn("--resume", done.stderr)
                if (self.folder / "swing.sinew").exists():
                    motion = self.motion()
                    self.assertEqual(motion, whole[:len(motion)])
                    self.info()
                self.expect(0, "run", "swing.charli", "--resume")
                self.assertEqual(self.motion(), whole)
        self.assertGreater(hit, 2)

    def test_one_run_at_a_time(self):
        self.write("chain.charli", CHAIN)
        process = self.start("run", "chain.charli", *LONG)
        for more in ((), ("--resume",)):
            done = self.expect(1, "run", "chain.charli", *LONG, *more)
            self.assertIn("chain.sinew: another run is writing it", done.stderr)
        self.assertEqual(self.info("chain.sinew")["status"], "running")
        status, _, _ = self.interrupt(process)
        self.assertEqual(status, 3)

    def test_a_recording_is_replaced_only_by_one_that_is_ready(self):
        self.expect(0, "run", "swing.charli")
        before = self.motion()
        done = self.run_sinew("run", "swing.charli", preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_FSIZE, (5000, 5000)))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(self.motion(), before)
        self.assertEqual(self.files(), ["swing.charli", "swing.sinew"])


class Interruption(Case):
    def setUp(self):
        super().setUp()
        self.write("chain.charli", CHAIN)

    def test_control_c_ends_at_a_frame_and_the_run_can_be_resumed(self):
        short = ("-D", "links=20", "--fps", "1000", "--seconds", "1.5", "--exact")
        self.expect(0, "run", "chain.charli", *short, "--out", "whole.sinew", "--table", "whole.csv")
        for with_signal in (signal.SIGINT, signal.SIGTERM):
            (self.folder / "chain.sinew").unlink(missing_ok=True)
            status, out, err = self.interrupt(self.start("run", "chain.charli", *short, frames=30), with_signal)
            self.assertEqual(status, 3, err)
            self.assertIn("chain.sinew: interrupted\n      hint: the same command with --resume continues", err)
            self.assertRegex(out, r"chain\.sinew: interrupted: \d+ frames, 0 to [\d.]+ s, ")
            self.assertFalse([name for name in self.files() if "-wal" in name or "-lock" in name])
            info = self.info("chain.sinew")
            self.assertEqual(info["status"], "interrupted")
            self.assertIn("--resume", self.expect(0, "info", "chain.sinew").stdout)
            self.expect(0, "run", "chain.charli", *short, "--resume", "--table", "resumed.csv")
            self.assertEqual(self.motion("chain.sinew"), self.motion("whole.sinew"))
            self.assertEqual((self.folder / "resumed.csv").read_text(), (self.folder / "whole.csv").read_text())
            self.assertEqual(self.info("chain.sinew")["status"], "complete")

    def test_a_second_control_c_ends_at_once(self):
        process = self.start("run", "chain.charli", "-D", "links=100", "--fps", "0.01", "--seconds", "1000")
        process.send_signal(signal.SIGINT)
        time.sleep(0.2)
        status, _, _ = self.interrupt(process)
        self.assertIn(status, (3, -signal.SIGINT))  # the first may have been enough
        self.assertEqual(self.info("chain.sinew")["frames"], 1)


class Resume(Case):
    def setUp(self):
        super().setUp()
        self.expect(0, "run", "swing.charli", "--out", "whole.sinew")
        self.expect(0, "run", "swing.charli", "--seconds", "1.3")

    def test_a_shorter_recording_is_made_longer_with_the_same_bits(self):
        self.expect(0, "run", "swing.charli", "--resume")
        self.assertEqual(self.motion(), self.motion("whole.sinew"))
        self.assertEqual(self.info()["end"], 2)
        self.assertEqual(self.files(), ["swing.charli", "swing.sinew", "whole.sinew"])

    def test_bodies_go_on_with_the_golden_bits_on_any_number_of_threads(self):
        for threads, line in enumerate((ROOT / "tests/physics/golden_bodies.txt").read_text().splitlines()):
            script, golden = line.split()
            run = ("run", str(ROOT / script), "--out", "bodies.sinew", "--threads", str(1 + threads % 4))
            (self.folder / "bodies.sinew").unlink(missing_ok=True)
            self.expect(0, *run, "--seconds", "0.25")
            self.expect(0, *run, "--seconds", "0.5", "--resume")
            self.assertEqual(self.info("bodies.sinew")["state_hash"], golden, script)

    def test_rods_go_on_in_the_midst_of_what_they_touch_with_the_same_bits(self):
        self.write("rope.charli", ROPE)
        self.expect(0, "run", "rope.charli", "--threads", "1", "--out", "rope.sinew", "--table", "rope.csv")
        for threads in ("1", "2"):
            run = ("run", "rope.charli", "--threads", threads, "--out", "part.sinew", "--table", "part.csv")
            (self.folder / "part.sinew").unlink(missing_ok=True)
            self.expect(0, *run, "--seconds", "0.4")
            self.expect(0, *run, "--resume")
            self.assertEqual(self.motion("part.sinew"), self.motion("rope.sinew"))
            self.assertEqual((self.folder / "part.csv").read_bytes(), (self.folder / "rope.csv").read_bytes())

    def test_a_complete_recording_stays_as_it_is(self):
        before = (self.folder / "whole.sinew").read_bytes()
        done = self.expect(0, "run", "swing.charli", "--resume", "--out", "whole.sinew", "--table", "t.csv")
        self.assertIn("whole.sinew: 49 frames", done.stdout)
        self.expect(0, "run", "swing.charli", "--resume", "--out", "whole.sinew", "--seconds", "1")
        self.assertEqual((self.folder / "whole.sinew").read_bytes(), before)
        self.assertEqual(len((self.folder / "t.csv").read_text().splitlines()), 1 + 2 * 49)

    def test_without_a_recording_it_starts_from_the_beginning(self):
        (self.folder / "swing.sinew").unlink()
        done = self.expect(0, "run", "swing.charli", "--resume")
        self.assertIn("note: there is no recording yet; starting from the beginning", done.stderr)
        self.assertEqual(self.motion(), self.motion("whole.sinew"))

    def refusal(self, *arguments):
        before = (self.folder / "swing.sinew").read_bytes()
        done = self.expect(1, "run", "swing.charli", "--resume", *arguments)
        self.assertIn("hint: ", done.stderr)
        self.assertEqual((self.folder / "swing.sinew").read_bytes(), before, "a refused recording was changed")
        return done.stderr

    def test_a_recording_of_another_run_is_refused_with_the_reason(self):
        self.assertIn("swing.sinew: was made with no -D, not with -D length=2", self.refusal("-D", "length=2"))
        self.assertIn("swing.sinew: has 24 frames a second, not 25", self.refusal("--fps", "25"))
        self.assertIn("swing.sinew: was made with a step of ", self.refusal("--step", "0.001"))
        self.assertIn("swing.sinew: was made by another script", self.refusal_of(SWING.replace("mass(2)", "mass(3)")))

    def refusal_of(self, script):
        self.write("swing.charli", script)
        return self.refusal()

    def test_white_space_and_comments_make_no_other_script(self):
        self.write("swing.charli", SWING.replace("mass(2)", "mass( 2 ) # kg\n"))
        self.expect(0, "run", "swing.charli", "--resume")
        self.assertEqual(self.motion(), self.motion("whole.sinew"))

    def test_a_recording_of_another_version_is_refused(self):
        self.alter("UPDATE meta SET value = '0.0.1' WHERE key = 'version'")
        self.assertIn("swing.sinew: was made by Sinew 0.0.1, this is ", self.refusal())

    def test_a_recording_that_this_machine_would_not_make_is_refused(self):
        self.alter("DELETE FROM meta WHERE key = 'checksum_of_run'")  # as after a kill; with it, this would be damage to be mended
        self.alter("UPDATE statistics SET state_hash = '0123456789abcdef' WHERE frame = 24")
        self.alter("UPDATE statistics SET state_hash = '0123456789abcdef' WHERE frame > 28")
        self.alter("DELETE FROM snapshots WHERE frame > 24")
        self.assertIn("swing.sinew: frame 24 comes out differently than it was recorded", self.refusal())
        self.alter("DELETE FROM snapshots WHERE frame > 0")
        self.assertIn("swing.sinew: frame 24 comes out differently than it was recorded", self.refusal())

    def test_the_start_has_no_snapshot(self):
        with contextlib.closing(sqlite3.connect(self.folder / "whole.sinew")) as connection:
            frames = [row[0] for row in connection.execute("SELECT frame FROM snapshots ORDER BY frame")]
        self.assertIn(24, frames)
        self.assertNotIn(0, frames)

    def test_without_a_usable_snapshot_it_goes_over_all_frames(self):
        self.alter("UPDATE snapshots SET block = x'00'")
        self.expect(0, "run", "swing.charli", "--resume")
        self.assertEqual(self.motion(), self.motion("whole.sinew"))

    def test_a_recording_with_frames_of_another_size_gives_no_table(self):
        self.alter("INSERT INTO objects VALUES (3, 'ghost', 0)", "whole.sinew")
        done = self.expect(1, "run", "swing.charli", "--resume", "--out", "whole.sinew", "--table", "t.csv")
        self.assertIn("whole.sinew: is damaged", done.stderr)
        self.assertFalse((self.folder / "t.csv").exists())

    def test_a_damaged_recording_is_refused(self):
        (self.folder / "swing.sinew").write_bytes((self.folder / "swing.sinew").read_bytes()[:9000])
        self.assertIn("swing.sinew: is damaged", self.refusal())
        (self.folder / "swing.sinew").write_text("a text")
        self.assertIn("swing.sinew: is not a recording", self.refusal())


class Table(Case):
    def rows(self, name="t.csv"):
        with open(self.folder / name) as file:
            return list(csv.reader(file))

    def test_every_frame_and_every_named_thing(self):
        self.expect(0, "run", "swing.charli", "--table", "t.csv")
        head, *rows = self.rows()
        self.assertEqual(head, "time name x y z qx qy qz qw".split())
        self.assertEqual([row[1] for row in rows], ["pivot", "bob"] * 49)
        self.assertEqual([float(row[0]) for row in rows], [i // 2 / 24 for i in range(98)])
        for row in rows:
            x, y, z = map(float, row[2:5])
            self.assertAlmostEqual(x * x + y * y + z * z, 1.0 if row[1] == "bob" else 0.0, places=12)
            turn = [float(value) for value in row[5:]]  # of the frame that the rod turns
            self.assertAlmostEqual(sum(value * value for value in turn), 1, places=12)
            if row[1] == "pivot":
                self.assertEqual(row[5:], ["0", "0", "0", "1"])
            else:
                self.assertAlmostEqual(1 - 2 * turn[2] ** 2, x, places=12)
        self.assertEqual(self.files(), ["swing.charli", "swing.sinew", "t.csv"])

    def test_constraints_have_columns_with_their_units_and_a_recording_has_them_too(self):
        self.write("rope.charli", ROPE)
        self.expect(0, "run", "rope.charli", "--seconds", "0.5", "--table", "t.csv")
        self.expect(0, "export", "rope.sinew", "again.csv")
        self.assertEqual((self.folder / "again.csv").read_bytes(), (self.folder / "t.csv").read_bytes())
        head, *rows = self.rows()
        self.assertEqual(head[9:15], ["fx [N]", "fy [N]", "fz [N]", "tx [N m]", "ty [N m]", "tz [N m]"])
        self.assertEqual(head[15:], ["tension [N]", "bending [N m]", "twist [N m]"])
        held = {row[1]: [float(text) for text in row[9:15]] for row in rows if row[9]}
        self.assertEqual(sorted(held), ["rope.fusion", "thread.keyhole", "thread.pearl", "thread.pearl#2",
                                        "thread.position_constraint"])
        self.assertLess(held["rope.fusion"][1], -0.01)  # the crate pulls down
        self.assertTrue(all(row[9:15] == [""] * 6 for row in rows if row[1].startswith("rope[")))
        self.assertEqual({row[1].split("[")[0] for row in rows if row[15]}, {"rope", "thread"})
        names = self.query("SELECT name, line FROM constraints ORDER BY number", "rope.sinew")
        self.assertEqual(sorted(name for name, _ in names), sorted(held))
        self.assertIn(("rope.fusion", 8), names)

    def test_numbers_lose_nothing(self):
        self.expect(0, "run", "swing.charli", "--table", "t.csv")
        numbers = [text for row in self.rows()[1:] for text in row[2:5]]
        self.assertTrue(any(len(text) > 18 for text in numbers))
        self.assertTrue(all(text == f"{float(text):.17g}" for text in numbers))

    def test_a_stream_takes_the_table(self):
        done = self.expect(0, "run", "swing.charli", "--seconds", "0.5", "--table", "/dev/stdout")
        self.assertTrue(done.stdout.startswith("time,name,x,y,z,qx,qy,qz,qw\n0,pivot,"))
        self.assertEqual(done.stdout.count("\n"), 1 + 2 * 13 + 1)

    def test_a_table_that_cannot_be_written_is_found_before_the_run(self):
        done = self.expect(1, "run", "swing.charli", "--table", "no/where.csv")
        self.assertIn("no/where.csv: the table cannot be written: No such file or directory", done.stderr)
        self.assertEqual(self.files(), ["swing.charli"])

    def test_a_table_that_does_not_fit_is_said(self):
        done = self.expect(1, "run", "swing.charli", "--table", "/dev/full")
        self.assertIn("/dev/full: the table cannot be written: No space left on device", done.stderr)
        self.assertEqual(self.info()["status"], "complete")


class Terminal(Case):
    def run_on_terminal(self, *arguments):
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.execv(SINEW, [SINEW, *arguments])
        shown = b""
        while select.select([terminal], [], [], LIMIT_S)[0]:
            try:
                shown += os.read(terminal, 4096)
            except OSError:
                break
        os.waitpid(pid, 0)
        os.close(terminal)
        return shown.decode()

    def test_a_long_run_shows_a_bar_with_the_remaining_time_and_takes_it_away(self):
        self.write("chain.charli", CHAIN)
        shown = self.run_on_terminal("run", "chain.charli", "-D", "links=100", "--fps", "1000", "--seconds", "6")
        self.assertRegex(shown, r"\r\x1b\[K\[=* *\] frame \d+ of 6000, \d+:\d\d left")
        self.assertRegex(shown, r"\r\x1b\[Kchain\.sinew: 6001 frames")

    def test_a_short_run_shows_none(self):
        self.assertNotIn("left", self.run_on_terminal("run", "swing.charli", "--seconds", "0.2"))


class Imports(Case):
    def setUp(self):
        super().setUp()
        self.source = (ROOT / "examples/plugins/shaker.c").read_text()
        self.write("shaker.charli", (ROOT / "examples/plugins/shaker.charli").read_text())

    def build(self, source, name="shaker.so"):
        self.write("plugin.c", source)
        subprocess.run(["cc", "-shared", "-fPIC", "-std=c99", "-Wall", "-Wextra", "-Werror", "-I", ROOT / "include",
                        "plugin.c", "-o", name, "-lm"], cwd=self.folder, check=True, timeout=LIMIT_S)
        return name

    def bind(self, shake, brake):
        return "run", "shaker.charli", "--import", f"shake={shake}", "--import", f"brake={brake}"

    def test_the_example_stands_upright(self):
        library = self.build(self.source)
        self.expect(0, *self.bind(library, library), "--table", "t.csv")
        with open(self.folder / "t.csv") as file:
            last = list(csv.DictReader(file))[-1]
        self.assertGreater(float(last["y"]), 0.2)
        self.assertEqual([name for name, _ in self.query("SELECT * FROM imports ORDER BY name", "shaker.sinew")],
                         ["brake", "shake"])

    def test_names_that_do_not_match_are_all_listed_and_nothing_is_loaded(self):
        done = self.expect(1, "run", "shaker.charli", "--import", "shak=there/is/none.so")
        self.assertIn("shaker.charli:3:8: nothing is bound to the import 'shake'", done.stderr)
        self.assertIn("    3 | import shake, brake;\n", done.stderr)
        self.assertIn("shaker.charli:3:15: nothing is bound to the import 'brake'", done.stderr)
        self.assertIn("--import shak=there/is/none.so: the script has no import 'shak'", done.stderr)
        self.assertIn("hint: its imports are shake, brake", done.stderr)
        done = self.expect(1, "run", "swing.charli", "--import", "f=f.so")
        self.assertIn("hint: it imports nothing: leave the option out", done.stderr)
        self.assertEqual([name for name in self.files() if name.endswith(".sinew")], [])

    def test_libraries_that_do_not_serve_are_named_with_the_reason(self):
        good = self.build(self.source)
        other = self.build(self.source.replace("SINEW_IMPORT(brake)", "SINEW_IMPORT(breaks)"), "other.so")
        bare = self.build("int f(void) { return 0; }\n", "bare.so")
        old = self.build(self.source.replace("SINEW_IMPORT_LIBRARY",
                                             "int sinew_import_version(void);\n"
                                             "int sinew_import_version(void) { return 7; }"), "old.so")
        for library, words in (("no.so", "there is no such file"), (".", "there is no such file"),
                               ("shaker.charli", "cannot be loaded: "),
                               (bare, "it has no symbol 'sinew_import_version'"),
                               (old, "was made for version 7 of sinew/import.h, this is 1"),
                               (other, "has no symbol 'sinew_import_brake'")):
            with self.subTest(library):
                done = self.expect(1, *self.bind(good, library))
                self.assertIn(f"--import brake={library}: ", done.stderr)
                self.assertIn(words, done.stderr)
                self.assertIn("hint: ", done.stderr)
        self.assertFalse((self.folder / "shaker.sinew").exists())

    def test_reading_a_script_runs_no_native_code(self):
        self.build(self.source + "\n#include <stdlib.h>\n__attribute__((constructor)) static void harm(void)\n"
                   "{ exit(99); }\n", "shake")
        for name in ("shake.so", "libshake.so", "brake", "brake.so"):
            shutil.copy(self.folder / "shake", self.folder / name)
        self.expect(0, "check", "shaker.charli")
        self.expect(1, "run", "shaker.charli")
        self.expect(1, "run", "shaker.charli", "--import", "shake=shake")
        self.expect(99, *self.bind("shake", "shake"))

    def test_an_import_without_a_value_stops_the_run(self):
        library = self.build(self.source.replace("return 0;\n}\n\n/*", "return input->time > 1;\n}\n\n/*"))
        done = self.run_sinew(*self.bind(library, library))
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stderr, "hint: ")
        self.assertGreaterEqual(self.info("shaker.sinew")["frames"], 24)

    def test_derivatives_may_be_left_out(self):
        library = self.build(self.source.replace("output->known_derivatives = 2;", ""))
        self.expect(0, *self.bind(library, library))

    def test_another_library_is_another_run(self):
        library = self.build(self.source)
        self.expect(0, *self.bind(library, library), "--seconds", "1")
        self.build(self.source.replace("speed = 60", "speed = 70"))
        done = self.expect(1, *self.bind(library, library), "--resume")
        self.assertIn("shaker.sinew: was made with --import brake=shaker.so (", done.stderr)


class Info(Case):
    def test_a_recording_is_told(self):
        self.expect(0, "run", "swing.charli", "-D", "length=2")
        text = self.expect(0, "info", "swing.sinew").stdout
        for pattern in (r"^swing\.sinew: 49 frames, 0 to 2 s at 24 a second, complete\n", r"script +swing\.charli -D length=2",
                        r"made by +sinew \d", r"holds +2 objects, [\d.]+ kB, [\d.]+ k?B?(ytes)?", r"steps +\d+, ",
                        r"constraints +hold to ", r"energy +", r"time +[\d.e-]+ s of stepping",
                        r" +making [\d.e-]+ s, stepping [\d.e-]+ s, taking frames [\d.e-]+ s, writing ", r"state +[0-9a-f]{16} "):
            self.assertRegex(text, pattern)

    def test_json_has_the_same(self):
        self.expect(0, "run", "swing.charli")
        info = self.info()
        self.assertEqual((info["status"], info["frames"], info["last_time"], info["script"]),
                         ("complete", 49, 2, "swing.charli"))
        self.assertEqual(info["bytes"], (self.folder / "swing.sinew").stat().st_size)
        self.assertEqual(info["state_hash"], self.motion()[-1][3])
        self.assertEqual(info["steps"], self.query("SELECT sum(steps) FROM statistics")[0][0])
        self.assertLess(info["largest_energy_change"], 1e-8 * info["largest_kinetic"])
        self.assertIsNone(info["fault"])

    def test_what_is_no_recording(self):
        self.write("notes.txt", "precious")
        connection = sqlite3.connect(self.folder / "other.db")
        connection.execute("CREATE TABLE t (x)")
        connection.commit()
        connection.close()
        for name, words in (("no.sinew", "there is no such file"), ("notes.txt", "is not a recording"),
                            ("other.db", "is an SQLite file of another program"), (".", "is a folder"),
                            ("/dev/zero", "is not a plain file")):
            with self.subTest(name):
                done = self.expect(1, "info", name)
                self.assertIn(f"{name}: {words}", done.stderr)
                self.assertEqual(done.stdout, "")

    def test_a_strangers_recording_cannot_command_the_terminal(self):
        self.expect(0, "run", "swing.charli")
        self.alter("UPDATE meta SET value = 'a' || char(27) || '[2J' WHERE key IN ('script', 'version')")
        self.alter("INSERT INTO diagnostics VALUES (0, 1, 'warning', 'c', 'f' || char(27), 1, 0, 0, 'w' || char(27), "
                   "'h' || char(27), 's' || char(27))")
        self.alter("INSERT INTO remarks VALUES (0, 0, 'r' || char(27), 1, 1, 1, 'w' || char(27))")
        self.alter("DELETE FROM meta WHERE key LIKE 'checksum%'")  # as older versions wrote it
        self.assertNotIn("\x1b", self.expect(0, "info", "swing.sinew").stdout)

    @unittest.skipUnless(shutil.which("zstd"), "needs the program zstd")
    def test_the_program_in_the_guide_reads_frames(self):
        page = (ROOT / "docs/guide/recording.md").read_text()
        self.write("read.py", re.search(r"```python\n(.*?)```", page, re.S)[1])
        self.expect(0, "run", "swing.charli", "--exact", "--table", "t.csv")
        done = subprocess.run([sys.executable, "read.py", "swing.sinew", "31"], cwd=self.folder, capture_output=True,
                              text=True, timeout=LIMIT_S, check=True)
        moment, places = eval(done.stdout)
        with open(self.folder / "t.csv") as file:
            rows = [row for row in csv.DictReader(file) if float(row["time"]) == moment]
        self.assertEqual((moment, len(rows)), (31 / 24, 2))
        for row in rows:
            self.assertEqual(places[row["name"]], (float(row["x"]), float(row["y"]), float(row["z"])))

    def test_the_queries_of_the_guide_are_answered(self):
        self.expect(0, "run", "swing.charli")
        queries = re.findall(r'(?m)^sqlite3 swing\.sinew "(.*?)"', (ROOT / "docs/guide/recording.md").read_text())
        self.assertGreater(len(queries), 3)
        for query in queries:
            self.query(query)
        for table, columns in re.findall(r"(?m)^\| `(\w+)` \| ([\w, ]+) \|", (ROOT / "docs/guide/recording.md").read_text()):
            self.query(f"SELECT {columns} FROM {table}")

    def test_it_reads_in_a_folder_that_cannot_be_written(self):
        self.expect(0, "run", "swing.charli")
        closed = self.folder / "closed"
        closed.mkdir()
        shutil.copy(self.folder / "swing.sinew", closed / "swing.sinew")
        program = shutil.copy(SINEW, self.folder / "sinew")
        closed.chmod(0o555)
        for folder in (self.folder, self.folder.parent):
            os.chmod(folder, 0o755)
        done = subprocess.run([program, "info", "closed/swing.sinew"], cwd=self.folder, capture_output=True, text=True,
                              timeout=LIMIT_S, **self.as_nobody())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("49 frames", done.stdout)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    SINEW = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
