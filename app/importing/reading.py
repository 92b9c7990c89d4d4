"""What was given on the command line, read and held together: a draft of the kernel."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from app.settings import UsageError
from kernels.gates.c_words import ALLOWED_INCLUDES
from kernels.packs.foreign.arguments import declared
from kernels.packs.foreign.draft import Draft
from kernels.packs.foreign.shapes import Shapes, read_shapes
from kernels.packs.foreign.signature import Function, functions_of
from kernels.packs.foreign.sizes import size_of
from kernels.packs.foreign.source import baseline_text
from kernels.packs.toml import PackError
from kernels.targets.base import CompileFailed
from kernels.targets.cpu_c.flags import OPENMP
from kernels.targets.cpu_c.preprocess import Preprocessed
from kernels.targets.cpu_c.target import CpuC


@dataclass(frozen=True, slots=True)
class Asked:
    """file: the C file. reference: a numpy file, None for the baseline at -O0. into: folder of the pack."""

    file: Path
    function: str
    shapes: Path
    into: Path
    reference: Path | None = None
    flags: tuple[str, ...] = ()
    folders: tuple[Path, ...] = ()
    libraries: tuple[str, ...] = ()


def draft_of(asked: Asked, target: CpuC) -> Draft:
    """Raises: UsageError for a path that is not there, PackError for what does not fit together."""
    source = _text(asked.file, "C file")
    for folder in asked.folders:
        if not folder.is_dir():
            raise UsageError(f"--include {folder}: there is no such folder; give the folder that the headers lie in")
    if asked.reference is not None:
        _text(asked.reference, "reference")
    _text(asked.shapes, "shapes file")
    _check_flags(asked)
    shapes = read_shapes(asked.shapes)
    bare = _preprocessed(asked, target, source, {})
    function = _function(asked, bare)
    parameters = {p.name for p in function.parameters}
    sizes = {name: value for name, value in shapes.sizes.items() if name not in parameters}
    whole = _preprocessed(asked, target, source, sizes)
    return _drafted(asked, source, _function(asked, whole), shapes, bare, whole)


def _drafted(
    asked: Asked, source: str, function: Function, shapes: Shapes, bare: Preprocessed, whole: Preprocessed
) -> Draft:
    arguments = declared(function, shapes, whole.macros)
    names = {p.name for p in function.parameters}
    missing = {
        name: value for name, value in shapes.sizes.items() if name not in names and size_of(name, bare.macros) != value
    }
    allowed = ALLOWED_INCLUDES | set(whole.headers)
    baseline = baseline_text(source, asked.function, arguments, missing, lambda name: name in allowed)
    return Draft(
        asked.function, asked.file.name, shapes, arguments, baseline, asked.flags, asked.libraries, whole.headers,
        asked.reference,
    )  # fmt: skip


def _text(path: Path, what: str) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{what} {path}: {error.strerror or error}; give the path of a file") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{what} {path}: not UTF-8 text ({error.reason}); save it as UTF-8") from error


def _check_flags(asked: Asked) -> None:
    if OPENMP in asked.flags:
        found = "a runner lets no kernel start threads of OpenMP on this device"
        todo = "Leave the flag out: `#pragma omp` is then skipped, and candidates get the thread pool"
        raise PackError(f"--flags {OPENMP}", found, todo)


def _preprocessed(asked: Asked, target: CpuC, source: str, defines: Mapping[str, int]) -> Preprocessed:
    folders = [asked.file.resolve().parent, *asked.folders]
    try:
        return target.preprocess(source, asked.flags, defines, folders)
    except CompileFailed as failure:
        todo = "Correct the file, or give --include and --flags as its own build does"
        raise PackError(f"{asked.file}", failure.root_cause, todo) from failure


def _function(asked: Asked, found: Preprocessed) -> Function:
    functions = functions_of(found.text)
    wanted = f"function {asked.function} of {asked.file}"
    if asked.function not in functions:
        listed = ", ".join(functions) or "no function at all"
        raise PackError(wanted, f"the file defines {listed}", "Give one of them with --function")
    function = functions[asked.function]
    if function.returns != "void":
        todo = "Write a void function that stores the result through a pointer"
        raise PackError(wanted, f"it returns {function.returns}; a kernel returns nothing", todo)
    return function
