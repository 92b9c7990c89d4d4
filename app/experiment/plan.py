"""What an experiment's file asks for: TOML in, a checked plan out."""

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from app.brains import specs_of
from app.experiment.arms import OWN, settings_of
from app.settings import Settings, UsageError, in_words, load
from kernels.judge.sample_size import LEAST_EFFECT

BUDGETS: Final[Mapping[str, str]] = {
    "positions": "candidates", "device_seconds": "device_seconds", "usd": "usd", "minutes": "minutes",
}  # fmt: skip
"""Kinds of budgets, with the setting of each."""
FINAL_PAIRS: Final = 12


class _File(BaseModel):
    """The file. name: its stem by default. pairs: of each head in the final block. least_effect: a difference that
    matters, as a share."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = ""
    pack: str = "gemma_decode"
    target: str = "cpu-c"
    compiler: str = ""
    kernels: tuple[str, ...] = ()
    trajectories: int = Field(ge=1, le=1000)
    seed: int = Field(default=1, ge=0)
    pairs: int = Field(default=FINAL_PAIRS, ge=6, le=100)
    least_effect: float = Field(default=LEAST_EFFECT, gt=0, lt=10)
    budget: dict[str, Annotated[float, Field(strict=True, allow_inf_nan=False)]]
    settings: dict[str, Any] = {}
    arm: tuple[dict[str, Any], ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _checked(self) -> "_File":
        kinds = ", ".join(BUDGETS)
        if len(self.budget) != 1 or not set(self.budget) <= set(BUDGETS):
            raise ValueError(f"budget: exactly one of {kinds}; found {', '.join(self.budget) or 'none'}")
        if min(self.budget.values()) <= 0:
            raise ValueError("budget: it must be above 0")
        if self.budget.get("positions", 1.0) % 1:
            raise ValueError(f"budget: positions are whole; found {self.budget['positions']:g}")
        names = [str(one.get("name", "")) for one in self.arm]
        if "" in names or len(set(names)) < len(names):
            raise ValueError(f"arm: each needs a name of its own; found {', '.join(names) or 'none'}")
        return self


@dataclass(frozen=True, slots=True)
class Budget:
    """Of each trajectory. kind: a key of `BUDGETS`."""

    kind: str
    amount: float

    @property
    def text(self) -> str:
        words = {"positions": "positions", "device_seconds": "device seconds", "usd": "dollars", "minutes": "minutes"}
        return f"{self.amount:g} {words[self.kind]}"


@dataclass(frozen=True, slots=True)
class Arm:
    """settings: of its campaigns, but for their seeds. said: what the file says of it."""

    name: str
    settings: Settings
    said: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """The first arm is the control. idle_too: arms that cannot matter are run as well, and show the noise."""

    name: str
    budget: Budget
    trajectories: int
    seed: int
    pairs: int
    least_effect: float
    arms: tuple[Arm, ...]
    idle_too: bool = False

    @property
    def control(self) -> Arm:
        return self.arms[0]

    def to_json(self) -> dict[str, Any]:
        """Of settings those that are not as by default: a plan stays the same when there are more of them."""
        return {
            "name": self.name, "budget": {self.budget.kind: self.budget.amount}, "trajectories": self.trajectories,
            "seed": self.seed, "pairs": self.pairs, "least_effect": self.least_effect, "idle_too": self.idle_too,
            "arms": [
                {"name": a.name, "said": dict(a.said), "settings": _set(a.settings)}
                for a in self.arms
            ],
        }  # fmt: skip

    @property
    def digest(self) -> str:
        """Of all that decides what is run."""
        return hashlib.sha256(json.dumps(self.to_json(), sort_keys=True).encode()).hexdigest()


def read(
    file: Path, home: Path, *, positions: int | None = None, trajectories: int | None = None, idle_too: bool = False
) -> Plan:
    """positions, trajectories: in place of the file's. Raises: UsageError that names what is wrong."""
    raw = _toml(file)
    if positions is not None:
        raw["budget"] = {"positions": positions}
    if trajectories is not None:
        raw["trajectories"] = trajectories
    try:
        asked = _File.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        place = "".join(f"{part}." for part in first["loc"]).removesuffix(".")
        where = f"{file}: {place}" if place else f"{file}"
        raise UsageError(f"{where}: {in_words(first['msg'])}{_hint(first['loc'])}") from error
    (kind, amount), *_ = asked.budget.items()
    budget = Budget(kind, amount)
    arms = tuple(_arm(file, home, asked, one, budget) for one in asked.arm)
    name = asked.name or file.stem
    return Plan(name, budget, asked.trajectories, asked.seed, asked.pairs, asked.least_effect, arms, idle_too)


def _hint(place: tuple[int | str, ...]) -> str:
    return "; every arm begins with a line [[arm]]" if place == ("arm",) else ""


def _set(settings: Settings) -> dict[str, Any]:
    return settings.model_dump(mode="json", exclude_defaults=True)


def _toml(file: Path) -> dict[str, Any]:
    try:
        return dict(tomllib.loads(file.read_text(encoding="utf-8")))
    except OSError as error:
        raise UsageError(
            f"experiment {file}: {error.strerror or error}; kernels/packs/axpy_gemv/ablation.toml is an example"
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"experiment {file} is not valid TOML: {error}") from error


def _arm(file: Path, home: Path, asked: _File, said: Mapping[str, Any], budget: Budget) -> Arm:
    own = {name: value for name, value in said.items() if name != "name"}
    for values in (asked.settings, own):
        if fixed := sorted(set(values) & (OWN | {BUDGETS[budget.kind]})):
            raise UsageError(f"{file}: {', '.join(fixed)} is the same for all arms and stands at the top of the file")
    try:
        flags = {**settings_of(asked.settings), **settings_of(own), **_same(asked, budget)}
        settings = load(home, flags)
    except UsageError as error:
        raise UsageError(f"{file}: arm {said['name']!r}: {error}") from error
    if budget.kind == "usd" and not specs_of(settings):
        raise UsageError(
            f"{file}: arm {said['name']!r} asks no model and spends no dollars, so that it would never end; give the "
            "budget in positions, device_seconds or minutes"
        )
    return Arm(str(said["name"]), settings, own)


def _same(asked: _File, budget: Budget) -> dict[str, Any]:
    """What every trajectory has, whatever environment and home say. Dollars limit all arms where they are no budget."""
    limits: dict[str, Any] = {"minutes": 0.0, "candidates": 0, "device_seconds": 0.0}
    limits[BUDGETS[budget.kind]] = int(budget.amount) if budget.kind == "positions" else budget.amount
    return {
        "pack": asked.pack, "target": asked.target, "compiler": asked.compiler, "kernels": asked.kernels,
        "isolated": True, "seed": None,
        **({"at_limit": "stop"} if budget.kind == "usd" else {}), **limits,
    }  # fmt: skip
