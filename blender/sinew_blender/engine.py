"""The program in a child process: Blender goes on meanwhile."""
import json
import pathlib
import shutil
import subprocess


def find_program(wanted=""):
    """The program's path, or None."""
    return shutil.which(wanted or "sinew")


class Job:
    """`sinew run`, then `sinew export`. Call `poll` now and then; `status` is for people."""

    def __init__(self, program, script, folder, fps, seconds=0.0):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        stem = pathlib.Path(script).stem
        self.recording, self.result = self.folder / f"{stem}.sinew", self.folder / f"{stem}.glb"
        self.log = self.folder / f"{stem}.log"
        run = [program, "run", str(script), "--out", str(self.recording), "--fps", str(fps), "--colour", "never"]
        self.commands = [run + (["--seconds", str(seconds)] if seconds > 0 else []),
                         [program, "export", str(self.recording), str(self.result), "--colour", "never"]]
        self.program, self.status, self.error = program, "starting", ""
        self.process = None
        self._start()

    def _start(self):
        with open(self.log, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(self.commands.pop(0), stdout=log, stderr=subprocess.STDOUT)

    def poll(self):
        """True when there is nothing to wait for: done, or `error` says why not."""
        code = self.process.poll()
        if code is None:
            self.status = f"simulating: {self.frame_count()} frames in the cache" if self.commands else "writing the result"
            return False
        if code == 3 and self.commands:  # stopped early: what there is, is good
            self.status = "stopped early"
        elif code != 0:
            self.error = self.log.read_text(encoding="utf-8")[-2000:]
            self.status = "failed"
            return True
        if self.commands:
            self._start()
            return False
        self.status = f"{self.frame_count()} frames in the cache"
        return True

    def wait(self):
        while not self.poll():
            try:
                self.process.wait(timeout=0.2)
            except subprocess.TimeoutExpired:
                pass

    def stop(self):
        """The recording keeps what it has."""
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait()
        self.commands, self.error, self.status = [], "stopped by you", "stopped"

    def frame_count(self):
        return count_frames(self.program, self.recording)


def count_frames(program, recording):
    """How many frames a recording has; 0 when there is none yet."""
    if not pathlib.Path(recording).exists():
        return 0
    said = subprocess.run([program, "info", "--json", str(recording)], capture_output=True, text=True, check=False)
    return json.loads(said.stdout)["frames"] if said.returncode == 0 else 0
