"""Target `cuda`: kernel.cu to PTX and a cubin in confined compilers, looked through, and packed with its launches."""

import json
import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from kernels.sandbox.launch import best_launcher
from kernels.sandbox.starter import StarterCall
from kernels.targets.base import Artefact, CompileFailed, Requirement, TargetError
from kernels.targets.cpu_c.toolchain import find_compiler
from kernels.targets.cuda import build, cublas, gpu
from kernels.targets.cuda import probes as probe_sources
from kernels.targets.cuda.architecture import DEFAULT, named
from kernels.targets.cuda.container import calling, packed
from kernels.targets.cuda.cubin import code_hash
from kernels.targets.cuda.diagnostics import read, root_cause
from kernels.targets.cuda.harness import DESCRIBE, GEMM, RUNNER, built
from kernels.targets.cuda.issue import NoCount, launched, timetable
from kernels.targets.cuda.launches import cuda_plan
from kernels.targets.cuda.listing import of_ptx_text
from kernels.targets.cuda.options import STANDARD, STRICT_BACK, STRICT_FRONT, back, front, refused
from kernels.targets.cuda.starter import LEVEL, starter
from kernels.targets.cuda.toolkit import Toolkit, find_toolkit, present
from kernels.targets.diagnosis import Diagnosis
from kernels.targets.opencl.launches import cases_of
from kernels.targets.opencl.options import defines
from kernels.targets.shapes import BadContainer, for_shape
from kernels.targets.work import emptied
from kernels.values.candidate import Candidate
from kernels.values.fingerprint import Fingerprint
from kernels.values.kernel import KernelSpec
from kernels.values.timetable import Timetable

NO_SANITIZER: Final = "nvcc builds no kernel with checks of its own, and compute-sanitizer watches only what runs"


