"""The cheat sheet: what an agent is told of a target, within a number of characters. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from knowledge.drafting import STRONG
from knowledge.tokens import STOP_WORDS, words

if TYPE_CHECKING:
    from kernels.values.kernel import KernelSpec

BAN: Final = (
    "BANNED: folds. A fold is a source that exploits a value or property of the test inputs. It counts as cheating: it "
    "is logged, taints what is made from it, and is left out of every result."
)
RANKS: Final[Mapping[str, int]] = {"verified": 0, "supported": 1, "partly": 2, "unaudited": 3}
MARKS: Final[Mapping[str, str]] = {
    "verified": "verified", "supported": "book", "partly": "book, partly", "unaudited": "not verified",
}  # fmt: skip
ORDERS: Final[Mapping[str, tuple[str, ...]]] = {
    "worker": ("rule", "limit", "table", "definition"),
    "architect": ("limit", "table", "rule", "definition"),
    "strategist": ("limit", "table", "definition", "rule"),
    "owner": ("rule", "limit", "table", "definition"),
    "maintainer": ("rule", "definition", "limit", "table"),
    "auditor": ("rule", "limit", "table", "definition"),
}
SMALLEST: Final = 400  # characters: the ban, the title and one line
DEFAULT: Final = 6000


@dataclass(frozen=True, slots=True)
class Entry:
    """One statement for a sheet. state: verified (measured or planted on this target), supported, partly, unaudited;
    other states never stand in a sheet. kind: rule, limit, table, definition or another word. source: where it is from.
    """

    text: str
    state: str
    kind: str
    source: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """entries: those that are in the text, in its order; left_out: how many more there are."""

    text: str
    entries: tuple[Entry, ...]
    left_out: int


def sheet(
    target: str, entries: Sequence[Entry], *, role: str = "worker", topic: str = "", size: int = DEFAULT
) -> Sheet:
    """At most `size` characters: the ban first, then verified entries, then by state, nearness to the topic (words on
    the kernel) and what the role needs. Raises: ValueError for an unknown role or a size below SMALLEST."""
    if role not in ORDERS:
        raise ValueError(f"role {role!r}: there is no sheet for it; known are {', '.join(ORDERS)}")
    if size < SMALLEST:
        raise ValueError(f"size {size}: a sheet takes at least {SMALLEST} characters")
    best = sorted((entry for entry in entries if entry.state in RANKS), key=lambda one: -RANKS[one.state])
    usable = list({entry.text: entry for entry in best}.values())
    lines = [BAN, f"# {target}: what is known, for {role}{f' on {topic.split(maxsplit=1)[0]}' if topic else ''}"]
    left = size - sum(len(line) + 1 for line in lines) - len(_rest(len(usable), len(usable)))
    kept = list[Entry]()
    for entry in sorted(usable, key=lambda one: _place(one, ORDERS[role], frozenset(words(topic)))):
        line = _line(entry)
        if len(line) + 1 <= left:
            lines.append(line)
            kept.append(entry)
            left -= len(line) + 1
    lines.append(_rest(len(kept), len(usable)))
    return Sheet("\n".join(lines), tuple(kept), len(usable) - len(kept))


def topic_of(spec: "KernelSpec") -> str:
    """Words that say what a kernel is about: its name first, its title, its dtypes and the roles of its arguments."""
    parts = (f"{argument.dtype} {argument.role}" for argument in spec.arguments)
    return " ".join(dict.fromkeys((spec.name, *spec.title.split(), *" ".join(parts).split())))


def _line(entry: Entry) -> str:
    return f"- [{MARKS[entry.state]}] {entry.text} ({entry.source})"


def _rest(kept: int, of: int) -> str:
    return f"({kept} of {of} statements fit)"


def _place(entry: Entry, order: Sequence[str], topic: frozenset[str]) -> tuple[int, int, int, bool, int]:
    """Sort key; prohibitions, then shorter entries first among equals, so that more of them fit."""
    near = len((frozenset(words(entry.text)) - STOP_WORDS) & topic)
    kind = order.index(entry.kind) if entry.kind in order else len(order)
    return RANKS[entry.state], -min(near, 3), kind, STRONG.search(entry.text) is None, len(entry.text) // 40
