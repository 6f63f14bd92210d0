#!/usr/bin/env python3
"""Time from Ctrl-C to the end, for the program, the viewer and Python: stops.py SINEW [COUNT]

Every example and the slow scenes of the attacks, each interrupted COUNT times (1) at a random moment of its work. The
table has the worst of each in seconds on the clock, and in seconds of the processor from the signal to the end, which a
busy machine does not change. SINEW_SEED repeats the moments. Python takes part where the package is installed.
"""
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import attack  # noqa: E402
from viewer_client import Page, Server  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEED = int(os.environ.get("SINEW_SEED", random.SystemRandom().randrange(2**31)))
MOST_S = 1.0  # of the processor
LIMIT_S = 60
PYTHON = "import sys, sinew\nworld = sinew.World(sinew.load(sys.argv[1]))\nprint('ready', flush=True)\nworld.advance(1e6)\n"


def scenes():
    found = {path.stem: path.read_text() for path in sorted((ROOT / "examples").glob("*.charli"))}
    found["slow: wall on a spring"] = attack.WALL
    found["slow: small steps"] = attack.SMALL_STEPS
    ball = "def ball body(density = 1); sphere(0.1); end;\n"
    found["slow: 4,000 balls"] = ball + "for i in 0..39 for k in 0..99 ball translate(0.19 * mod(i, 8), 0.19 * k, 0.19 * floor(i / 8)); end; end;\nsimulate(0, 100);\n"
    found["slow: 3,000 coordinates"] = "def bob mass(1); end;\n" + "".join(
        f"dynamic q{k}; q{k} = initial(0, 0); bob translatex({k}) translatey(q{k});\n" for k in range(3000)) + "simulate(0, 100);\n"
    found["slow: groom of 50,000"] = ("def s strand(line(0, 0, 0, 0.1, 0, 0), segments = 8); young(1e6); end;\n"
                                      "for k in 1..50000 s translatey(0.01 * k); end;\nsimulate(0, 100);\n")
    found.update({f"hopeless: {name}": text for name, text in attack.HOPELESS.items()})
    return found


def hear():
    """What a shell starts in the background ignores Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def stop(process):
    """Seconds on the clock and of the processor, or None where it had ended already."""
    if process.poll() is not None:
        return None
    before, begin = attack.spent_s(process), time.monotonic()
    process.send_signal(signal.SIGINT)
    try:
        _, _, usage = os.wait4(process.pid, 0)
    finally:
        process.returncode = 0
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime - before


def of_program(sinew, script, wait_s):
    process = subprocess.Popen([sinew, "run", script, "--seconds", "100000", "--threads", "1", "-q", "--out", script.with_suffix(".sinew")],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=hear)
    time.sleep(wait_s)
    return stop(process)


def of_viewer(sinew, script, wait_s):
    server = Server(sinew, str(script), "--seconds", "100000", "--threads", "1")
    with Page(server):
        time.sleep(wait_s)
        return stop(server.process)


def of_python(script, wait_s):
    process = subprocess.Popen([sys.executable, "-c", PYTHON, script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               preexec_fn=hear)
    process.stdout.readline()
    time.sleep(wait_s)
    return stop(process)


def has_python():
    return subprocess.run([sys.executable, "-c", "import sinew"], capture_output=True).returncode == 0


def main():
    sinew, count = str(pathlib.Path(sys.argv[1]).resolve()), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    print(f"seed {SEED} (SINEW_SEED={SEED} repeats it)")
    chance = random.Random(SEED)
    ways = {"program": lambda *a: of_program(sinew, *a), "viewer": lambda *a: of_viewer(sinew, *a)}
    if has_python():
        ways["python"] = of_python
    print(f"{'seconds on the clock, of the processor':40s}" + "".join(f"{way:>18s}" for way in ways))
    worst = dict.fromkeys(ways, (0.0, 0.0))
    with tempfile.TemporaryDirectory(prefix="sinew-stops-") as folder:
        shutil.copytree(ROOT / "examples", folder, dirs_exist_ok=True)
        for name, text in scenes().items():
            script = pathlib.Path(folder) / (re.sub(r"\W+", "_", name) + ".charli")
            script.write_text(text)
            cells = []
            for way, measure in ways.items():
                found = [made for made in (measure(script, chance.uniform(0.3, 1.5)) for _ in range(count)) if made]
                most = tuple(max(each) for each in zip(*found))
                cells.append(f"{most[0]:9.2f} {most[1]:7.2f}" if most else f"{'ended':>17s}")
                worst[way] = tuple(max(each) for each in zip(worst[way], *found))
            print(f"{name:40s} " + " ".join(cells), flush=True)
    print(f"{'worst':40s} " + " ".join(f"{clock:9.2f} {spent:7.2f}" for clock, spent in worst.values()))
    return 0 if all(spent <= MOST_S for _, spent in worst.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
