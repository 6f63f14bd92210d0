"""The program in a child process: Blender goes on meanwhile."""
import json
import pathlib
import shutil
import subprocess


def find_program(wanted=""):
    """The program's path, or None."""
    return shutil.which(wanted or "sinew")


class Job:
    """`sinew run`, then `sinew export`. Call `poll` regularly; `status` is for people. `strands` has of each strand of a selection its def, its number and its curve object."""

    def __init__(self, program, script, folder, fps, strands=()):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        stem = pathlib.Path(script).stem
        self.recording, self.result, self.table = (self.folder / f"{stem}.{end}" for end in ("sinew", "glb", "csv"))
        self.strands = list(strands)
        self.log = self.folder / f"{stem}.log"
        run = [program, "run", str(script), "--out", str(self.recording), "--fps", str(fps), "--colour", "never"]
        self.commands = [run, *([program, "export", str(self.recording), str(out), "--colour", "never"]
                                for out in (self.result, *([self.table] if self.strands else [])))]
        self.program, self.status, self.error = program, "starting", ""
        self.process, self.is_exporting = None, False
        self._start()

    def _start(self):
        self.is_exporting = self.commands[0][1] == "export"
        with open(self.log, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(self.commands.pop(0), stdout=log, stderr=subprocess.STDOUT)

    def poll(self):
        """True when there is nothing to wait for: done, or `error` says why not."""
        code = self.process.poll()
        if code is None:
            self.status = "writing the result" if self.is_exporting else f"simulating: {self.frame_count()} frames in the cache"
            return False
        if code == 3 and self.commands:  # stopped early: the frames before are good
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
