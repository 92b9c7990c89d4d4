"""The stand-in for RNGD: its noise is the contest's, its commands behave as documented, and it says what it is."""

import csv
import json
import random
import statistics
from pathlib import Path

import numpy as np
import pytest

from kernels.device.report import DeviceUnhealthy
from kernels.sandbox.runner import RunnerFailed
from kernels.sandbox.starter import Telling
from kernels.targets.base import CompileFailed, TargetError, Watched
from kernels.targets.diagnosis import Diagnosing
from kernels.targets.external.target import External
from kernels.targets.registry import get_target
from kernels.targets.rngd.arena import job, refusal, submitted
from kernels.targets.rngd.grader import read_grading
from kernels.targets.rngd.spans import read_spans
from kernels.targets.rngd.stages import read_messages
from kernels.targets.rngd.stand_in import device
from kernels.targets.rngd.stand_in.queue import Filings
from kernels.targets.rngd.stand_in.setup import change, set_up
from kernels.targets.rngd.stand_in.tool import main
from kernels.values.candidate import Candidate
from tests.unit.targets.external_kit import calls_of
from tests.unit.targets.kit import HONEST, candidate, spec_of

READINGS = Path(__file__).parents[4] / "shared" / "data" / "rngd_contest" / "readings.csv"
POOLED = {"qkv": 0.0453, "attn_out": 0.0463, "ffn": 0.0116}
QUIET = {"quota": 0.0, "hang": 0.0, "seed": 1}


@pytest.mark.parametrize("kernel", POOLED)
def test_its_noise_is_that_of_the_readings(kernel: str) -> None:
    noise = device.noise_of(kernel)
    assert statistics.fmean(noise) == pytest.approx(0, abs=0.002)
    assert statistics.pstdev(noise) == pytest.approx(POOLED[kernel], rel=0.05)


def test_its_noise_is_drawn_from_the_published_series() -> None:
    if not READINGS.is_file():
        raise pytest.skip.Exception("the contest's readings are not here")
    rows = [row for row in csv.DictReader(READINGS.open()) if (row["variant"], row["kernel"]) == ("V165-cold12", "qkv")]
    cycles = [float(row["cycles"]) for row in rows]
    factor = (len(cycles) / (len(cycles) - 1)) ** 0.5
    mean = statistics.fmean(cycles)
    noise = np.array(device.noise_of("qkv"))
    assert len(cycles) == 12
    for one in cycles:
        assert np.abs(noise - factor * (one / mean - 1)).min() < 1e-4


def test_the_first_launch_is_slower_and_more_so_after_idling() -> None:
    def first(idle_s: float) -> float:
        extra = []
        for seed in range(200):
            found = device.launches(random.Random(seed), "ffn", "b", (100_000, 100_000), 3, idle_s)
            extra.append(found[0].cycles - statistics.fmean([one.cycles for one in found[1:]]))
        return statistics.median(extra)

    assert 3000 < first(0.1) < 5700
    assert 25_000 < first(2.0) < 50_000


def test_a_launch_takes_as_long_as_its_slower_cluster() -> None:
    assert device.planned((10, 400)) == device.planned((400, 400)) == device.START + 800


