#!/usr/bin/env python3
"""Writes the upper part of a head, open below, about life size, its middle at the origin, y up, looking along z.

  tools/make_scalp.py > examples/meshes/scalp.obj
  tools/make_scalp.py --painted > examples/meshes/painted_scalp.obj

Painted, the vertices have colours: red fades towards the edge, green is high at the back, blue at the crown.
"""

import math
import sys

ROWS, COLUMNS = 10, 24
SIZE = (0.075, 0.1, 0.095)  # half axes of the head


def row_end(column):
    """How far down the hair goes [rad from the crown]: less over the face."""
    angle = 2 * math.pi * column / COLUMNS  # 0 along z, where it looks
    face = max(0.0, math.cos(angle))
    return math.radians(100 - 48 * face**0.7)


def colour(row, angle):
    """What is painted on a vertex, if anything is."""
    if "--painted" not in sys.argv:
        return ""
    down = row / ROWS
    return " %.3f %.3f %.3f" % (1 - 0.9 * down, 0.3 + 0.7 * (0.5 - 0.5 * math.cos(angle)) * down, 1 - 0.8 * down)


def main():
    print("# The scalp of a head. Made by tools/make_scalp.py.")
    print("v 0 %.6f 0" % SIZE[1] + colour(0, 0))
    for row in range(1, ROWS + 1):
        for column in range(COLUMNS):
            polar = row_end(column) * row / ROWS
            angle = 2 * math.pi * column / COLUMNS
            x = SIZE[0] * math.sin(polar) * math.sin(angle)
            y = SIZE[1] * math.cos(polar)
            z = SIZE[2] * math.sin(polar) * math.cos(angle)
            print("v %.6f %.6f %.6f" % (x, y, z) + colour(row, angle))
    at = lambda row, column: 2 + (row - 1) * COLUMNS + column % COLUMNS
    for column in range(COLUMNS):
        print("f 1 %d %d" % (at(1, column), at(1, column + 1)))
    for row in range(1, ROWS):
        for column in range(COLUMNS):
            print("f %d %d %d %d" % (at(row, column), at(row + 1, column), at(row + 1, column + 1), at(row, column + 1)))


main()
