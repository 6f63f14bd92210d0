#!/usr/bin/env python3
"""Draws every example and writes the gallery: make_gallery.py SINEW [NAME...]

Pictures are WebP of 960x540, by ffmpeg, each of at most 90 kB; those of examples/shots are of 1280x720 and at most 150 kB, with
a film beside each, animated WebP of 640x360 and at most 850 kB. A name is that of an example (`roof`), of a shot (`shots/roof`), or
`films`: the moving pictures of the README, at most 2 MB each: catapult, and the scripts that the README shows. `page` draws nothing.
A script that says `still` and `camera` needs no line below.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
GALLERY = ROOT / "docs/gallery"
FILMS = ROOT / "docs/films"
SIZE, SAMPLES, LARGEST = "960x540", "24", 90_000
SHOT_SIZE, LARGEST_SHOT = "1280x720", 150_000
SHOT_FILM_SIZE, SHOT_FILM_SAMPLES, LARGEST_SHOT_FILM = "640x360", "7", 850_000

# How each example is shown at its best; others get the frame and the camera that `sinew render` chooses.
SHOTS = {
    "bead_on_wire": "--frame 13 --trails 2 --camera 1.6,2.2,9,0.2,1.05,0,30",
    "chain": "--frame 80 --trails 0.8",
    "braid": "--frame 15 --camera 0.3,0,1.1,0,-0.2,0,34",
    "basket": "--frame 60",
    "brick_wall": "--frame 60",
    "card_house": "--frame 60",
    "cow_pile": "--frame 60",
    "bobblehead": "--frame 9",
    "crane": "--frame 310",
    "curl": "--frame 18",
    "curly_bangs": "--frame 52",
    "dominoes": "--frame 40 --camera 0.05,0.45,1.15,0.3,0,0.35,38",
    "ears": "--frame 36",
    "engraving": "--frame 30",
    "fern": "--frame 40",
    "fig03_triple_pendulum": "--frame 80 --trails 1.2 --camera 2,0.6,8.6,0.6,-1.35,0,30",
    "fig04_triple_pendulum_constraints": "--frame 44 --trails 1.2 --camera 1.5,0.5,9,-0.2,-1.2,0,32",
    "fig06_balloon_pendulum": "--frame 79 --trails 0.6",
    "fig07_many_sided_balloon": "--frame 96 --trails 0.4 --camera auto",
    "fig09_pulled_spring": "--frame 14 --trails 1 --camera 4.5,-0.5,15,0.3,-3.3,0,34",
    "fig11_skier_and_avalanche": "--frame 70 --trails 0.2 --camera 27,20.6,8.6,24,17.9,0,34",
    "fig14_double_pendulum": "--frame 86 --trails 1.2 --camera 1.5,0.4,6.2,0,-0.75,0,30",
    "four_bar": "--frame 80 --trails 0.7",
    "gears": "--frame 90 --trails 0.15",
    "hairdo": "--frame 16",
    "jungle": "--frame 12",
    "masonry_arch": "--frame 60",
    "neck_chain": "--frame 40",
    "newtons_cradle": "--frame 24 --trails 0.4 --camera 1.1,-0.25,2.7,0.42,-0.58,0,32",
    "peaucellier": "--frame 20 --trails 0.6 --camera 2.6,1.3,8.4,1.35,0.05,0,33",
    "random_stack": "--frame 100",
    "running_braid": "--frame 30 --camera 2.1,0.1,2.2,1.95,-0.2,0,34",
    "sparse_stack": "--frame 40",
    "tentacle": "--frame 40",
    "tuft": "--frame 12",
    "tumbling_head": "--frame 14 --camera 0.2,1.35,2.1,-0.15,1.08,0,26",
    "strandbeest": "--frame 64 --trails 0.5 --camera 3,-1,25,-3,-3.2,0,33",
    "structured_stack": "--frame 40 --layers",
    "bungee": "--frame 40",
    "tail": "--frame 44",
    "tree_in_turbulence": "--frame 40",
    "whip": "--frame 30 --camera 0,1.3,4.6,0,1.3,0,34",
    "harp": "--frame 60",
    "slipknot": "--frame 50",
    "spider_net": "--frame 24",
    "dna": "--frame 24 --camera 0,-1.4,9,0,-1.9,0,38",
    "cable_bundle": "--frame 40",
    "hoist": "--frame 50",
    "tackle": "--frame 60",
    "winch": "--frame 40",
    "winch_crane": "--frame 70",
    "belt_drive": "--frame 30",
    "ropeway": "--frame 170",
    "carousel": "--frame 110",
    "trapeze": "--frame 52",
    "satellite": "--frame 30",
    "rope_crane": "--frame 50",
    "shoelace": "--frame 50",
    "suture": "--frame 44",
    "swinging_atwood": "--frame 150 --trails 5 --camera 1.2,-0.6,6.4,-0.5,-0.95,0,33",
}
# Moving pictures: size, first and last frame, more.
HERO = ("catapult", "960x540", "20..94", "")
README_FILMS = [("480x270", "0..72", "--trails 0.6 --camera 1,-0.2,4.2,1,-0.5,0,36"), ("480x270", "0..59", "--camera 1.2,1.3,5,0.5,0.85,0,38"),
                ("480x270", "0..84", "--camera 0.4,1.3,4.2,0.1,1.05,0,36")]
LARGEST_FILM = 2_000_000
SHOT_FRAMES = {"bow": "846.."}  # of the film of a shot; else all
INVISIBLE = {"fig01_declarations"}  # declares, and has nothing to see


def first_comment(script):
    """The comment a script begins with, as one paragraph."""
    words = []
    for line in script.read_text().splitlines():
        if not line.startswith("#"):
            break
        words.append(line.lstrip("# "))
    return " ".join(words)


def title(name):
    return re.sub(r"^fig(\d+)_", "", name).replace("_", " ").capitalize()


def draw(sinew, script, out, size=SIZE, largest=LARGEST):
    with tempfile.TemporaryDirectory() as folder:
        full = pathlib.Path(folder) / "full.png"
        options = SHOTS.get(script.stem, "--trails 0.5" if "still(" not in script.read_text() else "").split()
        subprocess.run([sinew, "render", script, full, "--size", size, "--samples", SAMPLES, *options], check=True)
        for quality in (88, 80, 70, 60, 45):
            subprocess.run(["ffmpeg", "-y", "-loglevel", "error", "-i", full, "-c:v", "libwebp", "-quality", str(quality),
                            "-compression_level", "6", out], check=True)
            if out.stat().st_size <= largest:
                out.with_suffix(".png").unlink(missing_ok=True)
                return
    sys.exit(f"{out}: {out.stat().st_size} bytes are more than {largest}")


def film(sinew, script, out, size, frames, options, samples="4", largest=LARGEST_FILM):
    """Numbered pictures, then one animated WebP, as good as the size allows."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sinew, "render", script, f"{folder}/frame.png", "--size", size, "--samples", samples, "--frames", frames, *options.split()], check=True)
        pictures = sorted(pathlib.Path(folder).glob("frame_*.png"))
        for number, picture in enumerate(pictures):
            picture.rename(f"{folder}/{number:04}.png")
        for quality in (85, 75, 65, 50, 35, 20):
            subprocess.run(["ffmpeg", "-y", "-loglevel", "error", "-framerate", "24", "-i", f"{folder}/%04d.png", "-c:v", "libwebp_anim", "-loop", "0",
                            "-quality", str(quality), "-compression_level", "6", out], check=True)
            if out.stat().st_size <= largest:
                return
    sys.exit(f"{out}: {out.stat().st_size} bytes are more than {largest}")


