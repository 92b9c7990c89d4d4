"""Open annotations of a source: lines `#define KW_TUNE_<KNOB> value /* tune: a b c */`, read, rendered, carried over.

A source with annotations is a generator: each choice of one value for every knob is a variant of the same design.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_LINE: Final = re.compile(
    r"^(?P<head>[ \t]*#[ \t]*define[ \t]+(?P<name>KW_TUNE_\w+)[ \t]+)(?P<value>\S+)"
    r"(?P<tail>[ \t]*/\*[ \t]*tune:[ \t]*(?P<choices>[^*]+?)[ \t]*\*/)",
    re.MULTILINE,
)
_SITE: Final = re.compile(r"_\d+$")


@dataclass(frozen=True, slots=True)
class Annotation:
    """One knob. `choices` are the values it may take, in their order; `value` is the present one."""

    name: str
    value: str
    choices: tuple[str, ...]

    @property
    def knob(self) -> str:
        """What it turns, without the number of its place: KW_TUNE_PREFETCH_2 gives "prefetch"."""
        return _SITE.sub("", self.name.removeprefix("KW_TUNE_")).lower()


def annotations(source: str) -> tuple[Annotation, ...]:
    """Every annotation of the source, in source order; a name that is defined twice counts once."""
    found: dict[str, Annotation] = {}
    for match in _LINE.finditer(source):
        choices = tuple(match["choices"].split())
        found.setdefault(match["name"], Annotation(match["name"], match["value"], choices))
    return tuple(found.values())


def render(source: str, values: Mapping[str, str]) -> str:
    """The source with these knobs set.

    Raises: ValueError when a knob is unknown or a value is not among its choices.
    """
    known = {a.name: a for a in annotations(source)}
    for name, value in values.items():
        if name not in known:
            raise ValueError(f"no annotation {name!r}; the source has {', '.join(known) or 'none'}")
        if value not in known[name].choices:
            raise ValueError(f"{name} cannot be {value!r}; its choices are {' '.join(known[name].choices)}")

    def replaced(match: re.Match[str]) -> str:
        value = values.get(str(match["name"]), str(match["value"]))
        return f"{match['head']}{value}{match['tail']}"

    return _LINE.sub(replaced, source)


def carry_over(head: str, made: str) -> str:
    """`made` with the values of `head` for every knob of the same name that allows them."""
    old = {a.name: a.value for a in annotations(head)}
    keep = {a.name: old[a.name] for a in annotations(made) if old.get(a.name) in a.choices}
    return render(made, keep)
