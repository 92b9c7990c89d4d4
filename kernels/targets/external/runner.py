"""Runs calls as jobs: a folder a call, a command or a remote queue, time from where the recipe says."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from kernels.sandbox.processes import Census
from kernels.sandbox.runner import Call, Limits, RunnerFailed, Segment
from kernels.sandbox.spans import Timeline
from kernels.targets.external import built, keeping, queue
from kernels.targets.external.clock import call_ns
from kernels.targets.external.commands import Ran, run
from kernels.targets.external.job import BadOutput, JobFolder
from kernels.targets.external.profile import timeline_of
from kernels.targets.external.recipe import Recipe
from kernels.targets.external.signs import failure_of
from kernels.targets.external.tables import Command
from kernels.targets.external.words import filled
from kernels.values.kernel import KernelSpec

AT_REST: Final = Census(1, 1, 0.0, 0)


class JobStarter:
    """recipe: as JSON. words: absolute paths by field. env: variables of commands. jobs: folder of the job folders.
    toolchain: versions, to be kept with every reading."""

    def __init__(
        self, recipe: Mapping[str, Any], words: Mapping[str, str], env: Mapping[str, str], jobs: str, toolchain: str
    ) -> None:
        self.recipe = Recipe.model_validate(recipe)
        self.words = dict(words)
        self.env = dict(env)
        self.jobs = Path(jobs)
        self.calls = self.recipe.limits.calls
        self.toolchain = toolchain
        self._ended = time.monotonic()
        self._idle_s = 0.0

    def begins(self) -> float:
        """A job begins: seconds since the last one ended. A device that idled answers its next launch late."""
        idle_s = time.monotonic() - self._ended
        self._idle_s = max(self._idle_s, idle_s)
        return idle_s

    def ends(self) -> None:
        self._ended = time.monotonic()

    def facts(self) -> dict[str, str]:
        """Who tells the time, versions, and the longest gap before one of its jobs."""
        idle_s, self._idle_s = self._idle_s, 0.0
        launches = self.recipe.launches
        return {
            "trust": self.recipe.trust, "toolchain": self.toolchain, "longest_idle_s": f"{idle_s:.2f}",
            "launches": f"{launches.timed} timed after {launches.untimed} that never count",
            **({"stand_in": "yes: no number of it was measured on the device"} if self.recipe.stand_in else {}),
        }  # fmt: skip

    def health(self) -> str:
        """What the recipe's check says against the device; "" when it says nothing, or there is no check."""
        check, folder = self.recipe.check, self.jobs.parent / "check"
        if check is None:
            return ""
        folder.mkdir(parents=True, exist_ok=True)
        ran = self.step(check, "check", {"job": str(folder), "name": "check"}, folder)
        failure = failure_of(ran, self.recipe.signs)
        return "" if failure is None else failure.detail

    def step(self, command: Command, label: str, values: Mapping[str, str], folder: Path) -> Ran:
        """One command, with its output kept in the folder. Raises: RunnerFailed (setup) when it cannot be started."""
        blank = dict.fromkeys(("artefact", "build", "kernel", "entry", "job", "name", "id"), "")
        fields = {**blank, **self.words, "timeout_s": f"{command.timeout_s:g}", **values}
        try:
            words, env = filled(command.command, fields), {**self.env, **command.env}
            ran = run(words, folder, command.timeout_s, self.recipe.limits, env)
        except OSError as error:
            raise RunnerFailed("setup", f"{command.command[0]} cannot be started: {error}") from error
        keeping.keep(ran, folder, label)
        return ran

    def start(
        self, artefact: Path, spec: KernelSpec, segments: Sequence[Segment], threads: int, limits: Limits,
        *, profile: bool,
    ) -> "JobRunner":  # fmt: skip
        """Raises: RunnerFailed (load) when the artefact is not what its build made."""
        why = built.mismatch(artefact)
        if why:
            raise RunnerFailed("load", why)
        return JobRunner(self, artefact, spec, segments, profile=profile)


