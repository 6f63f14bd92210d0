#!/usr/bin/env python3
"""A sweep and a shot in parts on a disk that other machines could share: network_test.py SINEW

The kernel's NFS cannot be mounted everywhere; a folder behind FUSE (bindfs), the kind of file system that sshfs and GlusterFS are, stands for
it: Sinew takes both for shared disks. Every call is traced: on the shared disk nothing is locked, recordings are never written in place, and
what has a final name came there by renaming. Skips itself, with status 77, without bindfs, strace or root."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import chaos

GRASS = """\
def tuft(bend)
  blade = strand(spline(0,0,0, 0,0.2,0, bend,0.5,0, bend,0.9,0.1), segments = 8);
  radius(2 mm); density(300); young(1e7); damping(0.05);
end;
for i in 1..8
  t[i] = tuft(0.02 * i) translatex(i);
end;
simulate(0 sec, 0.25 sec, step = 1 / 96);
"""
CALLS = "openat,open,creat,fcntl,flock,rename,renameat,renameat2"


def traced(sinew, folder, log, *words):
    done = subprocess.run(["strace", "-f", "-y", "-o", str(log), "-e", f"trace={CALLS}", sinew, *words], cwd=folder, capture_output=True, text=True,
                          timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return judge(log.read_text(), str(folder))


def judge(trace, folder):
    """How many files were renamed into their places; fails on locks and on what is written in place."""
    renamed = 0
    for line in trace.splitlines():
        if re.search(r"F_(OFD_)?SETLKW?\b|\bflock\(", line):
            assert folder + "/" not in line, f"a lock on the shared disk: {line}"
        written = re.search(r'open(?:at)?\([^"]*"([^"]+)", [A-Z_|]*(?:O_WRONLY|O_RDWR)', line)
        if written and written[1].startswith(folder + "/"):
            assert written[1].endswith((".new", ".log")), f"written in place: {line}"
        moved = re.search(r'rename(?:at2?)?\(.*"([^"]+)".*"([^"]+)".*= 0', line)
        renamed += bool(moved and moved[2].startswith(folder + "/"))
    return renamed


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if not shutil.which("bindfs") or not shutil.which("strace") or os.geteuid() != 0 or not os.path.exists("/dev/fuse"):
        print("no bindfs, strace or root here: skipped")
        sys.exit(77)
    sinew = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory(prefix="sinew-net-") as name:
        below, shared, log = (pathlib.Path(name, each) for each in ("below", "shared", "trace"))
        below.mkdir()
        shared.mkdir()
        subprocess.run(["bindfs", str(below), str(shared)], check=True)
        try:
            (shared / "swing.charli").write_text(chaos.SCRIPT)
            (shared / "grass.charli").write_text(GRASS)
            renamed = traced(sinew, shared, log, "sweep", "swing.charli", "-D", "length=1,2,3", "--jobs", "1", "-o", "s")
            words = ["run", "grass.charli", "--part"]
            renamed += sum(traced(sinew, shared, log, *words, f"{part}/2") for part in (1, 2))
            renamed += traced(sinew, shared, log, "join", "grass.part1of2.sinew", "grass.part2of2.sinew", "-o", "joined.sinew")
            renamed += traced(sinew, shared, log, "info", "--check", "joined.sinew")
            left = sorted(p.name for p in shared.rglob("*") if p.is_file() and not p.name.endswith((".sinew", ".json", ".log", ".csv", ".db", ".charli")))
            assert left == [], f"left over: {left}"
        finally:
            subprocess.run(["umount", str(shared)], check=False)
    print(f"network: a sweep, two parts and their join over FUSE: no lock, nothing written in place, {renamed} files renamed into their places")


main()
