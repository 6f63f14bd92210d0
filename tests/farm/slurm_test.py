#!/usr/bin/env python3
"""A sweep on a real Slurm of two nodes, with runs killed and jobs requeued at random: slurm_test.py SINEW [RUNS [KILLS]]

Every run ends once, with the state it has when it is run alone. Then a node whose disk is full, a shot in parts as an array job and a job
that depends on it and joins them; from 20 runs on a limit of time that no run can keep. Skips itself, with status 77, where Slurm is not installed or this is not root. SINEW_SEED repeats the choices."""
import csv
import json
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

import chaos
from slurm_cluster import Cluster

GRASS = """\
def tuft(bend)
  blade = strand(spline(0,0,0, 0,0.2,0, bend,0.5,0, bend,0.9,0.1), segments = 8);
  radius(2 mm); density(300); young(1e7); damping(0.05); air_drag(0.01, 0.1);
end;
for i in 1..23
  t[i] = tuft(0.02 * i) translatex(i);
end;
simulate(0 sec, 0.5 sec, step = 1 / 96);
"""


def requeue_one(cluster, killer):
    """As preemption does it."""
    def way(_process):
        running = cluster.run("squeue", "--noheader", "--states=running", "--format=%i").stdout.split()
        if running and cluster.run("scontrol", "requeue", killer.random.choice(running)).returncode == 0:
            killer.done.append("requeued")
    return way


