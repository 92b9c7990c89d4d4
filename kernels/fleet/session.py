"""The other host's end: a referee process there, asked one frame at a time, killed by its own limit. Plain, blocking.

Its functions are what a worker of a cluster runs. A session lives in that worker's process and ends with it; one that
is not asked anything for as long as its lease belongs to an engine that is gone, and ends as well.
"""

import fcntl
import os
import subprocess
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from kernels.device.hostlock import machine_lock
from kernels.device.link import environment, killed_below, referee_words
from kernels.device.protocol import Frame, ProtocolError, read_frame, write_frame
from kernels.fleet.shipping import MARK, put, unpacked
from kernels.targets.registry import get_target, hardware_of

DEVICE: Final = "KERNELWRIGHT_DEVICE"
"""Names the device that a worker serves, where a host has several of one target."""
LEASE_S: Final = 180.0
"""An engine that is paused longer than that loads its heads again."""
LOST: Final = "lost"
"""Kind of a reply that no referee gave."""


@dataclass(slots=True)
class Session:
    """folder: of files that came and of the referee's cache, gone with it. device: the file that all users of this
    device on this host lock."""

    process: subprocess.Popen[bytes]
    requests: int
    replies: int
    folder: TemporaryDirectory[str]
    device: Path
    lock: threading.Lock = field(default_factory=threading.Lock)
    asked_at: float = field(default_factory=time.monotonic)

    @property
    def files(self) -> Path:
        return Path(self.folder.name) / "files"

    def place(self, mark: str) -> str:
        return str(self.files / mark.removeprefix(MARK))


_SESSIONS: Final[dict[str, Session]] = {}


def identity(target: str) -> dict[str, str]:
    """What has to be equal for readings of the same kind of device. Raises: TargetError."""
    with TemporaryDirectory() as cache:
        made = get_target(target, Path(cache))
        prints = made.fingerprint
        return {"fingerprint": prints.id, "device": prints.device, "host": os.uname().nodename}


def begin(name: str, target: str, pack: dict[str, bytes]) -> None:
    """Start a referee; `configure` is its first frame. pack: the pack's files."""
    folder = TemporaryDirectory(prefix="kw-device-")
    put({f"{MARK}pack/{path}": content for path, content in pack.items()}, Path(folder.name))
    to_child, requests = os.pipe()
    replies, from_child = os.pipe()
    try:
        with (Path(folder.name) / "referee.log").open("ab") as log:
            process = subprocess.Popen(
                referee_words(to_child, from_child),
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=(to_child, from_child),
                env=environment(), cwd=folder.name, start_new_session=True,
            )  # fmt: skip
    finally:
        os.close(to_child)
        os.close(from_child)
    device = os.environ.get(DEVICE) or hardware_of(target)
    end_forgotten()
    _SESSIONS[name] = Session(process, requests, replies, folder, machine_lock(device))


def exchange(name: str, frame: Frame, files: dict[str, bytes], timeout_s: float) -> Frame:
    """One request and its reply; a referee that does not answer in time is killed with all below it."""
    session = _SESSIONS.get(name)
    if session is None:
        return _lost(frame, "there is no such session: the worker was started again")
    with session.lock, session.device.open("a") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        put(files, session.files)
        timer = threading.Timer(timeout_s, killed_below, (session.process.pid,))
        timer.start()
        try:
            write_frame(session.requests, _there(session, frame))
            reply = read_frame(session.replies)
        except (OSError, ProtocolError) as error:
            return _lost(frame, f"the referee ended: {error}")
        finally:
            timer.cancel()
        session.asked_at = time.monotonic()
    return reply or _lost(frame, f"the referee ended, or did not answer within {timeout_s:.0f} s")


def _there(session: Session, frame: Frame) -> Frame:
    """The frame with this host's paths."""
    told: Frame = unpacked(frame, session.place)
    if told.get("op") == "configure":
        (pack,) = (Path(session.folder.name) / "pack").iterdir()
        told |= {"pack": str(pack), "cache": str(Path(session.folder.name) / "cache")}
        Path(told["cache"]).mkdir(exist_ok=True)
    return told


def _lost(frame: Frame, why: str) -> Frame:
    return {"id": frame.get("id"), "ok": False, "error": {"type": "unhealthy", "kind": LOST, "detail": why}}


def kill(name: str) -> bool:
    """At once, whatever it does. Returns whether there was one."""
    session = _SESSIONS.get(name)
    if session is None:
        return False
    killed_below(session.process.pid)
    return True


def end(name: str) -> None:
    """The end of its pipe lets the referee close its runners; then it is killed."""
    session = _SESSIONS.pop(name, None)
    if session is None:
        return
    os.close(session.requests)
    try:
        session.process.wait(5.0)
    except subprocess.TimeoutExpired:
        killed_below(session.process.pid)
        session.process.wait()
    os.close(session.replies)
    session.folder.cleanup()


def end_forgotten() -> None:
    """Sessions whose lease is over; looked for whenever somebody begins one."""
    for name, one in list(_SESSIONS.items()):
        if not one.lock.locked() and time.monotonic() - one.asked_at > LEASE_S:
            end(name)


def living() -> dict[str, Any]:
    """Sessions by name with their referee's pid; for people and tests."""
    return {name: one.process.pid for name, one in _SESSIONS.items() if one.process.poll() is None}
