"""A node of a Design Tree as a row and as a page: what it is, why it lives or died. Pure."""

from collections.abc import Sequence

from app.sanitise import cells
from app.screens.fate_text import branch_lines, death_lines, word
from app.screens.race_text import race_lines
from app.screens.syntax import diff_lines, source_lines
from app.views import (
    NOTHING,
    SIGN_TONES,
    VERDICT_SIGNS,
    VERDICT_TONES,
    Line,
    Tone,
    columns,
    folded,
    gain,
    moment,
    short_id,
    wrap,
)  # fmt: skip
from app.zline import estimate
from store.views import End, GateView, NodeDetail, NodeView, TestView

GATE_SIGNS: dict[str, tuple[str, Tone]] = {"passed": ("+", "good"), "refused": ("-", "bad"), "skipped": ("~", "dim")}


def label(node: NodeView) -> str:
    """`lever: title`, or the one of them that says everything."""
    if not node.lever or node.lever in node.title:
        return node.title or node.kind
    return f"{node.lever}: {node.title}" if node.title and node.title not in node.lever else node.lever


def row_tail(node: NodeView, width: int) -> Line:
    """The right end of a row: gain, and with room verdict and agent."""
    parts: list[tuple[str, int, Tone]] = [(gain(node.gain) if node.gain is not None else "", -8, "")]
    if width >= 52:
        parts.append((word(node.end), 14 if width >= 64 else 8, VERDICT_TONES.get(node.verdict, "dim")))
    if width >= 72:
        parts.append((node.agent, 12, "dim"))
    mark = "<head" if node.is_head else "!fold" if node.tainted else ""
    return (*columns(parts), (mark.ljust(5), "good" if node.is_head else "bad"))


def page(detail: NodeDetail, code: Sequence[Line], ends: Sequence[End], width: int) -> list[Line]:
    """Everything about one node. code: see `code_lines`; ends: of the nodes below it."""
    node = detail.node
    name, *more = folded(label(node), max(10, width - 2)) or [""]
    lines: list[Line] = [
        ((f"{node.sign or ' '} ", SIGN_TONES.get(node.sign, "")), (name, "strong")),
        *(((f"  {row}", "strong"),) for row in more),
        *_prose(_standing(node), "", width),
        *_prose(_origin(node), "dim", width),
    ]
    lines += _prose(f"! {detail.under_parent}", "warn", width) if detail.under_parent else []
    lines += _prose(f"! tainted by a fold, counts in no result: {node.taint}", "bad", width) if node.tainted else []
    lines += [*death_lines(detail, width), *branch_lines(ends, width)]
    for name, text in (("why", detail.reason), ("expected", detail.prediction), ("flags", " ".join(detail.flags))):
        lines += _named(name, text, width)
    lines += race_lines(detail.race, width) if detail.race is not None else []
    lines += [*_gates(detail.gates, width), *_tests(detail.tests, width), *code]
    return lines


def _standing(node: NodeView) -> str:
    state = node.outcome or ("at work" if node.sign == "." else node.kind)
    parts = [state, node.verdict, gain(node.gain) if node.gain is not None else ""]
    parts += ["head of its kernel" if node.is_head else "on the head's lineage" if node.on_head_path else ""]
    return "  ".join(part for part in (*parts, f"id {short_id(node.candidate_id)}") if part)


def _origin(node: NodeView) -> str:
    return f"{node.kind} {node.id} of {node.kernel}, by {node.agent or NOTHING}, {moment(node.created_at)}"


def _prose(text: str, tone: Tone, width: int) -> list[Line]:
    return [((row, tone),) for row in folded(text, max(10, width))]


def _named(name: str, text: str, width: int) -> list[Line]:
    rows = wrap(text, max(10, width - 10))
    return [((f"{name if index == 0 else '':9} ", "dim"), (row, "")) for index, row in enumerate(rows)]


def rule(title: str) -> Line:
    """The heading of a part of a page."""
    return ((f"-- {title} ", "dim"),)


def _gates(gates: tuple[GateView, ...], width: int) -> list[Line]:
    lines: list[Line] = [rule("gates")] if gates else []
    for gate in gates:
        sign, tone = GATE_SIGNS.get(gate.state, ("?", ""))
        why = " ".join(part for part in (_kind(gate), gate.reason) if part)
        first, *more = wrap(why, max(10, width - 22)) or [""]
        lines.append(((f"{sign} ", tone), (f"{gate.gate:10}", ""), (f"{gate.seconds:7.2f} s ", "dim"), (first, tone)))
        lines += [((" " * 22 + row, tone),) for row in more]
        lines += [line for text in gate.findings for line in _finding(text, width)]
    return lines


def _finding(text: str, width: int) -> list[Line]:
    return [((f"{'':12}{row}", "warn"),) for row in wrap(f"finding: {text}", max(10, width - 12))]


def _kind(gate: GateView) -> str:
    """The reason in one word, where the sign does not say it already."""
    return gate.kind.replace("_", " ") if gate.state == "refused" else ""


def _tests(tests: tuple[TestView, ...], width: int) -> list[Line]:
    lines: list[Line] = [rule("tests")] if tests else []
    for test in tests:
        verdict = test.verdict or test.state
        tone, sign = VERDICT_TONES.get(verdict, ""), VERDICT_SIGNS.get(verdict, "." if verdict == "running" else " ")
        said = f"{sign} {test.kind} {test.id}: {verdict}"
        figures = f"  {test.pairs_done} pairs, score {test.score:+.2f}, {estimate(test)}"
        short = cells(said + figures) <= width
        lines += [((said, tone), (figures, ""))] if short else [((said, tone),), *_prose(figures, "", width)]
        lines += [((f"  {row}", "dim"),) for row in wrap(test.reason, max(10, width - 2))]
    return lines


def code_lines(detail: NodeDetail) -> list[Line]:
    """The difference to the parent, else the source. Takes a while for a long one."""
    if detail.diff:
        return [rule("difference to its parent"), *diff_lines(detail.diff)]
    return [rule("source"), *source_lines(detail.source)] if detail.source else []
