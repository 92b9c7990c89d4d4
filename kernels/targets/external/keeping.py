"""What is kept of the jobs: outputs head and tail, named log files; the newest folders, those that failed longer."""

import json
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from kernels.targets.external.commands import Ran
from kernels.values.files import listed, still_there

NEWEST: Final = 4
FAILED: Final = 8
"""Folders with their arrays: a job of a large kernel has some 30 MB."""
LOG_BYTES: Final = 4 << 20
FAILURE: Final = "failure.txt"


def keep(ran: Ran, folder: Path, step: str) -> None:
    """The command's words, exit code, time and output, in `log/STEP.*`."""
    log = folder / "log"
    log.mkdir(parents=True, exist_ok=True)
    facts = {"command": list(ran.words), "exit": ran.code, "seconds": round(ran.seconds, 6)}
    (log / f"{step}.json").write_text(json.dumps(facts, indent=1), encoding="utf-8")
    for name, text in (("out", ran.out), ("err", ran.err)):
        if text:
            (log / f"{step}.{name}").write_text(text, encoding="utf-8")


def collect(patterns: Iterable[str], places: Iterable[Path], into: Path) -> list[str]:
    """Copies of the files that match, below `into`/log; too large ones are cut. Returns their names."""
    found: list[str] = []
    for place in places:
        for pattern in patterns:
            for path in still_there(p for p in listed(place, pattern) if not p.is_symlink()):
                name = path.relative_to(place).as_posix().replace("/", "_")
                with suppress(FileNotFoundError), path.open("rb") as source:
                    (into / "log" / name).write_bytes(source.read(LOG_BYTES))
                    found.append(name)
    return found


def failed(folder: Path, why: str) -> None:
    (folder / FAILURE).write_text(why, encoding="utf-8")


def tidy(jobs: Path, newest: int = NEWEST, broken: int = FAILED) -> None:
    """Let old folders go."""
    found = [(path.stat().st_mtime_ns, path.name, path) for path in jobs.iterdir() if path.is_dir()]
    every = [path for *_, path in sorted(found)]
    bad = [path for path in every if (path / FAILURE).exists()]
    good = [path for path in every if not (path / FAILURE).exists()]
    for path in (*good[:-newest], *bad[:-broken]):
        shutil.rmtree(path, ignore_errors=True)