def queue(tmp_path: Path, *words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = main([str(tmp_path / "stand-in" / "state"), "furiosa-arena", *words])
    caught = capsys.readouterr()
    return code, caught.out + caught.err


def test_refusals_are_those_of_the_queue(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    set_up(tmp_path, **{**QUIET, "quota": 1.0})
    submit = ("submit", "binary", "job", "--name", "n", "--entrypoint", "e", "--timeout")
    code, said = queue(tmp_path, *submit, "70", capsys=capsys)
    assert (code, refusal(said).kind) == (1, "quota")
    assert refusal(queue(tmp_path, *submit, "71", capsys=capsys)[1]).kind == "timeout"
    change(tmp_path, {"logged_in": False})
    assert refusal(queue(tmp_path, *submit, "70", capsys=capsys)[1]).kind == "login"
    assert queue(tmp_path, "health", capsys=capsys)[0] == 1


def test_a_job_hangs_with_the_documented_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    set_up(tmp_path, **{**QUIET, "hang": 1.0})
    code, said = queue(
        tmp_path, "submit", "b", "j", "--name", "n", "--entrypoint", "e", "--timeout", "70", capsys=capsys
    )
    assert code == 0
    number = str(submitted(said))
    status = job(queue(tmp_path, "status", number, capsys=capsys)[1])
    assert (status.state, status.exit_code) == ("failed", 1)
    assert read_messages(queue(tmp_path, "logs", number, capsys=capsys)[1])[0].stage == "runtime"


def rngd(tmp_path: Path, **settings: object) -> External:
    set_up(tmp_path, **{**QUIET, **settings})
    target = get_target("rngd", tmp_path / "cache", tmp_path)
    assert isinstance(target, External)
    return target


def test_a_call_goes_through_build_queue_grader_and_spans(tmp_path: Path) -> None:
    target = rngd(tmp_path)
    assert target.fingerprint.device == "RNGD (stand-in), grader-reported"
    assert "furiosa-opt cargo-furiosa-opt 0.6.0 (stand-in)" in target.fingerprint.compiler_version
    built = target.compile(candidate(), spec_of(), tmp_path / "work")
    planned = target.timetable(built, spec_of())
    assert planned.makespan > device.START + 2 * 8 * 64
    with calls_of(target, built.path, tmp_path / "memory") as caller:
        one = caller.bare(caller.place(0))
        starter = caller.contender._launch.starter
        assert isinstance(starter, Telling)
        facts = starter.facts()
        assert caller.contender.runner.level == "command, grader-reported, stand-in"
    ran = max((tmp_path / "cache" / "external-rngd" / "jobs").iterdir(), key=lambda path: path.stat().st_mtime_ns)
    log = (ran / "log" / "logs.out").read_text()
    assert log.startswith("stand-in: ")
    (graded,) = read_grading(log).kernels
    assert graded.passed
    assert len(graded.runs) == 3
    assert one.elapsed_ns == int(statistics.median(graded.runs[1:]) / 2.0)
    assert len(read_spans((ran / "span.log").read_text())[0].clusters) == 2
    assert json.loads((ran / "manifest.json").read_text())["idle_s"] >= 0
    assert facts["stand_in"].startswith("yes")
    assert facts["launches"] == "2 timed after 1 that never count"
    assert "0.6.0" in facts["toolchain"]


@pytest.mark.parametrize(
    ("settings", "body", "error", "said"),
    [
        ({"hang": 1.0}, HONEST, RunnerFailed, "hang: stand-in: HAL error PXI-601"),
        ({}, "*(volatile int *)8 = 1;", RunnerFailed, "failed"),
        ({"logged_in": False}, HONEST, DeviceUnhealthy, "Log in yourself"),
    ],
)
def test_failures_are_booked_where_they_belong(
    tmp_path: Path, settings: dict[str, object], body: str, error: type[Exception], said: str
) -> None:
    target = rngd(tmp_path)
    assert target.fingerprint.id
    built = target.compile(candidate(body), spec_of(), tmp_path / "work")
    change(tmp_path, settings)
    with (
        calls_of(target, built.path, tmp_path / "memory") as caller,
        pytest.raises(error, match=said),
    ):
        caller.bare(caller.place(0))


def test_compiler_errors_have_rustcs_form(tmp_path: Path) -> None:
    target = rngd(tmp_path)
    with pytest.raises(CompileFailed, match="mir: ") as caught:
        target.compile(Candidate("mv", {"kernel.c": "void mv(int a) {\n  b = 1;\n}\n"}), spec_of(), tmp_path / "work")
    (first, *_) = read_messages(caught.value.diagnostics)
    assert (first.stage, first.line) == ("mir", 2)
    assert isinstance(target, Diagnosing)
    found = target.diagnose({"kernel.c": "void mv(int a) {\n  b = 1;\n}\n"}, "kernel.c", ())
    assert found.root is not None
    place = found.root.place_in(["kernel.c"])
    assert place is not None
    assert place.line == 2


def test_a_head_is_filed_on_the_board_one_at_a_time(tmp_path: Path) -> None:
    target = rngd(tmp_path)
    assert target.has_board
    filed = target.submit(candidate(), spec_of(), tmp_path / "first")
    assert filed.score.endswith("(stand-in)")
    assert 0.8 < float(filed.score.split()[0]) < 1.2
    assert filed.log.startswith("stand-in: ")
    Filings(tmp_path / "stand-in" / "state").add("another one, still on its way")
    with pytest.raises(TargetError, match="a submission is already running"):
        target.submit(candidate(), spec_of(), tmp_path / "second")


def test_another_toolchain_is_another_fingerprint_and_is_seen_at_once(tmp_path: Path) -> None:
    target = rngd(tmp_path)
    before = target.fingerprint
    assert isinstance(target, Watched)
    assert target.present() == before
    change(tmp_path, {"toolchain": "0.8.1"})
    after = target.present()
    assert before.id != after.id
    assert "0.8.1" in after.compiler_version
    assert target.fingerprint == before
    assert get_target("rngd", tmp_path / "cache", tmp_path).fingerprint == after
