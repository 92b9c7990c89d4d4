"""Opening: which file systems, which files, who owns the engine role."""

import errno
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from app.errors import person_error
from app.source import SourceError
from store import events, reads
from store.engine import DATABASE, Store
from store.errors import Owned, StoreError
from store.filesystem import kind_of, refuse_network
from store.lock import EngineLock, engine_owner

ROOT = Path(__file__).parents[3]
MOUNTS = r"""
22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
30 22 0:40 / /home rw - nfs4 server:/home rw
31 30 0:41 / /home/me/local\040disk rw - xfs /dev/vdb rw
32 22 0:42 / /mnt/c rw shared:1 - 9p drvfs rw
"""
HOLDER = """
import sys
from pathlib import Path
from store.lock import EngineLock
lock = EngineLock.acquire(Path(sys.argv[1]))
print(lock.owner.pid, flush=True)
sys.stdin.readline()
"""


def test_network_file_systems_are_refused_with_a_way_out() -> None:
    for path in ("/home/me", "/mnt/c/work"):
        with pytest.raises(StoreError, match="--home") as refusal:
            refuse_network(Path(path), MOUNTS)
        assert refusal.value.found
    for path in ("/tmp", "/home/me/local disk/x", "/homework"):
        refuse_network(Path(path), MOUNTS)
    assert kind_of(Path("/home/me/local disk/x"), MOUNTS) == "xfs"
    assert kind_of(Path("/x"), "") == ""


def test_a_file_that_is_no_database_is_kept(tmp_path: Path) -> None:
    path = tmp_path / DATABASE
    path.write_bytes(b"not a database, but somebody's thesis" * 100)
    with pytest.raises(StoreError, match="restore a backup"):
        Store.open(tmp_path)
    assert path.read_bytes().startswith(b"not a database")


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / DATABASE)
    connection.execute("CREATE TABLE recipe (id)")
    connection.close()
    with pytest.raises(StoreError, match="another program"):
        Store.open(tmp_path)


def test_read_only_reads_and_never_writes(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no database yet"):
        Store.open(tmp_path / "nothing", read_only=True)
    with Store.open(tmp_path) as store:
        store.write_sync(lambda s: events.append(s, None, "said", "hello"))
    with Store.open(tmp_path, read_only=True) as store:
        assert [event.subject for event in store.read_sync(lambda s: reads.events(s, None))] == ["hello"]
        with pytest.raises(StoreError, match="read-only"):
            store.write_sync(lambda s: events.append(s, None, "said", "no"))


def test_readers_cannot_write(store: Store) -> None:
    with pytest.raises(Exception, match="readonly"):
        store.read_sync(lambda s: events.append(s, None, "said", "no"))


def test_home_with_odd_characters(tmp_path: Path) -> None:
    with Store.open(tmp_path / "a b%20?#ü") as store:
        store.write_sync(lambda s: events.append(s, None, "said", "hello"))
        assert len(store.read_sync(lambda s: reads.events(s, None))) == 1


def test_engine_role_is_owned_by_one_process(tmp_path: Path) -> None:
    assert engine_owner(tmp_path) is None
    child = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert child.stdout is not None
    pid = int(child.stdout.readline())
    with pytest.raises(Owned) as owned:
        EngineLock.acquire(tmp_path, patience_s=0.05)
    assert (owned.value.pid, owned.value.started_at > 0) == (pid, True)
    assert "UTC" in owned.value.since
    owner = engine_owner(tmp_path)
    assert owner is not None
    assert owner.pid == pid
    child.kill()
    child.wait()
    with EngineLock.acquire(tmp_path) as lock:
        assert lock.owner.pid == os.getpid()
        assert json.loads(lock.path.read_text())[1] == os.getpid()
    assert engine_owner(tmp_path) is None


def test_lock_survives_a_replaced_file(tmp_path: Path) -> None:
    with EngineLock.acquire(tmp_path) as held:
        held.path.unlink()
        with EngineLock.acquire(tmp_path) as second:
            assert second.path.exists()


def test_a_home_that_takes_no_files_is_said_to_be_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store.open(tmp_path).close()
    monkeypatch.setattr("store.filesystem.os.access", lambda *_: False)
    for opened in (lambda: Store.open(tmp_path), lambda: Store.open(tmp_path, read_only=True),
                   lambda: EngineLock.acquire(tmp_path)):  # fmt: skip
        with pytest.raises(StoreError, match=f"nothing can be written to {tmp_path}.*or copy the folder"):
            opened()


@pytest.mark.parametrize("number", [errno.EROFS, errno.ENOSPC, errno.EDQUOT])
def test_a_disk_that_takes_nothing_is_no_fault_of_ours(number: int) -> None:
    said = person_error(OSError(number, os.strerror(number), "/home/x/engine.lock"))
    assert said is not None
    assert (said.code, said.text.startswith(f"cannot write /home/x/engine.lock: {os.strerror(number)}")) == (3, True)


def test_a_screen_that_cannot_read_the_home_says_so(tmp_path: Path) -> None:
    said = person_error(SourceError(f"open the store in {tmp_path}: nothing can be written to it"))
    assert said is not None and said.code == 3
