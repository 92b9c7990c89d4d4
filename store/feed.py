"""What is new, for another process: cheap enough to ask several times a second."""

import json
import sqlite3
import threading

from store.engine import Store
from store.views import EventView


class Feed:
    """One connection that never writes. `PRAGMA data_version` on it changes whenever any other connection has
    committed; events are then read by id. Safe to use from several threads."""

    def __init__(self, store: Store) -> None:
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(
            f"{store.path.as_uri()}?mode=ro", uri=True, isolation_level=None, check_same_thread=False, timeout=30
        )
        self._version = -1

    def changed(self) -> bool:
        """Whether anything was committed since the last call; True at the first."""
        with self._lock:
            version = int(self._connection.execute("PRAGMA data_version").fetchone()[0])
            changed, self._version = version != self._version, version
        return changed

    def events_after(self, event_id: int, limit: int = 500, campaign_id: int | None = None) -> tuple[EventView, ...]:
        """Oldest first; event_id 0 begins at the beginning. campaign_id: only its events, and those of none."""
        with self._lock:
            found = self._connection.execute(
                "SELECT id, at, kind, subject, text, data FROM event WHERE id > ?"
                " AND (? IS NULL OR campaign_id = ? OR campaign_id IS NULL) ORDER BY id LIMIT ?",
                (event_id, campaign_id, campaign_id, limit),
            ).fetchall()
        return tuple(EventView(*row[:5], json.loads(row[5])) for row in found)

    def last_id(self) -> int:
        with self._lock:
            return int(self._connection.execute("SELECT coalesce(max(id), 0) FROM event").fetchone()[0])

    def close(self) -> None:
        with self._lock:
            self._connection.close()
