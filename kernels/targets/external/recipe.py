"""The TOML file of an external target. Every table says what it is for; unknown keys are refused.

Fields of templates: in all, the names of `[needs]` as absolute paths, and {python}, {driver} (loads a shared object and
calls it as the manifest says), {include} (the folder of a stand-alone kernelwright.h), {target} (the folder of the
TOML file). In `build`: {src} (folder of the sources), {main}, {kernel}, {entry}, {out} (where to put the artefact),
{flags} (the candidate's), {marks} (1 in a profiled build, else 0). In all that run it: {artefact}, {build} (its
folder), {job} (see `job.py`), {name}, {timeout_s}. In `queue`: {id}.
"""

import tomllib
from pathlib import Path
from typing import Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from kernels.targets.base import TargetError
from kernels.targets.external import words
from kernels.targets.external.reader import Reader
from kernels.targets.plugin import Ability

Trust = Literal["referee-timed", "device-timed", "grader-reported"]
Unit = Literal["ns", "us", "ms", "s", "cycles"]
Meaning = Literal["hang", "crash", "memory", "wrong", "busy", "login", "unhealthy"]
NS: Final = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}
ALWAYS: Final = ("python", "driver", "include", "target")
BUILDS: Final = (*ALWAYS, "src", "main", "kernel", "entry", "out", "flags", "marks")
RUNS: Final = (*ALWAYS, "artefact", "build", "kernel", "entry", "job", "name", "timeout_s", "id")


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Command(_Table):
    """command: an argument list. logs: files to keep, as patterns below the job's or the build's folder. env: variables
    besides PATH, HOME, LANG and TMPDIR."""

    command: tuple[str, ...] = Field(min_length=1)
    timeout_s: float = Field(default=60.0, gt=0)
    logs: tuple[str, ...] = ()
    env: dict[str, str] = Field(default_factory=dict)


class Build(Command):
    """artefact: what has to be there afterwards, below {out}; a file or a folder. errors: a regex with groups message,
    and file, line, column, severity where it can. strict: in place of `command`, for a baseline that is its own
    reference."""

    artefact: str
    errors: str = ""
    strict: tuple[str, ...] = ()


class Time(_Table):
    """Where a call's time comes from; without a reader from the referee's clock around the whole command.

    clock_ghz: cycles per ns, for unit "cycles". of: what counts of several launches or clusters of one call.
    """

    reader: Reader
    unit: Unit = "ns"
    clock_ghz: float = Field(default=0.0, ge=0)
    of: Literal["median", "minimum", "maximum", "mean"] = "median"

    @model_validator(mode="after")
    def _clocked(self) -> Self:
        if (self.unit == "cycles") != (self.clock_ghz > 0):
            raise ValueError('unit "cycles" needs clock_ghz, and nothing else has it')
        return self

    @property
    def ns_per_unit(self) -> float:
        return NS[self.unit] if self.unit != "cycles" else 1.0 / self.clock_ghz


class Launches(_Table):
    """Of one call, in one process, on the same inputs. untimed: the first ones, never read."""

    untimed: int = Field(default=1, ge=0)
    timed: int = Field(default=1, ge=1)


class Profile(Command):
    """spans: a regex with groups name, begin, end, and lane where there are several; or parser: `module:function` from
    (text, clock_ghz) to a Timeline. unit as of a time. With a queue its logs or files are read: no command is run."""

    spans: str = ""
    parser: str = ""
    file: str = ""
    unit: Unit = "ns"
    clock_ghz: float = Field(default=0.0, ge=0)


class Schedule(Command):
    """total: the planned end, read as one number. parser: `module:function` from the text to a Timetable, for a format
    of spans."""

    total: Reader | None = None
    parser: str = ""
    unit: Unit = "ns"
    clock_ghz: float = Field(default=0.0, ge=0)
    file: str = ""

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.total is None) == (not self.parser):
            raise ValueError("give total or parser, one of both")
        return self


