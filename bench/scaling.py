#!/usr/bin/env python3
"""How a machine's cores are used: scaling.py SINEW [--cores N] [--runs 160] [--parts N] [--jungle SCRIPT] [--seconds 4] [--folder FOLDER] [--save FOLDER]

(a) A sweep of small runs, one at a time on one core and one for each core: wall times, their ratio, and whether every run has the same
state hash. (b) The jungle as a whole on one core, in parts one at a time on one core, and all parts at once; then joined: the ratios,
and whether the joined recording is the whole bit for bit. Before: what the machine itself gives, by runs that share nothing, pinned to one
core and to each at once: a ratio is to be compared with that. "One core" is meant: the processes are pinned to it. Needs nothing but Python's
standard library."""
import argparse
import csv
import json
import os
import pathlib
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]

# A few hairs in a gust: the kind of run that people make wedges of.
TUFT = """\
param stiffness = 1e8;
def tuft
  for i in 1..12
    hair[i] = strand(spline(0.01 * i,0,0, 0.01 * i,0.1,0, 0.01 * i + 0.02,0.2,0.02, 0.01 * i + 0.06,0.25,0.05), segments = 16);
  end;
  radius(1 mm); density(1200); young(stiffness); damping(0.02); air_drag(0.002, 0.02);
end;
tuft;
wind(3, 0, 1) on tuft;
turbulence(2, size = 0.2, period = 0.5) on tuft;
simulate(0 sec, 8 sec, step = 1 / 480);
"""


def find_jungle(given, sinew):
    places = [given] if given else [ROOT / "examples/jungle.charli", sinew.parents[1] / "share/sinew/examples/jungle.charli",
                                    sinew.parents[1] / "examples/jungle.charli"]
    for place in places:
        if pathlib.Path(place).is_file():
            return pathlib.Path(place)
    sys.exit(f"no jungle.charli at {', '.join(map(str, places))}; name it with --jungle")


def pin(cores):
    return lambda: os.sched_setaffinity(0, cores)


class Clock:
    """Wall and processor time of the processes that end while it runs."""

    def __enter__(self):
        self.begin, self.before = time.monotonic(), self.used()
        return self

    def __exit__(self, *_):
        self.wall, self.processor = time.monotonic() - self.begin, self.used() - self.before

    @staticmethod
    def used():
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        return spent.ru_utime + spent.ru_stime

    def __str__(self):
        return f"{self.wall:8.2f} s, {self.processor:8.2f} s of processors"


def measure_machine(sinew, folder, cores, times=4):
    """How much more all cores do than one alone, with nothing shared: runs of the sweep's script by themselves, each pinned to a core, `times`
    one after the other. Cores that share their clock, their units or their memory give less than their number; no sweep gives more."""
    (folder / "tuft.charli").write_text(TUFT)

    def start(core):
        own = folder / f"core{core}"
        own.mkdir(exist_ok=True)
        run = f"'{sinew}' run ../tuft.charli --threads 1 -o tuft.sinew -q || exit 1; "
        return subprocess.Popen(["sh", "-c", run * times], cwd=own, preexec_fn=pin([core]), stdout=subprocess.DEVNULL)

    def time_of(some):
        begin = time.monotonic()
        assert not any([process.wait() for process in [start(core) for core in some]]), "a run failed"
        return time.monotonic() - begin

    time_of(cores[:1])  # files and libraries are in memory from here on
    ones, together = sorted(time_of(cores[:1]) for _ in range(3)), sorted(time_of(cores) for _ in range(3))
    one, all_cores = ones[1], together[1]
    ratio = len(cores) * one / all_cores
    print(f"the machine itself: a run pinned to each of {len(cores)} cores at once does {ratio:.2f} times the work of one alone "
          f"({one / times:.3f} and {all_cores / times:.3f} s a run; middle of three)", flush=True)
    return {"machine_ratio": ratio, "machine_one_s": one / times, "machine_all_s": all_cores / times}


def call(words, folder, cores):
    subprocess.run(list(map(str, words)), cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=pin(cores))


