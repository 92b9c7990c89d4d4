"""Says of a stored test why it ended as it did, by deciding its pairs again under its own rule."""

from dataclasses import replace

from app.verdict.follow import rule_of
from kernels.judge.carry_over import carry_over
from kernels.judge.collect import verdict_of
from kernels.judge.redo import side_warning
from kernels.judge.why import Look, ahead, looks
from store.reads.redo_view import pair_of, sides
from store.views import TestView, WhyView

SAME_KERNEL = ("placebo", "calibration")
NO_VERDICT = ("ledger", "batch", "calibration")


def explained(test: TestView, flat_within: float) -> TestView:
    """The test with its `why`. flat_within: the campaign's d of FLAT, a log ratio."""
    rule = rule_of(test, flat_within)
    kept = [pair for pair in test.pairs if not pair.redo_reason]
    x = [pair.log_ratio for pair in kept]
    found = looks(x, rule)
    more = ahead(len(x), rule) if test.state == "running" else ""
    warnings = [*_doubts(test, found), *_carry_over(test)]
    return replace(
        test, why=WhyView(tuple(look.text for look in found), more, _redos(test), tuple(w for w in warnings if w))
    )


def _doubts(test: TestView, found: tuple[Look, ...]) -> list[str]:
    """A verdict that the rule does not give from these pairs: another setting then, or pairs that are not all here."""
    if test.state != "done" or test.verdict in ("", "INVALID") or test.kind in NO_VERDICT:
        return []
    last = found[-1] if found else None
    if last is None or not last.ended:
        return [f"the stored verdict is {test.verdict}, but by these pairs the rule would go on"]
    given = str(verdict_of(last.decision))
    return [] if given == test.verdict else [f"the stored verdict is {test.verdict}, these pairs give {given}"]


def _carry_over(test: TestView) -> list[str]:
    """Only of finished tests: a p that is looked at again and again means little."""
    if test.state != "done":
        return []
    kept = [pair_of(p.first, p.head_ns, p.candidate_ns, "") for p in test.pairs if not p.redo_reason]
    if not all(pair.valid for pair in kept):
        return []
    return [carry_over(kept, same_kernel=test.kind in SAME_KERNEL).warning]


def _redos(test: TestView) -> tuple[str, ...]:
    """`pair 3 redone, long on the head's side: the mode changed ...`, and a warning when they lean to one side."""
    stored = [pair_of(p.first, p.head_ns, p.candidate_ns, p.redo_reason) for p in test.pairs]
    found: list[str] = []
    by_side = {"head": 0, "candidate": 0}
    for index, side in sides(stored):
        if side:
            by_side[side] += 1
        long = f", long on the {side}'s side" if side else ""
        found.append(f"pair {test.pairs[index].seq + 1} redone{long}: {test.pairs[index].redo_reason}")
    leaning = side_warning(by_side["head"], by_side["candidate"])
    return tuple(found) if not leaning else (*found, leaning)
