"""Runs `reference.py` of a kernel: fresh inputs of one call, and the expected outputs of a batch of calls.

Only the referee and the linter do this: the file is the pack author's Python. For a kernel with shapes its `inputs` and
`inputs_at` take the sizes of the shape as `sizes`, by dimension; `reference` finds them among the arguments.
"""

import importlib.util
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from kernels.packs.generator import generate
from kernels.packs.matrix import Matrix, Rows
from kernels.packs.regimes import activations, store
from kernels.packs.sampled import CHUNK, Picks, Sampled, Wanted, checked, sampled_outputs
from kernels.packs.toml import PackError
from kernels.values.formats import decode
from kernels.values.kernel import Argument, KernelSpec

Stored = Mapping[str, NDArray[Any]]
Expected = dict[str, Wanted]
Function = Callable[[Mapping[str, Any]], Mapping[str, Any]]
_FIXED: Final = ("output", "constant", "dimension")


class Calls(Mapping[str, Any]):
    """What `reference` gets: each argument decoded when it is asked for, with a leading axis of calls (floats as
    float64, integers as int64, scalars, constants and dimensions [B]), and each matrix as a `Matrix`.

    stored: the same arguments as they are stored, by call.
    """

    def __init__(self, spec: KernelSpec, calls: Sequence[Stored], matrices: Mapping[str, Matrix]) -> None:
        inside = {m.codes for m in spec.matrices} | {m.scales for m in spec.matrices}
        self._names = [a.name for a in spec.arguments if a.role not in _FIXED and a.name not in inside]
        self._spec = spec
        self.stored = calls
        self._known: dict[str, Any] = dict(matrices)
        self._known |= {a.name: np.full(len(calls), a.value) for a in spec.arguments if a.value is not None}

    @override
    def __getitem__(self, name: str) -> Any:
        if name not in self._known:
            if name not in self._names:
                raise KeyError(f"reference of {self._spec.name} asks for {name!r}; it has {', '.join(self)}")
            self._known[name] = _wide(np.stack([c[name] for c in self.stored]), self._spec.argument(name).dtype)
        return self._known[name]

    @override
    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self._names, *self._known]))

    @override
    def __len__(self) -> int:
        return sum(1 for _ in self)


def _wide(stored: NDArray[Any], dtype: str) -> NDArray[Any]:
    values = decode(stored, dtype)
    return values.astype(np.float64 if np.issubdtype(values.dtype, np.floating) else np.int64)


