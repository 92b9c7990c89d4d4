"""Looking at a home whose database an older version made, and perhaps still runs on: at a migrated copy of it."""

import shutil
import sqlite3
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from store.engine import DATABASE
from store.errors import StoreError
from store.migrate import revision_of, upgrade
from store.migrations import HEAD

ARTEFACTS = "artefacts"


def is_older(home: Path) -> bool:
    """Whether the database would have to be migrated; a newer one is not older. Raises: StoreError."""
    found = revision_of(home / DATABASE)
    return bool(found) and found < HEAD


@contextmanager
def migrated_copy(home: Path) -> Generator[Path]:
    """A home in a temporary folder: the database as it is now, migrated, beside a link to the artefacts. The home
    itself is only read, and what happens in it later is not seen.

    Raises: StoreError.
    """
    folder = Path(tempfile.mkdtemp(prefix="kernelwright-copy-"))
    try:
        _copy(home / DATABASE, folder / DATABASE)
        (folder / ARTEFACTS).symlink_to((home / ARTEFACTS).absolute(), target_is_directory=True)
        upgrade(folder / DATABASE)
        yield folder
    finally:
        shutil.rmtree(folder)


def _copy(source: Path, target: Path) -> None:
    """A snapshot, also while somebody writes. Raises: StoreError."""
    try:
        read, written = sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True), sqlite3.connect(target)
        try:
            read.backup(written)
        finally:
            read.close()
            written.close()
    except sqlite3.Error as error:
        raise StoreError(f"copy {source}", f"SQLite says: {error}", "See that the temporary folder has room") from error
