"""Readers of exported files with Python's standard library alone, written from the formats' own texts."""
import json
import math
import os
import struct
import subprocess

SWING = """\
dynamic theta;
theta = initial(-30 deg, 0);
def bob mass(2); end;
def arm line(0, 0, 0, 1, 0, 0); bob translatex(1); end;
arm rotatez(theta);
def floor obstacle(); plane(0, 1, 0, -3); end;
def crate body(density = 400); box(1, 0.5, 2); end;
def ball body(density = 400); sphere(0.4); end;
floor;
crate translate(3, 0, 0) rotatez(20 deg);
ball translate(5, -1, 0);
ball translate(7, -1, 0);
def hair
  strand(spline(0, 0, 0, 0.3, 0, 0, 0.6, 0.1, 0, 1, 0.1, 0.2), segments = 8);
  radius({0.02 at 0 along linear 0.005 at 1 along}); young(1e6);
end;
hair translatey(2);
hair translate(0, 3, 1);
def rope rod(line(0, 0, 0, 1, 0, 0), spans = 8, radius = 0.01); end;
rope translatey(4);
simulate(0 sec, 0.5 sec);
"""


def read_table(path):
    """{time: {name: (x, y, z, qx, qy, qz, qw)}}, the times in their order; loads, which only constraints have, are left out."""
    frames = {}
    for line in path.read_text().splitlines()[1:]:
        time, name, *numbers = line.split(",")
        frames.setdefault(float(time), {})[name] = tuple(map(float, numbers[:7]))
    return frames


