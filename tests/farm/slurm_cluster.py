"""A real Slurm on this machine for as long as a test needs it: two nodes by configuration, nothing of the system's is touched.

Needs root and Debian's slurm-wlm. Everything lies in one folder; the daemons are ended by their process numbers."""
import os
import pathlib
import socket
import subprocess
import tempfile
import time

CONFIG = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
AuthType=auth/none
CredType=cred/none
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=0
ReturnToService=2
KillWait=5
MinJobAge=300
JobRequeue=1
RequeueExit=
SlurmdTimeout=30
AccountingStorageType=accounting_storage/none
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={first} CPUs=2 State=UNKNOWN
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={second} CPUs=2 State=UNKNOWN
PartitionName=test Nodes=n[1-2] Default=YES MaxTime=10 State=UP OverSubscribe=NO
"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Cluster:
    def __init__(self):
        self.holder = tempfile.TemporaryDirectory(prefix="sinew-slurm-")
        self.folder = pathlib.Path(self.holder.name)
        self.config = self.folder / "slurm.conf"
        self.environment = {**os.environ, "SLURM_CONF": str(self.config)}
        self.daemons = []

    def __enter__(self):
        (self.folder / "state").mkdir()
        host = socket.gethostname().split(".")[0]
        self.config.write_text("\n".join(line for line in CONFIG.format(
            host=host, folder=self.folder, port=free_port(), first=free_port(), second=free_port()).splitlines() if not line.endswith("=")) + "\n")
        (self.folder / "cgroup.conf").write_text("CgroupAutomount=no\n")
        self.start("slurmctld", "-D", "-f", str(self.config))
        for node in ("n1", "n2"):
            (self.folder / f"spool-{node}").mkdir()
            self.start("slurmd", "-D", "-N", node, "-f", str(self.config))
        self.wait_until_idle()
        return self

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(timeout=20)
            except subprocess.TimeoutExpired:
                daemon.kill()
        self.holder.cleanup()

    def start(self, *words):
        log = open(self.folder / f"{words[0]}-{len(self.daemons)}.out", "wb")
        self.daemons.append(subprocess.Popen(words, stdout=log, stderr=log, env=self.environment))

    def run(self, *words, timeout=60):
        return subprocess.run(words, capture_output=True, text=True, env=self.environment, timeout=timeout)

    def wait_until_idle(self, limit_s=60):
        for _ in range(limit_s * 5):
            state = self.run("sinfo", "--noheader", "--Node", "--format=%t").stdout.split()
            if state == ["idle", "idle"]:
                return
            time.sleep(0.2)
        said = "\n".join(p.read_text(errors="replace")[-2000:] for p in self.folder.glob("*.out"))
        raise RuntimeError(f"Slurm did not start: {state}\n{said}")
