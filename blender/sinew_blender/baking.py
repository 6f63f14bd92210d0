"""The result of a run as objects that play on the timeline."""
import csv
import itertools
import re

import bpy
import numpy

COLLECTION = "Sinew"
KEY_SPACING = 10  # of absolute shape keys, as Blender lays them


def clear(context):
    """Removes what the last bake made."""
    collection = bpy.data.collections.get(COLLECTION)
    if collection:
        for thing in list(collection.all_objects):
            bpy.data.objects.remove(thing, do_unlink=True)
        bpy.data.collections.remove(collection)
    del context


def mend_numpy():
    """Debian's Blender 3.4 uses a name that Debian's NumPy 1.24 no longer has."""
    if not hasattr(numpy, "bool"):
        numpy.bool = bool


def read_strands(path, words):
    """Frames of a table: of each strand, by def and number, its nodes in Blender's axes."""
    node = re.compile(rf"({'|'.join(sorted(words, key=len, reverse=True))})(?:#(\d+))?\[(\d+)\]")
    with open(path, encoding="utf-8", newline="") as file:
        for _, rows in itertools.groupby(csv.DictReader(file), key=lambda row: row["time"]):
            strands = {}
            for row in rows:
                if found := node.fullmatch(row["name"]):
                    strands.setdefault((found[1], int(found[2] or 1)), []).append((float(row["x"]), -float(row["z"]), float(row["y"])))
            yield strands


def make_curve(name, splines, source):
    """A curve object with the thickness and the materials of its source."""
    data = bpy.data.curves.new(f"{name}.sinew", "CURVE")
    data.dimensions = "3D"
    for setting in ("bevel_depth", "bevel_resolution", "use_fill_caps") if source.type == "CURVE" else ():
        setattr(data, setting, getattr(source.data, setting))
    for material in source.data.materials:
        data.materials.append(material)
    for points in splines:
        spline = data.splines.new("POLY")
        spline.points.add(len(points) - 1)
        for point, place in zip(spline.points, points):
            point.co = (*place, 1)
    return bpy.data.objects.new(f"{name}.sinew", data)


def key_curve(thing, frames):
    """One absolute shape key for each frame: they play, render and are saved without the add-on."""
    for number, splines in enumerate(frames):
        key = thing.shape_key_add(name=f"frame {number}", from_mix=False)
        key.data.foreach_set("co", numpy.array([place for points in splines for place in points], dtype=numpy.float32).ravel())
    keys = thing.data.shape_keys
    keys.use_relative = False
    for frame in (0, len(frames) - 1):
        keys.eval_time = KEY_SPACING * frame
        keys.keyframe_insert("eval_time", frame=frame)
    for point in keys.animation_data.action.fcurves[0].keyframe_points:
        point.interpolation = "LINEAR"


def bake_curves(table, strands):
    """Copies of the selected curves that move as their strands did."""
    frames = list(read_strands(table, {word for word, _, _ in strands}))
    made = []
    for name in dict.fromkeys(name for _, _, name in strands):
        of_frames = [[places[word, number] for word, number, each in strands if each == name] for places in frames]
        made.append(make_curve(name, of_frames[0], bpy.data.objects[name]))
        key_curve(made[-1], of_frames)
    return made


def remove_tubes(words):
    """The tubes and armatures of strands that curves show already."""
    tube = re.compile(rf"({'|'.join(words)})\b")
    for thing in [thing for thing in bpy.data.collections[COLLECTION].all_objects if tube.match(thing.name)]:
        bpy.data.objects.remove(thing, do_unlink=True)


def bake(context, path, frame_count, table=None, strands=()):
    """Bodies become objects with keys, strands tubes on armatures, or curves where they come from curves of the scene."""
    mend_numpy()
    clear(context)
    before = set(bpy.data.objects)
    bpy.ops.import_scene.gltf(filepath=str(path))
    made = [thing for thing in bpy.data.objects if thing not in before]
    collection = bpy.data.collections.new(COLLECTION)
    context.scene.collection.children.link(collection)
    for thing in made:
        for old in list(thing.users_collection):
            old.objects.unlink(thing)
        collection.objects.link(thing)
    if strands:
        remove_tubes({word for word, _, _ in strands})
        for thing in bake_curves(table, strands):
            collection.objects.link(thing)
    context.scene.frame_start = 0
    context.scene.frame_end = max(1, frame_count - 1)
    context.scene.frame_set(0)
