#!/usr/bin/env python3
"""Makes the cow of the shots: make_herd.py examples/shots/meshes/cow.obj

It looks along x and stands on y = 0; its unit is the metre.
"""
import sys

from rounded_solids import capsule, ellipsoid, join, make

CELL = 0.055
LOW, HIGH = (-1.1, -0.06, -0.44), (1.375, 1.7, 0.44)


def cow(x, y, z):
    side = abs(z)
    d = ellipsoid(x, y, z, (-0.02, 1.0, 0), (0.74, 0.36, 0.33))
    d = join(d, ellipsoid(x, y, side, (-0.5, 1.12, 0.12), (0.26, 0.24, 0.2)), 0.12)
    d = join(d, ellipsoid(x, y, side, (0.45, 1.02, 0.1), (0.26, 0.33, 0.22)), 0.12)
    d = join(d, capsule(x, y, z, (0.55, 1.12, 0), (0.88, 1.34, 0), 0.21, 0.15), 0.14)
    d = join(d, ellipsoid(x, y, z, (0.98, 1.34, 0), (0.17, 0.15, 0.13)), 0.08)
    d = join(d, capsule(x, y, z, (1.0, 1.3, 0), (1.22, 1.17, 0), 0.1, 0.085), 0.08)
    d = join(d, capsule(x, y, side, (0.9, 1.42, 0.1), (0.86, 1.41, 0.27), 0.045, 0.04), 0.04)
    d = join(d, capsule(x, y, side, (0.96, 1.44, 0.07), (1.0, 1.58, 0.13), 0.045, 0.035), 0.03)
    d = join(d, capsule(x, y, side, (0.46, 0.85, 0.17), (0.47, 0.06, 0.17), 0.13, 0.075), 0.1)
    d = join(d, capsule(x, y, side, (-0.52, 0.95, 0.17), (-0.6, 0.5, 0.18), 0.17, 0.085), 0.1)
    d = join(d, capsule(x, y, side, (-0.6, 0.5, 0.18), (-0.54, 0.06, 0.18), 0.085, 0.075), 0.06)
    d = join(d, ellipsoid(x, y, z, (-0.33, 0.68, 0), (0.16, 0.11, 0.13)), 0.08)
    d = join(d, capsule(x, y, z, (-0.74, 1.2, 0), (-0.86, 0.72, 0), 0.05, 0.045), 0.06)
    return max(d, -y)


make(sys.argv[1], "A cow. Made by tools/make_herd.py.", cow, LOW, HIGH, CELL)
