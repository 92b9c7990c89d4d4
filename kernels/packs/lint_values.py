"""What the numbers of a pack say: finite, spread, sensitive to every argument, and not matched by trivial outputs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kernels.packs.compare import compare
from kernels.packs.generator import generate
from kernels.packs.loader import WeightRegime, generators, has_uniform_codes
from kernels.packs.matrix import BaseMatrix, Matrix, Rows
from kernels.packs.reference import Expected, Reference, Stored
from kernels.packs.regimes import store
from kernels.packs.toml import PackError
from kernels.packs.weights import decode_bases, draw_weights, plain_weights
from kernels.values.formats import decode
from kernels.values.kernel import Argument, KernelSpec

MIN_SPREAD: Final = 1e-3  # standard deviation, or difference of two calls, as a share of the rms
Problem = tuple[str, str, str]  # subject, kind, text


@dataclass(frozen=True, slots=True)
class Trial:
    """One batch: one call per regime on one set of weights."""

    spec: KernelSpec
    reference: Reference
    weights: Stored
    bases: Mapping[str, BaseMatrix]
    calls: tuple[Stored, ...]

    def expected(self) -> Expected:
        """Raises: PackError when the reference raises."""
        plain = {name: self.weights[name] for name in plain_weights(self.spec)}
        matrices = {name: Matrix(base) for name, base in self.bases.items()}
        try:
            with np.errstate(all="ignore"):
                return self.reference.expected([{**c, **plain} for c in self.calls], matrices)
        except PackError:
            raise
        except Exception as error:  # the author's code may raise anything
            raise PackError(f"reference of {self.spec.name}", f"raised {error!r}", "Correct reference.py") from error


def value_problems(spec: KernelSpec, seed: int, reference: Reference) -> Iterator[Problem]:
    """Raises: PackError when the reference cannot be run at all."""
    trial = _trial(spec, seed, "generated", reference)
    problems = list(_weights(trial))
    expected = trial.expected()
    problems += _finite(spec, expected, "")
    if has_uniform_codes(spec) and not problems:
        uniform = _trial(spec, seed, "uniform_codes", reference)
        problems += _finite(spec, uniform.expected(), " with generate_uniform")
    yield from problems
    if not problems:  # the rest compares values
        other = replace(trial, calls=_calls(trial.reference, spec, seed + 1)).expected()
        yield from _spread(spec, expected, other)
        yield from _trivial(trial, expected)
        yield from _reactions(trial, expected, seed)


def _trial(spec: KernelSpec, seed: int, regime: WeightRegime, reference: Reference) -> Trial:
    weights = draw_weights(spec, seed, regime)
    return Trial(spec, reference, weights, decode_bases(spec, weights), _calls(reference, spec, seed))


def _calls(reference: Reference, spec: KernelSpec, seed: int) -> tuple[Stored, ...]:
    rng = np.random.default_rng(seed)
    return tuple(reference.inputs(rng, regime) for regime in spec.regimes)


def _weights(trial: Trial) -> Iterator[Problem]:
    for argument in trial.spec.weights:
        values = decode(trial.weights[argument.name], argument.dtype)
        if not np.isfinite(values).all():
            yield argument.name, "weights", "the generator makes weights that are not finite"
        elif not values.any():
            yield argument.name, "weights", "all weights are zero, so a kernel that does nothing is right"


def _values(expected: NDArray[np.float64] | Rows) -> NDArray[np.float64]:
    return expected.values if isinstance(expected, Rows) else expected.astype(np.float64, copy=False)


def _finite(spec: KernelSpec, expected: Expected, where: str) -> Iterator[Problem]:
    for name, result in expected.items():
        for b, regime in enumerate(spec.regimes):
            if not np.isfinite(_values(result)[b]).all():
                yield name, "non_finite", f"the reference is not finite in regime {regime}{where}"
        if isinstance(result, Rows) and not ((result.index >= 0) & (result.index < spec.argument(name).shape[0])).all():
            yield name, "rows", f"the reference names rows {result.index.tolist()}; the array has fewer"


def _rms(values: NDArray[np.float64]) -> float:
    return float(np.sqrt(np.mean(values**2))) or 1.0


def _spread(spec: KernelSpec, expected: Expected, other: Expected) -> Iterator[Problem]:
    for name, result in expected.items():
        one, two = _values(result)[0], _values(other[name])[0]
        if one.size > 1 and float(one.std()) < MIN_SPREAD * _rms(one):
            yield name, "spread", f"almost no spread over positions in regime {spec.regimes[0]}: a fill passes"
        if _rms(one - two) < MIN_SPREAD * _rms(one) or np.array_equal(one, two):
            yield name, "spread", f"almost no spread over inputs in regime {spec.regimes[0]}: a constant passes"


def _trivial(trial: Trial, expected: Expected) -> Iterator[Problem]:
    for name, result in expected.items():
        argument = trial.spec.argument(name)
        for b, regime in enumerate(trial.spec.regimes):
            for what, got in _cheap_outputs(argument, result, b, trial.calls[b]):
                if _passes(trial, argument, result, b, got):
                    yield name, "tolerance", f"the tolerance lets {what} pass in regime {regime}"


def _cheap_outputs(
    argument: Argument, result: NDArray[np.float64] | Rows, b: int, call: Stored
) -> Iterator[tuple[str, NDArray[Any]]]:
    want = _values(result)[b]
    for what, value in (("zeros", 0.0), ("its mean everywhere", float(want.mean()))):
        fill = store(np.full(want.shape, value), argument.dtype)
        yield what, _whole(result, b, call[argument.name], fill) if isinstance(result, Rows) else fill
    if argument.role == "inout":
        yield "untouched contents", call[argument.name]


def _whole(rows: Rows, b: int, before: NDArray[Any], row: NDArray[Any]) -> NDArray[Any]:
    whole = before.copy()
    whole[rows.index[b]] = row
    return whole


def _passes(trial: Trial, argument: Argument, want: NDArray[np.float64] | Rows, b: int, got: NDArray[Any]) -> bool:
    one = Rows(want.index[b : b + 1], want.values[b : b + 1]) if isinstance(want, Rows) else want[b]
    before = trial.calls[b].get(argument.name)
    return compare(one, got, argument.dtype, trial.spec.tolerances[argument.name], before).ok


def _reactions(trial: Trial, expected: Expected, seed: int) -> Iterator[Problem]:
    for argument in trial.spec.arguments:
        kept = argument.writable and trial.spec.tolerances[argument.name].rows_only
        if argument.role in ("output", "constant") or kept:
            continue
        changed = _changed(trial, argument, seed)
        if changed is None:
            yield argument.name, "constant", "its generator makes the same values for every seed"
        elif not _differs(trial, expected, changed.expected()):
            yield argument.name, "no_reaction", "no output reacts to it beyond the tolerance: leaving it out passes"


def _changed(trial: Trial, argument: Argument, seed: int) -> Trial | None:
    """The same batch with this one argument drawn anew; None when it comes out the same in every call."""
    name = argument.name
    if argument.role != "weight":
        fresh = _calls(trial.reference, trial.spec, seed + 2)
        if all(np.array_equal(old[name], new[name]) for old, new in zip(trial.calls, fresh, strict=True)):
            return None
        calls = tuple({**old, name: new[name]} for old, new in zip(trial.calls, fresh, strict=True))
        return replace(trial, calls=calls)
    new = generate(name, generators(trial.spec)[name], argument.dtype, argument.shape, seed + 2)
    if np.array_equal(new, trial.weights[name]):
        return None
    weights = {**trial.weights, name: new}
    bases = dict(trial.bases)
    for matrix in trial.spec.matrices:
        if name in (matrix.codes, matrix.scales):
            bases[matrix.name] = BaseMatrix.from_stored(trial.spec, matrix, weights)
    return replace(trial, weights=weights, bases=bases)


def _differs(trial: Trial, expected: Expected, changed: Expected) -> bool:
    for name, want in expected.items():
        argument, result = trial.spec.argument(name), changed[name]
        for b in range(len(trial.calls)):
            got = store(_values(result)[b], argument.dtype)
            if isinstance(result, Rows):
                got = _whole(result, b, trial.calls[b][name], got)
            if not _passes(trial, argument, want, b, got):
                return True
    return False
