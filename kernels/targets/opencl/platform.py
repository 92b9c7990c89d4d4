"""Where OpenCL is: the loader library and the list of platforms, of the system or of the Python package `pyopencl`."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

FOLDERS: Final = ("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib")
LIBRARY: Final = "libOpenCL.so.1"
VENDORS: Final = Path("/etc/OpenCL/vendors")
TOPOLOGY: Final = ("/sys/devices/system", "/proc/meminfo", "/proc/cpuinfo")
"""What PoCL reads to learn how many CPUs and how much memory there is."""


@dataclass(frozen=True, slots=True)
class Place:
    """library: the OpenCL loader; vendors: folder of *.icd files, or the path of a driver; readable: what a confined
    process must see of both beside the system's folders."""

    library: Path
    vendors: Path
    readable: tuple[Path, ...]
    origin: str

    @property
    def seen(self) -> tuple[Path, ...]:
        return (*self.readable, *(Path(path) for path in TOPOLOGY if Path(path).exists()))

    @property
    def sha256(self) -> str:
        """Over the loader and what the list of platforms says."""
        whole = hashlib.sha256(self.library.read_bytes())
        if self.vendors.is_file():
            whole.update(self.vendors.read_bytes())
        for listed in sorted(self.vendors.glob("*.icd")):
            whole.update(listed.read_bytes() + _driver(listed, self.library.parent))
        return whole.hexdigest()


def _driver(listed: Path, folder: Path) -> bytes:
    """The driver that an .icd file names, by path or by its name in the loader's folder; nothing when elsewhere."""
    named = listed.read_text(encoding="utf-8").strip()
    path = next((p for p in (Path(named), folder / named, listed.parent / named) if p.is_file()), None)
    return b"" if path is None else path.read_bytes()


def places() -> Iterator[Place]:
    """The system's first: its driver knows the newer processors."""
    found = next((path for folder in FOLDERS if (path := Path(folder) / LIBRARY).is_file()), None)
    if found is not None and any(VENDORS.glob("*.icd")):
        yield Place(found, VENDORS, (VENDORS,), "the system's packages")
    yield from _packaged()


def _packaged() -> Iterator[Place]:
    """The libraries that the wheel of pyopencl brings."""
    package = find_spec("pyopencl")
    if package is None or package.origin is None:
        return
    libraries = Path(package.origin).parent / ".libs"
    loader, driver = (next(libraries.glob(name), None) for name in ("libOpenCL*.so*", "libpocl*.so*"))
    if loader is not None and driver is not None:
        hardware = Path(package.origin).parents[1] / "pocl_binary_distribution"
        yield Place(loader, driver, (libraries, hardware), "the Python package pyopencl")
