#!/usr/bin/env python3
"""Files of strangers, of every kind that the program reads: strangers_test.py SINEW [COUNT]

Recordings with a false value in every column of every table, damaged ones that are resumed, every word of the language
with impossible numbers, mutated scripts, meshes and curves, disks that end, logs of other files, messages that make no
sense to the viewer. Nothing may crash, hang, take more than its memory, or command the terminal. COUNT is how many random
cases each campaign tries; SINEW_SEED repeats them.
"""
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from attack import CRATE, LIMIT_S, ROOT, ROPE, STRAND, Attack, main, spent_s  # noqa: E402
from viewer_client import SWING, Page, Server  # noqa: E402

sys.path.insert(0, str(ROOT / "tools"))
import guide_scripts  # noqa: E402

HAIR = STRAND + "position_constraint(hair at 1 along, point(0.9, 0, 0));\nprobe(\"end\", hair.x);\nsimulate(0 sec, 0.2 sec);\n"
FALSE_VALUES = ("NULL", "-1", "0", "1", "1e308", "-1e308", "9223372036854775807", "-9223372036854775808", "4294967296", "0.5", "'text'", "''",
                "x'00'", "'\u009b31m\x1b]0;x\x07'", "printf('%.*c', 200000, 'x')", "zeroblob(1000000)")
NUMBERS = ("0", "-1", "1e-320", "1e-300", "1e308", "-1e308", "1e18", "2e9", "-2e9", "0/0", "1/0", "1e400")
MEMORY = 4 << 30
COMMANDS_TO_TERMINALS = re.compile("[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e]")
MOST_S, END_S = 10, 2  # of the processor: what takes longer is told to end, and then has this


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def reference_scripts():
    """A whole script for every word of the language."""
    return guide_scripts.scripts((ROOT / "docs/guide/words.md").read_text())


def mutated(chance, data):
    """Some bytes of it changed, taken out, doubled, or put where others were."""
    data = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 5, 40))):
        if not data:
            break
        at, length = chance.randrange(len(data)), chance.choice((1, 1, 4, 30, 400))
        kind = chance.randrange(5)
        if kind == 0:
            data[at] = chance.randrange(256)
        elif kind == 1:
            del data[at:at + length]
        elif kind == 2:
            data[at:at] = data[at:at + length]
        elif kind == 3:
            other = chance.randrange(len(data))
            data[at:at + length] = data[other:other + length]
        else:
            data[at:at] = chance.choice((b"1e400", b"-1", b"0", b"nan", b"4294967295", b"\xff\xff\xff\xff", b"\x00", b"(" * length, b"\n"))
    return bytes(data)


