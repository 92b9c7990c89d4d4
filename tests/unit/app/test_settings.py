"""Settings: flag over environment over file over default; a mistake names the field."""

from pathlib import Path

import pytest

from app.environment import unread
from app.settings import Settings, UsageError, load


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
        ("[brains]\nworker = 5", "must be a table; found 5; change its line in .*kernelwright.toml"),
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


def test_a_mistake_is_told_where_it_stands_however_it_is_overridden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KERNELWRIGHT_WORKERS", "many")
    with pytest.raises(UsageError, match=r"workers: .*found 'many'; change the variable KERNELWRIGHT_WORKERS"):
        load(tmp_path, {"workers": 2})
    (tmp_path / "kernelwright.toml").write_text("workers = 0")
    with pytest.raises(UsageError, match=r"workers: .*found 0; change its line in .*kernelwright\.toml"):
        load(tmp_path, {"workers": 2})


def test_lists_by_variable_have_commas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KERNELWRIGHT_KERNELS", "axpy,gemv")
    monkeypatch.setenv("KERNELWRIGHT_DEVICES", "local")
    assert (load(tmp_path, {}).kernels, load(tmp_path, {}).devices) == (("axpy", "gemv"), ("local",))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("KERNELWRIGHT_MINUTS", "did you mean KERNELWRIGHT_MINUTES?"),
        ("KERNELWRIGHT_HOEM", "did you mean KERNELWRIGHT_HOME?"),
        ("KERNELWRIGHT_QQQQ", "app/settings.py has all names"),
    ],
)
def test_a_variable_that_nobody_reads_is_told(name: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for read in ("KERNELWRIGHT_HOME", "KERNELWRIGHT_ROOT", "KERNELWRIGHT_VENV", "KERNELWRIGHT_WORKERS"):
        monkeypatch.setenv(read, "1")
    assert list(unread(Settings.model_fields)) == []
    monkeypatch.setenv(name, "3")
    [line] = unread(Settings.model_fields)
    assert line.startswith(f"the variable {name} is not read by anything") and line.endswith(told)
