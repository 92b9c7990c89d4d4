"""The TOML file of an external target. Every table says what it is for; unknown keys are refused.

Fields of templates: in all, the names of `[needs]` as absolute paths, and {python}, {driver} (loads a shared object and
calls it as the manifest says), {include} (the folder of a stand-alone kernelwright.h), {target} (the folder of the
TOML file). In `build`: {src} (folder of the sources), {main}, {kernel}, {entry}, {out} (where to put the artefact),
{flags} (the candidate's), {marks} (1 in a profiled build, else 0). In all that run it: {artefact}, {build} (its
folder), {job} (see `job.py`), {name}, {timeout_s}. In `queue`: {id}.
"""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal, Self

from pydantic import Field, ValidationError, model_validator

from kernels.targets.base import TargetError
from kernels.targets.external import words
from kernels.targets.external.kinds import Below, MainFile, Needed, Told
from kernels.targets.external.mistakes import told
from kernels.targets.external.tables import (
    Board,
    Build,
    Command,
    Launches,
    Limits,
    Profile,
    Queue,
    Schedule,
    Sign,
    Table,
    Time,
    Version,
)  # fmt: skip
from kernels.targets.plugin import Ability

Trust = Literal["referee-timed", "device-timed", "grader-reported"]
ALWAYS: Final = ("python", "driver", "include", "target")
BUILDS: Final = (*ALWAYS, "src", "main", "kernel", "entry", "out", "flags", "marks")
SUBMITS: Final = (*ALWAYS, "artefact", "build", "kernel", "entry", "job", "name", "timeout_s")
RUNS: Final = (*SUBMITS, "id")
TODO: Final = "Mend the file; its keys stand in kernels/targets/external/recipe.py and tables.py"
CHECKS: Final = (*ALWAYS, "job", "name", "timeout_s")
VERSIONS: Final = (*ALWAYS, "timeout_s")


class Recipe(Table):
    """lanes: of its timeline, as clusters or threads. features: names of what its processor can, as levers ask for
    them; "host" for those of this machine. stand_in: it only plays the device, and says so wherever a number of it
    appears. gaps: what it cannot do, with the reason. watched: files whose change may mean another toolchain, besides
    the target file and the programs."""

    title: Told
    device: Told
    trust: Trust
    build: Build
    time: Time | None = None
    launches: Launches = Launches()
    run: Command | None = None
    queue: Queue | None = None
    board: Board | None = None
    check: Command | None = None
    profile: Profile | None = None
    schedule: Schedule | None = None
    language: Told = "c"
    baseline: Below = "baseline.c"
    main: MainFile = "kernel.c"
    lanes: int = Field(default=1, ge=1)
    features: tuple[str, ...] = ()
    needs: dict[Needed, Told] = Field(default_factory=dict)
    versions: dict[str, Version] = Field(default_factory=dict)
    signs: tuple[Sign, ...] = ()
    limits: Limits = Limits()
    pass_env: tuple[str, ...] = ()
    watched: tuple[str, ...] = ()
    gaps: dict[Ability, str] = Field(default_factory=dict)
    stand_in: bool = False

    @model_validator(mode="before")
    @classmethod
    def _one_launch(cls, raw: Any) -> Any:
        """What the referee times is one launch of a command."""
        if isinstance(raw, dict) and raw.get("trust") == "referee-timed" and "launches" not in raw:
            return raw | {"launches": {"untimed": 0, "timed": 1}}
        return raw

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.run is None) == (self.queue is None):
            raise ValueError("give [run] or [queue], one of both")
        if (self.trust == "referee-timed") != (self.time is None):
            raise ValueError('trust "referee-timed" goes without [time], the others need it')
        if self.trust == "referee-timed" and self.launches != Launches(untimed=0, timed=1):
            raise ValueError("the referee times one launch of a command: [launches] untimed = 0, timed = 1")
        taken = sorted({*self.needs} & {*BUILDS, *RUNS})
        if taken:
            raise ValueError(f"[needs] {taken[0]}: this name stands for something else; give the program another one")
        words.check([] if self.time is None else [self.time.reader.about], ("kernel", "entry"), "time.reader.about")
        for place, command, fields in self._templates():
            words.check(command, (*fields, *self.needs), place)
        return self

    def _templates(self) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
        """Where it stands, its words, and the fields that they may use."""
        yield "build.command", self.build.command, BUILDS
        yield "build.strict", self.build.strict, BUILDS
        yield "watched", self.watched, ALWAYS
        yield from _words_of("run", self.run, SUBMITS)
        yield from _words_of("check", self.check, CHECKS)
        yield from _words_of("profile", self.profile, RUNS)
        yield from _words_of("schedule", self.schedule, (*BUILDS, *SUBMITS))
        for name, version in self.versions.items():
            yield from _words_of(f"versions.{name}", version, VERSIONS)
        for name, queue, fields in (("queue", self.queue, ()), ("board", self.board, BUILDS)):
            if queue is not None:
                yield from _words_of(f"{name}.submit", queue.submit, (*fields, *SUBMITS))
                for step in ("status", "logs", "cancel"):
                    yield from _words_of(f"{name}.{step}", getattr(queue, step), (*fields, *RUNS))


def _words_of(
    place: str, command: Command | None, fields: tuple[str, ...]
) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    if command is not None:
        yield f"{place}.command", command.command, fields


def read_recipe(path: Path) -> Recipe:
    """Raises: TargetError that names the file and the key."""
    asked = f"target file {path}"
    try:
        raw: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        return Recipe.model_validate(raw)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise TargetError(asked, str(error), TODO) from error
    except ValidationError as error:
        raise TargetError(asked, told(error, Recipe), TODO) from error
