#!/usr/bin/env python3
"""What Python costs: a view, and stepping a heavy scene beside the same loop in C++. bench/python.py bench_frames, with a Python that has
sinew. Rounds take turns; of each the fastest, in seconds of the processor."""
import pathlib
import subprocess
import sys
import time

import sinew

EXAMPLE = pathlib.Path(__file__).resolve().parents[1] / "examples" / "jungle.charli"
SECONDS, ROUNDS = 2, 7


def view_cost():
    world = sinew.World(sinew.parse("def bob mass(1); end;\nbob;\n"))
    best = float("inf")
    for _ in range(50):
        begin = time.process_time()
        for _ in range(10000):
            world.poses
        best = min(best, (time.process_time() - begin) / 10000)
    return best


def python_seconds(scene):
    world = sinew.World(scene)
    begin = time.process_time()
    for _ in world.frames(seconds=SECONDS):
        pass
    return time.process_time() - begin


def rival_seconds(program):
    said = subprocess.run([program, EXAMPLE, str(SECONDS)], check=True, capture_output=True, text=True).stdout
    return float(said.split()[0])


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    print(f"a view: {view_cost() * 1e9:.0f} ns")
    scene = sinew.load(str(EXAMPLE))
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(python_seconds(scene))
        theirs.append(rival_seconds(program))
    print(f"{EXAMPLE.stem}, {SECONDS} s, {len(sinew.World(scene).nodes)} nodes: from Python {min(ours):.3f} s, in C++ {min(theirs):.3f} s, "
          f"ratio {min(ours) / min(theirs):.3f}")


if __name__ == "__main__":
    main()
