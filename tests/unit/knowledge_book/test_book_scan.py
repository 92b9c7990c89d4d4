"""Every file of a book is accounted for, whatever it is."""

import os
from pathlib import Path

import pytest

from knowledge.book.formats import read_file
from knowledge.book.scan import BookError, scan

SUMMARY = "# Summary\n\n- [One](./one.md)\n  - [Two](sub/two.md#part)\n- [Gone](gone.md)\n- [Draft]()\n"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    (tmp_path / "src/sub/.git").mkdir(parents=True)
    files = {"SUMMARY.md": SUMMARY, "one.md": "# One\n", "sub/two.md": "# Two\n", "sub/three.rst": "x\n", "code.c": "x"}
    for name, text in files.items():
        (tmp_path / "src" / name).write_text(text)
    (tmp_path / "src/empty.md").touch()
    (tmp_path / "src/bad.txt").write_bytes(b"caf\xe9")
    (tmp_path / "src/p.PNG").write_bytes(b"\x89PNG")
    (tmp_path / "src/sub/.git/config").write_text("not part of the book")
    (tmp_path / "src/link.md").symlink_to(tmp_path / "src/one.md")
    return tmp_path


def test_every_file_has_a_format_or_a_reason(book: Path) -> None:
    found = {file.path: (file.kind, file.reason, file.listed) for file in scan(book).files}
    assert found == {
        "src/SUMMARY.md": ("markdown", "", None),
        "src/bad.txt": ("text", "not UTF-8 (byte 3)", False),
        "src/code.c": ("other", "no documentation format that is known here (.c)", None),
        "src/empty.md": ("markdown", "it is empty", False),
        "src/link.md": ("other", "a link or special file; links are not followed", None),
        "src/one.md": ("markdown", "", True),
        "src/p.PNG": ("other", "its content is a picture, not text", None),
        "src/sub/three.rst": ("rst", "", False),
        "src/sub/two.md": ("markdown", "", True),
    }


def test_chapters_that_are_not_there_are_named(book: Path) -> None:
    assert [what for _, what in scan(book).missing] == ["Gone (src/gone.md)", "Draft (a draft without a file)"]


def test_digest_is_that_of_the_content(book: Path, tmp_path: Path) -> None:
    before = scan(book).digest
    assert scan(book).digest == before
    (book / "src/one.md").write_text("# One more\n")
    assert scan(book).digest != before


def test_what_is_no_book_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BookError, match="it is not there"):
        scan(tmp_path / "nothing")
    (tmp_path / "x.png").write_bytes(b"p")
    with pytest.raises(BookError, match="1 files, none that can be read"):
        scan(tmp_path)


def test_a_file_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    (tmp_path / "bad.ipynb").write_text("{")
    (file,) = scan(tmp_path).files
    with pytest.raises(BookError, match=r"read bad\.ipynb"):
        read_file(tmp_path, file)


def test_one_file_is_a_book_too(book: Path) -> None:
    (file,) = scan(book / "src/one.md").files
    assert (file.path, read_file(book / "src/one.md", file).sections[0].title) == ("one.md", "One")


def test_encodings(tmp_path: Path) -> None:
    page = '<html><head><meta charset="iso-8859-1"></head><body><p>caf\xe9 \xb5s</p></body></html>'
    (tmp_path / "page.html").write_bytes(page.encode("latin-1"))
    (tmp_path / "bom.md").write_bytes(b"\xef\xbb\xbf# One\x00\n")
    (tmp_path / "odd.html").write_bytes(b'<meta charset="no-such"><p>\xff')
    files = {file.path: file for file in scan(tmp_path).files}
    assert read_file(tmp_path, files["page.html"]).sections[0].blocks[0].plain == "caf\xe9 \xb5s"
    assert read_file(tmp_path, files["bom.md"]).sections[0].title == "One\ufffd"
    assert files["odd.html"].reason.startswith("not UTF-8")


def test_a_name_that_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n")
    (tmp_path / os.fsdecode(b"\xff.md")).write_text("# B\n")
    assert [one.reason for one in scan(tmp_path).files] == ["", "its name is not UTF-8"]
