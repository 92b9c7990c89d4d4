"""The schedule of a source on the simulated device, in the form that furiosa-opt dumps."""

import json
from typing import Any

from kernels.targets.rngd.stand_in.device import START, planned

SYNC = 600
STORE = 400


def dumped(kernel: str, file: str, line: int, blocks: tuple[int, int], pointers: int) -> str:
    """JSON. line: where the entry point begins; pointers: arrays of its signature."""
    end = planned(blocks)
    load = max(1, (end - START) // 10)
    loads = [_instruction(str(n), "DmaLoad", "DmaEngine", START, START + load, (), (n,), "") for n in range(pointers)]
    place = f"↳ {file}:{line}:1\n\n{kernel}(..)"
    main = _instruction("15", "Main", "MainContext", START + load, end, tuple(range(pointers)), (pointers,), place)
    sync = _instruction("ExplicitSync(16)", "Core", "Noop", end, end + SYNC, (pointers,), (), "")
    store = _instruction("17", "DmaStore", "DmaEngine", end + SYNC, end + SYNC + STORE, (pointers,), (), "")
    tensors = [_tensor(n) for n in range(pointers + 1)]
    root = {"title": f"{kernel} (stand-in)", "total_memory": 268435456, "page_size": 16777216}
    return json.dumps(root | {"instructions": [*loads, main, sync, store], "tensors": tensors}, indent=1)


def _instruction(
    index: str, tpe: str, context: str, begin: int, end: int, reads: tuple[int, ...], writes: tuple[int, ...], text: str
) -> dict[str, Any]:
    return {
        "index": index, "history": {"resourcelir": f"O{index}"}, "tpe": tpe, "contexts": [context],
        "lifetime": {"begin": begin, "end": end}, "input_tensors": list(reads), "output_tensors": list(writes),
        "description": text, "util": {"total_util": 0.0, "base_util": 0.0, "efficiency": 0.0},
    }  # fmt: skip


def _tensor(number: int) -> dict[str, Any]:
    return {
        "index": str(number), "name": f"t{number}", "buffer_type": "Sram", "address": 0, "size": 0, "shape": "",
        "physical_pages": [], "fingerprint": "", "lifetime": {"block_begin": 0, "block_end": 0},
    }  # fmt: skip
