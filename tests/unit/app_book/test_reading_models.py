"""`onboard --brain`: what a model draws is checked by script, audited twice, reworded or dropped, and paid for once."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.cli import run
from roles.brains.scripted import script_of
from roles.brains.talk import END, TOOLS, Call, Turn, Usage
from roles.reading import readers
from store import call_views, llm_calls, sql
from store.engine import Store

RULE = "A bank must not be read by more than 64 engines."
LIMIT = "Each port takes at most 32 bytes per cycle."
MADE: list[tuple[str, dict[str, Any]]] = [
    ("claim", {"section": "memory", "kind": "rule", "text": "At most 64 engines may read a bank.", "spans": [RULE]}),
    ("claim", {"section": "memory", "kind": "rule", "text": "At most 65 engines may read a bank.", "spans": [RULE]}),
    ("claim", {"section": "memory", "kind": "rule", "text": "Banks are fast.", "spans": ["Banks are very fast."]}),
    ("claim", {"section": "nowhere", "kind": "rule", "text": "A bank is a bank.", "spans": ["bank"]}),
    ("claim", {"section": "memory", "kind": "definition", "text": "A bank is never read.", "spans": ["A bank must"]}),
]


def turn(*calls: tuple[str, dict[str, Any]], stop: str = TOOLS) -> Turn:
    made = tuple(Call(f"call-{n}", name, arguments) for n, (name, arguments) in enumerate(calls))
    return Turn(stop, "", made, {"calls": [c.name for c in made]}, Usage(100, 0, 0, 10))


def verdicts(*said: str) -> Turn:
    made = [
        ("verdict", {"number": number, "verdict": word, "reason": "" if word == "supported" else "not said there"})
        for number, word in enumerate(said, 1)
    ]
    return turn(*made, ("finish", {"summary": "looked at all"}))


def closed(*calls: tuple[str, dict[str, Any]]) -> list[Turn]:
    return [turn(*calls, ("finish", {"summary": "read"}))]


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One page; a scripted model gives its conversations in the order in which they begin."""
    monkeypatch.setattr("app.onboarding.reading_models.AT_ONCE", 1)
    folder = tmp_path / "chip" / "v1"
    folder.mkdir(parents=True)
    (folder / "memory.md").write_text(f"# Memory\n\n{RULE} It has 32 rows.\n")
    return folder


def script(folder: Path, *conversations: list[Turn]) -> str:
    file = folder.parent / "script.json"
    file.write_text(script_of(conversations))
    return f"scripted:{file}"


Called = Callable[..., tuple[int, Any]]


def test_claims_are_checked_audited_and_reworded(page: Path, call: Called, home: Path) -> None:
    brain = script(page, closed(*MADE), [verdicts("supported", "partly")], [verdicts("supported", "contradicted")],
                   [verdicts("supported")], [verdicts("unsupported")])  # fmt: skip
    code, found = call("onboard", "--book", page, "--target", "chip", "--brain", brain)
    assert code == 0, found
    assert {name: found["claims"][name] for name in ("drafted", "supported_at_once", "fixed", "dropped")} == {
        "drafted": 2, "supported_at_once": 1, "fixed": 0, "dropped": 1,
    }  # fmt: skip
    assert (found["brain"], found["cost"]["requests"]) == (brain, 5)
    assert found["cost"]["tokens"] == 5 * 110
    _, said = call("knowledge", "claims", "--target", "chip")
    (first,) = said["claims"]
    assert (first["text"], first["state"], first["script_check"]) == (MADE[0][1]["text"], "supported", "passed")
    assert [(a["name"], a["lexical_only"], a["verdict"]) for a in first["auditors"]] == [
        ("auditor-1", False, "supported"), ("auditor-2", False, "supported"),
    ]  # fmt: skip
    _, said = call("knowledge", "claims", "--target", "chip", "--state", "dropped")
    (second,) = said["claims"]
    assert (second["text"], second["drafted"], second["state"]) == ("A bank must", "A bank is never read.", "dropped")


