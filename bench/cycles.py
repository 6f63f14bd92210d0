#!/usr/bin/env python3
"""Pictures beside Blender's Cycles: time to equal noise, one thread each. bench/cycles.py SINEW BLENDER [--size 320x180] [SCENE ...]

Both draw the same frame: ours from the recording, Cycles from its glTF export with the same camera, a ground, a sun and a sky. Each is compared with
its own picture of many samples, so that differences of light and material do not count: noise is the root mean square of the difference, in
256ths of white, between pictures of 8 bits. Blender's start and its reading of the file are not counted."""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parents[1] / "examples"
SCENES = {"catapult": 1.5, "necklace": 1.0, "fern": 1.0}  # example: the time that is drawn [s]
OURS, THEIRS = (4, 12, 36), (4, 16, 64, 256)  # samples a pixel
REFERENCE_OURS, REFERENCE_THEIRS = 600, 1500

DRAW = """
import bpy, json, numpy, sys, time
numpy.bool = bool  # a name that this Blender's reader of glTF uses, and newer numpy no longer has
file, out, width, height, floor, levels = json.loads(sys.argv[sys.argv.index("--") + 1])
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=file)
scene = bpy.context.scene
scene.camera = next(o for o in scene.objects if o.type == "CAMERA")
bpy.ops.mesh.primitive_plane_add(size=200, location=(0, 0, floor))
sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
sun.data.energy, sun.data.angle = 3, 0.05
sun.rotation_euler = (0.7, 0.2, 0.5)
scene.collection.objects.link(sun)
scene.world = bpy.data.worlds.new("sky")
scene.world.use_nodes = True
scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.6, 0.7, 0.9, 1)
scene.render.engine, scene.cycles.device = "CYCLES", "CPU"
scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = width, height, 100
scene.render.threads_mode, scene.render.threads = "FIXED", 1
scene.view_settings.view_transform = "Standard"
scene.cycles.use_adaptive_sampling = False
facts = []
for samples, denoised in levels:
    scene.cycles.samples, scene.cycles.use_denoising = samples, denoised
    scene.render.filepath = f"{out}/{samples}{'d' if denoised else ''}.png"
    begin, cpu = time.time(), time.process_time()
    try:
        bpy.ops.render.render(write_still=True)
    except RuntimeError as error:  # a Blender without a denoiser
        print("CYCLES", error)
        continue
    facts.append([samples, denoised, time.time() - begin, time.process_time() - cpu])
json.dump(facts, open(out + "/facts.json", "w"))
"""

COMPARE = """
import bpy, json, numpy, sys
def pixels(file):
    image = bpy.data.images.load(file)
    image.colorspace_settings.name = "Non-Color"
    return numpy.array(image.pixels[:]).reshape(-1, 4)[:, :3]
print(json.dumps([256 * float(numpy.sqrt(numpy.mean((pixels(a) - pixels(b)) ** 2))) for a, b in json.loads(sys.argv[sys.argv.index("--") + 1])]))
"""


def in_blender(blender, script, argument):
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(script)
        file.flush()
        done = subprocess.run([blender, "--background", "--factory-startup", "--python-exit-code", "1", "--python", file.name, "--", json.dumps(argument)],
                              capture_output=True, text=True, env={**os.environ, "PATH": "/usr/bin:/bin"})  # with the Python it was built for
    if done.returncode:
        sys.exit(f"Blender ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def noises(blender, pairs):
    """Of pairs of pictures, which Blender's Python reads."""
    said = in_blender(blender, COMPARE, [[str(one), str(other)] for one, other in pairs])
    return json.loads(next(line for line in said.splitlines() if line.startswith("[")))


def ours(sinew, blender, recording, frame, size, folder):
    rows = []
    for samples, raw in [(n, False) for n in OURS] + [(n, True) for n in OURS] + [(REFERENCE_OURS, True)]:
        out = folder / f"ours{samples}{'raw' if raw else ''}.png"
        said = subprocess.run([sinew, "render", recording, out, "--frame", str(frame), "--size", size, "--samples", str(samples), "--threads", "1", "--json",
                               *(["--raw"] if raw else [])], check=True, capture_output=True, text=True).stdout
        rows.append((samples, not raw, json.loads(said)["seconds"], out))
    reference = rows.pop()[3]
    found = noises(blender, [(out, reference) for *_, out in rows])
    return [(samples, cleaned, seconds, level) for (samples, cleaned, seconds, _), level in zip(rows, found)]


def theirs(blender, model, floor, size, folder):
    levels = [(n, False) for n in THEIRS] + [(n, True) for n in THEIRS[:3]] + [(REFERENCE_THEIRS, False)]
    in_blender(blender, DRAW, [str(model), str(folder), *map(int, size.split("x")), floor, levels])
    facts = json.loads((folder / "facts.json").read_text())
    reference = folder / f"{REFERENCE_THEIRS}.png"
    facts = [fact for fact in facts if fact[0] != REFERENCE_THEIRS]
    found = noises(blender, [(folder / f"{samples}{'d' if cleaned else ''}.png", reference) for samples, cleaned, *_ in facts])
    return [(samples, cleaned, seconds, level) for (samples, cleaned, seconds, _), level in zip(facts, found)]


def time_to(rows, level):
    """Seconds to this noise by the cheapest way: between two rows the logarithm of the noise is linear in that of the time."""
    best = math.inf
    for cleaned in (False, True):
        points = sorted((seconds, found) for _, is_cleaned, seconds, found in rows if is_cleaned == cleaned)
        for (t0, n0), (t1, n1) in zip(points, points[1:]):
            if n0 >= level >= n1 and n0 > n1:
                best = min(best, t0 * (t1 / t0) ** (math.log(n0 / level) / math.log(n0 / n1)))
        best = min([best] + [seconds for seconds, found in points if found <= level])
    return best


def main():
    options = argparse.ArgumentParser()
    options.add_argument("sinew")
    options.add_argument("blender")
    options.add_argument("scenes", nargs="*", default=list(SCENES))
    options.add_argument("--size", default="320x180")
    asked = options.parse_args()
    sinew = pathlib.Path(asked.sinew).resolve()
    for scene in asked.scenes:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            recording, model = folder / "a.sinew", folder / "a.glb"
            seconds = SCENES.get(scene, 1.0)
            subprocess.run([sinew, "run", EXAMPLES / f"{scene}.charli", "-o", recording, "--seconds", str(seconds), "--fps", "24", "-q"], check=True)
            frame = round(seconds * 24)
            subprocess.run([sinew, "export", recording, model, "--frame", str(frame), "-q"], check=True)
            tables = {"Sinew": ours(sinew, asked.blender, recording, frame, asked.size, folder), "Cycles": theirs(asked.blender, model, 0, asked.size, folder)}
        print(f"{scene}, {asked.size}, one thread\n  {'':8}{'samples':>8}  {'cleaned':8}{'seconds':>9}{'noise/256':>11}")
        for name, rows in tables.items():
            for samples, cleaned, taken, found in rows:
                print(f"  {name:8}{samples:8}  {'yes' if cleaned else 'no':8}{taken:9.2f}{found:11.2f}")
        for level in (8, 4, 2):
            print(f"  noise of {level}/256: " + ", ".join(f"{name} {time_to(rows, level):.2f} s" for name, rows in tables.items()))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
