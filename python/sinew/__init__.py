"""Sinew: a dynamics engine for animation. Scripts in, motion out.

    import sinew
    world = sinew.World(sinew.load("pendulum.charli"))
    ys = [frame.origin("bob")[1] for frame in world.frames(seconds=2)]
"""
from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy
from numpy.typing import NDArray

from . import _sinew
from ._sinew import BodyState, Contact, Force, Problem, Scene, SceneError, StepReport, __version__, load, parse
from ._sweep import sweep
from ._view import View

__all__ = ["Batch", "BodyState", "Contact", "Film", "Force", "Frame", "Problem", "Recording", "Scene", "SceneError", "SimulationError",
           "StepReport", "View", "World", "load", "parse", "sweep", "__version__"]

Array = NDArray[numpy.float64]


def _read_again(*source: Any) -> Scene:
    """A scene from what its pickle carries."""
    return _sinew._read_again(*source)


class SimulationError(RuntimeError):
    """Time stopped; `problem` says why, and the world stands at its last good instant."""

    def __init__(self, problem: Problem):
        super().__init__(f"{problem.what} ({problem.hint})" if problem.hint else problem.what)
        self.problem = problem

    def __reduce__(self) -> tuple[Any, ...]:
        return SimulationError, (self.problem,)


class _Named:
    """Poses, nodes and numbers by the names of the script: as tables have them, or in any way a script could write them."""

    def _lists(self) -> dict[str, tuple[list[str], dict[str, Any]]]:
        """Of each kind the names, and where what is called so stands."""
        known: dict[str, tuple[list[str], dict[str, Any]]] | None = self.__dict__.get("_known")
        if known is None:
            scene: Scene = self.scene  # type: ignore[attr-defined]
            first = 0
            known = {"object": (scene.names, {name: i for i, name in enumerate(scene.names)})}
            for what, names, counts in (("strand", scene.strand_names, scene.strand_counts), ("rod", scene.rod_names, scene.rod_counts)):
                slices: dict[str, Any] = {}
                for name, count in zip(names, counts):
                    slices[name] = slice(first, first + count)
                    first += count
                known[what] = (names, slices)
            known["constraint"] = (scene.constraint_names, {name: i for i, name in enumerate(scene.constraint_names)})
            known["probe"] = (scene.probe_names, dict(zip(scene.probe_names, scene._probe_points)))
            self.__dict__["_known"] = known
        return known

    def _place(self, what: str, name: str) -> Any:
        names, places = self._lists()[what]
        if name not in places:
            places[name] = places[names[_sinew._find_named(names, name, what)]]
        return places[name]

    def pose(self, name: str) -> Array:
        """Axes x, y, z and the origin of an object, (4, 3)."""
        return self.poses[self._place("object", name)]  # type: ignore[attr-defined,no-any-return]

    def origin(self, name: str) -> Array:
        """Where an object is."""
        return self.pose(name)[3]  # type: ignore[no-any-return]

    def strand(self, name: str) -> Array:
        """The nodes of a strand, from its root to its tip."""
        return self.nodes[self._place("strand", name)]  # type: ignore[attr-defined,no-any-return]

    def rod(self, name: str) -> Array:
        """The nodes of a rod, from its first point to its last."""
        return self.nodes[self._place("rod", name)]  # type: ignore[attr-defined,no-any-return]

    def probe(self, name: str) -> Array:
        """The three numbers of a `probe` of the script; zeros where it has fewer."""
        return self.points[self._place("probe", name)]  # type: ignore[attr-defined,no-any-return]

    def section(self, name: str) -> Array:
        """What a rod carries at each node, (n, 3): tension [N], bending and twist moment [N m]."""
        nodes = self._place("rod", name)
        sections: Array = self.sections  # type: ignore[attr-defined]
        if len(sections) == 0:
            raise ValueError("the recording is of an old version, which kept no tension of rods")
        first = min(place.start for place in self._lists()["rod"][1].values())
        return sections[nodes.start - first : nodes.stop - first]

    def load(self, name: str) -> Array:
        """What a constraint of strands or rods does to its first end, (3, 3): place [m], force [N], torque [N m]."""
        number = self._place("constraint", name)
        loads: Array = self.loads  # type: ignore[attr-defined]
        if len(loads) == 0:
            raise ValueError("the recording is of an old version, which kept no loads of constraints")
        return loads[number]  # type: ignore[no-any-return]


class World(_Named, _sinew.World):
    """A scene that moves. Arrays show it as it is now and stay valid; copy what is to be kept."""

    def frames(self, seconds: float | None = None) -> Iterator[World]:
        """Steps frame by frame, the present instant first; by default to the end that the script gives."""
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

    def velocity(self, name: str) -> Array:
        """Velocity of an object's origin [m/s]."""
        return self.velocities[self._place("object", name)]

    def spin(self, name: str) -> Array:
        """Angular velocity of an object [rad/s], world axes."""
        return self.spins[self._place("object", name)]

    def copy(self) -> World:
        """An equal world that moves on its own."""
        return _rebuilt(type(self), *self._reduced())

    def __copy__(self) -> World:
        return self.copy()

    def __deepcopy__(self, _memo: dict[int, Any]) -> World:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (type(self), *self._reduced())

    def _repr_png_(self) -> bytes:
        return self.picture()

    def view(self, seconds: float | None = None) -> View:
        """Steps on as `frames` does and shows what moved: to turn and to play, in notebooks."""
        return View(self.scene, self.frames(seconds))


