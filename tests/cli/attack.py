"""What campaigns of attacks share: scripts, calls of the program, and the table at the end.

COUNT is how many random cases each campaign tries; SINEW_SEED repeats them.
"""
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TRIED = {}  # what each campaign tried, and how often
SEED = int(os.environ.get("SINEW_SEED", random.SystemRandom().randrange(2**31)))
LIMIT_S = 120

CRATE = """\
def floor_plane obstacle(); plane(0, 1, 0, 0); end;
def crate body(density = 1); box(1, 1, 1); end;
floor_plane;
crate translatey(2);
line(0, 0, 0, 1, 1, 0);
simulate(0 sec, 1 sec);
"""
ROPE = """\
def rope rod(line(0, 0, 0, 1, 0, 0), spans = 8, radius = 0.01, density = 500, young = 1e6); end;
rope;
simulate(0 sec, 0.5 sec);
"""
# Rows of a spring and of all contacts of the wall it leans on: one step takes many seconds.
WALL = """\
def ground obstacle(); plane(0, 1, 0, 0); end;
def brick body(density = 1800); box(0.2, 0.1, 0.1); end;
def post label(); end;
ground;
p = post translate(0, 2, 0);
first = brick translate(0, 0.05, 0);
spring_and_damper(first, p, 1.95, 10000, 10); # stiff enough to join the wall to the rows
for k in 1..7 brick translate(0.2 * k, 0.05, 0); end;
for row in 1..5
    for k in 0..7 brick translate(0.2 * k + 0.1 * mod(row, 2), 0.05 + 0.1 * row, 0); end;
end;
simulate(0 sec, 200 sec, step = 1/240);
"""
# A step that no clock runs out of: every frame takes millions of them.
SMALL_STEPS = CRATE.replace("simulate(0 sec, 1 sec)", "simulate(0 sec, 1 sec, step = 1e-8)")
STRAND = "def s strand(line(0, 0, 0, 1, 0, 0), segments = 20); young(1e6); air_drag(0.001, 0.02); end;\nhair = s;\n"
END = "\nsimulate(0 sec, 1 sec);\n"
# What cannot go on, or only with great effort.
HOPELESS = {"out of reach": STRAND + "position_constraint(hair at 1 along, point(3, 0, 0));" + END,
            "in one place": STRAND + "s;\nstrands(touch = each_other);" + END,
            "heavy": STRAND + "gravity(0, -2e9, 0);\nsettle();" + END,
            "wind": STRAND + "wind(1e18, 0, 0) on hair;" + END,
            "fast balls": CRATE.replace("crate translatey(2);", "for k in 0..19 crate translatey(0.9 * k) velocity(2e9, -2e9, 0); end;")}


def spent_s(process):
    """Of the processor, by all of its threads."""
    with open(f"/proc/{process.pid}/stat") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def name_of(case):
    """A campaign's, in words."""
    return case.id().split(" ")[0].split(".")[-1].removeprefix("test_").replace("_", " ")


class Attack(unittest.TestCase):
    program = ""
    count = 12

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sinew-attacks-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.random = random.Random(SEED)

    def tearDown(self):
        TRIED.setdefault(name_of(self), 1)

    def cases(self, count):
        """Their numbers, and a line in the table at the end."""
        TRIED[name_of(self)] = count
        return range(count)

    def sinew(self, *arguments, status=None, env=None, limit=None, **more):
        done = subprocess.run([self.program, *map(str, arguments)], cwd=self.folder, capture_output=True, timeout=LIMIT_S,
                              env={**os.environ, **(env or {})}, preexec_fn=limit, **more)
        text = (done.stdout + done.stderr).decode(errors="replace")
        self.assertIn(done.returncode, (0, 1, 2, 3), f"{arguments}: {done.returncode}\n{text}")
        if status is not None:
            self.assertEqual(done.returncode, status, f"{arguments}\n{text}")
        return text

    def record(self, script, name="r.sinew", *options):
        (self.folder / "s.charli").write_text(script)
        self.sinew("run", "s.charli", "--out", name, *options, status=0)
        return self.folder / name

    def change(self, path, *statements, forges=True):
        """As a stranger would: without the checksums, which older versions did not write."""
        with sqlite3.connect(path) as file:
            if forges:
                file.execute("DELETE FROM meta WHERE key LIKE 'checksum%'")
            for statement in statements:
                file.execute(statement)
        file.close()


def main():
    """SINEW [COUNT] [TEST...]"""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background and nohup ignore these two, and so would all that is started here
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    Attack.program = str(pathlib.Path(sys.argv[1]).resolve())
    words = sys.argv[2:]
    Attack.count = next((int(word) for word in words if word.isdigit()), Attack.count)
    print(f"seed {SEED} (SINEW_SEED={SEED} repeats it)", flush=True)
    result = unittest.main(argv=[sys.argv[0], *(word for word in words if not word.isdigit())], exit=False).result
    fallen = [name_of(getattr(case, "test_case", case)) for case, _ in result.failures + result.errors]
    for name, count in sorted(TRIED.items()):
        print(f"{name:60s} {count:6d} tried, {fallen.count(name)} fell")
    print(f"{'in all':60s} {sum(TRIED.values()):6d} tried, {len(fallen)} fell")
    sys.exit(0 if result.wasSuccessful() else 1)
