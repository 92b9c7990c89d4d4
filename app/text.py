"""Plain text of what the store says, for commands without --json."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.screens.trust_text import shift
from app.spent_text import spending_lines
from app.views import about, beats_probe, count, duration_ns, other_modes
from kernels.judge.placebo import KNOWN_FROM
from kernels.values.numbers import significant
from store.device_views import PlaceboView
from store.toolchain_views import ToolchainChangeView, said
from store.views import AgentView, FilingView, KernelView, NodeView, OverviewView, ShapeView


def factor(value: float | None, low: float | None = None, high: float | None = None) -> str:
    """A speedup with its interval."""
    if value is None:
        return "not measured"
    interval = f" ({low:.2f}..{high:.2f})" if low is not None and high is not None else ""
    return f"{value:.2f}x{interval}"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns padded to their widest cell."""
    widths = [max(len(row[i]) for row in (header, *rows)) for i in range(len(header))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (header, *rows)]
    return "\n".join(line.rstrip() for line in lines)


def digits(value: float | None) -> str:
    """Two decimals, "-" for nothing."""
    return "-" if value is None else f"{value:.2f}"


def shapes_text(shapes: Sequence[ShapeView]) -> str:
    """`decode 3.20x (3.11..3.29), edge 0.97x (0.95..0.99) slower`: one a shape, in the contract's order."""
    return ", ".join(f"{one.name} {shape_ratio(one)}" for one in shapes)


def shape_ratio(shape: ShapeView) -> str:
    """The ratio with its interval, and "slower" where the interval says so."""
    return factor(shape.speedup, shape.low, shape.high) + (" slower" if shape.high < 1 else "")


def _kernel_row(kernel: KernelView) -> list[str]:
    return [
        kernel.name, duration_ns(kernel.baseline_ns), duration_ns(kernel.head_ns),
        factor(kernel.ledger_speedup, kernel.ledger_low, kernel.ledger_high),
        digits(kernel.times_peak), digits(kernel.score), str(kernel.tests), str(kernel.promotions), kernel.status,
    ]  # fmt: skip


def status_text(view: OverviewView) -> str:
    c = view.campaign
    alive = "engine alive" if view.engine and view.engine.alive else "no word of an engine"
    head = f"campaign {c.id}: {c.pack} on {c.target} ({c.toolchain}), {c.state}, {c.elapsed_s / 60:.1f} min, {alive}"
    header = ("kernel", "baseline", "head", "ledger speedup", "x peak", "score", "tests", "promoted", "now")
    lines = [
        head,
        table(header, [_kernel_row(k) for k in view.kernels]),
        f"geomean {c.refused or factor(c.ledger_speedup, c.ledger_low, c.ledger_high)} by ledger; "
        f"claimed {factor(c.claimed_gain)}{c.claimed_mark}; "
        f"mode {c.mode or '-'}",
        f"{count(c.candidates, 'candidate')}, {count(c.tests_run, 'test')}, {count(c.promotions, 'promotion')}; "
        f"expected false promotions <= {about(c.expected_false_promotions)}; device busy {c.device_busy_fraction:.0%}; "
        f"sandbox {c.sandbox_level}",
        placebo_text(c.placebo),
    ]
    lines += [f"{k.name} by shape: {shapes_text(k.shapes)}" for k in view.kernels if k.shapes]
    lines += [f"{k.name}: reference: {k.reference}" for k in view.kernels if k.reference]
    lines += filter(None, [beats_probe({k.name: k.times_peak for k in view.kernels})])
    lines += filter(None, [other_modes({k.name: k.peak_mode for k in view.kernels})])
    lines += [f"audits: {'; '.join(c.audited)}"] if c.audited else []
    lines += [f"! tainted, counts in no figure: {line}" for line in c.tainted]
    return "\n".join(lines + [f"! {line}" for line in view.attention])


def toolchain_lines(changes: Sequence[ToolchainChangeView]) -> list[str]:
    return [change_line(one.text, one.state, one.said, one.notes) for one in changes]


def change_line(text: str, state: str, came_to: str, notes: Sequence[str]) -> str:
    """`toolchain changed: gcc 12 is gcc 11 now; re-checked: 79 rules: 75 re-verified, ...`."""
    word = {"done": "re-checked", "rechecking": "re-check under way", "superseded": "superseded"}[state]
    return "; ".join([f"toolchain changed: {text}", f"{word}: {came_to}", *notes])


