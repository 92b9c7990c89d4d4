"""A target written as one TOML file: builds by its command, is run by jobs, says what its compiler said."""

import hashlib
import os
import platform
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from kernels.sandbox.runner import RunnerFailed
from kernels.sandbox.starter import StarterCall
from kernels.targets.base import Artefact, CompileFailed, Filed, Requirement, TargetError
from kernels.targets.cpu_c.diagnostics import root_cause, text_of
from kernels.targets.cpu_c.machine import this_machine
from kernels.targets.diagnosis import Diagnosis
from kernels.targets.external import built, keeping
from kernels.targets.external.commands import Ran, run
from kernels.targets.external.diagnose import read_diagnostics
from kernels.targets.external.queue import carried_out
from kernels.targets.external.reader import Unreadable
from kernels.targets.external.recipe import Build, Command, Recipe, Version, read_recipe
from kernels.targets.external.runner import JobStarter
from kernels.targets.external.schedule import timetable_of
from kernels.targets.external.signs import failure_of, sign_in
from kernels.targets.external.words import filled
from kernels.values.candidate import Candidate
from kernels.values.fingerprint import Fingerprint
from kernels.values.kernel import KernelSpec
from kernels.values.machine import Machine
from kernels.values.timetable import Timetable

DRIVER: Final = Path(__file__).with_name("driver.py")
INCLUDE: Final = Path(__file__).parents[1] / "cpu_c" / "standalone"
HOST: Final = "host"
Marks = tuple[tuple[str, int, int, int], ...]


