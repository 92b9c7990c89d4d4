"""The schedule that `cargo furiosa-opt compile --dump-schedule` writes, as a timetable.

Root: title, total_memory, page_size, instructions, tensors. An instruction has index (a string, also "ExplicitSync(36)"
and "DramReuse(30)"), history.resourcelir, tpe, contexts, lifetime {begin, end} in cycles of the model (about 1 GHz),
input_tensors, output_tensors (numbers of tensors), description (arrow, file:line:column, a blank line, the source's
expression; or empty) and util {total_util, base_util, efficiency}. The makespan is the last end.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from kernels.values.timetable import Step, Timetable

KINDS: Final = ("DmaLoad", "DmaStore", "DmaStos", "DmaOther", "Main", "Sub", "Core")
CONTEXTS: Final = ("DmaEngine", "MainContext", "SubContext", "VectorEngine", "PeCore", "Noop")
IDLE: Final = "Noop"
PEAK_BYTES_PER_CYCLE: Final = 1359
"""util is bytes a cycle over this. Source: schedules of furiosa-opt 0.8.1."""
_PLACE: Final = re.compile(r"(?P<file>[^\s:]+\.rs):(?P<line>\d+):(?P<column>\d+)")


def read_schedule(text: str, clock_ghz: float, model: str) -> Timetable:
    """Raises: ValueError when it is no schedule, or an instruction lacks what every one has."""
    root = json.loads(text)
    if not isinstance(root, dict) or not isinstance(root.get("instructions"), list):
        raise ValueError("no schedule: its root has no list of instructions")
    names = _tensors(root)
    try:
        steps = tuple(_step(one, names) for one in root["instructions"])
    except (KeyError, TypeError) as error:
        raise ValueError(f"an instruction of the schedule cannot be read: {type(error).__name__}: {error}") from error
    facts = {"total_memory": root.get("total_memory"), "page_size": root.get("page_size"), "tensors": len(names)}
    return Timetable(steps, clock_ghz, model, str(root.get("title", "")), facts)


def _tensors(root: Mapping[str, Any]) -> dict[int, str]:
    """Names by number: a tensor's index is a string, its number in the lists of instructions is not."""
    found: dict[int, str] = {}
    for place, tensor in enumerate(root.get("tensors") or []):
        digits = re.search(r"\d+", str(tensor.get("index", place)))
        number = int(digits.group()) if digits else place
        found[number] = f"{tensor.get('name') or 'tensor'}#{number}"
    return found


def _step(raw: Mapping[str, Any], names: Mapping[int, str]) -> Step:
    place = _PLACE.search(raw.get("description") or "")
    return Step(
        str(raw["index"]), str(raw["tpe"]), tuple(str(one) for one in raw["contexts"] if one != IDLE),
        int(raw["lifetime"]["begin"]), int(raw["lifetime"]["end"]),
        str((raw.get("history") or {}).get("resourcelir") or ""),
        tuple(names.get(int(n), f"#{n}") for n in raw.get("input_tensors") or ()),
        tuple(names.get(int(n), f"#{n}") for n in raw.get("output_tensors") or ()),
        place["file"] if place else "", int(place["line"]) if place else 0, int(place["column"]) if place else 0,
        _expression(raw.get("description") or ""),
    )  # fmt: skip


def _expression(description: str) -> str:
    """What stands behind the blank line."""
    return description.partition("\n\n")[2].strip()


def utilisation(text: str) -> dict[str, float]:
    """total_util of every instruction that has one, by index; bytes a cycle are 1,359 times that."""
    found: dict[str, float] = {}
    for raw in json.loads(text)["instructions"]:
        util = raw.get("util") or {}
        if util.get("total_util") is not None:
            found[str(raw["index"])] = float(util["total_util"])
    return found
