"""What every target promises. A subclass gives the fixtures `plugin`, `target` and `sources`, and nothing else.

What a plug-in says that it cannot do is skipped with its reason; everything else has to hold.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest

from kernels.device.arena import Arena
from kernels.device.bench import Bench
from kernels.device.calls import Caller
from kernels.device.client import Device
from kernels.device.contender import Contender, Launch
from kernels.device.layout import Layout
from kernels.device.strict import answering
from kernels.packs.loader import baseline, load_pack
from kernels.profiling.planning import plan
from kernels.profiling.schedulers import scheduler_of
from kernels.sandbox.runner import Limits, RunnerFailed
from kernels.targets.base import CompileFailed, Target, starter_of
from kernels.targets.diagnosis import Diagnosing
from kernels.targets.plugin import ABILITIES, Ability, Plugin
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec
from kernels.values.shapes import geometric, shares

T = TypeVar("T", bound=Callable[..., Any])
HANG_S = 1.0


@dataclass(frozen=True)
class Sources:
    """Of y = W x * scale, W a weight. twin: good in other words. broken: does not build; its first error is in line
    `broken_line` of the main file. endless: never returns. pack: folder of a pack with this kernel alone. shaped: of a
    pack with a kernel of two shapes; uneven: a source of it that is wrong at the last alone."""

    good: Candidate
    twin: Candidate
    different: Candidate
    broken: Candidate
    endless: Candidate
    pack: Path
    shaped: Path
    uneven: Candidate
    broken_line: int

    @property
    def spec(self) -> KernelSpec:
        return load_pack(self.pack).kernels[0]

    @property
    def values(self) -> dict[str, Any]:
        """Whole numbers, so that sums are exact in whatever order."""
        rng, shapes = (
            np.random.default_rng(3),
            {one.name: one.shape for one in self.spec.arguments if one.name in ("W", "x")},
        )
        drawn = {name: rng.integers(-4, 5, shape).astype(np.float32) for name, shape in shapes.items()}
        return {**drawn, "scale": np.array(2.0, dtype=np.float32)}

    @property
    def right(self) -> Any:
        values = self.values
        return values["W"] @ values["x"] * values["scale"]


def needs(ability: Ability) -> Callable[[T], T]:
    """The test is about this ability."""

    def marked(test: T) -> T:
        ABOUT[getattr(test, "__name__", "")] = ability
        return test

    return marked


ABOUT: dict[str, Ability] = {}


class TargetContract:
    @pytest.fixture(autouse=True)
    def _excuse(self, request: pytest.FixtureRequest, plugin: Plugin) -> None:
        ability = ABOUT.get(request.function.__name__)
        if ability is not None and ability in plugin.gaps:
            raise pytest.skip.Exception(f"{plugin.name} has a known gap, {ability}: {plugin.gaps[ability]}")

    def test_its_gaps_are_named_with_a_reason(self, plugin: Plugin) -> None:
        assert set(plugin.gaps) <= set(ABILITIES)
        assert all(len(reason) > 8 for reason in plugin.gaps.values())
        assert plugin.trust

    def test_it_says_who_it_is(self, plugin: Plugin, target: Target) -> None:
        assert target.name == plugin.name
        assert target.machine.threads >= 1
        assert len(target.fingerprint.id) == 12
        assert target.fingerprint.device == target.machine.model

    def test_a_good_source_becomes_an_artefact(self, target: Target, sources: Sources, tmp_path: Path) -> None:
        built = target.compile(sources.good, sources.spec, tmp_path)
        assert built.path.is_file()
        assert built.path.is_relative_to(tmp_path)
        assert built.seconds > 0

    def test_a_refused_source_says_why(self, target: Target, sources: Sources, tmp_path: Path) -> None:
        with pytest.raises(CompileFailed, match=r"\S") as caught:
            target.compile(sources.broken, sources.spec, tmp_path)
        assert caught.value.root_cause in caught.value.diagnostics

    def test_building_again_gives_the_same_code(self, target: Target, sources: Sources, tmp_path: Path) -> None:
        hashes = [target.compile(sources.good, sources.spec, tmp_path).machine_code_sha256 for _ in range(2)]
        assert hashes[0] == hashes[1]

    def test_the_code_is_told_apart_by_what_it_does(self, target: Target, sources: Sources, tmp_path: Path) -> None:
        good, twin, different = (
            target.compile(one, sources.spec, tmp_path / str(i)).machine_code_sha256
            for i, one in enumerate((sources.good, sources.twin, sources.different))
        )
        assert good == twin != different

    def test_the_folder_holds_all_that_a_build_writes(self, target: Target, sources: Sources, tmp_path: Path) -> None:
        work, beside = tmp_path / "work", tmp_path / "beside"
        beside.mkdir()
        target.compile(sources.good, sources.spec, work)
        assert list(beside.iterdir()) == []
        assert {path.name for path in tmp_path.iterdir()} == {"work", "beside"}

    @needs("sanitize")
    def test_a_sanitized_build_builds(self, target: Target, sources: Sources, tmp_path: Path) -> None:
        assert target.compile(sources.good, sources.spec, tmp_path, sanitize=True).path.is_file()

    @needs("diagnostics")
    def test_a_diagnostic_has_a_severity_words_and_a_line(self, target: Target, sources: Sources) -> None:
        assert isinstance(target, Diagnosing)
        broken = sources.broken
        found = target.diagnose(broken.files, broken.main, broken.flags)
        assert not found.ok
        assert not found.broken
        assert found.root is not None
        assert found.root.message
        place = found.root.place_in([broken.main])
        assert place is not None
        assert place.line == sources.broken_line
        assert target.diagnose(sources.good.files, sources.good.main, sources.good.flags).ok

    @needs("schedule")
    def test_a_build_has_a_planned_time(self, target: Target, sources: Sources, tmp_path: Path) -> None:
        scheduler = scheduler_of(target)
        assert scheduler is not None
        built = target.compile(sources.good, sources.spec, tmp_path)
        found = scheduler.schedule(built, sources.spec)
        assert found.model
        assert plan(found, sources.spec, None).ns > 0
        assert scheduler.built_in(tmp_path) is not None

    @needs("run")
    def test_a_call_gives_the_right_values(self, target: Target, sources: Sources, tmp_path: Path) -> None:
        built = target.compile(sources.good, sources.spec, tmp_path / "build")
        with answering(target, sources.spec, built.path, tmp_path / "memory", "contract") as answers:
            got = answers.outputs(sources.values)
        np.testing.assert_array_equal(got["y"], sources.right)

    @needs("timeline")
    def test_a_profiled_call_leaves_spans(self, target: Target, sources: Sources, tmp_path: Path) -> None:
        built = target.compile(sources.good, sources.spec, tmp_path / "build", profile=True)
        with _called(target, sources.spec, built.path, tmp_path / "memory", profile=True) as caller:
            caller.bare(caller.place(0))
            found = caller.contender.runner.timeline()
        assert found.total_ns > 0
        assert all(0 <= span.begin_ns <= span.end_ns <= found.total_ns * 1.001 for span in found.spans)

    @needs("limits")
    def test_what_never_ends_is_killed(self, target: Target, sources: Sources, tmp_path: Path) -> None:
        built = target.compile(sources.endless, sources.spec, tmp_path / "build")
        with (
            _called(target, sources.spec, built.path, tmp_path / "memory") as caller,
            pytest.raises(RunnerFailed) as caught,
        ):
            caller.bare(caller.place(0))
        assert caught.value.kind == "hang"

    @needs("health")
    async def test_the_device_says_that_it_is_well(self, target: Target, sources: Sources, tmp_path: Path) -> None:
        device = await Device.start(target, load_pack(sources.pack), tmp_path / "device")
        try:
            found = await device.health()
        finally:
            await device.close()
        assert found.ok, found.detail

    @needs("run")
    async def test_the_referee_times_and_checks_its_calls(
        self, target: Target, sources: Sources, tmp_path: Path
    ) -> None:
        pack = load_pack(sources.pack)
        spec = pack.kernels[0]
        device = await Device.start(target, pack, tmp_path / "device")
        try:
            for name, one in (("good", sources.good), ("different", sources.different)):
                await device.load(spec.name, name, target.compile(one, spec, tmp_path / name).path)
            right, wrong = [await device.check(spec.name, name) for name in ("good", "different")]
            test = await device.begin_test(spec.name, "good", "good")
            pair = await device.pair(test, "head", 1e6)
            ended = await device.end_test(test)
            assert ended.ok, ended
        finally:
            await device.close()
        assert right.ok, right.reason
        assert wrong.kind == "wrong_values"
        assert pair.head.calls == pair.candidate.calls >= 1

    @pytest.mark.long
    @pytest.mark.timeout(600)
    @needs("run")
    async def test_a_kernel_of_several_shapes_is_judged_at_each(
        self, plugin: Plugin, target: Target, sources: Sources, tmp_path: Path
    ) -> None:
        pack = load_pack(sources.shaped)
        spec, first = pack.kernels[0], baseline(pack.kernels[0], plugin.dialect)
        names = {shape.name for shape in spec.shapes}
        device = await Device.start(target, pack, tmp_path / "device")
        try:
            for name, one in (("even", first), ("uneven", sources.uneven)):
                await device.load(spec.name, name, target.compile(one, spec, tmp_path / name).path)
            right, wrong = [await device.check(spec.name, name) for name in ("even", "uneven")]
            test = await device.begin_test(spec.name, "even", "even")
            pair = await device.pair(test, "head", 1e6)
            ended = await device.end_test(test)
        finally:
            await device.close()
        assert right.ok, right.reason
        assert ended.ok, ended
        assert set(right.facts["shapes"]) == names
        assert wrong.kind == "wrong_values"
        assert spec.cases[-1].place in wrong.reason
        assert set(pair.head.shapes) == set(pair.candidate.shapes) == names
        assert pair.head.ns == pytest.approx(geometric(pair.head.shapes, shares(spec.shapes)))

    def test_requirements_are_named_with_what_is_lost(self, target: Target) -> None:
        found = target.requirements()
        assert found
        assert all(one.name and one.lost for one in found)
        assert all(one.found for one in found if one.needed)


@contextmanager
def _called(
    target: Target, spec: KernelSpec, artefact: Path, folder: Path, *, profile: bool = False
) -> Generator[Caller]:
    """Calls of one artefact without a referee process."""
    arena = Arena(folder)
    launch = Launch(starter_of(target).make(), target.machine.threads, Limits(), profile)
    layout = Layout(spec, 1)
    weights = arena.allocate("weights", layout.weights_size)
    one = Contender("one", spec, artefact, Bench(arena, layout), weights.reader_fd, launch)
    try:
        yield Caller(one, np.random.default_rng(0), HANG_S)
    finally:
        one.close()
        weights.close()
        arena.close()
