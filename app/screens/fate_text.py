"""Why a node of a Design Tree died, and what became of the nodes below it. Pure."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from app.views import Line, count, gain, wrap
from store.views import End, NodeDetail

DEAD: Final = ("REJECT", "REVERT", "INVALID")
KEPT: Final = "KEEP"


def word(end: End) -> str:
    """The one word for it: the verdict, else what refused it, else the outcome; "" while it is at work. FASTER is only
    what became the head: else it was not confirmed, or nobody approved it."""
    if end.outcome == KEPT:
        return end.verdict or "kept"
    if end.verdict == "FASTER" and end.outcome:
        return "not kept"
    return end.verdict or end.refusal.replace("_", " ") or end.outcome


def death_lines(detail: NodeDetail, width: int) -> list[Line]:
    """Nothing for a node that lives: kept and untainted, or at work."""
    text = _death(detail)
    if not text:
        return []
    return [
        (("died     " if i == 0 else " " * 9, "dim"), (row, "warn")) for i, row in enumerate(wrap(text, width - 10))
    ]


def _death(detail: NodeDetail) -> str:
    node = detail.node
    if node.tainted:
        return "of a fold, found after it was judged"
    gate = next((gate for gate in detail.gates if gate.state == "refused"), None)
    if gate is not None:
        kind = f" ({gate.kind.replace('_', ' ')})" if gate.kind else ""
        return f"at gate {gate.gate}{kind}: {gate.reason}" if gate.reason else f"at gate {gate.gate}{kind}"
    if node.outcome == KEPT and node.sign == "-":
        return "taken back after its promotion; a later audit or measurement says why in the log"
    test = next((test for test in reversed(detail.tests) if test.verdict), None)
    if node.outcome in (*DEAD, "ACCEPT") and test is not None:
        kept = ", kept as equal" if node.outcome == "ACCEPT" else ""
        return (
            f"in {test.kind} test {test.id} after {test.pairs_done} pairs: {test.verdict}{kept}; {test.reason}".rstrip(
                "; "
            )
        )
    return f"without a test: {node.refusal.replace('_', ' ') or 'no reason was kept'}" if node.outcome in DEAD else ""


def below(ends: Iterable[End]) -> tuple[int, Counter[str], float | None]:
    """How many nodes, how they ended, and the best gain that was kept."""
    words: Counter[str] = Counter()
    best: float | None = None
    total = 0
    for end in ends:
        total += 1
        words["kept" if end.outcome == KEPT else word(end) or "at work"] += 1
        if end.outcome == KEPT and end.gain is not None:
            best = end.gain if best is None else max(best, end.gain)
    return total, words, best


def branch_lines(ends: Iterable[End], width: int) -> list[Line]:
    """`branch  14 nodes below: 3 kept (best +1.9 %), 6 SLOWER, 5 compile`; nothing without a node below."""
    total, words, best = below(ends)
    if not total:
        return []
    first = [f"{words.pop('kept')} kept" + ("" if best is None else f" (best {gain(best)})")] if words["kept"] else []
    rest = [f"{n} {name}" for name, n in sorted(words.items(), key=lambda ended: (-ended[1], ended[0])) if n]
    text = f"{count(total, 'node')} below: {', '.join([*first, *rest]) or 'none kept'}"
    if not first:
        text += "; nothing kept yet" if words["at work"] else "; nothing of this branch was kept"
    return [(("branch   " if i == 0 else " " * 9, "dim"), (row, "")) for i, row in enumerate(wrap(text, width - 10))]
