"""What the linter runs a reference on: one call per regime on one set of weights."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernels.packs.loader import WeightRegime
from kernels.packs.matrix import BaseMatrix, Matrix, Rows
from kernels.packs.reference import Expected, Reference, Stored
from kernels.packs.sampled import Picks, Sampled, same_picks
from kernels.packs.toml import PackError
from kernels.packs.weights import decode_bases, draw_weights, plain_weights
from kernels.values.kernel import KernelSpec

Problem = tuple[str, str, str]  # subject, kind, text
Output = NDArray[Any] | Rows  # of all calls
Known = dict[str, Output]


@dataclass(frozen=True, slots=True)
class Trial:
    """One batch: one call per regime on one set of weights."""

    spec: KernelSpec
    reference: Reference
    weights: Stored
    bases: Mapping[str, BaseMatrix]
    calls: tuple[Stored, ...]

    def expected(self) -> Known:
        """Of a sampled output the values at places that are always the same, as an output of so many elements.

        Raises: PackError when the reference raises.
        """
        found = self.at(same_picks(self.spec, 0, len(self.calls)))
        return {name: one.values if isinstance(one, Sampled) else one for name, one in found.items()}

    def at(self, places: Mapping[str, Picks]) -> Expected:
        """At these places of sampled outputs. Raises: PackError when the reference raises."""
        plain = {name: self.weights[name] for name in plain_weights(self.spec)}
        matrices = {name: Matrix(base) for name, base in self.bases.items()}
        try:
            with np.errstate(all="ignore"):
                return self.reference.expected([{**c, **plain} for c in self.calls], matrices, places)
        except PackError:
            raise
        except Exception as error:  # the author's code may raise anything
            raise PackError(f"reference of {self.spec.name}", f"raised {error!r}", "Correct reference.py") from error


def trial_of(spec: KernelSpec, seed: int, regime: WeightRegime, reference: Reference) -> Trial:
    weights = draw_weights(spec, seed, regime)
    return Trial(spec, reference, weights, decode_bases(spec, weights), calls_of(reference, spec, seed))


def calls_of(reference: Reference, spec: KernelSpec, seed: int) -> tuple[Stored, ...]:
    rng = np.random.default_rng(seed)
    return tuple(reference.inputs(rng, regime) for regime in spec.regimes)


def values_of(expected: NDArray[np.float64] | Rows) -> NDArray[np.float64]:
    return expected.values if isinstance(expected, Rows) else expected.astype(np.float64, copy=False)
