"""What the preprocessor makes of a foreign file: its text, its macros, and the headers that it takes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from kernels.targets.base import CompileFailed
from kernels.targets.cpu_c.flags import refused
from kernels.targets.cpu_c.toolchain import Compiler

_MARKER: Final = re.compile(r'^# \d+ "([^"]+)"[ \d]*$', re.MULTILINE)
_DEFINE: Final = re.compile(r"^#define (\w+) (.+)$", re.MULTILINE)
_FILE: Final = "foreign.c"


@dataclass(frozen=True, slots=True)
class Preprocessed:
    """macros: those without parameters. headers: files of the given folders by the name they are included with."""

    text: str
    macros: Mapping[str, str]
    headers: Mapping[str, Path]


def preprocess(
    compiler: Compiler, source: str, flags: Sequence[str], defines: Mapping[str, int], folders: Sequence[Path]
) -> Preprocessed:
    """defines: macros in front of the source. folders: where it may include from besides the system.

    Raises: CompileFailed: a header that is not there, a flag that is not allowed.
    """
    bad = refused(flags)
    if bad is not None:
        raise CompileFailed("flag", f"compiler flag {bad!r} is not allowed: code generation flags only")
    places = [folder.resolve() for folder in folders]
    seeing = replace(compiler, readable=(*compiler.readable, *places))
    own = [f"-D{name}={value}" for name, value in defines.items()]
    words = ["-std=gnu11", *flags, *own, *(w for place in seeing.readable for w in ("-I", str(place)))]
    with TemporaryDirectory() as work:
        folder = Path(work)
        (folder / _FILE).write_text(source, encoding="utf-8")
        text = _run(seeing, [*words, "-E"], folder)
        macros = _run(seeing, [*words, "-E", "-dM"], folder)
    return Preprocessed(text, dict(_DEFINE.findall(macros)), _headers(text, places))


def _run(compiler: Compiler, words: Sequence[str], folder: Path) -> str:
    compiler.run([*words, _FILE, "-o", "out.i"], folder)
    return (folder / "out.i").read_text(encoding="utf-8", errors="replace")


def _headers(text: str, places: Sequence[Path]) -> dict[str, Path]:
    """By every name that they can be included with: one folder may lie within another."""
    paths = [Path(name) for name in dict.fromkeys(_MARKER.findall(text))]
    inside = [(path, place) for path in paths for place in places if path.is_relative_to(place)]
    return {path.relative_to(place).as_posix(): path for path, place in inside}
