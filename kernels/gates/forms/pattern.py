"""How a form is found by syntax: a tree-sitter query with guards, matched only where the text is what is compiled.

An exact pattern matches only sources that do not compile. So a match counts as exact only where the preprocessor
changes nothing: its function stands under no condition and holds none, and no macro of its own can stand for anything
but a number there. Everything else is a match that may be wrong.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from tree_sitter import Node, Query, QueryCursor, QueryError

from kernels.gates.forms.bindings import above
from kernels.gates.forms.guards import GUARDS
from kernels.packs.trees import language, parse, text_of, walk

MATCH: Final = "match"
MOST: Final = 16  # matches of one query that are looked at
MARKS: Final = ("KW_SPAN_BEGIN", "KW_SPAN_END")  # macros of the harness that drop their argument
_DEFINE: Final = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(\(?)((?:.*\\\n)*.*)$", re.MULTILINE)
_NUMBER: Final = re.compile(r"[\s()]*[+-]?[\d.][\w.]*[\s()]*")
_CONDITIONS: Final = frozenset({"preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif", "preproc_elifdef"})
_KEYWORDS: Final = frozenset(
    """auto break case char const continue default do double else enum extern float for goto if inline int long register
    restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Static_assert
    _Alignas __attribute__ vector_size aligned main size_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t
    uint64_t""".split()
)
CODE_GENERATION: Final = re.compile(
    r"-O[0-3sgz]?|-Ofast|--param=.*|-m(arch|tune|cpu|prefer-vector-width)=.*|-m(no-)?(avx|sse|fma|bmi|f16c|popcnt|lzcnt).*"
    r"|-f(no-)?(fast-math|associative-math|reciprocal-math|math-errno|trapping-math|signed-zeros|finite-math-only"
    r"|unsafe-math-optimizations|rounding-math|unroll-loops|unroll-all-loops|peel-loops|tree-[a-z-]+|ipa-[a-z-]+"
    r"|inline[a-z-]*|strict-aliasing|strict-overflow|wrapv|omit-frame-pointer|prefetch-loop-arrays|split-[a-z-]+"
    r"|schedule-[a-z-]+|reorder-[a-z-]+|gcse[a-z-]*|fp-contract=[a-z]+|vect-cost-model=[a-z-]+|align-[a-z-]+"
    r"|loop-[a-z-]+|modulo-sched|rename-registers|openmp|openmp-simd)"
    r"|-D[A-Za-z_]\w*=[+-]?[\d.][\w.]*"
)


class PatternError(Exception):
    """A pattern that cannot be used; says why."""


@dataclass(frozen=True, slots=True)
class Match:
    """line counts from 1. doubt: why the compiler might still accept it, "" when nothing stands against it."""

    line: int
    text: str
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class Bundle:
    """What a candidate brings: the main file's text, the others, its flags, and the names of the pack's headers."""

    source: str
    others: Mapping[str, str]
    flags: Sequence[str] = ()
    headers: Sequence[str] = ()


@cache
def _query(text: str) -> Query:
    return Query(language(), text)


def check_pattern(query: str) -> None:
    """Raises: PatternError for one that does not parse, has no capture @match or asks for an unknown guard."""
    try:
        found = _query(query)
    except QueryError as error:
        raise PatternError(f"the query does not parse: {error}") from error
    if MATCH not in [found.capture_name(i) for i in range(found.capture_count)]:
        raise PatternError("the query has no capture @match")
    for name in re.findall(r"\(#([\w-]+\?)", query):
        if name not in GUARDS and not re.fullmatch(r"(not-|any-|any-not-)?(eq|match|any-of)\?", name):
            raise PatternError(f"there is no guard {name}; known: {', '.join(sorted(GUARDS))}")


def find(query: str, bundle: Bundle) -> list[Match]:
    """The first matches in the main file, in source order; none in a file that does not parse."""
    return find_all([query], bundle)[0]


def find_all(queries: Sequence[str], bundle: Bundle) -> list[list[Match]]:
    """The first matches of each query."""
    root = parse(bundle.source)
    if root.has_error:
        return [[] for _ in queries]
    whole = _doubt_of_all(bundle)
    return [[_match(node, bundle, whole) for node in _nodes(query, root)[:MOST]] for query in queries]


def _nodes(query: str, root: Node) -> list[Node]:
    found = [captures[MATCH][0] for _, captures in QueryCursor(_query(query)).matches(root, _guarded)]
    return sorted(found, key=lambda node: node.start_byte)


def _match(node: Node, bundle: Bundle, whole: str) -> Match:
    return Match(node.start_point[0] + 1, text_of(node), whole or _doubt(node, bundle))


def _guarded(
    predicate: str,
    args: list[tuple[str, Literal["capture", "string"]]],
    pattern_index: int,
    captures: dict[str, list[Node]],
) -> bool:
    """A guard whose node is not there does not hold."""
    nodes: list[Node] = []
    words: list[str] = []
    for value, kind in args:
        if kind == "capture":
            nodes += captures.get(value, [])
        else:
            words.append(value)
    return bool(nodes) and GUARDS[predicate](nodes[0], words)


def _doubt_of_all(bundle: Bundle) -> str:
    if bundle.headers:
        return "headers of the pack may change what is allowed"
    strange = next((f for f in bundle.flags if not CODE_GENERATION.fullmatch(f)), None)
    return f"flag {strange} may change what is allowed" if strange is not None else ""


def _doubt(node: Node, bundle: Bundle) -> str:
    item = _item(node)
    if any(n.type in _CONDITIONS for n in above(node)):
        return "it stands under a condition of the preprocessor"
    if any(_called(n) in MARKS for n in above(node)):
        return "it is the name of a mark"
    if any(n.type in _CONDITIONS for n in walk(item)):
        return "conditions of the preprocessor stand beside it"
    if "\\\n" in text_of(item):
        return "lines are joined beside it"
    words = set(re.findall(r"\w+", text_of(item)))
    active = next((name for name in _active_macros(bundle) if name in words), None)
    return f"macro {active} is used beside it" if active is not None else ""


def _called(node: Node) -> str:
    function = node.child_by_field_name("function") if node.type == "call_expression" else None
    return text_of(function) if function is not None else ""


def _item(node: Node) -> Node:
    """The outermost function or declaration around it."""
    around = [n for n in above(node) if n.type not in _CONDITIONS and n.type != "translation_unit"]
    return around[-1] if around else node


def _active_macros(bundle: Bundle) -> list[str]:
    """Macros that may stand for more than a number, of all files of the bundle; keywords first of all."""
    found: list[str] = []
    for text in (bundle.source, *bundle.others.values()):
        for name, parameters, body in _DEFINE.findall(text):
            if parameters or not _NUMBER.fullmatch(body) or name in _KEYWORDS:
                found.append(name)
    found += [f[2:].partition("=")[0] for f in bundle.flags if f.startswith("-D") and not CODE_GENERATION.fullmatch(f)]
    return found
