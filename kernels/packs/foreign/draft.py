"""A foreign function on its way to become a kernel of a pack, and the files that it is written as."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kernels.packs.contract import REGIMES, identifier
from kernels.packs.foreign.arguments import Declared
from kernels.packs.foreign.shapes import Shapes
from kernels.packs.foreign.source import Baseline
from kernels.packs.foreign.tolerances import longest_sum, told
from kernels.packs.regimes import AUDIT_REGIMES
from kernels.packs.toml import PackError, read_toml
from kernels.values.kernel import REFERENCES, Argument, Tolerance

LOOSE: Final = Tolerance(1e300, 0.0)  # until the reference has been seen
_PLAIN: Final = """

# The contract's form of the function above.
from kernels.packs.plain import one_by_one

reference = one_by_one({function}, {outputs})
"""


@dataclass(frozen=True, slots=True)
class Draft:
    """headers: files by the name that sources include them with. reference: a numpy file, None for the baseline at -O0.
    origin: name of the file it comes from."""

    name: str
    origin: str
    shapes: Shapes
    declared: tuple[Declared, ...]
    baseline: Baseline
    flags: tuple[str, ...]
    libraries: tuple[str, ...]
    headers: Mapping[str, Path]
    reference: Path | None

    @property
    def arguments(self) -> tuple[Argument, ...]:
        return tuple(d.argument for d in self.declared)

    @property
    def outputs(self) -> tuple[Declared, ...]:
        return tuple(d for d in self.declared if d.argument.writable)

    @property
    def regimes(self) -> tuple[str, ...]:
        """Those that may be drawn: all, unless the shapes file chooses, or no float is drawn anew for each call."""
        drawn = [a for a in self.arguments if a.role in ("input", "inout") and a.generate[0] == "uniform"]
        return self.shapes.regimes or (REGIMES if drawn else REGIMES[:1])

    def sum_of(self, output: Declared) -> int:
        """Terms behind one element of an output, as said or as estimated."""
        return output.reduction or longest_sum(output.argument, self.arguments)

    def write(self, pack: Path, tolerances: Mapping[str, Tolerance], regimes: Sequence[str]) -> Path:
        """Write the kernel into the folder of a pack and name it there; returns the kernel's folder.

        Raises: PackError when the reference has neither `reference` nor a function of this name.
        """
        folder = pack / self.name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "baseline.c").write_text(self.baseline.text, encoding="utf-8")
        (folder / "kernel.toml").write_text(self._contract(tolerances, regimes), encoding="utf-8")
        if self.reference is not None:
            (folder / "reference.py").write_text(self._reference(), encoding="utf-8")
        for name, path in self.headers.items():
            (folder / "include" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, folder / "include" / name)
        list_kernel(pack, self.name, self.shapes.title)
        return folder

    def _reference(self) -> str:
        path = self.reference or Path()
        text = path.read_text(encoding="utf-8")
        if "\ndef reference(" in f"\n{text}" or "\nreference = " in text:
            return text
        if f"\ndef {self.name}(" not in f"\n{text}":
            found = f"it defines neither reference nor {self.name}"
            todo = f"Write `def {self.name}(inputs by name)` that returns the outputs of one call"
            raise PackError(f"reference {path}", found, todo)
        outputs = tuple(d.argument.name for d in self.outputs)
        return text.rstrip() + _PLAIN.format(function=self.name, outputs=repr(outputs).replace("'", '"'))

    def _aliasing(self) -> str:
        changed = [a.name for a in self.arguments if a.role == "inout"]
        inside = f"In place, read and written in the same memory: {', '.join(changed)}. " if changed else ""
        return f"{inside}No two arguments share memory."

    def _contract(self, tolerances: Mapping[str, Tolerance], regimes: Sequence[str]) -> str:
        kind = "baseline" if self.reference is None else "numpy"
        head = [
            f"# {self.name} of {self.origin}, imported; reference: {REFERENCES[kind]}.",
            f"# {self._aliasing()}",
            *_settings(name=self.name, title=self.shapes.title or self.name, entry=self.name, reference=kind),
            *(_settings(operations=self.shapes.operations) if self.shapes.operations else []),
            *_settings(ring_mib=self.shapes.ring_mib, regimes=list(regimes)),
        ]
        if self.shapes.audit_regimes != AUDIT_REGIMES:
            head += _settings(audit_regimes=list(self.shapes.audit_regimes))
        head += _settings(flags=list(self.flags)) if self.flags else []
        head += _settings(libraries=list(self.libraries)) if self.libraries else []
        parts = ["\n".join(head), *(_argument(a) for a in self.arguments)]
        parts += [_tolerance(d.argument, self.sum_of(d), tolerances[d.argument.name]) for d in self.outputs]
        return "\n\n".join(parts) + "\n"


def _settings(**values: Any) -> list[str]:
    return [f"{key} = {_toml(value)}" for key, value in values.items()]


def _toml(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, str):
        escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return f"{value:.1f}"
    return repr(value)


def _argument(argument: Argument) -> str:
    lines = ["[[argument]]", *_settings(name=argument.name, dtype=argument.dtype, shape=list(argument.shape))]
    lines += _settings(role=argument.role)
    if argument.value is not None:
        lines += _settings(value=argument.value)
    elif argument.generate and argument.role != "output":
        kind, *numbers = argument.generate
        lines += _settings(generate=[kind, *(int(n) if kind == "int" else n for n in numbers)])
    return "\n".join(lines)


def _tolerance(output: Argument, length: int, tolerance: Tolerance) -> str:
    lines = [f"# {told(output, length)}", f"[tolerance.{output.name}]"]
    lines += _settings(atol=tolerance.atol, rtol=tolerance.rtol)
    if tolerance.nrmse is not None and tolerance.max_over_rms is not None:
        lines += _settings(nrmse=tolerance.nrmse, max_over_rms=tolerance.max_over_rms)
    return "\n".join(lines)


def list_kernel(pack: Path, kernel: str, title: str) -> None:
    """Add the kernel to pack.toml, which is made when there is none."""
    path = pack / "pack.toml"
    old = read_toml(path) if path.is_file() else {"name": pack.name, "title": title or kernel, "kernels": []}
    identifier(kernel, f"kernel {kernel}")
    kernels = [*dict.fromkeys([*map(str, old["kernels"]), kernel])]
    lines = _settings(name=str(old["name"]), title=str(old["title"]), kernels=kernels)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
