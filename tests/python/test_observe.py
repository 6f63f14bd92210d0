"""Velocities, contacts, hands, other numbers, copies, batches: what people who come from other engines ask for."""
import copy
import math
import multiprocessing
import os
import pathlib
import pickle
import subprocess
import sys

import numpy
import pytest

import sinew

ROOT = pathlib.Path(__file__).resolve().parents[2]
PENDULUM = """\
param length = 1 [0.1..10] "of the rod";
dynamic theta;
theta = initial(-30 deg, 0.5);
def bob mass(2); tip = label() translatey(0.25); end;
bob translatex(length) rotatez(theta);
simulate(0 sec, 1 sec);
"""
PILE = """\
param grip = 0.6 [0..2];
def ground obstacle(); plane(0, 1, 0, 0); material(friction = grip); end;
def crate body(density = 500); box(0.4, 0.4, 0.4); lug = label() translate(0, 0.2, 0); end;
ground;
lower = crate translatey(0.2);
upper = crate translatey(0.6);
"""
THROWN = """\
gravity(0, 0, 0);
def ball body(density = 500); sphere(0.1); rim = label() translatex(0.1); end;
ball velocity(1, 2, 3) spin(0, 0, 5);
"""
ALL = """\
var pull;
pull = {0 at 0 sec linear 3 at 1 sec};
def handle label(); end;
handle translatex(pull);
def hair strand(line(0,0,0, 0,-1,0), segments = 8); young(1e6); end;
hair on handle;
def rope rod(line(0,0,0, 1,0,0), spans = 6, radius = 1 cm, young = 1e7, density = 1000); end;
rope translatez(1);
position_constraint(rope at 0 along, point(0, 0, 1));
bead = label() on rope at 1 along;
simulate(0 sec, 1 sec);
"""


def make(text, **more):
    return sinew.World(sinew.parse(text), **more)


def differences(world, names, h=1e-4):
    """Central differences of arrays, which the velocities must agree with."""
    before = {name: getattr(world, name).copy() for name in names}
    world.advance(world.time + h)
    middle = (world.velocities, world.spins, world.node_velocities)
    world.advance(world.time + h)
    return {name: (getattr(world, name) - before[name]) / (2 * h) for name in names}, middle


def test_velocities_of_linkages():
    world = make(PENDULUM)
    assert world.velocity("bob") == pytest.approx((0.5 * math.sin(math.pi / 6), 0.5 * math.cos(math.pi / 6), 0))
    assert world.spin("bob") == pytest.approx((0, 0, 0.5))
    assert world.rates == pytest.approx([0.5])
    world.advance(0.3)
    slopes, (velocities, _, _) = differences(world, ["poses"])
    assert numpy.abs(slopes["poses"][:, 3] - velocities).max() < 1e-6


def test_velocities_of_bodies_and_what_they_carry():
    world = make(THROWN)
    assert world.velocity("ball") == pytest.approx((1, 2, 3)) and world.spin("ball") == pytest.approx((0, 0, 5))
    assert world.velocity("rim") == pytest.approx((1, 2.5, 3))
    body, = world.bodies()
    assert body.object == "ball" and body.velocity == pytest.approx((1, 2, 3)) and body.spin == pytest.approx((0, 0, 5))
    world.advance(0.5)
    assert world.bodies()[0].position == pytest.approx((0.5, 1, 1.5))
    assert world.bodies()[0].orientation == pytest.approx((0, 0, math.sin(1.25), math.cos(1.25)))


def test_velocities_of_nodes_and_of_what_rides():
    world = make(ALL)
    world.advance(0.3)
    slopes, (velocities, _, nodes) = differences(world, ["nodes", "poses"])
    assert nodes.shape == world.nodes.shape
    assert numpy.abs(slopes["nodes"] - nodes).max() < 0.02 * numpy.abs(nodes).max()
    assert numpy.abs(slopes["poses"][:, 3] - velocities).max() < 0.02 * numpy.abs(velocities).max()
    assert world.velocity("handle") == pytest.approx((3, 0, 0))


def test_contacts():
    world = make(PILE)
    world.advance(0.5)
    weight = 500 * 0.4**3 * 9.81
    loads = {}
    for contact in world.contacts():
        pair = frozenset((contact.a, contact.b))
        loads[pair] = loads.get(pair, 0) + contact.force
        assert abs(contact.normal[1]) == pytest.approx(1) and abs(contact.gap) < 1e-3 and contact.a in repr(contact)
    assert loads[frozenset(("lower", "upper"))] == pytest.approx(weight, rel=0.01)
    assert loads[frozenset(("ground", "lower"))] == pytest.approx(2 * weight, rel=0.01)
    assert world.layers() == [0, 1, 2] and world.scene.body_names == ["ground", "lower", "upper"]


