"""The result of a run as objects that play on the timeline."""
import bpy
import numpy

COLLECTION = "Sinew"


def clear(context):
    """Removes what the last bake made."""
    collection = bpy.data.collections.get(COLLECTION)
    if collection:
        for thing in list(collection.all_objects):
            bpy.data.objects.remove(thing, do_unlink=True)
        bpy.data.collections.remove(collection)
    del context


def bake(context, path, frame_count):
    """Bodies become objects with keys, strands tubes on armatures; the names are those of the script."""
    if not hasattr(numpy, "bool"):  # Debian's Blender 3.4 uses a name that Debian's NumPy 1.24 no longer has
        numpy.bool = bool
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
    context.scene.frame_start = 0
    context.scene.frame_end = max(1, frame_count - 1)
    context.scene.frame_set(0)
    return made
