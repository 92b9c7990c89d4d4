"""Brains in settings: words, tables and limits; what doctor says of them; what a start may cost."""

import json
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from llmock.pytest_plugin import LLMock

from app.brains import brains_here, brains_of, forecast, specs_of, title, usd_limit
from app.cli import run
from app.launch import words
from app.settings import Settings, UsageError, load, resumed

TOML = """
tokens = 5000
role_limits = { worker = { usd = 2.0 } }
[brains]
worker = ["anthropic:claude-opus-5-5", { model = "openai:qwen3", base_url = "http://127.0.0.1:9/v1", effort = "low" }]
[prices.qwen3]
input = 0.0
output = 0.0
"""


def test_words_and_tables_name_models(tmp_path: Path) -> None:
    (tmp_path / "kernelwright.toml").write_text(TOML)
    settings = load(tmp_path, {})
    hosted, own = specs_of(settings)["worker"]
    assert (hosted.how, own.how, own.effort) == ("messages", "chat", "low")
    assert title(settings) == "anthropic:claude-opus-5-5, openai:qwen3@http://127.0.0.1:9/v1"
    assert (usd_limit(settings), settings.tokens, settings.role_limits["worker"].usd) == (10.0, 5000, 2.0)
    kept = settings.model_dump(mode="json")
    assert specs_of(resumed(kept, load(tmp_path / "other", {}), {})) == specs_of(settings)


def test_a_flag_replaces_the_file_s_table(tmp_path: Path) -> None:
    (tmp_path / "kernelwright.toml").write_text(TOML)
    settings = load(tmp_path, {"brain": "offline"})
    assert (specs_of(settings), usd_limit(settings), title(settings)) == ({}, 0.0, "offline")
    kept = load(tmp_path, {}).model_dump(mode="json")
    assert specs_of(resumed(kept, settings, {"brain": "offline"})) == {}


def test_a_role_s_brain_by_flag_stands_beside_the_file_s(tmp_path: Path) -> None:
    (tmp_path / "kernelwright.toml").write_text(TOML)
    flags = {"role_brains": brains_of(["strategist=anthropic", "owner=openai:a", "owner=openai:b"])}
    settings = load(tmp_path, flags)
    found = {role: [one.words for one in many] for role, many in specs_of(settings).items()}
    assert list(found) == ["worker", "strategist", "owner"]
    assert found["owner"] == ["openai:a", "openai:b"]
    assert specs_of(resumed(settings.model_dump(mode="json"), load(tmp_path / "other", {}), {})) == specs_of(settings)
    asked = ["--role-brain", "strategist=anthropic", "--role-brain", "owner=openai:a", "--role-brain", "owner=openai:b"]
    assert words(flags, new=False, first_minutes=0.0) == asked
    with pytest.raises(UsageError, match="ROLE=BRAIN; roles: worker, strategist"):
        brains_of(["anthropic"])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('[brains]\nwatchdog = "anthropic"', "no model serves watchdog; roles with models: worker, strategist"),
        ('[brains]\nworker = "gemini:x"', "no brain 'gemini:x'"),
        ('[brains]\nworker = { model = "openai", wire = "soap" }', "wire"),
        ("usd = -1", "usd"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "kernelwright.toml").write_text(text)
    with pytest.raises(UsageError, match=why):
        load(tmp_path, {})


def test_a_start_says_what_it_may_cost() -> None:
    assert forecast(Settings()) == ""
    assert "at most $10;" in forecast(Settings(brain="anthropic"))
    assert "at most $3 and 1,000 tokens" in forecast(Settings(brain="openai", usd=3, tokens=1000))
    assert "WITHOUT any limit" in forecast(Settings(brain="openai", usd=0))
    with pytest.raises(UsageError, match=r"price of openai:mystery is unknown.*--tokens"):
        forecast(Settings(brain="openai:mystery"))


def test_without_a_terminal_a_paid_start_needs_a_flag(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KERNELWRIGHT_HOME", str(tmp_path))
    assert run(["run", "--headless", "--brain", "anthropic"]) == 2
    assert "add --yes" in capsys.readouterr().err
    assert not (tmp_path / "kernelwright.db").exists()


def test_doctor_asks_each_brain_without_spending(
    tmp_path: Path, llmock: LLMock, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KERNELWRIGHT_HOME", str(tmp_path))
    assert run(["doctor", "--json"]) == 0
    brains = {b["name"].partition("@")[0]: b for b in json.loads(capsys.readouterr().out)["brains"]}
    assert brains["offline"]["available"]
    for name in ("anthropic:claude-opus-5-5", "openai:gpt-6.1-terra"):
        assert brains[name]["available"], brains[name]
        assert "answers, " in brains[name]["found"]
    assert {r.method for r in llmock.requests} == {"GET"}


def test_doctor_names_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, not listening: nobody answers there
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        (tmp_path / "kernelwright.toml").write_text(f'[brains]\nworker = "openai:qwen3@{address}"')
        found = {b["name"]: b for b in brains_here(tmp_path)}
    own: Any = found[f"openai:qwen3@{address}"]
    assert (own["available"], own["missing"], own["price"]) == (False, (f"server {address}",), "unknown")
    assert found["anthropic:claude-opus-5-5"]["missing"] == ("ANTHROPIC_API_KEY",)


HEAVY = "[m for m in ('anthropic', 'openai', 'httpx2', 'genai_prices') if m in sys.modules]"


@pytest.mark.parametrize(
    "code",
    [
        "from app.cli import run; run(['--version'])",
        "import app.screen, app.tui, app.screens.main",
        "import roles.main, roles.brains.pool, app.wiring",
    ],
)
def test_neither_version_nor_first_frame_imports_an_sdk(code: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; {code}; sys.exit(str({HEAVY}) if {HEAVY} else 0)"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
