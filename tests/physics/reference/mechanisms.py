#!/usr/bin/env python3
"""Makes the tables of this folder that say so in their first line; needs numpy, scipy and sympy.

Each mechanism of tests/physics/scripts is derived here once more and by other means: Lagrange's equations in as few
coordinates as possible, by symbolic differentiation, integrated by Dormand and Prince's method of order 8 with a
tolerance of 1e-13 (Radau's of order 5 where that would take too long). Where one coordinate does not reach around a
loop, two with one constraint. The tables hold at their times without interpolation.

    python3 tests/physics/reference/mechanisms.py [name ...]
"""
import math
import pathlib
import sys

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp
from scipy.interpolate import BSpline

GRAVITY = 9.81
HERE = pathlib.Path(__file__).parent
TIMES = np.arange(41) / 4
t = sp.Symbol("t")
MAKERS = {}


def mechanism(function):
    MAKERS[function.__name__] = function
    return function


def unknowns(text):
    """Coordinates and their rates."""
    names = text.split()
    return sp.symbols(names), sp.symbols(["d" + name for name in names])


def energies(q, dq, masses, potential=0):
    """Kinetic and potential energy of point masses (mass, place)."""
    kinetic = 0
    for mass, place in masses:
        for coordinate in place:
            e = sp.sympify(coordinate)
            kinetic += mass * (sum(sp.diff(e, a) * b for a, b in zip(q, dq)) + sp.diff(e, t)) ** 2 / 2
        potential += mass * GRAVITY * place[1]
    return kinetic, potential


def equations(q, dq, kinetic, potential, forces=None, constraints=()):
    """The right-hand side of the equations of motion, and a projection onto the constraints."""
    n, m = len(q), len(constraints)
    momentum = [sp.diff(kinetic, b) for b in dq]
    mass = sp.Matrix(n, n, lambda i, j: sp.diff(momentum[i], dq[j]))
    force = [sp.diff(kinetic - potential, q[i]) - sp.diff(momentum[i], t)
             - sum(sp.diff(momentum[i], q[j]) * dq[j] for j in range(n)) + (forces[i] if forces else 0)
             for i in range(n)]
    rate = [sum(sp.diff(f, a) * b for a, b in zip(q, dq)) for f in constraints]
    rows = sp.Matrix(m, n, lambda i, j: sp.diff(constraints[i], q[j]))
    bias = [sum(sp.diff(f, a) * b for a, b in zip(q, dq)) for f in rate]
    look = sp.lambdify([t, *q, *dq], [mass, force, rows, bias, list(constraints)], "numpy", cse=True)

    def solve(mass, rows, upper, lower):
        matrix = np.block([[mass, rows.T], [rows, np.zeros((m, m))]])
        return np.linalg.solve(matrix, np.concatenate([upper, lower]))[:n]

    def looked(time, y):
        return [np.array(x, float) for x in look(time, *y)]

    def slope(time, y):
        mass, force, rows, bias, _ = looked(time, y)
        return np.concatenate([y[n:], solve(mass, rows.reshape(m, n), force, -bias)])

    def project(time, y):
        y = y.copy()
        for _ in range(4):
            mass, _, rows, _, error = looked(time, y)
            y[:n] += solve(mass, rows.reshape(m, n), np.zeros(n), -error)
        mass, _, rows, _, _ = looked(time, y)
        y[n:] -= solve(mass, rows.reshape(m, n), np.zeros(n), rows.reshape(m, n) @ y[n:])
        return y

    return slope, project


def integrate(slope, start, project=None, times=TIMES, method="DOP853", rtol=1e-13, atol=1e-14):
    def jacobian(time, y):
        return np.stack([(slope(time, y + e) - slope(time, y - e)) / 2e-6 for e in 1e-6 * np.eye(len(y))], 1)

    more = {"jac": jacobian} if method == "Radau" else {}
    y, out = np.array(start, float), [np.array(start, float)]
    for begin, end in zip(times[:-1], times[1:]):
        pieces = np.linspace(begin, end, 7) if project else [begin, end]
        for a, b in zip(pieces[:-1], pieces[1:]):
            y = solve_ivp(slope, (a, b), y, method=method, rtol=rtol, atol=atol, **more).y[:, -1]
            y = project(b, y) if project else y
        out.append(y)
    return np.array(out)


