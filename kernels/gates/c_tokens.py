"""A C source as a row of tokens: the rules that hold where the grammar does not follow.

The grammar knows no macros: a specifier, a loop or a whole function that is one, an attribute behind an array and code
that `#if` cuts in two are errors to it, though every compiler takes them. Tokens are the same to both, so that what a
kernel must not contain is looked for among them as well; strictly where there is no tree.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from kernels.gates.c_rules import Refusal, attributes, definition, directive, included, named
from kernels.gates.c_text import TOKEN
from kernels.gates.c_words import ASSEMBLY, FORBIDDEN_CALLS, HARNESS

_PAIRS: Final = {")": "(", "]": "[", "}": "{"}
_ATTRIBUTES: Final = frozenset({"__attribute__", "__attribute"})


@dataclass(frozen=True, slots=True)
class Token:
    """line: from 1. first: nothing but white space and comments stands before it on its line. at: its offset."""

    text: str
    line: int
    first: bool
    at: int


def tokens(source: str) -> list[Token]:
    """All but white space and comments. source: with its lines joined."""
    found: list[Token] = []
    line, first = 1, True
    for part in TOKEN.finditer(source):
        text = part[0]
        if text == "\n":
            line, first = line + 1, True
        elif not text.isspace() and not text.startswith(("//", "/*")):
            found.append(Token(text, line, first, part.start()))
            first = False
        else:
            line += text.count("\n")
    return found


def refusals(source: str, headers: Collection[str], *, strict: bool) -> Iterator[Refusal]:
    """In source order. strict: there is no tree that shows what is called."""
    row = tokens(source)
    for i, token in enumerate(row):
        if token.text == "#" and token.first:
            found = _directive(source[token.at :].partition("\n")[0], headers)
        elif token.text == "#" and row[i + 1 : i + 2] and row[i + 1].text == "#":
            found = Refusal("token_pasting", "token pasting (##) hides names from the check and is not allowed")
        else:
            found = _word(row, i, strict)
        if found is not None:
            yield Refusal(found.kind, f"line {token.line}: {found.reason}")


def _directive(text: str, headers: Collection[str]) -> Refusal | None:
    text = text[1:].strip()
    words = re.findall(r"\w+", text)
    if words[:1] == ["include"]:
        return included(text[len("include") :].strip(), headers)
    if words[:1] == ["define"]:
        return definition(text[len("define") :])
    return directive(f"#{text}") if words else None


def _word(row: Sequence[Token], i: int, strict: bool) -> Refusal | None:
    word, then = row[i].text, row[i + 1].text if i + 1 < len(row) else ""
    if word in ASSEMBLY:
        return Refusal("inline_assembly", "inline assembly is not allowed; use vector extensions or intrinsics")
    if word in HARNESS and then != "(":
        return Refusal("harness_address", f"{word} may only be called")
    if strict and word in FORBIDDEN_CALLS and then in ("(", ")"):
        return Refusal("forbidden_name", f"{word} is outside the allow-list of a kernel")
    if word in _ATTRIBUTES or (word == then == "["):
        return attributes([token.text for token in _group(row, i + 1)])
    return named(word)


def _group(row: Sequence[Token], start: int) -> Sequence[Token]:
    """From an opening bracket to the one that closes it; all that is left when none does."""
    depth = 0
    for end in range(start, len(row)):
        depth += (row[end].text in _PAIRS.values()) - (row[end].text in _PAIRS)
        if depth <= 0:
            return row[start : end + 1]
    return row[start:]


def unbalanced(source: str) -> Token | None:
    """The first bracket that none closes or opens, where of every `#if` the first branch holds."""
    opened: list[Token] = []
    skipped: list[bool] = []
    directive_line = 0
    for token, then in _pairwise(tokens(source)):
        if token.text == "#" and token.first:
            directive_line = token.line
            _branch(skipped, then)
        elif token.line == directive_line or any(skipped):
            continue
        elif token.text in _PAIRS.values():
            opened.append(token)
        elif token.text in _PAIRS and (not opened or opened.pop().text != _PAIRS[token.text]):
            return token
    return opened[-1] if opened else None


def _pairwise(row: Sequence[Token]) -> Iterator[tuple[Token, str]]:
    for i, token in enumerate(row):
        yield token, row[i + 1].text if i + 1 < len(row) else ""


def _branch(skipped: list[bool], word: str) -> None:
    if word in ("if", "ifdef", "ifndef"):
        skipped.append(False)
    elif word in ("else", "elif") and skipped:
        skipped[-1] = True
    elif word == "endif" and skipped:
        skipped.pop()


def parameters(source: str, entry: str) -> list[str] | None:
    """Texts of the parameters of a function's definition, plain macros replaced; None when it is not defined."""
    row = tokens(source)
    for i, (token, then) in enumerate(_pairwise(row)):
        if token.text != entry or then != "(":
            continue
        group = _group(row, i + 1)
        behind = row[i + 1 + len(group) :][:1]
        if behind and behind[0].text == "{":
            text = source[group[0].at + 1 : group[-1].at]
            return [_expanded(source, part.strip()) for part in text.split(",")]
    return None


def _expanded(source: str, text: str) -> str:
    macros = dict(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+([^\n]+)$", source, re.MULTILINE))
    return re.sub(r"\w+", lambda word: macros.get(word[0], word[0]), text)
