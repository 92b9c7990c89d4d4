"""The check that needs no understanding: the span is there, and so are the numbers and names."""

import pytest

from knowledge.book.markdown import plain
from knowledge.book.values import fold
from knowledge.citations import Citation, script_check
from knowledge.sentences import sentences
from knowledge.tokens import holds_identifier, holds_number, identifiers, missing, numbers

SECTION = fold("Banks\n\nEach bank of `DmBank` holds 4,096 rows\nof 8 bytes ([64](at-99.md)).")


def check(claim: str, span: str, anchor: str = "banks") -> str:
    return script_check(
        claim, [Citation("a.md", anchor, span)], lambda c: SECTION if c.anchor == "banks" else None, plain
    ).reason


def test_numbers_and_identifiers_of_a_text() -> None:
    text = "A `vrf.read()` of 4,096 rows, 1.5 TB/s, 0x1F, takes TRF_LATENCY in DmBank of f32 at most 2x."
    assert numbers(text) == ("4,096", "1.5", "0x1F", "2")
    assert identifiers(text) == ("vrf.read()", "TB", "TRF_LATENCY", "DmBank", "f32")


@pytest.mark.parametrize(
    ("text", "number", "there"),
    [("64 rows", "64", True), ("640", "64", False), ("1.64", "64", False), ("64.5", "64", False),
     ("64,000", "64", False), ("4,096", "096", False), ("64B", "64", True), ("f64", "64", False), ("64.", "64", True)],
)  # fmt: skip
def test_a_number_stands_there_as_a_whole(text: str, number: str, there: bool) -> None:
    assert holds_number(text, number) is there


def test_an_identifier_stands_there_as_a_whole() -> None:
    assert holds_identifier("the DmBank.", "DmBank")
    assert not holds_identifier("the DmBanks", "DmBank")
    assert missing("`a` of 3", "a 3") == ()


def test_span_white_space_is_folded_and_nothing_else() -> None:
    assert check("Each bank holds 4,096 rows.", "holds 4,096 rows of 8 bytes") == ""
    assert "is not in a.md#banks" in check("Each bank holds 4,096 rows.", "holds 4096 rows")
    assert "has no section 'other'" in check("x", "holds", "other")
    assert "is not in" in check("x", "  ")
    assert script_check("x", [], lambda _: SECTION, plain).reason == "it cites nothing"


def test_numbers_and_names_are_in_what_a_reader_sees_of_the_span() -> None:
    span = "of 8 bytes ([64](at-99.md))"
    assert check("8 bytes, 64", span) == ""
    assert check("99 bytes", span) == "not in the quoted span: 99"
    assert check("`DmBank` has 8 bytes", span) == "not in the quoted span: DmBank"


def test_sentences_are_pieces_of_the_source() -> None:
    source = "It is `a. B`, e.g. Fast. See [x. Y](z. W). **Both** hold!\nThen 1.5 more."
    found = sentences(source)
    assert [piece.source for piece in found] == [
        "It is `a. B`, e.g. Fast.", "See [x. Y](z. W).", "**Both** hold!", "Then 1.5 more.",
    ]  # fmt: skip
    assert all(source[piece.start : piece.end] == piece.source for piece in found)
