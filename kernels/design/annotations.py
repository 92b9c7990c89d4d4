"""Tunables of a generated design: lines `#define KW_TUNE_<KNOB> value /* tune: a b c */`."""

import re
from dataclasses import dataclass
from typing import Final

PREFIX: Final = "KW_TUNE_"
_LINE: Final = re.compile(
    r"^(?P<head>[ \t]*#[ \t]*define[ \t]+KW_TUNE_(?P<name>\w+)[ \t]+)(?P<value>\S+)"
    r"(?P<rest>[ \t]*/\*[ \t]*tune:(?P<choices>[^*\n]*)\*/[ \t]*)$",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Knob:
    """One tunable: its name without the prefix, the value it has, the values it may have, its line (from 1)."""

    name: str
    value: str
    choices: tuple[str, ...]
    line: int


def knobs(source: str) -> tuple[Knob, ...]:
    """All tunables of a source, in source order; of two lines with one name the first counts."""
    found: dict[str, Knob] = {}
    for match in _LINE.finditer(source):
        line = source.count("\n", 0, match.start()) + 1
        knob = Knob(match["name"], match["value"], tuple(match["choices"].split()), line)
        found.setdefault(knob.name, knob)
    return tuple(found.values())


def with_value(source: str, name: str, value: str | int | float) -> str:
    """The source with that tunable set. Raises: ValueError for an unknown name or a value outside its list."""
    knob = next((k for k in knobs(source) if k.name == name), None)
    if knob is None:
        raise ValueError(f"no tunable {name!r}; the source has {', '.join(k.name for k in knobs(source)) or 'none'}")
    if str(value) not in knob.choices:
        raise ValueError(f"{name} may be {', '.join(knob.choices)}, not {value}")
    return _LINE.sub(lambda m: f"{m['head']}{value}{m['rest']}" if m["name"] == name else m.group(0), source)


def carry_over(old_source: str, new_source: str) -> str:
    """The new source with the old one's values of same-named tunables, wherever the new one's list allows them."""
    old = {k.name: k.value for k in knobs(old_source)}
    for knob in knobs(new_source):
        if old.get(knob.name, knob.value) in knob.choices:
            new_source = with_value(new_source, knob.name, old.get(knob.name, knob.value))
    return new_source


def tunable(name: str, value: str | int, *choices: str | int) -> str:
    """One annotated line, without its newline. Raises: ValueError when the value is not among the choices."""
    if str(value) not in map(str, choices):
        raise ValueError(f"{name}={value} is not among {choices}")
    return f"#define {PREFIX}{name} {value} /* tune: {' '.join(map(str, choices))} */"
