"""Values that outlive campaigns, by name."""

from typing import Any

from sqlmodel import Session

from store.clock import now
from store.tables import SettingRow


def put(s: Session, name: str, value: Any) -> None:
    """value: anything JSON can hold."""
    row = s.get(SettingRow, name) or SettingRow(name=name, at=now())
    row.value, row.at = value, now()
    s.add(row)


def get(s: Session, name: str, default: Any = None) -> Any:
    row = s.get(SettingRow, name)
    return default if row is None else row.value


def dated(s: Session, name: str) -> tuple[float, Any]:
    """When it was put, and the value. Raises: KeyError when there is none."""
    row = s.get(SettingRow, name)
    if row is None:
        raise KeyError(name)
    return row.at, row.value