class Queue(_Table):
    """A remote queue in place of `run`: submit, then status until it is done, then logs. most: jobs at a time."""

    submit: Command
    status: Command
    logs: Command
    cancel: Command | None = None
    id: Reader
    state: Reader
    running: tuple[str, ...]
    done: tuple[str, ...]
    failed: tuple[str, ...] = ()
    poll_s: float = Field(default=1.0, gt=0)
    most: int = Field(default=1, ge=1)
    tries: int = Field(default=5, ge=1)
    wait_s: float = Field(default=10.0, ge=0)


class Board(Queue):
    """A public board, as a second queue: what is sent, and where its score stands in the logs. Fields as of a build and
    of a run."""

    score: Reader


class Sign(_Table):
    """What it means when an output matches. say: for a reader, what to do about it."""

    regex: str
    means: Meaning
    say: str = ""


class Version(Command):
    reader: Reader | None = None


class Limits(_Table):
    """calls: timed calls of a reading, fewest and most. patience: times as long as usual that checks and pairs take,
    where a job takes seconds. The others hold for each process of a command: address space, size of a file, CPU time;
    0 = as it is."""

    calls: tuple[int, int] = (3, 64)
    patience: float = Field(default=1.0, ge=1)
    memory_mib: int = Field(default=4096, ge=0)
    file_mib: int = Field(default=256, ge=0)
    cpu_s: int = Field(default=600, ge=0)


class Recipe(_Table):
    """lanes: of its timeline, as clusters or threads. features: names of what its processor can, as levers ask for
    them; "host" for those of this machine. stand_in: it only plays the device, and says so wherever a number of it
    appears. gaps: what it cannot do, with the reason. watched: files whose change may mean another toolchain, besides
    the target file and the programs."""

    title: str
    device: str
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
    language: str = "c"
    baseline: str = "baseline.c"
    main: str = "kernel.c"
    lanes: int = Field(default=1, ge=1)
    features: tuple[str, ...] = ()
    needs: dict[str, str] = Field(default_factory=dict)
    versions: dict[str, Version] = Field(default_factory=dict)
    signs: tuple[Sign, ...] = ()
    limits: Limits = Limits()
    pass_env: tuple[str, ...] = ()
    watched: tuple[str, ...] = ()
    gaps: dict[Ability, str] = Field(default_factory=dict)
    stand_in: bool = False

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.run is None) == (self.queue is None):
            raise ValueError("give [run] or [queue], one of both")
        if (self.trust == "referee-timed") != (self.time is None):
            raise ValueError('trust "referee-timed" goes without [time], the others need it')
        if self.trust == "referee-timed" and self.launches != Launches(untimed=0, timed=1):
            raise ValueError("the referee times one launch of a command: [launches] untimed = 0, timed = 1")
        for command, fields in self._templates():
            words.check(command, (*fields, *self.needs))
        words.check(self.watched, (*ALWAYS, *self.needs))
        words.check([] if self.time is None else [self.time.reader.about], ("kernel", "entry"))
        return self

    def _templates(self) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
        runs = [self.run, self.check, self.profile, *self.versions.values()]
        if self.queue is not None:
            runs += [self.queue.submit, self.queue.status, self.queue.logs, self.queue.cancel]
        both = [] if self.schedule is None else [self.schedule.command]
        if self.board is not None:
            both += [one.command for one in (self.board.submit, self.board.status, self.board.logs)]
        return [
            *((one, BUILDS) for one in (self.build.command, self.build.strict)),
            *((one, (*BUILDS, *RUNS)) for one in both),
            *((one.command, RUNS) for one in runs if one is not None),
        ]


def read_recipe(path: Path) -> Recipe:
    """Raises: TargetError that names the file and the key."""
    asked = f"target file {path}"
    try:
        raw: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        return Recipe.model_validate(raw)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise TargetError(asked, str(error), "Mend the file; see kernels/targets/external/recipe.py") from error
    except ValidationError as error:
        first = error.errors()[0]
        found = f"{'.'.join(map(str, first['loc']))}: {first['msg']}".lstrip(": ")
        raise TargetError(asked, found, "Mend the file; see kernels/targets/external/recipe.py") from error
