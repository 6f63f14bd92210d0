#!/usr/bin/env python3
"""Writes a low-polygon cow, closed, about 2 m long, its centre of mass at the origin, y up, looking along x.

  tools/make_cow.py > examples/meshes/cow.obj

The cow is a set of cells of an uneven grid. Its surface is the cells' sides that look into the empty; some corners are then
moved: belly and back are chamfered, muzzle, ears and horns tapered.
"""

X = [-0.85, -0.80, -0.75, -0.65, -0.50, -0.40, -0.20, 0.30, 0.45, 0.55, 0.75, 0.85, 1.10, 1.25]
Y = [-0.75, -0.35, -0.25, -0.10, 0.20, 0.38, 0.55, 0.72]
Z = [-0.32, -0.18, -0.06, 0.06, 0.18, 0.32]

# Parts: from and to in x, y, z; those beside the middle are mirrored.
MIDDLE = [
    ((-0.75, 0.55), (-0.25, 0.38), (-0.32, 0.32)),  # body
    ((0.55, 0.75), (0.20, 0.55), (-0.18, 0.18)),  # neck
    ((0.75, 1.10), (0.20, 0.55), (-0.18, 0.18)),  # head
    ((1.10, 1.25), (0.20, 0.38), (-0.18, 0.18)),  # muzzle
    ((-0.80, -0.75), (0.20, 0.38), (-0.06, 0.06)),  # tail, its root
    ((-0.85, -0.80), (-0.25, 0.38), (-0.06, 0.06)),  # tail
    ((-0.40, -0.20), (-0.35, -0.25), (-0.06, 0.06)),  # udder
]
SIDES = [
    ((-0.65, -0.50), (-0.75, -0.25), (0.06, 0.18)),  # hind leg
    ((0.30, 0.45), (-0.75, -0.25), (0.06, 0.18)),  # fore leg
    ((0.75, 0.85), (0.38, 0.55), (0.18, 0.32)),  # ear
    ((0.75, 0.85), (0.55, 0.72), (0.06, 0.18)),  # horn
]


def cells():
    parts = MIDDLE + SIDES + [(x, y, (-z[1], -z[0])) for x, y, z in SIDES]
    filled = set()
    for (x0, x1), (y0, y1), (z0, z1) in parts:
        filled |= {
            (i, j, k)
            for i in range(X.index(x0), X.index(x1))
            for j in range(Y.index(y0), Y.index(y1))
            for k in range(Z.index(z0), Z.index(z1))
        }
    return filled


def moved(x, y, z):
    """Where a corner of the grid goes."""
    in_body = -0.75 <= x <= 0.55 and -0.25 <= y <= 0.38
    if in_body and abs(z) == 0.32 and y in (-0.25, 0.38):  # halfway along the chamfer
        return x, (-0.175 if y < 0 else 0.29), z * 0.25 / 0.32
    if x == 1.25:
        return x, 0.22 + 0.7 * (y - 0.20), 0.75 * z
    if 0.75 <= x <= 0.85 and y >= 0.38 and abs(z) == 0.32:  # tips of ears
        return x, 0.46 + 0.3 * (y - 0.465), z * 1.15
    if y == 0.72:  # tips of horns
        return 0.80 + 0.3 * (x - 0.80), y, (abs(z) * 0.3 + 0.16) * (1 if z > 0 else -1)
    return x, y, z


def quads(filled):
    """Sides of cells that look into the empty, counter-clockwise from outside."""
    for cell in sorted(filled):
        for axis in range(3):
            u, v = (axis + 1) % 3, (axis + 2) % 3
            for side in (0, 1):
                neighbour = list(cell)
                neighbour[axis] += 2 * side - 1
                if tuple(neighbour) in filled:
                    continue
                corners = []
                for du, dv in ((0, 0), (1, 0), (1, 1), (0, 1)):
                    corner = list(cell)
                    corner[axis] += side
                    corner[u] += du
                    corner[v] += dv
                    corners.append(tuple(corner))
                yield corners if side else corners[::-1]


def area(points, a, b, c):
    u = [q - p for p, q in zip(points[a], points[b])]
    v = [q - p for p, q in zip(points[a], points[c])]
    cross = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    return sum(x * x for x in cross) ** 0.5 / 2


def halves(points, a, b, c, d):
    """Two triangles of a quad; by the diagonal that leaves the larger smaller one."""
    ways = [(a, b, c), (a, c, d)], [(b, c, d), (b, d, a)]
    first, second = (min(area(points, *t) for t in way) for way in ways)
    return ways[0] if first > second - 1e-9 else ways[1]


def centre_of(points, triangles):
    volume, moment = 0.0, [0.0, 0.0, 0.0]
    for t in triangles:
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = (points[i] for i in t)
        six = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
        volume += six / 6
        for i, total in enumerate((ax + bx + cx, ay + by + cy, az + bz + cz)):
            moment[i] += six / 24 * total
    return [m / volume for m in moment]


def main():
    number, points, triangles = {}, [], []
    for corners in quads(cells()):
        for corner in corners:
            if corner not in number:
                number[corner] = len(points)
                points.append(moved(X[corner[0]], Y[corner[1]], Z[corner[2]]))
        triangles += halves(points, *(number[corner] for corner in corners))
    centre = centre_of(points, triangles)
    print(f"# A cow: {len(points)} corners, {len(triangles)} triangles. Made by tools/make_cow.py.")
    for point in points:
        print("v", *(f"{x - c + 0:.5f}" for x, c in zip(point, centre)))
    for triangle in triangles:
        print("f", *(i + 1 for i in triangle))


main()
