"""A design with open annotations as a generator of variants: its grid, its variants, its neighbours."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Final

import numpy as np

from kernels.design.annotations import Annotation, annotations, render
from kernels.values.candidate import Candidate

TRIES: Final = 16  # draws for each variant that is wanted, before a sample is given up as complete


@dataclass(frozen=True, slots=True)
class Generator:
    """The variants of one candidate whose main file carries annotations. only: the knobs to turn; None = all."""

    candidate: Candidate
    only: frozenset[str] | None = None

    @property
    def knobs(self) -> tuple[Annotation, ...]:
        return tuple(k for k in annotations(self.candidate.source) if self.only is None or k.name in self.only)

    @property
    def size(self) -> int:
        """Number of variants in the whole grid; 1 when nothing is open."""
        return prod(len(k.choices) for k in self.knobs)

    def variant(self, **values: str) -> Candidate:
        """The candidate with these knobs set. Raises: ValueError for an unknown knob or value."""
        return self._with(values)

    def grid(self) -> Iterator[Candidate]:
        """Every variant, in the order of the choices."""
        knobs = self.knobs
        for values in product(*(k.choices for k in knobs)):
            yield self._with({k.name: v for k, v in zip(knobs, values, strict=True)})

    def neighbours(self) -> Iterator[tuple[Annotation, str, Candidate]]:
        """Variants that differ in one knob."""
        for knob in self.knobs:
            for value in knob.choices:
                if value != knob.value:
                    yield knob, value, self._with({knob.name: value})

    def sample(self, count: int, seed: int) -> list[Candidate]:
        """At most `count` distinct variants, none of them the candidate itself, drawn without replacement; the same
        seed gives the same variants.

        A variant turns one knob or several, more of them at ever smaller odds: a design starts from good guesses, and
        a point of the grid far from all of them is seldom better.
        """
        rng = np.random.Generator(np.random.PCG64(seed))
        drawn: dict[str, Candidate] = {}
        for _ in range(TRIES * count):
            if len(drawn) == min(count, self.size - 1):
                break
            made = self._with(self._turned(rng))
            drawn.setdefault(made.id, made)
        return list(drawn.values())

    def _turned(self, rng: np.random.Generator) -> dict[str, str]:
        """Values of one to all of the knobs that can turn, each another one than now."""
        knobs = [k for k in self.knobs if any(c != k.value for c in k.choices)]
        count = min(int(rng.geometric(0.5)), len(knobs))
        chosen = [knobs[int(i)] for i in rng.permutation(len(knobs))[:count]]
        others = {k.name: [c for c in k.choices if c != k.value] for k in chosen}
        return {name: values[int(rng.integers(len(values)))] for name, values in others.items()}

    def _with(self, values: dict[str, str]) -> Candidate:
        one = self.candidate
        return replace(one, files={**one.files, one.main: render(one.source, values)})
