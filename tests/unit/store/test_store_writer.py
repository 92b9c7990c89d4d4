"""The one writer: acknowledged means committed, a failing job fails alone, other processes are waited for."""

import asyncio
import errno
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from store import events
from store.connect import writing
from store.engine import DATABASE, Session, Store
from store.errors import StoreError, WriteCancelled
from store.writer import Writer

ROOT = Path(__file__).parents[3]
CHATTER = """
import os, sys, threading
from pathlib import Path
from store import events
from store.engine import Store

store = Store.open(Path(sys.argv[1]))

def talk(thread):
    number = 0
    while True:
        name = f"{thread}-{number}"
        event = store.write_sync(lambda s: events.append(s, None, "said", name))
        os.write(1, f"{event} {name}\\n".encode())
        number += 1

for thread in range(8):
    threading.Thread(target=talk, args=(thread,)).start()
"""


def texts(store: Store) -> list[str]:
    with sqlite3.connect(store.path) as connection:
        found = [str(row[0]) for row in connection.execute("SELECT subject FROM event ORDER BY id")]
    connection.close()
    return found


@pytest.mark.parametrize("lines", [1, 57, 400])
def test_kill_in_mid_stream_loses_nothing_that_was_acknowledged(tmp_path: Path, lines: int) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CHATTER, str(tmp_path)], stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert child.stdout is not None
    said = [child.stdout.readline() for _ in range(lines)]
    child.send_signal(signal.SIGKILL)
    said += child.stdout.readlines()
    child.wait()
    acknowledged = {(int(event), name) for event, name in (line.split() for line in said if line.endswith("\n"))}
    with Store.open(tmp_path) as store:
        assert store.damage() == ()
    with sqlite3.connect(tmp_path / DATABASE) as connection:
        kept = set(connection.execute("SELECT id, subject FROM event"))
    connection.close()
    assert len(acknowledged) >= lines
    assert acknowledged <= kept


async def test_jobs_of_one_group_fail_alone(store: Store) -> None:
    def failing(s: Session) -> None:
        events.append(s, None, "said", "never")
        raise ZeroDivisionError("no")

    def breaking(s: Session) -> None:
        events.append(s, None, "said", "nor this")
        events.append(s, 999, "said", "a campaign that there is not")

    hold = threading.Event()
    blocked = asyncio.create_task(store.write(lambda _: hold.wait(10)))
    await asyncio.sleep(0.05)
    jobs = [store.write(lambda s, i=i: events.append(s, None, "said", str(i))) for i in range(20)]
    gathered = asyncio.gather(
        *jobs[:10], store.write(failing), store.write(breaking), *jobs[10:], return_exceptions=True
    )
    await asyncio.sleep(0.05)
    hold.set()
    results = await gathered
    assert await blocked
    assert isinstance(results[10], ZeroDivisionError)
    assert "FOREIGN KEY" in str(results[11])
    assert texts(store) == [str(i) for i in range(20)]


async def test_group_is_one_transaction(store: Store) -> None:
    hold = threading.Event()
    first = asyncio.create_task(store.write(lambda _: hold.wait(10)))
    await asyncio.sleep(0.05)
    jobs = [asyncio.create_task(store.write(lambda s, i=i: events.append(s, None, "said", str(i)))) for i in range(600)]
    await asyncio.sleep(0.1)
    with sqlite3.connect(f"file:{store.path}?mode=ro", uri=True) as reader:
        before = reader.execute("PRAGMA data_version").fetchone()
        hold.set()
        await first
        ids = await asyncio.gather(*jobs)
        sizes = reader.execute("SELECT count(*) FROM event").fetchone()
        after = reader.execute("PRAGMA data_version").fetchone()
    reader.close()
    assert (ids, sizes, before != after) == (list(range(1, 601)), (600,), True)


async def test_cancelled_before_it_is_taken_writes_nothing(store: Store) -> None:
    hold = threading.Event()
    first = asyncio.create_task(store.write(lambda _: hold.wait(10)))
    await asyncio.sleep(0.05)
    second = asyncio.create_task(store.write(lambda s: events.append(s, None, "said", "cancelled")))
    await asyncio.sleep(0)
    second.cancel()
    await asyncio.gather(second, return_exceptions=True)
    hold.set()
    await first
    await store.write(lambda s: events.append(s, None, "said", "after"))
    assert texts(store) == ["after"]


