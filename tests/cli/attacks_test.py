#!/usr/bin/env python3
"""Attacks on the program from outside: attacks_test.py SINEW [COUNT]

Strangers' recordings, damaged ones, impossible numbers, libraries laid in the way, too little memory, signals in the
middle of a slow step, other processors. Nothing may crash, hang, believe what is not so, or end late. COUNT is how many
random cases each campaign tries; SINEW_SEED repeats them. strangers_test.py has those of strangers' files.
"""
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from attack import CRATE, HOPELESS, LIMIT_S, ROOT, ROPE, SMALL_STEPS, WALL, Attack, main  # noqa: E402
from viewer_client import Page, Server  # noqa: E402


class Attacks(Attack):
    def test_libraries_of_this_folder_are_not_loaded(self):
        if not shutil.which("cc"):
            self.skipTest("there is no C compiler")
        needed = subprocess.run(["ldd", self.program], capture_output=True, text=True).stdout
        names = re.findall(r"(lib(?:fmt|tbb|zstd|sqlite3|png16|embree3)\S*) =>", needed)
        code = "#include <unistd.h>\n__attribute__((constructor)) static void f(void) { _exit(42); }\n"
        for name in names:
            subprocess.run(["cc", "-xc", "-", "-shared", "-fPIC", "-o", self.folder / name], input=code, text=True, check=True)
        self.assertTrue(names)
        self.sinew("--version", status=0)

    def test_the_program_is_hardened(self):
        if not shutil.which("readelf"):
            self.skipTest("there is no readelf")
        facts = subprocess.run(["readelf", "-hldW", "--dyn-syms", self.program], capture_output=True, text=True, check=True).stdout
        for name, pattern in (("position independent", r"Type:\s+DYN"), ("relocations are read only", "GNU_RELRO"), ("and all at once", "BIND_NOW"),
                              ("no code on the stack", r"GNU_STACK\s.*\sRW\s"), ("canaries", "__stack_chk_fail"), ("checked copies", r"UND __\w+_chk@")):
            self.assertTrue(re.search(pattern, facts), name)
        self.assertFalse("TEXTREL" in facts)
        code = pathlib.Path(self.program).read_bytes()
        if os.uname().machine == "x86_64":
            self.assertGreater(code.count(b"\xf3\x0f\x1e\xfa"), 5000, "targets of branches are marked")
        self.assertFalse(bytes(ROOT) in code, "it says where it was built")

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
                with self.subTest(change=change, command="view"):
                    self.assertIn("frames do not belong to its script", self.problems_in_the_viewer(bad))

    def problems_in_the_viewer(self, path, text=None):
        """What a page is told of a file, or of a text that is typed into it; the server must live on."""
        server = Server(self.program, str(path))
        try:
            with Page(server) as page:
                if text is not None:
                    page.wait("scene")
                    page.send("script", text=text)
                found = page.wait("problems", lambda problems: problems["list"])["list"]
                page.send("seek", frame=3)
                page.send("play")
                page.wait("status")
        finally:
            status, _ = server.stop()
        self.assertEqual(status, 0)
        return " ".join(problem["message"] for problem in found)

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
        for command in (("info", path), ("info", path, "--json"), ("export", path, "o.csv"), ("run", path), ("render", path, "o.png")):
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
        for change in ("UPDATE frames SET block = zeroblob(length(block)) WHERE number = 5", "DELETE FROM frames WHERE number = 5",
                       "UPDATE snapshots SET block = zeroblob(length(block))", "UPDATE statistics SET kinetic = 17 WHERE frame = 3",
                       "UPDATE contacts SET impulse = 17", "INSERT INTO diagnostics (number, frame, what) VALUES (7, NULL, 'x'), (8, -1, 'x')"):
            bad = self.folder / "bad.sinew"
            shutil.copy(good, bad)
            self.change(bad, change, forges=False)
            self.sinew("info", bad, "--check", status=1)
            self.assertIn("computed again", self.sinew("run", "s.charli", "--out", bad, "--resume", status=0))
            self.sinew("info", bad, "--check", status=0)
            self.assertEqual(json.loads(self.sinew("info", bad, "--json"))["state_hash"], want)
        self.change(good, "UPDATE statistics SET kinetic = 17 WHERE frame = 3", forges=False)
        self.assertIn("statistics", self.sinew("info", good, status=1))

    def test_random_damage_ends_with_a_message(self):
        good = self.record(CRATE, "good.sinew").read_bytes()
        for case in self.cases(self.count):
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
        for case in self.cases(self.count):
            script = self.random.choice(scripts)
            place = self.random.choice(list(re.finditer(r"(?<![\w.])\d+(\.\d+)?", script)))
            text = script[:place.start()] + self.random.choice(numbers) + script[place.end():]
            (self.folder / "n.charli").write_text(text)
            with self.subTest(case=case, text=text):
                begin = subprocess.Popen([self.program, "run", "n.charli", "--seconds", "0.1", "--out", "n.sinew"], cwd=self.folder,
                                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                try:
                    begin.wait(15)
                except subprocess.TimeoutExpired: # it may take its time, but must let itself be stopped
                    begin.send_signal(signal.SIGTERM)
                    begin.wait(15)
                self.assertIn(begin.returncode, (0, 1, 2, 3), begin.stderr.read())
                begin.stderr.close()

    def test_failed_system_calls_lose_no_frame(self):
        """Every kind of writing fails once or from then on; what is left goes on to the same end."""
        if not shutil.which("strace"):
            self.skipTest("there is no strace")
        self.record(CRATE, "whole.sinew")
        want = json.loads(self.sinew("info", "whole.sinew", "--json"))["state_hash"]
        paths = [word for ending in ("", "-wal", "-shm", "-journal", ".new", ".new-wal", ".new-shm", ".new-journal")
                 for word in ("-P", self.folder / f"r.sinew{ending}")]
        for case in self.cases(self.count):
            call, at = self.random.choice((("pwrite64", 200), ("fdatasync", 30), ("fsync", 4), ("ftruncate", 4), ("openat", 8), ("rename", 2),
                                           ("unlink", 4)))
            fault = f"{call}:error={self.random.choice(('EIO', 'ENOSPC', 'EDQUOT'))}:when={self.random.randint(1, at)}{self.random.choice(('', '+'))}"
            for path in self.folder.glob("r.sinew*"):
                path.unlink()
            with self.subTest(case=case, fault=fault):
                done = subprocess.run(["strace", "-f", "-qq", "-o", "/dev/null", *paths, "-e", f"inject={fault}", self.program, "run", "s.charli", "-q",
                                       "--out", "r.sinew"], cwd=self.folder, capture_output=True, timeout=LIMIT_S)
                self.assertIn(done.returncode, (0, 1, 3), done.stderr)
                self.sinew("run", "s.charli", "--out", "r.sinew", "--resume", status=0)
                self.assertEqual(json.loads(self.sinew("info", "r.sinew", "--json"))["state_hash"], want)
                self.sinew("info", "r.sinew", "--check", status=0)

    def test_random_command_lines_end_with_a_status(self):
        self.record(CRATE, "r.sinew", "--seconds", "0.1")
        words = ["check", "run", "info", "export", "render", "help", "examples", "format", "plan", "join", "doctor", "completions", "new", "--json", "-q",
                 "--out", "o.sinew", "o.usda", "o.png", "s.charli", "r.sinew", "none", "-", "--", "--threads", "0", "-1", "1e99", "--seconds", "nan",
                 "0.1", "--fps", "--frame", "999999999999", "--size", "1x1", "0x0", "--samples", "1", "-D", "a=1", "=", "\u202e", "", "x" * 5000, "--resume"]
        for case in self.cases(4 * self.count):
            line = self.random.choices(words, k=self.random.randrange(1, 7))
            with self.subTest(case=case, line=line):
                self.sinew(*line, stdin=subprocess.DEVNULL)

    def test_files_that_never_end_are_refused(self):
        os.mkfifo(self.folder / "pipe.charli")
        os.symlink("/dev/zero", self.folder / "zero.charli")
        os.symlink("/etc/passwd", self.folder / "passwd.charli")
        with open(self.folder / "huge.charli", "wb") as huge:
            huge.truncate(5 << 30)
        (self.folder / "bomb.charli").write_text('include "bomb.charli"; include "bomb2.charli";')
        (self.folder / "bomb2.charli").write_text('include "bomb.charli"; include "bomb2.charli";')
        for name in ("zero", "passwd", "huge", "pipe"):
            (self.folder / f"by_{name}.charli").write_text(f'include "{name}.charli";\ndef m mass(1); end;\nm;\n')
            self.assertNotIn("root:", self.sinew("check", f"by_{name}.charli", status=1))
        self.sinew("check", "zero.charli", status=1)
        self.sinew("check", "huge.charli", status=1)
        self.sinew("check", "bomb.charli", status=1)

    def spent_s(self, *arguments, status):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.sinew(*arguments, status=status)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def test_what_cannot_go_on_says_so_soon(self):
        for name, script in HOPELESS.items():
            (self.folder / "s.charli").write_text(script)
            with self.subTest(name):
                self.assertLess(self.spent_s("run", "s.charli", "--out", "r.sinew", status=None), 10)

    def test_ten_thousand_coordinates_begin_soon(self):
        (self.folder / "s.charli").write_text("def bob mass(1); end;\n" + "".join(
            f"dynamic q{k}; q{k} = initial(0, 0); bob translatex({k}) translatey(q{k});\n" for k in range(10000)) + "simulate(0, 1);\n")
        self.assertLess(self.spent_s("run", "s.charli", "--seconds", "0.05", "--out", "r.sinew", status=0), 5)

    def test_a_missing_end_is_found_soon(self):
        text = (ROOT / "examples/jungle.charli").read_text()
        at = text.rindex("end;")
        (self.folder / "s.charli").write_text(text[:at] + text[at + 4:])
        self.assertLess(self.spent_s("check", "s.charli", status=1), 10)

    def test_steps_that_no_clock_can_count_are_refused(self):
        for span in ("0, 1, step = 1e-320", "0, 1, step = 1e-300", "1e17, 1e17 + 100", "0, 1, step = 1e-17"):
            (self.folder / "s.charli").write_text(re.sub(r"simulate\(.*\)", f"simulate({span})", CRATE))
            self.assertIn("too small for a clock", self.sinew("run", "s.charli", status=1))
        (self.folder / "v.charli").write_text(CRATE)
        typed = CRATE.replace("1 sec)", "1 sec, step = 1e-320)")
        self.assertIn("too small for a clock", self.problems_in_the_viewer(self.folder / "v.charli", typed))

    def test_too_little_memory_is_a_message(self):
        (self.folder / "s.charli").write_text(CRATE.replace("crate translatey(2);", "for k in 1..60000 crate translatey(2 * k); end;"))
        limit = 400 << 20
        text = self.sinew("run", "s.charli", status=1, limit=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        self.assertIn("memory", text)

    def test_files_of_others_beside_the_result_stay(self):
        path = self.record(CRATE)
        for command, out, ending in ((("export", path), "o.usda", ".part"), (("export", path), "o.csv", ".part"),
                                     (("render", path), "o.png", ".part"), (("run", "s.charli", "--out"), "o.sinew", ".new")):
            mine, link, victim = (self.folder / name for name in (out + ending, "l" + out + ending, "victim"))
            mine.write_text("mine")
            victim.write_text("mine")
            link.symlink_to(victim)
            more = ("--size", "16x16", "--samples", "1") if command[0] == "render" else ()
            for name in (out, "l" + out):
                self.sinew(*command, name, *more, status=0)
                self.assertTrue((self.folder / name).is_file() and not (self.folder / name).is_symlink())
            self.assertEqual((mine.read_text(), victim.read_text(), link.is_symlink()), ("mine", "mine", True), out)
            link.unlink()
        os.mkfifo(self.folder / "pipe.png")
        self.assertIn("take its place", self.sinew("render", path, "pipe.png", "--size", "16x16", status=1))
        (self.folder / "l.sinew-lock").write_text("mine")
        self.assertIn("l.sinew-lock", self.sinew("run", "s.charli", "--out", "l.sinew", status=1))

    def test_what_begins_nowhere_is_not_recorded(self):
        (self.folder / "s.charli").write_text(CRATE.replace("box(1, 1, 1)", "cone(1e308, 1e308)"))
        self.assertIn("does not start at a finite place", self.sinew("run", "s.charli", "--out", "r.sinew", status=1))
        self.assertFalse((self.folder / "r.sinew").exists())

    def test_a_program_is_no_script(self):
        shutil.copy(self.program, self.folder / "s.charli")
        text = self.sinew("check", "s.charli", status=1)
        self.assertIn("is not a text", text)
        self.assertLess(len(text), 500)

    def test_a_machine_that_computes_otherwise_does_not_go_on(self):
        path = self.record(CRATE, "r.sinew", "--seconds", "0.2")
        self.change(path, "UPDATE meta SET value = '0123456789abcdef' WHERE key = 'arithmetic'")
        self.assertIn("arithmetic gives other bits", self.sinew("run", "s.charli", "--out", path, "--resume", status=1))

    def test_more_pairs_than_memory_holds_are_refused(self):
        crates = CRATE.replace("crate translatey(2);", "for k in 1..3000 crate translatey(2); end;")
        ropes = ROPE.replace("spans = 8", "spans = 2000").replace("\nrope;", "\nfor k in 1..20 rope; end; rods(contact = all);")
        hairs = ("def s strand(line(0, 0, 0, 1, 0, 0), segments = 20); radius(5 mm); end;\nstrands(touch = each_other);\nsimulate(0, 1);\n"
                 "for k in 1..1500 s translate(0, 0.0001 * mod(k, 40), 0.0001 * floor(k / 40)); end;\n")
        for script, most in ((crates, "2000000 pairs of shapes"), (ropes, "2000000 pairs"), (hairs, "500000 pairs of strands")):
            (self.folder / "s.charli").write_text(script)
            text = self.sinew("run", "s.charli", status=1)
            self.assertIn(f"more than {most}", text)
            self.assertIn("hint: move apart", text)

    def end_s(self, script, wait_s, signals, *options):
        """Seconds from the last signal to the end of a run."""
        (self.folder / "slow.charli").write_text(script)
        run = subprocess.Popen([self.program, "run", "slow.charli", "--out", "slow.sinew", *options], cwd=self.folder,
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

    def test_a_slow_start_ends_when_it_is_told_to(self):
        """A long span of time in which lengths of constraints are searched for zeros before the first frame."""
        crane = (ROOT / "examples/crane.charli").read_text()
        seconds, _ = self.end_s(crane, 1, (signal.SIGINT,), "--seconds", "100000")
        self.assertLess(seconds, 5) # of a machine that may be very busy; 1 s of a quiet one

    def test_the_second_signal_ends_at_once(self):
        """Of whatever kind; both come before the program can take another step."""
        (self.folder / "s.charli").write_text(CRATE)
        for pair in ((signal.SIGINT, signal.SIGTERM), (signal.SIGTERM, signal.SIGHUP)):
            run = subprocess.Popen([self.program, "run", "s.charli", "--seconds", "100000", "--out", "r.sinew"], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                time.sleep(1)
                for each in (signal.SIGSTOP, *pair, signal.SIGCONT):
                    run.send_signal(each)
                self.assertIn(-run.wait(LIMIT_S), pair)
            finally:
                run.kill()
                run.wait()
            self.sinew("info", "r.sinew", status=0)

    def test_what_was_stopped_goes_on_with_the_same_bits(self):
        self.record(CRATE, "whole.sinew", "--seconds", "3")
        want = json.loads(self.sinew("info", "whole.sinew", "--json"))["state_hash"]
        (self.folder / "s.charli").write_text(CRATE)
        for _ in range(40):
            run = subprocess.Popen([self.program, "run", "s.charli", "--seconds", "3", "--out", "r.sinew", "--resume"],
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
        if self.count > 100:
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
        subprocess.run([emulator, "-cpu", "Nehalem", self.program, "run", script, "--seconds", "0.5", "--threads", "1", "--out",
                        "there.sinew"], cwd=self.folder, check=True, capture_output=True, timeout=600)
        here, there = (json.loads(self.sinew("info", f"{name}.sinew", "--json"))["state_hash"] for name in ("here", "there"))
        self.assertEqual(here, there)


if __name__ == "__main__":
    main()
