"""What the numbers of a pack say: finite, spread, sensitive to every argument, and not matched by trivial outputs."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kernels.packs.compare import compare
from kernels.packs.generator import generate
from kernels.packs.lint_reference import reference_problems, sum_problems
from kernels.packs.lint_trial import Known, Output, Problem, Trial, calls_of, trial_of, values_of
from kernels.packs.loader import generators, has_uniform_codes
from kernels.packs.matrix import BaseMatrix, Rows
from kernels.packs.reference import Reference, Stored
from kernels.packs.regimes import store
from kernels.values.formats import decode
from kernels.values.kernel import Argument, KernelSpec

MIN_SPREAD: Final = 1e-3  # standard deviation, or difference of two calls, as a share of the rms
MOST_DEAD: Final = 0.9  # share of an output's elements that may stay the same for every input


def value_problems(spec: KernelSpec, seed: int, reference: Reference) -> Iterator[Problem]:
    """Raises: PackError when the reference cannot be run at all."""
    trial = trial_of(spec, seed, "generated", reference)
    problems = list(_weights(trial))
    expected = trial.expected()
    problems += _finite(spec, expected, "")
    if has_uniform_codes(spec) and not problems:
        uniform = trial_of(spec, seed, "uniform_codes", reference)
        problems += _finite(spec, uniform.expected(), " with generate_uniform")
    yield from problems
    if not problems:  # the rest compares values
        other = replace(trial, calls=calls_of(trial.reference, spec, seed + 1)).expected()
        yield from _even(trial)
        yield from reference_problems(trial, expected)
        yield from sum_problems(trial)
        yield from _spread(spec, expected, other)
        yield from _dead(trial, expected, other)
        yield from _trivial(trial, expected, other)
        yield from _reactions(trial, expected, seed)


def _weights(trial: Trial) -> Iterator[Problem]:
    for argument in trial.spec.weights:
        values = decode(trial.weights[argument.name], argument.dtype)
        if not np.isfinite(values).all():
            yield argument.name, "weights", "the generator makes weights that are not finite"
        elif not values.any():
            yield argument.name, "weights", "all weights are zero, so a kernel that does nothing is right"


def _even(trial: Trial) -> Iterator[Problem]:
    for argument in trial.spec.weights:
        values = decode(trial.weights[argument.name], argument.dtype)
        if values.size > 1 and values.min() == values.max():
            yield argument.name, "weights", f"all weights are {values.flat[0]:g}, so a kernel need not read them"


def _finite(spec: KernelSpec, expected: Known, where: str) -> Iterator[Problem]:
    for name, result in expected.items():
        for b, regime in enumerate(spec.regimes):
            if not np.isfinite(values_of(result)[b]).all():
                yield name, "non_finite", f"the reference is not finite in regime {regime}{where}"
        if isinstance(result, Rows) and not ((result.index >= 0) & (result.index < spec.argument(name).shape[0])).all():
            yield name, "rows", f"the reference names rows {result.index.tolist()}; the array has fewer"


def _rms(values: NDArray[np.float64]) -> float:
    return float(np.sqrt(np.mean(values**2))) or 1.0


def _spread(spec: KernelSpec, expected: Known, other: Known) -> Iterator[Problem]:
    for name, result in expected.items():
        one, two = values_of(result)[0], values_of(other[name])[0]
        if one.size > 1 and float(one.std()) < MIN_SPREAD * _rms(one):
            yield name, "spread", f"almost no spread over positions in regime {spec.regimes[0]}: a fill passes"
        if _rms(one - two) < MIN_SPREAD * _rms(one) or np.array_equal(one, two):
            yield name, "spread", f"almost no spread over inputs in regime {spec.regimes[0]}: a constant passes"


def _dead(trial: Trial, expected: Known, other: Known) -> Iterator[Problem]:
    """Elements of an output that no input changes: leaving them out passes."""
    for name, result in expected.items():
        every = np.concatenate([values_of(result), values_of(other[name])])
        tolerance = trial.spec.tolerances[name]
        still = np.ptp(every, axis=0) <= tolerance.atol + tolerance.rtol * np.abs(every).max(axis=0)
        share = float(still.mean())
        if share > MOST_DEAD:
            yield name, "spread", f"{share:.0%} of its elements stay the same for every input: leaving them out passes"


def _trivial(trial: Trial, expected: Known, other: Known) -> Iterator[Problem]:
    for name, result in expected.items():
        argument = trial.spec.argument(name)
        for b, regime in enumerate(trial.spec.regimes):
            for what, got in _cheap_outputs(argument, result, other[name], b, trial.calls[b]):
                if _passes(trial, argument, result, b, got):
                    yield name, "tolerance", f"the tolerance lets {what} pass in regime {regime}"


def _cheap_outputs(
    argument: Argument, result: Output, other: Output, b: int, call: Stored
) -> Iterator[tuple[str, NDArray[Any]]]:
    """What needs no work: one value everywhere, or what was right for other inputs."""
    want = values_of(result)[b]
    fills = [("zeros", np.zeros(want.shape)), ("its mean everywhere", np.full(want.shape, want.mean()))]
    cheap = fills[: want.size]  # of one element, its mean is the answer
    for what, values in (*cheap, ("the answer to other inputs", values_of(other)[b])):
        fill = store(values, argument.dtype)
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


def _reactions(trial: Trial, expected: Known, seed: int) -> Iterator[Problem]:
    for argument in trial.spec.arguments:
        kept = argument.writable and trial.spec.tolerances[argument.name].rows_only
        if argument.role in ("output", "constant", "dimension") or kept:
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
        fresh = calls_of(trial.reference, trial.spec, seed + 2)
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


def _differs(trial: Trial, expected: Known, changed: Known) -> bool:
    for name, want in expected.items():
        argument, result = trial.spec.argument(name), changed[name]
        for b in range(len(trial.calls)):
            got = store(values_of(result)[b], argument.dtype)
            if isinstance(result, Rows):
                got = _whole(result, b, trial.calls[b][name], got)
            if not _passes(trial, argument, want, b, got):
                return True
    return False
