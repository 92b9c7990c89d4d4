"""From sections to settled claims: what is drawn, what auditors see, what is reworded or dropped."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from knowledge.auditors import WordOrder, WordPieces
from knowledge.book.index import Placed
from knowledge.book.markdown import read_markdown
from knowledge.citations import Citation, ScriptCheck
from knowledge.claims import Auditor, AuditVerdict, Draft, Evidence, Settled, settle
from knowledge.offline_reader import OfflineReader
from knowledge.onboarding import claims_of

BOOK = """# Memory

The Bank is a part of the [slice](slice.md) memory.
However, engines must not access the same bank for 64 or more operations.
This holds for 2 slices.
For example, bank 0 must be free.
Why 64?
See [here](x.md) for 3 more.
Nice weather today in the valley.

| Memory | Peak | `OutD` |
|--|--|--|
| HBM | 1.5 TB/s | `f32` |
| 7 | 9 | - |

## Example of a kernel

The packet holds 32 bytes in it. Readers must not write.
"""


RULE = "must not access the same bank for 64 or more operations"


def drawn(text: str) -> list[Settled]:
    placed = [Placed("a.md", "markdown", section) for section in read_markdown(text).sections]
    return claims_of(OfflineReader(), placed)


def test_what_is_drawn_from_a_book() -> None:
    found = drawn(BOOK)
    assert [(one.kind, one.text) for one in found] == [
        ("definition", "The Bank is a part of the slice memory."),
        ("rule", f"Engines {RULE}."),
        ("rule", f"Engines {RULE}. This holds for 2 slices."),
        ("table", "Memory HBM: Peak 1.5 TB/s; `f32`"),
        ("rule", "Readers must not write."),
    ]  # fmt: skip
    assert [one.state for one in found] == ["supported"] * 5
    assert all(audit.lexical for one in found for audit in one.audits)
    assert found[0].citations == (Citation("a.md", "memory", "The Bank is a part of the [slice](slice.md) memory."),)
    assert [one.span for one in found[3].citations] == ["| HBM | 1.5 TB/s | `f32` |", "| Memory | Peak | `OutD` |"]


def test_a_wording_that_lost_a_condition_is_reworded_to_the_literal_sentence() -> None:
    long = (
        "The compiler schedules commands of all contexts in the order of their arrival at the queue of the engine and "
        "never exceeds 8 entries in flight, which holds only when no reset is pending in the cluster."
    )
    (claim,) = drawn(f"# A\n\n{long}\n")
    assert (claim.text, claim.state) == (long, "supported")
    assert claim.drafted.endswith("8 entries in flight.")
    assert "left out" in claim.reason
    assert [audit.verdict for audit in claim.audits] == ["partly", "partly", "supported", "supported"]


@pytest.mark.parametrize("auditor", [WordOrder(), WordPieces()])
@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("A bank must not be read by 2 engines unless the ring is idle.", "supported"),
        ("A bank must not be read by 3 engines unless the ring is idle.", "contradicted"),
        ("A bank must not be read by 2 engines.", "partly"),
        ("Kernels want large caches and prefetching everywhere.", "unsupported"),
    ],
)
def test_auditors_compare_words(auditor: Auditor, claim: str, verdict: str) -> None:
    cited = ["A bank must not be read by 2 engines unless the ring is idle."]
    assert auditor.judge(claim, cited, cited)[0] == verdict


def test_a_turned_negation_is_seen_by_both() -> None:
    cited = ["The bank can be shared by engines."]
    said = "The bank can not be shared by engines."
    assert [one.judge(said, cited, cited)[0] for one in (WordOrder(), WordPieces())] == ["contradicted"] * 2


def test_a_nearer_sentence_of_the_section_is_told() -> None:
    section = ["Bank 0 is wide and slow.", "Bank 1 is wide and fast here."]
    verdict, reason = WordPieces().judge(
        "Bank 1 is wide and fast here.", ["Bank 1 is wide and slow, and fast here."], section
    )
    assert (verdict, "nearer" in reason) == ("partly", True)


@dataclass(frozen=True)
class Stern:
    """Supports only the wordings that it is given."""

    likes: Sequence[str]
    otherwise: AuditVerdict = "contradicted"
    name: str = "stern"
    method: str = "list"
    lexical: bool = False

    def judge(self, claim: str, cited: Sequence[str], section: Sequence[str]) -> tuple[AuditVerdict, str]:
        return ("supported", "") if claim in self.likes else (self.otherwise, "not liked")


def settled(likes: Sequence[str], otherwise: AuditVerdict = "contradicted", *, passes: bool = True) -> Settled:
    draft = Draft("rule", "short", (Citation("a", "b", "c"),), "literal")
    evidence = Evidence(lambda text, cited: ScriptCheck(passes, "" if passes else "no span"), (), ())
    return settle(draft, [Stern(likes, otherwise)], evidence)


def test_settling() -> None:
    assert (settled(["short"]).state, settled(["short"]).at_once) == ("supported", True)
    fixed = settled(["literal"])
    assert (fixed.text, fixed.drafted, fixed.state, len(fixed.audits)) == ("literal", "short", "supported", 2)
    assert (settled([]).state, settled([]).reason) == ("dropped", "stern: not liked")
    assert settled([], "partly").state == "partly"
    failed = settled(["short", "literal"], passes=False)
    assert (failed.state, failed.reason) == ("dropped", "no span")
