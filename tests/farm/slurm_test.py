#!/usr/bin/env python3
"""A sweep on a real Slurm of two nodes, with runs killed and jobs requeued at random: slurm_test.py SINEW [RUNS [KILLS]]

Every run ends once, with the state it has when it is run alone. Then a shot in parts as an array job, and a job that depends on it
and joins them. Skips itself, with status 77, where Slurm is not installed or this is not root. SINEW_SEED repeats the choices."""
import csv
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

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
                              timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    with open(folder / "s/results.csv", newline="") as file:
        chaos.check(list(csv.DictReader(file)), values, alone)
    print(f"Slurm: {runs} of {runs} runs ended once with the hashes they have alone; {killer.summary()}")


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
    print("Slurm: 4 parts and a job that joins them: the whole, bit for bit")


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


main()
