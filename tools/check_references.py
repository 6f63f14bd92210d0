#!/usr/bin/env python3
"""Fails when a source cites a key that REFERENCES.bib lacks, or an entry is cited nowhere, or a symbol table has no
unit column."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CITATION = re.compile(r"\[([A-Z][A-Za-z]+\d{2}[a-z]?)(?:,[^\]\n]*)?\]")


def main():
    entries = set(re.findall(r"^@\w+\{(\w+),", (ROOT / "REFERENCES.bib").read_text(), re.M))
    names = subprocess.run(["git", "ls-files", "src", "include", "docs", "apps", "tests", "bench"], cwd=ROOT,
                           capture_output=True, text=True, check=True).stdout.splitlines()
    cited, faults = set(), []
    for name in names:
        if not name.endswith((".h", ".cpp", ".md")) or not (ROOT / name).is_file():
            continue
        for number, line in enumerate((ROOT / name).read_text().splitlines(), 1):
            for key in CITATION.findall(line):
                cited.add(key)
                if key not in entries:
                    faults.append(f"{name}:{number}: [{key}] is not in REFERENCES.bib")
            if re.search(r"symbol\s*\|\s*code", line) and "unit" not in line:
                faults.append(f"{name}:{number}: the symbol table has no unit column")
    faults += [f"REFERENCES.bib: {key} is cited nowhere" for key in sorted(entries - cited)]
    print("\n".join(faults), end="\n" if faults else "")
    sys.exit(bool(faults))


main()
