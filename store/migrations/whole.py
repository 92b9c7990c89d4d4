"""The schema that all migrations come to, as one script: a new database is made by it, in a tenth of their time.

`python -m store.migrations.write_whole` writes the script anew after a migration was added.
"""

import sqlite3
from pathlib import Path
from typing import Final

from store.migrations import HEAD

SCRIPT: Final = Path(__file__).with_name("whole.sql")
BETWEEN: Final = ";\n\n"
"""Between statements; none has an empty line."""
MADE: Final = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid"


def statements() -> list[str]:
    """What makes a new database at revision `HEAD`."""
    return SCRIPT.read_text().strip().removesuffix(";").split(BETWEEN)


def of_migrated(path: Path) -> list[str]:
    """The statements that make as empty a database as this one was migrated to."""
    connection = sqlite3.connect(path)
    try:
        made = [str(row[0]) for row in connection.execute(MADE)]
    finally:
        connection.close()
    lines = ["\n".join(line.rstrip() for line in one.splitlines() if line.strip()) for one in made]
    return [*lines, f"INSERT INTO alembic_version VALUES ('{HEAD}')"]