class Strangers(Attack):
    def ends(self, *arguments, mark, limit=limit_memory):
        """The status of a command that ends within its memory and MOST_S of the processor, by itself or soon after it is told to."""
        with self.subTest(mark, command=arguments):
            run = subprocess.Popen([self.program, *map(str, arguments)], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, preexec_fn=limit)
            most_s, text = MOST_S, None
            while text is None:
                try:
                    text = run.communicate(timeout=0.5)[0].decode(errors="replace")
                except subprocess.TimeoutExpired:
                    if spent_s(run) < most_s:
                        continue
                    if most_s > MOST_S:
                        run.kill()
                        run.communicate()
                        self.fail("it does not end")
                    run.send_signal(signal.SIGTERM)
                    most_s = spent_s(run) + END_S
            ended = (0, 1, 2, 3) if most_s == MOST_S else (0, 1, 2, 3, -signal.SIGTERM)  # `check` leaves signals as they are
            self.assertIn(run.returncode, ended, text)
            self.assertNotRegex(text, COMMANDS_TO_TERMINALS)
            return run.returncode

    def read_in_every_way(self, path, mark):
        for command in (("info", path, "--check"), ("info", path, "--json"), ("export", path, "o.csv"), ("export", path, "o.usda"), ("export", path, "o.glb"),
                        ("render", path, "o.png", "--size", "16x16", "--samples", "1"), ("run", path, "--out", "again.sinew")):
            self.ends(*command, mark=mark)

    def forgeries(self):
        """Recordings of all systems, and every change of a column of theirs."""
        for name, script in (("bodies", CRATE.replace("1 sec)", "0.3 sec)")), ("rod", ROPE), ("strand", HAIR), ("linkage", SWING.replace("4 sec", "0.3 sec"))):
            path = self.record(script, f"{name}.sinew")
            with sqlite3.connect(path) as file:
                tables = [row[0] for row in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
                places = [(table, column[1]) for table in tables for column in file.execute(f"PRAGMA table_info({table})")]
                keys = [row[0] for row in file.execute("SELECT key FROM meta")]
                filled = {table for table in tables if file.execute(f"SELECT count(*) FROM {table}").fetchone()[0]}
            file.close()
            for value in FALSE_VALUES:
                for table, column in places:
                    if table in filled and table != "meta":
                        for where in ("", " WHERE rowid = (SELECT max(rowid) FROM {0})".format(table)):
                            yield path, f"UPDATE OR REPLACE {table} SET {column} = {value}{where}"
                for key in keys:
                    yield path, f"UPDATE meta SET value = {value} WHERE key = '{key}'"
            for table in tables:
                yield path, f"DELETE FROM {table}"
                yield path, f"DROP TABLE {table}"
                yield path, f"DELETE FROM {table} WHERE rowid = (SELECT max(rowid) FROM {table})"
            yield path, "PRAGMA user_version = 2"
            yield path, "PRAGMA user_version = 4"
            yield path, "PRAGMA user_version = 99"

    def forged(self, original, change):
        """A copy with this change; None where SQLite itself refuses it."""
        bad = self.folder / "bad.sinew"
        for path in self.folder.glob("bad.sinew*"):
            path.unlink()
        shutil.copy(original, bad)
        try:
            self.change(bad, change)
        except sqlite3.Error:
            return None
        return bad

    def test_every_column_may_lie(self):
        all_of_them = list(self.forgeries())
        for case in self.cases(min(self.count, len(all_of_them))):
            original, change = self.random.choice(all_of_them)
            bad = self.forged(original, change)
            if bad is not None:
                self.read_in_every_way(bad, mark=f"{case}: {original.name}: {change}")

    def test_the_viewer_lives_on_with_lying_recordings(self):
        all_of_them = list(self.forgeries())
        for case in self.cases((self.count + 3) // 4):
            original, change = self.random.choice(all_of_them)
            bad = self.forged(original, change)
            if bad is None:
                continue
            with self.subTest(case=case, change=change):
                try:
                    server = Server(self.program, str(bad))
                except AssertionError as refused:  # a file that is no recording is refused on the command line
                    self.assertIn("hint: ", str(refused))
                    continue
                try:
                    with Page(server) as page:
                        page.send("seek", frame=2)
                        page.send("play")
                        page.send("are-you-there")
                        page.wait("notice", lambda notice: "are-you-there" in notice["text"])
                finally:
                    status, _ = server.stop()
                self.assertEqual(status, 0)

    def test_damaged_recordings_are_resumed_whole_or_not_at_all(self):
        good = self.record(CRATE, "good.sinew")
        want = json.loads(self.sinew("info", good, "--json"))["state_hash"]
        data, bad, mended = good.read_bytes(), self.folder / "bad.sinew", 0
        for case in self.cases(self.count):
            harm = bytearray(data)
            for _ in range(self.random.choice((1, 1, 8))):
                harm[self.random.randrange(len(harm))] ^= 1 << self.random.randrange(8)
            if self.random.random() < 0.2:
                del harm[self.random.randrange(len(harm)):]
            bad.write_bytes(harm)
            mark = f"case {case}"
            self.ends("info", bad, "--check", mark=mark)
            status = self.ends("run", "s.charli", "--out", bad, "--resume", mark=mark)
            with self.subTest(mark):
                if status == 0:
                    self.sinew("info", bad, "--check", status=0)
                    self.assertEqual(json.loads(self.sinew("info", bad, "--json"))["state_hash"], want)
                    mended += 1
            for path in self.folder.glob("bad.sinew*"):
                path.unlink()
        print(f"{mended} of {self.count} damaged recordings were resumed, and whole; the others refused")

    def test_impossible_numbers_in_every_word(self):
        scripts = reference_scripts() + [path.read_text() for path in sorted((ROOT / "examples").glob("fig*.charli"))]
        shutil.copytree(ROOT / "examples/meshes", self.folder / "meshes")
        for case in self.cases(2 * self.count):
            script = self.random.choice(scripts)
            places = list(re.finditer(r"(?<![\w.\"])\d+(\.\d+)?", script))
            if not places:
                continue
            place, number = self.random.choice(places), self.random.choice(NUMBERS)
            text = script[:place.start()] + number + script[place.end():]
            (self.folder / "n.charli").write_text(text)
            self.ends("run", "n.charli", "--seconds", "0.1", "--out", "n.sinew", mark=f"{case}: {text}")

    def test_mutated_scripts_are_checked(self):
        scripts = [path.read_bytes() for path in sorted((ROOT / "examples").glob("*.charli"))]
        shutil.copytree(ROOT / "examples/meshes", self.folder / "meshes")
        batch = 10
        for case in self.cases((self.count + 1) // 2 * batch):
            (self.folder / f"m{case % batch}.charli").write_bytes(mutated(self.random, self.random.choice(scripts)))
            if case % batch == batch - 1:
                self.ends("check", *(f"m{k}.charli" for k in range(batch)), mark=f"{case}")

    def files_to_read(self):
        """Meshes and curves, with a script that reads each."""
        self.record(HAIR, "hair.sinew")
        self.record(CRATE, "crate.sinew", "--seconds", "0.2")
        for recording, endings in (("hair", ("usda", "usdc", "obj", "hair", "csv")), ("crate", ("glb", "usda", "obj"))):
            for ending in endings:
                self.sinew("export", f"{recording}.sinew", f"{recording}.{ending}")
        corners = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
        faces = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))
        (self.folder / "own.ply").write_text("ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
                                             "element face 4\nproperty list uchar int vertex_indices\nend_header\n" + corners
                                             + "".join(f"3 {a} {b} {c}\n" for a, b, c in faces))
        points = [tuple(map(float, line.split())) for line in corners.splitlines()]
        (self.folder / "own.stl").write_text("solid s\n" + "".join(
            "facet normal 0 0 1\nouter loop\n" + "".join("vertex {} {} {}\n".format(*points[k]) for k in face) + "endloop\nendfacet\n"
            for face in faces) + "endsolid s\n")
        (self.folder / "own.obj").write_text("".join(f"v {line}\n" for line in corners.splitlines())
                                             + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in faces))
        shutil.copy(ROOT / "examples/meshes/tentacle.glb", self.folder)
        mesh = 'def m obstacle(); mesh("{0}"); end;\nm;\nsimulate(0, 0.05);\n'
        body = 'def m body(density = 500); mesh("{0}"); end;\nm;\nsimulate(0, 0.05);\n'
        curves = 'def hair groom("{0}"); young(1e6); end;\nhair;\nsimulate(0, 0.05);\n'
        seeds = [(path, script) for path in self.folder.iterdir()
                 for script in {".glb": (mesh, body), ".obj": (mesh, body, curves), ".ply": (mesh, body), ".stl": (mesh, body), ".hair": (curves,),
                                ".csv": (curves,), ".usda": (curves,), ".usdc": (curves,)}.get(path.suffix, ())]
        self.assertGreater(len(seeds), 12)
        return [(path.suffix, path.read_bytes(), script) for path in sorted({path for path, _ in seeds}) for other, script in seeds if other == path]

    def test_mutated_meshes_and_curves_are_read(self):
        seeds = self.files_to_read()
        for case in self.cases(4 * self.count):
            ending, data, script = self.random.choice(seeds)
            (self.folder / f"read{ending}").write_bytes(mutated(self.random, data))
            (self.folder / "s.charli").write_text(script.format(f"read{ending}"))
            self.ends("check", "s.charli", mark=f"{case}: {ending}")

    def test_the_same_bits_for_any_number_of_threads(self):
        names = ["chain", "dominoes", "tuft", "rope_bridge", "catapult"]
        for _ in self.cases(len(names)):
            name = names.pop()
            with self.subTest(name):
                found = set()
                for threads in (1, 2, 3, 4, 7, 1):
                    self.sinew("run", ROOT / f"examples/{name}.charli", "--seconds", "0.3", "--threads", threads, "--out", "t.sinew", status=0)
                    found.add(json.loads(self.sinew("info", "t.sinew", "--json"))["state_hash"])
                self.assertEqual(len(found), 1)

    def test_a_disk_that_ends_loses_no_frame(self):
        whole = self.record(CRATE, "whole.sinew")
        want, size = json.loads(self.sinew("info", whole, "--json"))["state_hash"], whole.stat().st_size
        for case in self.cases(self.count):
            room = self.random.randrange(1, 2 * size)
            for path in self.folder.glob("r.sinew*"):
                path.unlink()

            def shrink(room=room):
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
            self.ends("run", "s.charli", "--out", "r.sinew", mark=f"{case}: {room} bytes", limit=shrink)
            with self.subTest(case=case, room=room):
                self.sinew("run", "s.charli", "--out", "r.sinew", "--resume", status=0)
                self.assertEqual(json.loads(self.sinew("info", "r.sinew", "--json"))["state_hash"], want)
                self.sinew("info", "r.sinew", "--check", status=0)

    def test_logs_of_other_files_are_not_believed(self):
        """A log that lies beside a recording and is garbage, or another one's."""
        good = self.record(CRATE, "good.sinew")
        data = good.read_bytes()
        want = json.loads(self.sinew("info", good, "--json"))["state_hash"]
        kept = self.folder / "kept"
        kept.mkdir()
        run = subprocess.Popen([self.program, "run", "s.charli", "--seconds", "100000", "--out", "other.sinew"], cwd=self.folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(1)
        run.kill()
        run.wait()
        logs = {path.name.removeprefix("other.sinew"): path.read_bytes() for path in self.folder.glob("other.sinew-*")}
        logs.setdefault("-wal", b"")
        for case in self.cases(self.count):
            for path in self.folder.glob("r.sinew*"):
                path.unlink()
            (self.folder / "r.sinew").write_bytes(data)
            ending = self.random.choice(("-wal", "-journal", "-shm"))
            garbage = self.random.choice((self.random.randbytes(self.random.randrange(70000)), mutated(self.random, logs["-wal"]), logs["-wal"]))
            (self.folder / f"r.sinew{ending}").write_bytes(garbage)
            mark = f"{case}: {ending}, {len(garbage)} bytes"
            self.read_in_every_way(self.folder / "r.sinew", mark=mark)
            if self.ends("run", "s.charli", "--out", "r.sinew", "--resume", mark=mark) == 0:
                with self.subTest(mark):
                    self.assertEqual(json.loads(self.sinew("info", "r.sinew", "--json"))["state_hash"], want)
                    self.sinew("info", "r.sinew", "--check", status=0)

    def test_two_writers_do_not_meet(self):
        (self.folder / "s.charli").write_text(CRATE)
        run = subprocess.Popen([self.program, "run", "s.charli", "--seconds", "100000", "--out", "r.sinew"], cwd=self.folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            begin = time.monotonic()
            while not (self.folder / "r.sinew").exists() and time.monotonic() - begin < LIMIT_S:
                time.sleep(0.05)
            os.symlink("r.sinew", self.folder / "link.sinew")
            os.mkdir(self.folder / "under")
            for name in ("r.sinew", "link.sinew", "under/../r.sinew", self.folder / "r.sinew"):
                self.sinew("run", "s.charli", "--out", name, status=1)
                self.sinew("run", "s.charli", "--out", name, "--resume", status=1)
        finally:
            run.send_signal(signal.SIGINT)
            self.assertEqual(run.wait(LIMIT_S), 3)
        self.sinew("info", "r.sinew", "--check", status=0)


if __name__ == "__main__":
    main()
