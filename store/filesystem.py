"""Which file system a folder is on, and whether it takes files. SQLite's write-ahead log needs shared memory, so a
network share will not do, nor a folder that cannot be written to."""

import os
import re
from pathlib import Path

from store.errors import StoreError

NETWORK = frozenset(
    "nfs nfs4 cifs smb3 smbfs smb2 ncpfs afs 9p virtiofs vboxsf prl_fs ceph glusterfs lustre gpfs beegfs orangefs "
    "pvfs2 ocfs2 davfs fuse.sshfs fuse.s3fs fuse.rclone fuse.gcsfuse fuse.glusterfs fuse.ceph-fuse fuse.davfs2".split()
)
MOUNTS = Path("/proc/self/mountinfo")


def kind_of(path: Path, mounts: str) -> str:
    """Type of the file system that holds `path`, by a text in the form of /proc/self/mountinfo; "" when unknown."""
    best, kind = "", ""
    for line in mounts.splitlines():
        left, _, right = line.partition(" - ")
        fields, after = left.split(), right.split()
        if len(fields) < 5 or not after:
            continue
        point = _unescape(fields[4])
        if len(point) >= len(best) and path.is_relative_to(point):
            best, kind = point, after[0]
    return kind


def refuse_network(home: Path, mounts: str | None = None) -> None:
    """Raises: StoreError when `home` lies on a network or host-shared file system."""
    if mounts is None:
        mounts = MOUNTS.read_text(errors="replace") if MOUNTS.exists() else ""
    kind = kind_of(home.resolve(), mounts)
    if kind in NETWORK:
        raise StoreError(
            f"open the store in {home}",
            f"that folder is on a {kind} file system, where SQLite's write-ahead log can be damaged",
            "Give --home (or KERNELWRIGHT_HOME) a folder on a local disk",
        )


def refuse_read_only(home: Path) -> None:
    """Raises: StoreError when nothing can be written to `home`, which may be absent yet."""
    there = next(folder for folder in (home, *home.parents) if folder.exists())
    if not os.access(there, os.W_OK):
        raise StoreError(
            f"open the store in {home}",
            f"nothing can be written to {there}, and SQLite keeps files beside the database even to read it",
            "Give yourself the right to write there, or copy the folder (cp -r) and give --home the copy",
        )


def _unescape(point: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), point)
