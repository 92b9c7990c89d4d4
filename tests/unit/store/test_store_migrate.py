"""Migrations: from nothing, from the first schema with data, with a backup, and never half."""

import sqlite3
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlmodel import SQLModel

from store import connect, designs, legality, migrate, reads
from store.engine import DATABASE, Store
from store.errors import StoreError
from store.lock import EngineLock
from store.migrations import HEAD, whole

FIRST = """
INSERT INTO campaign VALUES (1, 'p', 'd', 'cpu-c', 'f', '', '', 'offline', 7, 'running', '', '', 0, 0, 0, '{}', 5, 1,
    NULL, '');
INSERT INTO kernel_state VALUES (1, 'ffn', NULL, 1000, 900, 2, 'idle', 0, 0);
INSERT INTO candidate VALUES ('0123456789abcdef0123456789abcdef', 'ffn', 'c', 'kernel.c', '[]', '{}', 'x', 1, '', 1);
INSERT INTO node (id, campaign_id, kernel, kind, depth, candidate_id, lever, lever_params, title, reason, prediction,
    agent, state, outcome, verdict, tainted, created_at)
  VALUES (1, 1, 'ffn', 'variant', 0, '0123456789abcdef0123456789abcdef', 'l', '{"a": 1}', 't', 'r', '', 'w', 'done',
    'REVERT', '', 0, 1);
INSERT INTO gate_report VALUES (1, 1, 'correct', 'refused', 'wrong_values', 'y', 0.5, '{}', '[]', 1);
INSERT INTO event VALUES (1, 1, 1, 'node', 'ffn', 'hello', '{}');
"""


def make_first(home: Path) -> Path:
    path = home / DATABASE
    migrate.upgrade(path, target="0001")
    connection = sqlite3.connect(path)
    connection.executescript(FIRST)
    connection.close()
    return path


def test_the_newest_script_is_what_this_version_asks_for() -> None:
    assert ScriptDirectory.from_config(migrate.configuration()).get_current_head() == HEAD


def parts(statements: list[str]) -> list[list[str]]:
    """The lines of each in order: alembic writes the constraints of a table that it copies in any."""
    return sorted(sorted(line.strip().removesuffix(",") for line in one.splitlines()) for one in statements)


def test_migrated_schema_is_that_of_the_tables_and_of_a_new_database(store: Store, tmp_path: Path) -> None:
    migrated = tmp_path / "migrated.db"
    migrate.by_steps(migrated)
    for path in (migrated, store.path):
        engine = connect.writing(path)
        with engine.connect() as connection:
            assert compare_metadata(MigrationContext.configure(connection), SQLModel.metadata) == []
        assert parts(whole.of_migrated(path)) == parts(whole.statements()), "write whole.sql anew"
    assert migrate.revision_of(store.path) == migrate.revision_of(migrated) == HEAD


def test_migrations_leave_no_rows_that_a_new_database_would_miss(tmp_path: Path) -> None:
    migrate.by_steps(tmp_path / "migrated.db")
    connection = sqlite3.connect(tmp_path / "migrated.db")
    names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    filled = [name for name in names if connection.execute(f"SELECT 1 FROM {name}").fetchone()]
    connection.close()
    assert filled == ["alembic_version"]


def test_first_schema_is_upgraded_with_its_rows_after_a_backup(tmp_path: Path) -> None:
    path = make_first(tmp_path)
    with Store.open(tmp_path) as store:
        assert migrate.revision_of(path) == HEAD
        tried = store.read_sync(lambda s: designs.attempts(s, 1, "ffn"))
        assert [(a.lever, a.params, a.outcome) for a in tried] == [("l", {"a": 1}, "REVERT")]
        assert store.read_sync(lambda s: reads.overview(s, 1)).campaign.rejections == {"wrong_values": 1}
    (backup,) = tmp_path.glob(f"{DATABASE}.before-*")
    assert migrate.revision_of(backup) == "0001"
    connection = sqlite3.connect(backup)
    assert connection.execute("SELECT text FROM event").fetchall() == [("hello",)]
    connection.close()


def test_rules_from_before_workspaces_hold_everywhere(tmp_path: Path) -> None:
    path = tmp_path / DATABASE
    migrate.upgrade(path, target="0016")
    connection = sqlite3.connect(path)
    connection.execute(
        "INSERT INTO legality_rule (id, target, name, kind, statement, forbidden, legal, flags, diagnostic, pattern,"
        " origin, evidence, state, fingerprint, at) VALUES (3, 'cpu-c', 'r', 'compile_error', 'is not allowed', 'a',"
        " 'b', '[]', '', '{}', 'mined', '[]', 'verified', 'f', 1)"
    )
    connection.execute("INSERT INTO rule_check VALUES (1, 3, 'f', 'verified', 'said', 1)")
    connection.commit()
    connection.close()
    with Store.open(tmp_path) as store:
        (rule,) = store.read_sync(lambda s: legality.rules_of(s, "cpu-c", tmp_path))
        assert (rule.key, rule.state, rule.workspace) == ("r", "verified", "")
        store.write_sync(lambda s: legality.put(s, replace(rule, workspace=str(tmp_path), statement="is another")))
        (own,) = store.read_sync(lambda s: legality.rules_of(s, "cpu-c", tmp_path))
        assert own.statement == "is another"


def test_append_only_holds_after_an_upgrade(tmp_path: Path) -> None:
    path = make_first(tmp_path)
    migrate.upgrade(path)
    connection = sqlite3.connect(path)
    for statement in ("UPDATE event SET text = ''", "DELETE FROM event"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            connection.execute(statement)
    connection.close()


def test_a_failing_migration_leaves_the_database_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make_first(tmp_path)

    def fail(_connection: object) -> None:
        raise ValueError("a row points to nothing")

    monkeypatch.setattr(migrate, "_refuse_broken_links", fail)
    with pytest.raises(StoreError, match=r"as it was; a copy is .*before"):
        migrate.upgrade(path)
    assert migrate.revision_of(path) == "0001"
    connection = sqlite3.connect(path)
    assert "refusal" not in [row[1] for row in connection.execute("PRAGMA table_info(node)")]
    connection.close()


def test_a_database_of_a_newer_version_is_refused_and_kept(tmp_path: Path) -> None:
    path = make_first(tmp_path)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match="another version"):
        Store.open(tmp_path)
    assert migrate.revision_of(path) == "9999"


def test_read_only_does_not_migrate(tmp_path: Path) -> None:
    path = make_first(tmp_path)
    with pytest.raises(StoreError, match="its schema is 0001"):
        Store.open(tmp_path, read_only=True)
    assert migrate.revision_of(path) == "0001"


def test_not_under_a_living_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make_first(tmp_path)
    with EngineLock.acquire(tmp_path):
        monkeypatch.setattr("store.migrate.os.getpid", lambda: -1)
        with pytest.raises(StoreError, match="Stop it first"):
            migrate.upgrade(path)


def test_many_starts_at_once_migrate_once(tmp_path: Path) -> None:
    path = make_first(tmp_path)
    failures: list[Exception] = []

    def start() -> None:
        try:
            migrate.upgrade(path)
        except StoreError as error:
            failures.append(error)

    threads = [threading.Thread(target=start) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (failures, len(list(tmp_path.glob(f"{DATABASE}.before-*")))) == ([], 1)