def points(q, masses, potential=0, forces=None):
    return equations(q[0], q[1], *energies(q[0], q[1], masses, potential), forces)[0]


def write(name, how, columns, values, times=TIMES):
    lines = [f"# made by mechanisms.py: {how}", ",".join(["t"] + columns)]
    lines += [",".join(f"{x:.16g}" for x in [time, *row]) for time, row in zip(times, np.asarray(values, float))]
    (HERE / f"{name}.csv").write_text("\n".join(lines) + "\n")


def xy(angle, radius=1):
    return radius * sp.cos(angle), radius * sp.sin(angle)


@mechanism
def slider_crank():
    (th,), (w,) = q = unknowns("th")
    x = sp.cos(th) + sp.sqrt(4 - sp.sin(th) ** 2)
    y = integrate(points(q, [(1, (*xy(th), 0)), (2, (x, 0, 0))]), [0.5, 3])[:, 0]
    write("slider_crank", "the crank's angle", ["pin.x", "pin.y", "slider.x"],
          np.stack([np.cos(y), np.sin(y), np.cos(y) + np.sqrt(4 - np.sin(y) ** 2)], 1))


@mechanism
def four_bar():
    (th,), (w,) = q = unknowns("th")
    A, D = sp.Matrix(xy(th, 0.4)), sp.Matrix([1.1, 0])
    r = D - A
    k = (1.2**2 - 0.9**2 + r.dot(r)) / (2 * r.dot(r))
    C = A + k * r + sp.sqrt(1.2**2 / r.dot(r) - k**2) * sp.Matrix([-r[1], r[0]])
    P = (A + C) / 2
    y = integrate(points(q, [(1, (*A, 0)), (2, (*C, 0)), (0.5, (*P, 0))]), [1, 8])[:, 0]
    write("four_bar", "the crank's angle, circles that meet", ["A.x", "A.y", "C.x", "C.y"],
          [sp.lambdify(th, [*A, *C])(a) for a in y])


@mechanism
def watt():
    (a, b), _ = q = unknowns("a b")
    A, C = sp.Matrix(xy(a, 2)), sp.Matrix([4, -1]) + sp.Matrix(xy(b, 2))
    P = (A + C) / 2
    kinetic, potential = energies(*q, [(1, (*A, 0)), (1, (*C, 0)), (3, (*P, 0))])
    slope, project = equations(*q, kinetic, potential, None, [(C - A).dot(C - A) - 1])
    y = integrate(slope, project(0, np.array([0.1, math.pi, 0, 0])), project)
    write("watt", "two angles and one constraint", ["A.x", "A.y", "C.x", "C.y", "P.x", "P.y"],
          [sp.lambdify([a, b], [*A, *C, *P])(*row[:2]) for row in y])


@mechanism
def parallelogram():
    (th,), (w,) = q = unknowns("th")
    for name, spin in ("parallelogram", 0), ("parallelogram_turning", 8):
        y = integrate(points(q, [(1, (*xy(th), 0))]), [-1, spin])[:, 0]
        write(name, "a simple pendulum", ["A.x", "A.y", "B.x", "B.y", "C.x", "C.y"],
              np.stack([np.cos(y), np.sin(y), 1 + np.cos(y), np.sin(y), 2.5 + np.cos(y), np.sin(y)], 1))


