"""Runs in Blender without a window: simulates a selection by the add-on and prints where things are.
blender --background --python THIS -- ADDONS SINEW FOLDER"""
import json
import sys

import bpy
import mathutils

addons, program, folder = sys.argv[sys.argv.index("--") + 1:]
sys.path.insert(0, addons)
import sinew_blender  # noqa: E402  (its folder is known only now)

bpy.ops.wm.read_factory_settings(use_empty=True)
sinew_blender.register()
scene = bpy.context.scene
scene.render.fps = 24
settings = scene.sinew
settings.program, settings.folder, settings.seconds, settings.segments = program, folder, 0.5, 8

said = []
try:
    bpy.ops.sinew.simulate(wait=True)
except RuntimeError as error:
    said.append(str(error))

curve = bpy.data.curves.new("lock", "CURVE")
curve.dimensions = "3D"
spline = curve.splines.new("POLY")
spline.points.add(4)
for i, point in enumerate(spline.points):
    point.co = (0.2 * i, 0, 2, 1)
lock = bpy.data.objects.new("lock", curve)
scene.collection.objects.link(lock)
lock.location.y = 1
for i in range(3):
    bpy.ops.mesh.primitive_cube_add(size=1, location=(0, -2, 0.5 + 1.001 * i))
    bpy.context.object.name = f"box {i}"
bpy.context.view_layer.update()
for thing in bpy.data.objects:
    thing.select_set(True)
result = bpy.ops.sinew.simulate(wait=True)


def places(frame):
    scene.frame_set(frame)
    out = {}
    for thing in bpy.data.collections["Sinew"].all_objects:
        out[thing.name] = list(thing.matrix_world.translation)
        for bone in thing.pose.bones if thing.type == "ARMATURE" else ():
            out[bone.name] = list(thing.matrix_world @ bone.matrix @ mathutils.Vector((0, 0, 0)))
    return out


shown = {frame: places(frame) for frame in (0, 6, 12)}
end, status = scene.frame_end, settings.status
bpy.ops.sinew.clear()
left = "Sinew" in bpy.data.collections
settings.script = folder + "/broken.charli"
with open(settings.script, "w", encoding="utf-8") as file:
    file.write("def bob mass(-1); end;\n")
try:
    bpy.ops.sinew.simulate(wait=True)
except RuntimeError as error:
    said.append(str(error))
sinew_blender.unregister()
print("JSON" + json.dumps({"result": list(result), "shown": shown, "end": end, "status": status, "left": left, "said": said}))
