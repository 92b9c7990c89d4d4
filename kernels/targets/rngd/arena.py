"""What the Arena queue and the contest's board say: jobs, their states, refusals, filings.

`furiosa-arena status ID` is JSON: id, owner, mine, name, status, created_at, started_at, finished_at, duration_sec,
exit_code, device_id. Two jobs at a time and account, at most 70 s each. The login is a device code in a browser: a
person's step. The board (`moa-submitter`) takes one filing at a time.
"""

import json
import re
from dataclasses import dataclass
from typing import Any, Final, Literal

State = Literal["queued", "running", "succeeded", "failed", "completed", "cancelled"]
WAITING: Final = ("queued", "running")
WELL: Final = ("succeeded", "completed")
ENDED_BADLY: Final = ("failed", "cancelled")
MOST_JOBS: Final = 2
MOST_S: Final = 70
FILING: Final = ("building", "evaluating", "queued", "running", "pending")
Refused = Literal["login", "quota", "timeout", "busy", "other"]
_REFUSALS: Final[tuple[tuple[Refused, "re.Pattern[str]", str], ...]] = (
    ("login", re.compile(r"log(?:ged)? ?in|unauthori[sz]ed|401|token (?:expired|invalid)", re.IGNORECASE),
     "Log in yourself: furiosa-arena login, then open the address that it prints"),
    ("quota", re.compile(r"active jobs|quota|too many|429", re.IGNORECASE),
     "Two jobs run at a time for one account: wait for one to end"),
    ("timeout", re.compile(r"timeout.*(?:70|exceed|limit)|exceeds.*timeout", re.IGNORECASE),
     "A job may ask for 70 s at most"),
    ("busy", re.compile(r"already (?:running|being evaluated)|one submission at a time", re.IGNORECASE),
     "The board takes one filing at a time: wait until it is done"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Job:
    """seconds, exit_code, device: None while they are not known."""

    id: int
    state: State
    mine: bool
    name: str
    seconds: float | None
    exit_code: int | None
    device: str | None

    @property
    def over(self) -> bool:
        return self.state not in WAITING


@dataclass(frozen=True, slots=True)
class Refusal:
    """todo: what a person can do about it."""

    kind: Refused
    said: str
    todo: str


def submitted(text: str) -> int:
    """Raises: ValueError when no job was submitted, with what was said."""
    found = re.search(r"submitted job (\d+)", text)
    if found is None:
        raise ValueError(f"nothing was submitted: {refusal(text).said or 'the command said nothing'}")
    return int(found.group(1))


def job(text: str) -> Job:
    """Raises: ValueError for what is no status, or a state that is not documented."""
    raw: dict[str, Any] = json.loads(text)
    states: dict[str, State] = {
        "queued": "queued", "running": "running", "succeeded": "succeeded", "failed": "failed",
        "completed": "completed", "cancelled": "cancelled",
    }  # fmt: skip
    if raw.get("status") not in states:
        raise ValueError(f"job {raw.get('id')}: state {raw.get('status')!r}; known: {', '.join(states)}")
    return Job(
        int(raw["id"]), states[raw["status"]], bool(raw.get("mine")), str(raw.get("name") or ""),
        raw.get("duration_sec"), raw.get("exit_code"), raw.get("device_id"),
    )  # fmt: skip


def refusal(text: str) -> Refusal:
    """What a command that failed said: never swallowed, also when it is of no known kind."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for kind, pattern, todo in _REFUSALS:
        line = next((one for one in lines if pattern.search(one)), None)
        if line is not None:
            return Refusal(kind, line, todo)
    return Refusal("other", lines[-1] if lines else "", "See its whole output")


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the leaderboard."""

    rank: int
    team: str
    submission: str
    cycles: dict[str, int]
    score: float


def leaderboard(text: str) -> tuple[dict[str, int], list[Standing]]:
    """(baseline cycles, rows). Raises: ValueError, KeyError for another form."""
    raw: dict[str, Any] = json.loads(text)
    rows = [
        Standing(
            int(row["rank"]), str(row["teamName"]), str(row.get("submissionCode") or row["submissionId"]),
            {"qkv": int(row["qkvCycles"]), "attn_out": int(row["attentionCycles"]), "ffn": int(row["ffnCycles"])},
            float(row["score"]),
        )
        for row in raw["data"]
    ]  # fmt: skip
    return {str(name): int(value) for name, value in raw["baselineCycles"].items()}, rows
