#!/usr/bin/env python3
"""The Blender add-on in real Blender without a window: a strand and a pile are baked, and stand where the recording says.
addon_test.py SINEW; left out where there is no Blender."""
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/exchange"))
from formats import ask_blender, distance, read_table  # noqa: E402

SINEW = ""


@unittest.skipUnless(shutil.which("blender"), "no Blender here")
class AddonTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.answer = ask_blender(ROOT / "tests/blender/drive_addon.py", ROOT / "blender", SINEW, cls.folder.name)
        table = pathlib.Path(cls.folder.name) / "selection.csv"
        subprocess.run([SINEW, "export", pathlib.Path(cls.folder.name) / "selection.sinew", table], check=True, capture_output=True)
        cls.table = list(read_table(table).values())

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_result_plays_on_the_timeline(self):
        self.assertEqual((self.answer["result"], self.answer["end"]), (["FINISHED"], 12))
        self.assertIn("13 frames", self.answer["status"])

    def test_things_are_where_the_recording_says(self):
        for frame in (0, 6, 12):
            shown = self.answer["shown"][str(frame)]
            shown.update({f"fur[{k}]": place for k, place in enumerate(shown["lock.sinew"])})
            for name in ["box_0", "box_1", "box_2", *(f"fur[{k}]" for k in range(9))]:
                x, y, z = self.table[frame][name][:3]
                self.assertLess(distance(shown[name], (x, -z, y)), 1e-4, (frame, name))
        tip = [self.answer["shown"][str(frame)]["lock.sinew"][8] for frame in (0, 12)]
        self.assertLess(distance(tip[0], (0.8, 1, 2)), 1e-4)
        self.assertGreater(distance(*tip), 0.01)

    def test_animated_meshes_carry_what_lies_on_them(self):
        """Keys, a bone and a shape key lift a plate by half a metre each; the crate on it goes along."""
        self.assertEqual(self.answer["animated"], ["FINISHED"])
        first, last = (self.answer["carried"][frame] for frame in ("0", "24"))
        for number in range(3):
            self.assertAlmostEqual(last[f"load_{number}"][2] - first[f"load_{number}"][2], 0.5, delta=0.02, msg=number)

    def test_curves_move_with_what_they_stand_on(self):
        """A mesh that a bone lifts by half a metre, and an empty that turns by 1.5 rad about its z."""
        first, last = (self.answer["carried"][frame] for frame in ("0", "24"))
        for frame, height in ((first, 0), (last, 0.5)):
            self.assertLess(distance(frame["on rig.sinew"][0], (5, -0.3, height)), 1e-4)
        self.assertLess(distance(first["on handle.sinew"][0], (0, -0.3, 3)), 1e-4)
        self.assertLess(distance(last["on handle.sinew"][0], (0.3 * math.sin(1.5), -0.3 * math.cos(1.5), 3)), 1e-3)
        self.assertGreater(distance(last["on rig.sinew"][3], (5, -0.9, 0.5)), 0.005)  # and they hang
        self.assertNotIn("sinew carrier", self.answer["objects"])

    def test_handles_of_bezier_curves_count(self):
        self.assertEqual(self.answer["bow_rows"], 13)
        self.assertGreater(max(z for _, _, z in self.answer["carried"]["0"]["bow.sinew"]), 2.3)

    def test_clearing_leaves_nothing(self):
        self.assertFalse(self.answer["left"])

    def test_faults_are_told(self):
        nothing, broken = self.answer["said"]
        self.assertIn("select curves or meshes", nothing)
        self.assertIn("mass", broken)


class ManifestTest(unittest.TestCase):
    def test_the_manifest_of_the_extension_has_the_version_of_the_program(self):
        manifest = tomllib.loads((ROOT / "blender/sinew_blender/blender_manifest.toml").read_text())
        version = re.search(r"project\(sinew VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
        self.assertEqual((manifest["id"], manifest["type"], manifest["version"]), ("sinew", "add-on", version))
        self.assertLessEqual(len(manifest["tagline"]), 64)
        self.assertFalse(manifest["tagline"].endswith("."))  # Blender refuses both
        self.assertIn(f'"version": ({version.replace(".", ", ")})', (ROOT / "blender/sinew_blender/__init__.py").read_text())


if __name__ == "__main__":
    SINEW = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(argv=[sys.argv[0]])
