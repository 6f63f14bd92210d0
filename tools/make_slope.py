#!/usr/bin/env python3
"""Makes the mountain of the shot avalanche: make_slope.py examples/shots/meshes/slope.obj

Snow along the slope on which the skier and the avalanche slide, which lies at z = 0; beside it banks and a ridge. Its unit is the metre.
"""
import math
import sys

JUMP = [(0, 30), (6, 27), (12, 24), (18, 21), (24, 18), (30, 14), (36, 12.5), (42, 8), (48, 6.5), (54, 2), (60, 0), (66, 0.5), (72, 2), (78, -4), (84, -8), (90, -10)]


def b_spline(points, count):
    """Places on the clamped uniform cubic B-spline of the language."""
    n = len(points)
    knots = [0] * 3 + list(range(n - 2)) + [n - 3] * 3
    places = []
    for i in range(count + 1):
        t = min((n - 3) * i / count, n - 3 - 1e-9)
        span = int(t) + 3
        d = [points[span - 3 + j] for j in range(4)]
        for r in range(1, 4):
            for j in range(3, r - 1, -1):
                low, high = knots[span - 3 + j], knots[span + 1 + j - r]
                a = (t - low) / (high - low)
                d[j] = tuple((1 - a) * p + a * q for p, q in zip(d[j - 1], d[j]))
        places.append(d[3])
    return places


def bump(x, z):
    return math.sin(0.31 * x + 1.7 * math.sin(0.23 * z)) * math.cos(0.27 * z + 0.9 * math.sin(0.19 * x))


def main():
    track = [(-9, 34.5), (-5, 32.5), *b_spline(JUMP, 90), (95, -12), (101, -14)]
    across = [-46, -40, -35, -30, -26, -22, -19, -16, -13.5, -11, -9, -7, -5.5, -4, -2.5, -1, 1, 2.5, 4, 5.5, 7, 9, 11, 14, 18, 23, 30]
    with open(sys.argv[1], "w") as out:
        out.write("# A mountain side. Made by tools/make_slope.py.\n")
        for x, y in track:
            for z in across:
                beside = max(0.0, abs(z) - 2.5)
                rise = 0.012 * beside * beside if z < 0 else -0.02 * beside * beside
                rough = min(1.0, beside / 6)
                height = y - 0.06 + rise + rough * (0.7 * bump(x, z) + 0.25 * bump(2.7 * x, 2.9 * z))
                if z < -18:
                    height += 0.03 * (-z - 18) ** 1.5 * (1 + 0.6 * bump(1.9 * x, 1.4 * z))
                out.write(f"v {x:.2f} {height:.2f} {z:.2f}\n")
        n = len(across)
        for i in range(len(track) - 1):
            for k in range(n - 1):
                a = i * n + k + 1
                out.write(f"f {a} {a + 1} {a + n + 1}\nf {a} {a + n + 1} {a + n}\n")


if __name__ == "__main__":
    main()
