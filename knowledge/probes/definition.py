"""What a probe file says: `<fact>.toml` beside the sources it names.

```
title = "Latency of a load that hits the first-level cache"
unit = "ns"
source = "chase.c"        # defines void probe(uint8_t *area, int64_t bytes, int64_t count, uint64_t *out)
bytes = "0.5 l1"          # size of `area`, see sizes.py; what it holds: fill = "zero" | "random" | "chase" | "floats"
quantity = "time"         # "time": ns for one of `work`; "rate": `work` a ns
work = 8                  # what one of `count` is worth; "bytes" for the size of `area`
threads = "one"           # or "all"
pages = "huge"            # or "small"
method = "slope"          # "call", with count 0, by `work`; "round_trip", of an empty message; "modes", see measure.py
requires = ["avx512f"]    # features of the processor; without them there is no such fact
[defines]                 # macros of the source
[against]                 # keys of a second setup: the fact is then first / second, read by turns
[sweep]                   # key = "bytes" or the name of a macro; values = [...]; headline = "first" | "last" | "best"
```
"""

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

Fill = Literal["zero", "random", "chase", "floats"]
Method = Literal["slope", "call", "round_trip", "modes"]
Quantity = Literal["time", "rate"]


class ProbeError(Exception):
    """A probe file that cannot be used: what was asked, what was found, what to do."""

    def __init__(self, path: Path, found: str, todo: str = "Mend the file; see knowledge/probes/definition.py") -> None:
        super().__init__(f"probe {path}: {found}. {todo}")


class _Setup(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    source: str = Field(pattern=r"^[\w-]+\.\w+$")
    size: str = Field(default="4096", alias="bytes")
    fill: Fill = "zero"
    threads: Literal["one", "all"] = "one"
    pages: Literal["huge", "small"] = "huge"
    quantity: Quantity = "time"
    work: float | Literal["bytes"] = 1
    flags: tuple[str, ...] = ()
    defines: dict[str, int | float | str] = {}


class _Sweep(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    key: str
    values: tuple[int | str, ...] = Field(min_length=2)
    headline: Literal["first", "last", "best"] = "last"


class _File(_Setup):
    title: str = Field(min_length=8)
    unit: str
    method: Method = "slope"
    requires: tuple[str, ...] = ()
    against: dict[str, Any] = {}
    sweep: _Sweep | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """One way to run one source. size: as written; work: None for the size of the area."""

    source: Path
    size: str
    fill: Fill
    threads: Literal["one", "all"]
    pages: Literal["huge", "small"]
    quantity: Quantity
    work: float | None
    flags: tuple[str, ...] = ()
    defines: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sweep:
    """points: (x as written, setup) in order."""

    key: str
    headline: Literal["first", "last", "best"]
    points: tuple[tuple[str, Setup], ...]


@dataclass(frozen=True, slots=True)
class Definition:
    """One fact of a target. digest: hash of the file and of every source it names."""

    name: str
    target: str
    title: str
    unit: str
    method: Method
    requires: tuple[str, ...]
    setup: Setup
    against: Setup | None
    sweep: Sweep | None
    digest: str


def read_definition(path: Path, target: str) -> Definition:
    """Raises: ProbeError."""
    raw = _toml(path)
    try:
        found = _File.model_validate(raw)
        setup = _setup(path, found)
        against = _setup(path, _over(raw, found.against)) if found.against else None
        sweep = _sweep(path, raw, found.sweep) if found.sweep is not None else None
    except ValidationError as error:
        first = error.errors()[0]
        raise ProbeError(path, f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error
    setups = [setup, *([against] if against else []), *(one for _, one in (sweep.points if sweep else ()))]
    return Definition(
        path.stem, target, found.title, found.unit, found.method, found.requires, setup, against, sweep,
        _digest(path, {one.source for one in setups}),
    )  # fmt: skip


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ProbeError(path, f"it is not readable TOML: {error}") from error


def _over(raw: Mapping[str, Any], changes: Mapping[str, Any]) -> _Setup:
    own = {one.alias or name for name, one in _Setup.model_fields.items()}
    kept = {name: value for name, value in raw.items() if name in own}
    return _Setup.model_validate({**kept, **changes})


def _setup(path: Path, found: _Setup) -> Setup:
    source = path.parent / found.source
    if not source.is_file():
        raise ProbeError(path, f"source {found.source!r} is not beside it")
    work = None if found.work == "bytes" else float(found.work)
    return Setup(
        source, found.size, found.fill, found.threads, found.pages, found.quantity, work, found.flags,
        {name: str(value) for name, value in found.defines.items()},
    )  # fmt: skip


def _sweep(path: Path, raw: Mapping[str, Any], sweep: _Sweep) -> Sweep:
    points: list[tuple[str, Setup]] = []
    for value in sweep.values:
        known = sweep.key in {one.name for one in fields(Setup)} | {"bytes"}
        changes = {sweep.key: value} if known else {"defines": {**raw.get("defines", {}), sweep.key: value}}
        points.append((str(value), _setup(path, _over(raw, changes))))
    return Sweep(sweep.key, sweep.headline, tuple(points))


def _digest(path: Path, sources: set[Path]) -> str:
    whole = hashlib.sha256(path.read_bytes())
    for source in sorted(sources):
        whole.update(source.read_bytes())
    return whole.hexdigest()[:16]
