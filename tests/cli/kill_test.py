#!/usr/bin/env python3
"""Kills runs at random moments and resumes them: kill_test.py SINEW [KILLS]

After every kill the recording must be whole, and what it holds the beginning of what an uninterrupted run makes; at the
end it must be all of it: every frame, every state hash, bit for bit. SINEW_SEED repeats a campaign's choices (not the
moments themselves, which depend on the machine).
"""
import json
import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT_S = 120
# Some 500 frames and 20 snapshots, each frame so cheap that many moments lie inside a transaction.
OPTIONS = ["-D", "links=12", "--fps", "500", "--seconds", "1"]


class Campaign:
    def __init__(self, sinew, folder, seed):
        self.sinew, self.folder = sinew, pathlib.Path(folder)
        self.random = random.Random(seed)
        (self.folder / "chain.charli").write_text((ROOT / "examples/chain.charli").read_text())
        begin = time.monotonic()
        self.run("whole.sinew")
        self.duration_s = time.monotonic() - begin
        self.whole = self.motion("whole.sinew")
        assert len(self.whole) == 501

    def command(self, out):
        return [self.sinew, "run", "chain.charli", *OPTIONS, "--out", out, "--resume"]

    def run(self, out):
        done = subprocess.run(self.command(out), cwd=self.folder, capture_output=True, text=True, timeout=LIMIT_S)
        assert done.returncode == 0, done.stdout + done.stderr

    def motion(self, name):
        connection = sqlite3.connect(f"file:{self.folder / name}?mode=ro", uri=True)
        try:
            return connection.execute("SELECT number, time, block, state_hash FROM frames JOIN statistics "
                                      "ON frame = number ORDER BY number").fetchall()
        finally:
            connection.close()

    def moment_s(self):
        """Anywhere, and more often where files are made and put away."""
        kind = self.random.random()
        if kind < 0.2:
            return self.random.uniform(0, 0.05)
        if kind < 0.4:
            return self.random.uniform(0.8, 1.05) * self.duration_s
        return self.random.uniform(0, self.duration_s)

    def check_torn(self):
        """What a kill left: nothing yet, or a whole recording."""
        if not (self.folder / "torn.sinew").exists():
            return 0
        done = subprocess.run([self.sinew, "info", "--json", "torn.sinew"], cwd=self.folder, capture_output=True, text=True,
                              timeout=LIMIT_S)
        assert done.returncode == 0, done.stderr
        torn = self.motion("torn.sinew")
        assert torn == self.whole[:len(torn)], "a frame is not as it should be"
        assert json.loads(done.stdout)["frames"] == len(torn)
        return len(torn)

    def check_end(self):
        assert self.motion("torn.sinew") == self.whole, "the resumed run made something else"
        left = sorted(p.name for p in self.folder.iterdir())
        assert left == ["chain.charli", "torn.sinew", "whole.sinew"], left
        (self.folder / "torn.sinew").unlink()

    def kill_once(self):
        """Starts or resumes a run and kills it. False when it was done before."""
        process = subprocess.Popen(self.command("torn.sinew"), cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        try:
            _, err = process.communicate(timeout=self.moment_s())
            assert process.returncode == 0, err.decode()
            return False
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            return process.returncode == -signal.SIGKILL

    def run_all(self, kills):
        done, ends, frames = 0, 0, []
        while done < kills:
            if self.kill_once():
                done += 1
                frames.append(self.check_torn())
            else:
                self.check_end()
                ends += 1
        self.run("torn.sinew")
        self.check_end()
        print(f"{done} kills, with {min(frames)} to {max(frames)} frames recorded; {ends + 1} recordings brought to "
              f"their end, each as if never killed")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sinew = str(pathlib.Path(sys.argv[1]).resolve())
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    seed = int(os.environ.get("SINEW_SEED", random.randrange(1 << 16)))
    print(f"seed {seed} (SINEW_SEED={seed} repeats it)", flush=True)
    with tempfile.TemporaryDirectory(prefix="sinew-kill-") as folder:
        Campaign(sinew, folder, seed).run_all(kills)


main()
