#!/usr/bin/env python3
"""Draws the error of a posed ear against the strength of its pose: plot_pose.py SINEW OUT.svg

Prints the numbers too. The ear is horizontal, its pose leans by half a radian; the error is how far its tip is from the pose's after 4 s.
"""
import csv
import math
import pathlib
import subprocess
import sys
import tempfile

SCRIPT = """def ear strand(line(0,0,0, 0.3,0,0), segments = 10); radius(5 mm); bend_stiffness(0.002); damping(0.05); air_drag(0.5, 0.5);
  pose(line(0,0,0, 0.3 * cos(0.5),0.3 * sin(0.5),0), strength = %g, damping = 1); end;
ear; simulate(0 sec, 4 sec, step = 1 / 96);
"""
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 360, 74, 30, 18, 46


def error_at(sinew, strength, folder):
    script, table = folder / "ear.charli", folder / "ear.csv"
    script.write_text(SCRIPT % strength)
    subprocess.run([sinew, "run", script, "--out", folder / "ear.sinew", "--table", table, "--fps", "1"], check=True,
                   stdout=subprocess.DEVNULL)
    last = [row for row in csv.DictReader(table.open()) if row["name"] == "ear[10]"][-1]
    return math.dist((float(last["x"]), float(last["y"])), (0.3 * math.cos(0.5), 0.3 * math.sin(0.5)))


def draw(points):
    xs = [math.log10(strength) for strength, _ in points]
    ys = [math.log10(error) for _, error in points]
    low, high = math.floor(min(ys)), math.ceil(max(ys))

    def x(value):
        return LEFT + (WIDTH - LEFT - RIGHT) * (value - xs[0]) / (xs[-1] - xs[0])

    def y(value):
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for power in range(low, high + 1):
        out.append(f'<path d="M{LEFT} {y(power):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y(power) + 4:.1f}" text-anchor="end">1e{power}</text>')
    for value in xs:
        out.append(f'<text x="{x(value):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">1e{value:.0f}</text>')
    path = "L".join(f"{x(a):.1f} {y(b):.1f}" for a, b in zip(xs, ys))
    out.append(f'<path d="M{path}" fill="none" stroke="#0072b2" stroke-width="2"/>')
    out += [f'<circle cx="{x(a):.1f}" cy="{y(b):.1f}" r="3" fill="#0072b2"/>' for a, b in zip(xs, ys)]
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">strength [N/m²]</text>')
    out.append(f'<text x="14" y="{(TOP + HEIGHT - BOTTOM) / 2}" text-anchor="middle" '
               f'transform="rotate(-90 14 {(TOP + HEIGHT - BOTTOM) / 2})">error of the tip [m]</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


def main():
    points = []
    with tempfile.TemporaryDirectory() as folder:
        for power in range(0, 10):
            points.append((10.0 ** power, error_at(sys.argv[1], 10.0 ** power, pathlib.Path(folder))))
            print(f"strength 1e{power} N/m²: error {points[-1][1]:.3g} m")
    pathlib.Path(sys.argv[2]).write_text(draw(points))


main()