def _rebuilt(kind: type[World], scene: Scene, imports: Mapping[str, Callable[..., object]], threads: int, settle: bool,
             beginning: tuple[Any, ...] | None, snapshot: bytes, grabs: list[list[float]]) -> World:
    world = kind(scene, imports=imports, threads=threads, settle=settle)
    world._rebuild(beginning, snapshot, grabs)
    return world


class Batch(Sequence[World]):
    """Worlds that advance together on several threads. Arrays are copies, the worlds along the first axis."""

    def __init__(self, worlds: Iterable[World], threads: int | None = None):
        self.worlds = list(worlds)
        self.threads = threads if threads is not None else os.cpu_count() or 1

    @classmethod
    def of(cls, scene: Scene, parameters: Iterable[Mapping[str, float | str]], threads: int | None = None) -> Batch:
        """One world for each set of parameters."""
        return cls((World(scene.with_parameters(values) if values else scene) for values in parameters), threads)

    def __len__(self) -> int:
        return len(self.worlds)

    def __getitem__(self, index: Any) -> Any:
        return self.worlds[index]

    def __repr__(self) -> str:
        return f"<Batch of {len(self)} worlds on {self.threads} threads>"

    def advance(self, until: float) -> list[StepReport]:
        """Every world to the same time."""
        return _sinew.advance_all(self.worlds, [until] * len(self), self.threads)

    def step(self, dt: float | None = None) -> list[StepReport]:
        """Every world by dt seconds, or by one frame."""
        times = [world.time + (1 / world.scene.frame_rate if dt is None else dt) for world in self.worlds]
        return _sinew.advance_all(self.worlds, times, self.threads)

    def restore(self, snapshots: Sequence[bytes]) -> None:
        for world, snapshot in zip(self.worlds, snapshots, strict=True):
            world.restore(snapshot)

    def snapshots(self) -> list[bytes]:
        return [world.snapshot() for world in self.worlds]

    def stack(self, name: str) -> Array:
        """An array of every world, `batch.stack("poses")`: they need the same parts."""
        return numpy.stack([getattr(world, name) for world in self.worlds])

    @property
    def poses(self) -> Array:
        return self.stack("poses")

    @property
    def nodes(self) -> Array:
        return self.stack("nodes")

    @property
    def coordinates(self) -> Array:
        return self.stack("coordinates")

    @property
    def rates(self) -> Array:
        return self.stack("rates")


class Frame(_Named):
    """What can be seen at one instant of a recording. Its arrays keep it alive."""

    def __init__(self, frame: _sinew.Frame, scene: Scene):
        self.scene = scene
        self.time: float = frame.time
        self.poses: Array = frame.poses
        self.points: Array = frame.points
        self.nodes: Array = frame.nodes
        self.segments: Array = frame.segments
        self.loads: Array = frame.loads

    def __repr__(self) -> str:
        return f"<Frame of {self.scene.name} at {self.time:.6g} s>"


class Recording(_sinew.Recording):
    """Frames of a run: `recording[7].nodes`, `len(recording)`, `recording.export("shot.usdc")`."""

    def __getitem__(self, index: int) -> Frame:
        return Frame(self._frame(index), self.scene)

    def __iter__(self) -> Iterator[Frame]:
        return (self[i] for i in range(len(self)))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.path,)

    def __repr__(self) -> str:
        return f"<Recording {self.path}: {len(self)} frames, {self.frame_rate:g} a second{'' if self.is_complete else ', incomplete'}>"

    def _repr_png_(self) -> bytes:
        return self.picture(len(self) // 3)

    def table(self, names: Iterable[str] | None = None) -> dict[str, Array]:
        """Columns for pandas or a plot: "time", and "bob.x", "bob.y", "bob.z" for every object, or for those named."""
        wanted = list(names) if names is not None else self.scene.names[1:]
        rows = [_sinew._find_named(self.scene.names, name, "object") for name in wanted]
        frames = [(frame.time, frame.poses[rows, 3]) for frame in self]
        columns = {"time": numpy.array([time for time, _ in frames])}
        for k, name in enumerate(wanted):
            for axis, letter in enumerate("xyz"):
                columns[f"{name}.{letter}"] = numpy.array([origins[k, axis] for _, origins in frames])
        return columns

    def _some(self, count: int) -> range:
        if len(self) == 0:
            raise ValueError("the recording has no frames")
        return range(0, len(self), max(1, (len(self) - 1) // max(1, count - 1)))

    def view(self, count: int = 48) -> View:
        """Some frames to turn and to play, in notebooks."""
        return View(self.scene, [self[i] for i in self._some(count)])

    def film(self, count: int = 24, width: int = 480, height: int = 270, samples: int = 16) -> Film:
        """Some frames as pictures to leaf through, in notebooks."""
        return Film([self.picture(i, width, height, samples) for i in self._some(count)])


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
