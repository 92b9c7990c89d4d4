"""Target `cpu-c`: candidate.c to candidate.so in two steps, scanned in between; the runner binary; the probes."""

import shutil
import time
from functools import cached_property
from pathlib import Path
from typing import Final

from kernels.sandbox.launch import LOST, best_launcher
from kernels.targets.base import Artefact, CompileFailed, Requirement, TargetError
from kernels.targets.cpu_c import probes as probe_sources
from kernels.targets.cpu_c.flags import refused
from kernels.targets.cpu_c.machine import this_machine
from kernels.targets.cpu_c.object_scan import scan
from kernels.targets.cpu_c.toolchain import SEARCH, Compiler, find_compiler, machine_code_hash
from kernels.targets.cpu_c.trampoline import trampoline
from kernels.values.candidate import Candidate
from kernels.values.fingerprint import Fingerprint
from kernels.values.kernel import KernelSpec

BASE_FLAGS: Final = ("-std=gnu11", "-O3", "-march=native")
HARNESS_FLAGS: Final = ("-std=gnu11", "-O2", "-Wall", "-fvisibility=hidden", "-rdynamic", "-Wl,-z,relro,-z,now")
OBJECT_FLAGS: Final = ("-fPIC", "-fno-asynchronous-unwind-tables", "-fvisibility=default", "-Wno-unused-function")
NATIVE: Final = Path(__file__).parent / "native"
INCLUDE: Final = Path(__file__).parent / "include"
OBJECT, LIBRARY = "candidate.o", "candidate.so"
USED: Final = {
    "bwrap": "bubblewrap: candidates keep seeing the file system and share namespaces",
    "objdump": "binutils: no object scan and no machine-code hash, so nothing can be compiled safely",
    "llvm-mca": "llvm: the static estimate gate is skipped",
    "tmux": "tmux: `run --tmux` is not offered",
}


class CpuC:
    """flags: the base flags of the pack's toolchain; a candidate's own flags come after them."""

    name = "cpu-c"

    def __init__(self, cache: Path, flags: tuple[str, ...] = BASE_FLAGS, threads: int | None = None) -> None:
        self._cache = cache.absolute()
        self._flags = flags
        self._compiler: Compiler = find_compiler()
        self.machine = this_machine(threads)
        if shutil.which("objdump", path=SEARCH) is None:
            raise TargetError("binutils", "there is no objdump", "Install it (Debian: apt-get install binutils)")

    @cached_property
    def fingerprint(self) -> Fingerprint:
        found = self._compiler
        return Fingerprint(
            str(found.path), found.version, found.sha256, self._flags, self.machine.model, self.machine.threads
        )

    def compile(
        self, candidate: Candidate, spec: KernelSpec, folder: Path, *, profile: bool = False, sanitize: bool = False
    ) -> Artefact:
        """Raises: CompileFailed: compile_error, compile_timeout, flag, object_scan."""
        started = time.monotonic()
        bad = refused(candidate.flags)
        if bad:
            raise CompileFailed("flag", f"compiler flag {bad} is not allowed: code generation flags only")
        work = _clean(folder)
        for name, text in candidate.files.items():
            (work / Path(name).name).write_text(text, encoding="utf-8")
        extra = (("-DKW_PROFILE",) if profile else ()) + (("-fsanitize=address,undefined",) if sanitize else ())
        warnings = self._object(candidate, work, extra)
        found = scan(work / OBJECT)
        if found.problems and not sanitize:
            raise CompileFailed("object_scan", found.problems[0], "\n".join(found.problems))
        self._link(spec, work, extra[-1:] if sanitize else ())
        code = machine_code_hash(work / OBJECT)
        return Artefact(work / LIBRARY, code, time.monotonic() - started, warnings, found.findings)

    def _object(self, candidate: Candidate, work: Path, extra: tuple[str, ...]) -> str:
        words = [
            *self._flags,
            *OBJECT_FLAGS,
            *candidate.flags,
            *extra,
            "-I",
            str(INCLUDE),
            "-c",
            candidate.main,
            "-o",
            OBJECT,
        ]
        return self._compiler.run(words, work)

    def _link(self, spec: KernelSpec, work: Path, extra: tuple[str, ...]) -> None:
        """Without the candidate's flags: -ffast-math at the link would switch denormals off for the whole process."""
        (work / "trampoline.c").write_text(trampoline(spec), encoding="utf-8")
        words = [
            "-O2", "-fPIC", "-shared", *extra, "-I", str(INCLUDE), "trampoline.c", OBJECT, "-o", LIBRARY,
            "-Wl,-z,now,-z,relro", "-lm", "-lmvec" if self.machine.architecture == "x86_64" else "-lm",
        ]  # fmt: skip
        self._compiler.run(words, work)

    def runner_binary(self) -> Path:
        """Raises: TargetError when the harness does not compile here."""
        folder = self._cache / "runner" / self._harness_id()
        binary = folder / "kw-runner"
        if binary.is_file():
            return binary
        folder.mkdir(parents=True, exist_ok=True)
        sources = [str(path) for path in sorted(NATIVE.glob("*.c"))]
        half_made = folder / f"kw-runner.{time.monotonic_ns()}"
        try:
            self._compiler.run(
                [*HARNESS_FLAGS, *sources, "-o", str(half_made), "-lpthread", "-ldl", "-Wl,--no-as-needed", "-lm"],
                folder,
            )
        except CompileFailed as failure:
            raise TargetError("the runner", failure.root_cause, "This system lacks what the harness needs") from failure
        half_made.replace(binary)
        return binary

    def _harness_id(self) -> str:
        import hashlib

        whole = hashlib.sha256(self.fingerprint.id.encode())
        for path in sorted(NATIVE.iterdir()):
            whole.update(path.read_bytes())
        return whole.hexdigest()[:16]

    def probes(self, spec: KernelSpec) -> dict[str, Candidate]:
        return probe_sources.probes(spec)

    def empty(self, spec: KernelSpec) -> Candidate:
        return probe_sources.empty(spec)

    def requirements(self) -> list[Requirement]:
        found = [Requirement("gcc", str(self._compiler.path), "nothing can be compiled", needed=True)]
        for tool, lost in USED.items():
            found.append(Requirement(tool, shutil.which(tool, path=SEARCH) or "", lost, needed=tool == "objdump"))
        level = best_launcher().level
        found.append(Requirement("sandbox", level, LOST[level] or "nothing"))
        return found


def _clean(folder: Path) -> Path:
    """An empty folder of its own for one build."""
    work = folder / "build"
    if work.exists():
        shutil.rmtree(work)
    work.mkdir(parents=True)
    return work
