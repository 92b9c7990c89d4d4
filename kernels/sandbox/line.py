"""The two pipes to a runner: one request, then one reply of a fixed form."""

import os
import select
from collections.abc import Sequence

from kernels.sandbox import wire


class Broken(Exception):
    """A reply that the harness does not give. The text says what was wrong with it."""


class Line:
    """`seq` counts the requests; a reply carries the number of its request."""

    def __init__(self, request: int, reply: int) -> None:
        self._request, self._reply = request, reply
        self._buffer = bytearray(wire.REQUEST.size)
        self._poll = select.poll()
        self._poll.register(reply, select.POLLIN)
        self.seq = 0

    def ready(self, op: wire.Op, pointers: Sequence[int]) -> None:
        """Prepare the next request."""
        self.seq += 1
        padded = (*pointers, *(0,) * (wire.MAX_ARGUMENTS - len(pointers)))
        wire.REQUEST.pack_into(self._buffer, 0, wire.REQUEST_MAGIC, op, self.seq, len(pointers), 0, *padded)

    def send(self) -> None:
        """Send what is ready. Raises: BrokenPipeError when the runner is gone."""
        os.write(self._request, self._buffer)

    def waits(self, timeout_s: float) -> bool:
        """Whether there is something to read within this time."""
        return bool(self._poll.poll(timeout_s * 1000.0))

    def read(self) -> bytes:
        """What is there of a reply; nothing when the runner is gone."""
        return os.read(self._reply, wire.REPLY.size)

    def parsed(self, answer: bytes) -> tuple[int, int]:
        """(status, the runner's own ns) of the only reply to the last request. Raises: Broken."""
        if len(answer) != wire.REPLY.size:
            raise Broken(f"a reply of {len(answer)} bytes instead of {wire.REPLY.size}")
        magic, status, seq, own_ns, *_ = wire.REPLY.unpack(answer)
        if magic != wire.REPLY_MAGIC or seq != self.seq:
            raise Broken(f"a reply with magic {magic:#x} to request {seq} instead of {self.seq}")
        if self.waits(0) and os.read(self._reply, 1):
            raise Broken("a second reply to one request")
        if status == wire.Answer.BAD_REQUEST:
            raise Broken("the runner refused the request")
        return int(status), int(own_ns)
