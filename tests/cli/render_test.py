#!/usr/bin/env python3
"""`sinew render` from outside: pictures, sequences, films, options, statuses, messages. render_test.py SINEW

Status 0: fine; 1: the input has problems, or the picture cannot be written; 2: the command line is wrong; 3: the simulation
stopped early. Pictures are read with Python's standard library alone; films with ffprobe, when it is installed.
"""
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
SINEW = ""
LIMIT_S = 120

SWING = """\
param length = 1 [0.1..10] "of the rod";
dynamic theta;
theta = initial(-30 deg, 0);
def bob mass(2); end;
bob translatex(length) rotatez(theta);
line(0, 0, 0, bob_x, bob_y, 0);
simulate(0 sec, 1 sec);
"""
# Two strings of one metre whose ends a track pulls more than two metres apart: the run stops before.
STOPS = """\
dynamic x, y;
x = initial(0.5, 0);
y = initial(-0.866025403784, 0);
var pull;
pull = {1 at 0 sec linear 3 at 2 sec};
def bob mass(1); end;
def left label(); end;
def right label(); end;
left;
right translatex(pull);
bob translatex(x) translatey(y);
dist_constraint(left, bob, 1);
dist_constraint(right, bob, 1);
"""
STACK = """\
def floor obstacle(); plane(0, 1, 0, 0); end;
def crate body(density = 400); box(1, 1, 1); end;
floor;
crate translatey(0.5);
crate translatey(1.5);
simulate(0 sec, 0.5 sec);
"""
SMALL = ("--size", "96x54", "--samples", "4")


