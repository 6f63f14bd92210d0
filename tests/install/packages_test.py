#!/usr/bin/env python3
"""What ./dev package made: packages_test.py FOLDER. The archive runs in a root with nothing but C's and C++'s libraries, the .deb in one
with the libraries of the packages it names, the wheel in an environment with nothing but Python; none with a compiler or a shell."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

FOLDER = pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
ALWAYS = ("libc6", "libgcc-s1", "libstdc++6")  # every Debian has these


def run(*words, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=300, check=False, **more)
    assert done.returncode == 0, (words, done.stdout[-2000:], done.stderr[-2000:])
    return done.stdout


def needed_packages(names):
    """With all that they need themselves, as installed here."""
    known, waiting = set(), list(names)
    while waiting:
        name = waiting.pop()
        if name in known:
            continue
        known.add(name)
        for field in run("dpkg-query", "-W", "-f", "${Depends}, ${Pre-Depends}", name).split(","):
            first = re.match(r"\s*([a-z0-9.+-]+)", field)
            if first and ("lib" in first[1] or first[1].endswith("-base")):
                waiting.append(first[1])
    return known


def copy_libraries(packages, root):
    for name in packages:
        for line in run("dpkg-query", "-L", name).splitlines():
            path = pathlib.Path(line)
            if ".so" in path.name and (path.is_symlink() or path.is_file()):
                real = pathlib.Path(os.path.realpath(path.parent)) / path.name  # /lib is /usr/lib
                to = root / real.relative_to("/")
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, to, follow_symlinks=False)


def may_change_root():
    inside = ("unshare", "--map-root-user", "--user") if os.getuid() else ()
    return subprocess.run([*inside, "/usr/sbin/chroot", "/", "/bin/true"], capture_output=True, check=False).returncode == 0


MAY_CHANGE_ROOT = may_change_root()


class PackagesTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name) / "root"
        for name in ("usr/lib", "usr/lib64", "tmp", "dev"):
            (self.root / name).mkdir(parents=True)
        for name in ("lib", "lib64"):
            (self.root / name).symlink_to(f"usr/{name}")

    def demo(self, program, *names):
        """In the root alone: no shell, no other program. There is no /proc, which tells where a program is."""
        inside = ("/usr/bin/unshare", "--map-root-user", "--user") if os.getuid() else ()
        run(*inside, "/usr/sbin/chroot", self.root, program, "demo", *names, "--no-view", "--folder", "/tmp/demo",
            env={"PATH": "", "HOME": "/tmp", "LC_ALL": "C", "LD_ORIGIN_PATH": str(pathlib.Path(program).parent)})
        made = {path.suffix for path in (self.root / "tmp/demo").rglob("*")}
        self.assertLessEqual({".sinew", ".png"}, made)

    @staticmethod
    def wheel():
        """The one for this Python."""
        tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
        return next((path for path in FOLDER.glob("sinew-*.whl") if f"-{tag}-" in path.name), next(FOLDER.glob("sinew-*abi3*.whl"), None))

    def unpacked(self):
        """The folder of each package, with its notices."""
        archive, deb, wheel = (self.root / name for name in ("archive", "deb", "wheel"))
        archive.mkdir()
        run("tar", "-xzf", next(FOLDER.glob("sinew-*.tar.gz")), "-C", archive)
        run("dpkg-deb", "-x", next(FOLDER.glob("sinew_*.deb")), deb)
        found = {"archive": next(archive.glob("*/share/doc/sinew")), "deb": deb / "usr/share/doc/sinew"}
        if self.wheel():
            zipfile.ZipFile(self.wheel()).extractall(wheel)
            found["wheel"] = wheel / "sinew"
        return found

    def test_packages_say_what_they_carry_of_others(self):
        for kind, papers in self.unpacked().items():
            with self.subTest(kind):
                carried = {part["name"] for part in json.loads((papers / "sbom.spdx.json").read_text())["packages"]}
                self.assertLessEqual({"sinew", "libfmt9", "libtbb12", "libeigen3-dev", "three"}, carried)
                notices = (papers / "third-party-notices.txt").read_text()
                for name in carried - {"sinew"}:
                    self.assertIn(name, notices)

    def test_every_package_has_its_checksum(self):
        run("sha256sum", "--check", "--quiet", "SHA256SUMS", cwd=FOLDER)
        summed = {line.split()[1] for line in (FOLDER / "SHA256SUMS").read_text().splitlines()}
        self.assertEqual(summed, {path.name for path in FOLDER.glob("sinew[-_]*")})

    def test_no_package_says_where_and_when_it_was_made(self):
        date = int(run("git", "log", "-1", "--format=%ct", cwd=ROOT))
        for kind, papers in self.unpacked().items():
            for path in (p for p in next(p for p in papers.parents if p.name == kind).rglob("*") if p.is_file() and not p.is_symlink()):
                with self.subTest(kind, file=path.name):
                    self.assertFalse(bytes(ROOT) in path.read_bytes())
                    if kind != "wheel":
                        self.assertLessEqual(path.stat().st_mtime, date)

    def test_the_program_is_hardened_and_loads_nothing_from_here(self):
        run("tar", "-xzf", next(FOLDER.glob("sinew-*.tar.gz")), "-C", self.root)
        dynamic = run("readelf", "-dW", next(self.root.glob("*/bin/sinew")))
        self.assertIn("BIND_NOW", dynamic)
        self.assertRegex(dynamic, r"R(UN)?PATH.*\[\$ORIGIN/../lib/sinew\]")

    @unittest.skipUnless(MAY_CHANGE_ROOT, "no other root may be entered here")
    def test_the_archive_brings_its_libraries(self):
        copy_libraries(ALWAYS, self.root)
        run("tar", "-xzf", next(FOLDER.glob("sinew-*.tar.gz")), "-C", self.root)
        program = next(self.root.glob("*/bin/sinew"))
        self.demo(f"/{program.relative_to(self.root)}")
        program.parents[1].rename(self.root / "elsewhere")
        shutil.rmtree(self.root / "tmp/demo")
        self.demo("/elsewhere/bin/sinew", "tentacle")  # with what its script reads

    @unittest.skipUnless(MAY_CHANGE_ROOT, "no other root may be entered here")
    def test_the_deb_names_what_it_needs(self):
        package = next(FOLDER.glob("sinew_*.deb"))
        needs = re.findall(r"([a-z0-9.+-]+) \(", run("dpkg-deb", "-f", package, "Depends"))
        self.assertIn("libc6", needs)
        copy_libraries(needed_packages(needs), self.root)
        run("dpkg-deb", "-x", package, self.root)
        self.demo("/usr/bin/sinew")

    def test_the_wheel_has_the_package_and_its_types(self):
        names = zipfile.ZipFile(self.wheel()).namelist()
        for name in ("sinew/__init__.py", "sinew/_sinew.pyi", "sinew/py.typed", "sinew/view.js", "sinew/bin/sinew"):
            self.assertIn(name, names)
        self.assertTrue(any(name.startswith("sinew/_sinew.") and name.endswith(".so") for name in names))

    def test_the_wheel_installs_into_an_empty_environment(self):
        place = pathlib.Path(self.folder.name)
        run(sys.executable, "-m", "venv", place / "empty")
        python = place / "empty/bin/python"
        run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", self.wheel())
        said = run(python, "-c", "import sinew; w = sinew.World(sinew.parse('def m mass(1); end; m;')); w.step(); print(w.time)",
                   cwd=place)
        self.assertAlmostEqual(float(said), 1 / 24)
        # The program that comes with it needs nothing but the wheel.
        bare = {"PATH": "/usr/bin:/bin", "HOME": str(place), "LC_ALL": "C"}
        run(place / "empty/bin/sinew", "demo", "--no-view", "--folder", place / "demo", env=bare)
        self.assertLessEqual({".sinew", ".png"}, {path.suffix for path in (place / "demo").iterdir()})
        needed = run("ldd", next((place / "empty").glob("lib/python*/site-packages/sinew/bin/sinew")))
        for name in ("libtbb", "libembree", "libsundials_ida"):
            self.assertRegex(needed, rf"{name}\S* => \S*sinew\.libs")


if __name__ == "__main__":
    unittest.main()