def sweep(cluster, sinew, folder, runs, kills, seed):
    lengths = [round(0.5 + 0.05 * i, 3) for i in range((runs + 1) // 2)]
    values = [(length, start) for length in lengths for start in (20, 50)][:runs]
    (folder / "list.csv").write_text("length,start\n" + "".join(f"{a},{b}\n" for a, b in values))
    alone = chaos.hashes_alone(sinew, folder, values)
    killer = chaos.Killer(folder / "s", kills, seed)
    killer.others = [requeue_one(cluster, killer)]
    with killer:
        done = subprocess.run([sinew, "sweep", "swing.charli", "--list", "list.csv", *chaos.OPTIONS, "-o", "s", "--on", "slurm",
                               "--slurm=--time=5", "--retries", "20"], cwd=folder, env=cluster.environment, capture_output=True, text=True,
                              timeout=1800)
    assert done.returncode == 0, done.stdout + done.stderr
    chaos.check(read_table(folder / "s/results.csv"), values, alone)
    print(f"Slurm: {runs} of {runs} runs ended once with the hashes they have alone; {killer.summary()}", flush=True)


def read_table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def full_disk(cluster, sinew, folder):
    """Scratch disks of 64 kB at the first node: what fails there ends at the other, and nothing is lost. A path with spaces and signs."""
    place = folder / "it's 100% f"
    small, large = folder / "disk/n1", folder / "disk/n2"
    for each in (place, small, large):
        each.mkdir(parents=True)
    shutil.copy(folder / "swing.charli", place)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(small)], check=False).returncode != 0:
        print("Slurm: no disk can be mounted here: a full one is not tried", flush=True)
        return
    try:
        done = subprocess.run([sinew, "sweep", "swing.charli", "-D", "length=1,2,3,4", *chaos.OPTIONS, "-o", "s", "--on", "slurm",
                               "--slurm=--time=5", "--retries", "20", "--scratch", f"{folder}/disk/$SLURMD_NODENAME"], cwd=place,
                              env=cluster.environment, capture_output=True, text=True, timeout=900)
    finally:
        subprocess.run(["umount", str(small)], check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    chaos.check(read_table(place / "s/results.csv"), [0] * 4, chaos.hashes_alone(sinew, folder, [(n, 30) for n in (1, 2, 3, 4)]))
    logs = "".join(log.read_text() for log in (place / "s/runs").glob("slurm-*.log"))
    said = [line for line in logs.splitlines() if "full" in line]
    assert said, "no log says that the disk was full\n" + logs
    assert "not at n1, where they failed" in done.stderr, done.stderr
    assert list(large.iterdir()) == [], "left on the scratch disk"
    why = said[0].strip().rpartition(": ")[2]
    print(f"Slurm: 4 of 4 runs ended, after {len(said)} failed at a node with a full disk: {why}", flush=True)


def time_limit(cluster, sinew, folder):
    """Runs longer than the limit of a job: they keep what they have each time, and go on as long as they come further. Slurm's clock has minutes:
    it may send the signal up to one earlier than it is asked for, so a limit of one minute would leave no time at all."""
    begin, options = time.monotonic(), ["--step", "5e-6", "--seconds", "20"]
    (folder / "gust.charli").write_text("param gust = 3;\n" + GRASS.replace("simulate(", "wind(gust, 0, 1) on t[1];\nsimulate("))
    done = subprocess.run([sinew, "sweep", "gust.charli", "-D", "gust=1,2", *options, "-o", "limit", "--on", "slurm", "--slurm=--time=2",
                           "--slurm=--signal=B:TERM@30", "--retries", "1"], cwd=folder, env=cluster.environment, capture_output=True,
                          text=True, timeout=1800)
    assert done.returncode == 0, done.stdout + done.stderr
    jobs = done.stderr.count("Slurm job")
    assert jobs > 1, f"the runs were too short for a limit: {done.stderr}"
    subprocess.run([sinew, "run", "gust.charli", "-D", "gust=2", *options, "-o", "free.sinew", "-q"], cwd=folder, check=True, timeout=900)
    info = subprocess.run([sinew, "info", "--json", "free.sinew"], cwd=folder, check=True, capture_output=True, text=True, timeout=120)
    rows = read_table(folder / "limit/results.csv")
    assert [row["status"] for row in rows] == ["complete"] * 2, rows
    assert rows[1]["state_hash"] == json.loads(info.stdout)["state_hash"], "another motion when it is cut by limits"
    print(f"Slurm: 2 runs under a limit of two minutes ended in {jobs} jobs, {time.monotonic() - begin:.0f} s, with the hashes they have alone",
          flush=True)


def blocks(path):
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        return connection.execute("SELECT number, time, block FROM frames ORDER BY number").fetchall()


def parts(cluster, sinew, folder):
    (folder / "grass.charli").write_text(GRASS)
    subprocess.run([sinew, "run", "grass.charli", "-o", "whole.sinew", "-q"], cwd=folder, check=True, timeout=120)
    first = cluster.run("sbatch", "--parsable", "--array=1-4", f"--chdir={folder}", "--output=/dev/null", "--wrap",
                        f"{sinew} run grass.charli --part $SLURM_ARRAY_TASK_ID/4 --resume")
    assert first.returncode == 0, first.stderr
    second = cluster.run("sbatch", "--wait", f"--dependency=afterok:{first.stdout.strip()}", f"--chdir={folder}", "--output=/dev/null",
                         "--wrap", f"{sinew} join grass.part?of4.sinew -o joined.sinew", timeout=300)
    assert second.returncode == 0, second.stderr
    assert blocks(folder / "joined.sinew") == blocks(folder / "whole.sinew"), "the parts joined are not the whole"
    print("Slurm: 4 parts and a job that joins them: the whole, bit for bit", flush=True)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if not shutil.which("slurmctld") or os.geteuid() != 0:
        print("no Slurm here, or not root: skipped")
        sys.exit(77)
    sinew = str(pathlib.Path(sys.argv[1]).resolve())
    runs, kills = (int(word) for word in (sys.argv[2:4] + ["6", "2"][len(sys.argv[2:4]):]))
    seed = int(os.environ.get("SINEW_SEED", random.randrange(1 << 16)))
    print(f"seed {seed} (SINEW_SEED={seed} repeats it)", flush=True)
    with tempfile.TemporaryDirectory(prefix="sinew-farm-") as name, Cluster() as cluster:
        folder = pathlib.Path(name).resolve()
        (folder / "swing.charli").write_text(chaos.SCRIPT)
        sweep(cluster, sinew, folder, runs, kills, seed)
        parts(cluster, sinew, folder)
        full_disk(cluster, sinew, folder)
        if runs >= 20:
            time_limit(cluster, sinew, folder)


main()
