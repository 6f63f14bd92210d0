"""The Python package from outside."""
import gc
import math
import pathlib
import subprocess
import sys
import threading
import time

import numpy
import pytest

import sinew

ROOT = pathlib.Path(__file__).resolve().parents[2]
PENDULUM = """\
param length = 1 [0.1..10] "of the rod";
dynamic theta;
theta = initial(-30 deg, 0);
def bob mass(2); end;
bob translatex(length) rotatez(theta);
simulate(0 sec, 1 sec);
"""
DRIVEN = """\
import engine;
def bob mass(1); end;
bob translatex(engine);
simulate(0 sec, 1 sec);
"""
PULL = """\
dynamic x;
x = initial(0, 0);
import pull;
def cart mass(2); end;
cart translatex(x);
torque(x, pull);
simulate(0 sec, 1 sec);
"""
# Two strings of one metre whose ends a track pulls more than two metres apart.
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
HAIR = "def hair strand(line(0,0,0, 1,0,0), segments = 8); young(1e6); end;\nhair;\nhair translatey(1);\nsimulate(0 sec, 0.5 sec);\n"


def make(text, **more):
    return sinew.World(sinew.parse(text), **more)


def test_ten_lines_to_a_plot():
    world = sinew.World(sinew.load(str(ROOT / "examples/fig03_triple_pendulum.charli")))
    curve = numpy.array([[frame.time, *frame.origin("m2")] for frame in world.frames(seconds=0.5)])
    assert curve.shape == (13, 4)
    assert curve[-1, 0] == pytest.approx(0.5)
    assert numpy.ptp(curve[:, 2]) > 0.05


def test_a_pendulum_keeps_its_length_and_its_energy():
    world = make(PENDULUM)
    before = sum(world.energy)
    for frame in world.frames():
        assert numpy.linalg.norm(frame.origin("bob")) == pytest.approx(1, abs=1e-12)
    assert world.time == pytest.approx(1)
    assert sum(world.energy) == pytest.approx(before, rel=1e-6)


def test_parameters():
    scene = sinew.parse(PENDULUM, parameters={"length": 2})
    assert scene.parameters == {"length": 2}
    assert numpy.linalg.norm(sinew.World(scene).origin("bob")) == pytest.approx(2)
    assert sinew.parse(PENDULUM, parameters={"length": "50 cm"}).parameters == {"length": 0.5}


def test_every_problem_is_in_the_error():
    with pytest.raises(sinew.SceneError) as caught:
        sinew.parse("def bob mass(-1); end;\nbob translatex(oops);\n")
    assert isinstance(caught.value, ValueError)
    assert len(caught.value.problems) == 2
    assert caught.value.problems[0].line == 1 and caught.value.problems[0].hint
    assert "oops" in str(caught.value)
    with pytest.raises(sinew.SceneError, match="no such|there is no|cannot"):
        sinew.load("/nowhere/at/all.charli")


def test_views_show_the_present_and_outlive_the_world():
    world = make(PENDULUM)
    poses = world.poses
    assert poses is world.poses and poses.shape == (2, 4, 3) and not poses.flags.writeable
    before = poses.copy()
    address = poses.ctypes.data
    world.step()
    assert world.poses.ctypes.data == address
    assert not numpy.array_equal(poses, before)
    assert numpy.array_equal(poses[1], world.pose("bob"))
    last = poses.copy()
    del world
    gc.collect()
    assert numpy.array_equal(poses, last)
    with pytest.raises(ValueError):
        poses[0, 0, 0] = 1


def test_a_part_of_a_view_shows_the_present_too():
    world = make(HAIR)
    tip, before = world.nodes[8], world.nodes[8].copy()
    world.step()
    assert not numpy.array_equal(tip, before) and numpy.array_equal(tip, world.nodes[8])
    kept = world.snapshot()
    world.step()
    world.restore(kept)
    assert numpy.array_equal(tip, world.strand("hair")[8])


def test_strands_by_name():
    world = make(HAIR)
    assert world.nodes.shape == (18, 3) and world.segments.shape == (16, 4)
    assert world.scene.strand_names == ["hair", "hair#2"]
    assert numpy.allclose(world.strand("hair#2")[0], (0, 1, 0))
    world.step()
    assert world.strand("hair#1")[-1, 1] < -1e-4
    with pytest.raises(KeyError):
        world.strand("beard")
    with pytest.raises(KeyError):
        world.pose("beard")


def test_snapshots_continue_bit_for_bit():
    world = make(HAIR)
    world.step()
    kept, there = world.snapshot(), world.hash()
    world.step()
    expected, nodes = world.hash(), world.nodes.copy()
    world.restore(kept)
    assert world.hash() == there and world.time == pytest.approx(1 / 24)
    world.step()
    assert world.hash() == expected and numpy.array_equal(world.nodes, nodes)
    for junk in (b"", b"junk", kept[:-1]):
        with pytest.raises(ValueError):
            world.restore(junk)
    assert world.hash() == expected


def test_settling_begins_at_rest():
    world = make(HAIR)
    world.settle()
    before = world.nodes.copy()
    assert before[8, 1] < -1e-4
    world.step(0.2)
    assert numpy.abs(world.nodes - before).max() < 1e-6
    assert numpy.abs(sinew.World(sinew.parse(HAIR), settle=True).nodes - before).max() == 0


