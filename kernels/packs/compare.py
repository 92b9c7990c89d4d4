"""Compares a stored output with the expected values, NaN-safe: finiteness is tested first, by itself."""

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from kernels.packs.matrix import Rows
from kernels.packs.sampled import Sampled, elements, untouched, widened, wrong_sums
from kernels.values.formats import decode
from kernels.values.kernel import Tolerance

Kind = Literal["", "non_finite", "wrong_values", "touched_other_rows"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """index: of the first non-finite or changed element, or of the worst one; None for an array without elements.

    max_err, nrmse, max_over_rms: largest |got - want|, rms(err) / rms(want), max|err| / rms(want). They are infinite
    when an output is not finite, or wrong where all of `want` is zero. used: the share of its tolerance that the output
    uses up, by whichever limit it comes closest to; above 1 it is wrong.
    """

    ok: bool
    kind: Kind
    reason: str
    index: tuple[int, ...] | None
    max_err: float
    nrmse: float
    max_over_rms: float
    used: float = 0.0


def compare(
    want: NDArray[Any] | Rows | Sampled,
    got_stored: NDArray[Any],
    dtype: str,
    tolerance: Tolerance,
    before: NDArray[Any] | None = None,
) -> Comparison:
    """One output of one call. want: float64 of the output's shape (int64 for 64-bit integers, which a float64 does not
    hold), or one call's `Rows` (index and values without or with a leading axis of 1). before: stored contents before
    the call, needed for `Rows`; of what is sampled it must differ.

    Raises: ValueError when shapes disagree, `want` is not finite, or `before` is missing.
    """
    if isinstance(want, Sampled):
        return _sampled(want, got_stored, dtype, tolerance, before)
    if not isinstance(want, Rows):
        if dtype in ("i64", "u64") and want.dtype == np.int64 and not tolerance.atol and not tolerance.rtol:
            return _whole(want, got_stored.view(np.int64))
        return _values(np.asarray(want, dtype=np.float64), decode(got_stored, dtype), tolerance)
    if before is None or before.shape != got_stored.shape:
        raise ValueError("a rows_only output needs its contents before the call, in the same shape")
    row, values = int(want.index.reshape(-1)[0]), want.values.reshape(want.values.shape[-len(got_stored.shape[1:]) :])
    changed = _first_change(got_stored, before, row)
    if changed is not None:
        reason = f"element {list(changed)} changed; only row {row} may"
        return Comparison(False, "touched_other_rows", reason, changed, np.inf, np.inf, np.inf)
    return _values(values, decode(got_stored[row], dtype), tolerance, (row,))


def _sampled(
    want: Sampled, got_stored: NDArray[Any], dtype: str, tolerance: Tolerance, before: NDArray[Any] | None
) -> Comparison:
    """max_err, nrmse and max_over_rms are of the sample."""
    got = decode(got_stored, dtype).astype(np.float64)
    if not np.isfinite(got).all():
        at = _position(int(np.argmin(np.isfinite(got))), got.shape)
        return Comparison(False, "non_finite", f"element {list(at)} is {got[at]}", at, np.inf, np.inf, np.inf)
    left = untouched(got_stored, before) if before is not None else None
    if left is not None:
        reason = f"element {list(left)} and others are what they were before the call"
        return Comparison(False, "wrong_values", reason, left, np.inf, np.inf, np.inf)
    widest = widened(tolerance, want.values)
    found = _values(want.values, elements(decode(got_stored, dtype), want.index), widest)
    at = None if found.index is None else tuple(int(i) for i in want.index[found.index[0]])
    if not found.ok:
        told = f"of {len(want.values)} elements in a sample, {list(at or ())} among them: {found.reason}"
        return replace(found, index=at, reason=told)
    sums = wrong_sums(want, got, tolerance)
    return Comparison(False, "wrong_values", sums, None, np.inf, np.inf, np.inf) if sums else replace(found, index=at)


def _first_change(got: NDArray[Any], before: NDArray[Any], row: int) -> tuple[int, ...] | None:
    """Bit for bit, so that NaN payloads and the sign of zero count."""
    bits = np.dtype(f"u{got.dtype.itemsize}")
    different = got.view(bits) != before.view(bits)
    different[row] = False
    return _position(int(np.argmax(different)), different.shape) if different.any() else None


def _whole(want: NDArray[Any], got: NDArray[Any]) -> Comparison:
    """Integers, exactly."""
    if want.shape != got.shape:
        raise ValueError(f"expected values have shape {want.shape}, the output {got.shape}")
    wrong = want != got
    if not wrong.any():
        return Comparison(True, "", "", None, 0.0, 0.0, 0.0)
    at = _position(int(np.argmax(wrong)), got.shape)
    reason = f"element {list(at)} is {got[at]}, expected {want[at]}; {int(wrong.sum())} of {got.size} are wrong"
    return Comparison(False, "wrong_values", reason, at, np.inf, np.inf, np.inf)


def _values(
    want: NDArray[np.float64], decoded: NDArray[Any], tolerance: Tolerance, prefix: tuple[int, ...] = ()
) -> Comparison:
    if want.shape != decoded.shape:
        raise ValueError(f"expected values have shape {want.shape}, the output {decoded.shape}")
    if not np.isfinite(want).all():
        raise ValueError("the expected values are not finite")
    if want.size == 0:
        return Comparison(True, "", "", None, 0.0, 0.0, 0.0)
    with np.errstate(invalid="ignore"):  # a signalling NaN, which is told below
        got = decoded.astype(np.float64)
    finite = np.isfinite(got)
    if not finite.all():
        at = _position(int(np.argmin(finite)), got.shape)
        reason = (
            f"element {[*prefix, *at]} is {got[at]}, expected {want[at]:.6g}; {int((~finite).sum())} are not finite"
        )
        return Comparison(False, "non_finite", reason, (*prefix, *at), np.inf, np.inf, np.inf)
    return _errors(want, got, tolerance, prefix)


def _errors(
    want: NDArray[np.float64], got: NDArray[np.float64], tolerance: Tolerance, prefix: tuple[int, ...]
) -> Comparison:
    error, allowed = np.abs(got - want), tolerance.atol + tolerance.rtol * np.abs(want)
    excess = error - allowed
    at = _position(int(np.argmax(excess)), got.shape)
    rms, largest = _rms(want), float(error.max())
    nrmse, over = _ratio(_rms(error), rms), _ratio(largest, rms)
    reason = ""
    if not excess[at] <= 0:
        bad = int((~(excess <= 0)).sum())
        reason = f"element {[*prefix, *at]} is {got[at]:.6g}, expected {want[at]:.6g}"
        reason += f", {error[at]:.3g} off where {allowed[at]:.3g} is allowed; {bad} of {got.size} are wrong"
    elif tolerance.nrmse is not None and not nrmse <= tolerance.nrmse:
        reason = f"nrmse {nrmse:.3g} is above {tolerance.nrmse:g}"
    elif tolerance.max_over_rms is not None and not over <= tolerance.max_over_rms:
        reason = f"max error / rms {over:.3g} is above {tolerance.max_over_rms:g}"
    used = max(_most(error, allowed), _share(nrmse, tolerance.nrmse), _share(over, tolerance.max_over_rms))
    kind: Kind = "wrong_values" if reason else ""
    return Comparison(not reason, kind, reason, (*prefix, *at), largest, nrmse, over, used)


def _most(error: NDArray[np.float64], allowed: NDArray[np.float64]) -> float:
    """The largest share of what an element may be off; what may not be off at all and is, is infinitely so."""
    exact = np.where(error > 0, np.inf, 0.0)
    return float(np.divide(error, allowed, out=exact, where=allowed > 0).max())


def _share(found: float, limit: float | None) -> float:
    return 0.0 if limit is None else _ratio(found, limit)


def _rms(values: NDArray[np.float64]) -> float:
    """Scaled by the largest value, so that squares neither overflow nor vanish."""
    top = float(np.abs(values).max())
    return 0.0 if top == 0 else top * float(np.sqrt(np.mean((values / top) ** 2)))


def _ratio(error: float, rms: float) -> float:
    return error / rms if rms > 0 else (np.inf if error > 0 else 0.0)


def _position(flat: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(i) for i in np.unravel_index(flat, shape))