@mechanism
def bricard():
    (a, b), _ = q = unknowns("a b")
    place, turn, corners = sp.zeros(3, 1), sp.eye(3), [sp.zeros(3, 1)]
    for i in range(5):
        sign = 1 if i % 2 == 0 else -1
        turn = turn * sp.rot_ccw_axis3(a if sign > 0 else b)
        place = place + turn * sp.Matrix([1, 0, 0])
        turn = turn * sp.Matrix([[1, 0, 0], [0, 0, -sign], [0, sign, 0]])
        corners.append(place)
    masses = []
    for near, far in zip(corners[:-1], corners[1:]):
        masses += [(sp.Rational(1, 6), near), (sp.Rational(1, 6), far), (sp.Rational(2, 3), (near + far) / 2)]
    closure = sp.cos(a) + sp.cos(b) + sp.cos(a) * sp.cos(b)
    slope, project = equations(*q, *energies(*q, masses), None, [closure])
    y = integrate(slope, [-math.pi / 2, -math.pi / 2, 0, 0], project)
    look = sp.lambdify([a, b], [x for corner in corners[2:5] for x in corner])
    write("bricard", "two alternating angles with cos a + cos b + cos a cos b = 0",
          [f"l{i}.tip.{axis}" for i in (2, 3, 4) for axis in "xyz"], [look(*row[:2]) for row in y])


@mechanism
def governor():
    (phi, alpha, s), (_, dalpha, ds) = q = unknowns("phi alpha s")
    reach = sp.Rational(1, 10) + sp.sin(alpha)
    masses = [(3, (0, -s, 0))]
    for side in 1, -1:
        masses += [(5, (side * reach * sp.cos(phi), -sp.cos(alpha), -side * reach * sp.sin(phi))),
                   (1, (side * sp.cos(phi) / 10, 0, -side * sp.sin(phi) / 10))]
    length = sp.sqrt((sp.Rational(1, 10) + sp.sin(alpha) / 2) ** 2 + (s - sp.cos(alpha) / 2) ** 2)
    rate = sp.diff(length, alpha) * dalpha + sp.diff(length, s) * ds
    start = 0.5 * math.cos(math.pi / 6) + math.sqrt(0.25 - (0.1 + 0.5 * math.sin(math.pi / 6)) ** 2)
    for name, k, c, end, method, rtol in (("governor", 8e5, 4e4, 2, "DOP853", 1e-12),
                                          ("governor_stiffer", 8e7, 4e6, 2, "Radau", 1e-11)):
        forces = [0, -2 * c * rate * sp.diff(length, alpha), -2 * c * rate * sp.diff(length, s)]
        slope = points(q, masses, k * (length - sp.Rational(1, 2)) ** 2, forces)
        times = TIMES[TIMES <= end]
        y = integrate(slope, [0, math.pi / 6, start, 2 * math.pi, 0, 0], None, times, method, rtol, 1e-13)
        ph, al = y[:, 0], y[:, 1]
        write(name, f"three coordinates, by {method} at {rtol:g}",
              ["head.right.ball.x", "head.right.ball.y", "head.right.ball.z", "collar.y"],
              np.stack([(0.1 + np.sin(al)) * np.cos(ph), -np.cos(al), -(0.1 + np.sin(al)) * np.sin(ph), -y[:, 2]], 1),
              times)


@mechanism
def parabolas():
    (x,), _ = q = unknowns("x")
    y = integrate(points(q, [(1, (x + sp.Rational(3, 10) * sp.sin(2 * t), x**2, 0))]), [0.5, 0])[:, 0]
    write("shaken_parabola", "the place on the parabola", ["bead.x", "bead.y"],
          np.stack([y + 0.3 * np.sin(2 * TIMES), y**2], 1))
    y = integrate(points(q, [(1, (x * sp.cos(3 * t), x**2, -x * sp.sin(3 * t)))]), [0.8, 0])[:, 0]
    write("turning_parabola", "the place on the parabola", ["bead.x", "bead.y", "bead.z"],
          np.stack([y * np.cos(3 * TIMES), y**2, -y * np.sin(3 * TIMES)], 1))


