"""The import as a whole: draft, reference, tolerances, linter, gates; the pack is kept only when all of them agree."""

import asyncio
import shutil
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from app.importing.baseline import judged
from app.importing.reading import Asked, draft_of
from app.importing.telling import about, about_values, summary
from app.importing.trying import Tried, share_used, tried
from app.settings import MissingError, UsageError
from kernels.device.client import DeviceUnhealthy
from kernels.device.strict import answering, reference_outside
from kernels.gates.source import GRAMMARS
from kernels.packs.foreign.draft import LOOSE, Draft, list_kernel
from kernels.packs.lint import lint_kernel
from kernels.packs.loader import baseline, load_pack
from kernels.packs.toml import PackError
from kernels.targets.base import Artefact, CompileFailed
from kernels.targets.cpu_c.target import CpuC
from kernels.values.kernel import KernelSpec
from kernels.values.verdict import GateReport

MOST_USED: Final = 0.25  # of a tolerance, by the baseline itself
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Place:
    """target: builds; cache: for its runner and the referee. work: thrown away. stage: the pack before it is kept."""

    target: CpuC
    cache: Path
    work: Path
    stage: Path


def import_kernel(asked: Asked, cache: Path, say: Say) -> dict[str, Any]:
    """Write the kernel into its pack, which is made when there is none. What the summary says is also its text.

    Raises: UsageError, PackError: nothing is written then; MissingError without a compiler or a device.
    """
    _free(asked)
    with _place(asked, cache) as place:
        draft = draft_of(asked, place.target)
        for line in about(draft):
            say(line)
        spec = _write(draft, place, dict.fromkeys((d.argument.name for d in draft.outputs), LOOSE), draft.regimes)
        say(spec.judged_by)
        artefact = _built(spec, place)
        found, used = _seen(draft, spec, place, artefact)
        for line in about_values(draft, found, used):
            say(line)
        report = _passed(place, draft.name)
        say(f"baseline: passed the check, {report.facts['median_ns'] / 1e6:.3g} ms a call")
        _keep(asked, draft, place)
    return summary(asked, draft, spec, found, used, report)


def _free(asked: Asked) -> None:
    into = asked.into
    if into.exists() and not (into / "pack.toml").is_file() and (not into.is_dir() or any(into.iterdir())):
        raise UsageError(f"--into {into}: it exists and is no pack; give a new folder, or that of a pack")
    if (into / asked.function).exists():
        raise UsageError(
            f"--into {into}: it has a kernel {asked.function} already; remove that folder, or choose another"
        )


@contextmanager
def _place(asked: Asked, cache: Path) -> Generator[Place]:
    with TemporaryDirectory(prefix="kernelwright-import-") as name:
        work = Path(name)
        yield Place(CpuC(cache), cache, work, work / "pack" / asked.into.resolve().name)


def _write(draft: Draft, place: Place, tolerances: Mapping[str, Any], regimes: tuple[str, ...]) -> KernelSpec:
    draft.write(place.stage, tolerances, regimes)
    return load_pack(place.stage).kernel(draft.name)


def _built(spec: KernelSpec, place: Place) -> Artefact:
    """The baseline as candidates are built, through the same checks. Raises: PackError."""
    source = baseline(spec)
    refusal = GRAMMARS["c"].examine(source, spec)
    if refusal is not None:
        todo = "Change the file: arrays come as arguments, and a kernel calls only itself, libm and --lib"
        raise PackError(f"gate source of {spec.name}", refusal.reason, todo)
    try:
        return place.target.compile(source, spec, place.work / "baseline")
    except CompileFailed as failure:
        text = "\n".join(failure.diagnostics.splitlines()[:20])
        todo = f"Correct the file or its flags; kernel.c is what is left of the file\n{text}"
        raise PackError(f"gate compile of {spec.name}", failure.root_cause, todo) from failure


def _seen(draft: Draft, spec: KernelSpec, place: Place, artefact: Artefact) -> tuple[Tried, Mapping[str, float]]:
    """Derive tolerances and regimes, write them, and have the linter look. Raises: PackError."""
    try:
        with reference_outside(place.target, spec, place.work / "reference") as reference:
            found = tried(draft, reference)
            final = _write(draft, place, found.tolerances, found.regimes)
            judging = replace(reference, spec=final)
            with answering(place.target, final, artefact.path, place.work / "arena", "its baseline") as fast:
                used = share_used(judging, fast)
            findings = lint_kernel(final, reference=judging)
    except DeviceUnhealthy as failure:
        raise PackError(f"reference of {spec.name}", str(failure), "Correct the file or its flags") from failure
    if findings:
        raise PackError(f"linter of {spec.name}", "; ".join(map(str, findings)), "Correct the shapes file")
    worst = max(used, key=lambda name: used[name])
    if used[worst] > MOST_USED:
        text = f"the baseline itself is off by {100 * used[worst]:.0f} % of the tolerance of {worst}"
        raise PackError(f"tolerance of {spec.name}", text, f"Give {worst} a reduction: the terms of its longest sum")
    return found, used


def _passed(place: Place, kernel: str) -> GateReport:
    """The baseline, as a campaign judges it. Raises: PackError; MissingError when the device cannot run."""
    pack = load_pack(place.stage)
    try:
        [found] = asyncio.run(judged(pack, [pack.kernel(kernel)], place.target, place.cache))
    except DeviceUnhealthy as failure:
        raise MissingError(f"the device cannot run: {failure}") from failure
    if not found.passed:
        report = found.report
        told = f"gate {report.gate}: {report.kind}: {report.reason}"
        raise PackError(f"check of {kernel}", told, "Correct the file, its shapes or roles")
    return found.report


def _keep(asked: Asked, draft: Draft, place: Place) -> None:
    try:
        asked.into.mkdir(parents=True, exist_ok=True)
        shutil.copytree(place.stage / draft.name, asked.into / draft.name, ignore=shutil.ignore_patterns("__pycache__"))
        list_kernel(asked.into.resolve(), draft.name, draft.shapes.title)
    except OSError as error:
        raise UsageError(f"--into {asked.into}: {error.strerror or error}; choose a folder you may write to") from error
