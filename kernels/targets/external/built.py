"""What a build leaves beside its artefact: hashes of the sources and of what came of them.

A run whose artefact is not what the build made is refused, lest an old or a debug binary is measured.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

BUILT: Final = "built.json"


def digest_of(artefact: Path) -> str:
    """SHA-256 of a file, or of names and contents of all files of a folder. Raises: OSError."""
    whole = hashlib.sha256()
    for path in [artefact] if artefact.is_file() else sorted(p for p in artefact.rglob("*") if p.is_file()):
        name = path.relative_to(artefact).as_posix() if path != artefact else ""
        whole.update(f"{name}\0{path.stat().st_size}\0".encode())
        whole.update(path.read_bytes())
    return whole.hexdigest()


def sources_of(folder: Path) -> dict[str, str]:
    """SHA-256 of every file below a folder by name."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*")) if path.is_file()
    }  # fmt: skip


def note(work: Path, artefact: Path, sources: Mapping[str, str]) -> str:
    """Write it down; returns the artefact's hash."""
    digest = digest_of(artefact)
    told = {"artefact": artefact.relative_to(work).as_posix(), "sha256": digest, "sources": dict(sources)}
    (work / BUILT).write_text(json.dumps(told, indent=1), encoding="utf-8")
    return digest


def mismatch(artefact: Path) -> str:
    """Why this artefact is not what its build made; "" when it is."""
    work = next((up for up in artefact.parents if (up / BUILT).is_file()), None)
    if work is None:
        return f"{artefact} was not built here: there is no {BUILT} beside it"
    told = json.loads((work / BUILT).read_text(encoding="utf-8"))
    if not artefact.exists() or digest_of(artefact) != told["sha256"]:
        return f"{artefact.name} is not what the build wrote: its hash is another"
    now = sources_of(work / "src")
    changed = sorted(name for name in {*now, *told["sources"]} if now.get(name) != told["sources"].get(name))
    return f"source {changed[0]} changed since the build" if changed else ""
