"""Artefacts: whole or not at all, capped with a note, checked when read."""

from pathlib import Path

import pytest

from store.artefacts import UNFINISHED, Artefacts
from store.errors import StoreError


def test_same_content_is_kept_once(tmp_path: Path) -> None:
    artefacts = Artefacts(tmp_path / "artefacts")
    first, second = artefacts.put_text("hello"), artefacts.put(b"hello")
    assert (first, artefacts.read_text(first.hash), artefacts.total_bytes()) == (second, "hello", 5)


def test_head_and_tail_of_a_long_log_are_kept_with_a_note(tmp_path: Path) -> None:
    artefacts = Artefacts(tmp_path)
    ref = artefacts.put_text("begin" + "x" * 100_000 + "end", cap=2000)
    text = artefacts.read_text(ref.hash)
    assert (ref.size, ref.truncated, len(text) <= 2000) == (100_008, True, True)
    assert text.startswith("begin")
    assert text.endswith("end")
    assert "of 100008 bytes left out" in text


def test_hostile_text_is_kept_readable(tmp_path: Path) -> None:
    artefacts = Artefacts(tmp_path)
    assert artefacts.read_text(artefacts.put_text("a\0\x1b\udcff é").hash) == "a\0\x1b\\udcff é"


def test_a_changed_or_missing_file_is_reported(tmp_path: Path) -> None:
    artefacts = Artefacts(tmp_path)
    ref = artefacts.put(b"data")
    artefacts.path(ref.hash).write_bytes(b"other")
    with pytest.raises(StoreError, match="was changed"):
        artefacts.read(ref.hash)
    artefacts.path(ref.hash).unlink()
    with pytest.raises(StoreError, match="not there"):
        artefacts.read(ref.hash)
    with pytest.raises(StoreError, match="no hash"):
        artefacts.read("../../etc/passwd")


def test_a_failed_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    artefacts = Artefacts(tmp_path)

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("store.artefacts.os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        artefacts.put(b"data")
    assert artefacts.total_bytes() == 0


def test_what_a_killed_process_left_is_swept(tmp_path: Path) -> None:
    artefacts = Artefacts(tmp_path)
    ref = artefacts.put(b"data")
    (tmp_path / "unfinished" / "half").write_bytes(b"da")
    assert (artefacts.sweep(), artefacts.sweep(older_than_s=-1), artefacts.read(ref.hash)) == (0, 1, b"data")


def test_a_half_written_file_that_another_process_finishes_meanwhile_stops_nobody(tmp_path: Path) -> None:
    artefacts = Artefacts(tmp_path)
    artefacts.put(b"hello")
    (tmp_path / UNFINISHED / "gone").symlink_to(tmp_path / "renamed")  # listed, and not there when it is looked at
    assert artefacts.sweep(older_than_s=-1.0) == 0
    assert artefacts.total_bytes() == 5
