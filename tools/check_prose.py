#!/usr/bin/env python3
"""Fails on phrases in documents, help texts and messages that slow readers down or that nobody searches for; says what to write instead. NOTATION.md has the
words of the field."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEFT_OUT = {"docs/gallery/README.md", "CHANGELOG.md"}
HELP = ["apps/sinew/*.cpp", "apps/sinew/farm/*.cpp"]  # their texts: help of commands and options, messages
MESSAGES = ["tests/language/diagnostics.txt", "tests/language/slips.txt"]  # what messages say, word for word
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
    r"\blets go\b": "is released",
    r"(?<!there )(?<!there's )\bis no (?:finite number|recording|unit|function|object|strand|list|rod|number|colour|file)\b": "is not a ...",
    r"\bare no (?:vectors|list|numbers)\b": "are not ...",
    r"\bno longer a number\b": "not finite",
    r"\bnothing fixes\b": "is undetermined",
    r"\bparted by\b": "separated by",
    r"\bgoes on (?:straight|from there|there)\b": "continues",
    r"\bgo on with\b": "continue with",
    r"\bbehind (?:`on`|an instance|its number|the last key|the index|the def)": "after",
    r"\botherwise than\b": "unlike, differently from",
    r"\bbeyond all measure\b": "extremely large",
    r"\bhostile script\b": "untrusted script",
    r"\bwithout (?:measure|number)\b": "oversized, too many",
    r"\btells about\b": "summarises",
    r"\bwhoever starts\b": "when the run is started",
    r"\bsays? the format\b": "chooses the format",
    r"\bmore rounds than\b": "more iterations than",
    r"\bthe way of each\b": "the path of each",
    r"\bwins over\b": "instead of, replaces",
}


def pages():
    out = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in out.stdout.splitlines() if name not in LEFT_OUT] + MESSAGES


def lines(path):
    """Its lines; of a source, the texts in each."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        yield number, " ".join(re.findall(r'"((?:[^"\\]|\\.)*)"', line)) if path.suffix == ".cpp" else line


def faults():
    for name in [*pages(), *(str(path.relative_to(ROOT)) for pattern in HELP for path in sorted(ROOT.glob(pattern)))]:
        for number, line in lines(ROOT / name):
            for phrase, instead in INSTEAD.items():
                if found := re.search(phrase, line, re.I):
                    yield f"{name}:{number}: \"{found[0]}\"; write: {instead}"


found = list(faults())
print("\n".join(found), end="\n" if found else "")
sys.exit(bool(found))