@mechanism
def hoop():
    (th,), _ = q = unknowns("th")
    y = integrate(points(q, [(1, (sp.cos(th) * sp.cos(6 * t), sp.sin(th), -sp.cos(th) * sp.sin(6 * t)))]), [-1, 0.3])
    y = y[:, 0]
    row = [np.cos(y) * np.cos(6 * TIMES), np.sin(y), -np.cos(y) * np.sin(6 * TIMES)]
    write("hoop", "the angle on the hoop", [f"{b}.{c}" for b in ("by_angle", "by_distance") for c in "xyz"],
          np.stack(row + row, 1))


@mechanism
def roller_coaster():
    """The spline is C2 only: steps end at its knots."""
    corners = np.array([[-4, 3], [-3, -1], [-1, 1], [0, -2], [1, 0.5], [3, -1], [4, 3]])
    knots = np.linspace(0, 1, 5)
    curve = BSpline(np.concatenate([[0] * 3, knots, [1] * 3]), corners, 3)
    first, second = curve.derivative(1), curve.derivative(2)

    def slope(_, y):
        a, b = first(y[0]), second(y[0])
        return [y[1], (-GRAVITY * a[1] - a @ b * y[1] ** 2) / (a @ a)]

    y, time, out = np.array([0.03, 0.0]), 0.0, [curve(0.03)]
    for end in TIMES[1:]:
        while time < end - 1e-13:
            events = []
            for knot in knots[1:-1]:
                if abs(y[0] - knot) > 1e-12:
                    events.append(lambda _, state, knot=knot: state[0] - knot)
                    events[-1].terminal = True
            piece = solve_ivp(slope, (time, end), y, "DOP853", rtol=1e-13, atol=1e-15, events=events)
            time, y = piece.t[-1], piece.y[:, -1]
        out.append(curve(y[0]))
    write("roller_coaster", "the parameter of the spline, steps end at its knots", ["bead.x", "bead.y"], out)


@mechanism
def winch():
    def length(time, piece):
        s = time / 2
        return [(1 - 0.4 * (3 * s * s - 2 * s**3), -0.4 * (3 * s - 3 * s * s)), (0.6 + 0.3 * (time - 2), 0.3),
                (1.2, 0)][piece]

    y, out = np.array([-0.5, 0.0]), []
    for begin, end in zip(TIMES, [*TIMES[1:], 10]):
        piece = min(int(begin / 2), 2)
        l = length(begin, piece)[0]
        out.append([l * math.cos(y[0]), l * math.sin(y[0])] * 2)
        if begin < end:
            def slope(time, y):
                l, dl = length(time, piece)
                return [y[1], -(GRAVITY * math.cos(y[0]) + 2 * dl * y[1]) / l]
            y = solve_ivp(slope, (begin, end), y, "DOP853", rtol=1e-13, atol=1e-15).y[:, -1]
    write("winch", "the angle of the rope", ["on_arm.x", "on_arm.y", "on_rope.x", "on_rope.y"], out)


@mechanism
def gears():
    (th,), (w,) = q = unknowns("th")
    second = [2 + sp.cos(1 - 2 * th) / 2, sp.sin(1 - 2 * th) / 2, 0]
    slope = points(q, [(1, (*xy(th), 0)), (2, second)], sp.Rational(3, 2) * (th - sp.Rational(1, 5)) ** 2, [-w / 10])
    y = integrate(slope, [0.3, 1])[:, 0]
    write("gears", "the shared angle", ["A.x", "A.y", "B.x", "B.y"],
          np.stack([np.cos(y), np.sin(y), 2 + np.cos(1 - 2 * y) / 2, np.sin(1 - 2 * y) / 2], 1))


@mechanism
def follower():
    (th, y), _ = q = unknowns("th y")
    slope = points(q, [(1, (*xy(th), 0)), (2, (sp.cos(th) + sp.sin(th) / 2, y, 0))], 10 * (y + 1) ** 2)
    s = integrate(slope, [-0.3, 0, 0, 0])
    a = s[:, 0]
    write("follower", "the pendulum's angle and the height", ["A.x", "A.y", "B.x", "B.y"],
          np.stack([np.cos(a), np.sin(a), np.cos(a) + np.sin(a) / 2, s[:, 1]], 1))


