#!/usr/bin/env python3
"""What Python costs: a view, and stepping a heavy scene beside the program. bench/python.py SINEW, with a Python that has sinew.

The program's own time is the sum that `sinew info` gives; both are on the wall, the fastest of some rounds."""
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import sinew

EXAMPLE = pathlib.Path(__file__).resolve().parents[1] / "examples" / "jungle.charli"
SECONDS, ROUNDS = 0.5, 3


def view_cost():
    world = sinew.World(sinew.parse("def bob mass(1); end;\nbob;\n"))
    best = float("inf")
    for _ in range(50):
        begin = time.perf_counter()
        for _ in range(10000):
            world.poses
        best = min(best, (time.perf_counter() - begin) / 10000)
    return best


def python_seconds(scene):
    world = sinew.World(scene)
    begin = time.perf_counter()
    for _ in world.frames(seconds=SECONDS):
        pass
    return time.perf_counter() - begin


def program_seconds(program, folder):
    out = folder / "out.sinew"
    subprocess.run([program, "run", EXAMPLE, "--seconds", str(SECONDS), "--threads", "1", "--out", out], check=True, capture_output=True)
    said = subprocess.run([program, "info", "--json", out], check=True, capture_output=True, text=True).stdout
    return json.loads(said)["ms"] / 1000


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    print(f"a view: {view_cost() * 1e9:.0f} ns")
    scene = sinew.load(str(EXAMPLE))
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(ROUNDS):
            ours.append(python_seconds(scene))
            theirs.append(program_seconds(program, pathlib.Path(folder)))
    print(f"{EXAMPLE.stem}, {SECONDS} s: from Python {min(ours):.3f} s, the program {min(theirs):.3f} s, ratio {min(ours) / min(theirs):.3f}")


if __name__ == "__main__":
    main()
