"""A book's next release is read while a campaign runs: it pauses, looks every claim up, tells a new sheet, goes on."""

import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.conftest import ROOT, command, environment

PATIENCE_S = 600.0
NO_RACES = {"KERNELWRIGHT_RACES": "false"}
pytestmark = [pytest.mark.device, pytest.mark.long, pytest.mark.timeout(3 * PATIENCE_S)]
BANKS = "# Banks\n\nA bank must not be read by more than 64 engines.\n\n"
FIRST = (
    f"{BANKS}# Ports\n\nEach port takes at most 32 bytes per cycle.\n\n# Reset\n\nSoftware may not touch a bank during "
    "the 4,096 cycles of a reset.\n\n# Writes\n\nAll writes must be aligned to 8 bytes.\n"
)
SECOND = f"{BANKS}# Ports\n\nEach port takes at most 64 bytes per cycle.\n"
MOVED = "# Stores\n\nAll writes must be aligned to 8 bytes.\n"
ENDS = ("outcome", "promotion")
"""Of an attempt."""
Cli = Callable[..., Any]


def release(tmp_path: Path, label: str, **files: str) -> Path:
    folder = tmp_path / "chip" / label
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / f"{name}.md").write_text(text)
    return folder


def events(cli: Cli) -> list[dict[str, Any]]:
    done = cli("events", "--json", raw=True)
    return [json.loads(line) for line in done.stdout.splitlines()] if done.returncode == 0 else []


def until(cli: Cli, engine: "subprocess.Popen[bytes]", found: Callable[[list[dict[str, Any]]], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not found(seen := events(cli)):
        assert engine.poll() is None and time.monotonic() < end, seen[-5:]
        time.sleep(1.0)


def went_on(seen: list[dict[str, Any]]) -> bool:
    """An attempt ended after the re-check."""
    done = [e["id"] for e in seen if e["kind"] == "toolchain" and e["data"].get("state") == "done"]
    return bool(done) and any(e["kind"] in ENDS and e["id"] > done[0] for e in seen)


def test_a_new_release_in_the_middle_of_a_campaign(cli: Cli, tmp_path: Path) -> None:
    book = ("--target", "cpu-c", "--name", "chip", "--json")
    assert cli("onboard", "--book", str(release(tmp_path, "v1", memory=FIRST)), *book)["claims"]["drafted"] == 4
    words = ("run", "--headless", "--display", "none", "--pack", "axpy_gemv", "--kernel", "gemv", "--seed", "3")
    engine = subprocess.Popen(
        command(*words), cwd=ROOT, env={**environment(tmp_path / "home"), **NO_RACES}, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        until(cli, engine, lambda seen: any(e["kind"] in ENDS for e in seen))
        done = cli("onboard", "--book", str(release(tmp_path, "v2", memory=SECOND, stores=MOVED)), *book, raw=True)
        assert "the campaign that runs pauses, looks every claim up and goes on" in done.stderr
        read = json.loads(done.stdout)
        assert read["changes"] == {"citations": 4, "unchanged": 1, "moved": 1, "changed": 1, "gone": 1}
        until(cli, engine, went_on)
        assert cli("stop", "--now", raw=True).returncode == 0
        assert engine.wait(timeout=120) == 0
    finally:
        engine.kill()
        engine.wait()
    changes = [e for e in events(cli) if e["kind"] == "toolchain"]
    assert [e["data"]["state"] for e in changes] == ["paused", "done"]
    assert "documentation: chip v1 is chip v2 now" in changes[0]["text"]
    assert changes[0]["data"]["marked"]["claim"] == 4
    (change,) = cli("status", "--json")["toolchain_changes"]
    assert (change["state"], change["former"] == change["present"], change["waiting"]) == ("done", True, {})
    assert change["counts"]["claim"] == {"re_verified": 1, "rewritten": 1, "retired": 2, "carried_over": 0}
    assert change["notes"][0] == (
        "chip v2: 4 citations of the release before = 1 unchanged + 1 moved + 1 changed + 1 gone; new claims: 1"
    )
    assert any(note.startswith("new cheat sheet of ") for note in change["notes"])
    sheet = cli("knowledge", "sheet", "--target", "cpu-c", "--json")["sheet"]
    told = ("at most 64 bytes", "aligned to 8 bytes", "more than 64 engines", "at most 32 bytes", "cycles of a reset")
    assert [text in sheet for text in told] == [True, True, True, False, False]