class JobRunner:
    """One candidate. Every call is a new process, so nothing lasts from call to call and nothing goes on after it."""

    def __init__(
        self, starter: JobStarter, artefact: Path, spec: KernelSpec, segments: Sequence[Segment], *, profile: bool
    ) -> None:
        self._starter = starter
        self._recipe = starter.recipe
        self._artefact = artefact
        self._spec = spec
        self._segments = segments
        self._profile = profile
        self._timeline = Timeline((), 0)
        self.pid = os.getpid()

    @property
    def level(self) -> str:
        return f"command, {self._recipe.trust}{', stand-in' if self._recipe.stand_in else ''}"

    def arm(self, timeout_s: float = 2.0) -> int:
        return 0

    def ping(self, timeout_s: float = 2.0) -> int:
        return 0

    def freeze(self) -> None:
        """There is no process between calls."""

    def thaw(self) -> None:
        """There is no process between calls."""

    def close(self) -> None:
        """There is no process between calls."""

    def census(self) -> Census:
        return AT_REST

    def realtime(self, on: bool) -> bool:
        return False

    def timeline(self) -> Timeline:
        return self._timeline

    def call(
        self, pointers: Sequence[tuple[int, int]], timeout_s: float, at_return: Callable[[], None] | None = None,
        *, look: bool = False,
    ) -> Call:  # fmt: skip
        """Raises: RunnerFailed; "setup" when the device or the way to it is at fault."""
        name = f"{self._spec.name}-{time.time_ns():x}-{os.getpid()}"
        job = JobFolder(self._starter.jobs / name, self._spec, self._segments)
        facts: dict[str, Any] = {"name": name, "artefact": str(self._artefact), "profile": self._profile}
        facts["idle_s"] = round(self._starter.begins(), 3)
        job.write(pointers, {**facts, "launches": self._recipe.launches.model_dump()})
        try:
            ran = self._ran(job.folder, name)
            elapsed_ns = self._elapsed_ns(ran, job.folder)
            job.collect(pointers)
        except RunnerFailed as failure:
            keeping.failed(job.folder, str(failure))
            raise
        except BadOutput as error:
            keeping.failed(job.folder, str(error))
            raise RunnerFailed("protocol", str(error)) from error
        finally:
            self._starter.ends()
            keeping.tidy(self._starter.jobs)
        if self._profile and self._recipe.profile is not None:
            self._timeline = timeline_of(self._recipe.profile, ran.whole_out, job.folder)
        if at_return is not None:
            at_return()
        return Call(elapsed_ns, elapsed_ns, False)

    def _ran(self, folder: Path, name: str) -> Ran:
        """Raises: RunnerFailed."""
        if self._recipe.queue is not None:
            return queue.carried_out(self._recipe.queue, self._recipe.signs, self._step(folder, name))
        command = self._recipe.profile if self._profile and self._recipe.profile is not None else self._recipe.run
        assert command is not None
        ran = self._step(folder, name)(command, "run", {})
        failure = failure_of(ran, self._recipe.signs)
        if failure is not None:
            raise failure
        return ran

    def _step(self, folder: Path, name: str) -> queue.Step:
        """How one command of this job is run and kept."""

        def step(command: Command, label: str, more: Mapping[str, str]) -> Ran:
            values = {
                "artefact": str(self._artefact), "build": str(self._artefact.parent), "kernel": self._spec.name,
                "entry": self._spec.entry, "job": str(folder), "name": name, **more,
            }  # fmt: skip
            ran = self._starter.step(command, label, values, folder)
            keeping.collect(command.logs, (folder, self._artefact.parent), folder)
            return ran

        return step

    def _elapsed_ns(self, ran: Ran, folder: Path) -> int:
        """At least 1. Raises: RunnerFailed."""
        if self._recipe.time is None:
            return int(ran.seconds * 1e9)
        names = {"kernel": self._spec.name, "entry": self._spec.entry}
        how = self._recipe.time.model_copy(update={"reader": self._recipe.time.reader.of(names)})
        return max(int(call_ns(how, self._recipe.launches, ran, folder)), 1)
