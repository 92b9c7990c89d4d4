"""How a call of an OpenCL candidate is made: `KW_LAUNCH(function, global, local)` and `KW_SCRATCH(name, bytes)` lines.

They stand in the source, so that whoever changes a kernel changes its launch with it. Both expand to nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from kernels.levers.opencl_c.constants import NoConstant, macros_of, value_of
from kernels.levers.opencl_c.masked import masked
from kernels.levers.syntax import field, named, parse, text_of, walk
from kernels.packs.trees import called
from kernels.targets.base import CompileFailed
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec

LAUNCH, SCRATCH = "KW_LAUNCH", "KW_SCRATCH"
MOST: Final = 16  # launches, and scratch buffers, of a call; the runner's arrays are as long
SCRATCH_BYTES: Final = 64 << 20


class BadLaunch(Exception):
    """What is wrong with the lines, for the author of the source."""


@dataclass(frozen=True, slots=True)
class Launch:
    """size: work-items in all; group: of them in a work-group. shared: bytes of a group's memory that the launch
    brings."""

    function: str
    size: int
    group: int
    shared: int = 0


@dataclass(frozen=True, slots=True)
class Scratch:
    name: str
    nbytes: int


@dataclass(frozen=True, slots=True)
class Plan:
    launches: tuple[Launch, ...]
    scratches: tuple[Scratch, ...] = ()


Case = tuple[KernelSpec, Plan]
"""A kernel at one of its shapes, and how it is called there."""


def cases_of(spec: KernelSpec, plan: Callable[[KernelSpec], Plan]) -> list[Case]:
    """How it is called at each of the kernel's shapes. Raises: CompileFailed, which names the shape."""
    return [(one, _planned(one, plan)) for one in spec.cases]


def _planned(spec: KernelSpec, plan: Callable[[KernelSpec], Plan]) -> Plan:
    try:
        return plan(spec)
    except BadLaunch as bad:
        raise CompileFailed("compile_error", f"{spec.place}: {bad}" if spec.place else str(bad)) from bad


def plan_of(
    candidate: Candidate, sizes: Mapping[str, int], group_limit: int = 1 << 30,
    read: Callable[[str], str] = masked, *, shared: bool = False,
) -> Plan:  # fmt: skip
    """sizes: of the kernel's dimensions, which launches and buffers may name. group_limit: work-items in a group that
    the device takes. read: makes the grammar of C follow the source. shared: a launch may have a fourth word.

    Raises: BadLaunch.
    """
    source = read(candidate.source)
    values = macros_of(source, (*candidate.flags, *(f"-D{name}={size}" for name, size in sizes.items())))
    calls = [node for node in walk(parse(source)) if node.type == "call_expression"]
    try:
        launches = tuple(_launch(node, values, group_limit, shared) for node in calls if called(node) == LAUNCH)
        scratches = tuple(_scratch(node, values) for node in calls if called(node) == SCRATCH)
    except NoConstant as error:
        raise BadLaunch(str(error)) from error
    if not launches:
        raise BadLaunch(f"nothing is launched: add {LAUNCH}(function, global size, local size) behind the functions")
    if max(len(launches), len(scratches)) > MOST:
        raise BadLaunch(f"{len(launches)} launches and {len(scratches)} scratch buffers: at most {MOST} of each")
    if sum(one.nbytes for one in scratches) > SCRATCH_BYTES:
        raise BadLaunch(f"the scratch buffers take more than {SCRATCH_BYTES >> 20} MiB")
    return Plan(launches, scratches)


def _words(call: Node, count: int) -> list[Node]:
    arguments = field(call, "arguments")
    found = [] if arguments is None else named(arguments)
    if len(found) != count or found[0].type != "identifier":
        raise BadLaunch(f"line {call.start_point[0] + 1}: {text_of(call)} wants a name and {count - 1} constants")
    return found


def _launch(call: Node, values: Mapping[str, Node], group_limit: int, shared: bool) -> Launch:
    arguments = field(call, "arguments")
    longer = shared and arguments is not None and len(named(arguments)) == 4
    function, *numbers = _words(call, 4 if longer else 3)
    size, group, more = (*(value_of(number, values) for number in numbers), 0)[:3]
    where = f"line {call.start_point[0] + 1}: {text_of(call)}"
    if size < 1 or group < 1 or size % group:
        raise BadLaunch(f"{where}: {size} work-items are no whole number of groups of {group}")
    if group > group_limit:
        raise BadLaunch(f"{where}: a group of {group} work-items; the device takes at most {group_limit}")
    return Launch(text_of(function), size, group, more)


def _scratch(call: Node, values: Mapping[str, Node]) -> Scratch:
    name, size = _words(call, 2)
    nbytes = value_of(size, values)
    if nbytes < 1:
        raise BadLaunch(f"line {call.start_point[0] + 1}: {text_of(call)}: {nbytes} bytes")
    return Scratch(text_of(name), nbytes)
