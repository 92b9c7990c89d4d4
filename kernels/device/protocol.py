"""Frames between engine and referee: a little-endian uint32 length, then one JSON object in UTF-8.

They travel over a pair of pipes of their own, never over stdout. A request is {"id", "op", ...arguments}; a reply is
{"id", "ok": true, "result"} or {"id", "ok": false, "error": {"type", "kind", "detail"}}. NaN is written as JSON's
extension `NaN`, which both sides read.
"""

import json
import os
import struct
from typing import Any, Final

HEADER: Final = struct.Struct("<I")
LIMIT: Final = 64 << 20

Frame = dict[str, Any]


class ProtocolError(Exception):
    """The other side closed the pipe in the middle of a frame, or sent something that is no frame."""


def encode(frame: Frame) -> bytes:
    """Raises: ProtocolError when the frame is larger than `LIMIT`."""
    body = json.dumps(frame, separators=(",", ":")).encode()
    if len(body) > LIMIT:
        raise ProtocolError(f"frame of {len(body)} bytes is larger than {LIMIT}")
    return HEADER.pack(len(body)) + body


def body_length(header: bytes) -> int:
    """Raises: ProtocolError when the length is not believable."""
    length = int.from_bytes(header, "little")
    if length > LIMIT:
        raise ProtocolError(f"frame header says {length} bytes, more than {LIMIT}")
    return length


def decode(body: bytes) -> Frame:
    """Raises: ProtocolError when the body is no JSON object."""
    try:
        frame = json.loads(body)
    except ValueError as error:
        raise ProtocolError(f"frame is no JSON: {error}") from error
    if not isinstance(frame, dict):
        raise ProtocolError("frame is no JSON object")
    return frame


def _read_exactly(fd: int, count: int) -> bytes:
    chunks: list[bytes] = []
    while count:
        chunk = os.read(fd, count)
        if not chunk:
            break
        chunks.append(chunk)
        count -= len(chunk)
    return b"".join(chunks)


def read_frame(fd: int) -> Frame | None:
    """Blocks for one frame; None at the end of the stream.

    Raises: ProtocolError when the stream ends inside a frame.
    """
    header = _read_exactly(fd, HEADER.size)
    if not header:
        return None
    if len(header) < HEADER.size:
        raise ProtocolError("stream ended inside a header")
    length = body_length(header)
    body = _read_exactly(fd, length)
    if len(body) < length:
        raise ProtocolError(f"stream ended after {len(body)} of {length} bytes")
    return decode(body)


def write_frame(fd: int, frame: Frame) -> None:
    """Blocks until the frame is in the pipe. Raises: BrokenPipeError when nobody reads."""
    view = memoryview(encode(frame))
    while view:
        view = view[os.write(fd, view) :]
