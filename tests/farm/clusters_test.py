#!/usr/bin/env python3
"""Sweeps from Python on a local Dask cluster and a local Ray, with runs killed at random: clusters_test.py SINEW [RUNS [KILLS]]

Every run ends once, with the state it has when it is run alone. Needs dask[distributed] and ray; what is missing is skipped, with
status 77 where both are."""
import importlib
import importlib.util
import os
import pathlib
import random
import sys
import tempfile

import chaos

MODULE = pathlib.Path(__file__).resolve().parents[2] / "python/sinew"


def load_sweep():
    """The file itself: the compiled half of the package is not needed for it. Workers find it by the same path."""
    sys.path.insert(0, str(MODULE))
    os.environ["PYTHONPATH"] = os.pathsep.join([str(MODULE), *filter(None, [os.environ.get("PYTHONPATH")])])
    return importlib.import_module("_sweep").sweep


def judge(name, sweep, client, sinew, folder, runs, kills, seed):
    lengths, starts = [round(0.5 + 0.05 * i, 3) for i in range(runs // 2)], [20, 50]
    values = [(length, start) for length in lengths for start in starts]
    with chaos.Killer(folder / name, kills, seed) as killer:
        rows = sweep(folder / "swing.charli", {"length": lengths, "start": starts}, folder / name, client=client, options=chaos.OPTIONS,
                     program=sinew, retries=20)
    chaos.check(rows, values, chaos.hashes_alone(sinew, folder, values))
    print(f"{name}: {len(rows)} of {len(rows)} runs ended once with the hashes they have alone; {killer.summary()}", flush=True)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sinew = str(pathlib.Path(sys.argv[1]).resolve())
    runs, kills = (int(word) for word in (sys.argv[2:4] + ["6", "2"][len(sys.argv[2:4]):]))
    seed = int(os.environ.get("SINEW_SEED", random.randrange(1 << 16)))
    print(f"seed {seed} (SINEW_SEED={seed} repeats it)", flush=True)
    sweep, tried = load_sweep(), 0
    with tempfile.TemporaryDirectory(prefix="sinew-farm-") as name:
        folder = pathlib.Path(name).resolve()
        (folder / "swing.charli").write_text(chaos.SCRIPT)
        if importlib.util.find_spec("distributed"):
            import distributed
            tried += 1
            with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, \
                    distributed.Client(cluster) as client:
                judge("dask", sweep, client, sinew, folder, runs, kills, seed)
        if importlib.util.find_spec("ray"):
            import ray
            tried += 1
            ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
            judge("ray", sweep, ray, sinew, folder, runs, kills, seed)
            ray.shutdown()
    sys.exit(0 if tried else 77)


if __name__ == "__main__":
    main()
