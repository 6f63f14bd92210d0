#!/usr/bin/env python3
"""Draws the pairs of docs/guide/hair.md: make_hair_pictures.py SINEW [NAME...]

Each picture shows one control, without it on the left and with it on the right, everything else being the same.
"""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "docs/guide/pictures"
SIZE, SAMPLES, LARGEST = "320x240", "64", 30_000

RUN = """def head obstacle(); sphere(0.09); colour(0.85, 0.65, 0.5); end;
head translatex({0 at 0 sec slowin 1.2 at 0.5 sec linear 4 at 1.1 sec}) translatey({0 at 0 sec slowinout 0.06 at 0.15 sec slowinout 0 at 0.3 sec
    slowinout 0.06 at 0.45 sec slowinout 0 at 0.6 sec});
"""
BRAID = """def braid
  strand(spline(0,0,0, -0.06,-0.05,0, -0.06,-0.4,0), segments = 20); radius({14 mm at 0 along linear 5 mm at 1 along});
  mass_per_length(0.1); bend_stiffness(0.003); damping(0.03); colour(0.4, 0.2, 0.08); @ end;
braid translate(-0.09, 0.02, 0) on head;
camera(0.75, -0.02, 1.2, 0.75, -0.1, 0, fov = 40 deg); simulate(0 sec, 1 sec, step = 1/96);
"""
TAIL = """def tail
  strand(spline(0,0,0, 0.2,0.05,0, 0.45,-0.05,0), segments = 18); radius({16 mm at 0 along linear 5 mm at 1 along});
  mass_per_length(0.1); bend_stiffness(0.006); damping(0.25); colour(0.5, 0.35, 0.2); @ end;
def hip box(0.1, 0.16, 0.12); obstacle(); colour(0.6, 0.55, 0.5); end;
hip translatex(-0.05); tail; %
camera(0.2, 0.05, 1.3, 0.2, -0.07, 0, fov = 36 deg); simulate(0 sec, 3 sec, step = 1/96);
"""
WIG = """def hair
  groom("meshes/scalp.obj", count = 900, segments = 14, length = 16 cm, droop = 0.9 @);
  radius(0.5 mm); mass_per_length(0.0006); bend_stiffness(4e-7); damping(0.05); air_drag(0.0004, 0.002); contact(0);
  zero_gravity_rest(); colour(0.4, 0.2, 0.08); end;
def skull obstacle(); sphere(0.088); colour(0.85, 0.65, 0.5); end;
skull; hair; %
camera(0.25, 0.02, 0.75, 0, -0.02, 0, fov = 34 deg); simulate(0 sec, 1 sec, step = 1/96);
"""
CURLS = """def curls
  for i in 0..6 lock[i] = strand(spline_through(0.03 * i,0,0, 0.03 * i + 0.02,-0.03,0, 0.03 * i,-0.06,0.02, 0.03 * i - 0.02,-0.09,0,
      0.03 * i,-0.12,-0.02, 0.03 * i + 0.02,-0.15,0, 0.03 * i,-0.18,0.02), segments = 24); end;
  radius(2.5 mm); mass_per_length(0.006); bend_stiffness(2e-5); damping(0.1); colour(0.35, 0.18, 0.07); @ end;
curls; def band obstacle(); box(0.24, 0.03, 0.03); colour(0.3, 0.35, 0.5); end; band translate(0.09, 0.012, 0);
camera(0.09, -0.08, 0.7, 0.09, -0.12, 0, fov = 34 deg); simulate(0 sec, 2 sec, step = 1/96);
"""
ROPES = """def rope strand(line(0,0,0, 0.5,0,0), segments = 18); radius(8 mm); bend_stiffness(4e-4); damping(0.08);
  air_drag(0.1, 0.1); colour(0.75, 0.6, 0.35); @ end;
def bar strand(line(0,0,-0.15, 0,0,0.15), segments = 6); radius(8 mm); bend_stiffness(1e3); colour(0.3, 0.4, 0.6); end;
bar translate(0.16, -0.07, 0); rope; %
camera(0.45, 0.05, 0.75, 0.15, -0.15, 0, fov = 36 deg); simulate(0 sec, 2 sec, step = 1/96);
"""
SLOPE = """def rope strand(line(-0.25,0.03,0, 0.25,0.03,0), segments = 20); radius(8 mm); bend_stiffness(1e-3); damping(0.05);
  colour(0.75, 0.6, 0.35); @ end;
rope translate(0, 0.1, 0.14); def board obstacle(); box(0.9, 0.04, 0.5); material(friction = 1); colour(0.45, 0.3, 0.2); end;
board rotatex({0 deg at 0 sec slowinout 35 deg at 0.5 sec});
camera(0.7, 0.35, 1.1, 0, 0, 0, fov = 40 deg); simulate(0 sec, 2 sec, step = 1/96);
"""