@dataclass(frozen=True, slots=True)
class Reference:
    """The loaded reference of one kernel."""

    spec: KernelSpec
    function: Function
    maker: Callable[[np.random.Generator, str], Mapping[str, Any]] | None
    maker_at: Callable[[np.random.Generator, str, str, Any], Mapping[str, Any]] | None = None
    sampler: Callable[[Mapping[str, Any], str, NDArray[np.int64]], Any] | None = None
    adder: Callable[[Mapping[str, Any], str, NDArray[np.float64]], Any] | None = None

    def inputs(self, rng: np.random.Generator, regime: str) -> dict[str, NDArray[Any]]:
        """Stored arrays (C-contiguous) of all input and inout arguments of one call.

        Raises: PackError when the pack's own `inputs` leaves one out or gives it another shape or type.
        """
        wanted = [a for a in self.spec.arguments if a.role in ("input", "inout")]
        if self.maker is None:
            return {a.name: _draw(a, rng, regime) for a in wanted}
        made = self.maker(rng, regime)
        return {a.name: self._checked(a, made) for a in wanted}

    def inputs_at(
        self, rng: np.random.Generator, regime: str, argument: Argument, value: NDArray[Any]
    ) -> dict[str, NDArray[Any]]:
        """As `inputs`, with this value (stored) of one argument, and with what depends on it: a pack whose inputs
        depend on each other says how in `inputs_at(rng, regime, name, value)`.

        Raises: PackError as `inputs`, and when the pack has `inputs` but no `inputs_at`.
        """
        if self.maker_at is not None:
            made = self.maker_at(rng, regime, argument.name, value if argument.shape else value.item())
            return {a.name: self._checked(a, made) for a in self.spec.arguments if a.role in ("input", "inout")}
        if self.maker is not None:
            asked = f"inputs of {self.spec.name} at a value of {argument.name}"
            todo = "Write inputs_at(rng, regime, name, value): the inputs of one call with this value of that argument"
            raise PackError(asked, "reference.py has inputs, but no inputs_at", todo)
        return {**self.inputs(rng, regime), argument.name: value}

    def _checked(self, argument: Argument, made: Mapping[str, Any]) -> NDArray[Any]:
        asked = f"inputs of {self.spec.name}"
        if argument.name not in made:
            raise PackError(asked, f"returned no {argument.name}", "Return every input and inout argument, stored")
        array = np.asarray(made[argument.name])
        if array.shape != argument.storage_shape or array.dtype != argument.format.storage:
            todo = f"Return {argument.format.storage} {argument.storage_shape}; kernels.packs.regimes.store helps"
            raise PackError(asked, f"{argument.name} is {array.dtype} {array.shape}", todo)
        return np.ascontiguousarray(array).reshape(argument.storage_shape)

    def expected(
        self, calls: Sequence[Stored], matrices: Mapping[str, Matrix], picks: Mapping[str, Picks] | None = None
    ) -> Expected:
        """Expected outputs of a batch: float64 [B, ...], `Rows` for a rows_only output, `Sampled` at these picks for
        one that is sampled.

        calls: per call the stored arrays of all inputs, inouts and of the weights that are in no matrix.
        Raises: PackError when the reference leaves an output out or gives it another shape.
        """
        known, asked = Calls(self.spec, calls, matrices), picks or {}
        whole = [a for a in self.spec.arguments if a.writable and a.name not in asked]
        result = self.function(known) if whole else {}
        found: Expected = {a.name: _checked_output(self.spec, a, result.get(a.name), len(calls)) for a in whole}
        return found | {name: self._sampled(known, asked, name) for name in asked}

    def _sampled(self, known: Calls, asked: Mapping[str, Picks], name: str) -> Sampled:
        wanted, shape = asked[name], self.spec.argument(name).shape
        count = max(1, CHUNK // len(wanted.index))
        parts = [wanted.index[:, at : at + count] for at in range(0, wanted.index.shape[1], count)]
        if self.sampler is None or (self.adder is None and wanted.signs.shape[1]):
            todo = "Write sample(a, name, index), and sums(a, name, signs) where the contract has sums: docs/kernels.md"
            raise PackError(f"reference of {self.spec.name}", f"nothing says what is in a sample of {name}", todo)
        try:
            values = np.concatenate([np.asarray(self.sampler(known, name, part)) for part in parts], axis=1)
            sums = np.empty((*wanted.signs.shape[:2], *shape[1:]))
            if self.adder is not None and wanted.signs.shape[1]:
                sums = self.adder(known, name, wanted.signs)
            return checked(asked, name, values, sums, shape)
        except (ValueError, IndexError) as error:
            raise PackError(f"reference of {self.spec.name}", str(error), "Correct sample and sums") from error


def _draw(argument: Argument, rng: np.random.Generator, regime: str) -> NDArray[Any]:
    kind, *numbers = argument.generate
    if kind == "uniform":
        low, high = (float(n) for n in numbers)
        return store(activations(rng, regime, argument.shape, low, high), argument.dtype)
    return generate(argument.name, argument.generate, argument.dtype, argument.shape, int(rng.integers(1 << 62)))


def _checked_output(spec: KernelSpec, argument: Argument, found: Any, calls: int) -> NDArray[np.float64] | Rows:
    asked, rows_only = f"reference of {spec.name}", spec.tolerances[argument.name].rows_only
    if found is None or isinstance(found, Rows) != rows_only:
        todo = f"Return {'Rows(index, values)' if rows_only else 'a float64 array'} under the key {argument.name!r}"
        raise PackError(asked, f"output {argument.name} is {type(found).__name__}", todo)
    values = np.asarray(found.values if rows_only else found)
    if argument.dtype not in ("i64", "u64") or values.dtype != np.int64:  # all other formats fit into a float64
        values = values.astype(np.float64, copy=False)
    wanted = (calls, *argument.shape[1 if rows_only else 0 :])
    if values.shape != wanted:
        raise PackError(asked, f"output {argument.name} has shape {values.shape}", f"Return shape {wanted}")
    return Rows(np.asarray(found.index, dtype=np.int64), values) if rows_only else values


def load_reference(spec: KernelSpec, baseline: Function | None = None) -> Reference:
    """Imports `reference.py` of the kernel's folder. baseline: what answers for a kernel whose reference is its own
    baseline; without it such a kernel has inputs, and no expected values.

    Raises: PackError when it is absent, does not import, or has no function `reference`.
    """
    if spec.reference == "baseline":
        return Reference(spec, baseline or _unbuilt, None)
    module = _import(spec)
    sampled = len(sampled_outputs(spec)) == sum(a.writable for a in spec.arguments)
    function = getattr(module, "reference", _unwritten if sampled else None)
    if not callable(function):
        raise PackError(f"reference of {spec.name}", "reference.py has no function reference(a)", "Write it")
    makers = (_sized(spec, getattr(module, name, None)) for name in ("inputs", "inputs_at"))
    return Reference(spec, function, *makers, getattr(module, "sample", None), getattr(module, "sums", None))


def _sized(spec: KernelSpec, maker: Callable[..., Any] | None) -> Callable[..., Any] | None:
    """What makes the inputs of this kernel at its shape."""
    sizes = next((dict(shape.sizes) for shape in spec.shapes if shape.name == spec.shape), None)
    return maker if maker is None or sizes is None else partial(maker, sizes=sizes)


def _unwritten(_calls: Mapping[str, Any]) -> Mapping[str, Any]:
    """Of a kernel whose outputs are all sampled."""
    return {}


def _unbuilt(calls: Mapping[str, Any]) -> Mapping[str, Any]:
    todo = "Run it on a device, or add a reference.py"
    raise PackError("expected values", "the reference is the baseline at -O0, which was not built", todo)


def _import(spec: KernelSpec) -> ModuleType:
    path = spec.folder / "reference.py"
    found = importlib.util.spec_from_file_location(f"kernelwright_reference_{spec.pack}_{spec.name}", path)
    if not path.is_file() or found is None or found.loader is None:
        raise PackError(f"reference of {spec.name}", f"there is no {path}", "Write reference(a) there, in numpy")
    module = importlib.util.module_from_spec(found)
    try:
        found.loader.exec_module(module)
    except Exception as error:  # the author's code may raise anything
        raise PackError(f"reference of {spec.name}", f"import failed: {error!r}", f"Correct {path}") from error
    return module
