"""Domains of integer inputs, and the order in which audits go through all of their values.

An argument has a domain when its generator is `int`: a scalar takes one value a call, an array as many as it has
elements. The edges come first: both ends, and what lies around each power of two. All others follow in an order drawn
from a seed, so that every part of the order is a sample and all parts together are the whole domain.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kernels.packs.generator import fnv1a
from kernels.packs.reference import Reference
from kernels.values.kernel import Argument, KernelSpec

LARGEST: Final = 1 << 20  # values of a domain that are gone through; of a larger one, so many drawn at random
Point = tuple[str, int]  # argument, value


@dataclass(frozen=True)
class Domain:
    """Values low .. high - 1 of one argument."""

    argument: Argument
    low: int
    high: int

    @property
    def whole(self) -> bool:
        """Whether a sweep reaches every value."""
        return self.high - self.low <= LARGEST

    @property
    def calls(self) -> int:
        """Calls that go through it once."""
        return ceil(min(self.high - self.low, LARGEST) / prod(self.argument.shape))

    def edges(self) -> list[int]:
        """Both ends, zero, and the neighbours of every power of two, in increasing order."""
        powers = [sign << k for sign in (1, -1) for k in range((self.high - self.low).bit_length())]
        near = [self.low, self.high - 1, 0, *powers]
        return sorted({v + step for v in near for step in (-1, 0, 1) if self.low <= v + step < self.high})

    def order(self, seed: int) -> NDArray[np.int64]:
        """Every value once, edges first."""
        rng, edges = np.random.default_rng([seed, fnv1a(self.argument.name)]), np.array(self.edges(), dtype=np.int64)
        if not self.whole:
            drawn = rng.integers(self.low, self.high, LARGEST, dtype=np.int64)
            return np.concatenate([edges, drawn])[:LARGEST]
        others = np.setdiff1d(np.arange(self.low, self.high), edges, assume_unique=True)
        return np.concatenate([edges, rng.permutation(others)])


def domains_of(spec: KernelSpec) -> tuple[Domain, ...]:
    """Of all inputs that have one, in the order of the arguments."""
    found = (
        Domain(a, int(a.generate[1]), int(a.generate[2]))
        for a in spec.arguments
        if a.role == "input" and a.generate[0] == "int"
    )
    return tuple(d for d in found if d.high - d.low > 1)


def unswept(reference: Reference) -> tuple[str, ...]:
    """Arguments with a domain that no sweep can set, because the pack's `inputs` does not say how."""
    blocked = reference.maker is not None and reference.maker_at is None
    return tuple(d.argument.name for d in domains_of(reference.spec)) if blocked else ()


@dataclass(frozen=True)
class Sweep:
    """The calls that go through all domains of a kernel, one domain after the other in turn; a shorter one begins
    anew until the longest is through."""

    domains: Sequence[Domain]
    seed: int

    @cached_property
    def _orders(self) -> list[NDArray[np.int64]]:
        return [domain.order(self.seed) for domain in self.domains]

    def __len__(self) -> int:
        return len(self.domains) * max((domain.calls for domain in self.domains), default=0)

    def call(self, index: int) -> tuple[Argument, NDArray[Any]]:
        """The argument that call `index` sets, and its stored value."""
        turn, which = divmod(index, len(self.domains))
        argument, size = self.domains[which].argument, prod(self.domains[which].argument.shape)
        values = np.take(self._orders[which], np.arange(turn * size, (turn + 1) * size), mode="wrap")
        return argument, values.astype(argument.format.storage).reshape(argument.storage_shape)
