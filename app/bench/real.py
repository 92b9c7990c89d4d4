"""Benches on the real device: the judge against what is known, the head itself and a head that was slowed by design."""

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from app.device_session import DeviceSession, own_device
from app.home import workspace_folder
from app.settings import MissingError, UsageError
from app.verdict import power
from app.verdict.asked import Asked, resolve
from kernels.gates.base import Subject
from kernels.judge.collect import coin_of, judge
from kernels.judge.fixed import Fixed
from kernels.judge.placebo import Placebos, pooled_bias
from kernels.packs.loader import baseline
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec
from kernels.values.reading import First, Pair
from kernels.values.verdict import Verdict
from roles.kernel_state import KernelState
from roles.placebo import placebo_of
from roles.testing import TestResult
from store import designs, ledger
from store.engine import Store

VISIBLE_FACTOR: Final = 1.5
TRIAL_SPINS: Final = 300_000
ROUNDS: Final = 6
LONGER: Final = 4
CLEAR: Final = 0.4
EFFECT_PAIRS: Final = 24
INNER: Final = "kw_bench_inner"
Say = Callable[[str], None]
Found = dict[str, Any]


def run_aa(home: Path, kernel: str, tests: int, say: Say) -> Found:
    """The baseline against twins of itself, each in a fresh runner. Raises: UsageError, MissingError."""
    asked = resolve(home, workspace_folder(), kernel)
    with Store.open(home) as store:
        return asyncio.run(_aa(store, asked, tests, say))


async def _aa(store: Store, asked: Asked, tests: int, say: Say) -> Found:
    async with own_device(asked, store) as session:
        state = await session.prepare(asked.spec, baseline(asked.spec))
        one = _Tests(session, state, baseline(asked.spec), "placebo", say)
        results = [await one.run(number) for number in range(tests)]
        ratios = [x for r in results for x in store.read_sync(lambda s, t=r.test_id: ledger.log_ratios(s, t))]
    counted = _counted(asked, results, one)
    judged = [r for r in results if r.verdict is not Verdict.INVALID]
    placebos = Placebos(sum(r.verdict is Verdict.FASTER for r in judged), len(judged))
    bias = pooled_bias(ratios)
    return {**counted, "bench": "aa", "faster_upper": placebos.upper, "said": [
        f"placebo {placebos.text}", bias.text if bias else "no pairs",
    ]}  # fmt: skip


def run_gain(home: Path, kernel: str, tests: int, gain: float | None, say: Say) -> Found:
    """The baseline with a wait of no turns against the same with a longer one.

    gain: as a share; None = 1.5 x what the stored calibration can see.
    Raises: UsageError without a calibration, MissingError.
    """
    asked = resolve(home, workspace_folder(), kernel)
    with Store.open(home) as store:
        return asyncio.run(_gain(store, asked, tests, gain, say))


async def _gain(store: Store, asked: Asked, tests: int, gain: float | None, say: Say) -> Found:
    async with own_device(asked, store) as session:
        wanted = gain if gain is not None else VISIBLE_FACTOR * _visible(session, asked)
        head, made = await _slowed_by(session, asked.spec, wanted, say)
        state = await session.prepare(asked.spec, head)
        one = _Tests(session, state, slowed(asked.spec, 0), "acceptance", say)
        results = [await one.run(number) for number in range(tests)]
    found = sum(r.verdict is Verdict.FASTER for r in results)
    confirmed = sum(r.confirmed for r in results)
    said = (
        f"a gain of {100 * wanted:.2g} % (as made: {100 * made:.2f} % by {EFFECT_PAIRS} pairs) was found in {found} of "
        f"{tests} tests, {confirmed} confirmed"
    )
    counted = _counted(asked, results, one)
    return {**counted, "bench": "gain", "gain": wanted, "gain_made": made, "confirmed": confirmed, "said": [said]}


def _visible(session: DeviceSession, asked: Asked) -> float:
    fingerprint = session.campaign.target.fingerprint.id
    figures = power.before(session.store, fingerprint, asked.pack.name, asked.spec.name)
    if figures is None:
        raise UsageError(
            f"bench gain: {asked.name} is not calibrated; ./run.sh judge calibrate {asked.name}, or --gain"
        )
    return float(figures["visible_gain"])


