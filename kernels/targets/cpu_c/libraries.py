"""Libraries that a pack names: where they lie, and which functions they bring."""

import re
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from kernels.targets.base import CompileFailed

ALWAYS: Final = ("m", "mvec")  # linked in any case
NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")
SYSTEM: Final = frozenset({"c", "dl", "pthread", "rt", "util", "asan", "tsan", "lsan", "ubsan", "c_malloc_debug"})
TIMEOUT_S: Final = 20.0
_SYMBOL: Final = re.compile(r"^[0-9a-f]{8,16} [gw ].{6} \.text\S*\s+[0-9a-f]+\s+(?:\(?\S+\)?\s+)?(\S+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Library:
    """functions: what it exports and the C library does not."""

    name: str
    path: Path
    functions: frozenset[str]


def find_libraries(compiler: Path, names: tuple[str, ...]) -> tuple[Library, ...]:
    """Raises: CompileFailed for the first that is not here or may not be used."""
    return tuple(_library(compiler, name) for name in names if name not in ALWAYS)


@cache
def _library(compiler: Path, name: str) -> Library:
    if not NAME.fullmatch(name) or name in SYSTEM:
        raise CompileFailed("flag", f"library {name!r} is not allowed: name one of functions, without lib and .so")
    path = _place(compiler, f"lib{name}.so")
    if path is None:
        todo = f"install it with its headers, so that {compiler.name} -l{name} finds it"
        raise CompileFailed("flag", f"library {name!r} is not here: {compiler} finds no lib{name}.so; {todo}")
    system = _place(compiler, "libc.so.6")
    return Library(name, path, _functions(path) - (_functions(system) if system is not None else frozenset()))


def _place(compiler: Path, file: str) -> Path | None:
    """Where the compiler finds it; a linker script is followed to its first library."""
    said = _output(str(compiler), f"-print-file-name={file}").strip()
    if not Path(said).is_absolute() or not Path(said).is_file():
        return None
    path = Path(said).resolve()
    if path.read_bytes()[:4] == b"\x7fELF":
        return path
    named = re.search(r"(/\S+\.so[\d.]*)", path.read_text(errors="replace").partition("GROUP")[2])
    return Path(named[1]) if named is not None else None


def _functions(path: Path) -> frozenset[str]:
    return frozenset(name.partition("@")[0] for name in _SYMBOL.findall(_output("objdump", "-T", str(path))))


def _output(*words: str) -> str:
    environment = {"LC_ALL": "C", "PATH": "/usr/bin:/bin:/usr/local/bin"}
    return subprocess.run(words, capture_output=True, text=True, timeout=TIMEOUT_S, check=False, env=environment).stdout
