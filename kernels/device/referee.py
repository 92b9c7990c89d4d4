"""The referee process of one device: `python -m kernels.device.referee REQUEST_FD REPLY_FD ENGINE_PID`.

Plain and blocking. It reads one frame, does it, writes one frame, until the pipe ends. It dies with the engine (parent
death signal and end of the pipe), and its runners die with it. Nothing secret ever leaves it: replies hold times,
verdicts and counts.
"""

import ctypes
import os
import signal
import sys
from typing import Any, Final

from kernels.device.desk import Desk
from kernels.device.protocol import Frame, ProtocolError, read_frame, write_frame
from kernels.device.report import DeviceUnhealthy
from kernels.packs.toml import PackError
from kernels.sandbox.runner import RunnerFailed

PR_SET_PDEATHSIG: Final = 1


def die_with(parent: int) -> None:
    """Ask the kernel for SIGKILL when the parent dies; exit at once when it is gone already."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit(f"the engine {parent} is gone")


def answer(desk: Desk, request: Frame) -> Frame:
    """One request to one reply; every fault becomes a named error."""
    number = request.get("id")
    try:
        return {"id": number, "ok": True, "result": desk.do(str(request.get("op")), request.get("args", {}))}
    except RunnerFailed as failure:
        return _error(number, "runner_failed", failure.kind, failure.detail)
    except DeviceUnhealthy as failure:
        return _error(number, "unhealthy", "unhealthy", str(failure))
    except PackError as failure:
        return _error(number, "unhealthy", "pack", str(failure))
    except MemoryError as failure:
        return _error(number, "unhealthy", "memory", str(failure) or "out of memory")
    except OSError as failure:
        return _error(number, "unhealthy", "system", f"{failure.strerror or failure}")
    except (ValueError, KeyError, TypeError) as failure:
        return _error(number, "unhealthy", "request", f"{type(failure).__name__}: {failure}")


def _error(number: Any, sort: str, kind: str, detail: str) -> Frame:
    return {"id": number, "ok": False, "error": {"type": sort, "kind": kind, "detail": detail}}


def serve(requests: int, replies: int) -> None:
    """The first frame configures the desk; then one reply per request until the stream ends."""
    first = read_frame(requests)
    if first is None:
        return
    try:
        desk = Desk.open(first)
    except (PackError, ValueError) as failure:
        write_frame(replies, _error(first.get("id"), "unhealthy", "pack", str(failure)))
        return
    with desk:
        write_frame(replies, {"id": first.get("id"), "ok": True, "result": desk.describe()})
        while (request := read_frame(requests)) is not None:
            write_frame(replies, answer(desk, request))


def main(arguments: list[str]) -> int:
    requests, replies, engine = (int(a) for a in arguments)
    die_with(engine)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal's Ctrl-C is for the engine
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        serve(requests, replies)
    except (BrokenPipeError, ProtocolError) as error:
        sys.stderr.write(f"referee: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
