"""`onboard` without a book: facts, rules, baselines and sheet of a small catalogue, by a real compiler."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app import cli
from knowledge.probes import catalogue
from knowledge.rules import shipped
from store import baseline_views
from store.engine import Store

Run = Callable[..., tuple[int, dict[str, Any], str]]
PROBES = ("empty_call.toml", "empty.c")
RULES = ("break_outside.toml", "goto_unknown.toml")


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """With a catalogue of a few probes and rules in place of all."""
    for module, names in ((catalogue, PROBES), (shipped, RULES)):
        small = tmp_path / module.__name__ / "cpu_c"
        small.mkdir(parents=True)
        for name in names:
            shutil.copy(module.SHIPPED / "cpu_c" / name, small / name)
        monkeypatch.setattr(module, "SHIPPED", small.parent)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")

    def call(*words: str) -> tuple[int, dict[str, Any], str]:
        code = cli.run(["onboard", *words, "--json", "--home", str(tmp_path / "home")])
        said = capsys.readouterr()
        return code, json.loads(said.out) if said.out else {}, said.err

    return call


def test_a_target_is_learned_from_the_machine_and_a_second_run_goes_on(run: Run, tmp_path: Path) -> None:
    code, found, said = run("--pack", "axpy_gemv", "--readings", "3")
    assert code == 0, said
    assert [line[:8] for line in said.splitlines() if line.startswith("[")] == [f"[{n} of 4]" for n in (1, 2, 3, 4)]
    assert found["facts"]["hold"] + len(found["facts"]["unmeasured"]) == found["facts"]["probes"] == 1
    assert all(one["lacks"] for one in found["facts"]["unmeasured"])
    assert (found["rules"]["states"], found["rules"]["outcomes"]) == ({"verified": 2}, {"verified": 2})
    assert [one["type"] for one in found["baselines"]] == ["map", "streaming matvec"]
    assert found["sheet"]["entries"] >= 3
    assert "An empty call with its two clock readings" in found["sheet"]["text"]
    with Store.open(tmp_path / "home") as store:
        kept = store.read_sync(lambda s: baseline_views.kept(s, pack="axpy_gemv"))
    assert [(view.kernel, view.record["type"]) for view in kept] == [("axpy", "map"), ("gemv", "streaming matvec")]

    code, again, said = run("--pack", "axpy_gemv", "--readings", "3")
    assert code == 0
    assert f"{found['facts']['hold']} hold" in said
    assert "rules: 0 to be planted, 2 were tried" in said
    assert (again["facts"]["hold"], again["rules"]["outcomes"]) == (found["facts"]["hold"], {})

    rule = shipped.SHIPPED / "cpu_c" / "goto_unknown.toml"
    rule.write_text(rule.read_text().replace('statement = "', 'statement = "By hand: '))
    (shipped.SHIPPED / "cpu_c" / "break_outside.toml").unlink()
    code, edited, said = run("--pack", "axpy_gemv")
    assert "rules: 1 to be planted, 1 were tried" in said
    assert edited["rules"]["states"] == {"retired": 1, "verified": 1}


def test_a_target_that_nothing_is_known_of_needs_a_book(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (catalogue, shipped):
        monkeypatch.setattr(module, "SHIPPED", module.SHIPPED / "nothing")
    code, _, said = run("--pack", "axpy_gemv")
    assert code == 2
    assert "target cpu-c has neither probes nor rules: give --book DIR, or write probes/cpu-c/<fact>.toml" in said
