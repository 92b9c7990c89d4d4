"""A person's own keys: bound, shown in the help and the footer, refused where they cannot be."""

from pathlib import Path

import pytest

from app.keymap import keymap_of
from app.settings import UsageError, load
from tests.unit.app_tui.fake_source import verbs
from tests.unit.app_tui.harness import running


def _file(home: Path, text: str) -> Path:
    (home / "kernelwright.toml").write_text(text)
    return home


async def test_a_moved_key_acts_and_shows_in_help_and_footer(tmp_path: Path) -> None:
    keymap = keymap_of(_file(tmp_path, '[keys]\n"steer.pause" = "b,ctrl+b"\n'))
    async with running(keymap=keymap, size=(100, 90)) as screen:
        await screen.until_shown(" b ctrl+b pause")
        await screen.press("p")
        await screen.press("b")
        await screen.until(lambda: verbs(screen.source) == [("pause", "qkv")])
        await screen.press("question_mark")
        await screen.until_shown("b ctrl+b  pause or resume the selected agent")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[keys]\n"steer.kil" = "X"', "keys.steer.kil: there is no such action; actions: move.down"),
        ('[keys]\n"steer.kill" = "p"', "key 'p' would be that of steer.pause and of steer.kill"),
        ('[keys]\n"steer.kill" = "4"', "key '4' would be that of steer.kill and of tab.4"),
        ('[keys]\n"steer.kill" = 7', "has to be a key as text"),
        ("keys = 7", r"\[keys\] has to be a table"),
    ],
)
def test_what_cannot_be_bound_is_said(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        keymap_of(_file(tmp_path, text))


def test_the_engine_reads_its_settings_past_the_keys(tmp_path: Path) -> None:
    _file(tmp_path, 'workers = 2\n[keys]\n"steer.kill" = "X"\n')
    assert load(tmp_path, {}).workers == 2 and keymap_of(tmp_path) == {"steer.kill": "X"}
    assert keymap_of(tmp_path / "elsewhere") == {}
