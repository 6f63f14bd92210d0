#!/usr/bin/env python3
"""Writes docs/theory/index.md: every equation of the theory pages, the sources that carry it out and the tests that name it.

A source names an equation by `[eq. 4]`, `[eqs 4, 5]` or `[eqs 4 to 6]` within the folder of its model, or from anywhere by
`[notes: strands, eq. 4]` or `[docs/theory/strands.md, eq. 4]`. make_theory_index.py [--check]
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
THEORY = ROOT / "docs/theory"
INDEX = THEORY / "index.md"
# The page that a bare [eq. n] means, by the beginning of the path.
HOME = {"src/models/strand/": "strands", "src/models/rod/": "rods", "src/models/rigid/": "rigid", "src/models/linkage/": "linkages",
        "src/math/pose_curve": "pose_curve", "src/solve/island/": "island", "tests/unit/models/strand/": "strands",
        "tests/unit/models/rod/": "rods", "tests/unit/models/rigid/": "rigid", "tests/unit/models/linkage/": "linkages",
        "tests/unit/math/pose_curve": "pose_curve", "tests/physics/strand": "strands", "tests/unit/solve/island": "island"}
EQUATION = re.compile(r"^    (.*\S)\s+\((\d+)\)\s*$")
TAG = re.compile(r"(?:(?:notes: |docs/theory/)(\w+?)(?:\.md)?, |\[)?\beqs?\.? ([0-9][0-9, –-]*(?: ?(?:to|and) ?\d+)*)", re.A)
PAPER = re.compile(r"\[[A-Z]\w+\d\d, eqs?\.? [^\]]*\]")


def equations_of(page):
    """Number and formula of every equation, in the order of the page."""
    found = []
    for line in page.read_text().splitlines():
        if match := EQUATION.match(line):
            found.append((int(match[2]), re.sub(r"\s+", " ", match[1])))
    return found


def numbers_of(text):
    """The numbers of "4", "4, 5", "12-15", "24 to 27"."""
    numbers = set()
    for first, last in re.findall(r"(\d+)(?:\s*(?:to|-|–)\s*(\d+))?", text):
        numbers.update(range(int(first), int(last or first) + 1))
    return numbers


def uses():
    """(page, number) → the files that name it."""
    found = {}
    for top in ("src", "tests"):
        for path in sorted(p for p in (ROOT / top).rglob("*") if p.suffix in (".h", ".cpp")):
            name = path.relative_to(ROOT).as_posix()
            home = next((page for start, page in HOME.items() if name.startswith(start)), None)
            text = PAPER.sub("", path.read_text())
            for page, numbers in TAG.findall(text):
                for number in numbers_of(numbers):
                    found.setdefault((page or home, number), set()).add(name)
    return found


def links(names):
    return ", ".join(f"[{pathlib.PurePath(n).name}](../../{n})" for n in sorted(names)) or "–"


def make():
    found = uses()
    lines = ["# Equations, code, tests", "",
             "Made by `tools/make_theory_index.py` from the tags in the sources; do not edit by hand.", ""]
    for page in sorted(THEORY.glob("*.md")):
        equations = equations_of(page) if page != INDEX else []
        if not equations:
            continue
        title = page.read_text().splitlines()[0].lstrip("# ")
        lines += [f"## [{title}]({page.name})", "", "| | equation | code | tests |", "|---|---|---|---|"]
        for number, formula in sorted(equations):
            names = found.get((page.stem, number), set())
            cell = formula.replace("|", "\\|").replace("`", "")
            lines.append(f"| {number} | `{cell}` | {links(n for n in names if n.startswith('src'))} | "
                         f"{links(n for n in names if n.startswith('tests'))} |")
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    text = make()
    if "--check" in sys.argv[1:]:
        if not INDEX.exists() or INDEX.read_text() != text:
            sys.exit("docs/theory/index.md is out of date: run tools/make_theory_index.py")
    else:
        INDEX.write_text(text)
