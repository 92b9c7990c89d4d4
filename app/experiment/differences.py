"""Where two plans differ. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

SHOWN: Final = 4


def told(was: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """`budget.positions 40 is 8 now`, a few of them; "" when there is no difference."""
    found = list(_paths("", was, now))
    more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return ", ".join(found[:SHOWN]) + more


def _paths(path: str, was: Any, now: Any) -> Iterator[str]:
    if isinstance(was, Mapping) and isinstance(now, Mapping):
        for key in dict.fromkeys([*was, *now]):
            yield from _paths(f"{path}.{key}".lstrip("."), was.get(key), now.get(key))
    elif _named(was) and _named(now):
        yield from _paths(path, {one["name"]: one for one in was}, {one["name"]: one for one in now})
    elif was != now:
        yield f"{path} {_short(was)} is {_short(now)} now"


def _named(value: Any) -> bool:
    """A list of things with names, as arms are."""
    is_list = isinstance(value, Sequence) and not isinstance(value, str)
    return is_list and bool(value) and all(isinstance(one, Mapping) and "name" in one for one in value)


def _short(value: Any) -> str:
    if value is None:
        return "nothing"
    text = "something" if isinstance(value, Mapping) else str(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
