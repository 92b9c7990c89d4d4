"""The commands of one recipe on this host: where its programs are, which versions they have, how they are run."""

import hashlib
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from kernels.targets.base import TargetError
from kernels.targets.external import keeping
from kernels.targets.external.commands import Ran, run
from kernels.targets.external.reader import Unreadable
from kernels.targets.external.recipe import BUILDS, RUNS, Recipe
from kernels.targets.external.signs import failure_of
from kernels.targets.external.tables import Command, Version
from kernels.targets.external.words import LISTS, filled
from kernels.values.fingerprint import Fingerprint
from kernels.values.machine import Machine

DRIVER: Final = Path(__file__).with_name("driver.py")
INCLUDE: Final = Path(__file__).parents[1] / "cpu_c" / "standalone"
DECIDING: Final = ("device", "stand_in", "trust", "lanes", "build", "run", "queue", "time", "launches", "versions")
"""Tables of a recipe that a reading depends on: another text of these is another toolchain."""
Marks = tuple[tuple[str, int, int, int], ...]
Values = Mapping[str, str | Sequence[str]]


class Tools:
    """name: of the target. file: its TOML. Raises on construction: TargetError when a program is not here."""

    def __init__(self, name: str, recipe: Recipe, file: Path) -> None:
        self.name = name
        self.recipe = recipe
        self._file = file
        own = {"python": sys.executable, "driver": str(DRIVER), "include": str(INCLUDE)}
        self.words = {**own, "target": str(file.parent.absolute()), **_programs(name, recipe)}
        self.env = {name: os.environ[name] for name in recipe.pass_env if name in os.environ}
        self._blank: Values = {**dict.fromkeys((*BUILDS, *RUNS), ""), **dict.fromkeys(LISTS, ()), **self.words}

    def run(self, how: Command, folder: Path, values: Values, keep: str = "") -> Ran:
        """keep: name of the step in the folder's log, "" for none. Raises: TargetError when it cannot be started."""
        words = filled(how.command, {**self._blank, "timeout_s": f"{how.timeout_s:g}", **values})
        try:
            ran = run(words, folder, how.timeout_s, self.recipe.limits, {**self.env, **how.env})
        except OSError as error:
            raise TargetError(f"command {words[0]} of target {self.name}", str(error), "Mend its file") from error
        if keep:
            keeping.keep(ran, folder, keep)
        return ran

    def fingerprint(self, machine: Machine) -> Fingerprint:
        """The program that builds, what decides of the recipe, and every version that it asks for.

        Raises: TargetError when a version cannot be had.
        """
        first = filled(self.recipe.build.command[:1], self._blank)[0]
        program = Path(shutil.which(first) or first)
        whole = hashlib.sha256(self.recipe.model_dump_json(include=set(DECIDING)).encode())
        if program.is_file():
            whole.update(program.read_bytes())
        versions = "; ".join(f"{name} {self._version(name, how)}" for name, how in self.recipe.versions.items())
        told = versions or program.name, whole.hexdigest(), self.recipe.build.command
        return Fingerprint(str(program), *told, machine.model, machine.threads)

    def _version(self, name: str, how: Version) -> str:
        with TemporaryDirectory(prefix="kw-version-") as folder:
            ran = self.run(how, Path(folder), {})
        try:
            if ran.ok:
                return how.reader.text(ran.said) if how.reader is not None else ran.said.splitlines()[0]
            found = str(failure_of(ran, self.recipe.signs))
        except (Unreadable, IndexError) as error:
            found = str(error) or "it says nothing"
        raise TargetError(f"version of {name} for target {self.name}", found, "See [versions] of its file")

    def marks(self) -> Marks:
        """Of the files whose change may mean another toolchain; without reading any."""
        programs = [self.words[name] for name in self.recipe.needs]
        watched = filled(self.recipe.watched, self._blank)
        return tuple(_mark(Path(path)) for path in (str(self._file), *programs, *watched))


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


def _mark(path: Path) -> tuple[str, int, int, int]:
    """Of a file that is not there: zeros."""
    try:
        found = path.stat()
    except OSError:
        return str(path), 0, 0, 0
    return str(path), found.st_size, found.st_mtime_ns, found.st_ino