def sweep(sinew, folder, runs, workers, cores):
    words = [sinew, "sweep", "tuft.charli", "-D", f"stiffness=1e7..1e9:log:{runs}", "-o", f"sweep{workers}", "--jobs", workers]
    with Clock() as clock:
        call(words, folder, cores)
    with open(folder / f"sweep{workers}/results.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == runs and all(row["status"] == "complete" for row in rows), "not every run of the sweep is complete"
    return clock, [row["state_hash"] for row in rows]


def measure_sweep(sinew, folder, runs, cores):
    (folder / "tuft.charli").write_text(TUFT)
    first, hashes = sweep(sinew, folder, runs, 1, cores[:1])
    print(f"sweep of {runs}, one core          {first}", flush=True)
    all_cores, same = sweep(sinew, folder, runs, len(cores), cores)
    print(f"sweep of {runs}, {len(cores):2} at a time      {all_cores}", flush=True)
    assert hashes == same, "runs differ with the number of workers"
    print(f"  {first.wall / all_cores.wall:.2f} times as fast on {len(cores)} cores; the same state hashes")
    return {"sweep_one_s": first.wall, "sweep_all_s": all_cores.wall, "sweep_ratio": first.wall / all_cores.wall}


def blocks(path):
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        return connection.execute("SELECT number, time, block FROM frames ORDER BY number").fetchall()


def part_words(sinew, options, part, count, out):
    return [sinew, "run", "jungle.charli", "--part", f"{part}/{count}", "--threads", "1", *options, "-o", f"{out}{part}.sinew", "-q"]


def measure_parts(sinew, folder, script, count, seconds, cores):
    shutil.copy(script, folder / "jungle.charli")
    options = ["--seconds", seconds]
    with Clock() as whole:
        call([sinew, "run", "jungle.charli", "--threads", "1", *options, "-o", "whole.sinew", "-q"], folder, cores[:1])
    print(f"jungle, whole, one core          {whole}", flush=True)
    with Clock() as serial:
        for part in range(1, count + 1):
            call(part_words(sinew, options, part, count, "serial"), folder, cores[:1])
    print(f"jungle, {count:2} parts, one core       {serial}", flush=True)
    with Clock() as at_once:
        running = [subprocess.Popen(list(map(str, part_words(sinew, options, part, count, "p"))), cwd=folder, preexec_fn=pin(cores),
                                    stdout=subprocess.DEVNULL) for part in range(1, count + 1)]
        assert not any([process.wait() for process in running]), "a part failed"
    print(f"jungle, {count:2} parts, all at once    {at_once}", flush=True)
    with Clock() as joining:
        call([sinew, "join", *[f"p{part}.sinew" for part in range(1, count + 1)], "-o", "joined.sinew"], folder, cores)
    print(f"join                             {joining}", flush=True)
    assert blocks(folder / "joined.sinew") == blocks(folder / "whole.sinew"), "the joined parts are not the whole"
    found = {"whole_s": whole.wall, "parts_one_s": serial.wall, "parts_all_s": at_once.wall, "join_s": joining.wall,
             "parts_ratio": serial.wall / at_once.wall, "whole_ratio": whole.wall / at_once.wall,
             "whole_ratio_joined": whole.wall / (at_once.wall + joining.wall), "overhead": serial.processor / whole.processor - 1}
    print(f"  {found['parts_ratio']:.2f} times as fast as one part after the other, {found['whole_ratio']:.2f} times as the whole on one core,\n"
          f"  {found['whole_ratio_joined']:.2f} with joining; parts cost {100 * found['overhead']:.0f} % more than the whole; joined: bit for bit")
    return found


def machine():
    name = next((line.split(":", 1)[1].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
                 if line.startswith("model name")), "processor")
    try:
        siblings = pathlib.Path("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list").read_text().strip()
    except OSError:
        siblings = "0"
    return f"{name}, {os.cpu_count()} processors" + ("" if siblings.isdigit() else f" (two a core: {siblings})")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sinew", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--runs", type=int, default=160)
    parser.add_argument("--parts", type=int, help="usually as many as cores")
    parser.add_argument("--seconds", default="4", help="of the jungle")
    parser.add_argument("--jungle", help="jungle.charli, where it is not beside this")
    parser.add_argument("--only", choices=["sweep", "parts"])
    parser.add_argument("--folder", help="where the runs are written, such as /dev/shm; a temporary one unless told")
    parser.add_argument("--save", type=pathlib.Path, help="folder for scaling.json")
    given = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))[:given.cores]
    print(f"{machine()}; {len(cores)} used", flush=True)
    found = {"machine": machine(), "cores": len(cores)}
    with tempfile.TemporaryDirectory(prefix="sinew-scaling-", dir=given.folder) as name:
        found |= measure_machine(given.sinew, pathlib.Path(name), cores)
        if given.only != "parts":
            found |= measure_sweep(given.sinew, pathlib.Path(name), given.runs, cores)
        if given.only != "sweep":
            jungle = find_jungle(given.jungle, given.sinew)
            found |= measure_parts(given.sinew, pathlib.Path(name), jungle, given.parts or len(cores), given.seconds, cores)
    if given.save:
        given.save.mkdir(parents=True, exist_ok=True)
        (given.save / "scaling.json").write_text(json.dumps(found, indent=2) + "\n")


main()
