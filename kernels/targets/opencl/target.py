"""Target `opencl`: kernel.cl to a program for PoCL in a confined process, scanned, and packed with its launches."""

import hashlib
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from kernels.sandbox.launch import best_launcher
from kernels.sandbox.starter import StarterCall
from kernels.targets.base import Artefact, CompileFailed, Requirement, TargetError
from kernels.targets.cpu_c.diagnostics import root_cause
from kernels.targets.cpu_c.identity import machine_code_hash
from kernels.targets.cpu_c.machine import this_machine
from kernels.targets.cpu_c.object_scan import ScanFailed
from kernels.targets.cpu_c.toolchain import SEARCH, find_compiler
from kernels.targets.diagnosis import Diagnosis
from kernels.targets.opencl import probes as probe_sources
from kernels.targets.opencl.container import calling, packed
from kernels.targets.opencl.diagnostics import plain, read
from kernels.targets.opencl.found import Found, find_platform
from kernels.targets.opencl.harness import BUILDER, CACHE, RUNNER, built
from kernels.targets.opencl.launches import Case, Launch, cases_of, plan_of
from kernels.targets.opencl.object_scan import scan
from kernels.targets.opencl.options import STANDARD, STRICT, defines, refused
from kernels.targets.opencl.starter import LEVEL, starter
from kernels.targets.work import emptied, lay
from kernels.values.candidate import Candidate
from kernels.values.fingerprint import Fingerprint
from kernels.values.kernel import KernelSpec

INCLUDE: Final = Path(__file__).parent / "include"
HEADER: Final = "kernelwright.h"
PROGRAM, ARTEFACT = "program.bin", "candidate.clp"
RESERVED: Final = frozenset({HEADER, PROGRAM, ARTEFACT})
SMALL_GRID: Final = 65535  # work-items; PoCL's limit on CPUs for code that takes the grid for small
UNSEEN: Final = "of PoCL's own threads neither floating-point mode nor old stacks are looked at"
SUFFIXES: Final = (".cl", ".c", ".h", ".inc")


