"""What every target promises. A subclass gives a `target` fixture and a `sources` fixture, and nothing else."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from kernels.targets.base import CompileFailed, Target
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec


@dataclass(frozen=True)
class Sources:
    """spec: a kernel with weights. twin: good in other words. broken: does not build."""

    spec: KernelSpec
    good: Candidate
    twin: Candidate
    different: Candidate
    broken: Candidate


class TargetContract:
    known_gaps: dict[str, str] = {}  # noqa: RUF012 - test name -> why this target is excused

    @pytest.fixture(autouse=True)
    def _excuse(self, request: pytest.FixtureRequest) -> None:
        reason = self.known_gaps.get(request.node.name)
        if reason is not None:
            request.applymarker(pytest.mark.xfail(reason=reason, strict=True))

    def test_it_says_who_it_is(self, target: Target) -> None:
        assert target.name
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

    def test_profiled_and_sanitized_builds_build(self, target: Target, sources: Sources, tmp_path: Path) -> None:
        assert target.compile(sources.good, sources.spec, tmp_path / "p", profile=True).path.is_file()
        assert target.compile(sources.good, sources.spec, tmp_path / "s", sanitize=True).path.is_file()

    def test_the_runner_is_built_once(self, target: Target) -> None:
        assert target.runner_binary() == target.runner_binary()
        assert target.runner_binary().is_file()

    def test_there_are_four_probes_at_least(self, target: Target, sources: Sources, tmp_path: Path) -> None:
        probes = target.probes(sources.spec)
        assert len(probes) >= 4
        for style, probe in probes.items():
            assert probe.kernel == sources.spec.name
            target.compile(probe, sources.spec, tmp_path / style)

    def test_the_empty_kernel_builds(self, target: Target, sources: Sources, tmp_path: Path) -> None:
        target.compile(target.empty(sources.spec), sources.spec, tmp_path)

    def test_requirements_are_named_with_what_is_lost(self, target: Target) -> None:
        found = target.requirements()
        assert found
        assert all(one.name and one.lost for one in found)
        assert all(one.found for one in found if one.needed)
