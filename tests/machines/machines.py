#!/usr/bin/env python3
"""The same bits everywhere: machines.py SECONDS COLUMN=COMMAND... [-- EXAMPLE...]

Each COMMAND starts tests/machines/state_hash.cpp as one kind of machine would: another processor, another compiler, an
emulator before it, NAME=VALUE words for its environment. Every example (or those named) runs SECONDS; the table has one row
a script: hash over the machine's arithmetic, number of frames and hash of the last state, once where all columns agree.
SINEW_LIMIT: the seconds that one run may take, after which its cell is "too slow".
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT_S = float(os.environ.get("SINEW_LIMIT", 600))


def command_of(text):
    words = shlex.split(text)
    named = [word for word in words if re.fullmatch(r"[A-Z_]+=.*", word)]
    return {**os.environ, **dict(word.split("=", 1) for word in named)}, [word for word in words if word not in named]


def hash_of(text, script, seconds):
    """What the machine prints, or why it prints nothing."""
    env, command = command_of(text)
    try:
        done = subprocess.run([*command, str(seconds), script], env=env, capture_output=True, text=True, timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        return "too slow"
    return done.stdout.strip() or "failed"


def main():
    arguments = sys.argv[1:]
    end = arguments.index("--") if "--" in arguments else len(arguments)
    arguments, names = arguments[:end], arguments[end + 1:]
    seconds = float(arguments[0])
    columns = dict(argument.split("=", 1) for argument in arguments[1:])
    names = names or sorted(path.stem for path in (ROOT / "examples").glob("*.charli"))
    print(f"{seconds} s of each, on: " + ", ".join(columns), flush=True)
    differing, slow, begin = 0, 0, time.monotonic()
    for name in names:
        found = {column: hash_of(command, ROOT / "examples" / f"{name}.charli", seconds) for column, command in columns.items()}
        known = {value for value in found.values() if value != "too slow"}
        late = [column for column, value in found.items() if value == "too slow"]
        slow += len(late)
        if len(known) <= 1 and "failed" not in known:
            print(f"{name:28s} {next(iter(known), '')}" + (f"   too slow: {', '.join(late)}" if late else ""), flush=True)
        else:
            differing += 1
            print(f"{name:28s} DIFFERS " + ", ".join(f"{column} {value}" for column, value in found.items()), flush=True)
    print(f"{len(names)} examples on {len(columns)} machines: {differing} differ, {slow} too slow to emulate; {time.monotonic() - begin:.0f} s")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