class External:
    """file: the TOML. recipe: what it says, when it was read before.

    Raises on construction: TargetError when a program that it needs is not here, or the file cannot be read.
    """

    def __init__(self, name: str, file: Path, cache: Path, recipe: Recipe | None = None) -> None:
        self.name = name
        self.recipe = recipe if recipe is not None else read_recipe(file)
        recipe, folder = self.recipe, file.parent
        self._file, self._root = file, cache
        self._present: Fingerprint | None = None
        self._cache = cache.absolute() / f"external-{name}"
        self._words = {**_own_words(folder), **_programs(name, recipe)}
        self._env = {name: os.environ[name] for name in recipe.pass_env if name in os.environ}
        self.machine = _machine(recipe)
        self._marks = self._marks_now()

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """The program that builds, its recipe, and every version that the recipe asks for.

        Raises: TargetError when a version cannot be had.
        """
        first = filled(self.recipe.build.command[:1], self._placeholders())[0]
        program = Path(shutil.which(first) or first)
        whole = hashlib.sha256(self.recipe.model_dump_json().encode())
        if program.is_file():
            whole.update(program.read_bytes())
        versions = "; ".join(f"{name} {self._version(name, how)}" for name, how in self.recipe.versions.items())
        return Fingerprint(
            str(program), versions or program.name, whole.hexdigest(), self.recipe.build.command, self.machine.model,
            self.machine.threads,
        )  # fmt: skip

    def present(self) -> Fingerprint:
        """See `base.Watched`: versions are asked for again when a file or program was touched."""
        marks = self._marks_now()
        if marks != self._marks:
            self._present = External(self.name, self._file, self._root).fingerprint
            self._marks = marks
        return self._present or self.fingerprint

    def _marks_now(self) -> Marks:
        programs = [self._words[name] for name in self.recipe.needs]
        watched = filled(self.recipe.watched, self._placeholders())
        return tuple(_mark(Path(path)) for path in (str(self._file), *programs, *watched))

    def _version(self, name: str, how: Version) -> str:
        with TemporaryDirectory(prefix="kw-version-") as folder:
            ran = self._command(how, Path(folder), {})
        try:
            if ran.ok:
                return how.reader.text(ran.said) if how.reader is not None else ran.said.splitlines()[0]
            found = str(failure_of(ran, self.recipe.signs))
        except (Unreadable, IndexError) as error:
            found = str(error) or "it says nothing"
        raise TargetError(f"version of {name} for target {self.name}", found, "See [versions] of its file")

    def _placeholders(self) -> dict[str, str | Sequence[str]]:
        fields = (
            "artefact",
            "build",
            "kernel",
            "entry",
            "job",
            "name",
            "timeout_s",
            "id",
            "src",
            "main",
            "out",
            "marks",
        )
        return {**dict.fromkeys(fields, ""), "flags": (), **self._words}

    def _command(self, how: Command, folder: Path, values: Mapping[str, str | Sequence[str]]) -> Ran:
        """Raises: TargetError when it cannot be started."""
        words = filled(how.command, {**self._placeholders(), "timeout_s": f"{how.timeout_s:g}", **values})
        try:
            return run(words, folder, how.timeout_s, self.recipe.limits, {**self._env, **how.env})
        except OSError as error:
            raise TargetError(f"command {words[0]} of target {self.name}", str(error), "Mend its file") from error

    def compile(
        self, candidate: Candidate, spec: KernelSpec, folder: Path, *, profile: bool = False, sanitize: bool = False
    ) -> Artefact:
        """In a clean folder, so that nothing old can be taken for the new. Raises: CompileFailed, TargetError."""
        if sanitize:
            raise CompileFailed("flag", f"target {self.name} has no sanitized build")
        job = _Build(self, candidate, spec, _clean(folder.absolute() / f"build{'-profile' * profile}"))
        return job.made(self.recipe.build, marks=profile)

    def compile_strict(self, candidate: Candidate, spec: KernelSpec, folder: Path) -> Artefact:
        """By the recipe's `strict` words. Raises: CompileFailed, TargetError."""
        how = self.recipe.build
        if not how.strict:
            raise CompileFailed("flag", f"target {self.name} has no strict build: its file says no build.strict")
        job = _Build(self, candidate, spec, _clean(folder.absolute() / "build-strict"))
        return job.made(how.model_copy(update={"command": how.strict}), marks=False)

    def diagnose(self, files: Mapping[str, str], main: str, flags: Sequence[str]) -> Diagnosis:
        """What the build command says of these sources, thrown away."""
        with TemporaryDirectory(prefix="kw-diagnose-") as name:
            work = Path(name) / "build"
            candidate = Candidate("diagnose", files, main, self.recipe.language, tuple(flags))
            ran = _Build(self, candidate, None, _clean(work)).ran(self.recipe.build, marks=False)
            return read_diagnostics(ran, self.recipe.build.errors, self.recipe.signs, str(work / "src"))

    @property
    def patience(self) -> float:
        return self.recipe.limits.patience

    @property
    def has_timetables(self) -> bool:
        return self.recipe.schedule is not None

    def timetable(self, artefact: Artefact, spec: KernelSpec) -> Timetable:
        """By the schedule command in the artefact's build folder. Raises: CompileFailed, TargetError."""
        how, work = self.recipe.schedule, _work_of(artefact)
        if how is None:
            raise CompileFailed("flag", f"target {self.name} has no static schedule")
        values = {
            "src": str(work / "src"), "main": self.recipe.main, "out": str(work), "build": str(work), "flags": (),
            "artefact": str(artefact.path), "kernel": spec.name, "entry": spec.entry,
        }  # fmt: skip
        ran = self._command(how, work, values)
        keeping.keep(ran, work, "schedule")
        failure = failure_of(ran, self.recipe.signs)
        if failure is not None:
            raise CompileFailed("compile_error", f"no schedule: {failure.detail}", ran.said)
        return timetable_of(how, self.fingerprint.compiler_version, ran.out, work)

    def built_in(self, folder: Path) -> Artefact | None:
        path = folder.absolute() / "build" / self.recipe.build.artefact
        return Artefact(path, "", 0.0) if path.exists() else None

    @property
    def has_board(self) -> bool:
        return self.recipe.board is not None

    def submit(self, candidate: Candidate, spec: KernelSpec, folder: Path) -> Filed:
        """Build it in a clean folder, and send it by the recipe's [board]. Raises: TargetError, CompileFailed."""
        board = self.recipe.board
        if board is None:
            raise TargetError(f"board of target {self.name}", "its file names none", "Give it a [board]")
        built_one = self.compile(candidate, spec, folder)
        work = _work_of(built_one)
        values = {
            "src": str(work / "src"), "main": candidate.main, "out": str(work), "artefact": str(built_one.path),
            "kernel": spec.name, "entry": spec.entry, "name": f"{spec.name}-{candidate.id[:8]}", "job": str(work),
        }  # fmt: skip

        def step(command: Command, label: str, more: Mapping[str, str]) -> Ran:
            ran = self._command(command, work, {**values, **more})
            keeping.keep(ran, work, f"board-{label}")
            return ran

        try:
            logs = carried_out(board, self.recipe.signs, step)
            return Filed(board.score.text(logs.said), logs.said)
        except (RunnerFailed, Unreadable) as failure:
            raise TargetError(
                f"submission of {spec.name}", str(failure), "Its outputs stand in the build's log"
            ) from failure

    def runner_binary(self) -> Path:
        raise TargetError(f"runner of target {self.name}", "its calls are commands", "Ask for its starter")

    def starter(self) -> StarterCall:
        jobs = self._cache / "jobs"
        jobs.mkdir(parents=True, exist_ok=True)
        arguments = {
            "recipe": self.recipe.model_dump(mode="json"),
            "words": self._words,
            "env": self._env,
            "jobs": str(jobs),
            "toolchain": self.fingerprint.compiler_version,
        }
        return StarterCall(f"{JobStarter.__module__}:{JobStarter.__name__}", arguments)

    def probes(self, spec: KernelSpec) -> dict[str, Candidate]:
        """None: nothing is known of how such a device reads its memory."""
        return {}

    def empty(self, spec: KernelSpec) -> Candidate | None:
        """None: a call says its own time, or its time is that of its command."""
        return None

    def requirements(self) -> list[Requirement]:
        found = [
            Requirement(name, self._words[name], f"{self.name} cannot run", needed=True) for name in self.recipe.needs
        ]
        return [*found, Requirement("time", self.recipe.trust, "nothing is measured", needed=True)]


