"""A small view for notebooks: drag to turn it, use the wheel to zoom, press a button to play it. It needs nothing from the network."""
from __future__ import annotations

import json
import pathlib
from collections.abc import Iterable
from typing import Any

import numpy

from . import _sinew


def _rounded(array: Any) -> list[float]:
    return [round(float(x), 5) for x in numpy.asarray(array).ravel()]


class View:
    """Frames with their shapes; `html` is a page by itself."""

    def __init__(self, scene: _sinew.Scene, frames: Iterable[Any]):
        display = None
        self.frames: list[tuple[list[float], list[float]]] = []
        for frame in frames:
            data = _sinew._FrameData(frame.time, frame.poses, frame.points, frame.nodes, frame.segments)
            display = display or _sinew._Display(scene, data)
            points, poses = display.place(data)
            self.frames.append((_rounded(points), _rounded(poses)))
        self.elements = display.elements() if display else []
        self.meshes = [{"vertices": _rounded(mesh["vertices"]), "triangles": mesh["triangles"]} for mesh in display.meshes()] if display else []

    @property
    def html(self) -> str:
        data = json.dumps({"frames": self.frames, "elements": self.elements, "meshes": self.meshes}, separators=(",", ":"))
        script = (pathlib.Path(__file__).parent / "view.js").read_text(encoding="utf-8")
        return (f'<div><canvas width="720" height="450" style="max-width:100%;touch-action:none"></canvas><br><button>play</button>'
                f'<input type="range" min="0" max="{max(0, len(self.frames) - 1)}" value="0" style="width:70%">'
                f'<script type="application/json">{data}</script><script>(() => {{{script}}})();</script></div>')

    def _repr_html_(self) -> str:
        return self.html
