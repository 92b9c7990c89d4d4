"""Serves this host's device over stdin and stdout: `python -m kernels.fleet.serve`, started by ssh, srun or the like.

A frame asks for one function of `session`; its answer carries its number. Calls run one after the other, but for
`kill`. The end of stdin ends everything.
"""

import base64
import contextlib
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from kernels.device.protocol import Frame, read_frame, write_frame
from kernels.fleet import session

CALLS: Final[dict[str, Callable[..., Any]]] = {
    one.__name__: one for one in (session.identity, session.begin, session.exchange, session.kill, session.end)
}
BYTES: Final = "kw-bytes"


def to_json(value: Any) -> Any:
    """Bytes as `{"kw-bytes": base64}`."""
    if isinstance(value, bytes):
        return {BYTES: base64.b64encode(value).decode()}
    if isinstance(value, dict):
        return {name: to_json(one) for name, one in value.items()}
    return [to_json(one) for one in value] if isinstance(value, (list, tuple)) else value


def from_json(value: Any) -> Any:
    if isinstance(value, dict):
        return (
            base64.b64decode(value[BYTES]) if value.keys() == {BYTES} else {n: from_json(v) for n, v in value.items()}
        )
    return [from_json(one) for one in value] if isinstance(value, list) else value


def main() -> int:
    requests, replies = os.dup(0), os.dup(1)
    os.dup2(2, 1)  # whatever prints does not speak in our place
    lock = threading.Lock()

    def answer(frame: Frame) -> None:
        told = _called(frame)
        with lock, contextlib.suppress(BrokenPipeError):
            write_frame(replies, told)

    with ThreadPoolExecutor(1) as pool:
        while (frame := read_frame(requests)) is not None:
            if frame["call"] == session.kill.__name__:
                answer(frame)
            else:
                pool.submit(answer, frame)
        for name in session.living():
            session.kill(name)
    for name in session.living():
        session.end(name)
    return 0


def _called(frame: Frame) -> Frame:
    try:
        result = CALLS[frame["call"]](*from_json(frame["args"]))
    except Exception as error:  # noqa: BLE001 - whatever it is, the engine is told and decides
        return {"id": frame["id"], "error": f"{type(error).__name__}: {error}"}
    return {"id": frame["id"], "result": to_json(result)}


if __name__ == "__main__":
    sys.exit(main())