@dataclass(frozen=True, slots=True)
class _Build:
    """One build of one candidate. spec: None when it is only asked what the compiler says."""

    target: External
    candidate: Candidate
    spec: KernelSpec | None
    work: Path

    def ran(self, how: Build, *, marks: bool) -> Ran:
        """Raises: TargetError when the command cannot be started."""
        for name, text in self.candidate.files.items():
            path = self.work / "src" / name
            if not path.resolve().is_relative_to(self.work / "src"):
                raise TargetError(f"file name {name!r}", "it leads out of the build's folder", "Give it a plain name")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        ran = self.target._command(how, self.work, {**self.values, "marks": str(int(marks))})
        keeping.keep(ran, self.work, "build")
        keeping.collect(how.logs, (self.work,), self.work)
        return ran

    @property
    def values(self) -> dict[str, str | Sequence[str]]:
        return {
            "src": str(self.work / "src"), "main": self.candidate.main, "out": str(self.work),
            "flags": (*(self.spec.flags if self.spec else ()), *self.candidate.flags), "build": str(self.work),
            "kernel": self.spec.name if self.spec else "", "entry": self.spec.entry if self.spec else "",
        }  # fmt: skip

    def made(self, how: Build, *, marks: bool) -> Artefact:
        """Raises: CompileFailed, TargetError."""
        started = time.monotonic()
        sources = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in self.candidate.files.items()}
        ran = self.ran(how, marks=marks)
        text = text_of(ran.said.encode())
        self._refuse(ran, text)
        artefact = self.work / how.artefact
        if not artefact.exists():
            raise CompileFailed("compile_error", f"the build said nothing was wrong and wrote no {how.artefact}", text)
        if built.sources_of(self.work / "src") != sources:
            raise CompileFailed("compile_error", "the build changed its own sources", text)
        digest = built.note(self.work, artefact, sources)
        return Artefact(artefact, digest, time.monotonic() - started, text)

    def _refuse(self, ran: Ran, text: str) -> None:
        """Raises: CompileFailed for what the candidate did, TargetError for what was done to it."""
        if ran.code is None:
            raise CompileFailed("compile_timeout", f"the build took more than {ran.seconds:.0f} s", text)
        sign = sign_in(ran.said, self.target.recipe.signs)
        if sign is not None and sign.means in ("busy", "login", "unhealthy"):
            raise TargetError(f"build for {self.target.name}", root_cause(text), sign.say or "See its output")
        if ran.code:
            raise CompileFailed("compile_error", self._cause(ran, text), text)

    def _cause(self, ran: Ran, text: str) -> str:
        found = read_diagnostics(ran, self.target.recipe.build.errors, (), str(self.work / "src"))
        return found.root.message if found.root is not None and found.root.message in text else root_cause(text)


def _mark(path: Path) -> tuple[str, int, int, int]:
    """Of a file that is not there: zeros."""
    try:
        found = path.stat()
    except OSError:
        return str(path), 0, 0, 0
    return str(path), found.st_size, found.st_mtime_ns, found.st_ino


def _work_of(artefact: Artefact) -> Path:
    return next(up for up in artefact.path.parents if (up / built.BUILT).is_file())


def _clean(work: Path) -> Path:
    shutil.rmtree(work, ignore_errors=True)
    (work / "src").mkdir(parents=True)
    return work


def _own_words(folder: Path) -> dict[str, str]:
    return {"python": sys.executable, "driver": str(DRIVER), "include": str(INCLUDE), "target": str(folder.absolute())}


def _programs(name: str, recipe: Recipe) -> dict[str, str]:
    """Raises: TargetError for the first that is not here."""
    found: dict[str, str] = {}
    for word, program in recipe.needs.items():
        path = shutil.which(program)
        if path is None:
            todo = "Install it, put it on PATH, or name its absolute path in [needs]"
            raise TargetError(f"target {name} needs {program}", "there is none on PATH", todo)
        found[word] = str(Path(path).absolute())
    return found


def _machine(recipe: Recipe) -> Machine:
    """The device's model says who tells its time, so that every number that names the device names that too."""
    model = f"{recipe.device}{' (stand-in)' if recipe.stand_in else ''}, {recipe.trust}"
    if HOST in recipe.features:
        return replace(this_machine(recipe.lanes), model=model)
    return Machine(model, platform.machine(), frozenset(recipe.features), recipe.lanes)
