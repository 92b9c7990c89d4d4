"""The simulated queue: numbers, states, quota, and what a job prints. Its state is a folder of small files."""

import fcntl
import hashlib
import json
import os
import random
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from kernels.targets.rngd.stand_in.device import Launch

MOST: Final = 2
LIMIT_S: Final = 70
FILING: Final = ("building", "queued", "evaluating", "completed")
SLOW: Final = 8
"""One job in so many is still running when it is first asked for."""
SETTINGS: Final = {"seed": None, "quota": 0.02, "hang": 0.0005, "logged_in": True, "toolchain": "0.6.0"}
"""quota: share of submissions that meet two jobs of the account; hang: of launches that end in PXI-601. The contest's
data has no rates of these: they are chosen small."""


@dataclass(slots=True)
class Queue:
    """folder: where its state lies."""

    folder: Path
    settings: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        path = self.folder / "settings.json"
        given = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        self.settings = {**SETTINGS, **given}

    @contextmanager
    def _locked(self) -> Generator[None]:
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def take(self) -> tuple[int, float]:
        """The next number, and the seconds since the last job."""
        with self._locked():
            path = self.folder / "last.json"
            last = json.loads(path.read_text()) if path.is_file() else {"number": 0, "at": time.time()}
            path.write_text(json.dumps({"number": last["number"] + 1, "at": time.time()}))
            return int(last["number"]) + 1, float(time.time() - last["at"])

    def rng(self, number: int) -> random.Random:
        """Of one job. With a seed its draws are those of its number, else nobody's."""
        seed = self.settings["seed"]
        return random.Random(os.urandom(16) if seed is None else f"{seed}/{number}")

    def put(self, number: int, name: str, log: str, code: int) -> None:
        facts = {"id": number, "name": name, "log": log, "exit_code": code, "polls": 0}
        (self.folder / f"{number}.json").write_text(json.dumps(facts))

    def job(self, number: int) -> dict[str, Any]:
        """Raises: KeyError when there is none."""
        path = self.folder / f"{number}.json"
        if not path.is_file():
            raise KeyError(number)
        return dict(json.loads(path.read_text()))

    def status(self, number: int) -> dict[str, Any]:
        """As `furiosa-arena status` says it."""
        known = self.job(number)
        known["polls"] += 1
        (self.folder / f"{number}.json").write_text(json.dumps(known))
        state = "running" if number % SLOW == 0 and known["polls"] == 1 else "succeeded"
        if state == "succeeded" and known["exit_code"]:
            state = "failed"
        return {
            "id": number, "owner": "stand-in", "mine": True, "name": known["name"], "status": state, "created_at": "",
            "started_at": "", "finished_at": "", "duration_sec": 7.0, "exit_code": known["exit_code"],
            "device_id": "stand-in",
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Filings:
    """The simulated board. A score is drawn by the submission's number and its source; it means nothing."""

    folder: Path

    @property
    def _path(self) -> Path:
        return self.folder / "board.json"

    def _known(self) -> list[dict[str, Any]]:
        return list(json.loads(self._path.read_text())) if self._path.is_file() else []

    def _put(self, rows: list[dict[str, Any]]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._path.write_text(json.dumps(rows))

    def add(self, source_sha256: str) -> int:
        """Raises: ValueError while another one is on its way."""
        rows = self._known()
        if rows and rows[-1]["step"] < len(FILING) - 1:
            raise ValueError("a submission is already running: one at a time")
        self._put([*rows, {"source": source_sha256, "step": -1}])
        return len(rows) + 1

    def step(self, number: int) -> str:
        """Raises: ValueError for a number that is none."""
        rows = self._known()
        if not 0 < number <= len(rows):
            raise ValueError(f"no submission {number}")
        row = rows[number - 1]
        row["step"] = min(row["step"] + 1, len(FILING) - 1)
        self._put(rows)
        return FILING[int(row["step"])]

    def log(self, number: int) -> str:
        source = self._known()[number - 1]["source"]
        score = random.Random(f"{source}/{number}").gauss(1.0, 0.03)
        return f"stand-in: a simulated board\nsubmission {number} of source {source[:12]}: score {score:.4f} (stand-in)"


def graded(kernel: str, outputs: list[dict[str, bytes]], found: list[Launch]) -> str:
    """What the grader prints; here it knows only whether all launches of a job agree."""
    lines = ["stand-in: a simulated RNGD, no number of this log was measured on one", f"==> {kernel}"]
    agree = all(one == outputs[0] for one in outputs)
    for name in outputs[0]:
        verdict = "PASS" if agree else "FAIL"
        lines.append(f"[{name} run0] max|Δ|=0 (0% of expected) mean|Δ|=0 within tol=3% -> {verdict}")
    runs = [one.cycles for one in found]
    lines.append(f"    median cycles={sorted(runs)[len(runs) // 2]} (of {len(runs)} runs: {runs})")
    return "\n".join([*lines, "all 1 tests passed" if agree else f"1 of 1 tests failed: {kernel}", ""])


def span_log(found: list[Launch], blocks: tuple[int, int]) -> str:
    """Tab-separated spans of both clusters, as TUC_PROFILE_LEVEL=trace gives them."""
    lines: list[str] = []
    at = 1000
    for number, one in enumerate(found):
        most = max(*blocks, 1)
        for cluster in (0, 1):
            begin = at + cluster * one.skew
            load = begin + one.cycles // 10
            end = begin + max(one.cycles * max(blocks[cluster], 1) // most, one.cycles // 10)
            lines.append(f"SPAN\tstand-in#{number}\t{begin}\t{load}\tcluster {cluster}\tDMA")
            lines.append(f"SPAN\tstand-in#{number}\t{load}\t{end}\tcluster {cluster}\tRenegade::TuExec")
        at += one.cycles + one.skew + 1000
    return "\n".join([*lines, ""])


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
