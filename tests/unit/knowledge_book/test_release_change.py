"""What became of a citation in the next release."""

import pytest

from knowledge.book.index import BookIndex, Placed
from knowledge.book.markdown import read_markdown
from knowledge.citations import Citation
from knowledge.release_change import Change, ReleaseChange, same_book

TABLE = "| HBM | Peak |\n|--|--|\n| SPM | 2 TB/s |\n| DM | 2 TB/s |\n"
OLD = {
    "a.md": f"# Banks\n\nA bank must hold at most 64 rows of bytes.\n\n{TABLE}",
    "b.md": "# Ports\n\nA port is wide.\n\nA reset takes all of the 4,096 cycles of a timeout.\n",
}


def index(files: dict[str, str]) -> BookIndex:
    return BookIndex(
        Placed(path, "markdown", section) for path, text in files.items() for section in read_markdown(text).sections
    )


def change(span: str, document: str, anchor: str, **new: str) -> Change:
    files = {**OLD, **{f"{name}.md": text for name, text in new.items()}}
    return ReleaseChange(index(OLD), index(files)).look_up(Citation(document, anchor, span))


RULE = "A bank must hold at most 64 rows of bytes."


def test_lines_above_change_nothing() -> None:
    assert change(RULE, "a.md", "banks", a="# Intro\n\n" + "New line.\n" * 20 + OLD["a.md"]).kind == "unchanged"


def test_a_span_under_another_heading_or_in_another_file_moved() -> None:
    found = change(RULE, "a.md", "banks", a=f"# Rows\n\n{RULE}\n", c=f"# Banks\n\n{RULE}\n")
    assert (found.kind, found.document, found.anchor) == ("moved", "a.md", "rows")
    found = change(RULE, "a.md", "banks", a="# Nothing\n", c=f"# Else\n\n{RULE}\n")
    assert (found.kind, found.document, found.anchor) == ("moved", "c.md", "else")


def test_a_short_span_elsewhere_is_chance() -> None:
    assert change("A port is wide.", "b.md", "ports", b="# Nothing\n", c="# Else\n\nA port is wide.\n").kind == "gone"


def test_a_changed_number_is_found_and_named() -> None:
    found = change(RULE, "a.md", "banks", a=OLD["a.md"].replace("64", "32"))
    assert (found.kind, found.found) == ("changed", RULE.replace("64", "32"))
    assert found.reason == "numbers: 64 became 32"
    row = change("| DM | 2 TB/s |", "a.md", "banks", a=OLD["a.md"].replace("| DM | 2", "| DM | 3"))
    assert (row.kind, row.found) == ("changed", "| DM | 3 TB/s |")


def test_a_row_that_is_gone_did_not_become_its_neighbour() -> None:
    assert change("| DM | 2 TB/s |", "a.md", "banks", a=OLD["a.md"].replace("| DM | 2 TB/s |\n", "")).kind == "gone"


def test_a_deleted_section_is_gone() -> None:
    found = change(RULE, "a.md", "banks", a="# Else\n\nOther text.\n")
    assert (found.kind, found.reason) == ("gone", "its section is not there")


@pytest.mark.parametrize(("shared", "same"), [(3, True), (0, False), (1, False)])
def test_releases_of_one_book_share_sections(shared: int, same: bool) -> None:
    old = frozenset(("a.md", str(i)) for i in range(4))
    new = frozenset([*(("a.md", str(i)) for i in range(shared)), *(("b.md", str(i)) for i in range(5))])
    assert same_book(old, new) is same
