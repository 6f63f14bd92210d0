#!/usr/bin/env python3
"""`sinew export` from outside: every format read back and compared with the table of the run. export_test.py SINEW

Status 0: fine; 1: the input has problems, or the file cannot be written; 2: the command line is wrong.
"""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

from formats import SWING, Glb, distance, read_bvh, read_hair, read_obj, read_pc2, read_table

ROOT = pathlib.Path(__file__).resolve().parents[2]
SINEW = ""
FLOAT = 2e-6  # of places of some metres


class ExportTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.place = pathlib.Path(cls.folder.name)
        (cls.place / "swing.charli").write_text(SWING)
        cls.run_sinew("run", "swing.charli", "--table", "run.csv")
        cls.table = list(read_table(cls.place / "run.csv").values())

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def run_sinew(cls, *words, status=0, **more):
        done = subprocess.run([SINEW, *words], cwd=cls.place, capture_output=True, text=True, timeout=120, check=False, **more)
        assert done.returncode == status, (words, done.returncode, done.stderr)
        return done

    def export(self, name, *words):
        self.run_sinew("export", "swing.sinew", name, *words)
        return self.place / name

    def test_the_table_is_that_of_the_run(self):
        self.assertEqual(self.export("again.csv").read_bytes(), (self.place / "run.csv").read_bytes())

    def test_glb_moves_bodies_as_the_run_did(self):
        glb = Glb(self.export("a.glb"))
        count = len(self.table)
        for name in ("crate", "ball", "ball#2"):
            places, turns = glb.values(name, "translation", count), glb.values(name, "rotation", count)
            self.assertEqual(len(places), count)
            for frame, place, turn in zip(self.table, places, turns):
                self.assertLess(distance(place, frame[name][:3]), FLOAT)
                sign = 1 if turn[3] * frame[name][6] + turn[2] * frame[name][5] >= 0 else -1
                self.assertLess(distance([sign * q for q in turn], frame[name][3:]), FLOAT)

    def test_glb_has_a_joint_for_every_node_of_a_strand(self):
        glb = Glb(self.export("b.glb"))
        for k in range(9):
            places = glb.values(f"hair#2[{k}]", "translation", len(self.table))
            for frame, place in zip(self.table, places):
                self.assertLess(distance(place, frame[f"hair#2[{k}]"][:3]), FLOAT)

    def test_glb_tubes_are_as_thick_as_the_strand(self):
        glb = Glb(self.export("c.glb"))
        mesh = next(mesh for mesh in glb.document["meshes"] if mesh["name"] == "hair")
        corners = glb.accessor(mesh["primitives"][0]["attributes"]["POSITION"])
        first = self.table[0]
        for k, radius in ((0, 0.02), (8, 0.005)):
            for corner in corners[8 * k:8 * k + 8]:
                away = sum((a - b) ** 2 for a, b in zip(corner, first[f"hair[{k}]"])) ** 0.5
                self.assertAlmostEqual(away, radius, delta=FLOAT)

    def test_obj_sequence(self):
        self.export("a.obj")
        for number, frame in enumerate(self.table):
            corners, faces, lines = read_obj(self.place / f"a_{number:04}.obj")
            for k, corner in enumerate(lines["hair"]):
                self.assertLess(distance(corners[corner], frame[f"hair[{k}]"][:3]), FLOAT)
            used = sorted({corner for face in faces["crate"] for corner in face})
            middle = [sum(corners[i][k] for i in used) / len(used) for k in range(3)]
            self.assertLess(distance(middle, frame["crate"][:3]), FLOAT)

    def test_one_frame_is_one_file(self):
        path = self.export("one.obj", "--frame", "3")
        corners, _, lines = read_obj(path)
        self.assertLess(distance(corners[lines["hair#2"][8]], self.table[3]["hair#2[8]"][:3]), FLOAT)

    def test_point_cache_has_the_corners_of_its_obj(self):
        start, rate, frames = read_pc2(self.export("cache.pc2", "--frames", "2..9"))
        self.assertEqual((start, rate, len(frames)), (2, 1, 8))
        corners, _, lines = read_obj(self.place / "cache.obj")
        self.assertNotIn("\no ", (self.place / "cache.obj").read_text())  # one mesh: Blender makes one of each object, and the cache would fit none
        self.assertLess(max(distance(a, b) for a, b in zip(corners, frames[0])), FLOAT)
        for frame, expected in zip(frames, self.table[2:10]):
            self.assertLess(distance(frame[lines["hair"][8]], expected["hair[8]"][:3]), FLOAT)

    def test_hair(self):
        curves, thickness = read_hair(self.export("a.hair", "--frame", "5"))
        self.assertEqual([len(curve) for curve in curves], [9, 9, 9])
        self.assertLess(distance(curves[1][4], self.table[5]["hair#2[4]"][:3]), FLOAT)
        self.assertAlmostEqual(thickness[0], 0.04, places=6)
        self.assertAlmostEqual(thickness[8], 0.01, places=6)
        self.assertLess(distance(curves[2][4], self.table[5]["rope[4]"][:3]), FLOAT)
        self.assertAlmostEqual(thickness[20], 0.02, places=6)

    def test_every_second_strand(self):
        curves, _ = read_hair(self.export("b.hair", "--frame", "0", "--every", "2"))
        self.assertEqual(len(curves), 2)

    def test_bvh_by_forward_kinematics(self):
        frames, time = read_bvh(self.export("a.bvh"))
        self.assertAlmostEqual(time, 1 / 24)
        self.assertEqual(len(frames), len(self.table))
        for frame, expected in zip(frames, self.table):
            for name in ("crate", "arm.bob", "arm", "ball#2"):
                self.assertLess(distance(frame[name], expected[name][:3]), 1e-9)

    def test_axes_and_units_of_programs(self):
        corners, _, lines = read_obj(self.export("u.obj", "--frame", "4", "--for", "unreal"))
        x, y, z = self.table[4]["hair[8]"][:3]
        self.assertLess(distance(corners[lines["hair"][8]], (100 * x, -100 * z, 100 * y)), 100 * FLOAT)

    def test_curves_come_back_as_strands(self):
        """Export, import, run: the first frame has the same nodes, but for sampling at equal lengths."""
        for name, words in (("back.hair", ("--frame", "0")), ("back.usda", ("--for", "blender")), ("back.obj", ("--frame", "0")),
                            ("back.csv", ())):
            self.export(name, *words)
            (self.place / "again.charli").write_text(
                f'def fur groom("{name}", segments = 8); young(1e6); end;\nfur;\nsimulate(0 sec, 0.05 sec);\n')
            self.run_sinew("run", "again.charli", "--table", "again.csv")
            first = list(read_table(self.place / "again.csv").values())[0]
            for number in ("", "#2"):  # the first of several has no number
                for k in range(9):
                    found, wanted = first[f"fur{number}[{k}]"][:3], self.table[0][f"hair{number}[{k}]"][:3]
                    self.assertLess(distance(found, wanted), 2e-5, (name, number, k))

    def test_same_bits_every_time(self):
        for name in ("s.glb", "s.usdc", "s.usda"):
            self.assertEqual(self.export(name).read_bytes(), self.export("again" + name).read_bytes())

    def test_faults_have_a_place_and_a_remedy(self):
        (self.place / "bare.charli").write_text("dynamic x;\nx = initial(0, 1);\ndef m mass(1); end;\nm translatex(x);\nsimulate(0 sec, 0.2 sec);\n")
        self.run_sinew("run", "bare.charli")
        for words, said in (
            (("swing.sinew", "out.fbx"), ".glb, .usda"),
            (("swing.charli", "out.glb"), "sinew run"),
            (("missing.sinew", "out.glb"), "missing.sinew"),
            (("swing.sinew", "no/such/folder/out.glb"), "folder that exists"),
            (("swing.sinew", "out.usdc", "--frames", "900..901"), "0 to 12"),
            (("bare.sinew", "out.hair"), "no strand"),
        ):
            done = self.run_sinew("export", *words, status=1)
            self.assertIn(said, done.stderr, words)
        self.run_sinew("export", "swing.sinew", "out.glb", "--for", "lightwave", status=2)
        self.run_sinew("export", "swing.sinew", "out.glb", "--frames", "9..2", status=2)

    def test_a_full_disk_leaves_nothing(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

        before = sorted(os.listdir(self.place))
        for name in ("full.glb", "full.usda", "full.usdc", "full.pc2"):
            done = self.run_sinew("export", "swing.sinew", name, status=1, preexec_fn=limit)
            self.assertIn("make room on the disk", done.stderr)
        self.assertEqual(sorted(os.listdir(self.place)), before)


if __name__ == "__main__":
    SINEW = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(argv=[sys.argv[0]])