@mechanism
def breathing_arm():
    (th, r), _ = q = unknowns("th r")
    second = [r * (sp.cos(th) + sp.cos(th + 1) / 2), r * (sp.sin(th) + sp.sin(th + 1) / 2), 0]
    s = integrate(points(q, [(1, (*xy(th, r), 0)), (sp.Rational(1, 2), second)], 15 * (r - 1) ** 2), [-1, 1.2, 0.5, 0])
    look = sp.lambdify([th, r], [*xy(th, r), *second[:2]])
    write("breathing_arm", "angle and size", ["A.x", "A.y", "B.x", "B.y"], [look(*row[:2]) for row in s])


@mechanism
def spherical_pendulum():
    (th, ph), _ = q = unknowns("th ph")
    place = [sp.sin(th) * sp.cos(ph), -sp.cos(th), sp.sin(th) * sp.sin(ph)]
    s = integrate(points(q, [(1, place)]), [1, 0, 0, 1.5])
    look = sp.lambdify([th, ph], place * 2)
    write("spherical_pendulum", "two angles", [f"{b}.{c}" for b in ("by_angles", "by_distance") for c in "xyz"],
          [look(*row[:2]) for row in s])


@mechanism
def top():
    """The Lagrangian of the books: moments I1 about the point, I3 about the axis."""
    (ph, th, ps), (dph, dth, dps) = q = unknowns("ph th ps")
    out = []
    for I1, I3 in (2 * 1.04 / 12 + 2 * 0.36, 2 * 2 / 12), (2 * 0.25 / 2 + 2 * 0.36, 2 * 0.25):
        kinetic = I1 * (dth**2 + dph**2 * sp.sin(th) ** 2) / 2 + I3 * (dps + dph * sp.cos(th)) ** 2 / 2
        s = integrate(equations(*q, kinetic, 2 * GRAVITY * 0.6 * sp.cos(th))[0], [0, 0.5, 0, 0, 0, 40])
        phi, theta = s[:, 0], s[:, 1]
        out += [-0.6 * np.sin(theta) * np.cos(phi), 0.6 * np.cos(theta), 0.6 * np.sin(theta) * np.sin(phi)]
    write("top", "Euler's angles", [f"{b}.{c}" for b in ("block", "cross") for c in "xyz"], np.stack(out, 1))


@mechanism
def double_pendulum_3d():
    (a, b, c, d), _ = q = unknowns("a b c d")
    A = sp.Matrix([sp.sin(a) * sp.cos(b), -sp.cos(a), sp.sin(a) * sp.sin(b)])
    B = A + sp.Rational(7, 10) * sp.Matrix([sp.sin(c) * sp.cos(d), -sp.cos(c), sp.sin(c) * sp.sin(d)])
    s = integrate(points(q, [(1, A), (sp.Rational(1, 2), B)]), [1.2, 0, 0.9, 0.5, 0, 1.5, 0, 2.5])
    look = sp.lambdify([a, b, c, d], [*A, *B])
    write("double_pendulum_3d", "four angles", [f"{p}.{x}" for p in "AB" for x in "xyz"], [look(*row[:4]) for row in s])


@mechanism
def hung_label():
    (a, b), _ = q = unknowns("a b")
    B = [sp.cos(a) / 2 + 0.6 * sp.cos(b), sp.sin(a) / 2 + 0.6 * sp.sin(b)]
    s = integrate(points(q, [(1, (*xy(a), 0)), (sp.Rational(1, 2), (*B, 0))]), [-0.8, -1.5, 0, 0])
    look = sp.lambdify([a, b], [*xy(a), *B])
    write("hung_label", "two angles", ["A.x", "A.y", "B.x", "B.y"], [look(*row[:2]) for row in s])


@mechanism
def cart_pendulum():
    (x, th), _ = q = unknowns("x th")
    s = integrate(points(q, [(2, (x, 0, 0)), (1, (x + sp.cos(th), sp.sin(th), 0))]), [0, -0.2, 0, 0])
    write("cart_pendulum", "the cart's place and the angle", ["cart.x", "bob.x", "bob.y"],
          np.stack([s[:, 0], s[:, 0] + np.cos(s[:, 1]), np.sin(s[:, 1])], 1))


