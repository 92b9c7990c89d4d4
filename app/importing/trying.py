"""Sees what the reference answers in every regime: which regimes can be used, and how large the outputs are."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kernels.packs.compare import compare
from kernels.packs.foreign.draft import Draft
from kernels.packs.foreign.tolerances import seen, tolerance_of
from kernels.packs.reference import Calls, Expected, Reference
from kernels.packs.toml import PackError
from kernels.packs.weights import draw_weights
from kernels.values.kernel import Tolerance

DRAWS: Final = 4  # calls of a regime in which two builds are compared
Values = Mapping[str, NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class Tried:
    """regimes: those that can be used. left_out: the others, with the reason."""

    tolerances: Mapping[str, Tolerance]
    regimes: tuple[str, ...]
    left_out: Mapping[str, str]


def tried(draft: Draft, reference: Reference, seed: int = 1) -> Tried:
    """Raises: PackError when an output is not written as a whole, or when no regime can be used."""
    rng, weights = np.random.default_rng(seed), draw_weights(reference.spec, seed)
    found: dict[str, Values] = {}
    left_out: dict[str, str] = {}
    for number, regime in enumerate(draft.regimes):
        calls = [{**weights, **reference.inputs(rng, regime)} for _ in range(2)]
        if not number:
            _all_written(draft, _floats(_expected(reference, [calls[0]] * 2)))
        values = _floats(_expected(reference, calls))
        why = _unfit(values)
        if why:
            left_out[regime] = why
        else:
            found[regime] = values
    if not found:
        reasons = "; ".join(f"{why} ({_listed(left_out, why)})" for why in dict.fromkeys(left_out.values()))
        raise PackError(f"reference of {draft.name}", reasons, "Change the ranges of its inputs in the shapes file")
    return Tried(_tolerances(draft, found), tuple(found), left_out)


def _listed(left_out: Mapping[str, str], why: str) -> str:
    return ", ".join(regime for regime, reason in left_out.items() if reason == why)


def _expected(reference: Reference, calls: Sequence[dict[str, NDArray[np.generic]]]) -> Expected:
    asked = f"reference of {reference.spec.name}"
    try:
        with np.errstate(all="ignore"):
            return reference.expected(calls, {})
    except PackError:
        raise
    except Exception as error:  # the author's code may raise anything
        raise PackError(asked, f"raised {error!r}", "Correct the reference") from error


def _floats(expected: Expected) -> dict[str, NDArray[np.float64]]:
    return {name: np.asarray(value, dtype=np.float64) for name, value in expected.items()}


def _all_written(draft: Draft, values: Values) -> None:
    """The same call twice, on memory that held something else: what differs was never written."""
    for name, (one, other) in values.items():
        count = int((~((one == other) | (np.isnan(one) & np.isnan(other)))).sum())
        if count:
            found = f"{count} of {one.size} elements of {name} differ between two equal calls: they are not written"
            raise PackError(f"{draft.name}", found, f'Give {name} role = "inout", or write all of it')


def _unfit(values: Values) -> str:
    """Why a regime says nothing of a kernel. values: of two calls."""
    for name, array in values.items():
        one, other = array
        if not np.isfinite(array).all():
            return f"{name} is not finite"
        if one.size > 1 and np.ptp(one) == 0:
            return f"all elements of {name} are the same"
        if np.array_equal(one, other):
            return f"{name} is the same for all inputs"
    return ""


def _tolerances(draft: Draft, found: Mapping[str, Values]) -> dict[str, Tolerance]:
    return {
        d.argument.name: tolerance_of(
            d.argument, draft.sum_of(d), seen([one for values in found.values() for one in values[d.argument.name]])
        )
        for d in draft.outputs
    }


def share_used(reference: Reference, fast: Callable[[Calls], Mapping[str, NDArray[Any]]]) -> dict[str, float]:
    """By output: how much of its tolerance another build of the baseline uses up, in the worst regime. 0 when exact.

    Raises: PackError.
    """
    spec = reference.spec
    rng, weights = np.random.default_rng(2), draw_weights(spec, 2)
    calls = [{**weights, **reference.inputs(rng, regime)} for regime in spec.regimes for _ in range(DRAWS)]
    wanted, got = _floats(_expected(reference, calls)), _floats(dict(fast(Calls(spec, calls, {}))))
    return {name: max(map(_used, wanted[name], got[name], repeat(spec.tolerances[name]))) for name in wanted}


def _used(want: NDArray[np.float64], got: NDArray[np.float64], tolerance: Tolerance) -> float:
    found = compare(want, got, "f64", tolerance)
    if tolerance.nrmse is None or tolerance.max_over_rms is None:
        return 0.0 if found.ok else np.inf
    return max(found.nrmse / tolerance.nrmse, found.max_over_rms / tolerance.max_over_rms)
