"""Many runs of one script, here or on any cluster that Python can reach.

The runs are those of `sinew sweep`: each is a process of the program `sinew`, idempotent and resumable, and leaves a recording in
the folder of the sweep, which all machines must see. Dask, Ray or an executor only say where and when.
"""
from __future__ import annotations

import csv
import functools
import itertools
import os
import pathlib
import shutil
import subprocess
import tempfile
from typing import Any, Callable, Iterable, Mapping, Sequence

__all__ = ["sweep"]


def _find_program(program: str | None) -> str:
    found = program or os.environ.get("SINEW") or shutil.which("sinew")
    if not found:
        raise FileNotFoundError("the program `sinew` is not found: name it with program=, or by the variable SINEW")
    return str(pathlib.Path(found).resolve())


def _call(words: Sequence[str]) -> None:
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        raise ValueError(done.stderr.strip() or f"{words[0]} ended with status {done.returncode}")


def _run_share(program: str, folder: str, count: int, number: int) -> int:
    """One run on whichever machine this is called. Its status; 0: it has ended."""
    with open(pathlib.Path(folder, "runs", f"{number:05}.log"), "ab") as log:
        return subprocess.run([program, "sweep", folder, "--share", f"{number}/{count}"], stdout=log, stderr=log).returncode


def _values_of(values: Mapping[str, Iterable[Any]] | Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    if isinstance(values, Mapping):
        names = list(values)
        return [dict(zip(names, each)) for each in itertools.product(*(list(values[name]) for name in names))]
    return [dict(run) for run in values]


def _open_runs(folder: pathlib.Path, count: int) -> list[int]:
    return [i for i in range(count) if not (folder / "runs" / f"{i:05}.json").exists()]


def _submit(client: Any, call: Callable[[int], int], numbers: list[int], retries: int) -> None:
    """Waits for all; one that failed is found by what it did not leave."""
    if hasattr(client, "gather") and hasattr(client, "map"):  # dask.distributed.Client
        client.gather(client.map(call, numbers, pure=False, retries=retries), errors="skip")
    elif hasattr(client, "remote") and hasattr(client, "get"):  # the module ray
        task = client.remote(max_retries=retries)(lambda number: call(number))
        for reference in [task.remote(number) for number in numbers]:
            try:
                client.get(reference)
            except Exception:  # its worker died too often: it is submitted again
                pass
    elif hasattr(client, "submit"):  # concurrent.futures.Executor
        for future in [client.submit(call, number) for number in numbers]:
            future.exception()
    else:
        raise TypeError("client must be a Dask client, the module ray, or an executor of concurrent.futures")


def _number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def sweep(script: str | os.PathLike[str], values: Mapping[str, Iterable[Any]] | Iterable[Mapping[str, Any]], folder: str | os.PathLike[str], *,
          client: Any = None, options: Sequence[str] = (), probes: Sequence[str] = (), retries: int = 3,
          program: str | None = None) -> list[dict[str, Any]]:
    """Runs a script with every combination of `values` (names and lists), or with each of a list of values, and returns a line of
    results for each run. `client`: a Dask client, the module `ray`, an executor; None: this machine's processors. `options` are those
    of `sinew sweep`, such as ["--seconds", "2"]. Calling it again goes on with what is open."""
    program = _find_program(program)
    runs = _values_of(values)
    if not runs:
        raise ValueError("there are no values")
    where = pathlib.Path(folder).resolve()
    with tempfile.TemporaryDirectory(prefix="sinew-sweep-") as holder:
        listed = pathlib.Path(holder, "list.csv")
        with open(listed, "w", newline="") as file:
            table = csv.DictWriter(file, list(runs[0]))
            table.writeheader()
            table.writerows(runs)
        words = [program, "sweep", str(script), "--list", str(listed), "--out", str(where), "--quiet", *options]
        for probe in probes:
            words += ["--probe", probe]
        _call([*words, "--on", "files"])
    for _ in range(retries + 1):
        numbers = _open_runs(where, len(runs))
        if not numbers:
            break
        if client is None:
            subprocess.run([program, "sweep", str(where), "--quiet"], capture_output=True)
        else:
            _submit(client, functools.partial(_run_share, program, str(where), len(runs)), numbers, retries)
    subprocess.run([program, "sweep", str(where), "--gather", "--quiet"], capture_output=True)  # status 1 where runs are still open
    with open(where / "results.csv", newline="") as file:
        return [{name: value if name == "state_hash" else _number(value) for name, value in row.items()} for row in csv.DictReader(file)]
