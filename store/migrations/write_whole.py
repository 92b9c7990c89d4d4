"""Writes `whole.sql` anew, after a migration was added: `python -m store.migrations.write_whole`."""

import tempfile
from pathlib import Path

from store import migrate
from store.migrations import whole


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "empty.db"
        migrate.by_steps(path)
        whole.SCRIPT.write_text(whole.BETWEEN.join(whole.of_migrated(path)) + ";\n")


if __name__ == "__main__":
    main()
