"""What a method of computing a row's dot products gives: where it fits, and its C code."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from string import Template
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from kernels.levers.matvec import MatVec
from kernels.values.machine import Machine

TEMPLATES: Final = Path(__file__).parent / "templates"


@dataclass(frozen=True, slots=True)
class Knob:
    """A tunable of a reduction; `choices` are rendered as its annotation."""

    name: str
    value: int
    choices: tuple[int, ...]

    def line(self, number: int) -> str:
        return f"#define KW_TUNE_{self.name}_{number} {self.value} /* tune: {' '.join(map(str, self.choices))} */\n"


ROWS: Final = (1, 2, 4, 8)
SPREAD: Final = (0, 1)  # rows of one step: neighbours, or as far apart as the share allows, each a stream of its own
PREFETCH: Final = (0, 512, 1024, 2048, 4096, 8192)
HINTS: Final = (0, 1, 2, 3)
CHUNKS: Final = (0, 16, 64, 256)


@dataclass(frozen=True, slots=True)
class Code:
    """Functions `kw_prepare_<n>` (absent when the vector is used as it is) and `kw_dot_<n>` of one reduction.

    element: C type of the prepared vector; group: columns of one step, to which the vector is padded with zeros;
    terms: C text of the number of vectors that the prepared one consists of. shared: what two reductions over the same
    vector must agree in to share the preparation.
    """

    functions: str
    element: str
    group: int
    terms: str
    prepared: bool
    knobs: tuple[Knob, ...]
    shared: str


class Method(Protocol):
    """One way to compute the dot products."""

    @property
    def name(self) -> str: ...

    @property
    def guard(self) -> str:
        """Preprocessor condition under which the code compiles."""
        ...

    @property
    def needs(self) -> tuple[str, ...]:
        """Features that the machine must have."""
        ...

    @property
    def reason(self) -> str: ...

    @property
    def keeps_nan(self) -> bool:
        """Whether a code whose value is NaN still gives NaN."""
        ...

    def unfit(self, found: MatVec) -> str:
        """Why it does not fit this reduction; "" when it does."""
        ...

    def variants(self, found: MatVec, machine: Machine) -> Sequence[dict[str, int]]:
        """Parameters to offer, the best guess first."""
        ...

    def render(self, found: MatVec, number: int, nest: int, params: dict[str, int]) -> Code:
        """number: of the reduction's names; nest: of the knobs that its row loop shares."""
        ...


@lru_cache(maxsize=16)
def _template(name: str) -> Template:
    return Template((TEMPLATES / name).read_text())


def fill(name: str, **values: object) -> str:
    """A template of this package with its $names filled in. Raises: KeyError when one is missing."""
    return _template(name).substitute(values)


def bf16_bits(values: NDArray[np.float64]) -> NDArray[np.uint16] | None:
    """The bf16 codes of the values, or None when one is not exactly a normal bf16, a zero, an infinity or a NaN."""
    single = values.astype(np.float32)
    bits = single.view(np.uint32)
    known = np.isnan(values)
    finite = np.isfinite(values)
    exact = known | ((bits & 0xFFFF == 0) & (single.astype(np.float64) == values))
    tiny = finite & (values != 0) & (np.abs(values) < 2.0**-126)
    if not exact.all() or tiny.any():
        return None
    return np.where(known, 0x7FC0, bits >> 16).astype(np.uint16)


def odd_symmetric(values: NDArray[np.float64]) -> bool:
    """Whether code and code + 128 differ in their sign only, zeros and NaN included."""
    low, high = values[:128], values[128:]
    same = (low == -high) | (np.isnan(low) & np.isnan(high))
    return bool((same & (np.isnan(low) | (np.signbit(low) != np.signbit(high)))).all())


def literals(values: Sequence[int] | NDArray[np.integer], per_line: int = 16) -> str:
    """Integers as the lines of a C initialiser."""
    texts = [str(int(v)) for v in values]
    rows = [", ".join(texts[i : i + per_line]) for i in range(0, len(texts), per_line)]
    return ",\n    ".join(rows)
