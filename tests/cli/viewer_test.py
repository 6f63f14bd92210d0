#!/usr/bin/env python3
"""What `sinew view` and its page say to each other: viewer/PROTOCOL.md. viewer_test.py SINEW"""
import pathlib
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from viewer_client import SWING, Case, Page, Server, main, object_of, point_of  # noqa: E402


class ProtocolTest(Case):
    def setUp(self):
        # In one piece: a file that is emptied and then written may be seen empty on a busy machine.
        (self.folder / "swing.written").write_text(SWING)
        (self.folder / "swing.written").replace(self.folder / "swing.charli")
        self.page_ = self.opened()
        text = self.page_.wait("script")["text"]
        self.page_.wait("problems")
        if text != SWING:
            self.page_.send("script", text=SWING)
            self.page_.wait("problems", lambda p: not p["list"])
            self.page_.scene = self.fresh_scene()
        self.page_.send("speed", value=2)
        self.page_.wait("status", lambda s: s["speed"] == 2)
        for kind, fields in (("loop", {"on": False}), ("pause", {}), ("restart", {})):
            self.page_.send(kind, **fields)
        if self.page_.scene["parameters"][0]["value"] != 1:
            self.page_.send("parameter", name="length", value=1)
        self.page_.send("speed", value=1)  # the last: with it all is done, before another page does anything
        self.page_.wait("status", lambda s: s["valid"] == 97 and s["frame"] == 0 and not s["is_playing"] and
                        not s["is_changed"] and s["speed"] == 1 and not s["is_waiting"])

    def fresh_scene(self):
        with Page(self.server) as page:
            return page.wait("scene")

    def test_a_page_is_told_everything_at_first(self):
        page = self.page()
        welcome = page.wait("welcome")
        self.assertEqual((welcome["protocol"], welcome["name"], welcome["is_recording"]), (2, "swing.charli", False))
        scene = page.wait("scene")
        self.assertEqual((scene["frame_rate"], scene["frame_count"]), (24, 97))
        self.assertEqual([o["name"] for o in scene["objects"]], ["world", "pivot", "bob"])
        bob = scene["objects"][2]
        self.assertEqual((bob["mass"], bob["is_dynamic"], bob["line"]), (2, True, 9))
        length, start = scene["parameters"]
        self.assertEqual((length["name"], length["low"], length["high"], length["text"]), ("length", 0.1, 10, "of the rod"))
        self.assertEqual((start["unit"], length["unit"]), ("rad", ""))
        self.assertIn("# a comment that stays", page.wait("script")["text"])
        self.assertEqual(page.wait("problems")["list"], [])
        self.assertFalse(page.wait("status")["is_playing"])
        frame = page.wait_frame()
        self.assertEqual((frame.mark, frame.revision), (0x46574e53, scene["revision"]))
        self.assertEqual((frame.point_count, frame.pose_count), (scene["point_count"], scene["pose_count"]))

    def test_series_hold_a_row_for_each_frame(self):
        page = self.page()
        series = page.wait("series")
        self.assertEqual((series["first"], len(series["columns"])), (0, 6))
        rows = series["rows"]
        while len(rows) < 97:
            series = page.wait("series")
            self.assertEqual(series["first"], len(rows))
            rows += series["rows"]
        energies = [row[1] + row[2] for row in rows]
        self.assertLess(max(energies) - min(energies), 1e-6)  # nothing is lost in a pendulum
        self.assertAlmostEqual(rows[24][0], 1)

    def test_play_moves_frames_at_the_speed_of_the_clock(self):
        page = self.page_
        page.send("play")
        first = page.wait_frame(lambda frame: frame.frame >= 2)
        begin = time.monotonic()
        second = page.wait_frame(lambda frame: frame.frame >= first.frame + 12)
        self.assertAlmostEqual(time.monotonic() - begin, (second.frame - first.frame) / 24, delta=0.25)
        self.assertNotEqual(point_of(page.scene, first, "bob"), point_of(page.scene, second, "bob"))
        page.send("pause")
        stopped = page.wait("status", lambda s: not s["is_playing"])["frame"]
        time.sleep(0.2)
        page.send("speed", value=2)
        self.assertEqual(page.wait("status", lambda s: s["speed"] == 2)["frame"], stopped)

    def test_playing_ends_at_the_end_or_begins_again(self):
        page = self.page_
        page.send("seek", frame=90)
        page.send("speed", value=4)
        page.send("play")
        page.wait("status", lambda s: s["frame"] > 90 and s["is_playing"])
        self.assertEqual(page.wait("status", lambda s: not s["is_playing"])["frame"], 96)
        page.send("loop", on=True)
        page.send("seek", frame=92)
        page.send("play")
        page.wait("status", lambda s: 0 < s["frame"] < 50 and s["is_playing"])

    def test_step_and_seek(self):
        page = self.page_
        page.send("seek", frame=50)
        frame = page.wait_frame(lambda frame: frame.frame == 50)
        self.assertAlmostEqual(frame.time, 50 / 24)
        page.send("step", by=1)
        page.wait_frame(lambda frame: frame.frame == 51)
        page.send("step", by=-3)
        page.wait_frame(lambda frame: frame.frame == 48)
        page.send("step", by=-1000)
        page.wait_frame(lambda frame: frame.frame == 0)
        page.send("seek", frame=100000)
        page.wait_frame(lambda frame: frame.frame == 96)

    def test_a_grab_pulls_and_letting_go_lets_it_swing(self):
        page, scene = self.page_, self.page_.scene
        page.send("seek", frame=10)
        before = page.wait_frame(lambda frame: frame.frame == 10)
        page.send("grab", object=object_of(scene, "bob"), target=[-0.9, -0.4, 0])
        held = page.wait_frame(lambda frame: frame.hand_count == 1)
        self.assertEqual([round(x, 3) for x in held.hands[3:]], [-0.9, -0.4, 0])
        page.wait("status", lambda s: s["is_playing"])
        page.send("drag", target=[-0.6, -0.8, 0])
        moved = page.wait_frame(lambda frame: frame.frame > 30)
        x, y, _ = point_of(scene, moved, "bob")
        self.assertGreater(point_of(scene, before, "bob")[0], 0)
        self.assertLess(x, -0.4)
        self.assertAlmostEqual(x * x + y * y, 1, places=4)  # it stays on its rod
        page.send("release")
        page.wait_frame(lambda frame: frame.hand_count == 0 and frame.frame > moved.frame)
        page.wait_frame(lambda frame: point_of(scene, frame, "bob")[0] > 0, limit_s=5)
        page.send("undo")
        page.wait("status", lambda s: s["can_redo"])

    def test_a_page_that_goes_lets_go(self):
        page = self.page()
        scene = page.wait("scene")
        page.send("grab", object=object_of(scene, "bob"), target=[-0.9, -0.4, 0])
        page.wait_frame(lambda frame: frame.hand_count == 1)
        page.close()
        self.page_.wait_frame(lambda frame: frame.hand_count == 0 and frame.frame > 1)

    def test_a_slider_changes_the_motion_from_here_on(self):
        page = self.page_
        page.send("seek", frame=40)
        page.wait_frame(lambda frame: frame.frame == 40)
        page.send("parameter", name="length", value=2)
        page.wait("status", lambda s: s["is_changed"] and s["can_undo"])
        page.send("seek", frame=90)
        frame = page.wait_frame(lambda frame: frame.frame == 90 and not frame.stale)
        x, y, _ = point_of(page.scene, frame, "bob")
        self.assertAlmostEqual(x * x + y * y, 4, places=3)
        page.send("undo")
        scene = page.wait("scene")
        self.assertEqual(scene["parameters"][0]["value"], 1)
        page.wait("status", lambda s: not s["is_changed"])

    def test_an_error_while_typing_keeps_the_scene(self):
        page = self.page_
        page.send("script", text=SWING.replace("mass(2)", "mas(2)"))
        problem = page.wait("problems", lambda p: p["list"])["list"][0]
        self.assertEqual((problem["severity"], problem["line"], problem["column"]), ("error", 6, 9))
        self.assertTrue(problem["message"] and problem["hint"])
        page.send("seek", frame=20)
        page.wait_frame(lambda frame: frame.frame == 20)
        page.send("script", text=SWING.replace("mass(2)", "mass(3)"))
        self.assertEqual(page.wait("problems")["list"], [])
        self.assertEqual(page.wait("scene")["objects"][2]["mass"], 3)

    def test_other_pages_follow_the_editor(self):
        other = self.opened()
        text = SWING.replace("mass(2)", "mass(5)")
        self.page_.send("script", text=text)
        other.wait("script", lambda s: s["text"] == text)
        self.assertEqual(other.wait("scene", lambda s: s["objects"][2]["mass"] == 5)["objects"][2]["name"], "bob")

    def test_saving(self):
        page = self.page_
        page.send("parameter", name="length", value=2)
        page.wait("status", lambda s: s["is_changed"])
        page.send("save", name="other")
        self.assertEqual(page.wait("saved"), {"type": "saved", "name": "other.charli", "kind": "script"})
        saved = (self.folder / "other.charli").read_text()
        self.assertEqual(saved, SWING.replace("length = 1 ", "length = 2 "))
        page.send("save")
        self.assertEqual(page.wait("saved")["name"], "swing.charli")
        self.assertEqual((self.folder / "swing.charli").read_text(), saved)
        page.wait("status", lambda s: not s["is_changed"])
        self.assertEqual([p.name for p in self.folder.iterdir() if ".tmp" in p.name], [])

    def test_names_that_lead_elsewhere_are_refused(self):
        page = self.page_
        outside = self.folder.parent / "outside.charli"
        outside.write_text("safe")
        (self.folder / "link.charli").unlink(missing_ok=True)
        (self.folder / "link.charli").symlink_to(outside)
        (self.folder / "dangling.charli").unlink(missing_ok=True)
        (self.folder / "dangling.charli").symlink_to(self.folder.parent / "new.charli")
        (self.folder / "link.sinew").unlink(missing_ok=True)
        (self.folder / "link.sinew").symlink_to(outside)
        (self.folder / "notes.txt").write_text("mine")
        (self.folder / "text.sinew").write_text("mine")
        (self.folder / "sub.charli").mkdir(exist_ok=True)
        before = {p: p.read_bytes() for p in self.folder.parent.rglob("*") if p.is_file()}
        for name in ("../outside.charli", "/tmp/x.charli", "..", ".", "", "a/b.charli", "a\\b.charli", ".hidden.charli",
                     "link.charli", "dangling.charli", "notes.txt", "sub.charli", "a\x00b.charli", "a\nb.charli", "-rf.charli",
                     "a" * 250, "x.py", "../work é/swing.charli", "swing.charli/", "%2e%2e%2fx.charli/../y"):
            page.send("save", name=name)
            notice = page.wait("notice")
            self.assertEqual(notice["severity"], "error", name)
            self.assertIn(";", notice["text"], "with a remedy")
        for name in ("../x.sinew", "link.sinew", "text.sinew", "swing.charli", "/tmp/x.sinew", ""):
            page.send("record", name=name)
            self.assertEqual(page.wait("notice")["severity"], "error", name)
        self.assertEqual({p: p.read_bytes() for p in self.folder.parent.rglob("*") if p.is_file()}, before)

    def test_a_recording_holds_what_was_done(self):
        page = self.page_
        page.send("grab", object=object_of(page.scene, "bob"), target=[-0.9, -0.4, 0])
        page.wait_frame(lambda frame: frame.hand_count == 1 and frame.frame > 12)
        page.send("release")
        page.send("pause")
        page.send("record", name="session")
        self.assertEqual(page.wait("saved"), {"type": "saved", "name": "session.sinew", "kind": "recording"})
        page.send("seek", frame=60)
        wanted = page.wait_frame(lambda frame: frame.frame == 60)
        done = subprocess.run([Case.sinew, "info", "session.sinew"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        server = Server(Case.sinew, str(self.folder / "session.sinew"))
        try:
            with Page(server) as replay:
                self.assertTrue(replay.wait("welcome")["is_recording"])
                self.assertEqual(replay.wait("script")["text"], SWING)
                replay.send("seek", frame=60)
                frame = replay.wait_frame(lambda frame: frame.frame == 60)
                self.assertEqual(frame.points, wanted.points)
                replay.send("seek", frame=5)
                self.assertEqual(replay.wait_frame(lambda frame: frame.frame == 5).hand_count, 1)
                replay.send("save")
                self.assertIn("name", replay.wait("notice")["text"])
        finally:
            self.assertEqual(server.stop()[0], 0)
        page.send("record")
        self.assertEqual(page.wait("saved")["name"], "swing.sinew")
        page.send("record")
        self.assertEqual(page.wait("saved")["name"], "swing-2.sinew")
        for name in ("session.sinew", "swing.sinew", "swing-2.sinew"):
            (self.folder / name).unlink()

    def test_a_file_that_changes_on_disk_is_loaded(self):
        page = self.page_
        (self.folder / "swing.charli").write_text(SWING.replace("mass(2)", "mass(7)"))
        page.wait("script", lambda s: "mass(7)" in s["text"])
        self.assertEqual(self.fresh_scene()["objects"][2]["mass"], 7)
        page.send("seek", frame=3)
        self.assertFalse(page.wait("status", lambda s: s["frame"] == 3)["is_changed"])

    def test_a_file_is_not_read_while_it_is_written(self):
        for mass in (3, 4, 5, 6, 7):
            text = SWING.replace("mass(2)", f"mass({mass})")
            time.sleep(0.06 * (mass - 3))  # at another moment of its rounds
            (self.folder / "swing.charli").write_text("")
            time.sleep(0.12)
            (self.folder / "swing.charli").write_text(text)
            self.assertEqual(self.page_.wait("script", lambda s: s["text"] != SWING)["text"], text)

    def test_a_file_that_changes_under_unsaved_work_does_not(self):
        page = self.page_
        mine = SWING.replace("mass(2)", "mass(4)")
        page.send("script", text=mine)
        page.wait("status", lambda s: s["is_changed"])
        (self.folder / "swing.charli").write_text(SWING.replace("mass(2)", "mass(8)"))
        self.assertIn("disk", page.wait("notice")["text"])
        self.assertEqual(self.fresh_scene()["objects"][2]["mass"], 4)
        page.send("undo")
        self.assertIn("mass(8)", page.wait("script", lambda s: "mass(8)" in s["text"])["text"])

    def test_forces_come_where_they_are_wanted(self):
        page = self.page_
        page.send("show", forces=True, residuals=True, contacts=False, layers=False)
        frame = page.wait_frame(lambda frame: frame.force_count > 0)
        weight = frame.forces[:8]
        self.assertAlmostEqual(weight[4], -2 * 9.81, places=4)
        self.assertEqual((weight[6], weight[7]), (0, object_of(page.scene, "bob")))
        page.send("show", forces=False, residuals=False, contacts=False, layers=False)
        page.wait_frame(lambda frame: frame.force_count == 0)

    def test_a_linkage_offers_neither_contacts_nor_layers(self):
        self.assertFalse(self.page_.scene["has_contacts"] or self.page_.scene["has_layers"])

    def test_the_inspector_tells_numbers(self):
        page = self.page_
        page.send("select", object=object_of(page.scene, "bob"))
        inspected = page.wait("inspect")
        self.assertEqual(inspected["name"], "bob")
        rows = dict(inspected["rows"])
        self.assertEqual(rows["mass"], "2 kg")
        self.assertEqual(rows["position"], "0.866, -0.5, 0 m")
        page.send("select", object=None)
        page.send("seek", frame=3)
        page.wait("status", lambda s: s["frame"] == 3)

    def test_pins_and_moves_become_statements(self):
        page = self.page_
        page.send("move", object=object_of(page.scene, "pivot"), by=[0.5, 0, 0])
        self.assertIn("pivot translate", page.wait("script")["text"])
        page.send("pin", object=object_of(page.scene, "bob"))
        page.wait("scene", lambda s: s["objects"][object_of(s, "bob")]["is_pinned"])
        page.send("undo")
        page.send("undo")
        page.wait("script", lambda s: s["text"] == SWING)


    def test_examples_and_files_are_opened_in_the_page(self):
        page = self.page_
        page.send("list")
        files = page.wait("files")
        self.assertEqual(files["files"], ["swing.charli"])
        examples = {example["name"]: example for example in files["examples"]}
        self.assertGreater(len(examples), 50)
        self.assertIn("Newton", examples["newtons_cradle"]["text"])
        self.assertEqual(self.server.get(examples["newtons_cradle"]["picture"])[0], 200)
        page.send("open", name="cow_pile", is_example=True)  # with a mesh of its own
        welcome = page.wait("welcome")
        self.assertEqual((welcome["name"], welcome["visit"]), ("cow_pile.charli", 0))
        scene = page.wait("scene")
        self.assertGreater(len(scene["meshes"]), 0)
        page.wait_frame(lambda frame: frame.revision == scene["revision"])
        self.assertFalse((self.folder / "cow_pile.charli").exists(), "opening writes nothing")
        page.send("save")
        self.assertEqual(page.wait("saved")["name"], "cow_pile.charli")
        self.assertTrue((self.folder / "meshes").is_dir(), "what it includes is saved too")
        page.send("new")
        self.assertEqual(page.wait("welcome")["name"], "untitled.charli")
        page.wait("scene")
        for name, is_example in (("../swing.charli", False), ("nothing", True), ("/etc/passwd", False), ("../../x", True)):
            page.send("open", name=name, is_example=is_example)
            self.assertEqual(page.wait("notice")["severity"], "error")
        page.send("open", name="swing.charli", is_example=False)
        self.assertEqual(page.wait("welcome")["name"], "swing.charli")
        self.assertEqual(page.wait("scene")["frame_count"], 97)
        (self.folder / "cow_pile.charli").unlink()
        shutil.rmtree(self.folder / "meshes")

    def test_the_editor_is_helped(self):
        page, text = self.page_, "# é\nspr"
        page.send("complete", id=7, text=text, offset=len(text.encode()))
        answer = page.wait("assist")
        self.assertEqual(answer["id"], 7)
        self.assertIn("spring_and_damper", [completion["label"] for completion in answer["completions"]])
        page.send("hover", id=8, text="simulate(0 sec, 1 sec);", offset=3)
        hover = page.wait("assist", lambda a: a["id"] == 8)["hover"]
        self.assertEqual((hover["offset"], hover["length"]), (0, len("simulate")))
        page.send("hover", id=9, text="", offset=0)
        self.assertNotIn("hover", page.wait("assist", lambda a: a["id"] == 9))

    def test_the_argument_that_is_typed_and_where_names_come_from(self):
        page, text = self.page_, "def arm mass(1); end;\narm translatex(1);\ndist_constraint(a, "
        page.send("call", id=10, text=text, offset=len(text))
        call = page.wait("assist", lambda a: a["id"] == 10)["call"]
        self.assertEqual((call["argument"], call["forms"][0]["arguments"][1]), (1, "b"))
        page.send("definition", id=11, text=text, offset=text.index("arm translatex") + 1)
        found = page.wait("assist", lambda a: a["id"] == 11)["definition"]
        self.assertEqual((found["offset"], found["length"]), (len("def "), len("arm")))
        page.send("call", id=12, text="def", offset=3)
        self.assertNotIn("call", page.wait("assist", lambda a: a["id"] == 12))

    def test_what_is_plotted_is_sent_and_nothing_else(self):
        page, bob = self.page_, object_of(self.page_.scene, "bob")
        page.send("watch", list=[{"kind": "object", "number": bob}, {"kind": "probe", "number": 99}])
        rows = page.wait("watch", lambda w: w["first"] == 0 and w["kind"] == "object")["rows"]
        self.assertEqual([round(x, 3) for x in rows[0]], [0.866, -0.5, 0]) # no speed: there is no frame before it
        self.assertEqual(len(rows[1]), 4)
        self.assertEqual(page.wait("watch", lambda w: w["kind"] == "probe")["rows"][0], []) # there is no such probe
        page.send("watch", list=[])


class BodiesTest(Case):
    script = """\
def floor obstacle(); plane(0, 1, 0, 0); end;
def crate body(density = 400); box(1, 1, 1); end;
floor;
low = crate translatey(0.5);
high = crate translatey(1.5);
away = crate translatey(20);
simulate(0 sec, 1 sec);
"""

    def test_contacts_and_layers_are_offered_and_come_where_they_are_wanted(self):
        page = self.opened()
        self.assertTrue(page.scene["has_contacts"] and page.scene["has_layers"])
        colours = page.scene["layer_colours"]
        self.assertEqual(len(colours["ramp"]), 9)
        self.assertNotIn(colours["air"], colours["ramp"])
        bodies = {page.scene["objects"][e["object"]]["name"]: e["body"] for e in page.scene["elements"] if "body" in e}
        self.assertEqual(set(bodies), {"floor", "low", "high", "away"})
        page.wait("status", lambda s: s["valid"] == 25)
        page.send("seek", frame=12)
        page.send("show", forces=False, residuals=False, contacts=True, layers=True)
        frame = page.wait_frame(lambda frame: frame.frame == 12 and frame.contact_count > 0)
        self.assertEqual((frame.contact_count, frame.layer_count, frame.force_count), (8, 4, 0))
        layers = {name: frame.layers[body] for name, body in bodies.items()}
        self.assertEqual(layers, {"floor": 0, "low": 1, "high": 2, "away": -1})
        contacts = [frame.contacts[8 * i:8 * i + 8] for i in range(8)]
        heights = sorted(round(contact[1]) for contact in contacts)
        self.assertEqual(heights, [0] * 4 + [1] * 4)
        for contact in contacts:
            self.assertAlmostEqual(abs(contact[4]), 1, places=4)
            self.assertLess(abs(contact[6]), 1e-3)
        self.assertAlmostEqual(sum(contact[7] for contact in contacts) / (400 * 9.81), 3, places=2)
        page.send("show", forces=False, residuals=False, contacts=False, layers=True)
        frame = page.wait_frame(lambda frame: frame.contact_count == 0)
        self.assertEqual(frame.layer_count, 4)


class BrokenScriptTest(Case):
    script = SWING.replace("mass(2)", "mas(2)")

    def test_it_opens_all_the_same_and_can_be_mended(self):
        page = self.page()
        page.wait("welcome")
        self.assertIn("mas(2)", page.wait("script")["text"])
        self.assertEqual(page.wait("problems")["list"][0]["line"], 6)
        page.send("play")
        self.assertIn("errors", page.wait("notice")["text"])
        page.send("script", text=SWING)
        self.assertEqual(page.wait("scene")["frame_count"], 97)
        page.wait_frame()
        page.send("save")
        page.wait("saved")
        self.assertEqual((self.folder / "swing.charli").read_text(), SWING)


class IncludeTest(Case):
    script = 'include "part.charli";\nbob;\n'

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.write_part(1)

    @classmethod
    def write_part(cls, mass):
        (cls.folder / "part.charli").write_text(f"dynamic y;\ndef bob mass({mass}) translatey(y); end;\n")

    def test_an_included_file_that_changes_is_loaded_too(self):
        page = self.page()
        page.send("script", text=self.script + "\n")  # the part came after the server looked
        first = page.wait("scene")
        self.write_part(9)
        page.send("script", text=self.script)
        second = page.wait("scene", lambda s: any(o["mass"] == 9 for o in s["objects"]))
        self.assertGreater(second["revision"], first["revision"])
        self.write_part(11)
        third = page.wait("scene", lambda s: any(o["mass"] == 11 for o in s["objects"]))
        self.assertGreater(third["revision"], second["revision"])


class RunRecordingTest(Case):
    script = 'include "parts/part.charli" as parts;\ndynamic y;\nparts.bob translatey(y);\n'

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        (cls.folder / "parts").mkdir()
        (cls.folder / "parts/part.charli").write_text("def bob mass(3); end;\n")

    def test_a_recording_brings_along_what_its_script_includes(self):
        done = subprocess.run([Case.sinew, "run", f"{self.folder.name}/swing.charli", "--out", "run.sinew"],
                              cwd=self.folder.parent, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        server = Server(Case.sinew, str(self.folder.parent / "run.sinew"))
        self.addCleanup(server.stop)
        with Page(server) as page:
            self.assertIn(3, [thing["mass"] for thing in page.wait("scene")["objects"]])
            self.assertEqual(page.wait("problems")["list"], [])
            self.assertEqual(page.wait("status", lambda s: s["valid"] == s["frame_count"])["frame_count"], 241)


if __name__ == "__main__":
    main()
