"""One build of one candidate by the recipe's command, in a clean folder: nothing old can be taken for the new."""

import hashlib
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kernels.targets.base import Artefact, CompileFailed, TargetError
from kernels.targets.cpu_c.diagnostics import root_cause, text_of
from kernels.targets.external import built, keeping
from kernels.targets.external.commands import Ran
from kernels.targets.external.diagnose import read_diagnostics
from kernels.targets.external.signs import NOBODYS, sign_in
from kernels.targets.external.tables import Build
from kernels.targets.external.tools import Tools
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec


@dataclass(frozen=True, slots=True)
class Job:
    """work: emptied first; the sources go to `work`/src. spec: None when it is only asked what the compiler says."""

    tools: Tools
    candidate: Candidate
    spec: KernelSpec | None
    work: Path

    def ran(self, how: Build, *, marks: bool) -> Ran:
        """Raises: TargetError when the command cannot be started, or a file name leads elsewhere."""
        shutil.rmtree(self.work, ignore_errors=True)
        (self.work / "src").mkdir(parents=True)
        for name, text in self.candidate.files.items():
            path = self.work / "src" / name
            if not path.resolve().is_relative_to((self.work / "src").resolve()):
                raise TargetError(f"file name {name!r}", "it leads out of the build's folder", "Give it a plain name")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        ran = self.tools.run(how, self.work, {**self.values, "marks": str(int(marks))}, "build")
        keeping.collect(how.logs, (self.work,), self.work)
        return ran

    @property
    def values(self) -> dict[str, str | Sequence[str]]:
        spec = self.spec
        return {
            "src": str(self.work / "src"), "main": self.candidate.main, "out": str(self.work), "build": str(self.work),
            "flags": (*(spec.flags if spec else ()), *self.candidate.flags),
            "kernel": spec.name if spec else "", "entry": spec.entry if spec else "",
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
        sign = sign_in(ran.heard, self.tools.recipe.signs)
        if sign is not None and sign.means in NOBODYS:
            raise TargetError(f"build for {self.tools.name}", root_cause(text), sign.say or "See its output")
        if ran.code:
            raise CompileFailed("compile_error", self._cause(ran, text), text)

    def _cause(self, ran: Ran, text: str) -> str:
        found = read_diagnostics(ran, self.tools.recipe.build.errors, (), str(self.work / "src"))
        return found.root.message if found.root is not None and found.root.message in text else root_cause(text)


def work_of(artefact: Artefact) -> Path:
    """The folder of the build that made it."""
    return next(up for up in artefact.path.parents if (up / built.BUILT).is_file())
