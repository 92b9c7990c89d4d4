"""Brains by words, and which server gets which key."""

import pytest

from roles.brains.connection import LOCAL_KEY
from roles.brains.failure import Final
from roles.brains.prices import SCRIPTED
from roles.brains.registry import DEFAULT_MODELS, UnknownBrain, parse


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "the-key-of-openai")


@pytest.mark.parametrize(
    ("words", "model", "how", "provider"),
    [
        ("anthropic", DEFAULT_MODELS["anthropic"], "messages", "anthropic"),
        ("openai:gpt-5.5", "gpt-5.5", "responses", "openai"),
        ("openai:qwen3:32b@http://localhost:11434/v1", "qwen3:32b", "chat", "openai at localhost:11434"),
        ("scripted:/tmp/a.json", "/tmp/a.json", "", SCRIPTED),
    ],
)
def test_words(words: str, model: str, how: str, provider: str) -> None:
    spec = parse(words)
    assert (spec.model, spec.how, spec.provider) == (model, how, provider)


def test_unknown_words_say_what_there_is() -> None:
    with pytest.raises(UnknownBrain, match="offline, or one of anthropic, openai, scripted"):
        parse("oracle:delphi")


def test_a_key_goes_to_its_own_server_only(monkeypatch: pytest.MonkeyPatch) -> None:
    assert parse("openai").connection.key("OPENAI_API_KEY") == "the-key-of-openai"
    assert parse("openai:m@http://localhost:1/v1").connection.key("OPENAI_API_KEY") == LOCAL_KEY
    monkeypatch.setenv("OPENAI_BASE_URL", "http://proxy.local/v1")
    assert parse("openai:m").connection.key("OPENAI_API_KEY") == "the-key-of-openai"
    monkeypatch.setenv("OPENAI_BASE_URL", "https://api.openai.com/v1")
    assert parse("openai:m").base_url == ""


def test_without_a_key_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Final, match="ANTHROPIC_API_KEY is not set"):
        parse("anthropic").connection.key("ANTHROPIC_API_KEY")
