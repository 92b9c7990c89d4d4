"""A test of a kernel at all of its shapes: a pair reads head and candidate at every shape, back to back.

One coin says which side is read first, at every shape alike: were both sides the same code, a swap would turn the sign
of the pair's number, so that the judge's rule holds as it does for one shape. Whether the device's mode changed is
asked of the probes of all shapes together: a change during one of many moves the pair by its share only.
"""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final

from kernels.device.combine import check_of, pair_of
from kernels.device.contender import Contender
from kernels.device.reading import LENGTH_NS
from kernels.device.redo import Redo
from kernels.device.report import CheckReport, DeviceUnhealthy, HeadFailed
from kernels.device.station import Station
from kernels.device.trial import Trial
from kernels.sandbox.runner import RunnerFailed
from kernels.values.kernel import KernelSpec
from kernels.values.reading import First, Pair
from kernels.values.shapes import shares

UNKNOWN_NS: Final = LENGTH_NS  # of a head that was not read at a shape yet: the fewest calls


@contextmanager
def at(spec: KernelSpec) -> Generator[None]:
    """Names the shape in what goes wrong at it; adds nothing for a kernel of one shape."""
    try:
        yield
    except HeadFailed as failure:
        raise HeadFailed(failure.kind, said(spec, failure.detail)) from failure
    except DeviceUnhealthy as failure:
        raise DeviceUnhealthy(said(spec, str(failure))) from failure
    except RunnerFailed as failure:
        raise RunnerFailed(failure.kind, said(spec, failure.detail), fault=failure.fault) from failure


def said(spec: KernelSpec, text: str) -> str:
    return f"{spec.place}: {text}" if spec.place and text else text


@dataclass(slots=True)
class Trials:
    """One test. trials: one a shape, in the order of the contract."""

    trials: tuple[Trial, ...]
    redo: Redo = field(init=False)

    def __post_init__(self) -> None:
        self.redo = Redo(all(trial.gauge.probes for trial in self.trials))
        for trial in self.trials:
            trial.alone = len(self.trials) == 1

    @property
    def stations(self) -> tuple[Station, ...]:
        return tuple(trial.station for trial in self.trials)

    @property
    def contenders(self) -> tuple[Contender, ...]:
        return tuple(one for trial in self.trials for one in (trial.head, trial.candidate))

    def pair(self, first: First, head_ns: float) -> Pair:
        """One atomic pair, the shapes in a secret order. head_ns sets the number of calls of a kernel of one shape; at
        each of several the head's own time there does.

        Raises: RunnerFailed for the candidate, HeadFailed for the head, DeviceUnhealthy, ValueError for `head_ns`.
        """
        if len(self.trials) == 1:
            return self.trials[0].pair(first, head_ns)
        pairs: dict[str, Pair] = {}
        for which in self.trials[0].station.rng.permutation(len(self.trials)):
            trial = self.trials[int(which)]
            with at(trial.station.spec):
                pairs[trial.station.spec.shape] = self._pair(trial, first)
        ordered = {trial.station.spec.shape: pairs[trial.station.spec.shape] for trial in self.trials}
        pair = pair_of(ordered, shares(self.trials[0].station.spec.shapes))
        return replace(pair, redo_reason=pair.redo_reason or self.redo.reason(pair))

    def _pair(self, trial: Trial, first: First) -> Pair:
        """The processes end with it: nothing of one shape is there while another is read."""
        pair = trial.pair(first, trial.head.usual_ns or UNKNOWN_NS)
        for one, reading in ((trial.head, pair.head), (trial.candidate, pair.candidate)):
            one.usual_ns = reading.ns if reading.ns > 0 else one.usual_ns
            one.stop()
        return pair

    def end(self) -> CheckReport:
        """Verify the secret samples. A wrong head takes precedence, then the first shape at which the candidate failed.

        Raises: DeviceUnhealthy when the machine is too busy to tell who works before a call.
        """
        if len(self.trials) == 1:
            return self.trials[0].end()
        reports: dict[str, CheckReport] = {}
        for trial in self.trials:
            with at(trial.station.spec):
                report = trial.end()
            reports[trial.station.spec.shape] = replace(report, reason=said(trial.station.spec, report.reason))
        return check_of(_heads_first(reports), shares(self.trials[0].station.spec.shapes))


def _heads_first(reports: dict[str, CheckReport]) -> dict[str, CheckReport]:
    """The same, those that say that the head is wrong before the others."""
    return dict(sorted(reports.items(), key=lambda item: item[1].facts.get("side") != "head"))
