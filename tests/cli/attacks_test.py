#!/usr/bin/env python3
"""Attacks on the program from outside: attacks_test.py SINEW [COUNT]

Strangers' recordings, damaged ones, impossible numbers, libraries laid in the way, too little memory, signals in the
middle of a slow step, other processors. Nothing may crash, hang, believe what is not so, or end late. COUNT is how many
random cases each campaign tries; SINEW_SEED repeats them.
"""
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SINEW = ""
COUNT = 12
SEED = int(os.environ.get("SINEW_SEED", random.SystemRandom().randrange(2**31)))
LIMIT_S = 120

CRATE = """\
def floor_plane obstacle(); plane(0, 1, 0, 0); end;
def crate body(density = 1); box(1, 1, 1); end;
floor_plane;
crate translatey(2);
line(0, 0, 0, 1, 1, 0);
simulate(0 sec, 1 sec);
"""
ROPE = """\
def rope rod(line(0, 0, 0, 1, 0, 0), spans = 8, radius = 0.01, density = 500, young = 1e6); end;
rope;
simulate(0 sec, 0.5 sec);
"""
# Rows of a spring and of all contacts of the wall it leans on: one step takes many seconds.
WALL = """\
def ground obstacle(); plane(0, 1, 0, 0); end;
def brick body(density = 1800); box(0.2, 0.1, 0.1); end;
def post label(); end;
ground;
p = post translate(0, 2, 0);
first = brick translate(0, 0.05, 0);
spring_and_damper(first, p, 1.95, 10000, 10); # stiff enough to join the wall to the rows
for k in 1..7 brick translate(0.2 * k, 0.05, 0); end;
for row in 1..5
    for k in 0..7 brick translate(0.2 * k + 0.1 * mod(row, 2), 0.05 + 0.1 * row, 0); end;
end;
simulate(0 sec, 200 sec, step = 1/240);
"""
# A step that no clock runs out of: every frame takes millions of them.
SMALL_STEPS = CRATE.replace("simulate(0 sec, 1 sec)", "simulate(0 sec, 1 sec, step = 1e-8)")


