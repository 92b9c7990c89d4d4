"""A campaign of many agents against a fake server of models in a process of its own, watched from outside.

The server's own journal and verdict are held against the rows of the campaign.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from typing_extensions import override

from store import call_views, campaigns, reads
from store.call_views import CallView
from store.engine import Store
from tests.end_to_end.conftest import ROOT, command, environment

PATHS = {"anthropic": "/anthropic", "openai": "/v1"}
ROLES = ("strategist", "architect", "owner", "auditor")
TIMES, PATIENCE_S = 12, 75.0
FAULTS: dict[str, dict[str, Any]] = {
    "429": {"type": "fail", "status": 429, "retry_after": 2.0},
    "529": {"type": "fail", "status": 529},
    "truncate": {"type": "stream_fault", "kind": "truncate", "after_chunks": 2},
    "disconnect": {"type": "stream_fault", "kind": "disconnect", "after_chunks": 3},
    "malformed": {"type": "stream_fault", "kind": "malformed", "after_chunks": 3},
    "stall": {"type": "stream_fault", "kind": "stall", "after_chunks": 2, "stall_seconds": 60.0},
    "bad_arguments": {"type": "tool_fault", "kind": "malformed_arguments"},
    "unknown_tool": {"type": "tool_fault", "kind": "unknown_tool"},
}


@dataclass(frozen=True)
class Server:
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(self, path: str, body: Mapping[str, Any] | None = None, method: str | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/_llmock/{path}", data, method=method)
        with urllib.request.urlopen(request, timeout=180) as answer:
            return json.loads(answer.read())

    @property
    def posts(self) -> list[dict[str, Any]]:
        return [one for one in self.ask("requests")["requests"] if one["method"] == "POST"]


@contextmanager
def serving(log: Path, *words: str) -> Generator[Server]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    llmock = [str(Path(sys.executable).with_name("llmock")), "serve", "--port", str(port), "--log-level", "warning"]
    with log.open("wb") as out, subprocess.Popen([*llmock, *words], stdout=out, stderr=out) as process:
        try:
            server = Server(port)
            _until_up(server)
            yield server
        finally:
            process.terminate()


def _until_up(server: Server) -> None:
    for _ in range(300):
        try:
            server.ask("requests")
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError(f"{server.url} does not answer")


class Breaking(threading.Thread):
    """One fault after the other, each until it was met so often or its time is over. met: how often, by fault."""

    def __init__(self, server: Server) -> None:
        super().__init__(daemon=True)
        self._server = server
        self.met: dict[str, int] = {}

    @override
    def run(self) -> None:
        while not self._server.posts:
            time.sleep(1.0)
        for name, fault in FAULTS.items():
            self._server.ask("scenario", {"behaviors": [fault] * TIMES})
            end = time.monotonic() + PATIENCE_S
            while (left := len(self._server.ask("scenario")["pending"])) and time.monotonic() < end:
                time.sleep(0.5)
            self._server.ask("scenario", method="DELETE")
            self.met[name] = TIMES - left


def settings_text(server: Server, *, workers: int, more: str = "") -> str:
    """Three wires for the workers; each other role has one of them."""
    wires = [
        ("anthropic", "claude-opus-5-5", "messages"),
        ("openai", "gpt-6.1-terra", "responses"),
        ("openai", "q", "chat"),
    ]
    tables = [
        f'{{ model = "{kind}:{model}", base_url = "{server.url}{PATHS[kind]}", wire = "{wire}", stall_s = 5.0 }}'
        for kind, model, wire in wires
    ]
    roles = "\n".join(f"{role} = [{tables[n % 3]}]" for n, role in enumerate(ROLES))
    prices = "\n".join(f'"{model}" = {{ input = 1.0, output = 2.0 }}' for _, model, _ in wires)
    return (
        f"workers = {workers}\nkernel_workers = {max(workers // 2, 1)}\nstrategy_s = 60.0\ndesign_s = 30.0\n"
        f"review_s = 30.0\nreading_s = 30.0\nplateau_draft = 6\nusd = 0.0\n{more}\n"
        f"[brains]\nworker = [{', '.join(tables)}]\n{roles}\n[prices]\n{prices}\n"
    )


@dataclass
class Watched:
    """What was seen of the engine from outside. rss: (seconds, bytes); files: open descriptors; threads."""

    code: int = -1
    rss: list[tuple[float, int]] = field(default_factory=list)
    files: list[int] = field(default_factory=list)
    threads: list[int] = field(default_factory=list)
    errors: str = ""

    def grown(self, after_s: float) -> float:
        """Bytes at the end over bytes after this many seconds."""
        at = next((size for seconds, size in self.rss if seconds >= after_s), 1)
        return self.rss[-1][1] / at


def run(home: Path, words: Sequence[str], *, timeout: float) -> Watched:
    """One campaign to its end, looked at every second."""
    home.mkdir(parents=True, exist_ok=True)
    seen, started = Watched(), time.monotonic()
    log = home / "stderr.txt"
    with log.open("wb") as out:
        process = subprocess.Popen(
            command("run", "--headless", "--yes", "--display", "none", *words), cwd=ROOT, env=environment(home),
            stdout=out, stderr=out, start_new_session=True,
        )  # fmt: skip
        try:
            while process.poll() is None and time.monotonic() - started < timeout:
                _look(process.pid, seen, time.monotonic() - started)
                time.sleep(1.0)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            seen.code = process.wait()
    seen.errors = log.read_text(errors="replace")
    return seen


def _look(pid: int, seen: Watched, at: float) -> None:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
        files = len(os.listdir(f"/proc/{pid}/fd"))  # noqa: PTH208
    except OSError:
        return
    fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    if "VmRSS" in fields:
        seen.rss.append((at, int(fields["VmRSS"].split()[0]) * 1024))
        seen.threads.append(int(fields["Threads"]))
        seen.files.append(files)


@dataclass(frozen=True)
class Account:
    """A campaign's rows beside the server's journal. replies: answers that were whole; booked: rows that are done.
    posts: requests at the server; attempts: by the rows, at least one each and at most all tries: one that
    found no connection, or was cancelled, may not have come.
    """

    calls: tuple[CallView, ...]
    replies: int
    booked: int
    posts: int
    attempts: tuple[int, int]

    @property
    def fits(self) -> bool:
        at_least, at_most = self.attempts
        return at_least <= self.posts <= at_most and self.booked <= self.replies <= self.booked + self.cancelled

    @property
    def cancelled(self) -> int:
        return sum(one.state == "cancelled" for one in self.calls)

    @property
    def by_role(self) -> dict[str, int]:
        return {role: sum(one.role == role for one in self.calls) for role in ("worker", *ROLES)}

    @property
    def text(self) -> str:
        states = {state: sum(c.state == state for c in self.calls) for state in sorted({c.state for c in self.calls})}
        return (
            f"{self.posts} requests at the server, {self.replies} whole replies; rows {states}, {self.booked} booked, "
            f"tries {self.attempts[0]} to {self.attempts[1]}; by role {self.by_role}"
        )


def _number(store: Store) -> int:
    row = store.read_sync(campaigns.latest)
    assert row is not None and row.id is not None, "no campaign was started"
    return row.id


def account(home: Path, server: Server) -> Account:
    with Store.open(home) as store:
        number = _number(store)
        calls = store.read_sync(lambda s: call_views.calls(s, number, alive=False))
    return held(calls, server)


def held(calls: tuple[CallView, ...], server: Server) -> Account:
    """Rows against the server's journal."""
    posts = server.posts
    ended = [c for c in calls if c.state in ("done", "failed")]
    most = sum(1 + c.retries for c in calls if c.state in ("done", "failed", "cancelled"))
    whole = [
        p for p in posts if p["status"] == 200 and p["completed"] and not str(p["fault"] or "").startswith("stream")
    ]
    return Account(calls, len(whole), sum(c.state == "done" for c in calls), len(posts), (len(ended), most))


def events(home: Path, *kinds: str) -> list[Any]:
    with Store.open(home) as store:
        number = _number(store)
        found: list[Any] = []
        while page := store.read_sync(
            lambda s: reads.events(s, number, after=found[-1].id if found else 0, limit=5000)
        ):
            found.extend(page)
    return [one for one in found if one.kind in kinds]


def agents(home: Path) -> Sequence[Any]:
    with Store.open(home) as store:
        number = _number(store)
        return store.read_sync(lambda s: reads.agents(s, number))
