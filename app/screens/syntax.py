"""Sources and their differences in colour: tokens of Pygments as tones, in the feed's thread, since a long file takes a
while. Pygments is imported with the first source. What a line of a difference is stands in its sign, too."""

from collections.abc import Iterator, Sequence
from typing import Final

from app.sanitise import clean_lines
from app.views import Line, Span, Tone

OTHERWISE: Final = "kernel.c"
HEADERS: Final = ("---", "+++", "@@")
SIGNS: Final[dict[str, Tone]] = {"+": "good", "-": "bad"}


def source_lines(text: str, name: str = OTHERWISE) -> list[Line]:
    """name: of the file, which says its language."""
    lines = clean_lines(text)
    return [tuple(spans) for spans in _coloured(lines, name, "")]


def diff_lines(diff: str) -> list[Line]:
    """A unified diff of any number of files: signs in front as they are, tokens in colour."""
    lines: list[Line] = []
    name, hunk = OTHERWISE, list[str]()
    for text in clean_lines(diff):
        if not text.startswith(HEADERS):
            hunk.append(text)
            continue
        lines += _hunk(hunk, name)
        hunk = []
        name = text.partition("/")[2] or name if text.startswith("+++") else name
        lines.append(((text, "dim"),))
    return [*lines, *_hunk(hunk, name)]


def _hunk(lines: Sequence[str], name: str) -> list[Line]:
    """Old and new side are read apart, so that a comment over several lines is one on each."""
    sides: dict[str, Iterator[list[Span]]] = {}
    for sign, tone in (("-", SIGNS["-"]), ("+", SIGNS["+"])):
        own = [text[1:] for text in lines if not text.startswith("+" if sign == "-" else "-")]
        sides[sign] = iter(_coloured(own, name, tone))
    found: list[Line] = []
    for text in lines:
        sign = text[:1]
        if sign in SIGNS:
            found.append(((sign, SIGNS[sign]), *next(sides[sign])))
        else:
            next(sides["-"])
            found.append(((sign, ""), *_plain(next(sides["+"]))))
    return found


def _plain(spans: Sequence[Span]) -> list[Span]:
    """What both sides have in common is neither good nor bad."""
    return [(text, "" if tone in SIGNS.values() else tone) for text, tone in spans]


def _coloured(lines: Sequence[str], name: str, otherwise: Tone) -> list[list[Span]]:
    """As many lines as there were. otherwise: the tone of what is no special token."""
    found: list[list[Span]] = [[] for _ in lines]
    at = 0
    for token, text in _tokens("\n".join(lines), name):
        tone = _tone(token) or otherwise
        for index, part in enumerate(text.split("\n")):
            at += index > 0
            if part and at < len(found):
                found[at].append((part, tone))
    return found


def _tokens(text: str, name: str) -> Iterator[tuple[str, str]]:
    """(kind, text) of each token. OpenCL is read as C, and so is what no lexer is known for."""
    from pygments.lexers import get_lexer_for_filename
    from pygments.util import ClassNotFound

    asked = {"stripnl": False, "ensurenl": False}
    try:
        lexer = get_lexer_for_filename(OTHERWISE if name.endswith(".cl") else name, **asked)
    except ClassNotFound:
        lexer = get_lexer_for_filename(OTHERWISE, **asked)
    for token, said in lexer.get_tokens(text):
        yield str(token), str(said)


def _tone(token: str) -> Tone:
    if token.startswith(("Token.Comment.Preproc", "Token.Keyword")):
        return "keyword"
    if token.startswith("Token.Comment"):
        return "comment"
    return "literal" if token.startswith("Token.Literal") else ""
