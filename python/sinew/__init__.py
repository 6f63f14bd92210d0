"""Sinew: a dynamics engine for animation. Scripts in, motion out.

    import sinew
    world = sinew.World(sinew.load("pendulum.charli"))
    ys = [frame.origin("bob")[1] for frame in world.frames(seconds=2)]
"""
from __future__ import annotations

import base64
import json
from typing import Iterator

import numpy

from . import _sinew
from ._sweep import sweep
from ._view import View
from ._sinew import Problem, Scene, SceneError, StepReport, __version__, load, parse

__all__ = ["Film", "Frame", "View", "Problem", "Recording", "Scene", "SceneError", "SimulationError", "StepReport", "World", "load", "parse", "sweep",
           "__version__"]


class SimulationError(RuntimeError):
    """Time stopped; `problem` says why, and the world stands at its last good instant."""

    def __init__(self, problem: Problem):
        super().__init__(f"{problem.what} ({problem.hint})" if problem.hint else problem.what)
        self.problem = problem


class _Named:
    """Poses and nodes by the names of the script."""

    scene: Scene

    def _index(self) -> tuple[dict[str, int], dict[str, slice], dict[str, slice]]:
        found = self.__dict__.get("_known")
        if found is None:
            scene, strands, rods, first = self.scene, {}, {}, 0
            for slices, names, counts in ((strands, scene.strand_names, scene.strand_counts), (rods, scene.rod_names, scene.rod_counts)):
                for name, count in zip(names, counts):
                    slices[name] = slice(first, first + count)
                    first += count
            found = self.__dict__["_known"] = ({name: i for i, name in enumerate(scene.names)}, strands, rods)
        return found

    def pose(self, name: str) -> numpy.ndarray:
        """Axes x, y, z and the origin of an object, (4, 3)."""
        objects = self._index()[0]
        if name not in objects:
            raise KeyError(f"there is no object '{name}'")
        return self.poses[objects[name]]

    def origin(self, name: str) -> numpy.ndarray:
        """Where an object is."""
        return self.pose(name)[3]

    def strand(self, name: str) -> numpy.ndarray:
        """The nodes of a strand, from its root to its tip."""
        strands = self._index()[1]
        if name not in strands:
            raise KeyError(f"there is no strand '{name}'")
        return self.nodes[strands[name]]

    def rod(self, name: str) -> numpy.ndarray:
        """The nodes of a rod, from its first point to its last."""
        rods = self._index()[2]
        if name not in rods:
            raise KeyError(f"there is no rod '{name}'")
        return self.nodes[rods[name]]

    def load(self, name: str) -> numpy.ndarray:
        """What a constraint of strands or rods does to its first end, (3, 3): place [m], force [N], torque [N m]."""
        names = self.scene.constraint_names
        if name not in names:
            raise KeyError(f"there is no constraint '{name}'")
        if len(self.loads) == 0:
            raise ValueError("an old recording: it knows nothing of constraints")
        return self.loads[names.index(name)]


class World(_Named, _sinew.World):
    """A scene that moves. Arrays show it as it is now and stay valid; copy what is to be kept."""

    def frames(self, seconds: float | None = None) -> Iterator[World]:
        """Steps frame by frame, the present instant first; to the script's end when nothing is said."""
        scene = self.scene
        last = self.time + seconds if seconds is not None else scene.end
        number, begin = 0, self.time
        while True:
            yield self
            number += 1
            until = begin + number / scene.frame_rate
            if until > last + 1e-9:
                return
            report = self.advance(until)
            if report.fault is not None:
                raise SimulationError(report.fault)

    def _repr_png_(self) -> bytes:
        return self.picture()

    def view(self, seconds: float | None = None) -> View:
        """Steps on as `frames` does and shows what moved: to turn about and to play, for notebooks."""
        return View(self.scene, self.frames(seconds))


class Frame(_Named):
    """What can be seen at one instant of a recording. Its arrays keep it alive."""

    def __init__(self, frame: _sinew.Frame, scene: Scene):
        self.scene = scene
        self.time = frame.time
        self.poses, self.points, self.nodes, self.segments = frame.poses, frame.points, frame.nodes, frame.segments
        self.loads = frame.loads


class Recording(_sinew.Recording):
    """Frames of a run: `recording[7].nodes`, `len(recording)`, `recording.export("shot.usdc")`."""

    def __getitem__(self, index: int) -> Frame:
        return Frame(super().__getitem__(index), self.scene)

    def __iter__(self) -> Iterator[Frame]:
        return (self[i] for i in range(len(self)))

    def _repr_png_(self) -> bytes:
        return self.picture(len(self) // 3)

    def view(self, count: int = 48) -> View:
        """Some frames to turn about and to play, for notebooks: curves and the places of objects."""
        if len(self) == 0:
            raise ValueError("the recording has no frames")
        step = max(1, (len(self) - 1) // max(1, count - 1))
        return View(self.scene, [self[i] for i in range(0, len(self), step)])

    def film(self, count: int = 24, width: int = 480, height: int = 270, samples: int = 16) -> "Film":
        """Some frames as pictures to leaf through, for notebooks."""
        if len(self) == 0:
            raise ValueError("the recording has no frames")
        step = max(1, (len(self) - 1) // max(1, count - 1))
        return Film([self.picture(i, width, height, samples) for i in range(0, len(self), step)])


class Film:
    """Pictures with a slider and a button that plays them, in a notebook or as a page: `film.html`."""

    def __init__(self, pictures: list[bytes]):
        self.pictures = pictures

    @property
    def html(self) -> str:
        frames = json.dumps(["data:image/png;base64," + base64.b64encode(p).decode() for p in self.pictures])
        return f"""<div><img style="max-width:100%"><br><button>play</button>
<input type="range" min="0" max="{len(self.pictures) - 1}" value="0" style="width:70%">
<script>(() => {{
const root = document.currentScript.parentElement, frames = {frames}, [image, button, slider] =
    ["img", "button", "input"].map((each) => root.querySelector(each));
const show = () => {{ image.src = frames[slider.value]; }};
let timer = null;
slider.oninput = show;
button.onclick = () => {{
    if (timer) {{ clearInterval(timer); timer = null; }}
    else timer = setInterval(() => {{ slider.value = (Number(slider.value) + 1) % frames.length; show(); }}, 1000 / 24);
    button.textContent = timer ? "stop" : "play";
}};
show();
}})();</script></div>"""

    def _repr_html_(self) -> str:
        return self.html
