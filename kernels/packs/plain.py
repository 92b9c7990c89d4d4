"""A reference written for one call, as a `reference` of many.

def scaled(W, scale, x):
    return (W @ x) * scale

reference = one_by_one(scaled, ("y",))
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from kernels.packs.toml import PackError


def one_by_one(
    function: Callable[..., Any], outputs: Sequence[str]
) -> Callable[[Mapping[str, Any]], Mapping[str, Any]]:
    """function: takes arguments of the contract by name (float64 or int64 arrays, copies), and returns the outputs: one
    array, a tuple in this order, a dict by name, or None when it changed all of them in place."""
    names = list(inspect.signature(function).parameters)

    def reference(a: Mapping[str, Any]) -> dict[str, Any]:
        given = {name: a[name] for name in names}
        answers = [_answer(function, {name: _one(all_[b]) for name, all_ in given.items()}, outputs)
                   for b in range(len(next(iter(given.values()))))]  # fmt: skip
        return {name: np.stack([answer[name] for answer in answers]) for name in outputs}

    return reference


def _one(value: Any) -> Any:
    return value.copy() if np.ndim(value) else value.item()


def _answer(function: Callable[..., Any], given: dict[str, Any], outputs: Sequence[str]) -> Mapping[str, Any]:
    found = function(**given)
    if isinstance(found, Mapping):
        return found
    if found is None:
        found = tuple(given.get(name) for name in outputs)
    listed = found if isinstance(found, tuple | list) else (found,)
    if len(listed) != len(outputs) or any(one is None for one in listed):
        name, todo = getattr(function, "__name__", "reference"), f"Return {', '.join(outputs)}"
        raise PackError(f"reference {name}", f"it returned {len(listed)} outputs of {len(outputs)}", todo)
    return dict(zip(outputs, listed, strict=True))
