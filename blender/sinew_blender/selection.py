"""Selected curves and meshes as a script: curves become strands, meshes bodies or obstacles, animated meshes obstacles that move. Strands of curves that
stand on something animated move with it."""
import json
import pathlib
import re
import struct

import bpy
import mathutils


def to_sinew(vector):
    """Blender's z is up, Sinew's y."""
    return vector[0], vector[2], -vector[1]


def word_of(name, used):
    word = re.sub(r"[^A-Za-z0-9_]", "_", name)
    word = word if re.match(r"[A-Za-z]", word) else "o_" + word
    while word in used:
        word += "_"
    used.add(word)
    return word


def mesh_text(thing, depsgraph):
    """The mesh around its object's origin, turned and scaled as it stands, as OBJ."""
    evaluated = thing.evaluated_get(depsgraph)
    mesh, matrix = evaluated.to_mesh(), thing.matrix_world.to_3x3()
    lines = ["v {:.9g} {:.9g} {:.9g}".format(*to_sinew(matrix @ vertex.co)) for vertex in mesh.vertices]
    turned = matrix.determinant() < 0
    for polygon in mesh.polygons:
        corners = [str(i + 1) for i in polygon.vertices]
        lines.append("f " + " ".join(reversed(corners) if turned else corners))
    evaluated.to_mesh_clear()
    return "\n".join(lines) + "\n"


def carriers_of(thing):
    """What moves an object: its parents and armatures."""
    found = [modifier.object for modifier in thing.modifiers if modifier.type == "ARMATURE" and modifier.object]
    while thing.parent:
        thing = thing.parent
        found.append(thing)
    return found


def is_animated(thing):
    """Whether the object, its shape keys or what carries it has keys, drivers or strips."""
    holders = [thing, getattr(thing.data, "shape_keys", None), *carriers_of(thing)]
    return any(holder and holder.animation_data and (holder.animation_data.action or holder.animation_data.drivers or holder.animation_data.nla_tracks)
               for holder in holders)


def join_animations(path):
    """Blender writes an animation for each action, one for the object and one for its shape keys; Sinew plays the first one: here it has all channels."""
    data = path.read_bytes()
    size = struct.unpack_from("<I", data, 12)[0]
    description = json.loads(data[20:20 + size])
    joined = {"name": "all", "channels": [], "samplers": []}
    for animation in description.get("animations", []):
        first = len(joined["samplers"])
        joined["samplers"] += animation["samplers"]
        joined["channels"] += [{**channel, "sampler": first + channel["sampler"]} for channel in animation["channels"]]
    if joined["channels"]:
        description["animations"] = [joined]
    text = json.dumps(description).encode()
    text += b" " * (-len(text) % 4)
    rest = data[20 + size:]
    path.write_bytes(struct.pack("<4sIII4s", b"glTF", 2, 20 + len(text) + len(rest), len(text), b"JSON") + text + rest)


def write_animated_mesh(context, thing, path):
    """The mesh with its keys, armature and shape keys as glTF, in the world; frame 0 is time 0."""
    selected = list(context.selected_objects)
    shown = {thing, *(carrier for carrier in carriers_of(thing) if carrier.type != "MESH")}
    for each in bpy.data.objects:
        each.select_set(each in shown)
    bpy.ops.export_scene.gltf(filepath=str(path), export_format="GLB", use_selection=True, export_frame_range=False, export_force_sampling=True,
                              export_materials="NONE", export_cameras=False, export_lights=False)
    join_animations(path)
    for each in bpy.data.objects:
        each.select_set(each in selected)


def bezier_points(spline):
    """Points on a Bezier curve, as finely as Blender draws it."""
    ends = list(spline.bezier_points) + ([spline.bezier_points[0]] if spline.use_cyclic_u else [])
    points = [ends[0].co]
    for a, b in zip(ends, ends[1:]):
        points += mathutils.geometry.interpolate_bezier(a.co, a.handle_right, b.handle_left, b.co, spline.resolution_u + 1)[1:]
    return points


def curve_points(thing):
    """The points of each curve of a curve object or of a hair object, in the world."""
    if thing.type == "CURVES":
        curves = [[point.position for point in curve.points] for curve in thing.data.curves]
    else:
        curves = [bezier_points(spline) if spline.type == "BEZIER" else [point.co.to_3d() for point in spline.points] for spline in thing.data.splines]
    for points in curves:
        if len(points) > 1:
            yield [to_sinew(thing.matrix_world @ point) for point in points]


def surface_of(thing):
    """The mesh that curves stand on: the surface of hair curves, or a parent."""
    surface = getattr(thing.data, "surface", None)
    parent = thing.parent if thing.parent_type != "BONE" else None
    return surface or (parent if parent and parent.type == "MESH" and parent.data.polygons else None)


