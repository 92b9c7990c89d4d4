"""Old state and re-check give one outcome and a state; the counts of all outcomes are those of the records."""

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from knowledge.probes.readings import Spread
from knowledge.recheck import (
    KINDS,
    OUTCOMES,
    Answer,
    Finding,
    Kind,
    Outcome,
    Record,
    counted,
    of_fact,
    of_head,
    of_rule,
    settle,
    told,
)  # fmt: skip
from knowledge.rules.conclude import OUTCOMES as OF_RULES

GOOD = {"supported", "partly", "unaudited", "current", "verified", "in force"}
STATES: dict[Kind, list[str]] = {
    "claim": ["supported", "partly", "unaudited"], "fact": ["current"], "rule": ["verified", "not_enforced"],
    "head": ["in force"], "filing": [""], "memory": ["current"],
}  # fmt: skip
ANSWERS: list[Answer] = list(get_args(Answer))
answers = st.sampled_from(ANSWERS)
records = st.sampled_from(KINDS).flatmap(
    lambda kind: st.builds(Record, st.just(kind), st.text(max_size=4), st.sampled_from(STATES[kind]))
)
values = st.floats(0.001, 1e6)


@given(records)
def test_what_holds_is_as_it_was(record: Record) -> None:
    settled = settle(record, Finding("holds"))
    assert (settled.outcome, settled.state) == ("re_verified", record.was)


@given(records.filter(lambda record: record.kind not in ("head", "filing")), st.sampled_from(["fails", "not_tried"]))
def test_what_failed_or_was_not_tried_is_never_as_good_as_before(record: Record, answer: Answer) -> None:
    assert settle(record, Finding(answer)).state not in GOOD


@given(st.lists(st.tuples(records, answers)))
def test_the_counts_are_those_of_the_records(tried: list[tuple[Record, Answer]]) -> None:
    settled = [settle(record, Finding(answer)) for record, answer in tried]
    counts = counted((one.record.kind, one.outcome) for one in settled)
    assert sum(n for of in counts.values() for n in of.values()) == len(tried)
    assert {kind: sum(of.values()) for kind, of in counts.items()} == {
        kind: n for kind in KINDS if (n := sum(record.kind == kind for record, _ in tried))
    }
    assert list(counts) == [kind for kind in KINDS if kind in counts]
    assert all(list(of) == list(OUTCOMES) for of in counts.values())
    assert told(counts).count(":") == len(counts)


@given(answers, answers)
def test_every_answer_has_an_outcome_of_its_own(one: Answer, other: Answer) -> None:
    record = Record("rule", "r", "verified")
    same = settle(record, Finding(one)).outcome == settle(record, Finding(other)).outcome
    assert same == (one == other)


@given(values, values, st.floats(0, 0.5))
def test_a_fact_holds_where_it_is_alike_and_both_ways_round(a: float, b: float, share: float) -> None:
    old, new = (Spread(v, v * (1 - share), v * (1 + share)) for v in (a, b))
    found = of_fact(old, new, "ns").answer
    assert found in ("holds", "changed")
    assert of_fact(old, old, "ns").answer == "holds"
    if old.overlaps(new):
        assert (found, of_fact(new, old, "ns").answer) == ("holds", "holds")
    if b > 1.06 * a and not old.overlaps(new):
        assert found == "changed"


@given(st.sampled_from(OF_RULES))
def test_every_word_of_planting_is_one_of_the_four(word: str) -> None:
    outcome: Outcome = settle(Record("rule", "r", "verified"), of_rule(word, "stale", "")).outcome
    assert outcome in OUTCOMES
    assert (outcome == "carried_over") == (word in ("carried_over", "unverified"))


@given(st.dictionaries(st.text(min_size=1, max_size=2), st.sampled_from(["", "slower"])), st.text(max_size=2))
def test_what_rests_on_a_head_stands_and_falls_with_it(heads: dict[str, str], candidate: str) -> None:
    want = "not_tried" if candidate not in heads else "fails" if heads[candidate] else "holds"
    assert of_head(heads, candidate).answer == want