def test_hands_pull_and_release():
    world = make(PILE)
    world.grab("upper", target=(1, 2, 0))
    assert world.hands == ["upper"]
    world.advance(2)
    assert numpy.linalg.norm(world.origin("upper") - (1, 2, 0)) < 0.2
    world.release("upper")
    assert world.hands == []
    world.advance(2.2)
    assert world.velocity("upper")[1] < -1
    with pytest.raises(ValueError):
        world.grab("ground", target=(0, 0, 0))
    with pytest.raises(KeyError):
        world.grab("hat", target=(0, 0, 0))
    with pytest.raises(ValueError):
        world.grab("upper", target=(0, math.nan, 0))


def test_parameters_of_a_running_world():
    world = make(PENDULUM)
    world.advance(0.5)
    angle, rate = world.coordinates[0], world.rates[0]
    world.set_parameters({"length": 2})
    assert world.time == 0.5 and world.scene.parameters == {"length": 2}
    assert (world.coordinates[0], world.rates[0]) == (angle, rate)
    assert numpy.linalg.norm(world.origin("bob")) == pytest.approx(2)
    with pytest.raises(sinew.SceneError):
        world.set_parameters({"width": 2})
    other = make("param n = 2 [1..5];\ndef bob mass(1); end;\nfor i in 1..n b[i] = bob translatex(i); end;\n")
    with pytest.raises(ValueError, match="other parts"):
        other.set_parameters({"n": 3})
    assert len(other.scene.names) == 3


def test_friction_changes_in_flight():
    slides = []
    for grip in (None, 0):
        world = make(PILE.replace("gravity", ""))
        world.set_body("lower", velocity=(1, 0, 0))
        if grip is not None:
            world.set_parameters({"grip": grip})
        world.advance(1)
        slides.append(world.origin("lower")[0])
    assert slides[0] < 0.3 < slides[1]


def test_the_state_is_set():
    world = make(PENDULUM)
    world.set_state(coordinates={"theta": 0.25}, rates={"theta": -1})
    assert world.coordinates == pytest.approx([0.25]) and world.rates == pytest.approx([-1])
    with pytest.raises(KeyError):
        world.set_state(rates={"phi": 1})
    with pytest.raises(ValueError):
        world.set_state(rates={"theta": math.inf})
    pile = make(PILE)
    pile.set_body("upper", position=(0, 3, 0), orientation=(0, 0, 1, 1), velocity=(1, 0, 0), spin=(0, 2, 0))
    body = pile.bodies()[1]
    assert body.position == pytest.approx((0, 3, 0)) and body.orientation == pytest.approx((0, 0, 0.5**0.5, 0.5**0.5))
    assert body.velocity == pytest.approx((1, 0, 0)) and body.spin == pytest.approx((0, 2, 0))
    with pytest.raises(ValueError, match="not a free body"):
        pile.set_body("ground", position=(0, 0, 0))


def push(time, coordinates, rates):
    return 4 * time


@pytest.mark.parametrize("text", [PENDULUM, PILE, ALL])
def test_copies_and_pickles_go_on_bit_for_bit(text):
    world = make(text)
    world.advance(0.1)
    if "grip" in text:
        world.set_parameters({"grip": 0.2})
        world.grab("upper", target=(0.1, 1, 0))
    world.advance(0.15)
    others = [world.copy(), copy.copy(world), copy.deepcopy(world), pickle.loads(pickle.dumps(world))]
    assert {other.hash() for other in others} == {world.hash()}
    world.advance(0.3)
    for other in others:
        other.advance(0.3)
        assert other.hash() == world.hash() and other.time == world.time
        assert other.hands == world.hands and other.scene.fingerprint == world.scene.fingerprint


def test_scenes_carry_their_files(tmp_path):
    (tmp_path / "part.charli").write_text("def bob mass(3); end;\n")
    (tmp_path / "main.charli").write_text('include "part.charli";\nbob;\n')
    scene = sinew.load(tmp_path / "main.charli")
    bytes_ = pickle.dumps(scene)
    (tmp_path / "part.charli").unlink()
    again = pickle.loads(bytes_)
    assert again.fingerprint == scene.fingerprint and again.names == scene.names
    assert sinew.parse('include "part.charli";\nbob;\n', folder=_written(tmp_path / "more")).names == scene.names


