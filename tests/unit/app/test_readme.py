"""The README tells the truth: its key table is the program's, and the commands that it names exist."""

import re
from pathlib import Path

from app.cli import app
from app.keys import key_table_markdown

README = (Path(__file__).resolve().parents[3] / "README.md").read_text()


def test_the_key_table_is_made_from_the_bindings() -> None:
    assert key_table_markdown() in README


def test_every_command_that_it_names_exists() -> None:
    known = {command.name or getattr(command.callback, "__name__", "") for command in app.registered_commands}
    known |= {group.name for group in app.registered_groups}
    named = set(re.findall(r"\./run\.sh ([a-z][a-z-]*)", README)) - {"test"}
    assert named <= known, named - known


def test_its_pictures_are_there() -> None:
    root = Path(__file__).resolve().parents[3]
    for name in re.findall(r"!\[[^]]*\]\(([^)]+)\)", README):
        assert (root / name).is_file(), name
