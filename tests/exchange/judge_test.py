#!/usr/bin/env python3
"""Exported files before judges we did not write: OpenUSD, Khronos' validator, three.js and tinyusdz in a browser, Blender.
judge_test.py SINEW, with a Python that has usd-core. Blender's part is left out where there is no Blender."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from pxr import Gf, Usd, UsdGeom, UsdValidation

from formats import SWING, ask_blender, distance, read_table

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples"
SINEW = ""
FLOAT = 2e-6
SHOWN = ("fig03_triple_pendulum", "braid", "wrecking_ball", "fig09_pulled_spring", "engraving", "fern", "gears", "necklace", "tentacle")


def judge(*words):
    done = subprocess.run(["node", HERE / "judge.mjs", *map(str, words)], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def nth(name, number):
    """The first of a name has it alone, others a number."""
    return name if number == 1 else f"{name}#{number}"


class JudgeTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.place = pathlib.Path(cls.folder.name)
        (cls.place / "swing.charli").write_text(SWING)
        cls.run_sinew("run", "swing.charli", "--table", "run.csv")
        cls.table = list(read_table(cls.place / "run.csv").values())
        for name in SHOWN:
            cls.run_sinew("run", EXAMPLES / f"{name}.charli", "--seconds", "0.3", "--out", f"{name}.sinew")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def run_sinew(cls, *words):
        done = subprocess.run([SINEW, *map(str, words)], cwd=cls.place, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, (words, done.stderr)

    def export(self, recording, name, *words):
        self.run_sinew("export", f"{recording}.sinew", name, *words)
        return self.place / name

    def test_khronos_validator_has_nothing_to_say(self):
        for name in (*SHOWN, "swing"):
            said = judge("gltf", self.export(name, f"{name}.glb"))
            self.assertEqual((said["errors"], said["warnings"]), (0, 0), (name, said["messages"]))

    def test_openusd_finds_no_fault(self):
        validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
        self.assertGreater(len(validators), 20)
        for name in (*SHOWN, "swing"):
            for ending, more in (("usda", ()), ("usdc", ("--for", "maya")), ("usdc", ("--clip-frames", "3"))):
                stage = Usd.Stage.Open(str(self.export(name, f"{name}.{ending}", *more)))
                said = UsdValidation.ValidationContext(validators).Validate(stage)
                self.assertEqual([error.GetMessage() for error in said], [], (name, ending, more))

    def test_the_validators_can_find_a_fault(self):
        path = self.export("swing", "bad.usda")
        path.write_text(path.read_text().replace("    metersPerUnit = 1\n", ""))
        validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
        self.assertTrue(UsdValidation.ValidationContext(validators).Validate(Usd.Stage.Open(str(path))))

    def nodes(self, frame, number, count=9):
        return [self.table[frame][f"{nth('hair', number)}[{k}]"][:3] for k in range(count)]

    def test_usd_gives_back_the_points_at_any_time(self):
        for ending, more in (("usda", ()), ("usdc", ()), ("usdc", ("--clip-frames", "4")), ("usda", ("--clip-frames", "4"))):
            stage = Usd.Stage.Open(str(self.export("swing", f"points.{ending}", *more)))
            self.assertEqual((stage.GetStartTimeCode(), stage.GetEndTimeCode()), (0, 12))
            self.assertEqual((stage.GetTimeCodesPerSecond(), stage.GetFramesPerSecond()), (24, 24))
            curves = UsdGeom.BasisCurves(next(p for p in stage.Traverse() if p.GetName() == "hair_curves"))
            crate = UsdGeom.Xformable(stage.GetPrimAtPath("/World/crate"))
            for frame in range(13):
                points = curves.GetPointsAttr().Get(frame)
                self.assertLess(max(map(distance, points, self.nodes(frame, 1))), FLOAT, (ending, more, frame))
                place = crate.ComputeLocalToWorldTransform(frame).ExtractTranslation()
                self.assertLess(distance(place, self.table[frame]["crate"][:3]), 1e-12)
            for frame in (0, 3, 4, 7, 11):
                half = [[(a + b) / 2 for a, b in zip(x, y)] for x, y in zip(self.nodes(frame, 1), self.nodes(frame + 1, 1))]
                self.assertLess(max(map(distance, curves.GetPointsAttr().Get(frame + 0.5), half)), 2 * FLOAT, (ending, more, frame))

    def test_curves_carry_what_renderers_need(self):
        stage = Usd.Stage.Open(str(self.export("swing", "curves.usdc")))
        curves = UsdGeom.BasisCurves(next(p for p in stage.Traverse() if p.GetName() == "hair_2_curves"))
        self.assertEqual((curves.GetTypeAttr().Get(), curves.GetBasisAttr().Get(), curves.GetWrapAttr().Get()), ("cubic", "catmullRom", "pinned"))
        self.assertEqual(list(curves.GetCurveVertexCountsAttr().Get()), [9])
        widths = curves.GetWidthsAttr().Get()
        self.assertAlmostEqual(widths[0], 0.04, places=6)
        self.assertAlmostEqual(widths[8], 0.01, places=6)
        self.assertEqual(list(UsdGeom.PrimvarsAPI(curves).GetPrimvar("id").Get()), [1])
        velocities, normals = curves.GetVelocitiesAttr().Get(5), curves.GetNormalsAttr().Get(5)
        for k in range(9):
            slope = [12 * (b - a) for a, b in zip(self.nodes(4, 2)[k], self.nodes(6, 2)[k])]
            self.assertLess(distance(velocities[k], slope), 1e-4)
            self.assertAlmostEqual(Gf.Vec3d(normals[k]).GetLength(), 1, places=5)
        times = curves.GetPointsAttr().GetTimeSamples()
        self.assertEqual((times[0], times[-1], len(times)), (-1, 13, 15))

    def test_margins_are_frames_of_the_recording_where_it_has_them(self):
        stage = Usd.Stage.Open(str(self.export("swing", "part.usdc", "--frames", "3..6")))
        curves = UsdGeom.BasisCurves(next(p for p in stage.Traverse() if p.GetName() == "hair_curves"))
        self.assertEqual(curves.GetPointsAttr().GetTimeSamples(), [2, 3, 4, 5, 6, 7])
        for frame in (2, 7):
            self.assertLess(max(map(distance, curves.GetPointsAttr().Get(frame), self.nodes(frame, 1))), FLOAT)

    def test_many_bodies_are_instances(self):
        table = self.place / "engraving.csv"
        self.run_sinew("export", "engraving.sinew", table)
        last = list(read_table(table).values())[-1]
        stage = Usd.Stage.Open(str(self.export("engraving", "many.usdc")))
        instances = UsdGeom.PointInstancer(next(p for p in stage.Traverse() if p.GetTypeName() == "PointInstancer"))
        end = stage.GetEndTimeCode()
        places = sorted(tuple(round(x, 4) for x in place) for place in instances.GetPositionsAttr().Get(end))
        self.assertGreater(len(places), 256)
        self.assertEqual(len(set(instances.GetIdsAttr().Get())), len(places))
        matrices = instances.ComputeInstanceTransformsAtTime(end, end)
        self.assertEqual(len(matrices), len(places))
        known = {tuple(round(x, 4) for x in row[:3]) for row in last.values()}
        self.assertGreater(len(known & set(places)), 200)

    def write_curves(self, path, count, moved=False):
        stage = Usd.Stage.CreateNew(str(path))
        UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
        UsdGeom.SetStageMetersPerUnit(stage, 0.01)
        stage.SetStartTimeCode(5)
        group = UsdGeom.Xform.Define(stage, "/groom/hair")
        if moved:
            self.move_prims(UsdGeom.Xformable(stage.GetPrimAtPath("/groom")), group)
        curves = UsdGeom.BasisCurves.Define(stage, "/groom/hair/curves")
        curves.GetCurveVertexCountsAttr().Set([3] * count)
        for time in (1, 5, 9):
            curves.GetPointsAttr().Set([(i, time, 100 * k) for i in range(count) for k in range(3)], time)
        if moved:
            curves.AddOrientOp(UsdGeom.XformOp.PrecisionFloat).Set(Gf.Quatf(0.8, 0, 0.6, 0))
        stage.GetRootLayer().Save()

    @staticmethod
    def move_prims(outer, inner):
        """Operations of all kinds, as Houdini, Maya and Blender write them; one is animated, some fit into a crate's table of values."""
        outer = UsdGeom.Xform.Define(outer.GetPrim().GetStage(), "/groom")
        outer.AddTranslateOp().Set((1, 2, 3))
        outer.AddRotateXYZOp().Set((10.5, 20, 30))
        outer.AddScaleOp().Set((1, 2, 1.5))
        inner.AddTranslateOp(UsdGeom.XformOp.PrecisionDouble, "pivot").Set((1, 0.5, 0))
        turn = inner.AddRotateZOp()
        for time, angle in ((1, 10), (5, 40), (9, 80)):
            turn.Set(angle, time)
        inner.AddTranslateOp(UsdGeom.XformOp.PrecisionDouble, "pivot", isInverseOp=True)
        inner.AddTransformOp().Set(Gf.Matrix4d(2, 0.1, 0, 0, 0, 1, 0, 0, 0, 0.2, 1, 0, 3, 4, 5, 1))

    def test_curves_that_openusd_wrote_become_strands(self):
        """Packed numbers, time samples, centimetres, z up: as Blender, Houdini and Maya write them."""
        (self.place / "groom.charli").write_text('def fur groom("guides.FORM", segments = 2); young(1e6); end;\nfur;\nsimulate(0 sec, 0.05 sec);\n')
        for form in ("usda", "usdc", "usd"):
            for count in (2, 40):
                self.write_curves(self.place / f"guides.{form}", count)
                text = (self.place / "groom.charli").read_text()
                (self.place / "fur.charli").write_text(text.replace("FORM", form))
                self.run_sinew("run", "fur.charli", "--out", "fur.sinew", "--table", "fur.csv")
                first = read_table(self.place / "fur.csv")
                rows = next(iter(first.values()))
                for i in (0, count - 1):
                    for k in range(3):
                        self.assertLess(distance(rows[f"{nth('fur', i + 1)}[{k}]"][:3], (0.01 * i, k, -0.05)), 1e-6, (form, count, i, k))

    def test_curves_are_where_openusd_says_that_transformations_put_them(self):
        for form in ("usda", "usdc"):
            self.write_curves(self.place / f"moved.{form}", 3, moved=True)
            stage = Usd.Stage.Open(str(self.place / f"moved.{form}"))
            curves = UsdGeom.BasisCurves(stage.GetPrimAtPath("/groom/hair/curves"))
            matrix = UsdGeom.XformCache(5).GetLocalToWorldTransform(curves.GetPrim())
            places = [matrix.Transform(Gf.Vec3d(x)) for x in curves.GetPointsAttr().Get(5)]
            (self.place / "moved.charli").write_text(f'def fur groom("moved.{form}", segments = 2); young(1e9); end;\nfur;\nsimulate(0 sec, 0.05 sec);\n')
            self.run_sinew("run", "moved.charli", "--out", "moved.sinew", "--table", "moved.csv")
            rows = next(iter(read_table(self.place / "moved.csv").values()))
            for i in range(3):
                for k in range(3):
                    x, y, z = places[3 * i + k]
                    self.assertLess(distance(rows[f"{nth('fur', i + 1)}[{k}]"][:3], (0.01 * x, 0.01 * z, -0.01 * y)), 1e-6, (form, i, k))

    def test_rods_and_their_pearls_are_where_the_table_says(self):
        self.run_sinew("export", "necklace.sinew", "necklace.csv")
        table = list(read_table(self.place / "necklace.csv").values())
        stage = Usd.Stage.Open(str(self.export("necklace", "rods.usdc")))
        curves = next(UsdGeom.BasisCurves(prim) for prim in stage.Traverse() if prim.GetTypeName() == "BasisCurves")
        nodes = [table[5][f"thread[{k}]"][:3] for k in range(31)]
        self.assertLess(max(map(distance, curves.GetPointsAttr().Get(5), nodes)), FLOAT)
        pearls = {prim.GetDisplayName(): UsdGeom.Xformable(prim) for prim in stage.Traverse() if prim.GetDisplayName().startswith("pearls[")}
        self.assertEqual(len(pearls), 10)
        for name, pearl in pearls.items():
            self.assertLess(distance(pearl.ComputeLocalToWorldTransform(5).ExtractTranslation(), table[5][name][:3]), 1e-9, name)

    def test_presets(self):
        for program, up, unit in (("blender", "Z", 1), ("houdini", "Y", 1), ("maya", "Y", 0.01), ("unreal", "Z", 0.01)):
            stage = Usd.Stage.Open(str(self.export("swing", f"{program}.usdc", "--for", program)))
            self.assertEqual((UsdGeom.GetStageUpAxis(stage), UsdGeom.GetStageMetersPerUnit(stage)), (up, unit))

    def test_tinyusdz_reads_both_forms(self):
        for ending in ("usda", "usdc"):
            said = judge("usd", self.export("swing", f"tiny.{ending}"))
            self.assertTrue(said["is_read"], said["error"])
            self.assertIn("crate", said["meshes"])

    def test_three_places_nodes_in_a_browser(self):
        path = self.export("swing", "three.glb")
        said = judge("three", path, 6 / 24, "crate", "ball#2", "hair[8]")
        self.assertAlmostEqual(said["duration"], 0.5, places=5)
        for name, place in said["places"].items():
            self.assertLess(distance(place, self.table[6][name][:3]), 1e-5)
        self.assertEqual(len(said["places"]), 3)

    @unittest.skipUnless(shutil.which("blender"), "no Blender here")
    def test_blender_shows_the_right_positions(self):
        frames, names = [0, 5, 12], ["crate", "ball#2", "hair[0]", "hair[8]"]
        words = json.dumps([str(self.export("swing", "blender.glb")), 24, frames, names])
        said = ask_blender(HERE / "blender_glb.py", words)
        for frame in frames:
            self.assertEqual(sorted(said[str(frame)]), sorted(names))
            for name in names:
                x, y, z = self.table[frame][name][:3]
                self.assertLess(distance(said[str(frame)][name], (x, -z, y)), 1e-4, (frame, name))


if __name__ == "__main__":
    SINEW = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(argv=[sys.argv[0]])