def test_imports_are_functions():
    world = make(DRIVEN, imports={"engine": lambda time, coordinates, rates: (2 * time, 2, 0)})
    world.advance(0.5)
    assert world.origin("bob")[0] == pytest.approx(1)
    pulled = make(PULL, imports={"pull": lambda time, coordinates, rates: 4})
    pulled.advance(1)
    assert pulled.coordinates[0] == pytest.approx(1)  # a t² / 2 with a = 4 N / 2 kg
    with pytest.raises(sinew.SceneError, match="engine"):
        make(DRIVEN)


def test_an_import_that_fails_raises_its_own_error():
    def broken(time, coordinates, rates):
        raise ZeroDivisionError("mine")

    with pytest.raises((ZeroDivisionError, sinew.SceneError)):
        make(DRIVEN, imports={"engine": broken}).advance(0.1)

    def late(time, coordinates, rates):
        if time > 0.2:
            raise ZeroDivisionError("mine")
        return (time, 1, 0)

    world = make(DRIVEN, imports={"engine": late})
    with pytest.raises(ZeroDivisionError):
        world.advance(0.5)
    for answer in ("text", (1, 2, 3, 4), None):
        with pytest.raises((ValueError, sinew.SceneError)):
            make(DRIVEN, imports={"engine": lambda *_: answer}).advance(0.1)


def test_wrong_arguments_never_end_the_process():
    world = make(PENDULUM)
    for dt in (-1, math.nan, math.inf):
        with pytest.raises(ValueError):
            world.step(dt)
    with pytest.raises(ValueError):
        world.advance(-1)
    with pytest.raises(TypeError):
        world.step("a while")
    with pytest.raises(TypeError):
        sinew.World(None)
    with pytest.raises(ValueError):
        sinew.World(sinew.parse(PENDULUM), threads=0)
    with pytest.raises(ValueError):
        world.picture(width=0)
    with pytest.raises(sinew.SceneError):
        sinew.Recording("/nowhere.sinew")
    assert world.time == 0


def test_a_stop_is_told():
    world = make(STOPS)
    with pytest.raises(sinew.SimulationError) as caught:
        for _ in world.frames(seconds=3):
            pass
    assert caught.value.problem.hint and 0 < world.time < 3


def test_two_threads_on_one_world_are_told_apart():
    world = make((ROOT / "examples/fern.charli").read_text())
    said, other = [], threading.Thread(target=lambda: world.advance(0.5))
    other.start()
    while other.is_alive():
        try:
            world.hash()
            time.sleep(0.001)
        except RuntimeError as error:
            said.append(str(error))
    other.join()
    assert said and "another thread" in said[0]


def test_stepping_lets_other_threads_run():
    world, counted, is_done = make((ROOT / "examples/fern.charli").read_text()), [0], threading.Event()

    def count():
        while not is_done.is_set():
            counted[0] += 1

    other = threading.Thread(target=count)
    other.start()
    before = counted[0]
    world.advance(0.5)
    is_done.set()
    other.join()
    assert counted[0] > before


def test_forces_and_residuals():
    world = make(PENDULUM)
    weight = next(force for force in world.forces() if force.kind == "weight")
    assert weight.object == "bob" and weight.force == pytest.approx((0, -2 * 9.81, 0))
    assert weight.torque == pytest.approx((0, 0, 0)) and "weight on bob" in repr(weight)
    assert world.residuals().shape == (0,)


def test_pictures():
    world = make(PENDULUM)
    assert world.picture(width=64, height=36, samples=2)[:8] == b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recordings")
    (folder / "hair.charli").write_text(HAIR)
    program = ROOT / "build/release/bin/sinew"
    if not program.exists():
        pytest.skip("the program is not built")
    subprocess.run([program, "run", "hair.charli"], cwd=folder, check=True, capture_output=True)
    return folder / "hair.sinew"


def test_recordings_hold_what_a_world_does(recording):
    shot = sinew.Recording(str(recording))
    assert len(shot) == 13 and shot.is_complete and shot.frame_rate == 24
    world = make(HAIR)
    for kept, now in zip(shot, world.frames()):
        assert kept.time == now.time
        assert numpy.allclose(kept.nodes, now.nodes, rtol=0, atol=4e-6)  # frames are rounded on disk
    assert numpy.array_equal(shot[-1].strand("hair#2"), shot[12].strand("hair#2"))
    with pytest.raises(IndexError):
        shot[13]


def test_recordings_are_exported_and_shown(recording, tmp_path):
    shot = sinew.Recording(str(recording))
    files = shot.export(str(tmp_path / "a.glb"))
    assert files == [str(tmp_path / "a.glb")] and (tmp_path / "a.glb").stat().st_size > 1000
    with pytest.raises(ValueError):
        shot.export(str(tmp_path / "a.usdc"), program="lightwave")
    with pytest.raises(sinew.SceneError):
        shot.export(str(tmp_path / "a.fbx"))
    film = shot.film(count=3, width=32, height=18, samples=1)
    assert len(film.pictures) >= 3 and "<input" in film._repr_html_()


def test_the_package_has_its_types():
    folder = pathlib.Path(sinew.__file__).parent
    stub = (folder / "_sinew.pyi").read_text()
    assert (folder / "py.typed").exists() and "class World" in stub and "def snapshot" in stub


def test_the_same_hash_as_from_the_program():
    """The same bits in another process."""
    world = make(HAIR)
    world.advance(0.25)
    code = f"import sinew; w = sinew.World(sinew.parse({HAIR!r})); w.advance(0.25); print(w.hash())"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(said.stdout) == world.hash()
