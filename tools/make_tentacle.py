#!/usr/bin/env python3
"""Makes examples/meshes/tentacle.glb: a skin over six nodes that bend in turn, and a camera that comes nearer."""
import json
import math
import pathlib
import struct

LENGTH, RADIUS, RINGS, SIDES, JOINTS, SECONDS = 2.4, 0.28, 25, 14, 6, 4.0
OUT = pathlib.Path(__file__).resolve().parents[1] / "examples/meshes/tentacle.glb"

accessors, views, data = [], [], bytearray()


def add(kind, component, rows, code, **more):
    flat = [x for row in rows for x in (row if isinstance(row, (list, tuple)) else (row,))]
    views.append({"buffer": 0, "byteOffset": len(data), "byteLength": struct.calcsize(f"<{len(flat)}{code}")})
    data.extend(struct.pack(f"<{len(flat)}{code}", *flat))
    data.extend(b"\0" * (-len(data) % 4))
    accessors.append({"bufferView": len(views) - 1, "componentType": component, "count": len(rows), "type": kind, **more})
    return len(accessors) - 1


def floats(kind, rows, **more):
    return add(kind, 5126, [[float(x) for x in row] if isinstance(row, (list, tuple)) else float(row) for row in rows], "f", **more)


def turn_z(angle):
    return (0, 0, math.sin(angle / 2), math.cos(angle / 2))


def main():
    places, joints, weights, triangles = [], [], [], []
    piece = LENGTH / JOINTS
    for i in range(RINGS):
        y = LENGTH * i / (RINGS - 1)
        radius = RADIUS * (1 - 0.8 * (y / LENGTH) ** 1.5)
        lower = min(JOINTS - 1, int(y / piece))
        share = max(0.0, min(1.0, (y / piece - lower - 0.5) + 0.5)) if lower + 1 < JOINTS else 0.0
        for k in range(SIDES):
            angle = 2 * math.pi * k / SIDES
            places.append((radius * math.cos(angle), y, radius * math.sin(angle)))
            joints.append((lower, min(JOINTS - 1, lower + 1), 0, 0))
            weights.append((1 - share, share, 0, 0))
    places += [(0, 0, 0), (0, LENGTH, 0)]
    joints += [(0, 0, 0, 0), (JOINTS - 1, 0, 0, 0)]
    weights += [(1, 0, 0, 0)] * 2
    for i in range(RINGS - 1):
        for k in range(SIDES):
            a, b = i * SIDES + k, i * SIDES + (k + 1) % SIDES
            triangles += [a, a + SIDES, b, b, a + SIDES, b + SIDES]
    foot, tip = len(places) - 2, len(places) - 1
    for k in range(SIDES):
        triangles += [foot, k, (k + 1) % SIDES]
        triangles += [tip, (RINGS - 1) * SIDES + (k + 1) % SIDES, (RINGS - 1) * SIDES + k]
    low, high = ([f(p[i] for p in places) for i in range(3)] for f in (min, max))
    position = floats("VEC3", places, min=low, max=high)
    joint = add("VEC4", 5121, joints, "B")
    weight = floats("VEC4", weights)
    index = add("SCALAR", 5123, triangles, "H")
    bind = floats("MAT4", [(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -piece * j, 0, 1) for j in range(JOINTS)])
    keys = [SECONDS * i / 16 for i in range(17)]
    times = floats("SCALAR", keys, min=[0.0], max=[SECONDS])
    samplers, channels = [], []
    for j in range(JOINTS):
        wave = [0.42 * min(1.0, t / 0.5) * math.sin(2 * math.pi * t / 2 - 0.7 * j) for t in keys]
        samplers.append({"input": times, "output": floats("VEC4", [turn_z(a) for a in wave])})
        channels.append({"sampler": j, "target": {"node": 2 + j, "path": "rotation"}})
    ways = floats("VEC3", [(0.6 * math.sin(t / SECONDS * math.pi), 1.5, 6.2 - 0.25 * t) for t in keys])
    samplers.append({"input": times, "output": ways})
    channels.append({"sampler": JOINTS, "target": {"node": 2 + JOINTS, "path": "translation"}})
    nodes = [{"name": "tentacle", "mesh": 0, "skin": 0}, {"name": "rig", "children": [2]}]
    nodes += [{"name": f"bone{j}", "translation": [0, piece if j else 0, 0], **({"children": [3 + j]} if j + 1 < JOINTS else {})}
              for j in range(JOINTS)]
    nodes.append({"name": "camera", "camera": 0, "translation": [0, 1.5, 6.2]})
    text = json.dumps({
        "asset": {"version": "2.0", "generator": "tools/make_tentacle.py"}, "scene": 0, "scenes": [{"nodes": [0, 1, 2 + JOINTS]}],
        "nodes": nodes, "cameras": [{"type": "perspective", "perspective": {"yfov": 0.7, "znear": 0.1}}],
        "meshes": [{"name": "tentacle", "primitives": [{"attributes": {"POSITION": position, "JOINTS_0": joint, "WEIGHTS_0": weight},
                                                        "indices": index}]}],
        "skins": [{"joints": list(range(2, 2 + JOINTS)), "inverseBindMatrices": bind, "skeleton": 1}],
        "animations": [{"name": "wave", "samplers": samplers, "channels": channels}],
        "accessors": accessors, "bufferViews": views, "buffers": [{"byteLength": len(data)}]}, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    OUT.write_bytes(struct.pack("<III", 0x46546C67, 2, 28 + len(text) + len(data)) + struct.pack("<II", len(text), 0x4E4F534A) + text +
                    struct.pack("<II", len(data), 0x004E4942) + bytes(data))
    print(f"{OUT}: {len(places)} corners, {len(triangles) // 3} triangles, {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
