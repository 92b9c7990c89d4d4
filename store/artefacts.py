"""Big texts as files: named by the hash of what they hold, written whole or not at all, capped."""

import hashlib
import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from kernels.values.files import listed, still_there
from store.clock import now
from store.errors import StoreError

CAP_BYTES = 1 << 20
SOURCE_CAP_BYTES = 4 << 20
UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True)
class ArtefactRef:
    """hash: SHA-256 of the stored bytes, hex. size: bytes that were given; truncated: fewer were kept."""

    hash: str
    size: int
    truncated: bool = False


class Artefacts:
    """A folder of content-addressed files. Safe for several processes: a file appears by a rename."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, data: bytes, *, cap: int = CAP_BYTES) -> ArtefactRef:
        """Keep the bytes; above `cap` their head and tail, with a note of what was left out between."""
        kept = data if len(data) <= cap else _truncate(data, cap)
        digest = hashlib.sha256(kept).hexdigest()
        path = self.path(digest)
        if not path.exists():
            _write_whole(path, kept, self.folder / UNFINISHED)
        return ArtefactRef(digest, len(data), len(data) > cap)

    def put_text(self, text: str, *, cap: int = CAP_BYTES) -> ArtefactRef:
        return self.put(text.encode("utf-8", "backslashreplace"), cap=cap)

    def read(self, digest: str) -> bytes:
        """Raises: StoreError when there is no such artefact or its file no longer holds what it is named after."""
        path = self.path(digest)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            raise StoreError(f"read artefact {digest[:12]}", "it is not there", f"Restore {self.folder}") from None
        if hashlib.sha256(data).hexdigest() != digest:
            raise StoreError(f"read artefact {digest[:12]}", "its file was changed", f"Restore {path}")
        return data

    def read_text(self, digest: str) -> str:
        return self.read(digest).decode("utf-8", "replace")

    def path(self, digest: str) -> Path:
        """Raises: StoreError when `digest` is not a SHA-256 in hex."""
        if not re.fullmatch(r"[0-9a-f]{64}", digest):
            raise StoreError(f"find artefact {digest[:80]!r}", "that is no hash", "Take the name from its row")
        return self.folder / digest[:2] / digest

    def sweep(self, older_than_s: float = 3600.0) -> int:
        """Remove what a killed process left half-written; returns how many files."""
        limit = now() - older_than_s
        found = still_there(listed(self.folder / UNFINISHED))
        left = [file for file, facts in found.items() if facts.st_mtime < limit]
        for file in left:
            file.unlink(missing_ok=True)
        return len(left)

    def total_bytes(self) -> int:
        """What all files take, for `doctor`."""
        return sum(facts.st_size for facts in still_there(listed(self.folder, "*/*")).values())


def _truncate(data: bytes, cap: int) -> bytes:
    keep = max(cap - 80, 0)
    head, tail = keep * 2 // 3, keep - keep * 2 // 3
    note = f"\n[... {len(data) - keep} of {len(data)} bytes left out ...]\n".encode()
    return data[:head] + note + data[len(data) - tail :]


def _write_whole(path: Path, data: bytes, unfinished: Path) -> None:
    for folder in (path.parent, unfinished):
        folder.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=unfinished)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
