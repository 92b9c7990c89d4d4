"""The rules that gate `legality` asks: planted once under a toolchain, kept in the home, stale under another."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from app.chip.book import Book, book_of
from kernels.gates.legality import FormRule, LegalityGate
from kernels.targets.base import TargetError
from kernels.targets.cpu_c.target import CpuC
from kernels.values.candidate import Candidate
from kernels.values.verdict import GateState
from knowledge.rules.rule import Pattern, Rule
from knowledge.rules.shipped import shipped_rules
from store import legality
from store.engine import Store
from tests.unit.gates.test_legality import subject

BAD = Candidate("k", {"kernel.c": "void f(void) { break; }"})


class Machine:
    """Gives itself out at once; holders: for what it was taken."""

    def __init__(self) -> None:
        self.holders: list[str] = []

    @asynccontextmanager
    async def host(self, holder: str) -> AsyncGenerator[None]:
        self.holders.append(holder)
        yield


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> CpuC:
    try:
        return CpuC(tmp_path_factory.mktemp("cache"))
    except TargetError as error:
        raise pytest.skip.Exception(str(error)) from error


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "home") as opened:
        yield opened


def form(book: Book, name: str) -> FormRule:
    return next(rule for rule in book.rules() if rule.name == name)


async def test_a_rule_is_planted_when_it_is_first_met_and_only_then(target: CpuC) -> None:
    machine = Machine()
    gate = LegalityGate(book_of(target, machine), "cpu-c")
    assert machine.holders == []
    for _ in range(2):
        report = await gate.examine(subject(BAD))
        assert (report.state, report.facts["rule"]) == (GateState.REFUSED, "break_outside")
    assert machine.holders == ["planting break_outside"]


async def test_what_planting_said_is_kept_for_the_next_campaign(target: CpuC, store: Store) -> None:
    assert await book_of(target, Machine(), store).holds(form(book_of(target, Machine(), store), "break_outside"))
    kept = {rule.name: rule for rule in store.read_sync(lambda s: legality.rules_of(s, "cpu-c"))}
    assert len(kept) == len(shipped_rules("cpu-c"))
    assert (kept["break_outside"].state, kept["break_outside"].fingerprint) == ("verified", target.fingerprint.id)
    machine = Machine()
    second = book_of(target, machine, store)
    assert await second.holds(form(second, "break_outside"))
    assert machine.holders == []


async def test_under_another_toolchain_it_is_planted_again(target: CpuC, store: Store) -> None:
    rule = next(rule for rule in shipped_rules("cpu-c") if rule.name == "break_outside")
    old = replace(rule, state="verified", fingerprint="old")
    store.write_sync(lambda s: legality.put(s, old))
    machine = Machine()
    book = book_of(target, machine, store)
    assert await book.holds(form(book, "break_outside"))
    assert machine.holders == ["planting break_outside"]
    kept = store.read_sync(lambda s: legality.rules_of(s, "cpu-c"))
    assert next(r.fingerprint for r in kept if r.name == "break_outside") == target.fingerprint.id


@pytest.mark.parametrize(
    ("forbidden", "state"),
    [("int f(void) { return g(); }", "not_enforced"), ("void f(void) { continue; }", "documented")],
)
async def test_what_does_not_hold_here_refuses_nothing(target: CpuC, store: Store, forbidden: str, state: str) -> None:
    pattern = Pattern('((break_statement) @match (#outside? @match "for_statement"))')
    rule = Rule(
        "r", "cpu-c", "compile_error", "a rule", forbidden, "void f(void) {}",
        "break statement not within loop or switch", pattern=pattern,
    )  # fmt: skip
    known: list[Rule] = []
    machine = Machine()
    book = Book(lambda: [rule], target, machine, lambda after, _outcome, _planted: known.append(after))
    report = await LegalityGate(book, "cpu-c").examine(subject(BAD))
    assert report.state is GateState.PASSED
    assert "this compiler takes it" in report.findings[0]
    assert [one.state for one in known] == [state]
    await LegalityGate(book, "cpu-c").examine(subject(BAD))
    assert len(machine.holders) == 1


async def test_retired_rules_and_rules_about_runs_are_not_asked(target: CpuC) -> None:
    rules = shipped_rules("cpu-c")
    retired = [replace(rule, state="retired") for rule in rules]
    assert Book(lambda: retired, target, Machine()).rules() == []
    names = {rule.name for rule in Book(lambda: rules, target, Machine()).rules()}
    assert "break_outside" in names
    assert not names & {rule.name for rule in rules if rule.about_a_run}