def _written(folder):
    folder.mkdir()
    (folder / "part.charli").write_text("def bob mass(3); end;\n")
    return folder


def test_imports_are_pickled_with_the_world():
    text = "import push;\ndynamic x;\nx = initial(0, 0);\ndef cart mass(2); end;\ncart translatex(x);\ntorque(x, push);\n"
    world = pickle.loads(pickle.dumps(make(text, imports={"push": push})))
    world.advance(1)
    assert world.coordinates[0] == pytest.approx(1 / 3, rel=1e-6)  # x'' = 2 t


def swung(world):
    world.advance(0.25)
    return world.hash()


def test_worlds_in_other_processes():
    worlds = [make(PENDULUM) for _ in range(2)]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(swung, worlds) == [swung(world) for world in worlds]


def test_errors_are_pickled():
    with pytest.raises(sinew.SceneError) as caught:
        sinew.parse("bob;\n")
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.problems[0].line == 1 and again.problems[0].what == caught.value.problems[0].what


def test_a_batch_is_as_many_worlds():
    lengths = [0.5, 1, 1.5, 2, 2.5]
    scene = sinew.parse(PENDULUM)
    batch = sinew.Batch.of(scene, [{"length": length} for length in lengths], threads=3)
    for _ in range(3):
        assert all(batch.step())
    for world, length in zip(batch, lengths):
        alone = sinew.World(scene.with_parameters({"length": length}))
        for _ in range(3):
            alone.step()
        assert alone.hash() == world.hash()
    assert batch.coordinates.shape == (5, 1) and batch.poses.shape[0] == 5 and batch.stack("velocities").shape == (5, 3, 3)
    kept = batch.snapshots()
    batch.advance(1)
    batch.restore(kept)
    assert [world.time for world in batch] == pytest.approx([0.125] * 5)
    with pytest.raises(ValueError):
        batch.advance(0)
    with pytest.raises(RuntimeError, match="another thread"):
        sinew.Batch([batch[0], batch[0]], threads=2).step()


def test_they_describe_themselves():
    world = make(PENDULUM)
    report = world.step()
    assert repr(world.scene) == "<Scene script: 2 objects, 1 coordinate>"
    assert "at 0.0416667 s" in repr(world) and "steps" in repr(report)
    assert "<td>theta</td>" in world.scene._repr_html_() and "residual" in report._repr_html_()
    assert "2 worlds" in repr(sinew.Batch([world, world.copy()]))


def test_a_view_has_shapes():
    view = make(PILE).view(seconds=0.1)
    kinds = [each["kind"] for each in view.elements]
    assert kinds.count("box") == 2 and "plane" in kinds and len(view.frames) == 3
    assert "view.js" not in view.html and "createRadialGradient" in view.html


def python_blocks(page):
    """The Python of a page as one program."""
    text, blocks = (ROOT / page).read_text(), []
    for part in text.split("```python\n")[1:]:
        blocks.append(part.split("```")[0])
    return "\n".join(blocks)


PAGES = ["docs/guide/python.md", "docs/guide/tutorials/plot.md"]


@pytest.mark.parametrize("page", PAGES)
def test_the_guide_runs(page, tmp_path):
    program = tmp_path / "guide.py"
    program.write_text("import matplotlib\nmatplotlib.use('Agg')\n" + python_blocks(page))
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    path = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run([sys.executable, program], cwd=tmp_path, env={**os.environ, "PATH": path, "HOME": str(tmp_path)}, capture_output=True, text=True,
                          timeout=250, check=False)
    assert done.returncode == 0, done.stderr


def test_the_guide_is_typed(tmp_path):
    files = []
    for page in PAGES:
        files.append(tmp_path / f"{pathlib.Path(page).stem}_guide.py")
        files[-1].write_text(python_blocks(page))
    files.append(ROOT / "examples/python/cart_pole.py")
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", *files], cwd=tmp_path, capture_output=True,
                          text=True, timeout=250, check=False)
    assert done.returncode == 0, done.stdout


def test_gymnasium_accepts_the_cart():
    sys.path.insert(0, str(ROOT / "examples/python"))
    from cart_pole import CartPole
    from gymnasium.utils.env_checker import check_env
    check_env(CartPole(), skip_render_check=True)
    done = subprocess.run([sys.executable, ROOT / "examples/python/cart_pole.py"], capture_output=True, text=True, timeout=100, check=True)
    assert done.stdout == "10 s upright\n"