# name: (script, at `@` before, at `@` after, at `%` before, at `%` after, frame)
PAIRS = {
    "time_scale": (RUN + BRAID, "", "time_scale(0.3);", "", "", 11),
    "local_dynamics": (RUN + BRAID, "", "local_dynamics(0.8);", "", "", 11),
    "pose": (TAIL, "", "pose(spline(0,0,0, 0.2,0.15,0, 0.3,0.3,0, 0.15,0.3,0), strength = 60, damping = 3);", "", "", 71),
    "blend": (TAIL, "", "blend(0.5);", "", "", 71),
    "freeze": (TAIL, "", "freeze({0 at 0 sec hold 1 at 0.08 sec});", "", "", 71),
    "stretch": (TAIL, "", "stretch({1 at 0 along linear 1.6 at 1 along});", "", "", 71),
    "stretch_stiffness": (TAIL, "", "stretch_stiffness(0.5);", "", "", 71),
    "least_radius": (TAIL, "", "least_radius(40 cm);", "", "", 71),
    "joint": (TAIL, "", "", "", "joint_constraint(tail at 0.5 along, z, angle = {0 deg at 0 sec slowinout 60 deg at 1 sec});", 71),
    "position": (TAIL, "", "", "", "position_constraint(tail at 1 along, point(0.3, 0.1, 0), active = {0 at 0 sec hold 1 at 0.5 sec});", 71),
    "zero_gravity_rest": (CURLS, "", "zero_gravity_rest();", "", "", 47),
    "touch": (ROPES, "", "", "", "strands(touch = each_other);", 47),
    "surface": (SLOPE, "surface(friction = 0.02);", "surface(friction = 1);", "", "", 20),
    "continuum": (WIG, "", "", "", "continuum(1 cm, density = 3, pressure = 2, viscosity = 5) on hair;", 12),
    "groom_droop": (WIG.replace(", droop = 0.9 ", ""), ", droop = 0", ", droop = 1", "", "", 0),
    "groom_vary": (WIG, "", ", vary = 0.8", "", "", 0),
    "groom_clumps": (WIG, "", ", clumps = 30, clumping = 0.9", "", "", 0),
    "groom_curl": (WIG, "", ", curl = 3, curl_radius = 6 mm", "", "", 0),
}


def draw(sinew, name, folder):
    script, first, second, first_rest, second_rest, frame = PAIRS[name]
    for side, at, rest in (("a", first, first_rest), ("b", second, second_rest)):
        text = script.replace("@", at).replace("%", rest)
        path = ROOT / "examples" / f".{name}_{side}.charli"  # meshes lie there
        try:
            path.write_text(text)
            subprocess.run([sinew, "render", path, folder / f"{side}.png", "--size", SIZE, "--samples", SAMPLES,
                            "--frame", str(frame)], check=True, stdout=subprocess.DEVNULL)
        finally:
            path.unlink()
    out = OUT / f"hair_{name}.png"
    for colours in (128, 80, 48, 32, 20):
        subprocess.run(["ffmpeg", "-y", "-loglevel", "error", "-i", folder / "a.png", "-i", folder / "b.png", "-filter_complex",
                        f"[0][1]hstack,split[a][b];[a]palettegen=max_colors={colours}:reserve_transparent=0[p];"
                        "[b][p]paletteuse=dither=none", "-pred", "mixed", out], check=True)
        if out.stat().st_size <= LARGEST:
            return
    sys.exit(f"{out}: {out.stat().st_size} bytes are more than {LARGEST}")


def main():
    for name in sys.argv[2:] or PAIRS:
        with tempfile.TemporaryDirectory() as folder:
            draw(sys.argv[1], name, pathlib.Path(folder))
        print(name, flush=True)


main()
