#!/usr/bin/env python3
"""Whole runs, from script to recording: whole.py SINEW [--short] [--threads 1,2] [--only NAME,...] [--save FOLDER]

For each scene and number of threads: wall and processor time, how it splits into making, stepping, taking and writing, bytes a
frame, peak memory, and whether the last state is the same for every number of threads. --save writes a CSV with the machine's name
and a plot of time against threads."""
import argparse
import csv
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))
import chart  # noqa: E402

# Name, script, options; --short: other options.
SCENES = [
    ("jungle 1000 x 100", "examples/jungle", ["--seconds", "1"], ["-D", "rows=3", "--seconds", "0.25"]),
    ("long hair", "examples/long_hair", ["--seconds", "0.5"], ["--seconds", "0.1"]),
    ("groom 20,000 x 16", "bench/whole/groom", ["--seconds", "0.5"], ["-D", "strands=500", "--seconds", "0.1"]),
    ("silo 1,000", "examples/silo", ["-D", "balls=1000", "--seconds", "1"], ["-D", "balls=50", "--seconds", "0.1"]),
    ("silo 10,000", "examples/silo", ["-D", "balls=10000", "--seconds", "0.25"], None),
    ("250 cows", "examples/cow_pile", ["-D", "cows=250", "-D", "across=5", "--seconds", "0.5"], None),
    ("wall 2,004", "examples/brick_wall", ["-D", "rows=50", "-D", "columns=41", "--seconds", "0.1"], None),
    ("towers 400 x 10", "bench/whole/towers", ["--seconds", "0.5"], ["-D", "towers=20", "--seconds", "0.1"]),
    ("spider net", "examples/spider_net", ["--seconds", "0.5"], ["--seconds", "0.1"]),
    ("rope bridge", "examples/rope_bridge", ["--seconds", "0.5"], ["--seconds", "0.1"]),
]
COLUMNS = ["scene", "threads", "wall_s", "processor_s", "making_s", "stepping_s", "taking_s", "writing_s", "frames", "bytes_a_frame", "peak_mb",
           "state_hash"]


def machine():
    """Kind of processor and how many, for the name of the file."""
    name = "processor"
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            name = line.split(":", 1)[1].strip()
            break
    return name, os.cpu_count()


def measure(sinew, folder, name, script, options, threads):
    begin = time.monotonic()
    process = subprocess.Popen([sinew, "run", f"{pathlib.Path(script).name}.charli", *options, "--threads", str(threads), "-o", "run.sinew", "-q"],
                               cwd=folder, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.monotonic() - begin
    if os.waitstatus_to_exitcode(status) not in (0, 3):
        return None
    info = json.loads(subprocess.run([sinew, "info", "--json", "run.sinew"], cwd=folder, capture_output=True, text=True).stdout)
    return {"scene": name, "threads": threads, "wall_s": round(wall, 3), "processor_s": round(used.ru_utime + used.ru_stime, 3),
            "making_s": round(info["making_ms"] / 1e3, 3), "stepping_s": round(info["ms"] / 1e3, 3), "taking_s": round(info["taking_ms"] / 1e3, 3),
            "writing_s": round(info["writing_ms"] / 1e3, 3), "frames": info["frames"], "bytes_a_frame": info["bytes"] // max(1, info["frames"]),
            "peak_mb": used.ru_maxrss // 1024, "state_hash": info["state_hash"]}


def show(row):
    print(f"{row['scene']:<18} {row['threads']:>3} thr {row['wall_s']:>8.2f} s wall {row['processor_s']:>8.2f} s proc | making {row['making_s']:>6.2f} "
          f"stepping {row['stepping_s']:>7.2f} taking {row['taking_s']:>6.2f} writing {row['writing_s']:>6.2f} | {row['bytes_a_frame'] / 1e3:>8.1f} kB/frame "
          f"{row['peak_mb']:>6} MB", flush=True)


def save(rows, folder):
    name, count = machine()
    words = "".join(c if c.isalnum() else " " for c in name.lower()).split()
    kind = "_".join(word for word in words if word not in ("r", "tm", "cpu", "processor", "model"))[:40] or "processor"
    path = pathlib.Path(folder) / f"whole_{kind}_{count}_cores"
    with open(f"{path}.csv", "w", newline="") as file:
        file.write(f"# {name}, {count} processors\n")
        table = csv.DictWriter(file, COLUMNS)
        table.writeheader()
        table.writerows(rows)
    first = rows[0]["scene"]
    points = [(row["threads"], row["wall_s"]) for row in rows if row["scene"] == first]
    if len(points) > 1:
        pathlib.Path(f"{path}.svg").write_text(chart.draw(points, "threads", f"{first}: seconds"))
    print(f"{path}.csv")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sinew")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--threads", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--save", default="")
    wish = parser.parse_args()
    sinew, rows = str(pathlib.Path(wish.sinew).resolve()), []
    counts = [int(word) for word in wish.threads.split(",") if word] or sorted({1, 2, os.cpu_count() or 1})
    with tempfile.TemporaryDirectory(prefix="sinew-whole-") as name:
        folder = pathlib.Path(name)
        shutil.copytree(ROOT / "examples/meshes", folder / "meshes")
        for title, script, options, short in SCENES:
            if wish.only and not any(word in title for word in wish.only.split(",")) or wish.short and short is None:
                continue
            shutil.copy(ROOT / f"{script}.charli", folder)
            hashes = set()
            for threads in counts:
                row = measure(sinew, folder, title, script, short if wish.short else options, threads)
                if row is None:
                    print(f"{title}: the run failed", file=sys.stderr)
                    continue
                show(row)
                rows.append(row)
                hashes.add(row["state_hash"])
            if len(hashes) > 1:
                sys.exit(f"{title}: the state depends on the number of threads")
    if wish.save and rows:
        save(rows, wish.save)


main()