def read_png(path):
    """Width, height, channels and the bytes of a PNG of eight bits without interlacing."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    at, packed, header = 8, b"", None
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", body)
        packed += body if kind == b"IDAT" else b""
        at += size + 12
    width, height, channels = header[0], header[1], {2: 3, 6: 4}[header[3]]
    raw, rows, before = zlib.decompress(packed), [], bytes(width * channels)
    for y in range(height):
        line = raw[y * (width * channels + 1):(y + 1) * (width * channels + 1)]
        before = unfilter(line[0], bytearray(line[1:]), before, channels)
        rows.append(before)
    return width, height, channels, b"".join(rows)


def unfilter(kind, line, above, step):
    for i in range(len(line)):
        a = line[i - step] if i >= step else 0
        b, c = above[i], above[i - step] if i >= step else 0
        p = a + b - c
        paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
        line[i] = (line[i] + (0, a, b, (a + b) // 2, paeth)[kind]) & 255
    return bytes(line)


class Render(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "swing.charli").write_text(SWING)

    def sinew(self, *arguments, status=0, **more):
        done = subprocess.run([SINEW, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                              timeout=LIMIT_S, **more)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def record(self):
        self.sinew("run", "swing.charli")
        return "swing.sinew"

    def left(self):
        return sorted(path.name for path in self.folder.iterdir())

    def test_a_recording_and_its_script_give_the_same_picture(self):
        self.sinew("run", "--exact", "swing.charli") # rounded frames may differ in the last bit of a pixel
        said = self.sinew("render", "swing.sinew", "a.png", *SMALL)
        self.sinew("render", "swing.charli", "b.png", *SMALL)

        self.assertIn("a.png: frame 8, 96x54", said)
        width, height, channels, pixels = read_png(self.folder / "a.png")
        self.assertEqual((width, height, channels), (96, 54, 3))
        self.assertGreater(len(set(pixels)), 20)
        self.assertEqual(pixels, read_png(self.folder / "b.png")[3])

    def test_the_frame_asked_for_is_drawn(self):
        self.record()
        for frame in 0, 12:
            self.sinew("render", "swing.sinew", f"{frame}.png", "--frame", frame, *SMALL)

        self.assertNotEqual(read_png(self.folder / "0.png"), read_png(self.folder / "12.png"))

    def test_the_number_of_threads_changes_nothing(self):
        for threads in 1, 2:
            self.sinew("render", "swing.charli", f"{threads}.png", "--threads", threads, *SMALL)

        self.assertEqual((self.folder / "1.png").read_bytes(), (self.folder / "2.png").read_bytes())

    def test_it_takes_the_options_of_other_commands(self):
        self.assertEqual(self.sinew("render", "swing.charli", "-o", "a.png", "-q", *SMALL), "")
        said = json.loads(self.sinew("render", "swing.charli", "--out", "b.png", "--json", "--seconds", "0.3", "--fps", "10", "--frames", "1..", *SMALL))
        self.assertEqual((said["first_frame"], said["frames"], said["width"], said["height"]), (1, 3, 96, 54))
        self.assertTrue((self.folder / "a.png").exists() and (self.folder / "b_0003.png").exists())
        self.assertIn("keeps the length", self.sinew("render", self.record(), "x.png", "--seconds", 2, status=1))

    def test_a_sequence_is_numbered_by_its_frames(self):
        said = self.sinew("render", "swing.charli", "s.png", "--frames", "3..5", *SMALL)

        self.assertIn("s_0003.png to s_0005.png: 3 frames", said)
        self.assertEqual([name for name in self.left() if name.endswith(".png")],
                         ["s_0003.png", "s_0004.png", "s_0005.png"])

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg makes these")
    def test_pictures_of_other_kinds_are_what_their_names_say(self):
        marks = {"p.jpg": b"\xff\xd8\xff", "p.webp": b"RIFF", "p.exr": b"\x76\x2f\x31\x01", "p.gif": b"GIF89a"}
        for name, mark in marks.items():
            self.sinew("render", "swing.charli", name, *SMALL, *(["--frames", "0..3"] if name == "p.gif" else []))
            self.assertEqual((self.folder / name).read_bytes()[:len(mark)], mark, name)
        self.sinew("render", "swing.charli", "clear.webm", "--frames", "0..2", "--transparent", *SMALL)
        self.assertGreater((self.folder / "clear.webm").stat().st_size, 200)
        self.assertIn(".jpg", self.sinew("render", "swing.charli", "p.tiff", status=2))
        self.assertIn("transparent", self.sinew("render", "swing.charli", "p.jpg", "--transparent", status=2))

    def test_skies_floors_and_hairs(self):
        (self.folder / "lock.charli").write_text(
            "def lock strand(line(0,0,0, 0,-1,0), segments = 8); end; lock; simulate(0 sec, 0.1 sec);\n")
        pictures = []
        for words in [], ["--sky", "night"], ["--floor", "wood"], ["--hairs", "40"], ["--aperture", "0.5", "--focus", "1"]:
            self.sinew("render", "lock.charli", "x.png", "--frame", 1, *words, *SMALL)
            pictures.append(read_png(self.folder / "x.png")[3])
        self.assertEqual(len(set(pictures)), 5)
        self.assertIn("choose day", self.sinew("render", "lock.charli", "x.png", "--sky", "green", status=2))
        self.assertIn("choose plain", self.sinew("render", "lock.charli", "x.png", "--floor", "mud", status=2))

    def test_what_moves_is_blurred_and_what_stands_is_not(self):
        self.sinew("render", "swing.charli", "sharp.png", "--frame", 6, *SMALL)
        self.sinew("render", "swing.charli", "blurred.png", "--frame", 6, "--blur", 1, *SMALL)

        sharp, blurred = (read_png(self.folder / name)[3] for name in ("sharp.png", "blurred.png"))
        self.assertNotEqual(sharp, blurred)
        self.assertEqual(sharp[:96 * 3], blurred[:96 * 3])

    def test_a_transparent_picture_has_clear_and_opaque_pixels(self):
        self.sinew("render", "swing.charli", "t.png", "--transparent", *SMALL)

        _, _, channels, pixels = read_png(self.folder / "t.png")
        self.assertEqual(channels, 4)
        self.assertLessEqual({0, 255}, set(pixels[3::4]))

    def test_options_change_the_picture(self):
        self.sinew("render", "swing.charli", "plain.png", "--frame", 4, *SMALL)
        plain = read_png(self.folder / "plain.png")
        for options in (["--labels"], ["--forces"], ["--axes"], ["--trails", "0.5"], ["-D", "length=2"],
                        ["--camera", "0,0,4,0,0,0,40"], ["--frame", "9"]):
            self.sinew("render", "swing.charli", "other.png", *(["--frame", 4] if "--frame" not in options else []),
                       *SMALL, *options)
            self.assertNotEqual(read_png(self.folder / "other.png"), plain, options)

    def test_contacts_and_layers_are_drawn_and_only_over_bodies(self):
        (self.folder / "stack.charli").write_text(STACK)
        self.sinew("run", "stack.charli", "--out", "stack.sinew")
        pictures = []
        for options in ([], ["--contacts"], ["--layers"], ["--contacts", "--layers"]):
            self.sinew("render", "stack.charli", "other.png", "--frame", 6, *SMALL, *options)
            pictures.append(read_png(self.folder / "other.png"))
            self.sinew("render", "stack.sinew", "other.png", "--frame", 6, *SMALL, *options)
            self.assertEqual(read_png(self.folder / "other.png"), pictures[-1], "a recording looks different")
            self.sinew("render", "swing.charli", "other.png", "--frame", 4, *SMALL, *options)
            self.sinew("render", "swing.charli", "plain.png", "--frame", 4, *SMALL)
            self.assertEqual(read_png(self.folder / "other.png"), read_png(self.folder / "plain.png"), options)
        for i, picture in enumerate(pictures):
            self.assertNotIn(picture, pictures[i + 1:])

    def test_the_camera_of_the_script_wins_over_framing_and_the_option_over_both(self):
        (self.folder / "c.charli").write_text(SWING + "camera(0, 0, 9, 0, 0, 0, fov = 40 deg);\n")
        self.sinew("render", "swing.charli", "framed.png", *SMALL)
        self.sinew("render", "c.charli", "script.png", *SMALL)
        self.sinew("render", "swing.charli", "option.png", "--camera", "0,0,9,0,0,0,40", *SMALL)
        self.sinew("render", "c.charli", "auto.png", "--camera", "auto", *SMALL)

        self.assertNotEqual(read_png(self.folder / "framed.png"), read_png(self.folder / "script.png"))
        self.assertEqual(read_png(self.folder / "option.png"), read_png(self.folder / "script.png"))
        self.assertEqual(read_png(self.folder / "auto.png"), read_png(self.folder / "framed.png"))

    def test_a_floor_far_larger_than_what_moves_does_not_decide_the_view(self):
        script = "def slab obstacle(); box({0}, 0.1, {0}); end; def crate body(mass = 1); box(1, 1, 1); end;\n" \
                 "slab; crate translatey(3) velocity(2, 0, 0); simulate(0 sec, 1 sec);\n"
        for side in (10, 40, 400):
            (self.folder / "floor.charli").write_text(script.format(side))
            said = self.sinew("render", "floor.charli", "floor.png", "--frame", "20", *SMALL)
            width, height, channels, pixels = read_png(self.folder / "floor.png")
            red = sum(pixels[i] > 2 * pixels[i + 2] for i in range(0, len(pixels), channels))
            self.assertNotIn("nothing that can be seen", said)
            self.assertGreater(red, 0.005 * width * height, f"a floor of {side} m")

    @unittest.skipUnless(shutil.which("ffprobe"), "ffmpeg is not installed")
    def test_a_film_has_all_frames_at_the_frame_rate(self):
        said = self.sinew("render", self.record(), "f.mp4", "--size", "96x54", "--samples", "1")

        self.assertIn("f.mp4: 25 frames", said)
        probe = subprocess.run(["ffprobe", "-loglevel", "error", "-count_frames", "-show_entries",
                                "stream=width,height,r_frame_rate,nb_read_frames", "-of", "csv=p=0",
                                self.folder / "f.mp4"], capture_output=True, text=True, check=True)
        self.assertEqual(probe.stdout.strip(), "96,54,24/1,25")
        self.assertEqual(self.left(), ["f.mp4", "swing.charli", "swing.sinew"])

    def test_without_ffmpeg_it_says_what_to_install(self):
        said = self.sinew("render", "swing.charli", "f.mp4", *SMALL, status=1, env={**os.environ, "PATH": "/nowhere"})

        self.assertIn("not installed", said)
        self.assertIn("apt install ffmpeg", said)
        self.assertNotIn("f.mp4", self.left())

    def test_an_ffmpeg_that_fails_leaves_no_film(self):
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "ffmpeg").write_text("#!/bin/sh\nexit 1\n")
        (tools / "ffmpeg").chmod(0o755)
        said = self.sinew("render", "swing.charli", "f.mp4", *SMALL, status=1,
                          env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"})

        self.assertIn("ffmpeg", said)
        self.assertEqual(self.left(), ["swing.charli", "tools"])

    def test_wrong_words_on_the_command_line(self):
        for words, expected in [
            (["--size", "0x10"], "WIDTHxHEIGHT"), (["--size", "20000x10"], "16384"), (["--size", "10"], "WIDTHxHEIGHT"),
            (["--frames", "5..3"], "FIRST..LAST"), (["--camera", "1,2,3"], "x,y,z"),
            (["--camera", "1,2,3,1,2,3"], "own place"), (["--camera", "0,0,1,0,0,0,190"], "between 0 and 180"),
            (["--samples", "0"], "samples"), (["--frame", "1", "--frames", "1..2"], "frames"),
        ]:
            self.assertIn(expected, self.sinew("render", "swing.charli", "x.png", *words, status=2), words)
        self.assertIn("end in .png", self.sinew("render", "swing.charli", "x.tiff", status=2))
        self.assertIn("even sizes", self.sinew("render", "swing.charli", "x.mp4", "--size", "95x54", status=2))
        self.assertIn("transparent", self.sinew("render", "swing.charli", "x.mp4", "--transparent", status=2))
        self.assertEqual(self.left(), ["swing.charli"])

    def test_input_with_problems(self):
        (self.folder / "bad.charli").write_text("mass(")
        (self.folder / "no.sinew").write_bytes(b"SQLite format 3\0 and then nothing")
        self.assertIn("frames 0 to 24", self.sinew("render", "swing.charli", "x.png", "--frame", 25, status=1))
        self.assertIn("no frame 30", self.sinew("render", "swing.charli", "x.png", "--frames", "3..30", status=1))
        self.assertIn("cannot be written", self.sinew("render", "swing.charli", "no/x.png", status=1))
        self.sinew("render", "bad.charli", "x.png", status=1)
        self.sinew("render", "missing.charli", "x.png", status=1)
        self.sinew("render", "no.sinew", "x.png", status=1)
        self.assertIn("keeps the parameters",
                      self.sinew("render", self.record(), "x.png", "-D", "length=2", status=1))
        self.assertFalse([name for name in self.left() if name.startswith("x")])

    def test_a_script_that_stops_early_is_drawn_as_far_as_it_goes(self):
        (self.folder / "stops.charli").write_text(STOPS)
        said = self.sinew("render", "stops.charli", "x.png", *SMALL, status=3)

        self.assertIn("x.png: frame", said)
        self.assertEqual(read_png(self.folder / "x.png")[:2], (96, 54))

    def test_nothing_to_see_is_said(self):
        (self.folder / "empty.charli").write_text("var r;\nr = 1;\n")
        self.assertIn("nothing that can be seen", self.sinew("render", "empty.charli", "x.png", *SMALL))


if __name__ == "__main__":
    SINEW = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=1)
