"""A design with open annotations as a generator of variants: its grid, its variants, its neighbours."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from math import prod

import numpy as np

from kernels.design.annotations import Annotation, annotations, render
from kernels.values.candidate import Candidate


@dataclass(frozen=True, slots=True)
class Generator:
    """The variants of one candidate whose main file carries annotations."""

    candidate: Candidate

    @property
    def knobs(self) -> tuple[Annotation, ...]:
        return annotations(self.candidate.source)

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
        """At most `count` distinct variants, drawn without replacement; the same seed gives the same variants."""
        rng = np.random.Generator(np.random.PCG64(seed))
        drawn: dict[str, Candidate] = {}
        for _ in range(8 * count):
            if len(drawn) == min(count, self.size):
                break
            made = self._with({k.name: str(rng.choice(np.array(k.choices))) for k in self.knobs})
            drawn.setdefault(made.id, made)
        return list(drawn.values())

    def _with(self, values: dict[str, str]) -> Candidate:
        one = self.candidate
        return replace(one, files={**one.files, one.main: render(one.source, values)})
