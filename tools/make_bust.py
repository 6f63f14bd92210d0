#!/usr/bin/env python3
"""Makes the bust of the shots: make_bust.py examples/shots/meshes/bust.obj

A head with neck and shoulders. It looks along z, the middle of its head is the origin, its unit is the metre.
"""
import sys

from rounded_solids import capsule, carve, ellipsoid, join, make

CELL = 0.0075
LOW, HIGH = (-0.225, -0.33, -0.135), (0.225, 0.15, 0.135)


def bust(x, y, z):
    side = abs(x)
    d = ellipsoid(x, y, z, (0, 0.036, -0.014), (0.074, 0.086, 0.094))
    d = join(d, ellipsoid(x, y, z, (0, -0.028, 0.028), (0.057, 0.082, 0.058)), 0.03)
    d = join(d, ellipsoid(side, y, z, (0.028, -0.07, 0.024), (0.026, 0.03, 0.044)), 0.03)
    d = join(d, ellipsoid(x, y, z, (0, -0.097, 0.066), (0.019, 0.014, 0.016)), 0.02)
    d = join(d, ellipsoid(side, y, z, (0.037, -0.026, 0.064), (0.022, 0.017, 0.017)), 0.022)
    d = join(d, ellipsoid(side, y, z, (0.024, 0.026, 0.079), (0.028, 0.0085, 0.013)), 0.016)
    d = carve(d, ellipsoid(side, y, z, (0.029, 0.006, 0.098), (0.019, 0.012, 0.014)), 0.014)
    d = join(d, ellipsoid(side, y, z, (0.029, 0.004, 0.0785), (0.0165, 0.0115, 0.012)), 0.005)
    d = join(d, capsule(x, y, z, (0, 0.012, 0.086), (0, -0.030, 0.105), 0.0065, 0.0095), 0.011)
    d = join(d, ellipsoid(side, y, z, (0.0105, -0.034, 0.096), (0.0075, 0.0065, 0.009)), 0.007)
    d = join(d, ellipsoid(x, y, z, (0, -0.0595, 0.0865), (0.021, 0.0052, 0.0085)), 0.007)
    d = join(d, ellipsoid(x, y, z, (0, -0.0690, 0.0855), (0.017, 0.0058, 0.0085)), 0.006)
    ear = ellipsoid(side, y, z + 0.35 * (side - 0.073), (0.077, -0.004, -0.010), (0.0085, 0.031, 0.019))
    ear = carve(ear, ellipsoid(side, y, z + 0.35 * (side - 0.073), (0.087, 0.0, -0.004), (0.008, 0.020, 0.010)), 0.006)
    d = join(d, ear, 0.009)
    d = join(d, capsule(x, y, z, (0, -0.055, -0.022), (0, -0.20, -0.030), 0.052, 0.053), 0.03)
    d = join(d, capsule(side, y, z, (0.0, -0.165, -0.034), (0.135, -0.225, -0.036), 0.043, 0.043), 0.045)
    d = join(d, ellipsoid(x, y, z, (0, -0.315, -0.030), (0.178, 0.105, 0.083)), 0.05)
    return max(d, LOW[1] + 1.2 * CELL - y)


make(sys.argv[1], "A bust. Made by tools/make_bust.py.", bust, LOW, HIGH, CELL)
