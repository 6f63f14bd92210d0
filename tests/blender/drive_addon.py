"""Runs in Blender without a window: simulates a selection by the add-on and prints where things are.
blender --background --python THIS -- ADDONS SINEW FOLDER"""
import json
import sys

import bpy

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


def nodes_of(thing):
    """The points of a curve as it is shown now."""
    shown = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    return [list(vertex.co) for vertex in shown.vertices]


def places(frame):
    scene.frame_set(frame)
    out = {}
    for thing in bpy.data.collections["Sinew"].all_objects:
        out[thing.name] = nodes_of(thing) if thing.type == "CURVE" else list(thing.matrix_world.translation)
    return out


shown = {frame: places(frame) for frame in (0, 6, 12)}
end, status = scene.frame_end, settings.status
bpy.ops.sinew.clear()
left = "Sinew" in bpy.data.collections
for thing in list(bpy.data.objects):
    bpy.data.objects.remove(thing)


def strip(name, x):
    """A thin plate of two faces."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([(x + i - 1, y, 0) for i in range(3) for y in (-0.5, 0.5)], [], [(0, 2, 3, 1), (2, 4, 5, 3)])
    plate = bpy.data.objects.new(name, mesh)
    scene.collection.objects.link(plate)
    return plate


lift = strip("lift", 0)  # keyed
for frame, height in ((0, 1), (12, 1.5), (24, 1.5)):
    lift.location.z = height
    lift.keyframe_insert("location", frame=frame)
rigged = strip("rigged", 5)  # moved by a bone
bpy.ops.object.armature_add(location=(5, 0, 0))
armature = bpy.context.object
rigged.modifiers.new("rig", "ARMATURE").object = armature
rigged.parent = armature
rigged.matrix_parent_inverse = armature.matrix_world.inverted()
rigged.vertex_groups.new(name="Bone").add(range(6), 1, "REPLACE")
for frame, height in ((0, 0), (12, 0.5), (24, 0.5)):
    armature.pose.bones["Bone"].location.y = height
    armature.pose.bones["Bone"].keyframe_insert("location", frame=frame)
mixed = strip("mixed", 10)  # shape keys
mixed.shape_key_add(name="Basis")
key = mixed.shape_key_add(name="up")
for point in key.data:
    point.co.z += 1
for frame, value in ((0, 0), (12, 0.5), (24, 0.5)):
    key.value = value
    key.keyframe_insert("value", frame=frame)
for number, height in enumerate((1, 0, 0)):
    bpy.ops.mesh.primitive_cube_add(size=0.4, location=(5 * number, 0, height + 0.2))
    bpy.context.object.name = f"load {number}"
bezier = bpy.data.curves.new("bow", "CURVE")
bezier.dimensions = "3D"
bow = bezier.splines.new("BEZIER")
bow.bezier_points.add(1)
for point, x in zip(bow.bezier_points, (0, 1)):
    point.co, point.handle_left, point.handle_right = (x, 3, 2), (x - 0.3, 3, 2.5), (x + 0.3, 3, 2.5)
scene.collection.objects.link(bpy.data.objects.new("bow", bezier))


def hair(name, parent, x, height):
    """A curve from a point outwards, parented where that is now."""
    data = bpy.data.curves.new(name, "CURVE")
    data.dimensions = "3D"
    points = data.splines.new("POLY").points
    points.add(3)
    for i, point in enumerate(points):
        point.co = (x, -0.3 - 0.2 * i, height, 1)
    lock = bpy.data.objects.new(name, data)
    scene.collection.objects.link(lock)
    bpy.context.view_layer.update()
    lock.parent = parent
    lock.matrix_parent_inverse = parent.matrix_world.inverted()


scene.frame_set(0)
hair("on rig", rigged, 5, 0)  # on a mesh that a bone moves
empty = bpy.data.objects.new("handle", None)  # on what has no surface
scene.collection.objects.link(empty)
for frame, turn in ((0, 0), (24, 1.5)):
    empty.rotation_euler.z = turn
    empty.keyframe_insert("rotation_euler", frame=frame)
scene.frame_set(0)
hair("on handle", empty, 0, 3)
bpy.context.view_layer.update()
for thing in bpy.data.objects:
    thing.select_set(thing.type != "ARMATURE")
settings.seconds, settings.has_ground, settings.folder = 1, False, folder + "/animated"
animated = list(bpy.ops.sinew.simulate(wait=True))
carried = {frame: places(frame) for frame in (0, 24)}
with open(folder + "/animated/fur.csv", encoding="utf-8") as file:
    bow_rows = len(file.readlines()) - 1
bpy.ops.sinew.clear()
settings.script = folder + "/broken.charli"
with open(settings.script, "w", encoding="utf-8") as file:
    file.write("def bob mass(-1); end;\n")
try:
    bpy.ops.sinew.simulate(wait=True)
except RuntimeError as error:
    said.append(str(error))
sinew_blender.unregister()
print("JSON" + json.dumps({"result": list(result), "shown": shown, "end": end, "status": status, "left": left, "said": said, "animated": animated, "carried": carried, "bow_rows": bow_rows,
                          "objects": [thing.name for thing in bpy.data.objects]}))
