"""Meshes of sums of rounded solids, each a function that is negative inside. The surface is found on a grid."""
import math


def ellipsoid(x, y, z, centre, radii):
    dx, dy, dz = x - centre[0], y - centre[1], z - centre[2]
    a, b, c = dx / radii[0], dy / radii[1], dz / radii[2]
    k = math.sqrt(a * a + b * b + c * c)
    if k < 1e-9:
        return -min(radii)
    a, b, c = a / radii[0], b / radii[1], c / radii[2]
    return k * (k - 1) / math.sqrt(a * a + b * b + c * c)


def capsule(x, y, z, p, q, r, s):
    """From p to q, as thick as r there and s here."""
    ax, ay, az = x - p[0], y - p[1], z - p[2]
    bx, by, bz = q[0] - p[0], q[1] - p[1], q[2] - p[2]
    t = max(0.0, min(1.0, (ax * bx + ay * by + az * bz) / (bx * bx + by * by + bz * bz)))
    dx, dy, dz = ax - bx * t, ay - by * t, az - bz * t
    return math.sqrt(dx * dx + dy * dy + dz * dz) - (r + (s - r) * t)


def join(a, b, soft):
    h = max(soft - abs(a - b), 0.0) / soft
    return min(a, b) - h * h * soft / 4


def carve(a, b, soft):
    return -join(-a, b, soft)


def slope(solid, p, h=4e-4):
    x, y, z = p
    g = [solid(x + h, y, z) - solid(x - h, y, z), solid(x, y + h, z) - solid(x, y - h, z), solid(x, y, z + h) - solid(x, y, z - h)]
    size = math.sqrt(sum(c * c for c in g)) or 1
    return [c / size for c in g]


def find_surface(solid, low, high, cell):
    """One corner in every cell that the surface passes through, drawn onto it; a face about every edge that it cuts."""
    n = [int(round((b - a) / cell)) for a, b in zip(low, high)]
    at = lambda i, k: low[k] + i * cell
    d = [[[solid(at(i, 0), at(j, 1), at(k, 2)) for k in range(n[2] + 1)] for j in range(n[1] + 1)] for i in range(n[0] + 1)]
    corners, number = [], {}
    for i in range(n[0]):
        for j in range(n[1]):
            for k in range(n[2]):
                signs = [d[i + a][j + b][k + c] < 0 for a in (0, 1) for b in (0, 1) for c in (0, 1)]
                if any(signs) and not all(signs):
                    p = [at(i + 0.5, 0), at(j + 0.5, 1), at(k + 0.5, 2)]
                    for _ in range(4):
                        g, away = slope(solid, p), solid(*p)
                        p = [min(max(x - c * away, at(m, q)), at(m + 1, q)) for x, c, m, q in zip(p, g, (i, j, k), (0, 1, 2))]
                    number[i, j, k] = len(corners)
                    corners.append(p)
    faces = []
    for i in range(1, n[0]):
        for j in range(1, n[1]):
            for k in range(1, n[2]):
                here = d[i][j][k] < 0
                for step, around in (((1, 0, 0), ((0, 0, 0), (0, -1, 0), (0, -1, -1), (0, 0, -1))),
                                     ((0, 1, 0), ((0, 0, 0), (0, 0, -1), (-1, 0, -1), (-1, 0, 0))),
                                     ((0, 0, 1), ((0, 0, 0), (-1, 0, 0), (-1, -1, 0), (0, -1, 0)))):
                    if (d[i + step[0]][j + step[1]][k + step[2]] < 0) == here:
                        continue
                    quad = [number[i + a, j + b, k + c] for a, b, c in around]
                    if not here:
                        quad.reverse()
                    faces += [(quad[0], quad[1], quad[2]), (quad[0], quad[2], quad[3])]
    return corners, faces


def project(solid, p):
    for _ in range(3):
        g, away = slope(solid, p), solid(*p)
        p = [x - c * away for x, c in zip(p, g)]
    return p


def even_out(solid, corners, faces, rounds):
    """Corners drawn to the middle of their neighbours and back onto the surface: the grid is no longer seen."""
    neighbours = [set() for _ in corners]
    for a, b, c in faces:
        neighbours[a] |= {b, c}
        neighbours[b] |= {a, c}
        neighbours[c] |= {a, b}
    for _ in range(rounds):
        middle = [[sum(corners[k][q] for k in near) / len(near) for q in range(3)] for near in neighbours]
        corners = [project(solid, [0.4 * x + 0.6 * m for x, m in zip(p, mean)]) for p, mean in zip(corners, middle)]
    return corners


def write(path, comment, corners, faces):
    with open(path, "w") as out:
        out.write(f"# {comment}\n")
        for corner in corners:
            out.write("v " + " ".join(f"{c:.4f}" for c in corner) + "\n")
        for face in faces:
            out.write("f " + " ".join(str(i + 1) for i in face) + "\n")


def make(path, comment, solid, low, high, cell, rounds=3):
    corners, faces = find_surface(solid, low, high, cell)
    write(path, comment, even_out(solid, corners, faces, rounds), faces)
