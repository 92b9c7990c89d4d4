"""Target `cpu-c`: candidate.c to candidate.so in two steps, scanned in between; the runner binary; the probes."""

import shutil
import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from kernels.sandbox.launch import LOST, best_launcher
from kernels.targets.base import Artefact, CompileFailed, Requirement, TargetError
from kernels.targets.cpu_c import harness
from kernels.targets.cpu_c import probes as probe_sources
from kernels.targets.cpu_c.diagnose import JSON_FLAG, read_json
from kernels.targets.cpu_c.diagnose_clang import TEXT_FLAGS, read_text
from kernels.targets.cpu_c.diagnose_sarif import SARIF_FLAG, read_sarif
from kernels.targets.cpu_c.flags import OPENMP, meaning, refused
from kernels.targets.cpu_c.identity import machine_code_hash
from kernels.targets.cpu_c.libraries import ALWAYS, Library, find_libraries
from kernels.targets.cpu_c.machine import this_machine
from kernels.targets.cpu_c.object_scan import Scan, ScanFailed, scan
from kernels.targets.cpu_c.preprocess import Preprocessed, preprocess
from kernels.targets.cpu_c.toolchain import DEFAULT, SEARCH, Compiler, find_compiler
from kernels.targets.cpu_c.trampoline import trampoline
from kernels.targets.cpu_c.watch import CompilerWatch
from kernels.targets.diagnosis import Diagnosis
from kernels.targets.work import emptied, lay
from kernels.values.candidate import Candidate
from kernels.values.fingerprint import Fingerprint
from kernels.values.kernel import KernelSpec

BASE_FLAGS: Final = ("-std=gnu11", "-O3", "-march=native")
STRICT_FLAGS: Final = ("-std=gnu11", "-O0", "-fno-fast-math", "-ffp-contract=off")
OBJECT_FLAGS: Final = ("-fPIC", "-fno-asynchronous-unwind-tables", "-fvisibility=default", "-Wno-unused-function")
OF_CLANG: Final = ("-fno-addrsig",)
"""Without a section for the linker that gcc's objects do not have."""
NO_OPENMP: Final = "OpenMP is supported with gcc only: this compiler is clang, whose OpenMP library is another one"
TRAPS: Final = ("-fsanitize=undefined", "-fsanitize-undefined-trap-on-error", "-fno-sanitize=alignment,shift-base")
ADDRESS: Final = "-fsanitize=address"
NO_ADDRESS: Final = "no AddressSanitizer with this compiler here: only undefined behaviour was looked for"
INCLUDE: Final = Path(__file__).parent / "include"
OBJECT, LIBRARY, HEADERS = "candidate.o", "candidate.so", "headers"
SUFFIXES: Final = (".c", ".h", ".inc")
RESERVED: Final = frozenset({"kernelwright.h", "trampoline.c", OBJECT, LIBRARY})
USED: Final = {
    "bwrap": "bubblewrap: candidates keep seeing the file system and share namespaces; the compiler is not confined",
    "objdump": "binutils: no object scan and no machine-code hash, so nothing can be compiled safely",
    "llvm-mca": "llvm: the static estimate gate is skipped",
}


