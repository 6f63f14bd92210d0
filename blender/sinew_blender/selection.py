"""Selected curves and meshes as a script: curves become strands, meshes bodies or obstacles."""
import pathlib
import re


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


def curve_points(thing):
    """The points of each spline, in the world. Handles of Bezier curves are left aside: their points are nodes."""
    for spline in thing.data.splines:
        points = spline.bezier_points if spline.type == "BEZIER" else spline.points
        yield [to_sinew(thing.matrix_world @ point.co.to_3d()) for point in points]


def write_script(objects, depsgraph, folder, settings):
    """Writes script and files into a folder; the script's path. Raises ValueError when there is nothing to simulate."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    used, lines, count = {"fur", "ground"}, [], 0
    rows = ["curve,x,y,z"]
    for thing in objects:
        if thing.type == "MESH" and thing.data.polygons:
            word = word_of(thing.name, used)
            (folder / f"{word}.obj").write_text(mesh_text(thing, depsgraph))
            kind = "obstacle()" if thing.sinew_kind == "OBSTACLE" else f"body(density = {settings.density:.9g})"
            shape = "mesh" if thing.sinew_kind == "OBSTACLE" else "hull"
            place = ", ".join(f"{x:.9g}" for x in to_sinew(thing.matrix_world.translation))
            lines += [f'def d_{word} {kind}; {shape}("{word}.obj"); end;', f"{word} = d_{word} translate({place});"]
            count += 1
        elif thing.type == "CURVE":
            for points in curve_points(thing):
                if len(points) > 1:
                    rows += [f"{count}," + ",".join(f"{x:.9g}" for x in point) for point in points]
                    count += 1
    if count == 0:
        raise ValueError("select curves or meshes with faces")
    if len(rows) > 1:
        (folder / "curves.csv").write_text("\n".join(rows) + "\n")
        lines += [f'def fur groom("curves.csv", segments = {settings.segments}); radius({settings.radius:.9g}); '
                  f"young({settings.young:.9g}); damping(0.01); end;", "fur;"]
    if settings.has_ground:
        lines += ["def ground obstacle(); plane(0, 1, 0, 0); end;", "ground;"]
    script = folder / "selection.charli"
    script.write_text("# Made from a selection in Blender.\n" + "\n".join(lines) + f"\nsimulate(0 sec, {settings.seconds:.9g} sec);\n")
    return script
