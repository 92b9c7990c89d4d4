"""Gate `correct` on the device: every regime on different slots, in secret order, and the probes for cheats.

First all regimes, judged at once, so that a wrong kernel costs little. Then: the same call with another poison must
give the same bits; the same addresses with new contents, and with one changed element, the right new answer; a last
check after many calls; outputs final; no threads left. A promotion adds an epoch of uniform codes and more samples, an
audit what `audit.py` looks at.
"""

import math
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kernels.device.audit import AuditCalls
from kernels.device.auditing import Audit
from kernels.device.calls import Caller, Misconduct
from kernels.device.contender import Contender
from kernels.device.epoch import Epoch
from kernels.device.expected import Answer, Done, fault
from kernels.device.failures import named
from kernels.device.leftover import left_behind
from kernels.device.probes import Probes
from kernels.device.report import CheckReport
from kernels.device.station import Station
from kernels.packs.loader import has_uniform_codes
from kernels.packs.matrix import Rows
from kernels.packs.sampled import Sampled, sampled_of
from kernels.sandbox.runner import RunnerFailed
from kernels.values.kernel import KernelSpec, Tolerance

REPLAY: Final = 5.0
SLOWEST_BYTES_PER_S: Final = 5e7  # a kernel below this rate counts as hanging


def call_timeout_s(station: Station) -> float:
    """Time after which a call of unknown speed counts as a hang."""
    return max(2.0, (station.spec.bytes_moved + station.spec.operations / 8) / SLOWEST_BYTES_PER_S)


