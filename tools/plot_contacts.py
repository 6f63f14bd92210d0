#!/usr/bin/env python3
"""Draws the time of a step against the contacts of its strands: plot_contacts.py BENCH_STRANDS OUT.svg

Prints what the benchmark says. 190 hairs of 25 segments on a head, of which more and more touch it and the shoulders.
"""
import pathlib
import re
import subprocess
import sys

import chart


def main():
    text = subprocess.run([sys.argv[1], "--contacts"], check=True, capture_output=True, text=True).stdout
    print(text, end="")
    points = [(int(contacts), int(time)) for contacts, time in re.findall(r"(\d+) contacts, (\d+) us a step", text)]
    pathlib.Path(sys.argv[2]).write_text(chart.draw(points, "contacts", "a step [µs]"))


main()
