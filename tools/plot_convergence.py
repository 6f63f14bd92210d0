#!/usr/bin/env python3
"""Draws θ against iterations for three kinds of stacks: plot_convergence.py BENCH_RIGID OUT.svg

The numbers come from `bench_rigid --convergence`, which steps examples/{sparse,random,structured}_stack.charli by the paper's
method. Prints what shock propagation does, as a table for docs/theory/rigid.md.
"""
import math
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLOURS = {"sparse": "#0072b2", "random": "#009e73", "structured": "#d55e00"}
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 360, 74, 110, 18, 46


def read(program):
    lines = subprocess.run([program, "--convergence"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    curves, shocks = {}, []
    for line in lines:
        kind, *fields = line.split(",")
        if kind == "theta":
            curves.setdefault(fields[0], []).append(float(fields[2]))
        elif kind == "shock":
            shocks.append(fields)
    return curves, shocks


def draw(curves):
    most = max(len(values) for values in curves.values())
    exponents = [math.log10(value) for values in curves.values() for value in values if value > 0]
    low, high = math.floor(min(exponents)), math.ceil(max(exponents))

    def x(iteration):
        return LEFT + (WIDTH - LEFT - RIGHT) * (iteration - 1) / (most - 1)

    def y(value):
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - math.log10(max(value, 10.0 ** low))) / (high - low)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for power in range(low, high + 1):
        at = y(10.0 ** power)
        out.append(f'<path d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">1e{power}</text>')
    for iteration in [1, *range(100, most + 1, 100)]:
        out.append(f'<text x="{x(iteration):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{iteration}</text>')
    label = HEIGHT
    for name, values in sorted(curves.items(), key=lambda curve: curve[1][-1]):
        label = min(y(values[-1]) + 4, label - 15)  # or names would lie on each other
        path = "L".join(f"{x(i + 1):.1f} {y(value):.1f}" for i, value in enumerate(values))
        out.append(f'<path d="M{path}" fill="none" stroke="{COLOURS[name]}" stroke-width="2"/>')
        out.append(f'<text x="{WIDTH - RIGHT + 8}" y="{label:.1f}" fill="{COLOURS[name]}">{name}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">iterations</text>')
    out.append(f'<text x="14" y="{(TOP + HEIGHT - BOTTOM) / 2}" text-anchor="middle" '
               f'transform="rotate(-90 14 {(TOP + HEIGHT - BOTTOM) / 2})">θ [m/s]</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


def main():
    curves, shocks = read(pathlib.Path(sys.argv[1]).resolve())
    pathlib.Path(sys.argv[2]).write_text(draw(curves))
    for name, values in curves.items():
        print(f"{name}: θ {values[0]:.2e} after 1, {values[9]:.2e} after 10, {values[99]:.2e} after 100, {values[-1]:.2e} after {len(values)}")
    print("| stack | shock propagation | top sinks in 1 s, mm | largest overlap, mm | θ at the end, m/s |\n|---|---|---|---|---|")
    for name, shock, sunk, overlap, theta in shocks:
        print(f"| {name} | {shock} | {1e3 * float(sunk):.2f} | {1e3 * float(overlap):.2f} | {float(theta):.1e} |")


main()
