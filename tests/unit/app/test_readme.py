"""README and docs tell the truth: the key table is the program's, commands, options and files that they name exist."""

import re
from pathlib import Path

from app.cli import app
from app.keys import key_table_markdown

ROOT = Path(__file__).resolve().parents[3]
PAGES = {page.relative_to(ROOT).as_posix(): page.read_text() for page in (ROOT / "README.md", *ROOT.glob("docs/*.md"))}
LINK = re.compile(r"\]\(([^)#:]+)\)")


def test_the_key_table_is_made_from_the_bindings() -> None:
    assert key_table_markdown() in PAGES["docs/keys.md"]


def test_every_command_that_they_name_exists() -> None:
    known = {command.name or getattr(command.callback, "__name__", "") for command in app.registered_commands}
    known |= {group.name for group in app.registered_groups}
    named = set(re.findall(r"\./run\.sh ([a-z][a-z-]*)", "\n".join(PAGES.values()))) - {"test"}
    assert named <= known, named - known


def test_their_links_and_pictures_are_there() -> None:
    for page, text in PAGES.items():
        for name in LINK.findall(text):
            assert ((ROOT / page).parent / name).is_file(), f"{page}: {name}"


def test_every_page_is_linked_from_the_readme() -> None:
    assert set(PAGES) - {"README.md"} <= set(LINK.findall(PAGES["README.md"]))


def test_the_readme_stays_short() -> None:
    assert len(PAGES["README.md"].splitlines()) <= 160
