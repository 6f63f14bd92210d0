"""Crates on a tray that is keyed in Blender, and grass of curves: the scene of the tutorial "from Blender and back".

    blender --python examples/blender/tray.py                                    the scene, to simulate by hand
    blender --background --python examples/blender/tray.py -- OUT [SINEW]        simulated by the add-on and rendered to OUT_00.png, OUT_26.png, OUT_46.png
"""
import math
import pathlib
import sys

import bpy

arguments = sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else []


def colour(thing, red, green, blue):
    material = bpy.data.materials.new(thing.name)
    material.diffuse_color = (red, green, blue, 1)
    material.use_nodes = True
    material.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (red, green, blue, 1)
    thing.data.materials.append(material)


def add_box(name, size, place, rgb):
    bpy.ops.mesh.primitive_cube_add(size=1, location=place)
    box = bpy.context.object
    box.name, box.scale = name, size
    bpy.ops.object.transform_apply(location=False, rotation=False)
    colour(box, *rgb)
    return box


def add_grass():
    """One curve object with twenty blades, each a Bezier curve from its root up."""
    data = bpy.data.curves.new("grass", "CURVE")
    data.dimensions, data.bevel_depth, data.resolution_u = "3D", 0.008, 4
    for number in range(20):
        spline = data.splines.new("BEZIER")
        spline.bezier_points.add(1)
        x, y = 1.6 + 0.07 * number % 0.7, 0.5 * math.sin(3 * number)
        lean = 0.15 * math.sin(5 * number)
        for point, (dx, z) in zip(spline.bezier_points, ((0, 0), (lean, 0.8))):
            point.co = (x + dx, y, z)
            point.handle_left, point.handle_right = (x + dx, y, z - 0.25), (x + dx, y, z + 0.25)
    grass = bpy.data.objects.new("grass", data)
    bpy.context.scene.collection.objects.link(grass)
    colour(grass, 0.1, 0.35, 0.05)


def add_surroundings():
    bpy.ops.object.light_add(type="SUN", rotation=(0.6, 0.3, 0))
    bpy.context.object.data.energy, bpy.context.object.data.angle = 2, 0.1
    bpy.ops.object.camera_add(location=(1.2, -6.5, 2.4), rotation=(math.radians(76), 0, math.radians(4)))
    bpy.context.scene.camera = bpy.context.object
    world = bpy.data.worlds.new("sky")
    world.color = (0.5, 0.6, 0.75)
    bpy.context.scene.world = world


bpy.ops.wm.read_factory_settings(use_empty=True)
tray = add_box("tray", (1.6, 0.9, 0.08), (0, 0, 1), (0.3, 0.18, 0.1))
for frame, degrees in ((0, 0), (16, 0), (32, 38), (60, 38)):  # an obstacle, because it has keys
    tray.rotation_euler.y = math.radians(degrees)
    tray.keyframe_insert("rotation_euler", frame=frame)
for number in range(6):
    add_box(f"crate {number}", (0.28, 0.28, 0.28), (-0.3 + 0.3 * (number % 3), 0, 1.185 + 0.285 * (number // 3)), (0.8, 0.3 + 0.08 * number, 0.1))
add_grass()
for each in bpy.data.objects:
    each.select_set(True)
scene = bpy.context.scene
chosen = list(bpy.context.selected_objects)
add_surroundings()
for each in bpy.data.objects:
    each.select_set(each in chosen)

if arguments:
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "blender"))
    import sinew_blender

    sinew_blender.register()
    scene.sinew.program = arguments[1] if len(arguments) > 1 else ""
    scene.sinew.folder = str(pathlib.Path(arguments[0]).resolve().parent)
    scene.sinew.seconds, scene.sinew.radius, scene.sinew.young = 2, 0.008, 8e7
    bpy.ops.sinew.simulate(wait=True)
    for each in chosen:  # the results stand in their places
        each.hide_render = each.name != "tray"
    scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising = "CYCLES", 12, False
    scene.render.resolution_x, scene.render.resolution_y, scene.view_settings.view_transform = 480, 270, "Standard"
    for frame in (0, 26, 46):
        scene.frame_set(frame)
        scene.render.filepath = f"{arguments[0]}_{frame:02}.png"
        bpy.ops.render.render(write_still=True)
