"""Random loop nests whose accesses to one array move in several ways."""

from random import Random
from typing import Final

from tests.unit.levers.almost import LENGTH, almost
from tests.unit.levers.loop_nests import LoopNest

STRIDES: Final = (90, 91, 60, 2)
SHIFTS: Final = ("", "", " + 1", " - 2", " + 3", " + 17", " + 90", " - m")
SIDE: Final = 70


def mixed(seed: int) -> LoopNest:
    """The nest of this seed."""
    rng = Random(seed)
    lines = [f"const int m = {rng.choice((0, 5, 33))};", *(_nest(rng) for _ in range(rng.choice((1, 2))))]
    return almost(f"mixed {seed}", "\n".join(lines), rng.choice(("double", "int")))


def _nest(rng: Random) -> str:
    """Two loops, the inner one with its own ends."""
    start, end = rng.choice((("0", SIDE), ("1", SIDE - 1), ("i", SIDE), ("0", "i + 1")))
    before, inside, after = (
        [_statement(rng, names) for _ in range(rng.choice(counts))]
        for names, counts in ((("i",), (0, 1)), (("i", "j"), (1, 2)), (("i",), (0, 1)))
    )
    inner = f"for (int j = {start}; j < {end}; j++) {{\n" + "\n".join(inside) + "\n}"
    return f"for (int i = 0; i < {SIDE}; i++) {{\n" + "\n".join((*before, inner, *after)) + "\n}"


def _statement(rng: Random, names: tuple[str, ...]) -> str:
    target, value = _element(rng, names), _element(rng, names)
    guard = f"if ({rng.choice(names)} > {rng.choice((0, 40))}) " if rng.random() < 0.15 else ""
    return f"{guard}{target} {rng.choice(('=', '=', '+=', '-='))} {value} + {rng.choice(('1', _element(rng, names)))};"


def _element(rng: Random, names: tuple[str, ...]) -> str:
    one, other, shift = rng.choice(names), rng.choice(names), rng.choice(SHIFTS)
    forms = [
        f"{one} * {rng.choice(STRIDES)} + {other}{shift} + 100",
        f"{one}{shift} + 100",
        f"({one}{shift} + 100) % {rng.choice((13, 64))}",
        f"{one} / {rng.choice((2, 5))} + 100",
        f"{rng.choice((69, 150))} - {one} + 100",
        str(rng.choice((100, 143, LENGTH // 2))),
    ]
    return f"{rng.choice('xxyz')}[{rng.choices(forms, (8, 3, 1, 1, 1, 1))[0]}]"
