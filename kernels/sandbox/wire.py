"""Records between referee and runner, little endian; the C side is `kernels/targets/cpu_c/native/wire.h`."""

import struct
from enum import IntEnum
from typing import Final

MAX_ARGUMENTS: Final = 32
REQUEST: Final = struct.Struct(f"<IIQII{MAX_ARGUMENTS}Q")
REPLY: Final = struct.Struct("<IIQQIIII")
STATUS: Final = struct.Struct("<IIIiQqqII")
REQUEST_MAGIC: Final = 0x4B575251
REPLY_MAGIC: Final = 0x4B575250
STATUS_MAGIC: Final = 0x4B575253


class Op(IntEnum):
    """STAGE, FETCH: around a call of a device with memory of its own."""

    ARM = 1
    CALL = 2
    PING = 3
    QUIT = 4
    STAGE = 5
    FETCH = 6


class Answer(IntEnum):
    OK = 0
    BAD_REQUEST = 1
    FP_MODE_CHANGED = 2
    PREPARED = 3


class Status(IntEnum):
    FAULT = 1
    FORBIDDEN = 2
    LOAD_FAILED = 3
    SETUP_FAILED = 4
    NO_MEMORY = 5
    TIME_LIMIT = 6
    STACK_SMASHED = 7
    SANITIZER = 8
    DEVICE_FAULT = 9
