"""Tables of a target file, each checked by itself. Unknown keys are refused."""

from pathlib import PurePosixPath
from typing import Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from kernels.targets.external.kinds import Below, ErrorsRegex, SignRegex, SpansRegex, States, Variable, Word, below
from kernels.targets.external.reader import Reader, imported

Unit = Literal["ns", "us", "ms", "s", "cycles"]
Meaning = Literal["hang", "crash", "memory", "wrong", "busy", "login", "unhealthy"]
NS: Final = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}
LONGEST_S: Final = 86400.0
"""A command never has longer than a day."""


class Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Command(Table):
    """command: an argument list. logs: files to keep, as patterns below the job's or the build's folder. env: variables
    besides PATH, HOME, LANG and TMPDIR, as they stand: no field is filled in."""

    command: tuple[Word, ...] = Field(min_length=1)
    timeout_s: float = Field(default=60.0, gt=0, le=LONGEST_S)
    logs: tuple[Below, ...] = ()
    env: dict[Variable, Word] = Field(default_factory=dict)


class Build(Command):
    """artefact: what has to be there afterwards, below {out}; a file or a folder. errors: a regex with groups message,
    and file, line, column, severity where it can. strict: in place of `command`, for a baseline that is its own
    reference."""

    artefact: Below
    errors: ErrorsRegex = ""
    strict: tuple[Word, ...] = ()

    @model_validator(mode="after")
    def _made(self) -> Self:
        if PurePosixPath(self.artefact).parts[:1] in ((), ("src",)):
            raise ValueError(f"artefact {self.artefact!r}: name what the build makes, outside of its sources in src")
        return self


class Time(Table):
    """Where a call's time comes from; without a reader from the referee's clock around the whole command.

    clock_ghz: cycles per ns, for unit "cycles". parts: readings of one launch, one after the other, as of clusters: it
    takes as long as the slowest. of: what counts of several launches of one call.
    """

    reader: Reader
    unit: Unit = "ns"
    clock_ghz: float = Field(default=0.0, ge=0)
    parts: int = Field(default=1, ge=1)
    of: Literal["median", "minimum", "maximum", "mean"] = "median"

    @model_validator(mode="after")
    def _has_clock(self) -> Self:
        _clocked(self.unit, self.clock_ghz)
        return self

    @property
    def ns_per_unit(self) -> float:
        return NS[self.unit] if self.unit != "cycles" else 1.0 / self.clock_ghz


class Launches(Table):
    """Of one call, in one process, on the same inputs. untimed: the first ones, never counted. A command that prints
    times prints them of all of these, `untimed` too."""

    untimed: int = Field(default=1, ge=0)
    timed: int = Field(default=1, ge=1)


class Profile(Command):
    """spans: a regex with groups name, begin, end, and lane where there are several; or parser: `module:function` from
    (text, clock_ghz) to a Timeline. unit as of a time. With a queue its logs or files are read: no command is run."""

    spans: SpansRegex = ""
    parser: str = ""
    file: str = ""
    unit: Unit = "ns"
    clock_ghz: float = Field(default=0.0, ge=0)

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (not self.spans) == (not self.parser):
            raise ValueError("give spans or parser, one of both")
        _check_source(self)
        return self


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
        _check_source(self)
        return self


def _check_source(one: "Profile | Schedule") -> None:
    """Raises: ValueError for a clock, file or parser that could not work."""
    _clocked(one.unit, one.clock_ghz)
    if one.file:
        below(one.file)
    if one.parser:
        imported(one.parser)


def _clocked(unit: Unit, clock_ghz: float) -> None:
    """Raises: ValueError."""
    if (unit == "cycles") != (clock_ghz > 0):
        raise ValueError('unit "cycles" needs clock_ghz, and nothing else has it')


class Queue(Table):
    """A remote queue in place of `run`: submit, then status until it is done, then logs. running, done, failed: states;
    one that is in none of them is nobody's failure. poll_s: seconds between two looks. tries, wait_s: how often a busy
    queue is asked, and how long before the second time, then twice that, and so on; a status or log that cannot be had
    is asked for as often. most: jobs of one account at a time, for the record: one is sent after the other."""

    submit: Command
    status: Command
    logs: Command
    cancel: Command | None = None
    id: Reader
    state: Reader
    running: tuple[str, ...]
    done: States
    failed: tuple[str, ...] = ()
    poll_s: float = Field(default=1.0, gt=0)
    most: int = Field(default=1, ge=1)
    tries: int = Field(default=5, ge=1)
    wait_s: float = Field(default=10.0, ge=0)

    @model_validator(mode="after")
    def _told_apart(self) -> Self:
        every = (*self.running, *self.done, *self.failed)
        twice = [state for state in every if every.count(state) > 1]
        if twice:
            raise ValueError(f"state {twice[0]!r} stands twice in running, done and failed")
        _refuse_file(id=self.id, state=self.state)
        return self


class Board(Queue):
    """A public board, as a second queue: what is sent, and where its score stands in the logs. Fields as of a build and
    of a run."""

    score: Reader


class Sign(Table):
    """What it means when an output matches. say: for a reader, what to do about it."""

    regex: SignRegex
    means: Meaning
    say: str = ""


class Version(Command):
    reader: Reader | None = None

    @model_validator(mode="after")
    def _from_output(self) -> Self:
        _refuse_file(reader=self.reader)
        return self


class Limits(Table):
    """calls: timed calls of a reading, fewest and most. patience: times as long as usual that checks and pairs take,
    where a job takes seconds. The others hold for each process of a command: address space, size of a file, CPU time;
    0 = as it is."""

    calls: tuple[int, int] = (3, 64)
    patience: float = Field(default=1.0, ge=1)
    memory_mib: int = Field(default=4096, ge=0)
    file_mib: int = Field(default=256, ge=0)
    cpu_s: int = Field(default=600, ge=0)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if not 1 <= self.calls[0] <= self.calls[1]:
            raise ValueError(f"calls = {list(self.calls)}: the fewest, at least 1, and the most, in this order")
        return self


def _refuse_file(**readers: Reader | None) -> None:
    """Raises: ValueError for a reader of what is no output."""
    for name, reader in readers.items():
        if reader is not None and (reader.file or reader.about):
            raise ValueError(f"{name} is read from the command's output: it takes no file and no about")
