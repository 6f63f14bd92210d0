#!/usr/bin/env python3
"""Draws the picture of every script of docs/guide/words.md: make_word_pictures.py SINEW [NAME...]

A script shows several words sometimes; its picture has the name of the first. It shows a moment in the first second, framed for that second,
so that what flies away later does not make it small. Masses leave trails; where there are labels only, their axes and names are shown.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/guide/words.md"
SIZE, QUALITY, LARGEST = "400x225", "75", 20_000
DRAWN = re.compile(r"\b(mass|box_mass|body|obstacle|strand|groom|rod|line|path)\(")
SHOT = re.compile(r"```charli\n(?P<script>[^`]*)```\n\n!\[[^\]]*\]\((?P<picture>[^)]+)\)")


def call(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr}")


def draw(sinew, script, out):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shutil.copytree(ROOT / "examples/meshes", folder / "meshes")
        path, full = folder / "word.charli", folder / "full.png"
        path.write_text(script)
        call(sinew, "run", path, "--out", folder / "word.sinew", "--seconds", "1", "--fps", "24")
        shows = ["--trails", "0.6"] if DRAWN.search(script) else ["--axes", "--labels"]
        call(sinew, "render", folder / "word.sinew", full, "--frame", "16", "--size", SIZE, "--samples", "32", *shows)
        subprocess.run(["ffmpeg", "-y", "-loglevel", "error", "-i", full, "-c:v", "libwebp", "-quality", QUALITY, out], check=True)
    if out.stat().st_size > LARGEST:
        sys.exit(f"{out}: {out.stat().st_size} bytes are more than {LARGEST}")


def main():
    sinew, wanted, total = sys.argv[1], sys.argv[2:], 0
    shots = {shot["picture"]: shot["script"] for shot in SHOT.finditer(PAGE.read_text())}
    for picture, script in shots.items():
        out = PAGE.parent / picture
        out.parent.mkdir(parents=True, exist_ok=True)
        if not wanted or out.stem in wanted:
            draw(sinew, script, out)
            total += out.stat().st_size
            print(out.relative_to(ROOT), out.stat().st_size, flush=True)
    print(f"{total} bytes in all")


if __name__ == "__main__":
    main()