class Attacks(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sinew-attacks-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.random = random.Random(SEED)

    def sinew(self, *arguments, status=None, env=None, limit=None, **more):
        done = subprocess.run([SINEW, *map(str, arguments)], cwd=self.folder, capture_output=True, timeout=LIMIT_S,
                              env={**os.environ, **(env or {})}, preexec_fn=limit, **more)
        text = (done.stdout + done.stderr).decode(errors="replace")
        self.assertIn(done.returncode, (0, 1, 2, 3), f"{arguments}: {done.returncode}\n{text}")
        if status is not None:
            self.assertEqual(done.returncode, status, f"{arguments}\n{text}")
        return text

    def record(self, script, name="r.sinew", *options):
        (self.folder / "s.charli").write_text(script)
        self.sinew("run", "s.charli", "--out", name, *options, status=0)
        return self.folder / name

    def change(self, path, *statements, forges=True):
        """As a stranger would: without the checksums, which older versions did not write."""
        with sqlite3.connect(path) as file:
            if forges:
                file.execute("DELETE FROM meta WHERE key LIKE 'checksum%'")
            for statement in statements:
                file.execute(statement)
        file.close()

    def test_libraries_of_this_folder_are_not_loaded(self):
        if not shutil.which("cc"):
            self.skipTest("there is no C compiler")
        needed = subprocess.run(["ldd", SINEW], capture_output=True, text=True).stdout
        names = re.findall(r"(lib(?:fmt|tbb|zstd|sqlite3|png16|embree3)\S*) =>", needed)
        code = "#include <unistd.h>\n__attribute__((constructor)) static void f(void) { _exit(42); }\n"
        for name in names:
            subprocess.run(["cc", "-xc", "-", "-shared", "-fPIC", "-o", self.folder / name], input=code, text=True, check=True)
        self.assertTrue(names)
        self.sinew("--version", status=0)

    def test_frames_that_do_not_belong_to_the_script_are_refused(self):
        for script, changes in ((CRATE, ("DELETE FROM drawings", "UPDATE drawings SET point_count = 0",
                                         "UPDATE drawings SET point_count = 1", "DELETE FROM objects WHERE number > 1",
                                         "UPDATE scripts SET text = replace(text, 'crate translatey', 'crate; crate translatey')",
                                         "UPDATE scripts SET text = replace(text, 'simulate', 'line(0,0,0,1,0,0); simulate')")),
                                (ROPE, ("DELETE FROM strands", "UPDATE strands SET node_count = 2"))):
            good = self.record(script, "good.sinew")
            for change in changes:
                bad = self.folder / "bad.sinew"
                shutil.copy(good, bad)
                self.change(bad, change)
                for command in (("export", bad, "out.usda"), ("export", bad, "out.csv"), ("export", bad, "out.glb"),
                                ("render", bad, "out.png", "--size", "32x32", "--samples", "1")):
                    with self.subTest(change=change, command=command[0], out=command[2]):
                        self.assertIn("frames", self.sinew(*command, status=1))

    def test_a_changed_script_is_found(self):
        path = self.record(CRATE)
        data = path.read_bytes()
        self.assertEqual(data.count(b"box(1, 1, 1)"), 1)
        path.write_bytes(data.replace(b"box(1, 1, 1)", b"box(7, 1, 1)"))
        for command in (("export", path, "out.usda"), ("render", path, "out.png"), ("info", path), ("run", path)):
            self.assertIn("damaged", self.sinew(*command, status=1))

    def test_recordings_do_not_command_the_terminal(self):
        path = self.record(CRATE)
        self.change(path, "UPDATE meta SET value = 'a\x1b]0;x\x07\u009b31m\u202eb' WHERE key IN ('script', 'version')",
                    "UPDATE scripts SET name = 'e\x1b[2Jvil\u009b', text = 'nonsense \x1b[31m;'")
        for command in (("info", path), ("export", path, "o.csv"), ("run", path), ("render", path, "o.png")):
            self.assertNotRegex(self.sinew(*command), "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")

    def test_claims_about_counts_are_not_believed(self):
        good = self.record(CRATE, "good.sinew", "--seconds", "0.2")
        for change in ("UPDATE meta SET value = 1e308 WHERE key = 'end'", "UPDATE meta SET value = 1e300 WHERE key = 'frame_rate'",
                       "UPDATE meta SET value = 1e18 WHERE key = 'end'",
                       "UPDATE frames SET number = 999999999 WHERE number = 4",
                       "UPDATE statistics SET frame = 999999999 WHERE frame = 4"):
            bad = self.folder / "bad.sinew"
            shutil.copy(good, bad)
            changes = [change] if "number" not in change else [change, "UPDATE statistics SET frame = 999999999 WHERE frame = 4"]
            self.change(bad, *changes)
            for command in (("run", bad, "--out", "again.sinew"), ("render", bad, "out.png", "--size", "32x32", "--samples", "1"), ("info", bad)):
                with self.subTest(change=change, command=command[0]):
                    self.sinew(*command)

    def test_damage_is_found_and_mended(self):
        good = self.record(CRATE, "good.sinew")
        self.assertIn("whole", self.sinew("info", good, "--check", status=0))
        want = json.loads(self.sinew("info", good, "--json", status=0))["state_hash"]
        for change in ("UPDATE frames SET block = zeroblob(length(block)) WHERE number = 5", "DELETE FROM frames WHERE number = 5"):
            bad = self.folder / "bad.sinew"
            shutil.copy(good, bad)
            self.change(bad, change, forges=False)
            self.sinew("info", bad, "--check", status=1)
            self.assertIn("made again", self.sinew("run", "s.charli", "--out", bad, "--resume", status=0))
            self.sinew("info", bad, "--check", status=0)
            self.assertEqual(json.loads(self.sinew("info", bad, "--json"))["state_hash"], want)
        self.change(good, "UPDATE statistics SET kinetic = 17 WHERE frame = 3", forges=False)
        self.assertIn("statistics", self.sinew("info", good, status=1))

    def test_random_damage_ends_with_a_message(self):
        good = self.record(CRATE, "good.sinew").read_bytes()
        for case in range(COUNT):
            data = bytearray(good)
            for _ in range(self.random.choice((1, 1, 8, 200))):
                data[self.random.randrange(len(data))] = self.random.randrange(256)
            bad = self.folder / "bad.sinew"
            bad.write_bytes(data)
            for command in (("info", bad, "--check"), ("export", bad, "out.usda"),
                            ("render", bad, "out.png", "--size", "32x32", "--samples", "1", "--frame", "3")):
                with self.subTest(case=case, command=command[0]):
                    self.sinew(*command)

    def test_impossible_numbers_end_with_a_message(self):
        scripts = [CRATE, ROPE, (ROOT / "examples/fig03_triple_pendulum.charli").read_text()]
        numbers = ("0", "-1", "1e-320", "1e308", "-1e308", "1e18", "0/0", "1/0")
        for case in range(COUNT):
            script = self.random.choice(scripts)
            place = self.random.choice(list(re.finditer(r"(?<![\w.])\d+(\.\d+)?", script)))
            text = script[:place.start()] + self.random.choice(numbers) + script[place.end():]
            (self.folder / "n.charli").write_text(text)
            with self.subTest(case=case, text=text):
                begin = subprocess.Popen([SINEW, "run", "n.charli", "--seconds", "0.1", "--out", "n.sinew"], cwd=self.folder,
                                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                try:
                    begin.wait(15)
                except subprocess.TimeoutExpired: # it may take its time, but must let itself be stopped
                    begin.send_signal(signal.SIGTERM)
                    begin.wait(15)
                self.assertIn(begin.returncode, (0, 1, 2, 3), begin.stderr.read())
                begin.stderr.close()

    def test_steps_that_no_clock_can_count_are_refused(self):
        for span in ("0, 1, step = 1e-320", "0, 1, step = 1e-300", "1e17, 1e17 + 100", "0, 1, step = 1e-17"):
            (self.folder / "s.charli").write_text(re.sub(r"simulate\(.*\)", f"simulate({span})", CRATE))
            self.assertIn("too small for a clock", self.sinew("run", "s.charli", status=1))

    def test_too_little_memory_is_a_message(self):
        (self.folder / "s.charli").write_text(CRATE.replace("crate translatey(2);", "for k in 1..60000 crate translatey(2 * k); end;"))
        limit = 400 << 20
        text = self.sinew("run", "s.charli", status=1, limit=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        self.assertIn("memory", text)

    def end_s(self, script, wait_s, signals, *options):
        """Seconds from the last signal to the end of a run."""
        (self.folder / "slow.charli").write_text(script)
        run = subprocess.Popen([SINEW, "run", "slow.charli", "--out", "slow.sinew", *options], cwd=self.folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            time.sleep(wait_s)
            self.assertIsNone(run.poll(), "it was not slow")
            for each in signals:
                begin = time.monotonic()
                run.send_signal(each)
                time.sleep(0.05)
            run.wait(LIMIT_S)
            return time.monotonic() - begin, run.returncode
        finally:
            run.kill()
            run.wait()

    def test_a_slow_step_ends_when_it_is_told_to(self):
        for name, script in (("wall", WALL), ("small steps", SMALL_STEPS)):
            for signals in ((signal.SIGINT,), (signal.SIGTERM,)):
                with self.subTest(scene=name, signals=signals):
                    seconds, status = self.end_s(script, 2, signals)
                    print(f"{name}: {signals[-1].name} to the end {seconds:.2f} s")
                    self.assertEqual(status, 3)
                    self.assertLess(seconds, 15) # of a machine that may be very busy; 1 s of a quiet one
                    self.sinew("info", "slow.sinew", status=0)

    def test_what_was_stopped_goes_on_with_the_same_bits(self):
        self.record(CRATE, "whole.sinew", "--seconds", "3")
        want = json.loads(self.sinew("info", "whole.sinew", "--json"))["state_hash"]
        (self.folder / "s.charli").write_text(CRATE)
        for _ in range(40):
            run = subprocess.Popen([SINEW, "run", "s.charli", "--seconds", "3", "--out", "r.sinew", "--resume"],
                                   cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(self.random.uniform(0.01, 0.2))
            run.send_signal(signal.SIGINT)
            run.wait(LIMIT_S)
        self.sinew("run", "s.charli", "--seconds", "3", "--out", "r.sinew", "--resume", status=0)
        self.assertEqual(json.loads(self.sinew("info", "r.sinew", "--json"))["state_hash"], want)

    def test_the_same_bits_on_other_processors(self):
        """The C library chooses its functions by the processor; ours are the same on all."""
        other = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX2_Usable,-FMA_Usable,-AVX,-AVX_Usable"}
        names = ["fig03_triple_pendulum", "four_bar", "chain", "bobblehead"]
        if COUNT > 100:
            names = sorted(path.stem for path in (ROOT / "examples").glob("*.charli"))
        for name in names:
            def hash_of(out, env=None):
                self.sinew("run", ROOT / f"examples/{name}.charli", "--seconds", "1", "--out", out, env=env)
                return json.loads(self.sinew("info", out, "--json"))["state_hash"]
            with self.subTest(example=name):
                self.assertEqual(hash_of("here.sinew"), hash_of("there.sinew", other))

    def test_the_same_bits_on_an_old_processor(self):
        emulator = shutil.which("qemu-x86_64")
        if not emulator:
            self.skipTest("there is no qemu-user")
        script = ROOT / "examples/fig03_triple_pendulum.charli"
        self.sinew("run", script, "--seconds", "0.5", "--out", "here.sinew", status=0)
        subprocess.run([emulator, "-cpu", "Nehalem", SINEW, "run", script, "--seconds", "0.5", "--threads", "1", "--out",
                        "there.sinew"], cwd=self.folder, check=True, capture_output=True, timeout=600)
        here, there = (json.loads(self.sinew("info", f"{name}.sinew", "--json"))["state_hash"] for name in ("here", "there"))
        self.assertEqual(here, there)


if __name__ == "__main__":
    SINEW = str(pathlib.Path(sys.argv[1]).resolve())
    COUNT = int(sys.argv[2]) if len(sys.argv) > 2 and sys.argv[2].isdigit() else COUNT
    rest = [argument for argument in sys.argv[2:] if not argument.isdigit()]
    print(f"seed {SEED} (SINEW_SEED={SEED} repeats it)", flush=True)
    unittest.main(argv=[sys.argv[0], *rest])
