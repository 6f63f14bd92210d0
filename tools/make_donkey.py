#!/usr/bin/env python3
"""Makes the donkey of the shot ears: make_donkey.py examples/shots/meshes

Head and neck without ears, and the pale muzzle over it. It looks along z, the middle of its skull is the origin, its unit is the metre.
"""
import sys

from rounded_solids import capsule, carve, ellipsoid, join, make

CELL = 0.014
LOW, HIGH = (-0.21, -0.434, -0.392), (0.21, 0.154, 0.406)


def donkey(x, y, z):
    side = abs(x)
    d = ellipsoid(x, y, z, (0, 0.005, -0.01), (0.092, 0.108, 0.125))
    d = join(d, capsule(x, y, z, (0, -0.01, 0.05), (0, -0.155, 0.27), 0.088, 0.060), 0.05)
    d = join(d, ellipsoid(side, y, z, (0.045, -0.09, 0.03), (0.042, 0.085, 0.085)), 0.05)
    d = join(d, ellipsoid(x, y, z, (0, -0.175, 0.295), (0.068, 0.066, 0.066)), 0.03)
    d = join(d, ellipsoid(x, y, z, (0, -0.226, 0.262), (0.045, 0.035, 0.052)), 0.03)
    d = join(d, ellipsoid(side, y, z, (0.068, 0.040, 0.088), (0.026, 0.016, 0.034)), 0.03)
    d = carve(d, ellipsoid(side, y, z, (0.094, 0.012, 0.100), (0.020, 0.020, 0.024)), 0.014)
    d = carve(d, ellipsoid(side, y, z, (0.036, -0.150, 0.356), (0.013, 0.018, 0.018)), 0.012)
    d = carve(d, ellipsoid(x, y, z, (0, -0.222, 0.335), (0.060, 0.0065, 0.045)), 0.010)
    d = join(d, capsule(side, y, z, (0.045, 0.085, -0.03), (0.06, 0.125, -0.035), 0.03, 0.026), 0.03)
    d = join(d, capsule(x, y, z, (0, -0.02, -0.06), (0, -0.45, -0.24), 0.098, 0.150), 0.06)
    return max(d, LOW[1] + 1.2 * CELL - y)


def muzzle(x, y, z):
    """A thin shell over the front of the head."""
    front = ellipsoid(x, y, z, (0, -0.205, 0.325), (0.12, 0.115, 0.095))
    return max(donkey(x, y, z) - 0.0025, front)


make(f"{sys.argv[1]}/donkey.obj", "The head of a donkey. Made by tools/make_donkey.py.", donkey, LOW, HIGH, CELL)
make(f"{sys.argv[1]}/muzzle.obj", "The muzzle of a donkey. Made by tools/make_donkey.py.", muzzle, (-0.13, -0.304, 0.206), (0.13, -0.074, 0.416), 0.010)