class CpuC:
    """flags: the base flags of the pack's toolchain; a candidate's own flags come after them. compiler: a name or a
    path; gcc or clang."""

    name = "cpu-c"

    def __init__(
        self, cache: Path, flags: tuple[str, ...] = BASE_FLAGS, threads: int | None = None, compiler: str = ""
    ) -> None:
        self._runners = cache.absolute() / "runner"
        self._flags = flags
        self._compiler: Compiler = find_compiler((INCLUDE,), compiler or DEFAULT)
        self._watch = CompilerWatch(compiler or DEFAULT, self._compiler)
        self.machine = this_machine(threads)
        if shutil.which("objdump", path=SEARCH) is None:
            raise TargetError("binutils", "there is no objdump", "Install it (Debian: apt-get install binutils)")

    @cached_property
    def fingerprint(self) -> Fingerprint:
        return self._print(self._compiler)

    def present(self) -> Fingerprint:
        """See `base.Watched`."""
        return self._print(self._watch.look())

    def _print(self, found: Compiler) -> Fingerprint:
        return Fingerprint(
            str(found.path), found.version, found.sha256, self._flags, self.machine.model, self.machine.threads
        )

    def compile(
        self, candidate: Candidate, spec: KernelSpec, folder: Path, *, profile: bool = False, sanitize: bool = False
    ) -> Artefact:
        """profile: with the marks of KW_SPAN_BEGIN. sanitize: AddressSanitizer and traps for undefined behaviour; such
        an artefact brings its own runner and is not scanned again: build the plain one first.

        Each kind of build has a folder of its own below `folder`.
        Raises: CompileFailed: compile_error, compile_timeout, flag, object_scan; TargetError for the toolchain's fault.
        """
        work = emptied(folder.absolute() / f"build{'-profile' * profile}{'-sanitize' * sanitize}")
        extra, findings = self._sanitizers(work) if sanitize else ((), ())
        flags = (*self._flags, *spec.flags, *candidate.flags, *extra, *(["-DKW_PROFILE"] * profile))
        return self._make(candidate, spec, work, flags, None if not sanitize else findings)

    def compile_strict(self, candidate: Candidate, spec: KernelSpec, folder: Path) -> Artefact:
        """As it is written: -O0, IEEE arithmetic, for any processor of this kind; of the pack's flags only those that
        say what the source means. Raises: CompileFailed."""
        work = emptied(folder.absolute() / "build-strict")
        return self._make(candidate, spec, work, (*STRICT_FLAGS, *meaning(spec.flags)), None)

    def _make(
        self, candidate: Candidate, spec: KernelSpec, work: Path, flags: tuple[str, ...],
        findings: tuple[str, ...] | None,
    ) -> Artefact:  # fmt: skip
        """findings: what to say in place of a scan."""
        started = time.monotonic()
        openmp = spec.threads == "openmp"
        bad = refused((*spec.flags, *candidate.flags), openmp=openmp)
        if bad is not None:
            raise CompileFailed("flag", f"compiler flag {bad!r} is not allowed: code generation flags only")
        if OPENMP in flags and self._compiler.kind == "clang":
            raise CompileFailed("flag", NO_OPENMP)
        libraries = find_libraries(self._compiler.path, spec.libraries)
        lay(candidate.files, work, SUFFIXES, RESERVED)
        _write_headers(spec, work)
        warnings = self._run(self._object_words(candidate, flags), work)
        found = findings if findings is not None else _scanned(work / OBJECT, openmp, libraries).findings
        (work / "trampoline.c").write_text(trampoline(spec), encoding="utf-8")
        self._run(self._link_words(OPENMP in flags, ADDRESS in flags, libraries), work)
        code = machine_code_hash(work / OBJECT, spec.entry)
        return Artefact(work / LIBRARY, code, time.monotonic() - started, warnings, found)

    def _run(self, words: Sequence[str], work: Path) -> str:
        """What the compiler says. Raises: CompileFailed, TargetError when it is the toolchain that failed."""
        try:
            return self._compiler.run(words, work)
        except CompileFailed as failure:
            self._compiler.refuse_broken(failure.diagnostics)
            raise

    def preprocess(
        self, source: str, flags: Sequence[str], defines: Mapping[str, int], folders: Sequence[Path]
    ) -> Preprocessed:
        """See `preprocess.py`. Raises: CompileFailed."""
        return preprocess(self._compiler, source, flags, defines, folders)

    def diagnose(self, files: Mapping[str, str], main: str, flags: Sequence[str]) -> Diagnosis:
        """What the compiler says of a source that is built as a candidate's object is."""
        candidate = Candidate("diagnose", files, main)
        with TemporaryDirectory(prefix="kw-diagnose-") as name:
            work = Path(name)
            try:
                lay(candidate.files, work, SUFFIXES, RESERVED)
                words = [*self._diagnostics_flags, *self._object_words(candidate, (*self._flags, *flags))]
                returncode, raw = self._compiler.output(words, work)
            except CompileFailed as failure:
                return Diagnosis(False, broken=failure.root_cause)
        read = {(JSON_FLAG,): read_json, (SARIF_FLAG,): read_sarif}.get(self._diagnostics_flags, read_text)
        return read(returncode, raw.decode(errors="replace"))

    @cached_property
    def _diagnostics_flags(self) -> tuple[str, ...]:
        """The form made for programs that this compiler has, else lines of one shape."""
        if self._compiler.kind == "clang":
            return TEXT_FLAGS
        with TemporaryDirectory(prefix="kw-diagnose-") as name:
            (Path(name) / "empty.c").write_text("", encoding="utf-8")
            returncode, _ = self._compiler.output([JSON_FLAG, "-fsyntax-only", "empty.c"], Path(name))
        return (JSON_FLAG,) if returncode == 0 else (SARIF_FLAG,)

    def _sanitizers(self, work: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Flags, and what is missing; puts the runner that they need beside the artefact."""
        if self._compiler.kind == "clang":
            return TRAPS, (NO_ADDRESS,)
        try:
            binary = harness.runner_binary(self._compiler, self._runners, self.fingerprint.id, sanitize=True)
        except TargetError:
            return TRAPS, (NO_ADDRESS,)
        shutil.copy(binary, (work / LIBRARY).with_suffix(".runner"))
        return (*TRAPS, ADDRESS), ()

    def _object_words(self, candidate: Candidate, flags: tuple[str, ...]) -> list[str]:
        own = OF_CLANG if self._compiler.kind == "clang" else ()
        return [*flags, *OBJECT_FLAGS, *own, "-I", str(INCLUDE), "-I", HEADERS, "-c", candidate.main, "-o", OBJECT]

    def _link_words(self, openmp: bool, address: bool, named: tuple[Library, ...]) -> list[str]:
        """Without the candidate's flags: -ffast-math at the link would switch denormals off for the whole process."""
        always = [f"-l{name}" for name in ALWAYS if name != "mvec" or self.machine.architecture == "x86_64"]
        libraries = [*(f"-l{one.name}" for one in named), *always, *(["-lgomp"] * openmp)]
        own = ["-O2", "-fPIC", "-shared", *([ADDRESS] * address), "-I", str(INCLUDE), "trampoline.c", OBJECT]
        return [*own, "-o", LIBRARY, "-Wl,-z,now,-z,relro,-z,noexecstack", *libraries]

    def runner_binary(self) -> Path:
        """Raises: TargetError when the harness does not compile here."""
        return harness.runner_binary(self._compiler, self._runners, self.fingerprint.id)

    def probes(self, spec: KernelSpec) -> dict[str, Candidate]:
        return probe_sources.probes(spec, self.machine)

    def empty(self, spec: KernelSpec) -> Candidate:
        return probe_sources.empty(spec)

    def requirements(self) -> list[Requirement]:
        found = [Requirement(self._compiler.kind, str(self._compiler.path), "nothing can be compiled", needed=True)]
        for tool, lost in USED.items():
            found.append(Requirement(tool, shutil.which(tool, path=SEARCH) or "", lost, needed=tool == "objdump"))
        level = best_launcher().level
        found.append(Requirement("sandbox", level, LOST[level] or "nothing"))
        return found


def _write_headers(spec: KernelSpec, work: Path) -> None:
    for name in spec.headers:
        place = work / HEADERS / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(spec.include / name, place)


def _scanned(path: Path, openmp: bool, libraries: tuple[Library, ...]) -> Scan:
    try:
        found = scan(path, openmp=openmp, also=frozenset[str]().union(*(one.functions for one in libraries)))
    except ScanFailed as failure:
        raise CompileFailed("object_scan", str(failure)) from failure
    if found.problems:
        raise CompileFailed("object_scan", found.problems[0], "\n".join(found.problems))
    return found
