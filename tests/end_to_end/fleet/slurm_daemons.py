"""Slurm's own daemons on this machine, without systemd: munged, slurmctld and one slurmd with a made-up resource."""

import os
import shutil
import subprocess
import time
from pathlib import Path

NEEDED = ("munged", "slurmctld", "slurmd", "srun", "scontrol")
SBIN = "/usr/sbin"

CONF = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control}
SlurmdPort={work}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
SlurmUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MpiDefault=none
GresTypes=chip
Licenses=seat:1
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} Gres=chip:1 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def missing() -> list[str]:
    return [name for name in NEEDED if shutil.which(name, path=f"{os.environ.get('PATH', '')}:{SBIN}") is None]


class Slurm:
    """folder: of everything that it writes. Raises: AssertionError when a daemon does not come up."""

    def __init__(self, folder: Path, control: int, work: int) -> None:
        self.folder = folder
        host = os.uname().nodename
        for name in ("state", "spool"):
            (folder / name).mkdir()
        words = CONF.format(host=host, folder=folder, control=control, work=work, cpus=os.cpu_count())
        (folder / "slurm.conf").write_text(words)
        (folder / "gres.conf").write_text(f"NodeName={host} Name=chip Count=1\n")
        key = folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        self.environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}
        self.processes: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        socket = self.folder / "munge.socket"
        self._run("munged", "--foreground", "--force", f"--key-file={self.folder}/munge.key", f"--socket={socket}",
                  f"--pid-file={self.folder}/munged.pid", f"--seed-file={self.folder}/munge.seed",
                  f"--log-file={self.folder}/munged.log")  # fmt: skip
        self._until(socket.exists, "munged")
        self._run("slurmctld", "-D")
        self._run("slurmd", "-D")
        self._until(self._idle, "slurmd")

    def _idle(self) -> bool:
        said = subprocess.run(
            ["scontrol", "show", "node"], env=self.environment, capture_output=True, text=True, check=False
        )
        return "State=IDLE" in said.stdout

    def _run(self, *words: str) -> None:
        with (self.folder / f"{words[0]}.said").open("ab") as said:
            self.processes.append(
                subprocess.Popen([f"{SBIN}/{words[0]}", *words[1:]], env=self.environment, stdout=said, stderr=said)
            )

    def _until(self, ready: "object", what: str) -> None:
        assert callable(ready)
        for _ in range(300):
            if ready():
                return
            time.sleep(0.1)
        logs = "\n".join(path.read_text(errors="replace")[-1500:] for path in self.folder.glob("*.said"))
        raise AssertionError(f"{what} is not ready\n{logs}")

    def stop(self) -> None:
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