@mechanism
def pushed():
    def stepwise(slope, start):
        y, out = np.array(start), [start[0]]
        for begin, end in zip(TIMES[:-1], TIMES[1:]):
            y = solve_ivp(lambda time, y: slope(time, y, begin), (begin, end), y, "DOP853", rtol=1e-13, atol=1e-15)
            y = y.y[:, -1]
            out.append(y[0])
        return np.array(out)[:, None]

    def oscillator(time, y, begin):
        push = 3 * time if begin < 1 else 3 if begin < 3 else 0
        return [y[1], (push + 0.5 * math.sin(3 * time) - 8 * (y[0] - 0.2) - 0.7 * y[1]) / 2]

    def fading(time, y, begin):
        gravity = -GRAVITY * (1 - time / 5) if begin < 5 else 0
        return [y[1], gravity + 2 * math.sin(time) + (50 * (-y[0] - 0.5) - y[1]) / 2]

    write("pushed_oscillator", "steps end at the keys", ["A.x"], stepwise(oscillator, [0.5, 0.0]))
    write("fading_gravity", "steps end at the keys", ["A.y"], stepwise(fading, [-1.0, 0.0]))


@mechanism
def row_of_four_bars():
    (th,), _ = q = unknowns("th")
    y = integrate(points(q, [(1, (*xy(th), 0))]), [math.pi / 2, -1])[:, 0]
    write("row_of_four_bars", "a simple pendulum", ["p[0].x", "p[0].y", "p[5].x", "p[5].y"],
          np.stack([np.cos(y), np.sin(y), 5 + np.cos(y), np.sin(y)], 1))


@mechanism
def hung_wire():
    (a, b), _ = q = unknowns("a b")
    bead = sp.Matrix([[sp.cos(a), -sp.sin(a)], [sp.sin(a), sp.cos(a)]]) * sp.Matrix([b, b**2 / 2 - 1])
    s = integrate(points(q, [(2, (sp.sin(a), -sp.cos(a), 0)), (1, (*bead, 0))]), [0.4, 0.3, 0, 0])
    look = sp.lambdify([a, b], [sp.sin(a), -sp.cos(a), *bead])
    write("hung_wire", "the wire's angle and the place on it", ["weight.x", "weight.y", "bead.x", "bead.y"],
          [look(*row[:2]) for row in s])


@mechanism
def spatial_four_bar():
    (a, b), _ = q = unknowns("a b")
    A = sp.Matrix([*xy(a, 0.4), 0])
    B = sp.Matrix([1, 0.5 + 0.9 * sp.cos(b), 0.3 + 0.9 * sp.sin(b)])
    gap = (A - B).dot(A - B)
    slope, project = equations(*q, *energies(*q, [(1, A), (2, B)]), None, [gap - gap.subs({a: 0.5, b: 1})])
    start = project(0, np.array([0.5, 1, 6, 0]))
    s = integrate(slope, start, project)
    look = sp.lambdify([a, b], [A[0], A[1], B[1], B[2]])
    write("spatial_four_bar", "two angles and one constraint", ["A.x", "A.y", "B.y", "B.z"], [look(*r[:2]) for r in s])


@mechanism
def trammel():
    (a,), _ = q = unknowns("a")
    pen = [3 * sp.cos(a) / 2, -sp.sin(a) / 2, 0]
    y = integrate(points(q, [(1, (sp.cos(a), 0, 0)), (2, (0, sp.sin(a), 0)), (sp.Rational(1, 2), pen)]), [0.3, 2])[:, 0]
    write("trammel", "the bar's angle", ["A.x", "B.y", "pen.x", "pen.y"],
          np.stack([np.cos(y), np.sin(y), 1.5 * np.cos(y), -0.5 * np.sin(y)], 1))


for maker in sys.argv[1:] or MAKERS:
    MAKERS[maker]()