class Check:
    """One correctness check of one contender; `run` is called once.

    too_fast: measures why no honest call on weights out of the cache takes so few ns; "" when one may.
    control: who is right by definition, for an audit.
    """

    def __init__(
        self, station: Station, contender: Contender, *, promotion: bool, too_fast: Callable[[float], str],
        audit: Audit | None = None, control: Contender | None = None,
    ) -> None:  # fmt: skip
        self._station = station
        self._contender = contender
        self._promotion = promotion
        self._audit = audit
        self._control = control
        self._too_fast = too_fast
        self._caller = Caller(contender, station.rng, call_timeout_s(station))
        self._calls: list[Done] = []
        self._facts: dict[str, Any] = {}
        self._used: dict[str, float] = {}  # of its tolerance, by output, in the worst call
        self._reference_s, self._decode_s = station.oracle.seconds, station.oracle.decode_seconds

    @property
    def spec(self) -> KernelSpec:
        return self._station.spec

    def leave(self) -> None:
        """End the process; the next use starts another one."""
        self._contender.stop()

    def run(self) -> CheckReport:
        """Raises: DeviceUnhealthy, PackError."""
        start = time.monotonic()
        kind, reason = "", ""
        try:
            self._all()
        except Misconduct as misconduct:
            kind, reason = misconduct.kind, misconduct.reason
        except RunnerFailed as failure:
            kind, reason = named(failure, self._station.layout)
        seconds = time.monotonic() - start
        self._add_facts()
        return CheckReport(not kind, kind, reason, self._facts, tuple(sorted(self._caller.findings)), seconds)

    def _all(self) -> None:
        station, runner = self._station, self._contender.runner
        station.turn()
        epoch = station.epoch
        if self._audit is not None and self._audit.alone:
            self._audited(epoch, self._audit)
            return
        threads = runner.census().threads
        probes = Probes(station, self._caller, epoch)
        first = probes.regimes(4 if self._promotion else 2, epoch, station.lap())
        answers = self._judge(first)
        second = self._probe(probes, first, answers)
        self._visible(probes, second, self._judge(second))
        if self._promotion:
            self._judge(self._uniform(probes))
        if self._audit is not None:
            self._audited(epoch, self._audit)
        self._end(threads, min(call.elapsed_ns for call in first))

    def _judge(self, calls: Sequence[Done]) -> list[Answer]:
        """Raises: Misconduct for the first wrong output."""
        self._calls += calls
        answers = self._station.oracle.answers(calls)
        for call, answer in zip(calls, answers, strict=True):
            found = fault(self._station.spec, call, answer)
            for name, share in answer.used.items():
                self._used[name] = max(share, self._used.get(name, 0.0))
            if found is not None:
                raise Misconduct(found.kind, found.reason)
        return answers

    def _audited(self, epoch: Epoch, plan: Audit) -> None:
        """Raises: Misconduct for the first wrong output at which the control is right."""
        station, control = self._station, self._control
        right = None if control is None else Caller(control, station.rng, call_timeout_s(station))
        calls = AuditCalls(station, self._caller, epoch, plan, right)
        self._facts["audit"] = calls.facts
        found = calls.first_fault(self._calls)
        if found is not None:
            raise Misconduct(found.kind, found.reason)

    def _probe(self, probes: Probes, first: Sequence[Done], answers: Sequence[Answer]) -> list[Done]:
        spec, rng = self._station.spec, self._station.rng
        chosen = [first[int(i)] for i in rng.choice(len(first), min(2, len(first)), replace=False)]
        calls = [probes.again(call) for call in chosen]
        self._replay(chosen, calls)
        calls += [probes.contents(first[int(rng.integers(len(first)))])]
        inside = {m.codes for m in spec.matrices} | {m.scales for m in spec.matrices}
        for _ in range(3 if self._promotion else 1):
            for argument in spec.arguments:
                if argument.role in ("input", "inout") and not self._untouched(argument.name):
                    calls += probes.element(argument)
                elif argument.role == "weight" and argument.name not in inside:
                    calls += probes.vector(argument)
            for matrix in spec.matrices:
                which = self._telling(first)
                calls += probes.code(matrix, first[which], answers[which])
        return calls + probes.late(statistics.median(call.elapsed_ns for call in first))

    def _replay(self, fresh: Sequence[Done], repeated: Sequence[Done]) -> None:
        """Note how much faster the same inputs were the second time. Seen in public: flashinfer-bench issue 21."""
        ratio = max(a.elapsed_ns / b.elapsed_ns for a, b in zip(fresh, repeated, strict=True))
        self._facts["replay_ratio"] = round(ratio, 2)
        if ratio > REPLAY:
            self._caller.findings.add(f"the same inputs again were {ratio:.1f} times as fast")

    def _untouched(self, name: str) -> bool:
        """A `rows_only` array: the kernel's answer does not depend on what it held."""
        tolerance = self._station.spec.tolerances.get(name)
        return tolerance is not None and tolerance.rows_only

    def _telling(self, calls: Sequence[Done]) -> int:
        """Index of a call whose vectors have few large elements, so that one weight shows."""
        telling = [i for i, call in enumerate(calls) if call.label == "one_hot"] or list(range(len(calls)))
        return int(self._station.rng.choice(telling))

    def _visible(self, probes: Probes, calls: Sequence[Done], answers: Sequence[Answer]) -> None:
        """Note arguments of which one element did not visibly change any right answer."""
        by_call = {id(call): answer for call, answer in zip(calls, answers, strict=True)}
        hidden = [
            name
            for name, (first, *rest) in probes.changes.items()
            if not any(self._reacts(by_call[id(first)], by_call[id(other)]) for other in rest)
        ]
        self._facts["influence_not_visible"] = sorted(hidden)

    def _reacts(self, a: Answer, b: Answer) -> bool:
        for name, tolerance in self._station.spec.tolerances.items():
            one, other = a.wanted[name], b.wanted[name]
            if isinstance(one, Sampled) or isinstance(other, Sampled):
                return True  # two samples are of different places: nothing says that it does not react
            if isinstance(one, Rows) and isinstance(other, Rows):
                if not np.array_equal(one.index, other.index):
                    return True
                one, other = one.values, other.values
            if isinstance(one, Rows) or isinstance(other, Rows):
                continue
            if np.any(np.abs(one - other) > 2 * _allowed(one, tolerance)):
                return True
        return False

    def _uniform(self, probes: Probes) -> list[Done]:
        """Every regime twice on weights whose codes are uniform over all finite values, zeros and subnormals."""
        with self._station.uniform() as epoch:
            if epoch is None:
                return []
            return [_with_label(c, "uniform codes, ") for c in probes.regimes(2, epoch, [epoch.first])]

    def _end(self, threads: int, fastest: float) -> None:
        """Raises: Misconduct when something goes on or the calls were faster than the memory."""
        left = left_behind(self._contender, threads)
        if left:
            raise Misconduct("own_threads", left)
        why = self._too_fast(fastest)
        if why:
            raise Misconduct("below_floor", why)

    def _add_facts(self) -> None:
        times = [call.elapsed_ns for call in self._calls]
        self._facts |= {
            "calls": len(times),
            "calls_s": sum(times) * 1e-9,
            "median_ns": statistics.median(times) if times else 0.0,
            "reference_s": round(self._station.oracle.seconds - self._reference_s, 4),
            "decode_s": round(self._station.oracle.decode_seconds - self._decode_s, 4),
            "tolerance_used": {
                name: float(f"{share:.3g}") for name, share in self._used.items() if math.isfinite(share)
            },
            "regimes": list(self._station.spec.regimes),
            "slots": self._station.slots,
            "ring_mib": round(self._station.slots * self._station.spec.bytes_moved / (1 << 20), 1),
            "pages": self._station.pages,
            **({"sampled": sampled} if (sampled := sampled_of(self._station.spec)) else {}),
            "uniform_codes": self._promotion and has_uniform_codes(self._station.spec),
        }


def _allowed(want: NDArray[np.float64], tolerance: Tolerance) -> NDArray[np.float64]:
    """By how much each element may differ: its own tolerance, or that over the whole output where it is tighter."""
    own = tolerance.atol + tolerance.rtol * np.abs(want)
    if tolerance.max_over_rms is None:
        return own
    return np.minimum(own, tolerance.max_over_rms * np.sqrt(np.mean(np.square(want, dtype=np.float64))))


def _with_label(call: Done, prefix: str) -> Done:
    call.label = prefix + call.label
    return call
