"""A small view for notebooks: dragging turns it, the wheel brings it nearer, a button plays it. It needs nothing from the network."""
from __future__ import annotations

import json
from typing import Iterable

import numpy

_SCRIPT = """
const root = document.currentScript.parentElement, {frames, curves, dots} = JSON.parse(root.querySelector("[type='application/json']").text);
const [canvas, button, slider] = ["canvas", "button", "input"].map((each) => root.querySelector(each)), pen = canvas.getContext("2d");
let turn = 0.6, tilt = 0.35, zoom = 1, timer = null, held = null;
const low = [1e9, 1e9, 1e9], high = [-1e9, -1e9, -1e9];
for (const f of frames) for (let i = 0; i < f.length; ++i) { low[i % 3] = Math.min(low[i % 3], f[i]); high[i % 3] = Math.max(high[i % 3], f[i]); }
const middle = low.map((l, i) => (l + high[i]) / 2), size = Math.max(1e-9, Math.hypot(...high.map((h, i) => h - low[i])));
const put = (f, i) => {
    const [x, y, z] = [0, 1, 2].map((k) => (f[3 * i + k] - middle[k]) / size);
    const c = Math.cos(turn), s = Math.sin(turn), u = c * x + s * z, v = -s * x + c * z;
    const w = Math.cos(tilt) * y - Math.sin(tilt) * v, deep = Math.sin(tilt) * y + Math.cos(tilt) * v;
    const scale = zoom * canvas.height * 1.1 / (1.4 - deep * 0.6);
    return [canvas.width / 2 + u * scale, canvas.height / 2 - w * scale];
};
const show = () => {
    const f = frames[slider.value];
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.lineWidth = 1.5; pen.strokeStyle = "#b5651d"; pen.fillStyle = "#2b6cb0";
    for (const [first, count] of curves) {
        pen.beginPath();
        for (let i = first; i < first + count; ++i) pen.lineTo(...put(f, i));
        pen.stroke();
    }
    for (let i = dots[0]; i < dots[0] + dots[1]; ++i) { pen.beginPath(); pen.arc(...put(f, i), 3, 0, 7); pen.fill(); }
};
slider.oninput = show;
canvas.onpointerdown = (e) => { held = [e.clientX, e.clientY]; canvas.setPointerCapture(e.pointerId); };
canvas.onpointermove = (e) => {
    if (!held) return;
    turn += (e.clientX - held[0]) / 150; tilt = Math.max(-1.5, Math.min(1.5, tilt + (e.clientY - held[1]) / 150));
    held = [e.clientX, e.clientY]; show();
};
canvas.onpointerup = () => { held = null; };
canvas.onwheel = (e) => { e.preventDefault(); zoom *= Math.exp(-e.deltaY / 500); show(); };
button.onclick = () => {
    if (timer) { clearInterval(timer); timer = null; }
    else timer = setInterval(() => { slider.value = (Number(slider.value) + 1) % frames.length; show(); }, 1000 / 24);
    button.textContent = timer ? "stop" : "play";
};
show();
"""


class View:
    """Frames as curves and dots; `html` is a page by itself."""

    def __init__(self, scene, frames: Iterable):
        counts = [*scene.strand_counts, *scene.rod_counts]
        places = []
        for frame in frames:
            dots = frame.poses[1:, 3]  # the first object is the world
            places.append(numpy.concatenate([frame.nodes, dots]).astype(numpy.float32))
        nodes = sum(counts)
        firsts = numpy.cumsum([0, *counts])
        self.curves = [[int(first), int(count)] for first, count in zip(firsts, counts)]
        self.dots = [int(nodes), len(places[0]) - int(nodes)] if places else [0, 0]
        self.frames = places

    @property
    def html(self) -> str:
        frames = [[round(float(x), 5) for x in frame.ravel()] for frame in self.frames]
        data = json.dumps({"frames": frames, "curves": self.curves, "dots": self.dots}, separators=(",", ":"))
        return (f'<div><canvas width="640" height="400" style="max-width:100%;touch-action:none"></canvas><br><button>play</button>'
                f'<input type="range" min="0" max="{max(0, len(self.frames) - 1)}" value="0" style="width:70%">'
                f'<script type="application/json">{data}</script><script>(() => {{{_SCRIPT}}})();</script></div>')

    def _repr_html_(self) -> str:
        return self.html