class Glb:
    def __init__(self, path):
        data = path.read_bytes()
        magic, version, size, text_size, kind = struct.unpack_from("<5I", data)
        assert (magic, version, size, kind) == (0x46546C67, 2, len(data), 0x4E4F534A), "the head"
        self.document = json.loads(data[20:20 + text_size])
        size, kind = struct.unpack_from("<2I", data, 20 + text_size)
        assert kind == 0x004E4942
        self.bytes = data[28 + text_size:28 + text_size + size]

    def accessor(self, number):
        what = self.document["accessors"][number]
        view = self.document["bufferViews"][what["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[what["type"]]
        letter = {5121: "B", 5123: "H", 5125: "I", 5126: "f"}[what["componentType"]]
        flat = struct.unpack_from(f"<{what['count'] * width}{letter}", self.bytes, view["byteOffset"])
        return [flat[i:i + width] for i in range(0, len(flat), width)]

    def node(self, name):
        return next(i for i, node in enumerate(self.document["nodes"]) if node["name"] == name)

    def track(self, node, path):
        """One value for each frame; a constant one where nothing moves."""
        for animation in self.document.get("animations", []):
            for channel in animation["channels"]:
                if channel["target"] == {"node": node, "path": path}:
                    return self.accessor(animation["samplers"][channel["sampler"]]["output"])
        return None

    def values(self, name, path, frames):
        node = self.node(name)
        return self.track(node, path) or [tuple(self.document["nodes"][node][path])] * frames


def read_pc2(path):
    data = path.read_bytes()
    assert data[:12] == b"POINTCACHE2\0"
    version, points, start, rate, samples = struct.unpack_from("<iiffi", data, 12)
    flat = struct.unpack_from(f"<{3 * points * samples}f", data, 32)
    assert version == 1 and len(data) == 32 + 12 * points * samples
    triples = [flat[i:i + 3] for i in range(0, len(flat), 3)]
    return start, rate, [triples[i * points:(i + 1) * points] for i in range(samples)]


def read_hair(path):
    data = path.read_bytes()
    magic, strands, points, arrays = struct.unpack_from("<4s3I", data)
    assert magic == b"HAIR" and arrays == 7
    segments = struct.unpack_from(f"<{strands}H", data, 128)
    flat = struct.unpack_from(f"<{3 * points}f", data, 128 + 2 * strands)
    thickness = struct.unpack_from(f"<{points}f", data, 128 + 2 * strands + 12 * points)
    assert len(data) == 128 + 2 * strands + 16 * points
    places, curves = [flat[i:i + 3] for i in range(0, len(flat), 3)], []
    for count in segments:
        curves.append(places[:count + 1])
        places = places[count + 1:]
    return curves, thickness


def read_obj(path):
    """Corners, {object: faces}, {object: line}."""
    corners, faces, lines, name = [], {}, {}, None
    for line in path.read_text().splitlines():
        word, *rest = line.split() or [""]
        if word == "v":
            corners.append(tuple(map(float, rest)))
        elif word in ("o", "g"):
            name = rest[0]
        elif word == "f":
            faces.setdefault(name, []).append([int(corner) - 1 for corner in rest])
        elif word == "l":
            lines[name] = [int(corner) - 1 for corner in rest]
    return corners, faces, lines


def read_bvh(path):
    """Places of all joints in each frame, by forward kinematics: [{name: (x, y, z)}], and the frame time."""
    words = path.read_text().split()
    at = words.index("MOTION")
    joints, stack, i = [], [], 1
    while i < at:
        word = words[i]
        if word in ("ROOT", "JOINT"):
            joints.append({"name": words[i + 1], "parent": stack[-1] if stack else None, "channels": []})
            stack.append(len(joints) - 1)
            i += 3
        elif word == "End":
            stack.append(None)
            i += 3
        elif word == "OFFSET":
            if stack[-1] is not None:
                joints[stack[-1]]["offset"] = list(map(float, words[i + 1:i + 4]))
            i += 4
        elif word == "CHANNELS":
            count = int(words[i + 1])
            joints[stack[-1]]["channels"] = words[i + 2:i + 2 + count]
            i += 2 + count
        else:
            assert word == "}", word
            stack.pop()
            i += 1
    frames, frame_time = int(words[at + 2]), float(words[at + 5])
    numbers = list(map(float, words[at + 6:]))
    places = [place_joints(joints, iter(numbers[k * len(numbers) // frames:(k + 1) * len(numbers) // frames])) for k in range(frames)]
    return places, frame_time


def place_joints(joints, numbers):
    poses, out = [], {}
    for joint in joints:
        place, turn = list(joint["offset"]), identity()
        for channel in joint["channels"]:
            value, axis = next(numbers), "XYZ".index(channel[0])
            if channel.endswith("position"):
                place[axis] = value
            else:
                turn = product(turn, rotation(axis, math.radians(value)))
        if joint["parent"] is not None:
            outer, origin = poses[joint["parent"]]
            place = [origin[r] + sum(outer[r][c] * place[c] for c in range(3)) for r in range(3)]
            turn = product(outer, turn)
        poses.append((turn, place))
        out[joint["name"]] = place
    return out


def identity():
    return [[float(r == c) for c in range(3)] for r in range(3)]


def product(a, b):
    return [[sum(a[r][k] * b[k][c] for k in range(3)) for c in range(3)] for r in range(3)]


def rotation(axis, angle):
    out, a, b = identity(), (axis + 1) % 3, (axis + 2) % 3
    out[a][a] = out[b][b] = math.cos(angle)
    out[a][b], out[b][a] = -math.sin(angle), math.sin(angle)
    return out


def distance(a, b):
    return max(abs(x - y) for x, y in zip(a, b))


def ask_blender(script, *words):
    """Runs a script in Blender without a window; what it prints behind the word JSON."""
    # Blender looks for its Python's packages beside the python3 of the path, which must be Debian's.
    place = {**os.environ, "PATH": "/usr/bin:/bin"}
    done = subprocess.run(["blender", "--background", "--factory-startup", "--python", script, "--", *words], capture_output=True,
                          text=True, timeout=300, check=False, env=place)
    lines = [line for line in done.stdout.splitlines() if line.startswith("JSON")]
    assert lines, done.stdout[-3000:] + done.stderr[-3000:]
    return json.loads(lines[0][4:])
