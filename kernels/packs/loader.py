"""Finds and loads packs: the shipped ones beside this file, a user's own in `packs/` of the workspace."""

import hashlib
from pathlib import Path
from typing import Final, Literal

from kernels.packs.contract import read_kernel
from kernels.packs.generator import Spec
from kernels.packs.toml import PackError, Table, read_toml
from kernels.values.candidate import Candidate
from kernels.values.dialect import C, Dialect
from kernels.values.kernel import KernelSpec, Pack

__all__ = ["PackError", "available", "baseline", "find_kernel", "generators", "has_uniform_codes", "load_pack"]

SHIPPED: Final = Path(__file__).parent
BASELINE: Final = "baseline"
SOURCES: Final = (".c", ".cl", ".cu")
_SILENT: Final = (".md", ".txt", ".pyc")  # files that decide nothing

WeightRegime = Literal["generated", "uniform_codes"]


def available(workspace: Path | None = None) -> dict[str, Path]:
    """Folders of all packs by name; a pack of the workspace hides a shipped one of the same name.

    workspace: the folder that holds `packs/`; None = the current one.
    """
    found: dict[str, Path] = {}
    for place in (SHIPPED, (workspace or Path.cwd()) / "packs"):
        if place.is_dir():
            packs = sorted([*place.glob("*/pack.toml"), *place.glob("*/*/pack.toml")])  # alone, or in a folder of packs
            found |= {f.parent.name: f.parent for f in packs}
    return found


def load_pack(name_or_path: str | Path, workspace: Path | None = None) -> Pack:
    """A pack by name, or by the path of its folder.

    Raises: PackError when there is none, or when its files contradict themselves.
    """
    folder = _find(name_or_path, workspace).resolve()
    table = Table(read_toml(folder / "pack.toml"), f"pack.toml of {folder.name}")
    name, title = table.take("name", str), table.take("title", str)
    names = [str(n) for n in table.take("kernels", list)]
    table.done("known are name, title, kernels")
    if name != folder.name:
        raise PackError(f"pack {name!r}", f"its folder is called {folder.name!r}", "Give both the same name")
    if not names or len(set(names)) != len(names):
        raise PackError(f"pack {name}", f"kernels = {names}", "List at least one kernel, each once")
    kernels = tuple(read_kernel(name, folder / k) for k in names)
    return Pack(name, title, folder, kernels, digest(folder, names))


def _find(name_or_path: str | Path, workspace: Path | None) -> Path:
    path = Path(name_or_path)
    if (path / "pack.toml").is_file() and (path.is_absolute() or len(path.parts) > 1 or str(name_or_path)[:1] == "."):
        return path
    known = available(workspace)
    if str(name_or_path) in known:
        return known[str(name_or_path)]
    if (path / "pack.toml").is_file():
        return path
    todo = f"Known packs: {_listed(known)}; your own go to {(workspace or Path.cwd()) / 'packs'}"
    raise PackError(f"pack {str(name_or_path)!r}", "there is no pack of this name and no folder with a pack.toml", todo)


def _listed(packs: dict[str, Path]) -> str:
    """Names, those of a folder of packs behind its name."""
    groups: dict[str, list[str]] = {}
    for name, folder in sorted(packs.items()):
        group = folder.parent
        groups.setdefault("" if group == SHIPPED or group.name == "packs" else group.name, []).append(name)
    alone = groups.pop("", [])
    return "; ".join([", ".join(alone), *(f"{group}: {', '.join(names)}" for group, names in groups.items())])


def find_kernel(name: str, pack: str = "", workspace: Path | None = None) -> tuple[Pack, KernelSpec]:
    """A kernel by `pack/kernel`, by name within `pack`, or by a name that only one pack has.

    Raises: PackError when no pack or more than one has it.
    """
    head, slash, tail = name.rpartition("/")
    if slash or pack:
        return _kernel_of(load_pack(head or pack, workspace), tail)
    packs = [load_pack(p, workspace) for p in available(workspace).values()]
    hits = [p for p in packs if any(k.name == name for k in p.kernels)]
    if len(hits) == 1:
        return _kernel_of(hits[0], name)
    known = ", ".join(f"{p.name}/{k.name}" for p in (hits or packs) for k in p.kernels if not hits or k.name == name)
    raise PackError(f"kernel {name!r}", f"{len(hits)} packs have it", f"Name one of {known}")


def _kernel_of(pack: Pack, name: str) -> tuple[Pack, KernelSpec]:
    try:
        return pack, pack.kernel(name)
    except ValueError as error:
        todo = f"Name one of {', '.join(k.name for k in pack.kernels)}"
        raise PackError(f"kernel {name!r}", f"pack {pack.name} does not have it", todo) from error


def digest(folder: Path, kernels: list[str]) -> str:
    """SHA-256 over name and contents of every file that decides a verdict: contract, reference, baseline, helpers."""
    whole = hashlib.sha256()
    for file in deciding_files(folder, kernels):
        contents = file.read_bytes()
        whole.update(f"{file.relative_to(folder).as_posix()}\0{len(contents)}\0".encode())
        whole.update(contents)
    return whole.hexdigest()


def deciding_files(folder: Path, kernels: list[str]) -> list[Path]:
    """Contract, reference, baseline and helpers: not notes or experiments, nor candidates beside the baseline."""
    found = [*folder.glob("*"), *(f for k in kernels for f in (folder / k).rglob("*"))]
    return sorted(f for f in found if f.is_file() and not f.name.startswith(".") and _decides(f.relative_to(folder)))


def _decides(file: Path) -> bool:
    if len(file.parts) == 1 and file.suffix == ".toml":
        return file.name == "pack.toml"
    included = "include" in file.parts[:-1]
    return included or (file.suffix not in _SILENT and (file.suffix not in SOURCES or file.stem == BASELINE))


def baseline(spec: KernelSpec, dialect: Dialect = C) -> Candidate:
    """The baseline that ships with the kernel for targets of this language.

    Raises: PackError when it is absent.
    """
    path = spec.folder / dialect.baseline
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise PackError(
            f"baseline of {spec.name}", f"{path} cannot be read", f"Write the plain {dialect.language} kernel there"
        ) from error
    return dialect.candidate(spec.name, text)


def generators(spec: KernelSpec, weights: WeightRegime = "generated") -> dict[str, Spec]:
    """Generator of each argument; with "uniform_codes" those of `generate_uniform`, where an argument has one."""
    plain = {a.name: a.generate for a in spec.arguments}
    if weights == "generated":
        return plain
    raw = read_toml(spec.folder / "kernel.toml")["argument"]
    return plain | {a["name"]: tuple(a["generate_uniform"]) for a in raw if "generate_uniform" in a}


def has_uniform_codes(spec: KernelSpec) -> bool:
    """Whether promotion needs an epoch with `generators(spec, "uniform_codes")`."""
    return generators(spec, "uniform_codes") != generators(spec)
