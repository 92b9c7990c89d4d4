"""Typed settings: flag > environment > file > default.

The file is `kernelwright.toml` in the home folder; an environment variable is KERNELWRIGHT_ and the name in capitals.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from app.brain_tables import ROLES, BrainTable, LimitTable, PriceTable, known_words
from app.environment import from_environment, variable
from kernels.fleet.words import known_device
from knowledge.memory import (
    KEPT,
    LONGEST_REFLECTION,
    LONGEST_STRATEGY,
    REFLECTION_CHARACTERS,
    STRATEGY_CHARACTERS,
)

FILE = "kernelwright.toml"
KEYS = "keys"
OF_CAMPAIGN = frozenset(
    {"pack", "target", "kernels", "minutes", "candidates", "device_seconds", "seed", "usd", "tokens"}
)


class UsageError(Exception):
    """A person's mistake: what was asked, what was found, what to do. Exit code 2."""


class MissingError(Exception):
    """Something of the environment is missing, named. Exit code 3."""


class Settings(BaseModel):
    """One campaign's settings; every field can be set by flag, environment or file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    pack: str = "gemma_decode"
    target: str = "cpu-c"
    compiler: str = Field(default="", description="name or path of the target's compiler; empty = its own choice")
    brain: str = Field(default="offline", description="of the workers, by words; see roles/brains/registry.py")
    brains: dict[str, tuple[BrainTable, ...]] = Field(default={}, description="models by role, tried in order")
    role_brains: dict[str, tuple[BrainTable, ...]] = Field(
        default={}, description="models by role as the command line names them; before those of `brains`"
    )
    usd: float | None = Field(default=None, ge=0, description="dollars for models; 0 = no limit")
    tokens: int = Field(default=0, ge=0, description="tokens of models; 0 = no limit")
    at_limit: Literal["offline", "stop"] = Field(
        default="offline", description="at the campaign's limit: the offline policy goes on, or the campaign ends"
    )
    role_limits: dict[str, LimitTable] = Field(default={}, description="dollars and tokens by role")
    kernel_limits: dict[str, LimitTable] = Field(default={}, description="dollars and tokens by kernel")
    prices: dict[str, PriceTable] = Field(default={}, description="dollars per million tokens by model")
    kernels: tuple[str, ...] = ()
    minutes: float = Field(default=0.0, ge=0, description="wall time; 0 = unbounded")
    candidates: int = Field(default=0, ge=0, description="finished attempts; 0 = unbounded")
    device_seconds: float = Field(
        default=0.0, ge=0, description="for which the machine is held: builds, checks, readings; 0 = unbounded"
    )
    seed: int | None = Field(default=None, description="seed of every drawn decision; secrets never come from it")
    devices: tuple[str, ...] = Field(
        default=("local",), description="where kernels run: local, dask:tcp://HOST:8786; several work side by side"
    )
    workers: int = Field(default=3, ge=1, le=36)
    kernel_workers: int = Field(
        default=0, ge=0, le=36, description="workers of one kernel at once; 0 = one, or four when workers have a model"
    )
    in_flight_minutes: float = Field(
        default=30.0,
        ge=0,
        description="of the device, that open briefs may take together, and a model's brief; 0 = any",
    )
    strategy_s: float = Field(
        default=10_800.0, ge=0, description="seconds between two rankings of the strategist's model; 0 = stalls alone"
    )
    design_s: float = Field(default=1800.0, ge=0, description="seconds between two rounds of an architect's model")
    review_s: float = Field(default=900.0, ge=0, description="seconds between two reviews of an owner's model")
    reading_s: float = Field(default=3600.0, ge=0, description="seconds between two readings of an auditor's model")
    rule: Literal["paired", "paper", "margin", "mean"] = "paired"
    min_gain: float = Field(default=0.005, ge=0, description="smallest fresh-pair estimate that is filed")
    flat_within: float = Field(default=0.005, gt=0, description="d of the FLAT test, log scale")
    placebo_every: int = Field(default=15, ge=0, description="one test in so many is a placebo; 0 = none")
    epoch_s: float = Field(default=240.0, gt=0)
    plateau_draft: int = Field(
        default=12, ge=0, description="r_draft: attempts without a promotion before another design; 0 = never"
    )
    plateau_stop: int = Field(
        default=0, ge=0, description="stop a kernel after so many attempts without a promotion; 0 = never"
    )
    ledger_every: int = Field(default=4, ge=1, description="promotions between two 12-pair ledgers")
    knowledge: bool = Field(
        default=True, description="off: memory, rules, skills, priors and cheat sheets are; what is measured stays"
    )
    memory: bool = Field(default=True, description="wins and traps are kept and used")
    memory_shared: bool = Field(default=True, description="off: what was learned on a kernel is told on that one alone")
    siblings: bool = Field(default=True, description="off: of a kernel's work nothing of other kernels is told")
    leaderboard: bool = Field(
        default=True, description="off: models are not told what was tried on their kernel and what came of it"
    )
    memory_retention: Literal["none", "bounded", "unbounded"] = Field(
        default="bounded", description="what is kept of them in a campaign: nothing, so many per kernel type, all"
    )
    memory_wins: int = Field(default=KEPT, ge=0, description="wins kept per kernel type when bounded, best first")
    memory_traps: int = Field(default=KEPT, ge=0, description="traps kept per kernel type when bounded, newest first")
    memory_strategy: int = Field(
        default=STRATEGY_CHARACTERS, ge=16, le=LONGEST_STRATEGY, description="characters of a strategy"
    )
    memory_reflection: int = Field(
        default=REFLECTION_CHARACTERS, ge=0, le=LONGEST_REFLECTION, description="characters of a reflection"
    )
    rules: bool = Field(default=True, description="gate legality refuses what a legality rule says cannot compile")
    skills: bool = Field(default=True, description="strategy skills are priors and stand in briefs")
    priors: bool = Field(default=True, description="what is known of levers beforehand orders the offline policy")
    races: bool = Field(default=True, description="race the variants of a lever that has knobs before one is tested")
    race_variants: int = Field(default=16, ge=2, le=64, description="variants in a race at most")
    trace_gate: bool = Field(default=True, description="profile a new design beside the head before it is tested")
    isolated: bool = Field(
        default=False, description="use nothing that other campaigns of this home found; experiments set it"
    )
    approve: bool = Field(default=False, description="ask a person before a confirmed candidate becomes the head")
    refine_at: float = Field(
        default=0.85, ge=0, lt=1, description="share of the minutes after which no new design is begun; 0 = never"
    )
    watchdog_s: float = Field(default=60.0, gt=0)
    audit_s: float = Field(default=120.0, ge=0, description="seconds between audits of heads; 0 = only new ones")
    guard: Literal["all", "pack"] = Field(
        default="all", description="files whose change pauses a campaign: the pack's and the harness's, or the pack's"
    )
    static_gate: Literal["band", "gain", "record"] = Field(
        default="band", description="what a static plan may refuse: the clearly slower, what plans no 3 % gain, nothing"
    )
    recheck_facts_s: float = Field(
        default=60.0,
        ge=0,
        description="seconds for facts after a toolchain change; the rest stays stale",
    )
    audit_sweep_s: float = Field(default=3.0, ge=0, description="device time of one audit's part of the domains")

    @field_validator("compiler")
    @classmethod
    def _compiler(cls, named: str) -> str:
        """A path is one wherever the next start is made."""
        return str(Path(named).expanduser().absolute()) if "/" in named else named

    @field_validator("brain")
    @classmethod
    def _brain(cls, words: str) -> str:
        return known_words(words)

    @field_validator("devices")
    @classmethod
    def _devices(cls, words: tuple[str, ...]) -> tuple[str, ...]:
        if not words:
            raise ValueError("no device at all; the default is local")
        return tuple(known_device(one) for one in words)

    @field_validator("brains", "role_brains", mode="before")
    @classmethod
    def _brains(cls, raw: Any) -> Any:
        """`worker = "anthropic:m"` and lists of words mean the same as tables."""
        if not isinstance(raw, Mapping):
            return raw
        if unknown := sorted(set(raw) - set(ROLES)):
            raise ValueError(f"no model serves {', '.join(unknown)}; roles with models: {', '.join(ROLES)}")
        return {role: tuple(_table(one) for one in (many if isinstance(many, list | tuple) else [many]))
                for role, many in raw.items()}  # fmt: skip


def _table(one: Any) -> Any:
    return {"model": one} if isinstance(one, str) else one


def load(home: Path, flags: Mapping[str, Any]) -> Settings:
    """Merge the three sources; a brain by flag replaces the file's table of brains. Each source is looked at by itself
    first, so that none hides the mistake of another. Raises: UsageError that names the field, the value, what is
    allowed and where it stands."""
    table = {name: value for name, value in from_file(home).items() if name != KEYS}
    _valid(table, lambda _: f"change its line in {home / FILE}")
    variables = from_environment(Settings.model_fields)
    _valid(variables, lambda field: f"change the variable {variable(field)}")
    return _valid({**table, **variables, **_instead(flags)})


def _instead(flags: Mapping[str, Any]) -> dict[str, Any]:
    return {**({"brains": {}, "role_brains": {}} if "brain" in flags else {}), **flags}


def resumed(kept: Mapping[str, Any], now: Settings, flags: Mapping[str, Any]) -> Settings:
    """What a campaign goes on with: as it was started, but for what a start sets now. kept: its settings until now.

    Its pack, target, kernels and budgets change by flag alone: what the environment and the file say of them is meant
    for new campaigns. Its seed never changes. Raises: UsageError when a kept value is not valid any more.
    """
    set_now = {name: getattr(now, name) for name in now.model_fields_set if name not in OF_CAMPAIGN or name in flags}
    known = {name: value for name, value in kept.items() if name in Settings.model_fields}
    brains = {name: value for name, value in flags.items() if name in ("brain", "role_brains")}
    return _valid({**known, **set_now, **_instead(brains), "seed": kept.get("seed")})


def _valid(
    values: Mapping[str, Any], todo: Callable[[str], str] = lambda _: "change it where it was given"
) -> Settings:
    """todo: what to do about the setting of a name. Raises: UsageError."""
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        raise UsageError(_told(first["loc"], first["type"], first["msg"], first.get("input"), todo)) from error


def _told(place: tuple[int | str, ...], kind: str, message: str, found: object, todo: Callable[[str], str]) -> str:
    """What was asked, what was found, what to do, of the first setting that does not fit."""
    field = ".".join(map(str, place))
    if kind == "extra_forbidden":
        near = get_close_matches(str(place[0]), Settings.model_fields, 1) if len(place) == 1 else []
        meant = f"did you mean {near[0]}?" if near else "take the line out, or see docs/commands.md"
        return f"setting {field}: there is none of this name, found {field} = {found!r}; {meant}"
    return f"setting {field}: {in_words(message)}; found {found!r}; {todo(str(place[0]))}"


def in_words(message: str) -> str:
    """What a check of values says, without the names of our classes."""
    plain = message.removeprefix("Value error, ").replace("Input should be", "must be")
    plain = plain.replace("Field required", "it is missing").replace("a valid tuple", "a list")
    plain = plain.replace("Extra inputs are not permitted", "there is no such entry")
    return re.sub(r"a valid dictionary( or instance of \w+)?", "a table", plain)


def from_file(home: Path) -> dict[str, Any]:
    """The file's table, the screen's `[keys]` in it too; {} without a file. Raises: UsageError when it is no TOML."""
    path = home / FILE
    if not path.is_file():
        return {}
    try:
        return dict(tomllib.loads(path.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is not valid TOML: {error}; mend it or move it away") from error
