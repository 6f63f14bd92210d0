#!/usr/bin/env python3
"""Blocks on ball joints, integrated independently of the program: every block has a place, a quaternion, a velocity and an
angular velocity of its own, and the joints are constraints on their accelerations. Writes the tables beside this file."""
import pathlib

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

HERE = pathlib.Path(__file__).parent
G = np.array([0, -9.81, 0])


def cross_matrix(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


class Blocks:
    """blocks: (mass, sides, rotation vector, angular velocity in the world, place, velocity);
    joints: (block or None for the world, point in it, block, point in it)."""

    def __init__(self, blocks, joints):
        self.mass = [b[0] for b in blocks]
        self.inertia = [b[0] / 12 * np.array([b[1][1] ** 2 + b[1][2] ** 2, b[1][0] ** 2 + b[1][2] ** 2,
                                              b[1][0] ** 2 + b[1][1] ** 2]) for b in blocks]
        self.joints = joints
        self.start = np.concatenate([np.concatenate([b[4], b[2].as_quat(), b[5], b[3]]) for b in blocks])

    def derivative(self, _, y):
        n, rows = len(self.mass), 3 * len(self.joints)
        size = 6 * n
        A, b, out = np.zeros((size + rows, size + rows)), np.zeros(size + rows), np.zeros_like(y)
        turned = []
        for i in range(n):
            q, v, w = y[13 * i + 3:13 * i + 7], y[13 * i + 7:13 * i + 10], y[13 * i + 10:13 * i + 13]
            R = Rotation.from_quat(q).as_matrix()
            turned.append((R, w))
            inertia = R @ np.diag(self.inertia[i]) @ R.T
            A[6 * i:6 * i + 3, 6 * i:6 * i + 3] = self.mass[i] * np.eye(3)
            A[6 * i + 3:6 * i + 6, 6 * i + 3:6 * i + 6] = inertia
            b[6 * i:6 * i + 3] = self.mass[i] * G
            b[6 * i + 3:6 * i + 6] = -np.cross(w, inertia @ w)
            out[13 * i:13 * i + 3] = v
            out[13 * i + 3:13 * i + 6] = 0.5 * (q[3] * w + np.cross(w, q[:3]))
            out[13 * i + 6] = -0.5 * w @ q[:3]
        for k, (one, p, other, r) in enumerate(self.joints):
            at = size + 3 * k
            for body, point, sign in ((one, p, -1), (other, r, 1)):
                if body is None:
                    continue
                R, w = turned[body]
                arm = R @ np.array(point)
                J = np.hstack([np.eye(3), -cross_matrix(arm)]) * sign
                A[at:at + 3, 6 * body:6 * body + 6] = J
                A[6 * body:6 * body + 6, at:at + 3] = J.T
                b[at:at + 3] -= sign * np.cross(w, np.cross(w, arm))
        a = np.linalg.solve(A, b)
        for i in range(n):
            out[13 * i + 7:13 * i + 13] = a[6 * i:6 * i + 6]
        return out

    def write(self, name, times, points):
        """points: (name, block, place in it)."""
        result = solve_ivp(self.derivative, (0, times[-1]), self.start, "DOP853", times, rtol=1e-13, atol=1e-14)
        assert result.success
        with open(HERE / f"{name}.csv", "w") as file:
            file.write("# made by joints.py\nt," + ",".join(f"{p[0]}.{axis}" for p in points for axis in "xyz") + "\n")
            for t, y in zip(times, result.y.T):
                cells = []
                for _, i, local in points:
                    R = Rotation.from_quat(y[13 * i + 3:13 * i + 7])
                    cells += list(y[13 * i:13 * i + 3] + R.apply(local))
                file.write(",".join(f"{x:.17g}" for x in [t] + cells) + "\n")


def ragdoll():
    trunk = Rotation.from_rotvec([0.3, 0.2, -0.1])
    w, x, v = np.array([1, 3, 0.5]), np.array([0, 2, 0.0]), np.array([0.5, 1, -0.2])
    blocks, joints = [(30, (0.4, 0.6, 0.2), trunk, w, x, v)], []
    arm, leg = (4, (0.1, 0.6, 0.08), 0.3), (9, (0.15, 0.8, 0.12), 0.4)
    limbs = [(arm, (0, 0, -1.2), (0, 4, 0), (0.25, 0.28, 0)), (arm, (0.4, 0, 1.2), (2, 0, -1), (-0.25, 0.28, 0)),
             (leg, (0, 0, 0), (0, 0, 0), (0.1, -0.3, 0)), (leg, (1.4, 0.2, 0), (-3, 1, 2), (-0.1, -0.3, 0))]
    for (mass, size, half), turn, spin, place in limbs:
        R = trunk * Rotation.from_rotvec(turn)
        w_limb = w + trunk.apply(spin)
        joint, down = trunk.apply(place), R.apply([0, -half, 0])
        blocks.append((mass, size, R, w_limb, x + joint + down, v + np.cross(w, joint) + np.cross(w_limb, down)))
        joints.append((0, place, len(blocks) - 1, (0, half, 0)))
    names = ["trunk", "left_arm", "right_arm", "leg", "kick"]
    Blocks(blocks, joints).write("ragdoll", np.arange(1, 9) * 0.25, [(n, i, (0, 0, 0)) for i, n in enumerate(names)])


def tumbling_box():
    Blocks([(2, (1, 0.6, 0.3), Rotation.from_rotvec([0.3, -0.2, 0.5]), np.array([0.02, 6, 0.01]), np.zeros(3),
             np.array([1, 4, 0.0]))], []).write("tumbling_box", np.arange(1, 11.0), [("block", 0, (0, 0, 0)),
                                                                                     ("tip", 0, (0.5, 0.3, 0.15))])


def ball_top():
    R, w = Rotation.from_rotvec([0, 0, -0.6]), np.array([33.87850403, 49.5201, 0])
    up = R.apply([0, 0.5, 0])
    Blocks([(1, (0.4, 0.05, 0.4), R, w, up, np.cross(w, up))], [(None, (0, 0, 0), 0, (0, -0.5, 0))]).write(
        "ball_top", np.arange(1, 11) * 0.5, [("top", 0, (0, 0, 0)), ("rim", 0, (0.2, 0, 0))])


ragdoll()
tumbling_box()
ball_top()
