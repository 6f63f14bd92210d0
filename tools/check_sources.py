#!/usr/bin/env python3
"""Fails on what the sources must not contain: see CONTRIBUTING.md, "Forbidden in main"."""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# The C library's functions differ in their last bits between libraries; src/math wraps them.
MATHS = re.compile(r"\bstd::(sin|cos|tan|asin|acos|atan|atan2|exp|log|pow|fma|hypot|cbrt)\s*\(")
RANDOM = re.compile(r"\b(rand|srand|random_device)\s*\(")
MARKS = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
NAMES = re.compile(r"(^|[_/])(utils?|misc|common|manager)([_./]|$)")


def files():
    out = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in out.stdout.splitlines() if (ROOT / name).is_file()]


def is_declaration(line):
    """`struct Body;` makes no type, `enum class Side { before, after };` does."""
    code = line.split("//")[0].rstrip()
    return code.endswith(";") and "{" not in code


def types_of(name):
    """Types at the outer level of a source, with their namespaces: formatted sources only."""
    spaces = []
    for number, line in enumerate((ROOT / name).read_text().splitlines(), 1):
        if opened := re.match(r"namespace ?([\w:]*) \{", line):
            spaces.append(opened[1] or f"(in {name})")
        elif line.startswith("} // namespace"):
            spaces.pop()
        elif (made := re.match(r"(?:struct|class|enum class) (\w+)(?!\w|::|<)", line)) and not is_declaration(line):
            yield "::".join([*spaces, made[1]]), f"{name}:{number}"


def same_names():
    """Two types of one name are one to the linker, which takes the destructor of either for both."""
    first = {}
    for name in files():
        if not name.startswith(("src/", "include/", "apps/")) or not name.endswith((".h", ".cpp")):
            continue
        for made, place in types_of(name):
            if first.setdefault(made, place) != place:
                yield f"{place}: {made} is a type in {first[made]} too"


def gaps_in_lock_files():
    """What `npm ci` would refuse, or fetch without knowing its hash."""
    for name in files():
        if not name.endswith("package-lock.json"):
            continue
        packages = json.loads((ROOT / name).read_text())["packages"]
        for place, facts in packages.items():
            if place and not facts.get("integrity", "").startswith("sha512-"):
                yield f"{name}: {place} has no hash"
            for wish in {**facts.get("dependencies", {}), **facts.get("optionalDependencies", {})}:
                folders = [""] + [place[:end.end()] + "/" for end in re.finditer(r"node_modules/(@[^/]+/)?[^/]+", place)]
                if not any(f"{folder}node_modules/{wish}" in packages for folder in folders):
                    yield f"{name}: {place or 'the folder'} asks for {wish}, which is not there: `npm ci` refuses it"


def other_versions():
    """CMakeLists.txt says the version; what is installed by others' rules repeats it."""
    version = re.search(r"project\(sinew VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
    repeats = {"editors/vscode/package.json": rf'"version": "{version}"', "editors/vscode/package-lock.json": rf'"version": "{version}"',
               "editors/README.md": f"sinew.charli-{version}`", "blender/sinew_blender/blender_manifest.toml": f'\nversion = "{version}"',
               "include/sinew/language.h": f'"{version}"', "CHANGELOG.md": f"\n## {version}"}
    for name, repeat in repeats.items():
        if repeat not in (ROOT / name).read_text():
            yield f"{name}: the version is {version}, as CMakeLists.txt says"


def faults():
    for name in files():
        if NAMES.search(name) and name.startswith(("src", "include", "apps", "tests", "tools")):
            yield f"{name}: a name that says nothing"
        if not name.endswith((".h", ".cpp", ".py", ".ts", ".mjs")) or name.startswith("tools/check_sources"):
            continue
        is_unfused = name == "src/math/eigen.h"
        for number, line in enumerate((ROOT / name).read_text().splitlines(), 1):
            code = line.split("//")[0]
            is_unfused = is_unfused or code.startswith('#include "math/eigen.h"')
            if name.startswith("src/") and code.startswith("#include <Eigen/") and not is_unfused:
                yield f'{name}:{number}: include "math/eigen.h" before what is Eigen\'s: it has other bits on 64-bit ARM'
            if name.startswith("src/") and not name.startswith(("src/math/", "src/base/arithmetic")) and MATHS.search(code):
                yield f"{name}:{number}: call the function of src/math/functions.h instead"
            if name.startswith("src/") and RANDOM.search(code):
                yield f"{name}:{number}: randomness comes from a seed in State"
            if MARKS.search(line):
                yield f"{name}:{number}: unfinished business belongs into an issue"
    yield from same_names()
    yield from gaps_in_lock_files()
    yield from other_versions()
    for readme in ROOT.glob("src/**/README.md"):
        if len(readme.read_text().splitlines()) > 15:
            yield f"{readme.relative_to(ROOT)}: a room's page has at most 15 lines"


found = list(faults())
print("\n".join(found), end="\n" if found else "")
sys.exit(bool(found))
