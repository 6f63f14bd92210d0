"""What the tests of clusters share: a script, runs killed at random, and how results are judged."""
import json
import os
import pathlib
import random
import signal
import subprocess
import threading

SCRIPT = """\
param length = 1;
param start = 30;
dynamic theta;
theta = initial(-start * 1 deg, 0);
def bob mass(2); end;
bob translatex(length) rotatez(theta);
simulate(0 sec, 1 sec);
"""
OPTIONS = ["--fps", "10000"]  # half a second or so for each run


def runs(folder):
    """Processes that compute runs of this folder."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if b"--share" in words and str(folder).encode() in words:
                found.append(int(entry.name))
    return found


class Killer:
    """Kills runs of a folder at random moments, at most so many."""

    def __init__(self, folder, kills, seed, others=()):
        self.folder, self.kills, self.random = folder, kills, random.Random(seed)
        self.others, self.done, self.is_over = list(others), [], threading.Event()
        self.thread = threading.Thread(target=self.work, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()

    def work(self):
        while len(self.done) < self.kills and not self.is_over.wait(self.random.uniform(0.1, 0.6)):
            found = runs(self.folder)
            if not found:
                continue
            way = self.random.choice([self.kill, self.terminate, *self.others])
            way(self.random.choice(found))

    def kill(self, process):
        self.signal(process, signal.SIGKILL, "SIGKILL")

    def terminate(self, process):
        self.signal(process, signal.SIGTERM, "SIGTERM")

    def signal(self, process, number, name):
        try:
            os.kill(process, number)
            self.done.append(name)
        except ProcessLookupError:
            pass

    def summary(self):
        return ", ".join(f"{self.done.count(name)} {name}" for name in sorted(set(self.done))) or "no kills"


ALONE = {}  # by what was run: Dask and Ray have the same runs


def hashes_alone(sinew, folder, values):
    """The state after each run, computed by `sinew run` without a sweep."""
    found = ALONE.setdefault(tuple(values), [])
    if found:
        return found
    for length, start in values:
        subprocess.run([sinew, "run", "swing.charli", "-D", f"length={length}", "-D", f"start={start}", *OPTIONS, "-o", "alone.sinew", "-q"],
                       cwd=folder, check=True, timeout=120)
        info = subprocess.run([sinew, "info", "--json", "alone.sinew"], cwd=folder, check=True, capture_output=True, text=True, timeout=120)
        found.append(json.loads(info.stdout)["state_hash"])
    return found


def check(rows, values, alone):
    assert len(rows) == len(values), f"{len(rows)} lines, {len(values)} runs"
    for row, wanted in zip(rows, alone):
        assert row["status"] == "complete", row
        assert row["state_hash"] == wanted, f"run {row['run']} is another when run alone"
