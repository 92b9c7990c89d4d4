"""Another number of threads in the blocks of a launch, where the line says it as a plain number."""

import re
from dataclasses import dataclass
from typing import Final

from kernels.levers.base import Application, Context, Family, LeverDoesNotApply, with_source
from kernels.levers.opencl_c.constants import NoConstant, macros_of, value_of
from kernels.values.candidate import Candidate

SIZES: Final = (64, 128, 256, 512)
_LAUNCH: Final = re.compile(
    r"^(?P<head>KW_LAUNCH\((?P<function>\w+), (?P<threads>[^;]*), )(?P<block>\d+)(?P<tail>\);)$", re.M
)
_NUMBER: Final = re.compile(r"\b(\d+)\b")


@dataclass(frozen=True, slots=True)
class BlockLever:
    """Kernels must ask blockDim for it. A launch of blocks of one thread is none to change."""

    name: str = "block"
    family: Family = "structure"

    def applications(self, candidate: Candidate, context: Context) -> list[Application]:
        found = (one for one in _LAUNCH.finditer(candidate.source) if int(one["block"]) > 1)
        return [self._application(one, size) for one in found for size in _sizes(one, candidate.source)]

    def _application(self, one: re.Match[str], size: int) -> Application:
        function, block = one["function"], one["block"]
        return Application(
            self.name, self.family, {"function": function, "block": size}, function,
            f"{function} runs in blocks of {block} threads, which decides how many fit beside each other",
            f"other occupancy and another last wave with blocks of {size}",
        )  # fmt: skip

    def apply(self, candidate: Candidate, application: Application, context: Context) -> Candidate:
        function, size = str(application.params["function"]), int(application.params["block"])

        def changed(one: re.Match[str]) -> str:
            if one["function"] != function:
                return one[0]
            threads = _rounded(one["threads"], int(one["block"]), size)
            return f"{one['head'].replace(one['threads'], threads, 1)}{size}{one['tail']}"

        made = with_source(candidate, _LAUNCH.sub(changed, candidate.source))
        if made.source == candidate.source:
            raise LeverDoesNotApply(f"{function} is not launched in blocks of another plain number")
        return made


def _sizes(one: re.Match[str], source: str) -> list[int]:
    """Other sizes that the threads in all are a whole number of blocks of, as far as that can be told."""
    block, total = int(one["block"]), _total(one["threads"], source)
    others = [size for size in SIZES if size != block]
    if total is not None:
        return [size for size in others if total % size == 0]
    return others if _rounds(one["threads"], block) else [size for size in others if block % size == 0]


def _total(threads: str, source: str) -> int | None:
    """Threads in all, None where they depend on the kernel's dimensions."""
    defines = "".join(f"{line}\n" for line in source.splitlines() if line.lstrip().startswith("#"))
    macros = macros_of(f"{defines}#define KW_THREADS ({threads})\n")
    try:
        return value_of(macros["KW_THREADS"], macros)
    except NoConstant:
        return None


def _rounds(threads: str, block: int) -> bool:
    """Whether it is rounded up to whole blocks by `(... + block - 1) / block * block`."""
    return {str(block), str(block - 1)} <= set(_NUMBER.findall(threads))


def _rounded(threads: str, old: int, new: int) -> str:
    """`(N + 127) / 128 * 128` for blocks of 64 is `(N + 63) / 64 * 64`; all else stays as it is."""
    names = {str(old): str(new), str(old - 1): str(new - 1)}
    return _NUMBER.sub(lambda found: names.get(found[0], found[0]), threads) if _rounds(threads, old) else threads
