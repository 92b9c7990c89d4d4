"""The bench of the screen: what it judges, how it tells it, and, small, that all of it runs."""

from pathlib import Path

import pytest

from app.bench.screen import budgets, measure, run, soak
from app.bench.screen.terminal import Terminal
from store import sample


def test_every_figure_stands_beside_its_budget() -> None:
    rows = budgets.judged({"live_cpu": 4.4, "live_kib_s": 56.7, "key_quiet_ms": 143.0})
    assert [(row["name"], row["measured"], row["most"], row["held"]) for row in rows] == [
        ("live_cpu", 4.4, 8.0, True), ("live_kib_s", 56.7, 20.0, False), ("key_quiet_ms", 143.0, 100.0, False),
    ]  # fmt: skip
    size = {"agents": 36, "trees": 34, "nodes": 50_000, "filings": 100_000, "readings": 5_000_000}
    told = run.text({"size": size, "terminal": [200, 50], "load_before": 0.1, "load_after": 7.0, "cores": 2,
                     "figures": rows}).splitlines()  # fmt: skip
    assert "5,000,000 readings" in told[0] and "load 0.1 to 7.0 on 2 cores" in told[0]
    assert told[1].startswith("+ processor") and "4.40  of 8 % of a core" in told[1]
    assert told[2].startswith("! written") and "load of this machine" not in told[2]
    assert told[3].endswith("of 100 ms (with the load of this machine)")


def test_the_terminal_sees_what_a_program_writes_and_when() -> None:
    with measure.closing(Terminal(["--version"])) as terminal:
        at = terminal.wait_for("kernelwright ", 0)
        assert at >= terminal.started and terminal.total >= len("kernelwright 0.1.0")
        assert terminal.process.wait(timeout=60.0) == 0
        with pytest.raises(TimeoutError, match="never came"):
            terminal.wait_for("something else", 0, patience_s=0.2)


def test_lost_ticks_are_those_that_came_before_and_not_after() -> None:
    ends = [0.25 * n for n in range(40)]
    assert run._lost(ends, 5.0) == 0.0
    assert run._lost([end for end in ends if end < 6.0], 5.0) == 11.0


@pytest.mark.long
def test_an_hour_of_events_leaves_the_memory_where_it_is(tmp_path: Path) -> None:
    run.made(tmp_path, sample.Size(agents=36, trees=4, nodes=900, filings=400, readings=24_000))
    with measure.closing(Terminal(["attach", "--home", str(tmp_path), "--theme", "dark"])) as terminal:
        terminal.wait_for("made_up", 0)
        found = soak.soak(terminal, tmp_path)
        assert terminal.process.poll() is None
    assert found["soak_events"] >= 10_000
    assert found["soak_grown_mb"] <= budgets.BUDGETS["soak_grown_mb"].most


@pytest.mark.long
def test_a_small_home_is_measured_from_end_to_end() -> None:
    size = sample.Size(agents=12, trees=4, nodes=900, filings=400, readings=24_000)
    found = run.run(lambda _text: None, size, stretch_s=1.0)
    assert {row["name"] for row in found["figures"]} == set(budgets.BUDGETS)
    assert all(row["measured"] >= 0 for row in found["figures"])
