"""Which display there is and how the screen looks: every option arrives, and a wrong one starts nothing."""

import json
import sqlite3
from pathlib import Path

import pytest

from app import cli
from app.bench.screen import measure
from app.bench.screen.terminal import Terminal
from app.commands.look import Look
from app.options import UiOptions
from store import campaigns, events
from store.engine import DATABASE, Session, Store
from store.lock import EngineLock
from store.migrate import upgrade
from store.older import is_older

RUNNING = """INSERT INTO campaign VALUES
    (1, 'aged', 'd', 'cpu-c', 'f', '', '', 'offline', 1, 'running', '', '', 0, 0, 0, '{}', 0, 0, NULL, '', 0)"""
MOUSE_ON = "\x1b[?1000h"
ALL = ("--theme", "light", "--color", "256", "--ascii", "--no-mouse", "--read-only")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    def fill(s: Session) -> None:
        number = campaigns.create(s, pack="p", pack_digest="d", target="cpu-c", fingerprint="f", kernels=["a"])
        events.append(s, number, "attention", "a\nb", "two\nlines \x1b[31m and [bold]", note="x")
        campaigns.finish(s, number, "minutes")

    with Store.open(tmp_path / "home") as store:
        store.write_sync(fill)
    return tmp_path / "home"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[UiOptions]:
    """The options of every screen that would have been opened; no engine is started for one."""
    found: list[UiOptions] = []

    def open_screen(data: Path, options: UiOptions) -> str:
        assert not is_older(data) or not options.read_only
        found.append(options)
        return "detached"

    monkeypatch.setattr("app.screen.open_screen", open_screen)
    monkeypatch.setattr("app.launch.ensure_engine", lambda *_args, **_named: None)
    return found


@pytest.mark.parametrize("command", [("attach",), ("run",), ()], ids=["attach", "run", "bare"])
def test_the_look_arrives_at_the_screen(home: Path, opened: list[UiOptions], command: tuple[str, ...]) -> None:
    words = [*command, "--display", "full", *ALL, "--home", str(home)]
    assert cli.run(words) == 0
    assert cli.run([*command, "--display", "full", "--home", str(home)]) == 0
    assert opened[0].state_dir == home / "copied"
    asked, usual = [(one.theme, one.color, one.ascii, one.mouse, one.read_only) for one in opened]
    assert asked == ("light", "256", True, False, True)
    assert usual == ("", "auto", False, True, False)


def test_a_screen_inside_of_tmux_is_told_what_this_terminal_shows() -> None:
    asked = Look("light", "256", ascii=True, mouse=False, read_only=True)
    assert asked.words == list(ALL) and asked.here({"NO_COLOR": "1"}) == asked
    assert Look().here({"NO_COLOR": "1", "LC_ALL": "C"}).words == ["--color", "none", "--ascii"]
    assert Look().here({"NO_COLOR": "", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"}).words == []


@pytest.fixture
def aged(tmp_path: Path) -> Path:
    """A home of an older version, with keys of its person's own."""
    folder = tmp_path / "aged"
    (folder / "artefacts").mkdir(parents=True)
    upgrade(folder / DATABASE, target="0010")
    (folder / "kernelwright.toml").write_text('[keys]\n"steer.kill" = "X"\n')
    return folder


@pytest.mark.parametrize("command", [("attach",), ("run",), ()], ids=["attach", "run", "bare"])
def test_an_older_home_is_only_looked_at_as_a_copy(
    aged: Path, opened: list[UiOptions], capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    before = (aged / DATABASE).read_bytes()
    assert cli.run([*command, "--display", "full", "--read-only", "--home", str(aged)]) == 0
    (options,) = opened
    assert options.copied_at > 0 and options.state_dir == aged / "copied" and options.keymap == {"steer.kill": "X"}
    assert (aged / DATABASE).read_bytes() == before and is_older(aged)
    assert "this is a copy of it as it is now" in capsys.readouterr().err


def test_plain_does_not_wait_for_what_a_copy_will_never_get(aged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with sqlite3.connect(aged / DATABASE) as database:
        database.execute(RUNNING)
    database.close()
    assert cli.run(["attach", "--display", "plain", "--read-only", "--home", str(aged)]) == 0
    assert capsys.readouterr().out.startswith("aged on cpu-c running")


@pytest.mark.parametrize("theme", ["dark", "light", "high-contrast", "ansi"])
def test_every_theme_can_be_chosen(home: Path, opened: list[UiOptions], theme: str) -> None:
    assert cli.run(["attach", "--display", "full", "--theme", theme, "--home", str(home)]) == 0
    assert opened[0].theme == theme


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("run", "--display", "fancy"), "displays: full, plain, json, none"),
        (("attach", "--display", "none"), "displays: full, plain, json"),
        (("run", "--headless", "--display", "full"), "contradict"),
        (("run", "--display", "full", "--theme", "pink"), "themes: dark, light, high-contrast, ansi"),
        (("attach", "--theme", "pink"), "themes: dark, light, high-contrast, ansi"),
        (("run", "--display", "full", "--color", "88"), "colors: auto, truecolor, 256, 16, none"),
        (("attach", "--color", ""), "colors: auto, truecolor, 256, 16, none"),
        (("--no-such-option",), "No such option"),
    ],
)
def test_a_wrong_choice_starts_nothing(
    home: Path, opened: list[UiOptions], capsys: pytest.CaptureFixture[str], words: tuple[str, ...], told: str
) -> None:
    assert cli.run([*words, "--home", str(home)]) == 2
    assert told in capsys.readouterr().err and opened == []


def test_plain_is_a_line_an_event_and_then_the_state(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["attach", "--display", "plain", "--home", str(home)]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert [line.split()[2] for line in lines] == ["campaign", "attention", "campaign"]
    assert "two^Jlines ^[[31m and [bold]" in lines[1] and "a^Jb:" in lines[1]
    assert last.startswith("p on cpu-c finished")


@pytest.mark.parametrize("command", [("run",), ()], ids=["run", "bare"])
def test_where_no_screen_can_be_drawn_a_campaign_that_runs_is_followed(
    home: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    """As the screen attaches to it; a display that was asked for by name is that of a campaign of one's own."""
    lock = EngineLock.acquire(home)
    assert cli.run([*command, "--home", str(home)]) == 0
    printed = capsys.readouterr()
    assert "this follows it, nothing was started" in printed.err
    assert printed.out.splitlines()[-1].startswith("p on cpu-c finished")
    assert cli.run([*command, "--display", "plain", "--home", str(home)]) == 3
    assert "is owned by pid" in capsys.readouterr().err
    lock.release()


def test_json_is_an_object_an_event_and_nothing_else(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["attach", "--display", "json", "--home", str(home)]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["kind"] for event in found] == ["campaign", "attention", "campaign"]
    assert found[1]["text"] == "two\nlines \x1b[31m and [bold]" and found[1]["data"] == {"note": "x"}
    assert [event["id"] for event in found] == sorted(event["id"] for event in found)


def test_without_the_mouse_the_terminal_is_never_asked_to_report_it(home: Path) -> None:
    words = ["attach", "--home", str(home), "--display", "full"]
    with measure.closing(Terminal(words)) as usual, measure.closing(Terminal([*words, "--no-mouse"])) as without:
        for terminal in (usual, without):
            terminal.wait_for("[1 Overview]", 0)
        usual.wait_for(MOUSE_ON, 0)
        with pytest.raises(TimeoutError):
            without.wait_for(MOUSE_ON, 0, patience_s=0.2)
