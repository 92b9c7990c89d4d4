"""Switches of knowledge: what each leaves on, what a campaign is told of them, and that they hold where it matters."""

from pathlib import Path

import pytest

from app.knowing import described, retention_of, switches
from app.policy import policy_of
from app.settings import Settings, UsageError, load
from knowledge.memory import Retention
from knowledge.skills.playbook import playbook

ALL = {"memory": True, "rules": True, "skills": True, "priors": True}


@pytest.mark.parametrize(
    ("changes", "used"),
    [
        ({}, ALL),
        ({"knowledge": False}, dict.fromkeys(ALL, False)),
        ({"memory": False}, {**ALL, "memory": False}),
        ({"memory_retention": "none"}, {**ALL, "memory": False}),
        ({"rules": False, "skills": False}, {**ALL, "rules": False, "skills": False}),
        ({"knowledge": False, "skills": True}, dict.fromkeys(ALL, False)),
    ],
)
def test_what_is_used(changes: dict[str, bool | str], used: dict[str, bool]) -> None:
    settings = Settings.model_validate(changes)
    assert switches(settings) == used
    policy = policy_of(settings)
    assert (policy.memory.on, policy.rules, policy.skills, policy.priors) == tuple(used.values())
    assert policy.sheet == settings.knowledge


def test_limits_of_memory_are_settings() -> None:
    settings = Settings(memory_wins=3, memory_traps=0, memory_strategy=80, memory_reflection=200)
    assert retention_of(settings) == Retention("bounded", 3, 0, 80, 200)
    assert policy_of(Settings()).memory == Retention("bounded", 16, 16, 160, 1200)


def test_a_campaign_says_what_it_uses() -> None:
    book = playbook()
    said = described(Settings(rules=False), book)
    assert said == f"memory bounded, 16 wins and 16 traps a type; skills on ({len(book.skills)}), rules off, priors on"
    assert described(Settings(knowledge=False), book).startswith("knowledge is off: no memory, rules, skills, priors")


@pytest.mark.parametrize("word", ["off", "false", "0"])
def test_switches_can_be_set_in_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    monkeypatch.setenv("KERNELWRIGHT_KNOWLEDGE", word)
    assert not load(tmp_path, {}).knowledge


def test_a_wrong_word_is_named(tmp_path: Path) -> None:
    (tmp_path / "kernelwright.toml").write_text('memory_retention = "some"\n')
    with pytest.raises(UsageError, match="memory_retention"):
        load(tmp_path, {})
