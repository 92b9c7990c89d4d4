"""What the referee answers: correctness reports, peaks, the state of the device. Plain values with a JSON form."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal, get_args

from kernels.sandbox.runner import RunnerFailed
from kernels.values.reading import Block, Pair, Reading

CheckKind = Literal[
    "",
    "wrong_values",
    "not_written",
    "non_finite",
    "writes_inputs",
    "out_of_bounds",
    "crash",
    "hang",
    "memory",
    "forbidden_call",
    "exit",
    "load",
    "protocol",
    "nondeterministic",
    "late_output",
    "changed_fp_mode",
    "own_threads",
    "below_floor",
    "uneven",
]
CHECK_KINDS: Final = tuple(str(kind) for kind in get_args(CheckKind))
HEAD_FAILED: Final = "head_failed"


class DeviceUnhealthy(Exception):
    """The infrastructure failed (referee gone, no memory, device lost): nobody's fault, binds no candidate."""


class HeadFailed(DeviceUnhealthy):
    """The head, not the candidate, failed or proved wrong in a test. kind: one word, as of a check report."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail

    def to_json(self) -> dict[str, Any]:
        return {HEAD_FAILED: {"kind": self.kind, "detail": self.detail}}

    @classmethod
    def in_reply(cls, result: Any) -> "HeadFailed | None":
        """What `to_json` made, found in the result of a request; None in any other result."""
        raw = result.get(HEAD_FAILED) if isinstance(result, dict) else None
        return None if raw is None else cls(raw["kind"], raw["detail"])


class LoadFailed(RunnerFailed):
    """The code of `key` cannot be loaded, or not again: nothing is loaded as this key any more."""

    def __init__(self, key: str, failure: RunnerFailed) -> None:
        super().__init__(failure.kind, failure.detail, fault=failure.fault)
        self.key = key


@dataclass(frozen=True, slots=True)
class CheckReport:
    """Result of one correctness check, or of the check of a test's secret sample.

    kind: "" when ok, else one of `CHECK_KINDS`. facts: numbers kept with it, JSON values only; "side" ("head" or
    "candidate") says whose fault it is after a test. seconds: its cost.
    """

    ok: bool
    kind: str = ""
    reason: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    findings: tuple[str, ...] = ()
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> "CheckReport":
        return cls(
            raw["ok"], raw["kind"], raw["reason"], dict(raw["facts"]), tuple(raw["findings"]), float(raw["seconds"])
        )


@dataclass(frozen=True, slots=True)
class RaceReport:
    """The end of a race. caught: (kind, reason) by key of variants that failed, misbehaved or were wrong; kind is one
    of `CHECK_KINDS`. verified: timed calls of the secret sample."""

    caught: dict[str, tuple[str, str]]
    blocks: int
    verified: int
    findings: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> "RaceReport":
        return cls(_faults(raw["caught"]), raw["blocks"], raw["verified"], tuple(raw["findings"]))


@dataclass(frozen=True, slots=True)
class PeakReport:
    """Time to move the weights of one kernel: the fastest probe style, never slower within a fingerprint and mode.

    ns: nanoseconds of one call; gbs: 1e9 bytes/s; styles: GB/s of every probe style in this run; mode: the device's
    mode, e.g. "slow 33 GB/s".
    """

    ns: float
    gbs: float
    style: str
    styles: dict[str, float]
    mode: str

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> "PeakReport":
        return cls(raw["ns"], raw["gbs"], raw["style"], dict(raw["styles"]), raw["mode"])


@dataclass(frozen=True, slots=True)
class Health:
    """Result of a canary job. facts: sandbox level, pages, real-time permission, round trip, memory."""

    ok: bool
    detail: str
    facts: dict[str, Any]


def reading_from_json(raw: Mapping[str, Any]) -> Reading:
    return Reading(**raw)


def pair_from_json(raw: Mapping[str, Any]) -> Pair:
    """Inverse of `dataclasses.asdict` of a pair."""
    fields = dict(raw)
    return Pair(reading_from_json(fields.pop("head")), reading_from_json(fields.pop("candidate")), **fields)


def block_from_json(raw: Mapping[str, Any]) -> Block:
    """Inverse of `dataclasses.asdict` of a block."""
    fields = dict(raw)
    readings = {key: reading_from_json(reading) for key, reading in fields.pop("readings").items()}
    return Block(readings, _faults(fields.pop("dropped")), **fields)


def _faults(raw: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    return {key: (str(kind), str(reason)) for key, (kind, reason) in raw.items()}