def test_close_commits_what_is_queued(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    writer = store._need_writer()
    futures = [writer.submit(lambda s, i=i: events.append(s, None, "said", str(i))) for i in range(300)]
    store.close()
    assert [future.result() for future in futures] == list(range(1, 301))
    with pytest.raises(WriteCancelled):
        store.write_sync(lambda s: events.append(s, None, "said", "late"))
    assert len(texts(store)) == 300


def test_write_within_a_write_is_refused_not_hung(store: Store) -> None:
    with pytest.raises(StoreError, match="wait for itself"):
        store.write_sync(lambda _: store.write_sync(lambda s: events.append(s, None, "said", "inner")))


def test_another_process_that_holds_the_lock_is_waited_for(store: Store) -> None:
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    writing_now = threading.Thread(target=lambda: store.write_sync(lambda s: events.append(s, None, "said", "waited")))
    writing_now.start()
    while store.waited_s(time.monotonic()) < 0.1:
        time.sleep(0.01)
    assert texts(store) == []
    other.execute("COMMIT")
    other.close()
    writing_now.join()
    assert texts(store) == ["waited"]
    assert store.waited_s(time.monotonic()) == 0.0


def test_a_database_that_cannot_be_opened_fails_the_write_and_not_the_thread(tmp_path: Path) -> None:
    writer = Writer(writing(tmp_path / "not yet" / DATABASE), {})
    with pytest.raises(Exception, match="unable to open"):
        writer.submit(lambda s: events.append(s, None, "said", "early")).result()
    Store.open(tmp_path / "not yet").close()
    assert writer.submit(lambda s: events.append(s, None, "said", "later")).result() == 1
    writer.close()


def test_a_lock_that_lasts_is_an_error_that_says_so(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.connect.BUSY_MS", 20)
    writer = Writer(writing(store.path), {}, patience_s=0.1)
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match=r"locked.*waited"):
        writer.submit(lambda s: events.append(s, None, "said", "in vain")).result()
    other.execute("COMMIT")
    other.close()
    writer.submit(lambda s: events.append(s, None, "said", "again")).result()
    writer.close()
    assert texts(store) == ["again"]


def test_a_full_database_fails_the_writes_and_keeps_the_rest(store: Store) -> None:
    engine = writing(store.path)
    writer = Writer(engine, {})
    writer.submit(lambda s: events.append(s, None, "said", "before")).result()

    def limit(s: Session) -> None:
        pages = s.connection().exec_driver_sql("PRAGMA page_count").scalar()
        s.connection().exec_driver_sql(f"PRAGMA max_page_count={pages}")

    writer.submit(limit).result()
    failures = 0
    for i in range(200):
        future = writer.submit(lambda s, i=i: events.append(s, None, "filled", str(i), "x" * 3000))
        error = future.exception()
        failures += error is not None
        assert error is None or "full" in str(error)
    assert failures
    writer.submit(lambda s: s.connection().exec_driver_sql("PRAGMA max_page_count=1000000").fetchall()).result()
    writer.submit(lambda s: events.append(s, None, "said", "afterwards")).result()
    writer.close()
    assert store.damage() == ()
    assert {"before", "afterwards"} <= set(texts(store))


def _limited(s: Session, full: threading.Event) -> int:
    """Needs more pages than there may be while `full` is set."""
    pages = s.connection().exec_driver_sql("PRAGMA page_count").scalar() if full.is_set() else 1_000_000
    s.connection().exec_driver_sql(f"PRAGMA max_page_count={pages}")
    return max(events.append(s, None, "filled", str(i), "x" * 3000) for i in range(9))


def _whole(s: Session, full: threading.Event) -> int:
    if full.is_set():
        raise OSError(errno.ENOSPC, "No space left on device")
    return events.append(s, None, "filled", "1", "")


@pytest.mark.parametrize("job", [_limited, _whole])
def test_a_full_disk_is_waited_for_where_that_is_endured_and_nothing_is_lost_or_doubled(
    job: Callable[[Session, threading.Event], int], store: Store, caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr("store.space.LOOK_S", 0.01)
    full = threading.Event()
    full.set()
    store.endure(on=True)
    writer = store._need_writer()
    futures = [writer.submit(lambda s: events.append(s, None, "said", "before")),
               writer.submit(lambda s: job(s, full)),
               writer.submit(lambda s: events.append(s, None, "said", "after"))]  # fmt: skip
    while "is full: nothing is lost" not in caplog.text:
        time.sleep(0.01)
    assert not any(future.done() for future in futures[1:])
    full.clear()
    assert [future.result() for future in futures] == sorted(future.result() for future in futures)
    said = texts(store)
    assert len(said) == len(set(said)) and {"before", "1", "after"} <= set(said)


def test_a_wait_for_space_ends_when_it_is_not_to_be_endured_any_more(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    full = threading.Event()
    full.set()
    store.endure(on=True)
    future = store._need_writer().submit(lambda s: _whole(s, full))
    while "is full: nothing is lost" not in caplog.text:
        time.sleep(0.01)
    store.endure(on=False)
    with pytest.raises(OSError, match="No space left"):
        future.result()
    store.write_sync(lambda s: events.append(s, None, "said", "afterwards"))
    assert texts(store) == ["afterwards"]
