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

import chart

SCRIPT = """def ear strand(line(0,0,0, 0.3,0,0), segments = 10); radius(5 mm); bend_stiffness(0.002); damping(0.05); air_drag(0.5, 0.5);
  pose(line(0,0,0, 0.3 * cos(0.5),0.3 * sin(0.5),0), strength = %g, damping = 1); end;
ear; simulate(0 sec, 4 sec, step = 1 / 96);
"""
def error_at(sinew, strength, folder):
    script, table = folder / "ear.charli", folder / "ear.csv"
    script.write_text(SCRIPT % strength)
    subprocess.run([sinew, "run", script, "--out", folder / "ear.sinew", "--table", table, "--fps", "1"], check=True,
                   stdout=subprocess.DEVNULL)
    last = [row for row in csv.DictReader(table.open()) if row["name"] == "ear[10]"][-1]
    return math.dist((float(last["x"]), float(last["y"])), (0.3 * math.cos(0.5), 0.3 * math.sin(0.5)))


def main():
    points = []
    with tempfile.TemporaryDirectory() as folder:
        for power in range(0, 10):
            points.append((10.0 ** power, error_at(sys.argv[1], 10.0 ** power, pathlib.Path(folder))))
            print(f"strength 1e{power} N/m²: error {points[-1][1]:.3g} m")
    pathlib.Path(sys.argv[2]).write_text(chart.draw(points, "strength [N/m²]", "error of the tip [m]", is_log=True))


main()
