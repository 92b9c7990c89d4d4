"""Settings: flag over environment over file over default; a mistake names the field."""

from pathlib import Path

import pytest

from app.settings import UsageError, load


def test_defaults(tmp_path: Path) -> None:
    found = load(tmp_path, {})
    assert (found.pack, found.target, found.brain) == ("gemma_decode", "cpu-c", "offline")


def test_order_of_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kernelwright.toml").write_text('pack = "from_file"\nworkers = 2\nminutes = 5\n')
    monkeypatch.setenv("KERNELWRIGHT_WORKERS", "7")
    monkeypatch.setenv("KERNELWRIGHT_MINUTES", "6")
    found = load(tmp_path, {"minutes": 9})
    assert (found.pack, found.workers, found.minutes) == ("from_file", 7, 9)


@pytest.mark.parametrize(
    ("flags", "field"),
    [
        ({"workers": 0}, "workers"),
        ({"minutes": -1}, "minutes"),
        ({"brain": "oracle"}, "brain"),
        ({"speed": 1}, "speed"),
    ],
)
def test_a_mistake_names_the_field_and_what_was_found(tmp_path: Path, flags: dict[str, object], field: str) -> None:
    with pytest.raises(UsageError, match=f"setting {field}: .*found"):
        load(tmp_path, flags)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("wrokers = 3", "there is none of this name.*did you mean workers"),
        ("[brains]\nworker = 5", "must be a table; found 5; change its flag.* or its line in kernelwright.toml"),
        ("[prices.q]\ninput = 'free'", "prices.q.input: must be a valid number"),
    ],
)
def test_a_mistake_in_the_file_is_told_without_the_names_of_classes(tmp_path: Path, line: str, told: str) -> None:
    (tmp_path / "kernelwright.toml").write_text(line)
    with pytest.raises(UsageError, match=told) as raised:
        load(tmp_path, {})
    assert "BrainTable" not in str(raised.value) and "Input" not in str(raised.value)


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "kernelwright.toml").write_text("pack = ")
    with pytest.raises(UsageError, match="not valid TOML"):
        load(tmp_path, {})
