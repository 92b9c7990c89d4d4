"""`judge table`: every row beside its expected values; exit 1 on a miss."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from app.verdict import table
from kernels.judge.table import expected_rows, simulate_index

Command = Callable[..., Any]


def test_every_row_is_reproduced(command: Command) -> None:
    said = command("judge", "table", "--json")
    assert said.code == 0
    found = said.json
    assert found["passed"]
    assert len(found["rows"]) == len(expected_rows())
    assert all(row["simulated"].keys() == row["expected"].keys() for row in found["rows"])


def test_rows_stand_beside_what_is_expected(command: Command) -> None:
    said = command("judge", "table", "--repetitions", "1000")
    lines = said.out.splitlines()
    assert sum(line.endswith(("  pass", "  FAIL")) for line in lines) == len(expected_rows())
    assert "0.7202" not in lines[1]
    assert "/.7202" in lines[1]
    assert "at 1000 repetitions, seed 1" in lines[-1]


def test_a_miss_is_named_and_ends_with_1(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    row, expected, _ = simulate_index(1, 1000, 3)
    bent = table._row(row, expected, (f"{row.label}: faster 0.9000, expected 0.0447",))

    def one(_repetitions: int, _seed: int) -> Iterator[dict[str, Any]]:
        yield bent

    monkeypatch.setattr(table, "simulated", one)
    said = command("judge", "table")
    assert said.code == 1
    assert "FAIL" in said.out
    assert "faster 0.9000" in said.out
    assert "1 rows MISSED" in said.out


def test_the_same_seed_gives_the_same_rows(command: Command) -> None:
    first, second = (command("judge", "table", "-R", "200", "--seed", "5", "--json").json for _ in range(2))
    assert first == second
