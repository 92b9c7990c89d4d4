"""Calibrates the device with one kernel: 24 pairs of the head with itself, each side in a runner of its own."""

import json
import math
import secrets
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from kernels.judge.calibrate import CALIBRATION_PAIRS, Calibration, calibrate
from kernels.judge.collect import Judged, Progress, coin_of, judge
from kernels.judge.fixed import Fixed
from kernels.sandbox.runner import RunnerFailed
from kernels.values.candidate import Candidate
from kernels.values.reading import First, Pair
from kernels.values.verdict import Verdict
from roles.campaign import Campaign
from roles.kernel_state import KernelState
from roles.placebo import placebo_of
from store import calibrations, designs, ledger
from store.engine import Session

RULE = Fixed(CALIBRATION_PAIRS)


class CalibrationFailed(Exception):
    """The head could not be measured against itself; the reason is for the reader."""


class Calibrator:
    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign

    async def command(self, kernel: str, _: Mapping[str, Any]) -> str:
        """The operator's verb `calibrate`: the figures as JSON."""
        return json.dumps(await self.run(kernel))

    async def run(self, kernel: str) -> dict[str, Any]:
        """Measure, store and return the figures. Holds the kernel: its head does not move meanwhile.

        Raises: CalibrationFailed, DeviceUnhealthy.
        """
        campaign = self._campaign
        if kernel not in campaign.kernels:
            raise CalibrationFailed(f"no kernel {kernel!r} here; known: {', '.join(campaign.kernels)}")
        state = campaign.kernels[kernel]
        async with state.lock:
            twin = placebo_of(state.head.candidate, secrets.token_hex(8))
            artefact = await campaign.build(twin, state.spec)
            await campaign.device.load(kernel, twin.id, artefact.path)
            try:
                return await self._measure(state, twin)
            finally:
                await campaign.device.unload(twin.id)

    async def _measure(self, state: KernelState, twin: Candidate) -> dict[str, Any]:
        campaign, seed = self._campaign, secrets.randbits(62)

        def rows(s: Session) -> int:
            designs.add_candidate(s, twin, machine_code=state.head.machine_code)
            return ledger.start_test(
                s, campaign.id, state.spec.name, "calibration", candidate_id=twin.id, head_id=state.head.key,
                lever="calibration", agent="operator", rule=RULE.name, seed=str(seed), pairs_budget=RULE.budget,
            )  # fmt: skip

        test_id = await campaign.store.write(rows)
        try:
            judged = await self._pairs(state, twin.id, seed, test_id)
            if judged.verdict is Verdict.INVALID:
                raise CalibrationFailed(judged.reason)
            return await self._keep(state, judged, test_id)
        except (CalibrationFailed, RunnerFailed) as failure:
            reason = str(failure)
            await campaign.store.write(lambda s: ledger.finish_test(s, test_id, Verdict.INVALID, reason=reason))
            raise CalibrationFailed(f"calibration of {state.spec.name}: {reason}") from failure

    async def _pairs(self, state: KernelState, twin: str, seed: int, test_id: int) -> Judged:
        campaign, device, spent = self._campaign, self._campaign.device, 0.0
        session = await device.begin_test(state.spec.name, state.head.key, twin)

        async def measure(first: First) -> Pair:
            nonlocal spent
            await campaign.latches.passage("operator", state.spec.name)
            pair = await device.pair(session, first, state.head.ns)
            spent = device.last_hold_s
            return pair

        async def keep(progress: Progress) -> None:
            def rows(s: Session) -> None:
                ledger.add_pair(s, test_id, progress.pair, score=progress.decision.score, seconds=spent)

            await campaign.store.write(rows)

        judged = await judge(measure, RULE, coin_of(seed), on_pair=keep)
        report = await device.end_test(session)
        if not report.ok:
            raise CalibrationFailed(f"{report.kind}: {report.reason}")
        return judged

    async def _keep(self, state: KernelState, judged: Judged, test_id: int) -> dict[str, Any]:
        campaign, prints = self._campaign, self._campaign.target.fingerprint
        found = calibrate(judged.pairs)
        seconds = await campaign.store.read(lambda s: ledger.get_test(s, test_id).device_seconds)
        known = {
            "pack": campaign.pack.name, "kernel": state.spec.name, "target": campaign.target.name,
            "fingerprint": prints.id, "device": prints.device, "head": state.head.key, "test": test_id,
            "at": campaign.clock(), "mode": judged.mode, "sandbox": campaign.device.level,
            "realtime": judged.pairs[0].environment.get("realtime", ""), "redos": len(judged.redos),
            "head_ns": state.head.ns, "pair_seconds": seconds / (len(judged.pairs) + len(judged.redos)),
        }  # fmt: skip
        figures = {**known, **figures_of(found)}

        def rows(s: Session) -> None:
            ledger.finish_test(s, test_id, "", score=judged.decision.score, estimate=judged.estimate, mode=judged.mode)
            calibrations.keep(
                s, campaign.id, fingerprint=prints.id, pack=campaign.pack.name, kernel=state.spec.name, figures=figures
            )

        await campaign.store.write(rows)
        return figures


def figures_of(found: Calibration) -> dict[str, Any]:
    """All figures of a calibration as JSON values; what could not be computed is None."""
    raw = {
        **{k: v for k, v in asdict(found).items() if k not in ("carry", "modes")},
        "modes": [{"gbs": gbs, "pairs": pairs} for gbs, pairs in found.modes],
        "carry_over": {**asdict(found.carry), "warning": found.carry.warning},
        "visible_gain": found.visible_gain,
        "promotable_gain": found.power.promotable_gain,
        "suggested": {"flat_within": found.suggested_d},
        "lines": list(found.lines),
    }
    return {name: _jsonable(value) for name, value in raw.items()}


def _jsonable(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _jsonable(v) for k, v in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value