class OpenCl:
    """threads: CPUs that PoCL may use, None for all that this process may run on."""

    name = "opencl"

    def __init__(self, cache: Path, threads: int | None = None) -> None:
        self._folder = cache.absolute() / "opencl"
        self._folder.mkdir(parents=True, exist_ok=True)
        launcher = best_launcher()
        if launcher.level != LEVEL:
            raise TargetError("target 'opencl'", f"candidates run at level {LEVEL} only, here it is {launcher.level}",
                              "Install bubblewrap, or permit user namespaces")  # fmt: skip
        if shutil.which("objdump", path=SEARCH) is None:
            raise TargetError("binutils", "there is no objdump", "Install it (Debian: apt-get install binutils)")
        self._compiler = find_compiler()
        self._found: Found = find_platform(self._compiler, launcher, self._folder)
        self.machine = replace(this_machine(threads), model=self._found.about["device"])

    @cached_property
    def fingerprint(self) -> Fingerprint:
        place, version = self._found.place, self._found.version
        return Fingerprint(
            str(place.library), version, place.sha256, STANDARD, self.machine.model, self.machine.threads
        )

    def compile(
        self, candidate: Candidate, spec: KernelSpec, folder: Path, *, profile: bool = False, sanitize: bool = False
    ) -> Artefact:
        """profile: the same program; its launches are kept as marks when it runs so.

        Raises: CompileFailed: compile_error, compile_timeout, flag, object_scan.
        """
        if sanitize:
            raise CompileFailed("flag", "PoCL builds no kernel with AddressSanitizer or traps for undefined behaviour")
        return self._make(candidate, spec, emptied(folder.absolute() / f"build{'-profile' * profile}"), candidate.flags)

    def compile_strict(self, candidate: Candidate, spec: KernelSpec, folder: Path) -> Artefact:
        """As it is written, without optimisation. Raises: CompileFailed."""
        return self._make(candidate, spec, emptied(folder.absolute() / "build-strict"), STRICT)

    def _make(self, candidate: Candidate, spec: KernelSpec, work: Path, flags: Sequence[str]) -> Artefact:
        started = time.monotonic()
        if (bad := refused(candidate.flags)) is not None:
            raise CompileFailed("flag", f"option {bad!r} is not allowed: what says how code is made, and -D, only")
        cases = cases_of(spec, lambda one: plan_of(candidate, one.sizes, self._found.group_limit))
        launches = [one for _, plan in cases for one in plan.launches]
        warnings = self._build(candidate, launches, work, (*STANDARD, *defines(spec.flags), *flags))
        objects = {_code(one): _object_of(one, work) for one in launches}
        findings = [finding for path in objects.values() for finding in _scanned(path)]
        (work / ARTEFACT).write_bytes(packed(cases, (work / PROGRAM).read_bytes()))
        code = _code_hash(cases, objects)
        shutil.rmtree(work / CACHE[BUILDER])
        return Artefact(work / ARTEFACT, code, time.monotonic() - started, warnings, tuple(dict.fromkeys(findings)))

    def _build(self, candidate: Candidate, launches: Sequence[Launch], work: Path, options: Sequence[str]) -> str:
        """What the compiler says when it succeeds. Raises: CompileFailed."""
        returncode, text = self._run(candidate.files, candidate.main, work, _sizes(launches), options)
        if returncode:
            raise CompileFailed("compile_error", root_cause(text), text)
        return text

    def _run(
        self, files: Mapping[str, str], main: str, work: Path, sizes: str, options: Sequence[str]
    ) -> tuple[int, str]:
        """Exit code and diagnostics. Raises: CompileFailed when it takes too long, or for the name of a file."""
        lay(files, work, SUFFIXES, RESERVED)
        shutil.copyfile(INCLUDE / HEADER, work / HEADER)
        words = ["build", main, PROGRAM, sizes, " ".join((f"-I {work}", *options))]
        returncode, raw = self._found.builder.output(words, work)
        return returncode, plain(raw.decode(errors="replace"), main)

    def diagnose(self, files: Mapping[str, str], main: str, flags: Sequence[str]) -> Diagnosis:
        """What PoCL says of a source that is built as a candidate's is."""
        with TemporaryDirectory(prefix="kw-diagnose-") as name:
            try:
                returncode, text = self._run(files, main, Path(name), "1-1-1-goffs0-smallgrid", (*STANDARD, *flags))
            except CompileFailed as failure:
                return Diagnosis(False, broken=failure.root_cause)
        return read(returncode, text, main)

    def starter(self) -> StarterCall:
        """Raises: TargetError when the harness does not compile here."""
        return starter(self.runner_binary(), self._found.place.seen)

    def runner_binary(self) -> Path:
        return built(RUNNER, self._compiler, self._found.place, self._folder)

    def probes(self, spec: KernelSpec) -> dict[str, Candidate]:
        return probe_sources.probes(spec, self.machine.threads)

    def empty(self, spec: KernelSpec) -> Candidate:
        return probe_sources.empty(spec)

    def requirements(self) -> list[Requirement]:
        place = self._found.place
        return [
            Requirement("gcc", str(self._compiler.path), "the harness cannot be built", needed=True),
            Requirement("PoCL", f"{self._found.version}, {place.origin}", "nothing can be compiled", needed=True),
            Requirement("bwrap", best_launcher().tool, "candidates are not run at all", needed=True),
            Requirement("sandbox", LEVEL, UNSEEN),
        ]


def _sizes(launches: Sequence[Launch]) -> str:
    """Sizes of groups for which PoCL makes code of its own: exactly those that will be launched."""
    return ",".join(sorted({_variant(one) for one in launches}))


def _variant(launch: Launch) -> str:
    """As PoCL names the code for a launch."""
    return f"{launch.group}-1-1-goffs0{'-smallgrid' * (launch.size <= SMALL_GRID)}"


def _code(launch: Launch) -> tuple[str, str]:
    """What tells apart the objects that PoCL makes."""
    return launch.function, _variant(launch)


def _object_of(launch: Launch, work: Path) -> Path:
    """What PoCL made of a launched function for its size of groups. Raises: CompileFailed."""
    pattern = f"*/*/{launch.function}/{_variant(launch)}/{launch.function}.so"
    found = next((work / CACHE[BUILDER]).glob(pattern), None)
    if found is None:
        raise CompileFailed("compile_error", f"{launch.function} is launched, and no __kernel function has that name")
    return found


def _scanned(path: Path) -> Iterator[str]:
    """Findings. Raises: CompileFailed."""
    try:
        found = scan(path)
    except ScanFailed as failure:
        raise CompileFailed("object_scan", str(failure)) from failure
    if found.problems:
        raise CompileFailed("object_scan", f"{path.stem}: {found.problems[0]}", "\n".join(found.problems))
    yield from found.findings


def _code_hash(cases: Sequence[Case], objects: Mapping[tuple[str, str], Path]) -> str:
    """Over how it is called and the machine code of every launched function, in the order of the launches."""
    hashes = {code: machine_code_hash(path, f"_pocl_kernel_{code[0]}_workgroup") for code, path in objects.items()}
    whole = hashlib.sha256()
    for spec, plan in cases:
        whole.update("\n".join(calling(spec, plan)).encode())
        for one in plan.launches:
            whole.update(hashes[_code(one)].encode())
    return whole.hexdigest()