class Cuda:
    """compiler: a name or path of nvcc, "" for the first that is found. architecture: as `sm_90a`, "" for that of the
    GPU here, or the default where there is none."""

    name = "cuda"

    def __init__(self, cache: Path, compiler: str = "", architecture: str = "") -> None:
        self._folder = cache.absolute() / "cuda"
        self._folder.mkdir(parents=True, exist_ok=True)
        launcher = best_launcher()
        if launcher.level != LEVEL:
            raise TargetError("target 'cuda'", f"candidates run at level {LEVEL} only, here it is {launcher.level}",
                              "Install bubblewrap, or permit user namespaces")  # fmt: skip
        self._host = find_compiler()
        self._asked = compiler
        self._toolkit = find_toolkit(launcher, compiler)
        found = gpu.ask(self._describe)
        self._gpu: gpu.Gpu | None = None if isinstance(found, str) else found
        self._missing = found if isinstance(found, str) else ""
        self._chip = (
            named(architecture) if architecture else self._gpu.chip if self._gpu is not None else named(DEFAULT)
        )
        self.machine = gpu.machine_of(self._gpu, self._chip.name)

    @property
    def _describe(self) -> Path:
        return built(DESCRIBE, self._host, self._folder, gpu.library())

    @cached_property
    def fingerprint(self) -> Fingerprint:
        return self._print(self._toolkit)

    def present(self) -> Fingerprint:
        """See `base.Watched`."""
        return self._print(present(self._toolkit, best_launcher(), self._asked))

    def _print(self, kit: Toolkit) -> Fingerprint:
        driver = f", driver {self._gpu.driver}" if self._gpu is not None else ""
        flags = (*STANDARD, f"-arch={self._chip.name}")
        return Fingerprint(
            str(kit.nvcc.path), kit.version + driver, kit.sha256, flags, self.machine.model, self.machine.threads
        )

    def compile(
        self, candidate: Candidate, spec: KernelSpec, folder: Path, *, profile: bool = False, sanitize: bool = False
    ) -> Artefact:
        """profile: the same cubin; its launches are kept as marks when it runs so.

        Raises: CompileFailed: compile_error, compile_timeout, flag, object_scan.
        """
        if sanitize:
            raise CompileFailed("flag", NO_SANITIZER)
        work = emptied(folder.absolute() / f"build{'-profile' * profile}")
        return self._make(candidate, spec, work, front(candidate.flags), back(candidate.flags))

    def compile_strict(self, candidate: Candidate, spec: KernelSpec, folder: Path) -> Artefact:
        """As it is written: no contraction, IEEE division, no optimisation by ptxas. Raises: CompileFailed."""
        work = emptied(folder.absolute() / "build-strict")
        return self._make(candidate, spec, work, STRICT_FRONT, STRICT_BACK)

    def _make(
        self, candidate: Candidate, spec: KernelSpec, work: Path, ahead: Sequence[str], behind: Sequence[str]
    ) -> Artefact:
        started = time.monotonic()
        if (bad := refused(candidate.flags)) is not None:
            raise CompileFailed("flag", f"flag {bad!r} is not allowed: what says how code is made, and -D, only")
        cases = cases_of(spec, lambda one: cuda_plan(candidate, one.sizes, self._chip.block_bytes))
        plans = [plan for _, plan in cases]
        flags = (*STANDARD, *defines(spec.flags), *ahead)
        returncode, text = build.to_ptx(self._toolkit, self._chip, candidate.files, candidate.main, work, flags)
        if returncode:
            raise CompileFailed("compile_error", root_cause(text), text)
        build.look_at(work, plans)
        made = build.assembled(self._toolkit, self._chip, work, behind)
        findings = build.fitting(plans, self._chip, made.resources)
        counts = build.counted(plans, work, self._toolkit)
        (work / build.ARTEFACT).write_bytes(packed(cases, made.cubin))
        told = {
            "resources": [one.to_json() for one in made.resources.values()],
            "census": [c.to_json() for c in counts],
        }
        (work / build.REPORT).write_text(json.dumps(told, indent=1), encoding="utf-8")
        code = code_hash(made.parts, (line for case in cases for line in calling(*case)))
        lines = (*findings, *(one.text for one in counts))
        return Artefact(work / build.ARTEFACT, code, time.monotonic() - started, text, lines)

    def diagnose(self, files: Mapping[str, str], main: str, flags: Sequence[str]) -> Diagnosis:
        """What nvcc says of a source that is built as a candidate's is."""
        with TemporaryDirectory(prefix="kw-diagnose-") as name:
            try:
                ahead = (*STANDARD, *front(flags))
                returncode, text = build.to_ptx(self._toolkit, self._chip, files, main, Path(name), ahead)
            except CompileFailed as failure:
                return Diagnosis(False, broken=failure.root_cause)
        return read(returncode, text)

    @property
    def has_timetables(self) -> bool:
        """Where a GPU says its clock and its multiprocessors."""
        return self._gpu is not None and self._gpu.clock_ghz > 0

    def timetable(self, artefact: Artefact, spec: KernelSpec) -> Timetable:
        """See `issue.py`. Raises: CompileFailed where turns of a loop are not known, TargetError without a GPU."""
        if self._gpu is None:
            raise TargetError("a plan of CUDA kernels", self._missing, "Ask on a machine with the GPU")
        try:
            text = artefact.path.with_name(build.PTX).read_text(encoding="utf-8", errors="replace")
            calls = launched(for_shape(artefact.path.read_bytes(), spec.shape))
            return timetable(self._chip, self._gpu.multiprocessors, self._gpu.clock_ghz, calls, of_ptx_text(text))
        except (OSError, BadContainer, NoCount) as why:
            raise CompileFailed("compile_error", str(why)) from why

    def built_in(self, folder: Path) -> Artefact | None:
        path = folder.absolute() / "build" / build.ARTEFACT
        return Artefact(path, "", 0.0) if path.is_file() else None

    def starter(self) -> StarterCall:
        """Raises: TargetError where there is no GPU, or when the harness does not compile here."""
        if self._gpu is None:
            todo = "Run it on a machine with a GPU of NVIDIA and its driver; sources compile without one"
            raise TargetError("running CUDA kernels", self._missing, todo)
        return starter(self.runner_binary(), self._describe)

    def runner_binary(self) -> Path:
        return built(RUNNER, self._host, self._folder, gpu.library())

    def gemm(self, sizes: cublas.Sizes) -> cublas.Timed:
        """What cuBLAS takes for a product. Raises: TargetError where there is no GPU or no cuBLAS, or when it fails."""
        asked, library = "timing cuBLAS", cublas.place(self._toolkit.root)
        if self._gpu is None:
            raise TargetError(asked, self._missing, "Run it on a machine with a GPU of NVIDIA and its driver")
        if not library:
            raise TargetError(asked, "there is no libcublas here", cublas.INSTALL)
        try:
            return cublas.timed(built(GEMM, self._host, self._folder, gpu.library()), library, sizes)
        except cublas.NoGemm as why:
            raise TargetError(asked, str(why), f"It was {library}") from why

    def probes(self, spec: KernelSpec) -> dict[str, Candidate]:
        return probe_sources.probes(spec, self._gpu.multiprocessors if self._gpu is not None else 0)

    def empty(self, spec: KernelSpec) -> Candidate:
        return probe_sources.empty(spec)

    def requirements(self) -> list[Requirement]:
        kit, here = self._toolkit, self._gpu
        tools = {name: str(path) for name, path in kit.tools.items()}
        chip = "" if here is None else f"{here.name}, {self._chip.name}, driver {here.driver}"
        return [
            Requirement("gcc", str(self._host.path), "the harness cannot be built", needed=True),
            Requirement("nvcc", f"{kit.nvcc.path}, {kit.version}", "nothing can be compiled", needed=True),
            Requirement("ptxas", str(kit.ptxas.path), "nothing can be compiled", needed=True),
            Requirement("bwrap", best_launcher().tool, "candidates are not run at all", needed=True),
            Requirement("GPU", chip, f"nothing runs ({self._missing}): code is only compiled, for {self._chip.name}"),
            Requirement("nvdisasm", tools.get("nvdisasm", ""), "a census of PTX in place of machine code"),
            Requirement(
                "ncu",
                tools.get("ncu", ""),
                "counters of the GPU; `knowledge counters` reads a report of it that you made",
            ),
            Requirement("cuBLAS", cublas.place(kit.root), cublas.LOST),
            Requirement("sandbox", LEVEL, "nothing"),
        ]
