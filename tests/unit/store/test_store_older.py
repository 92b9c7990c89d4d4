"""A home of an older version is looked at in a migrated copy; the home stays as it was."""

from pathlib import Path

import pytest

from store import campaigns
from store.engine import DATABASE, Store
from store.errors import StoreError
from store.migrate import revision_of, upgrade
from store.migrations import HEAD
from store.older import is_older, migrated_copy


@pytest.fixture
def home(tmp_path: Path) -> Path:
    upgrade(tmp_path / DATABASE, target="0010")
    (tmp_path / "artefacts").mkdir()
    (tmp_path / "artefacts" / "kept").write_text("a log")
    return tmp_path


def test_the_copy_is_migrated_and_the_home_is_not(home: Path) -> None:
    before = (home / DATABASE).read_bytes()
    assert is_older(home)
    with pytest.raises(StoreError, match="Look at it with attach --read-only"):
        Store.open(home, read_only=True)
    with migrated_copy(home) as copy:
        assert revision_of(copy / DATABASE) == HEAD and not is_older(copy)
        assert (copy / "artefacts" / "kept").read_text() == "a log"
        with Store.open(copy, read_only=True) as store:
            assert store.read_sync(campaigns.latest) is None
    assert not copy.exists() and (home / "artefacts" / "kept").is_file()
    assert revision_of(home / DATABASE) == "0010" and (home / DATABASE).read_bytes() == before


def test_a_home_of_this_version_is_not_older(tmp_path: Path) -> None:
    assert not is_older(tmp_path)
    Store.open(tmp_path).close()
    assert not is_older(tmp_path)
