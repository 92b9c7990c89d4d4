"""The grader: the files that decide a verdict. Hashed at the start, and again before every evaluation.

A pack's contract, references and baselines; the harness's own sources; the compiler and the runner that it built. Their
names are what a person has to put back, so each file has a mark of its own.
"""

import contextlib
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import kernels
from kernels.packs.loader import PackError, deciding_files, digest
from kernels.targets.base import Target, TargetError, Watched
from kernels.values.kernel import Pack

HARNESS: Final = Path(kernels.__file__).parent
PARTS: Final = ("values", "packs", "sandbox", "targets", "device", "gates", "judge")
SUFFIXES: Final = frozenset({".py", ".c", ".h", ".csv"})
BLOCK: Final = 1 << 20


def mark_of(path: Path) -> str:
    """SHA-256 of the contents; "" when there is no such file."""
    whole = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(BLOCK):
                whole.update(block)
    except OSError:
        return ""
    return whole.hexdigest()


@dataclass(frozen=True, slots=True)
class Grader:
    """marks: SHA-256 of every file at the start. harness: whether the files beside the pack's are among them."""

    pack: Pack
    harness: bool
    marks: Mapping[Path, str]

    @classmethod
    def at_start(cls, pack: Pack, target: Target, *, harness: bool = True) -> "Grader":
        """Blocks for some milliseconds. The runner has been built before.

        Raises: PackError when the pack's files are not those that were loaded.
        """
        if digest(pack.folder, [kernel.name for kernel in pack.kernels]) != pack.digest:
            found = "its files changed while the campaign was being prepared"
            raise PackError(f"pack {pack.name}", found, "Start again when nobody edits them")
        files = {*_pack_files(pack), *(_harness_files(pack) if harness else ()), *(_built(target) if harness else ())}
        return cls(pack, harness, {path: mark_of(path) for path in files})

    def changes(self) -> tuple[str, ...]:
        """`gemv/reference.py changed`, `... deleted`, `... added`: by name, none when all is as it was. Blocks."""
        present = {*_pack_files(self.pack), *(_harness_files(self.pack) if self.harness else ())}
        found = [(path, self._what(path)) for path in {*self.marks, *present}]
        return tuple(sorted(f"{self.name(path)} {what}" for path, what in found if what))

    def _what(self, path: Path) -> str:
        was, now = self.marks.get(path, ""), mark_of(path)
        if was == now:
            return ""
        return "added" if not was else "changed" if now else "deleted"

    def name(self, path: Path) -> str:
        """Of a file of the pack, from its folder; of the harness, from its root; else the whole path."""
        for root in (self.pack.folder, HARNESS.parent):
            if path.is_relative_to(root):
                return path.relative_to(root).as_posix()
        return str(path)


def _pack_files(pack: Pack) -> Iterator[Path]:
    yield from deciding_files(pack.folder, [kernel.name for kernel in pack.kernels])


def _harness_files(pack: Pack) -> Iterator[Path]:
    """Without other packs, which decide nothing here."""
    shipped = HARNESS / "packs"
    for part in PARTS:
        for path in (HARNESS / part).rglob("*"):
            other = path.is_relative_to(shipped) and len(path.relative_to(shipped).parts) > 1
            if path.suffix in SUFFIXES and not other and not path.is_relative_to(pack.folder):
                yield path


def _built(target: Target) -> Iterator[Path]:
    """A compiler that its target watches is the maintainer's: another one is no damage."""
    if not isinstance(target, Watched):
        yield Path(target.fingerprint.compiler)
    with contextlib.suppress(TargetError):  # the device says so itself, and cannot start
        yield target.runner_binary()
