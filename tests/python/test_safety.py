"""No call from Python ends the process: wrong shapes, numbers that are none, objects that were never made, threads, and plain junk."""
import math
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time

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


# A step that no clock runs out of, and a start of very many coordinates.
SLOW_FRAME = "def crate body(density = 1); box(1, 1, 1); end;\ncrate;\nsimulate(0 sec, 1 sec, step = 1e-8);\n"
SLOW_START = "def bob mass(1); end;\n" + "".join(
    f"dynamic q{k}; q{k} = initial(0, 0); bob translatex({k}) translatey(q{k}); spring_and_damper(q{k}, 0, 9, 0);\n" for k in range(3000)) + "simulate(0 sec, 1000 sec);\n"


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
    tension, bending, twist = world.section("rope").T
    assert len(tension) == len(world.rod("rope")) == len(world.sections)
    assert tension[0] == pytest.approx(force[1], rel=0.01) and abs(tension[-1]) < 0.01 * tension[0]
    assert numpy.allclose(twist, 0, atol=1e-9)
    with pytest.raises(KeyError):
        world.section("string")


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


COMMAS = """
import locale, sinew
locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
assert locale.localeconv()["decimal_point"] == ","
scene = sinew.parse("param gust = 1;\\ndef bob mass(1); end;\\nbob translatex(gust + 0.5);\\n", parameters={"gust": 2.25})
assert sinew.World(scene).origin("bob")[0] == 2.75
"""


def test_a_host_program_with_decimal_commas(tmp_path):
    """Qt sets the locale of the person."""
    if not shutil.which("localedef") or not pathlib.Path("/usr/share/i18n/locales/de_DE").exists():
        pytest.skip("no locale can be made here")
    subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", tmp_path / "de_DE.UTF-8"], check=True, capture_output=True)
    done = subprocess.run([sys.executable, "-c", COMMAS], env={**os.environ, "LOCPATH": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


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


def test_a_recording_whose_frames_are_of_another_script(tmp_path):
    path, program = tmp_path / "a.sinew", ROOT / "build/release/bin/sinew"
    (tmp_path / "a.charli").write_text(BOB + "line(0, 0, 0, 1, 1, 0);\nsimulate(0 sec, 0.1 sec);\n")
    subprocess.run([program, "run", "a.charli", "--out", path, "-q"], cwd=tmp_path, check=True)
    with sqlite3.connect(path) as file:
        file.execute("DELETE FROM meta WHERE key LIKE 'checksum%'")
        file.execute("DELETE FROM drawings")
    file.close()
    with pytest.raises(sinew.SceneError, match="frame"):
        sinew.Recording(str(path)).film(count=2, width=16, height=16, samples=1)


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


def run_child(code, *arguments, **more):
    return subprocess.Popen([sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler), **more)


INTERRUPTED = """
import resource, sys, sinew
spent = lambda: sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
text = sys.stdin.read()
print("ready", flush=True)
try:
    sinew.World(sinew.parse(text), threads=int(sys.argv[1])).advance(1e6)
except KeyboardInterrupt:
    print("interrupted", flush=True)
world = sinew.World(sinew.parse("def bob mass(1); end;\\nbob;\\n"))
print("alive" if world.step() else "dead", flush=True)
"""


def processor_s(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("text", [SLOW_FRAME, SLOW_START])
def test_control_c_ends_a_computation_within_a_second(text, threads):
    child = run_child(INTERRUPTED, str(threads), stdin=subprocess.PIPE)
    child.stdin.write(text)
    child.stdin.close()
    assert child.stdout.readline() == "ready\n"
    time.sleep(1)
    before, begin = processor_s(child.pid), time.monotonic()
    child.send_signal(signal.SIGINT)
    assert child.stdout.readline() == "interrupted\n"
    clock, spent = time.monotonic() - begin, processor_s(child.pid) - before
    print(f"Ctrl-C to KeyboardInterrupt: {clock:.2f} s on the clock, {spent:.2f} s of the processor")
    assert child.stdout.readline() == "alive\n"
    child.stdout.close(), child.stderr.close()
    assert child.wait(60) == 0
    assert spent < 1 and clock < 15  # of a machine that may be very busy


STARVED = """
import re, resource, sinew
def limit(more):
    size = int(re.search(r"VmSize:\\s+(\\d+)", open("/proc/self/status").read())[1]) << 10
    resource.setrlimit(resource.RLIMIT_AS, (size + more if more else resource.RLIM_INFINITY, resource.RLIM_INFINITY))
def starve(act):
    limit(4 << 20)
    try:
        act()
        print("enough")
    except MemoryError:
        print("MemoryError")
    limit(0)
    assert small.step()
small = sinew.World(sinew.parse("def bob mass(1); end;\\nbob;\\n"))
small.step()
crates = "def crate body(density = 1); box(1, 1, 1); end;\\nfor k in 1..%d crate translatey(0.9 * k); end;\\nsimulate(0 sec, 1 sec);\\n"
scene = sinew.parse(crates % 20000)
starve(lambda: sinew.World(scene))
world = sinew.World(sinew.parse(crates % 20000))
starve(lambda: world.advance(0.1))  # within a step
print("alive")
"""


def test_too_little_memory_is_a_memory_error():
    child = run_child(STARVED, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
    out, err = child.communicate(timeout=250)
    assert child.returncode == 0, err[-2000:]
    assert out.split() == ["MemoryError"] * 2 + ["alive"]
