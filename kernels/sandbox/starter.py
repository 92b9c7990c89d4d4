"""How the referee starts what runs a candidate: a promise that other runners than the confined process can keep.

A target names its starter by import path and JSON arguments, because the referee is another process.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, Self, runtime_checkable

from kernels.sandbox.processes import Census
from kernels.sandbox.runner import Call, Limits, Runner, Segment
from kernels.sandbox.spans import Timeline
from kernels.values.kernel import KernelSpec


class RunnerLike(Protocol):
    """One candidate that can be called; methods as in `runner.Runner`, which says what each raises.

    level: of isolation, for people. pid: a process whose CPUs the referee may wait on. A runner without threads of its
    own gives a constant census; arm, freeze, thaw and realtime may do nothing.
    """

    @property
    def level(self) -> str: ...

    pid: int

    def arm(self, timeout_s: float = 2.0) -> int: ...

    def ping(self, timeout_s: float = 2.0) -> int: ...

    def call(
        self, pointers: Sequence[tuple[int, int]], timeout_s: float, at_return: Callable[[], None] | None = None,
        *, look: bool = False,
    ) -> Call: ...  # fmt: skip

    def freeze(self) -> None: ...

    def thaw(self) -> None: ...

    def census(self) -> Census: ...

    def realtime(self, on: bool) -> bool: ...

    def timeline(self) -> Timeline: ...

    def close(self) -> None: ...


class Starter(Protocol):
    """calls: timed calls of a reading, fewest and most."""

    @property
    def calls(self) -> tuple[int, int]: ...

    def health(self) -> str:
        """A canary of the device itself: why it is not well, "" when nothing is said against it. Blocks."""
        ...

    def start(
        self, artefact: Path, spec: KernelSpec, segments: Sequence[Segment], threads: int, limits: Limits,
        *, profile: bool,
    ) -> RunnerLike:  # fmt: skip
        """segments: weights (a ring), inputs, outputs. A call's pointers are (segment, offset) of every argument of
        `spec` in order. Raises: RunnerFailed."""
        ...


@runtime_checkable
class DeviceTimed(Protocol):
    """A starter whose runners report by the device's own clock how long a call took. clock: what it is called."""

    @property
    def clock(self) -> str: ...


@runtime_checkable
class Telling(Protocol):
    """A starter that knows something of its calls that is kept with readings."""

    def facts(self) -> dict[str, str]:
        """Since it was last asked."""
        ...


@dataclass(frozen=True, slots=True)
class StarterCall:
    """factory: `module:name` of what makes the starter from the arguments, which are JSON values."""

    factory: str
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Self:
        return cls(str(raw["factory"]), dict(raw["arguments"]))

    def make(self) -> Starter:
        """Raises: ValueError when there is no such factory."""
        module, _, name = self.factory.partition(":")
        try:
            factory: Callable[..., Starter] = getattr(import_module(module), name)
        except (ImportError, AttributeError) as error:
            raise ValueError(f"starter {self.factory}: {error}") from error
        return factory(**self.arguments)


@dataclass(frozen=True, slots=True)
class Native:
    """Starts the confined process that loads shared objects. binary: the runner's."""

    binary: str
    calls: tuple[int, int] = (3, 64)

    def health(self) -> str:
        """The empty kernel and the probes tell."""
        return ""

    def start(
        self, artefact: Path, spec: KernelSpec, segments: Sequence[Segment], threads: int, limits: Limits,
        *, profile: bool,
    ) -> Runner:  # fmt: skip
        return Runner.start(Path(self.binary), artefact, segments, threads, limits, profile=profile)


def native(binary: Path) -> StarterCall:
    return StarterCall(f"{__name__}:{Native.__name__}", {"binary": str(binary)})