async def _slowed_by(session: DeviceSession, spec: KernelSpec, gain: float, say: Say) -> tuple[Candidate, float]:
    """The baseline and a wait, so long that the same without the wait gains this share; and the gain as measured.

    The length of a turn is measured on a wait so long that the device's noise is small beside it.
    """
    spins, found = TRIAL_SPINS, 0.0
    for _ in range(ROUNDS):
        found = await _effect(session, spec, spins)
        say(f"  a wait of {spins} turns makes a gain of {100 * found:.2f} %")
        if found >= CLEAR:
            break
        spins *= LONGER
    if found < CLEAR:
        raise MissingError(f"a wait of {spins} turns is still lost in the noise of {spec.name} on this device")
    turns = max(round(spins * (gain / (1 - gain)) / (found / (1 - found))), 1)
    return slowed(spec, turns), await _effect(session, spec, turns)


async def _effect(session: DeviceSession, spec: KernelSpec, spins: int) -> float:
    """Gain of a wait of no turns over one of this many, by a fixed number of coin-flip pairs. Both are wrapped alike:
    a compiler may make other code of a wrapped kernel."""
    plain = await session.prepare(spec, slowed(spec, 0))
    state = await session.prepare(spec, slowed(spec, spins))
    device = session.campaign.device
    test = await device.begin_test(spec.name, state.head.key, plain.head.key)

    async def measure(first: First) -> Pair:
        return await device.pair(test, first, state.head.ns)

    judged = await judge(measure, Fixed(EFFECT_PAIRS), coin_of(secrets.randbits(62)))
    await device.end_test(test)
    for state_of in (plain, state):
        await device.unload(state_of.head.key)
    if judged.estimate is None:
        raise MissingError(f"the slowed copy of {spec.name} could not be measured: {judged.reason}")
    return judged.estimate.gain


def slowed(spec: KernelSpec, spins: int) -> Candidate:
    """The baseline under another name, called by an entry that waits afterwards."""
    source = baseline(spec)
    names = ", ".join(a.name for a in spec.arguments)
    text = (
        f"#define {spec.entry} {INNER}\n{source.source}\n#undef {spec.entry}\n"
        f"{spec.prototype} {{\n    {INNER}({names});\n    for (volatile int i = 0; i < {spins}; i++) {{\n    }}\n}}\n"
    )
    return replace(source, files={source.main: text})


@dataclass(slots=True)
class _Tests:
    """Tests of twins of one candidate against a prepared head, each twin in a runner of its own."""

    session: DeviceSession
    state: KernelState
    candidate: Candidate
    kind: str
    say: Say
    started: float = 0.0

    async def run(self, number: int) -> TestResult:
        session, campaign, spec = self.session, self.session.campaign, self.state.spec
        self.started = self.started or time.monotonic()
        twin = placebo_of(self.candidate, secrets.token_hex(8))
        await session.store.write(lambda s: designs.add_candidate(s, twin))
        artefact = await campaign.build(twin, spec)
        await campaign.device.load(spec.name, twin.id, artefact.path)
        head = self.state.head
        subject = Subject(twin, spec, head.candidate, head.key, head.ns, campaign.build_folder(twin), artefact=artefact)
        try:
            result = await session.accept(self.state, subject, kind=self.kind)
        finally:
            await campaign.device.unload(twin.id)
        gain = f" est {100 * result.estimate.gain:+.2f} %" if result.estimate else ""
        self.say(f"  {number + 1}: {result.verdict}{gain}{', confirmed' if result.confirmed else ''} {result.reason}")
        return result


def _counted(asked: Asked, results: list[TestResult], one: _Tests) -> Found:
    verdicts = [str(r.verdict) for r in results]
    tests = [one.session.store.read_sync(lambda s, t=r.test_id: ledger.get_test(s, t)) for r in results]
    seconds = sum(t.device_seconds for t in tests)
    pairs = sum(len(one.session.store.read_sync(lambda s, t=r.test_id: ledger.log_ratios(s, t))) for r in results)
    return {
        "kernel": asked.name, "tests": len(results), "verdicts": {v: verdicts.count(v) for v in sorted(set(verdicts))},
        "pairs_a_verdict": pairs / len(results), "device_seconds_a_verdict": seconds / len(results),
        "wall_seconds": time.monotonic() - one.started,
    }  # fmt: skip


def text(found: Found) -> str:
    counted = ", ".join(f"{count} {verdict}" for verdict, count in found["verdicts"].items())
    seconds = found["device_seconds_a_verdict"]
    return "\n".join(
        [
            f"{found['kernel']}: {found['tests']} tests: {counted}",
            *found["said"],
            f"{found['pairs_a_verdict']:.1f} pairs and {seconds:.2f} device seconds a verdict",
        ]
    )