def placebo_text(view: PlaceboView) -> str:
    counted = f"placebo: {view.faster}/{view.tests} FASTER"
    bound = "" if view.upper is None else f", at most {view.upper:.1%} (95 %)"
    if not view.known:
        bound = f", NOT YET KNOWN (fewer than {KNOWN_FROM} placebo tests)"
    if view.bias is None:
        return f"{counted}{bound}; A/A bias: no placebo pair yet"
    return f"{counted}{bound}; A/A bias {shift(view.bias)}, {view.bias.pairs} pairs"


def agents_text(views: Sequence[AgentView], now: float) -> str:
    header = ("agent", "role", "kernel", "state", "since", "tokens", "cost", "step")
    return table(header, [_agent_row(a, now) for a in views])


def _agent_row(a: AgentView, now: float) -> list[str]:
    tokens, cost = (f"{a.tokens:,}", f"${a.usd:.2f}") if a.tokens else ("", "")
    return [a.name, a.role, a.kernel, a.state, f"{now - a.since:.0f} s", tokens, cost, a.step]


def filings_text(views: Sequence[FilingView]) -> str:
    header = ("id", "kind", "kernel", "lever", "gain (selected)", "interval", "ledger", "")
    return table(header, [_filing_row(f) for f in views])


def _filing_row(f: FilingView) -> list[str]:
    imported = f.imported
    if imported is not None:
        score = "-" if imported.score is None else f"{significant(imported.score)}"
        said = f"imported, {imported.team or 'no team'} {imported.board}: score {score} {imported.filed_text}".rstrip()
        return [str(f.id), f.kind, "-", f.lever or "-", "-", "-", "-", said]
    gain = f"{f.gain:+.2%}" if f.gain is not None else "-"
    interval = f"({f.interval[0]:+.2%}..{f.interval[1]:+.2%})" if f.interval else "-"
    fold = f"! tainted: {f.taint}" if f.tainted else ""
    return [str(f.id), f.kind, f.kernel, f.lever, gain, interval, factor(f.ledger_speedup), fold]


def tree_text(nodes: Sequence[NodeView]) -> str:
    depth: dict[int, int] = {}
    lines = []
    for node in nodes:
        depth[node.id] = depth.get(node.parent, -1) + 1 if node.parent is not None else 0
        gain = f" {node.gain:+.2%}" if node.gain is not None else ""
        race = f" (race {node.race})" if node.race is not None else ""
        head = " <- head" if node.is_head else ""
        fold = f" TAINTED: {node.taint}" if node.tainted else ""
        lines.append(
            f"{'  ' * depth[node.id]}{node.sign} {node.id} {node.kind} {node.title or node.lever} "
            f"{node.outcome} {node.verdict}{gain}{race}{head}{fold}".rstrip()
        )
    return "\n".join(lines)


def _shapes(shapes: Mapping[str, Mapping[str, Any]]) -> str:
    return ", ".join(f"{name} {factor(one['ratio'], *one['interval'])}" for name, one in shapes.items())


def summary_text(summary: Mapping[str, Any]) -> str:
    """The end of a run, for a person."""
    header = ("kernel", "baseline", "head", "ledger speedup", "x peak", "score", "candidates", "tests", "promotions")
    rows = [
        [
            name, duration_ns(k["baseline_ns"]), duration_ns(k["head_ns"]), factor(k["ledger_speedup"]),
            digits(k["times_peak"]), digits(k["score"]), str(k["candidates"]), str(k["tests"]), str(k["promotions"]),
        ]
        for name, k in summary["kernels"].items()
    ]  # fmt: skip
    interval = summary["ledger_interval"] or (None, None)
    return "\n".join(
        [
            table(header, rows),
            f"geomean {summary['refused'] or factor(summary['ledger_speedup'], *interval)} by ledger, "
            f"mode {summary['mode'] or '-'}; stopped because: {summary['stopped_because']}",
            *(f"{name} by shape: {_shapes(k['shapes'])}" for name, k in summary["kernels"].items() if "shapes" in k),
            *(f"{name}: reference: {k['reference']}" for name, k in summary["kernels"].items() if "reference" in k),
            *filter(None, [beats_probe({name: k["times_peak"] for name, k in summary["kernels"].items()})]),
            *(f"! tainted, counts in no figure: {t['kernel']} node {t['node']} {t['why']}" for t in summary["tainted"]),
            *(
                change_line(one["text"], one["state"], said(one["counts"], one["waiting"]), one["notes"])
                for one in summary["toolchain_changes"]
            ),
            *(
                f"node {a['node']} on {a['kernel']}, {a['title']}: {a['state']} {a['by']}".rstrip()
                for a in summary.get("approvals", ())
            ),
            *spending_lines(summary.get("models", {})),
        ]
    )
