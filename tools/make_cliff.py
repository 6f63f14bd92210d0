#!/usr/bin/env python3
"""Makes the cliff of the shot bridge: make_cliff.py examples/shots/meshes/cliff.obj

Its top is at y = 0 for x below 0, where its face falls off; its unit is the metre.
"""
import math
import sys

from rounded_solids import join, make

CELL = 0.16
LOW, HIGH = (-4.0, -4.32, -2.88), (0.8, 0.8, 2.88)


def ridge(x, y, z):
    return abs(math.sin(x + 1.3 * math.sin(0.7 * y + z)) * math.cos(z - 0.8 * math.sin(1.1 * x - y)))


def cliff(x, y, z):
    rough = 0.42 * ridge(1.1 * y + 0.4 * x, 2.3 * x, 1.3 * z) + 0.16 * ridge(3.1 * z, 2.9 * y, 2.6 * x) - 0.2
    layers = 0.09 * math.sin(5.1 * y + 0.9 * math.sin(1.7 * z))
    face = x - 0.1 + 0.22 * y - rough - layers
    top = y + 0.06 + 0.10 * (rough + 0.2) * min(1.0, max(0.0, -x - 0.3))
    d = -join(-face, -top, 0.25)
    d = max(d, -3.7 - x, abs(z) - 2.6 + 0.5 * rough, -4.0 - y)
    return 0.6 * d


make(sys.argv[1], "A cliff. Made by tools/make_cliff.py.", cliff, LOW, HIGH, CELL, rounds=1)
