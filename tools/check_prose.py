#!/usr/bin/env python3
"""Fails on phrases in the documents that slow readers down or that nobody searches for; says what to write instead. NOTATION.md has the words of the field."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
GENERATED = {"docs/guide/words.md", "docs/gallery/README.md"}  # their texts stand elsewhere
INSTEAD = {
    r"\bwhen nothing is said\b": "default ..., or: by default",
    r"\bmay be left out\b": "is optional",
    r"\bslips? of the pen\b": "typo",
    r"\banew\b": "again, rebuilt",
    r"\bbeyond all numbers\b": "became infinite",
    r"\bis no number\b": "is not finite",
    r"\bbegins nothing\b": "unexpected character",
    r"\bas if nothing had been\b": "as if it had never stopped",
    r"\bso many (?:hairs|points|strands|newtons|seconds|clumps)\b": "number of ..., that many ...",
    r"\bwithout further ado\b": "directly",
    r"\bwanders off\b": "diverges",
}


def pages():
    out = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in out.stdout.splitlines() if name not in GENERATED and name != "CHANGELOG.md"]


def faults():
    for name in pages():
        for number, line in enumerate((ROOT / name).read_text().splitlines(), 1):
            for phrase, instead in INSTEAD.items():
                if found := re.search(phrase, line, re.I):
                    yield f"{name}:{number}: \"{found[0]}\"; write: {instead}"


found = list(faults())
print("\n".join(found), end="\n" if found else "")
sys.exit(bool(found))
