#!/usr/bin/env python3
"""The trebuchet of scripts/thrown_stone.charli by Lagrange's equations in the angles of arm and weight and the place of the
stone, with the sling as a constraint on accelerations until the stone is level with the tip. Writes thrown_stone.csv."""
import pathlib

import numpy as np
from scipy.integrate import solve_ivp

G, M, M_ARM, M_STONE, HANG = 9.81, 500.0, 20.0, 4.0, 0.7
I_ARM = M_ARM / 12 * (16 + 0.04) + M_ARM
I_LOAD = M / 12 * 2 * 0.64


def tip(a):
    return np.array([3 * np.cos(a), 3 + 3 * np.sin(a)])


def derivative(is_held):
    def f(_, y):
        a, p, x, z, da, dp, dx, dz = y
        A, b = np.zeros((5, 5)), np.zeros(5)
        A[0, 0] = I_ARM + M
        A[1, 1] = M * HANG ** 2 + I_LOAD
        A[0, 1] = A[1, 0] = M * HANG * np.sin(a - p)
        A[2, 2] = A[3, 3] = M_STONE
        b[0] = (M - M_ARM) * G * np.cos(a) + M * HANG * np.cos(a - p) * dp ** 2
        b[1] = -M * G * HANG * np.sin(p) - M * HANG * np.cos(a - p) * da ** 2
        b[3] = -M_STONE * G
        A[4, 4] = 1
        if is_held:
            d = np.array([x, z]) - tip(a)
            slope, bend = 3 * np.array([-np.sin(a), np.cos(a)]), -3 * np.array([np.cos(a), np.sin(a)])
            v = np.array([dx, dz]) - slope * da
            A[4, 4] = 0
            A[4, :4] = A[:4, 4] = [-d @ slope, 0, d[0], d[1]]
            b[4] = -v @ v + d @ bend * da ** 2
        return np.concatenate([[da, dp, dx, dz], np.linalg.solve(A, b)[:4]])
    return f


def level(_, y):
    return y[3] - tip(y[0])[1]


level.terminal = True
level.direction = 1
start = np.array([-0.6, 0, 3 * np.cos(0.6) - 1.6, 3 - 3 * np.sin(0.6) - 1.2, 0, 0, 0, 0])
times = np.arange(1, 13) * 0.25
held = solve_ivp(derivative(True), (0, times[-1]), start, "DOP853", dense_output=True, events=level, rtol=1e-13, atol=1e-14)
thrown = held.t_events[0][0]
free = solve_ivp(derivative(False), (thrown, times[-1]), held.y_events[0][0], "DOP853", dense_output=True, rtol=1e-13,
                 atol=1e-14)
with open(pathlib.Path(__file__).parent / "thrown_stone.csv", "w") as file:
    file.write("# made by trebuchet.py\nt,load.x,load.y,tip.x,tip.y,stone.x,stone.y\n")
    for t in times:
        a, p, x, z = (held.sol if t < thrown else free.sol)(t)[:4]
        load = [-np.cos(a) + HANG * np.sin(p), 3 - np.sin(a) - HANG * np.cos(p)]
        file.write(",".join(f"{value:.17g}" for value in [t, *load, *tip(a), x, z]) + "\n")
print("thrown at", thrown)
