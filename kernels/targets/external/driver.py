"""Calls a shared object as a job's manifest says: `python driver.py JOB ARTEFACT`. For targets on this host.

Prints one JSON object: {"ns": [of every launch]}. Needs the standard library alone. Arrays are mapped from the job's
files; a scalar is passed by value.
"""

import ctypes
import json
import mmap
import sys
import time
from pathlib import Path

TYPES = {
    "f4": ctypes.c_float, "f8": ctypes.c_double, "i1": ctypes.c_int8, "i2": ctypes.c_int16, "i4": ctypes.c_int32,
    "i8": ctypes.c_int64, "u1": ctypes.c_uint8, "u2": ctypes.c_uint16, "u4": ctypes.c_uint32, "u8": ctypes.c_uint64,
}  # fmt: skip


def scalar_type(stored):
    return TYPES[stored.lstrip("<|=>")]


def mapped(path):
    """The file's bytes in memory of this process that may be written."""
    memory = mmap.mmap(-1, max(path.stat().st_size, 1))
    memory.write(path.read_bytes())
    return memory


def argument(job, told, memories):
    """What ctypes passes; arrays are kept in `memories` by name."""
    kind = scalar_type(told["stored"])
    if "value" in told:
        return kind(told["value"] if kind in (ctypes.c_float, ctypes.c_double) else int(told["value"]))
    memory = memories[told["name"]] = mapped(job / told["file"])
    if told["shape"]:
        return ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(memory)))
    return kind.from_buffer(memory)


def launch(entry, arguments):
    before = time.perf_counter_ns()
    entry(*arguments)
    return time.perf_counter_ns() - before


def main(job, artefact):
    job = Path(job)
    manifest = json.loads((job / "manifest.json").read_text())
    entry = getattr(ctypes.CDLL(artefact), manifest["entry"])
    memories, told = {}, manifest["arguments"]
    arguments = [argument(job, one, memories) for one in told]
    inouts = {one["name"]: memories[one["name"]][:] for one in told if one["role"] == "inout"}
    times = []
    for _ in range(manifest["launches"]["untimed"] + manifest["launches"]["timed"]):
        for name, before in inouts.items():
            memories[name][:] = before
        times.append(launch(entry, arguments))
    for one in told:
        if one["role"] in ("output", "inout"):
            (job / "out" / (one["name"] + ".bin")).write_bytes(memories[one["name"]][: one["bytes"]])
    print(json.dumps({"ns": times}))


if __name__ == "__main__":
    main(*sys.argv[1:])