def test_what_the_script_check_refuses_is_told_to_the_reader(page: Path, call: Called, home: Path) -> None:
    brain = script(page, [turn(*MADE[:4]), *closed()], [verdicts("supported")], [verdicts("supported")])
    assert call("onboard", "--book", page, "--target", "chip", "--brain", brain)[0] == 0
    with Store.open(home) as store:
        asked = store.read_sync(
            lambda s: sql.rows(s, "SELECT request FROM llm_call WHERE agent = 'reader' ORDER BY id")
        )
        whole = json.loads(store.artefacts.read_text(asked[-1]["request"]))
        told = json.loads(store.artefacts.read_text(whole["items"][-1]))["Results"]["results"]
    assert [one["is_error"] for one in told] == [False, True, True, True]
    assert "not in the quoted span: 65" in told[1]["text"] and "quoted span is not in" in told[2]["text"]
    assert "there is no section 'nowhere'" in told[3]["text"]


def test_an_auditor_that_falls_silent_supports_nothing(page: Path, call: Called) -> None:
    brain = script(
        page, closed(MADE[0]), [verdicts("supported")], [Turn(END, "no", (), {"text": "no"}, Usage(1, 0, 0, 1))]
    )
    code, found = call("onboard", "--book", page, "--target", "chip", "--brain", brain)
    assert code == 0 and found["claims"]["dropped"] == 1


def test_a_limit_ends_the_run_and_a_higher_one_goes_on(page: Path, call: Called, home: Path) -> None:
    brain = script(page, closed(MADE[0]), [verdicts("supported")], [verdicts("supported")])
    order = ("onboard", "--book", page, "--target", "chip", "--brain", brain, "--tokens")
    code, said = call(*order, 500)
    assert code == 2 and "the book has 0 of 500 tokens" in said and "goes on with a higher limit" in said
    code, found = call(*order, 1_000_000)
    assert (code, found["claims"]["supported_at_once"], found["done"]) == (0, 1, True)


def test_what_was_open_when_the_program_died_counts_as_paid(page: Path, call: Called, home: Path) -> None:
    brain = script(page, closed(MADE[0]), [verdicts("supported")], [verdicts("supported")])
    assert call("onboard", "--book", page, "--target", "chip", "--brain", brain, "--tokens", 500)[0] == 2
    account = llm_calls.Account(release=1)
    asked = llm_calls.Asked("reader", "reader", "", "scripted", "m", 300, 0.0, "free")
    with Store.open(home) as store:
        store.write_sync(lambda s: llm_calls.start(s, account, asked, ()))
    _, found = call("onboard", "--book", page, "--target", "chip", "--brain", brain, "--tokens", 1_000_000)
    assert found["cost"]["requests"] == 4 and found["cost"]["tokens"] == 300 + 3 * 110
    with Store.open(home) as store:
        (cut,) = store.read_sync(lambda s: sql.rows(s, "SELECT reason FROM llm_call WHERE state = 'cut'"))
    assert "may have been paid" in cut["reason"] and call_views.LABELS["cut"]


def test_mistakes_are_said(page: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    order = ["onboard", "--book", str(page), "--target", "chip"]
    for words, says in (
        (["--brain", "oracle"], "no brain 'oracle'"),
        (["--brain", f"scripted:{page}/none.json"], "is no script"),
        (["--auditor", "anthropic"], "give --brain, too"),
        (["--brain", "openai:never-heard-of@http://127.0.0.1:1/v1"], "the price of"),
        (["--brain", "anthropic"], "There is no terminal to confirm it on: add --yes"),
    ):
        assert run([*order, *words]) in (2, 3)
        assert says in capsys.readouterr().err


def test_long_documents_come_in_parts(page: Path, monkeypatch: pytest.MonkeyPatch, call: Called) -> None:
    monkeypatch.setattr(readers, "PART", 60)
    (page / "memory.md").write_text(f"# Memory\n\n{RULE}\n\n# Ports\n\n{LIMIT}\n")
    port = {"section": "ports", "kind": "limit", "text": "A port takes at most 32 bytes per cycle.", "spans": [LIMIT]}
    brain = script(page, closed(MADE[0]), closed(("claim", port)), [verdicts("supported", "supported")],
                   [verdicts("supported", "supported")])  # fmt: skip
    code, found = call("onboard", "--book", page, "--target", "chip", "--brain", brain)
    assert (code, found["claims"]["supported_at_once"], found["cost"]["requests"]) == (0, 2, 4)
