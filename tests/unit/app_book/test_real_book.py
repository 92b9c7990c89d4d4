"""Two real releases of a book on an accelerator: nothing is lost, everything adds up."""

import shutil
from pathlib import Path

import pytest

from app.onboarding import telling
from app.onboarding.steps import Asked, onboard
from app.onboarding.verifying import newest, verify
from knowledge.book.values import fold
from knowledge.cheatsheet import sheet
from store import reads
from store.engine import Store

BOOKS = Path(__file__).parents[3] / "../shared/books/furiosa-opt"
OLD, NEW = BOOKS / "2026-06-23", BOOKS / "2026-08-17"
needs_books = pytest.mark.skipif(not OLD.is_dir() or not NEW.is_dir(), reason="the releases of the book are not here")


def quiet(_line: str) -> None:
    pass


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which the first release was onboarded."""
    home = tmp_path_factory.mktemp("first")
    with Store.open(home) as store:
        onboard(store, Asked(OLD, "rngd"), quiet)
    return home


@pytest.fixture
def store(first: Path, tmp_path: Path) -> Store:
    shutil.copytree(first, tmp_path / "home")
    return Store.open(tmp_path / "home")


@needs_books
def test_all_45_files_are_accounted_for(store: Store) -> None:
    (found,) = store.read_sync(reads.book_releases)
    files = [path for path in OLD.rglob("*") if path.is_file()]
    assert found.files == found.read + found.not_read == len(files) == 45
    assert (found.listed, found.unlisted) == (42, 2)  # and the table of contents itself
    assert {one.kind for one in found.unread} == {"image", "include", "diagram"}
    assert found.citations > 400
    store.close()


@needs_books
def test_every_claim_of_the_sheet_stands_in_its_file_with_its_numbers(store: Store) -> None:
    views = store.read_sync(reads.book_claims)
    made = sheet("rngd", store.read_sync(lambda s: reads.sheet_entries(s, "rngd")), size=100_000)
    assert len(made.entries) > 300
    by_text = {view.text: view for view in views}
    for entry in made.entries:
        view = by_text[entry.text]
        assert view.script_check == "passed"
        first = view.citations[0]
        assert fold(first.span) in fold((OLD / first.doc).read_text())
    (checked,) = [verify(store, release) for release in newest(store, "rngd")]
    assert (checked.holds, checked.claims, checked.folder_state) == (True, len(views), "unchanged")
    store.close()


@needs_books
def test_every_citation_of_the_first_release_is_found_again_or_told(store: Store) -> None:
    before = store.read_sync(reads.book_claims)
    found = telling.as_json(onboard(store, Asked(NEW, "rngd"), quiet))
    changes = found["changes"]
    assert changes["citations"] == sum(len(view.citations) for view in before)
    assert changes["citations"] == sum(changes[kind] for kind in ("unchanged", "moved", "changed", "gone"))
    assert all(changes[kind] > 0 for kind in ("unchanged", "moved", "changed", "gone"))
    assert found["files"]["total"] == found["files"]["read"] + found["files"]["not_read"] == 53
    after = {view.id: view for view in store.read_sync(reads.book_claims)}
    stale = [after[view.id] for view in before if after[view.id].state == "stale"]
    assert stale
    for view in stale:
        assert any(one.change in ("changed", "gone") for one in view.citations)
    (checked,) = [verify(store, release) for release in newest(store, "rngd")]
    assert checked.holds
    store.close()


@needs_books
def test_a_planted_error_is_found(store: Store, tmp_path: Path) -> None:
    planted = tmp_path / "planted"
    shutil.copytree(OLD, planted)
    file = planted / "moving-tensors/memory-performance.md"
    text = file.read_text()
    assert text.count("| HBM | 1.5 TB/s per chip |") == 1
    file.write_text(text.replace("| HBM | 1.5 TB/s per chip |", "| HBM | 1.6 TB/s per chip |"))
    (release,) = newest(store, "rngd")
    checked = verify(store, release, planted)
    assert not checked.holds
    lost = [(one.citation.span, change.reason) for one, change in checked.looked_up if change.kind != "unchanged"]
    assert lost == [("| HBM | 1.5 TB/s per chip |", "numbers: 1.5 became 1.6")]
    store.close()
