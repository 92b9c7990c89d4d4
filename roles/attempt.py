"""What the pipeline is given to judge, and what it answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from kernels.values.candidate import Candidate
from kernels.values.prediction import NOTHING, Prediction
from kernels.values.reading import Estimate
from kernels.values.verdict import Outcome, Verdict


@dataclass(frozen=True, slots=True)
class Attempt:
    """One candidate to be judged, and who wants it and why. one_lever: a one-lever change of the head. base: id of the
    candidate that it was made from, "" when nobody knows. knobs: those that its lever leaves open; it is raced against
    other values of them, and the winner is judged in its place."""

    kernel: str
    candidate: Candidate
    lever: str
    family: str
    kind: str  # design, variant
    params: Mapping[str, str | int | float] = field(default_factory=dict)
    reason: str = ""
    prediction: Prediction = NOTHING
    agent: str = ""
    brief_id: int | None = None
    parent_node: int | None = None
    one_lever: bool = False
    base: str = ""
    knobs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """What became of an attempt. kind: the reason in one word; gain: a share of the head's time, when measured."""

    node_id: int
    outcome: Outcome
    verdict: Verdict | None
    kind: str
    reason: str
    estimate: Estimate | None = None

    @property
    def gain(self) -> float | None:
        return self.estimate.gain if self.estimate else None
