"""A target written as one TOML file: builds by its command, is run by jobs, says what its compiler said."""

import platform
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

from kernels.sandbox.runner import RunnerFailed
from kernels.sandbox.starter import StarterCall
from kernels.targets.base import Artefact, CompileFailed, Filed, Requirement, TargetError
from kernels.targets.cpu_c.machine import this_machine
from kernels.targets.diagnosis import Diagnosis
from kernels.targets.external.build import Job, work_of
from kernels.targets.external.commands import Ran
from kernels.targets.external.diagnose import read_diagnostics
from kernels.targets.external.queue import carried_out
from kernels.targets.external.reader import Unreadable
from kernels.targets.external.recipe import Recipe, read_recipe
from kernels.targets.external.runner import JobStarter
from kernels.targets.external.schedule import timetable_of
from kernels.targets.external.signs import failure_of
from kernels.targets.external.tables import Command
from kernels.targets.external.tools import Tools
from kernels.targets.plugin import HOST
from kernels.values.candidate import Candidate
from kernels.values.fingerprint import Fingerprint
from kernels.values.kernel import KernelSpec
from kernels.values.machine import Machine
from kernels.values.timetable import Timetable


class External:
    """file: the TOML. recipe: what it says, when it was read before.

    Raises on construction: TargetError when a program that it needs is not here, or the file cannot be read.
    """

    def __init__(self, name: str, file: Path, cache: Path, recipe: Recipe | None = None) -> None:
        self.name = name
        self.recipe = recipe if recipe is not None else read_recipe(file)
        self.machine = _machine(self.recipe)
        self._file, self._root = file, cache
        self._cache = cache.absolute() / f"external-{name}"
        self._tools = Tools(name, self.recipe, file)
        self._marks = self._tools.marks()
        self._present: Fingerprint | None = None

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """Raises: TargetError when a version cannot be had."""
        return self._tools.fingerprint(self.machine)

    def present(self) -> Fingerprint:
        """See `base.Watched`: versions are asked for again when a file or program was touched."""
        marks = self._tools.marks()
        if marks != self._marks:
            self._present = External(self.name, self._file, self._root).fingerprint
            self._marks = marks
        return self._present or self.fingerprint

    def compile(
        self, candidate: Candidate, spec: KernelSpec, folder: Path, *, profile: bool = False, sanitize: bool = False
    ) -> Artefact:
        """In a clean folder, so that nothing old can be taken for the new. Raises: CompileFailed, TargetError."""
        if sanitize:
            raise CompileFailed("flag", f"target {self.name} has no sanitized build")
        job = Job(self._tools, candidate, spec, folder.absolute() / f"build{'-profile' * profile}")
        return job.made(self.recipe.build, marks=profile)

    def compile_strict(self, candidate: Candidate, spec: KernelSpec, folder: Path) -> Artefact:
        """By the recipe's `strict` words. Raises: CompileFailed, TargetError."""
        how = self.recipe.build
        if not how.strict:
            raise CompileFailed("flag", f"target {self.name} has no strict build: its file says no build.strict")
        job = Job(self._tools, candidate, spec, folder.absolute() / "build-strict")
        return job.made(how.model_copy(update={"command": how.strict}), marks=False)

    def diagnose(self, files: Mapping[str, str], main: str, flags: Sequence[str]) -> Diagnosis:
        """What the build command says of these sources, thrown away."""
        with TemporaryDirectory(prefix="kw-diagnose-") as name:
            work = Path(name) / "build"
            candidate = Candidate("diagnose", files, main, self.recipe.language, tuple(flags))
            ran = Job(self._tools, candidate, None, work).ran(self.recipe.build, marks=False)
            return read_diagnostics(ran, self.recipe.build.errors, self.recipe.signs, str(work / "src"))

    @property
    def patience(self) -> float:
        return self.recipe.limits.patience

    @property
    def has_timetables(self) -> bool:
        return self.recipe.schedule is not None

    def timetable(self, artefact: Artefact, spec: KernelSpec) -> Timetable:
        """By the schedule command in the artefact's build folder. Raises: CompileFailed, TargetError."""
        how, work = self.recipe.schedule, work_of(artefact)
        if how is None:
            raise CompileFailed("flag", f"target {self.name} has no static schedule")
        values = {
            "src": str(work / "src"), "main": self.recipe.main, "out": str(work), "build": str(work), "flags": (),
            "artefact": str(artefact.path), "kernel": spec.name, "entry": spec.entry,
        }  # fmt: skip
        ran = self._tools.run(how, work, values, "schedule")
        failure = failure_of(ran, self.recipe.signs)
        if failure is not None:
            raise CompileFailed("compile_error", f"no schedule: {failure.detail}", ran.said)
        return timetable_of(how, self.fingerprint.compiler_version, ran.whole_out, work)

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
        work = work_of(built_one)
        values = {
            "src": str(work / "src"), "main": candidate.main, "out": str(work), "artefact": str(built_one.path),
            "kernel": spec.name, "entry": spec.entry, "name": f"{spec.name}-{candidate.id[:8]}", "job": str(work),
        }  # fmt: skip

        def step(command: Command, label: str, more: Mapping[str, str]) -> Ran:
            return self._tools.run(command, work, {**values, **more}, f"board-{label}")

        try:
            logs = carried_out(board, self.recipe.signs, step)
            return Filed(board.score.text(logs.heard), logs.said)
        except (RunnerFailed, Unreadable) as failure:
            raise TargetError(f"submission of {spec.name}", str(failure), f"See {work / 'log'}") from failure

    def runner_binary(self) -> Path:
        raise TargetError(f"runner of target {self.name}", "its calls are commands", "Ask for its starter")

    def starter(self) -> StarterCall:
        jobs = self._cache / "jobs"
        jobs.mkdir(parents=True, exist_ok=True)
        arguments = {
            "recipe": self.recipe.model_dump(mode="json"),
            "words": self._tools.words,
            "env": self._tools.env,
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
        words, lost = self._tools.words, f"{self.name} cannot run"
        found = [Requirement(name, words[name], lost, needed=True) for name in self.recipe.needs]
        return [*found, Requirement("time", self.recipe.trust, "nothing is measured", needed=True)]


def _machine(recipe: Recipe) -> Machine:
    """The device's model says who tells its time, so that every number that names the device names that too."""
    model = f"{recipe.device}{' (stand-in)' if recipe.stand_in else ''}, {recipe.trust}"
    if HOST in recipe.features:
        return replace(this_machine(recipe.lanes), model=model)
    return Machine(model, platform.machine(), frozenset(recipe.features), recipe.lanes)
