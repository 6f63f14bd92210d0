"""No call from Python ends the process: wrong shapes, numbers that are none, objects that were never made, threads, and plain junk."""
import math
import pathlib
import random
import subprocess
import sys
import threading

import numpy
import pytest

import sinew

ROOT = pathlib.Path(__file__).resolve().parents[2]
BOB = "def bob mass(1); end;\nbob;\n"
DRIVEN = "import engine;\ndef bob mass(1); end;\nbob translatex(engine);\n"
ROPE = """\
def rope rod(line(0,0,0, 1,0,0), spans = 6, radius = 1 cm, young = 1e7, density = 1000); end;
rope;
position_constraint(rope at 0 along, point(0, 0, 0));
simulate(0 sec, 0.2 sec);
"""
HAIR = "def hair strand(line(0,0,0, 1,0,0), segments = 8); young(1e6); end;\nhair;\nsimulate(0 sec, 0.2 sec);\n"


def make(text, **more):
    return sinew.World(sinew.parse(text), **more)


def test_rods_by_name():
    world = make(ROPE)
    assert world.scene.rod_names == ["rope"] and world.scene.rod_counts == [7]
    assert numpy.allclose(world.rod("rope")[:, 0], numpy.linspace(0, 1, 7))
    for _ in world.frames():
        pass
    assert world.rod("rope")[-1, 1] < -0.01
    with pytest.raises(KeyError):
        world.rod("string")


def test_what_constraints_do_by_name():
    world = make(ROPE.replace("0.2 sec", "4 sec").replace("density = 1000", "density = 1000, damping = 50 ms"))
    assert world.scene.constraint_names == ["rope.position_constraint"] and world.loads.shape == (1, 3, 3)
    world.settle()
    world.step()
    place, force, torque = world.load("rope.position_constraint")
    assert numpy.allclose(place, 0, atol=1e-9) and numpy.allclose(torque, 0)
    assert force[1] == pytest.approx(1000 * math.pi * 1e-4 * 9.81, rel=0.01)
    with pytest.raises(KeyError):
        world.load("rope.fusion")


def test_a_view_is_turned_in_a_page():
    view = make(HAIR).view(seconds=0.1)
    assert len(view.frames) == 3 and [(each["kind"], each["count"]) for each in view.elements] == [("curve", 9)]
    page = view._repr_html_()
    assert "<canvas" in page and "application/json" in page and "nan" not in page.lower().split("<script>")[0]


def test_fields_are_functions_too():
    text = "import lift;\ndynamic y;\ny = initial(0, 0);\ndef kite mass(2); end;\nkite translatey(y);\nfield(0, lift, 0) on kite;\n"
    world = make(text, imports={"lift": lambda time, coordinates, rates: 9.81 + 2})
    world.advance(1)
    assert world.coordinates[0] == pytest.approx(1, rel=1e-6)  # a t² / 2 with a = 2 m/s² upwards


@pytest.mark.parametrize("answer", [math.nan, math.inf, (0, math.nan, 0), numpy.zeros((2, 2)), [], "text", None, object()])
def test_what_an_import_answers_may_be_anything(answer):
    try:
        world = make(DRIVEN, imports={"engine": lambda *_: answer})
        report = world.advance(0.5)
        assert report.fault is not None
    except (ValueError, TypeError, RuntimeError):
        pass


def test_what_was_never_made_says_so():
    for kind in (sinew.World, sinew.Recording):
        empty = kind.__new__(kind)
        for use in (lambda e: e.scene, lambda e: e.picture(), lambda e: e.step(), lambda e: e[0]):
            with pytest.raises((TypeError, RuntimeError, AttributeError)):
                use(empty)


def test_a_recording_whose_file_is_no_recording(tmp_path):
    for junk in (b"", b"junk" * 1000):
        (tmp_path / "a.sinew").write_bytes(junk)
        with pytest.raises(sinew.SceneError):
            sinew.Recording(str(tmp_path / "a.sinew"))


def test_worlds_in_many_threads():
    def live(hashes, i):
        world = make(HAIR)
        world.advance(0.1)
        hashes[i] = world.hash()

    hashes = [0] * 8
    threads = [threading.Thread(target=live, args=(hashes, i)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(hashes)) == 1


def test_one_world_pulled_at_by_many_threads():
    world = make(HAIR)

    def pull():
        for use in (world.step, world.snapshot, world.hash, world.forces, lambda: world.energy, world.residuals) * 5:
            try:
                use()
            except RuntimeError:
                pass

    threads = [threading.Thread(target=pull) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert world.step()


JUNK = [None, True, -1, 0, 1, 2**70, -2**70, 0.5, math.nan, math.inf, "", "x" * 1000, "\\0", b"", b"\\xff" * 99, [], [1, 2], {}, {"a": None},
        object(), numpy.zeros(0), numpy.zeros((3, 3)), numpy.array(["a"]), lambda *_: 1, int, sinew]


def junk_calls(seed):
    """Every public thing with arguments of any kind; whatever is raised is an exception."""
    pick = random.Random(seed)
    world = make(BOB)
    slow, picture = [world.step, world.advance, world.view], world.picture
    things = [sinew.load, sinew.parse, sinew.World, sinew.Recording, sinew.View, sinew.Film, world.restore, world.pose, world.origin,
              world.strand, world.rod, world.grab, world.release, world.set_parameters, world.set_state, world.set_body, world.velocity,
              sinew.Batch, sinew.Batch.of, sinew.Problem, world.scene.with_parameters, picture, *slow]
    for _ in range(200):
        thing = pick.choice(things)
        arguments = [pick.choice(JUNK) for _ in range(pick.randrange(3))]
        names = {name: pick.choice(JUNK) for name in pick.sample(["parameters", "folder", "imports", "threads", "settle", "dt", "until", "width",
                                                                 "height", "samples", "frame_rate", "path", "text", "target", "point", "along", "stiffness",
                                                                 "coordinates", "rates", "position", "velocity", "name"], pick.randrange(3))}
        if any(thing is each for each in slow) and any(isinstance(x, int) and x > 2 for x in (*arguments, *names.values())):
            continue  # it would do so, and take its time
        if thing is picture and all(isinstance(x, (int, float)) for x in (*arguments, *names.values())):
            continue
        try:
            thing(*arguments, **names)
        except Exception:  # pylint: disable=broad-except
            pass
    world = make(BOB)
    assert world.step()


def test_junk_is_refused_and_the_process_lives():
    done = subprocess.run([sys.executable, "-c", f"import sys; sys.path.insert(0, {str(pathlib.Path(__file__).parent)!r}); import test_safety; "
                           "[test_safety.junk_calls(seed) for seed in range(5)]; print('alive')"],
                          capture_output=True, text=True, timeout=250, check=False)
    assert done.returncode == 0 and done.stdout.strip().endswith("alive"), done.stderr[-2000:]
