"""Targets by name: those that ship, those installed beside the program, those of the workspace; later ones win."""

from collections.abc import Iterator
from pathlib import Path

from kernels.targets.base import Target, TargetError
from kernels.targets.discovery import FOLDER, Found, built_in, installed
from kernels.targets.external.finder import in_folder
from kernels.targets.plugin import Plugin, Unusable
from kernels.values.dialect import C, Dialect


def found(workspace: Path | None = None) -> list[Found]:
    """Every plug-in once, by name, those that cannot be used included. workspace: None = the current folder."""
    return [one for _, one in sorted({one.name: one for one in _all(workspace)}.items())]


def _all(workspace: Path | None) -> Iterator[Found]:
    yield from built_in()
    yield from installed()
    yield from in_folder((workspace or Path.cwd()) / FOLDER)


def plugins(workspace: Path | None = None) -> dict[str, Plugin]:
    """Those that can be used."""
    return {one.name: one for one in found(workspace) if isinstance(one, Plugin)}


def plugin(name: str, workspace: Path | None = None) -> Plugin:
    """Raises: TargetError for an unknown name, or a plug-in that cannot be used."""
    every = {one.name: one for one in found(workspace)}
    one = every.get(name)
    if one is None:
        todo = f"Known targets: {', '.join(every)}; your own go to {(workspace or Path.cwd()) / FOLDER}"
        raise TargetError(f"target {name!r}", "there is none of that name", todo)
    if isinstance(one, Unusable):
        raise TargetError(f"target {name!r} of {one.origin}", "it cannot be used", one.why)
    return one


def get_target(name: str, cache: Path, workspace: Path | None = None, compiler: str = "") -> Target:
    """cache: folder for what is built once. compiler: a name or path, "" for the target's own.

    Raises: TargetError for an unknown name, a missing compiler, or a choice where there is none.
    """
    return made(plugin(name, workspace), cache, compiler)


def made(one: Plugin, cache: Path, compiler: str = "") -> Target:
    """Raises: TargetError."""
    if not compiler:
        return one.make(cache)
    if one.make_with is None:
        raise TargetError(f"compiler {compiler} for target {one.name}", "it has no choice", "Leave out --compiler")
    return one.make_with(cache, compiler)


def hardware_of(name: str) -> str:
    """What a target runs on; its own name when no other target does. Targets of one hardware share its lock."""
    known = plugins().get(name)
    return known.hardware if known is not None and known.hardware else name


def dialect_of(name: str) -> Dialect:
    """The language of a target's sources; C for a target that is not known here."""
    known = plugins().get(name)
    return C if known is None else known.dialect


def header_of(name: str) -> str:
    """What a target offers to its sources, as the text of its header; "" when it has none."""
    known = plugins().get(name)
    return "" if known is None or known.header is None else known.header.read_text(encoding="utf-8")
