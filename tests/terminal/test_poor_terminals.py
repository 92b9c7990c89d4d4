"""The real program on terminals that can show little: no cursor, no UTF-8, sixteen colours, no colour."""

import io
import os
import re
import signal
import sys
from collections.abc import Mapping
from pathlib import Path

import pexpect
import pytest

from store import campaigns
from store.engine import Session, Store

ROOT = Path(__file__).resolve().parents[2]


def _finished(s: Session) -> None:
    number = campaigns.create(
        s, pack="péché", pack_digest="d", target="t", fingerprint="f", kernels=["gemv"], device="cpu"
    )
    campaigns.finish(s, number, "enough")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("poor")
    with Store.open(folder) as store:
        store.write_sync(_finished)
    return folder


UNSET = ("COLORTERM", "NO_COLOR", "LC_ALL", "TMUX")


def shown(home: Path, own: Mapping[str, str], *words: str, wanted: bytes = b"gemv") -> tuple[bytes, int | None]:
    """What the program writes until `wanted` came and it rested or ended, and its exit code if it ended by itself."""
    kept = {name: value for name, value in os.environ.items() if name not in UNSET}
    seen = io.BytesIO()
    child = pexpect.spawn(
        sys.executable, ["-m", "app", "attach", "--read-only", "--home", str(home), *words], cwd=ROOT,
        env={**kept, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT), **own}, dimensions=(24, 80), timeout=60,
    )  # fmt: skip
    child.logfile_read = seen
    child.expect([wanted, pexpect.EOF])
    child.expect([pexpect.TIMEOUT, pexpect.EOF], timeout=0.7)
    if child.isalive():
        child.kill(signal.SIGKILL)
        child.wait()
    child.close()
    code = child.exitstatus
    assert code is None or isinstance(code, int)
    return seen.getvalue(), code


@pytest.mark.parametrize(
    "locale", ["C", *(pytest.param(n, marks=pytest.mark.long) for n in ("POSIX", "en_US.ISO-8859-1"))]
)
def test_another_locale_than_utf8_gets_ascii(home: Path, locale: str) -> None:
    written, _ = shown(home, {"LC_ALL": locale})
    assert b"gemv" in written and written.isascii() and b"\\u" not in written
    assert b"p?ch?" in written
    assert b"---" in written


def test_utf8_gets_lines(home: Path) -> None:
    written, _ = shown(home, {"LC_ALL": "C.UTF-8"})
    assert "péché" in written.decode() and "─" in written.decode()


@pytest.mark.parametrize(
    "own",
    [pytest.param({"TERM": "xterm-16color"}, marks=pytest.mark.long), {"TERM": "linux"}, {"NO_COLOR": "1"}],
    ids=str,
)
def test_few_colours_get_no_others(home: Path, own: dict[str, str]) -> None:
    written, _ = shown(home, {"LC_ALL": "C.UTF-8", **own})
    assert b"gemv" in written and not re.search(rb"[34]8;[25];", written)
    assert ("─" in written.decode()) == (own.get("TERM") != "linux")


FULL, NUMBERED, NAMED = rb"[34]8;2;\d+;\d+;\d+", rb"[34]8;5;\d+", rb"\x1b\[([0-9;]*;)?(3|4|9|10)[0-7][;m]"
RICH = {"COLORTERM": "truecolor", "NO_COLOR": "1"}


@pytest.mark.parametrize(("own", "color", "drawn"), [
    (RICH, "truecolor", {FULL}), ({"TERM": "linux"}, "256", {NUMBERED}), ({"COLORTERM": "truecolor"}, "none", set()),
    *(pytest.param(*case, marks=pytest.mark.long) for case in (
        (RICH, "256", {NUMBERED}), (RICH, "16", {NAMED}), (RICH, "auto", set()),
        ({"COLORTERM": "truecolor"}, "auto", {FULL}),
    )),
])  # fmt: skip
def test_as_many_colours_as_asked_for(home: Path, own: dict[str, str], color: str, drawn: set[bytes]) -> None:
    """By number, by name, or none at all; the option goes before NO_COLOR and what the terminal says of itself."""
    written, _ = shown(home, {"LC_ALL": "C.UTF-8", **own}, "--color", color)
    named = re.sub(rb"|".join((FULL, NUMBERED)), b"", written)
    found = {kind for kind, text in ((FULL, written), (NUMBERED, written), (NAMED, named)) if re.search(kind, text)}
    assert found == drawn


def test_a_dumb_terminal_is_not_drawn_on(home: Path) -> None:
    written, _ = shown(home, {"TERM": "dumb"}, wanted=b"ledger")
    assert b"as --display plain" in written and b"\x1b[" not in written
    written, code = shown(home, {"TERM": "dumb"}, "--display", "full", wanted=b"never")
    assert b"use --display plain" in written and code == 2
