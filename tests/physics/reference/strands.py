#!/usr/bin/env python3
"""Makes strand_branched.csv and strand_driven.csv; needs numpy and scipy.

Trees of rigid segments once more and by other means than the engine's: every segment is a free body with a place and a
turn, joints are constraints with multipliers, torques of elastic joints are derivatives of their energy by complex
steps, and all is integrated by Dormand and Prince's method of order 8 with a tolerance of 1e-13. The tables hold time
and the tip of every segment.

    python3 tests/physics/reference/strands.py
"""
import pathlib

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

HERE = pathlib.Path(__file__).parent
GRAVITY = np.array([0, -9.81, 0])


def cross_matrix(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def turn_of(vector):
    return Rotation.from_rotvec(vector).as_matrix()


class Segment:
    def __init__(self, parent, attach, length, mass, radius, rest=(0, 0, 0), stiffness=(0, 0, 0), damping=(0, 0, 0),
                 offset=(0, 0, 0)):
        self.parent, self.attach, self.length, self.mass = parent, attach, length, mass
        across = mass * (length**2 / 12 + radius**2 / 4)
        self.inertia = np.diag([across, mass * radius**2 / 2, across])  # about the centre
        self.rest, self.stiffness, self.damping = turn_of(rest), np.array(stiffness), np.array(damping)
        self.half = turn_of(np.array(rest) / 2) if parent >= 0 else np.eye(3)  # joints' axes are half-way back
        self.offset = np.array(offset)  # of a root, in the base's frame


def still(time):
    zero = np.zeros(3)
    return zero, zero, zero, np.eye(3), zero, zero


def shaken(time):
    """Place, velocity, acceleration; turn, angular velocity, angular acceleration."""
    s, c = np.sin, np.cos
    place = np.array([0.1 * s(5 * time), 0.05 * s(3 * time), 0.08 * (1 - c(4 * time))])
    velocity = np.array([0.5 * c(5 * time), 0.15 * c(3 * time), 0.32 * s(4 * time)])
    acceleration = np.array([-2.5 * s(5 * time), -0.45 * s(3 * time), 1.28 * c(4 * time)])
    axis = np.array([2, -1, 2]) / 3
    return (place, velocity, acceleration, turn_of(axis * 0.4 * s(3 * time)), axis * 1.2 * c(3 * time),
            axis * -3.6 * s(3 * time))


def energy_of_joint(R, half, K):
    """K_x ln(1 + |g|^2) + sum of (K_k - K_x) ln(1 + g_k^2), g = tan(angle/2) axis, of a complex R."""
    g = half @ np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / (1 + np.trace(R))
    return K[0] * np.log(1 + g @ g) + (K[1] - K[0]) * np.log(1 + g[1] ** 2) + (K[2] - K[0]) * np.log(1 + g[2] ** 2)


def torque_of_joint(segment, R_parent, R, w_parent, w):
    """On the segment."""
    torque = np.zeros(3)
    for k in range(3):
        moved = (np.eye(3) + 1e-30j * cross_matrix(np.eye(3)[k])) @ R
        torque[k] = -energy_of_joint(segment.rest.T @ R_parent.T @ moved, segment.half,
                                     segment.stiffness).imag / 1e-30
    axes = R @ segment.half.T
    return torque - axes @ np.diag(segment.damping) @ axes.T @ (w - w_parent)


def matrix_of(q):
    x, y, z, w = q / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def slopes(tree, base, time, state):
    n = len(tree)
    bodies = state.reshape(n, 13)  # place, turn, velocity, angular velocity
    M, f = np.zeros((9 * n, 9 * n)), np.zeros(9 * n)
    R = [matrix_of(b[3:7]) for b in bodies]
    w = [b[10:13] for b in bodies]
    _, _, a_base, R_base, w_base, alpha_base = base(time)
    for i, s in enumerate(tree):
        world = R[i] @ s.inertia @ R[i].T
        M[6 * i:6 * i + 3, 6 * i:6 * i + 3] = s.mass * np.eye(3)
        M[6 * i + 3:6 * i + 6, 6 * i + 3:6 * i + 6] = world
        f[6 * i:6 * i + 3] += s.mass * GRAVITY
        f[6 * i + 3:6 * i + 6] -= np.cross(w[i], world @ w[i])
        R_p, w_p = (R[s.parent], w[s.parent]) if s.parent >= 0 else (R_base, w_base)
        torque = torque_of_joint(s, R_p, R[i], w_p, w[i])
        f[6 * i + 3:6 * i + 6] += torque
        J, arm = np.zeros((3, 6 * n)), R[i] @ [0, -s.length / 2, 0]
        J[:, 6 * i:6 * i + 3], J[:, 6 * i + 3:6 * i + 6] = np.eye(3), -cross_matrix(arm)
        bias = -np.cross(w[i], np.cross(w[i], arm))
        if s.parent >= 0:
            p = s.parent
            f[6 * p + 3:6 * p + 6] -= torque
            arm = R[p] @ [0, (s.attach - 0.5) * tree[p].length, 0]
            J[:, 6 * p:6 * p + 3], J[:, 6 * p + 3:6 * p + 6] = -np.eye(3), cross_matrix(arm)
            bias += np.cross(w[p], np.cross(w[p], arm))
        else:
            arm = R_base @ s.offset
            bias += a_base + np.cross(alpha_base, arm) + np.cross(w_base, np.cross(w_base, arm))
        M[6 * n + 3 * i:6 * n + 3 * i + 3, :6 * n], M[:6 * n, 6 * n + 3 * i:6 * n + 3 * i + 3] = J, J.T
        f[6 * n + 3 * i:6 * n + 3 * i + 3] = bias
    x = np.linalg.solve(M, f)
    out = np.zeros((n, 13))
    for i, b in enumerate(bodies):
        q, v = b[3:7], w[i]
        out[i, :3] = b[7:10]
        out[i, 3:7] = 0.5 * np.concatenate([v * q[3] + np.cross(v, q[:3]), [-v @ q[:3]]])
        out[i, 7:] = x[6 * i:6 * i + 6]
    return out.ravel()


def start(tree, base, rates):
    """At rest in their joints, with angular velocities in the segments' own axes."""
    place, velocity, _, R_base, w_base, _ = base(0)
    bodies, ends = [], []
    for s, rate in zip(tree, rates):
        if s.parent >= 0:
            x, v, R_p, w_p = ends[s.parent]
            arm = R_p @ [0, s.attach * tree[s.parent].length, 0]
            joint, speed = x + arm, v + np.cross(w_p, arm)
        else:
            arm, R_p = R_base @ s.offset, R_base
            joint, speed = place + arm, velocity + np.cross(w_base, arm)
        R = R_p @ s.rest
        w, arm = R @ rate, R @ [0, s.length / 2, 0]
        ends.append((joint, speed, R, w))
        bodies.append(np.concatenate([joint + arm, Rotation.from_matrix(R).as_quat(), speed + np.cross(w, arm), w]))
    return np.concatenate(bodies)


def make(name, tree, base, rates, times):
    results = []
    for tolerance in (1e-13, 1e-12):
        solution = solve_ivp(lambda t, y: slopes(tree, base, t, y), (0, times[-1]), start(tree, base, rates),
                             "DOP853", times, rtol=tolerance, atol=tolerance)
        rows = []
        for state in solution.y.T:
            bodies = state.reshape(len(tree), 13)
            rows.append(np.concatenate([b[:3] + matrix_of(b[3:7]) @ [0, s.length / 2, 0] for s, b in zip(tree, bodies)]))
        results.append(np.array(rows))
    print(f"{name}: two tolerances agree to {abs(results[0] - results[1]).max():.1e} m")
    names = ",".join(f"x{i},y{i},z{i}" for i in range(len(tree)))
    with open(HERE / f"{name}.csv", "w") as file:
        print("# strands.py: free bodies with multipliers, Dormand-Prince 8, tolerance 1e-13", file=file)
        print("t," + names, file=file)
        for time, row in zip(times, results[0]):
            print(",".join(f"{x:.15g}" for x in (time, *row)), file=file)


def main():
    branched = [
        Segment(-1, 1, 0.3, 0.05, 0.02, rest=(0.4, 0, 1.2)),
        Segment(0, 1, 0.25, 0.04, 0.02, rest=(0.3, 0.2, 0.5)),
        Segment(1, 1, 0.2, 0.02, 0.015, rest=(-0.4, 0.1, 0.3)),
        Segment(0, 0.6, 0.3, 0.03, 0.015, rest=(0.9, 0, -0.7)),
        Segment(3, 1, 0.2, 0.02, 0.01, rest=(0.2, 0.5, 0.4)),
        Segment(1, 1, 0.15, 0.01, 0.01, rest=(-0.8, 0, -0.6)),
    ]
    rates = [(1, 0.5, -1), (0, 2, 1), (-1, 0, 2), (2, 1, 0), (0, 0, 3), (1, -1, 1)]
    make("strand_branched", branched, still, np.array(rates, float), np.arange(1, 11) / 10)
    driven = [Segment(i - 1, 1, 0.2 - 0.02 * i, 0.02 - 0.002 * i, 0.02, rest=(0.3, 0.1, 0.2 - 0.1 * i),
                      stiffness=(0.05, 0.03, 0.08), damping=(0.0004, 0.0002, 0.0006),
                      offset=(0.05, 0.02, -0.03)) for i in range(5)]
    make("strand_driven", driven, shaken, np.zeros((5, 3)), np.arange(1, 11) / 10)


main()
