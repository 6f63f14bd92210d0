#!/usr/bin/env python3
"""Fails when a source file includes a room that src/LAYERS does not allow."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def read_rules():
    rules = {}
    for line in (ROOT / "src/LAYERS").read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        room, _, allowed = line.partition(":")
        if unknown := set(allowed.split()) - rules.keys():
            sys.exit(f"src/LAYERS: {room} may only include rooms listed above it, not {unknown}")
        rules[room.strip()] = {room.strip(), *allowed.split()}
    return rules


def room_of(path, rules):
    if path.startswith("sinew/"):
        return "api"
    return next((room for room in rules if path.startswith(room + "/")), None)


def violations(rules):
    for root in ("include", "src"):
        for file in sorted((ROOT / root).rglob("*.[hc]*")):
            here = room_of(str(file.relative_to(ROOT / root)), rules)
            for number, line in enumerate(file.read_text().splitlines(), 1):
                match = re.match(r'#include "([^"]+)"', line)
                if match and (here is None or room_of(match[1], rules) not in rules[here]):
                    yield f"{file.relative_to(ROOT)}:{number}: {here} may not include {match[1]}"
    # The program, examples and benchmarks see the product only: the public headers, and the program's own.
    program = {name for p in (ROOT / "apps").rglob("*.h") for name in (p.name, p.relative_to(ROOT / "apps/sinew").as_posix())}
    # bench/rigid steps piles of bodies directly: they tell their contacts and θ. bench/strands times kernels, bench/rods
    # the solver of islands, bench/contact that of rows.
    inner = {"rigid": ("models/rigid/pile.h", "models/rigid/model.h"),
             "contact": ("solve/rows/row_newton.h",),
             "strands": ("models/strand/lanes/batch.h", "models/strand/plan.h"),
             "rods": ("solve/linear/sparse/block_pattern.h", "solve/linear/sparse/front_ldl.h")}
    for root in ("apps", "bench", "examples"):
        for file in sorted((ROOT / root).rglob("*.[hc]*")):
            own = {p.name for p in file.parent.iterdir()} | (set() if root == "examples" else program)
            for number, line in enumerate(file.read_text().splitlines(), 1):
                match = re.match(r'#include "([^"]+)"', line)
                allowed = ("sinew/", "../timing.h") + (inner.get(file.parent.name, ()) if root == "bench" else ())
                if match and not match[1].startswith(allowed) and match[1] not in own:
                    yield f"{file.relative_to(ROOT)}:{number}: {root} may include only sinew/..., not {match[1]}"


found = list(violations(read_rules()))
print("\n".join(found), end="\n" if found else "")
sys.exit(bool(found))
