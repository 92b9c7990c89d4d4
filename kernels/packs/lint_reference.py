"""Whether a reference can be trusted as one: it says the same again, and of each call by itself; what audits can do.

The referee computes the answers of many calls at once, and of the same call more than once.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kernels.packs.domains import domains_of, unswept
from kernels.packs.lint_trial import Known, Problem, Trial, calls_of, values_of
from kernels.packs.sampled import Picks, Sampled, same_picks, sampled_outputs

COLUMNS: Final = 3
SAME: Final = 1e-9  # of the rms: a batch may be summed in another order than one call


def reference_problems(trial: Trial, expected: Known) -> Iterator[Problem]:
    """Raises: PackError when the reference raises."""
    again, alone = trial.expected(), replace(trial, calls=trial.calls[-1:]).expected()
    for name, result in expected.items():
        one, two = values_of(result), values_of(again[name])
        if not np.array_equal(one, two, equal_nan=True):
            yield name, "reference", "the reference says something else for the same inputs a second time"
        elif not _close(values_of(alone[name])[0], one[-1]):
            regime = trial.spec.regimes[-1]
            yield (
                name,
                "reference",
                f"the reference of a call in regime {regime} depends on the other calls of its batch",
            )


def sum_problems(trial: Trial) -> Iterator[Problem]:
    """Where `sums` and `sample` of one call contradict each other, by every row of a few columns."""
    spec, one = trial.spec, replace(trial, calls=trial.calls[:1])
    for output in sampled_outputs(spec):
        rng, (rows, *rest) = np.random.default_rng(1), output.shape
        if not spec.tolerances[output.name].sums:
            continue
        columns = rng.integers(0, rest, (COLUMNS, len(rest)), dtype=np.int64)
        index = np.stack([np.r_[row, column] for row in range(rows) for column in columns])[None]
        drawn = same_picks(spec, 2, 1)
        found = one.at(drawn | {output.name: Picks(index, drawn[output.name].signs)})[output.name]
        if isinstance(found, Sampled):
            added = found.signs[0] @ found.values[0].reshape(rows, COLUMNS)
            said = np.stack([found.sums[0][(slice(None), *column)] for column in columns], axis=1)
            if not _close(added, said):
                yield output.name, "reference", "sums() contradicts sample(): it is not what the rows add up to"


def _close(a: NDArray[np.float64], b: NDArray[np.float64]) -> bool:
    scale = float(np.abs(b).max(initial=0.0)) or 1.0
    return a.shape == b.shape and bool(np.abs(a - b).max(initial=0.0) <= SAME * scale)


def audit_notes(trial: Trial) -> Iterator[tuple[str, str]]:
    """(argument or output, text): what no audit of this kernel can look at."""
    spec = trial.spec
    sizes = {d.argument.name: d.high - d.low for d in domains_of(spec)}
    for name in unswept(trial.reference):
        yield name, f"inputs() has no inputs_at: no audit goes through its {sizes[name]} values"
    for regime in spec.audit_regimes:
        try:
            calls = calls_of(trial.reference, replace(spec, regimes=(regime,)), 1)
        except ValueError:
            yield "", f"inputs() does not know the regime {regime}, which audits draw"
            continue
        result = replace(trial, calls=calls).expected()
        for output, values in result.items():
            if not np.isfinite(values_of(values)).all():
                yield output, f"the reference is not finite in regime {regime}: audits leave it out"
