"""The sheet: the ban first, then by state, topic and role, within its size."""

import pytest

from knowledge.cheatsheet import BAN, Entry, sheet

ENTRIES = [
    Entry("The slice is a memory.", "supported", "definition", "a.md#x"),
    Entry("The bank has 4,096 rows.", "supported", "limit", "a.md#y"),
    Entry("Ports must not be shared.", "supported", "rule", "a.md#z"),
    Entry("A read takes 7 cycles.", "verified", "limit", "measured"),
    Entry("An old rule.", "stale", "rule", "a.md#w"),
    Entry("A half rule.", "partly", "rule", "a.md#w"),
    Entry("The matvec of qkv reads f8e4m3.", "supported", "definition", "b.md#v"),
]


def texts(role: str = "worker", topic: str = "", size: int = 4000) -> list[str]:
    return [entry.text for entry in sheet("chip", ENTRIES, role=role, topic=topic, size=size).entries]


def test_the_ban_on_folds_is_at_the_top() -> None:
    made = sheet("chip", ENTRIES)
    assert made.text.startswith(BAN)
    assert "fold" in made.text.splitlines()[0]


def test_verified_first_then_what_the_role_needs_and_nothing_stale() -> None:
    assert texts() == [
        "A read takes 7 cycles.", "Ports must not be shared.", "The bank has 4,096 rows.", "The slice is a memory.",
        "The matvec of qkv reads f8e4m3.", "A half rule.",
    ]  # fmt: skip
    assert texts("architect")[1] == "The bank has 4,096 rows."


def test_what_is_near_to_the_kernel_comes_before_the_rest() -> None:
    assert texts(topic="qkv matvec")[:2] == ["A read takes 7 cycles.", "The matvec of qkv reads f8e4m3."]


@pytest.mark.parametrize("size", [400, 460, 520, 2000])
def test_size_is_a_bound(size: int) -> None:
    made = sheet("chip", ENTRIES, size=size)
    assert len(made.text) <= size
    assert len(made.entries) + made.left_out == 6
    assert f"({len(made.entries)} of 6 statements fit)" in made.text


def test_the_same_statement_stands_once() -> None:
    assert len(sheet("chip", [*ENTRIES, *ENTRIES]).entries) == 6


def test_usage_is_told() -> None:
    with pytest.raises(ValueError, match="known are worker"):
        sheet("chip", ENTRIES, role="king")
    with pytest.raises(ValueError, match="at least 400"):
        sheet("chip", ENTRIES, size=10)