def make_carrier(context, thing, seconds):
    """A triangle that is keyed to move with an object, whatever moves that."""
    mesh = bpy.data.meshes.new("sinew carrier")
    mesh.from_pydata([(0, 0, 0), (0.01, 0, 0), (0, 0.01, 0)], [], [(0, 1, 2)])
    carrier = bpy.data.objects.new("sinew carrier", mesh)
    carrier.rotation_mode = "QUATERNION"
    context.scene.collection.objects.link(carrier)
    scene, last = context.scene, None
    for frame in range(int(seconds * scene.render.fps / scene.render.fps_base) + 2):
        scene.frame_set(frame)
        carrier.location, turn, carrier.scale = thing.matrix_world.decompose()
        if last:
            turn.make_compatible(last)  # q and -q are the same rotation, half way between them is not
        carrier.rotation_quaternion = last = turn
        for channel in ("location", "rotation_quaternion", "scale"):
            carrier.keyframe_insert(channel, frame=frame)
    scene.frame_set(0)
    return carrier


class Script:
    """What is selected, as lines of a script and the files that they read."""

    def __init__(self, context, folder, settings):
        self.context, self.folder, self.settings = context, folder, settings
        self.used, self.lines, self.files = {"fur", "ground"}, [], {}
        self.grooms = {}  # of the file that they stand on, or None: the def's name, and each curve with its object's name

    def animated_file(self, thing):
        """The .glb of an animated mesh, written once."""
        if thing.name not in self.files:
            self.files[thing.name] = word_of(thing.name, self.used)
            write_animated_mesh(self.context, thing, self.folder / f"{self.files[thing.name]}.glb")
        return self.files[thing.name]

    def add_mesh(self, thing):
        """Its def and its instance; its file is written."""
        if is_animated(thing):
            word = self.animated_file(thing)
            self.lines += [f'def d_{word} obstacle(); mesh("{word}.glb"); end;', f"{word} = d_{word};"]
            return
        word = word_of(thing.name, self.used)
        (self.folder / f"{word}.obj").write_text(mesh_text(thing, self.context.evaluated_depsgraph_get()))
        kind = "obstacle()" if thing.sinew_kind == "OBSTACLE" else f"body(density = {self.settings.density:.9g})"
        shape = "mesh" if thing.sinew_kind == "OBSTACLE" else "hull"
        place = ", ".join(f"{x:.9g}" for x in to_sinew(thing.matrix_world.translation))
        self.lines += [f'def d_{word} {kind}; {shape}("{word}.obj"); end;', f"{word} = d_{word} translate({place});"]

    def carrier_file(self, thing):
        """What the roots of curves move with, or None."""
        surface = surface_of(thing)
        if surface and is_animated(surface):
            return self.animated_file(surface)
        if not is_animated(thing):
            return None
        carrier = make_carrier(self.context, thing, self.settings.seconds)
        try:
            return self.animated_file(carrier)
        finally:
            self.files.pop(carrier.name, None)
            bpy.data.objects.remove(carrier, do_unlink=True)

    def add_curves(self, thing):
        curves = list(curve_points(thing))
        if not curves:
            return
        carrier = self.carrier_file(thing)
        if carrier not in self.grooms:
            self.grooms[carrier] = ("fur" if carrier is None else word_of(f"fur_{carrier}", self.used), [])
        self.grooms[carrier][1].extend((thing.name, points) for points in curves)

    def add_grooms(self):
        """The object of each strand, by def and number."""
        settings, strands = self.settings, []
        for carrier, (word, curves) in self.grooms.items():
            rows = [f"{number}," + ",".join(f"{x:.9g}" for x in point) for number, (_, points) in enumerate(curves) for point in points]
            (self.folder / f"{word}.csv").write_text("\n".join(["curve,x,y,z", *rows]) + "\n")
            skin = f', skin = "{carrier}.glb"' if carrier else ""
            self.lines += [f'def {word} groom("{word}.csv", segments = {settings.segments}{skin}); radius({settings.radius:.9g}); '
                           f"young({settings.young:.9g}); damping(0.01); end;", f"{word};"]
            strands += [(word, number + 1, name) for number, (name, _) in enumerate(curves)]
        return strands


def write_script(context, folder, settings):
    """Writes script and files into a folder; the script's path, and of each strand its def, its number and the curve object it comes from. Raises ValueError when
    there is nothing to simulate."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    made, shown = Script(context, folder, settings), context.scene.frame_current
    selected = list(context.selected_objects)
    if any(is_animated(thing) for thing in selected):
        context.scene.frame_set(0)  # where curves stand on what moves
    for thing in selected:
        if thing.type == "MESH" and thing.data.polygons:
            made.add_mesh(thing)
        elif thing.type in ("CURVE", "CURVES"):
            made.add_curves(thing)
    strands = made.add_grooms()
    context.scene.frame_set(shown)
    if not made.lines:
        raise ValueError("select curves or meshes with faces")
    if settings.has_ground:
        made.lines += ["def ground obstacle(); plane(0, 1, 0, 0); end;", "ground;"]
    script = folder / "selection.charli"
    script.write_text("# Made from a selection in Blender.\n" + "\n".join(made.lines) + f"\nsimulate(0 sec, {settings.seconds:.9g} sec);\n")
    return script, strands