def make_films(sinew):
    name, size, frames, options = HERO
    film(sinew, ROOT / f"examples/{name}.charli", FILMS / f"{name}.webp", size, frames, options)
    scripts = re.findall(r"```charli\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    for number, (script, (size, frames, options)) in enumerate(zip(scripts, README_FILMS, strict=True), 1):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "readme.charli"
            path.write_text(script)
            film(sinew, path, FILMS / f"readme_{number}.webp", size, frames, options)


def entries(scripts, folder, level):
    """Heading, picture and first comment of each script, whose pictures lie in a folder of the gallery."""
    lines = []
    for script in scripts:
        link = f"../../{script.relative_to(ROOT)}"
        picture = next(p.relative_to(GALLERY) for p in (folder / f"{script.stem}.webp", folder / f"{script.stem}.png") if p.exists())
        lines += [f"{level} {title(script.stem)}", "", f"[![{title(script.stem)}]({picture})]({link})", ""]
        if (moving := folder / f"films/{script.stem}.webp").exists():
            lines += [f"![{title(script.stem)}, a film]({moving.relative_to(GALLERY)})", ""]
        lines += [f"{first_comment(script)} [{script.name}]({link})", ""]
    return lines


def write_page(scripts, shots):
    lines = ["# Gallery", "",
             "Every shot and every example as `sinew render` draws it; `./dev gallery` makes this page. A click leads to the script.", "",
             "## Shots", "", "Scenes to be shown, longer than the examples: [examples/shots](../../examples/shots).", "",
             *entries(shots, GALLERY / "shots", "###"),
             "## Examples", "", "One idea each, in at most forty lines.", "", *entries(scripts, GALLERY, "###")]
    (GALLERY / "README.md").write_text("\n".join(lines).rstrip() + "\n")


def main():
    sinew, wanted = sys.argv[1], sys.argv[2:]
    scripts = [script for script in sorted((ROOT / "examples").glob("*.charli")) if script.stem not in INVISIBLE]
    shots = sorted((ROOT / "examples/shots").glob("*.charli"))
    (GALLERY / "shots/films").mkdir(parents=True, exist_ok=True)
    FILMS.mkdir(exist_ok=True)
    for script in scripts:
        if not wanted or script.stem in wanted:
            draw(sinew, script, GALLERY / f"{script.stem}.webp")
    for script in shots:
        if not wanted or f"shots/{script.stem}" in wanted:
            draw(sinew, script, GALLERY / f"shots/{script.stem}.webp", SHOT_SIZE, LARGEST_SHOT)
            film(sinew, script, GALLERY / f"shots/films/{script.stem}.webp", SHOT_FILM_SIZE, SHOT_FRAMES.get(script.stem, ".."), "",
                 SHOT_FILM_SAMPLES, LARGEST_SHOT_FILM)
    if not wanted or "films" in wanted:
        make_films(sinew)
    write_page(scripts, shots)


main()
