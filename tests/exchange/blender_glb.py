"""Runs in Blender: imports a GLB and prints where objects are at frames. blender --background --python THIS -- FILE FPS FRAME... NAME..."""
import json
import sys

import bpy
import mathutils
import numpy

if not hasattr(numpy, "bool"):  # Debian's Blender 3.4 uses a name that Debian's NumPy 1.24 no longer has
    numpy.bool = bool

path, fps, frames, names = json.loads(sys.argv[sys.argv.index("--") + 1])
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.context.scene.render.fps = fps
bpy.ops.import_scene.gltf(filepath=path)
out = {}
for frame in frames:
    bpy.context.scene.frame_set(frame)
    places = {}
    for thing in bpy.data.objects:
        if thing.name in names:
            places[thing.name] = list(thing.matrix_world.translation)
        if thing.type == "ARMATURE":
            for bone in thing.pose.bones:
                if bone.name in names:
                    places[bone.name] = list(thing.matrix_world @ bone.matrix @ mathutils.Vector((0, 0, 0)))
    out[str(frame)] = places
print("JSON" + json.dumps(out))
