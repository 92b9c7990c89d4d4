"""Tools that have the own file judged: compiled, checked, timed against the head, submitted. All of them go through the
gates; only a submission can become the head."""

import math
import statistics

from kernels.device.report import DeviceUnhealthy, HeadFailed
from kernels.values.prediction import Prediction
from kernels.values.verdict import GateReport, GateState, Outcome
from roles.assignment import used_up
from roles.attempt import Result
from roles.failure import HeadWithdrawn
from roles.tools.arguments import Nothing, Submit
from roles.tools.clipping import clip
from roles.tools.workbench import EVALUATIONS, SUBMISSIONS, Infrastructure, ToolFailed, Workbench

DIAGNOSTICS = 6000


async def compile_own(bench: Workbench, asked: Nothing) -> str:
    return await _gates(bench, "compile", "it compiles")


async def check_own(bench: Workbench, asked: Nothing) -> str:
    return await _gates(bench, "correct", "its values are right in every regime that was drawn")


async def time_own(bench: Workbench, asked: Nothing) -> str:
    return await _gates(bench, "batch", "its values are right")


async def _gates(bench: Workbench, until: str, good: str) -> str:
    """Raises: ToolFailed for a refusal and for a text that was evaluated before, Infrastructure."""
    bench.refuse_unchanged()
    key = (bench.own.id, until)
    if key in bench.said:
        raise ToolFailed(f"not evaluated again, the file is as it was then: {bench.said[key]}")
    if bench.evaluations >= EVALUATIONS:
        raise ToolFailed(f"{EVALUATIONS} evaluations were made for this brief; submit or finish")
    if until == "batch":
        await _refuse_used_up(bench)
    bench.evaluations += 1
    reports = await _reports(bench, until)
    bench.hinted_pairs += sum(len(report.facts.get("log_ratios", ())) for report in reports)
    refusal = next((r for r in reports if r.state is GateState.REFUSED), None)
    said = _refused(refusal) if refusal is not None else _passed(reports, good)
    bench.said[key] = said
    if refusal is not None:
        raise ToolFailed(said)
    return said


async def _refuse_used_up(bench: Workbench) -> None:
    """Raises: ToolFailed once the brief had its share of the device."""
    if why := await used_up(bench.campaign, bench.kernel, bench.brief_id, bench.hinted_pairs):
        raise ToolFailed(f"{why}: finish")


async def _reports(bench: Workbench, until: str) -> list[GateReport]:
    try:
        reports, _ = await bench.pipeline.check_only(bench.probe(), until=until)
    except (DeviceUnhealthy, HeadFailed, HeadWithdrawn) as failure:
        raise Infrastructure(f"{type(failure).__name__}: {failure}") from failure
    return reports


def _refused(report: GateReport) -> str:
    diagnostics = str(report.facts.get("diagnostics", ""))
    more = f"\n{clip(diagnostics, DIAGNOSTICS)}" if diagnostics else ""
    return f"refused by gate {report.gate}: {report.kind}: {report.reason}{more}"


def _passed(reports: list[GateReport], good: str) -> str:
    lines = [good]
    for report in reports:
        lines += [f"{report.gate}: {finding}" for finding in report.findings]
        if warnings := str(report.facts.get("warnings", "")):
            lines.append(clip(warnings, DIAGNOSTICS))
        if ratios := report.facts.get("log_ratios"):
            lines.append(_timed([float(r) for r in ratios]))
    return "\n".join(lines)


def _timed(ratios: list[float]) -> str:
    gains = ", ".join(f"{-math.expm1(-r):+.1%}" for r in ratios)
    middle = -math.expm1(-statistics.median(ratios))
    return f"saved of the head's time in {len(ratios)} pairs: {gains}; median {middle:+.1%} (a hint, no verdict)"


async def submit(bench: Workbench, asked: Submit) -> str:
    bench.refuse_unchanged()
    key = (bench.own.id, "submit")
    if key in bench.said:
        raise ToolFailed(f"not judged again, the file is as it was then: {bench.said[key]}")
    if len(bench.results) >= SUBMISSIONS:
        raise ToolFailed(f"{SUBMISSIONS} submissions were made for this brief; finish")
    await _refuse_used_up(bench)
    if asked.new_design and bench.kernel in bench.campaign.refining:
        raise ToolFailed(f"{bench.kernel} is refined now, no new design is taken: polish the head")
    prediction = Prediction(f"{asked.expected_gain:+.1%} (the model's own guess)", asked.expected_gain)
    attempt = bench.attempt(asked.idea, asked.why, prediction, new_design=asked.new_design)
    result = await bench.judge(lambda: attempt)
    if result.outcome is Outcome.INVALID:
        raise Infrastructure(result.reason)
    bench.results.append(result)
    if result.outcome is Outcome.KEEP:
        bench.start = bench.own
    bench.said[key] = told(result)
    return f"{bench.said[key]}. {_next(bench, result)}"


def told(result: Result) -> str:
    """`REVERT SLOWER -3.1%: reason`."""
    gain = "" if result.gain is None else f" {result.gain:+.2%}"
    verdict = f" {result.verdict}" if result.verdict is not None else ""
    kind = f"{result.kind}: " if result.kind else ""
    return f"{result.outcome}{verdict}{gain}: {kind}{result.reason}"


def _next(bench: Workbench, result: Result) -> str:
    left = SUBMISSIONS - len(bench.results)
    if result.outcome is Outcome.KEEP:
        return f"It is the head now. {left} submissions are left; finish when you have no better idea"
    return f"The head stays. {left} submissions are left; write down what was learned, go on or finish"
