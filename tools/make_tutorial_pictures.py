#!/usr/bin/env python3
"""Draws the pictures of the tutorials and of first steps: make_tutorial_pictures.py SINEW [NAME...]

A picture belongs to the last script before it on its page. A comment in the line above it has the options of `sinew render`:

    <!-- render --frame 30 -->
    ![A trunk on the stage](pictures/puppet_1.webp)
"""
import pathlib
import re
import subprocess
import sys
import tempfile

from guide_scripts import scripts

ROOT = pathlib.Path(__file__).resolve().parent.parent
SIZE, QUALITY, LARGEST = "640x360", "82", 60_000
PAGES = [ROOT / "docs/guide/first-steps.md", *sorted((ROOT / "docs/guide/tutorials").glob("*.md"))]
PARTS = re.compile(r"```charli\n(?P<script>.*?)```|<!-- render(?P<options>[^>]*) -->\n!\[[^\]]*\]\((?P<picture>[^)]+)\)", re.S)


def shots(page):
    """Script, options and file of every picture of a page."""
    text = page.read_text()
    whole, count = scripts(text), 0
    for part in PARTS.finditer(text):
        if part["script"]:
            count += 1
        elif count == 0:
            sys.exit(f"{page}: there is no script before {part['picture']}")
        else:
            yield whole[count - 1], part["options"].split(), (page.parent / part["picture"]).resolve()


def draw(sinew, script, options, out):
    with tempfile.TemporaryDirectory() as folder:
        path, full = pathlib.Path(folder) / "tutorial.charli", pathlib.Path(folder) / "full.png"
        path.write_text(script)
        subprocess.run([sinew, "render", path, full, "--size", SIZE, "--samples", "32", *options], check=True, capture_output=True)
        subprocess.run(["ffmpeg", "-y", "-loglevel", "error", "-i", full, "-c:v", "libwebp", "-quality", QUALITY, out], check=True)
    if out.stat().st_size > LARGEST:
        sys.exit(f"{out}: {out.stat().st_size} bytes are more than {LARGEST}")


def main():
    sinew, wanted = sys.argv[1], sys.argv[2:]
    for page in PAGES:
        for script, options, out in shots(page):
            if not wanted or out.stem in wanted:
                draw(sinew, script, options, out)
                print(out.relative_to(ROOT), out.stat().st_size, flush=True)


if __name__ == "__main__":
    main()
