"""What bounds a baseline, from counted steps and made-up facts; text and JSON of it; what is not measured says so."""

import json
from pathlib import Path

import pytest

from app.cli import run
from kernels.packs.loader import baseline, load_pack
from kernels.values.machine import Machine
from knowledge.baselines.analysis import FACTS, Analysis, analysed
from knowledge.baselines.character import character_of

MACHINE = Machine("cpu", "x86_64", frozenset(), 4, 32 << 10, 1 << 20, 32 << 20, 4.0)
VALUES = {"read_dram_one": 10.0, "read_dram_all": 20.0, "read_llc": 40.0, "read_l2": 80.0, "fma_throughput": 100.0}


def of(pack: str, kernel: str, **facts: float) -> Analysis:
    spec = load_pack(pack).kernel(kernel)
    return analysed(spec, character_of(baseline(spec), spec), MACHINE, facts)


def test_weights_come_from_memory_and_one_accumulator_waits_for_itself() -> None:
    found = of("axpy_gemv", "gemv", **VALUES, fma_latency=1.0)
    weights = 2048 * 2048 * 4
    assert (found.moved.weights, found.moved.level) == (weights, "memory")
    assert found.written.memory == pytest.approx(found.moved.whole / 10.0)
    assert found.written.steps == 2048 * 2048
    assert found.written.bound == "dependent steps"
    assert (found.best.bound, found.best.steps) == ("memory", None)
    assert found.best.memory == pytest.approx(found.moved.whole / 20.0)
    assert found.best.compute == pytest.approx(2 * 2048 * 2048 / 100.0 / 4)
    assert found.missing == ()


@pytest.mark.parametrize(
    ("pack", "kernel", "level", "rate"),
    [("nussinov", "nussinov", "L2", 80.0), ("jacobi-2d", "jacobi_2d", "last-level cache", 40.0)],
)
def test_without_weights_the_arrays_come_from_where_they_fit(pack: str, kernel: str, level: str, rate: float) -> None:
    found = of(pack, kernel, **VALUES)
    assert found.moved.level == level
    assert found.written.memory == pytest.approx(found.moved.whole / rate)


def test_a_product_of_matrices_is_bound_by_arithmetic_at_its_best() -> None:
    assert of("correlation", "correlation", **VALUES).best.bound == "compute"


def test_what_is_not_measured_bounds_nothing_and_is_named() -> None:
    found = of("axpy_gemv", "gemv")
    assert (found.written.bound, found.written.ns, found.best.bound) == ("not known", None, "not known")
    assert found.missing == FACTS
    assert of("axpy_gemv", "gemv", read_dram_one=10.0).written.bound == "not known"
    assert of("axpy_gemv", "gemv", **VALUES).missing == ("fma_latency",)


def test_the_command_says_all_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KERNELWRIGHT_HOME", str(tmp_path))
    assert run(["knowledge", "baseline", "axpy_gemv/gemv"]) == 0
    said = capsys.readouterr().out
    for words in (
        "axpy_gemv/gemv: streaming matvec",
        "row 2048 x column 2048",
        "not measured: read_dram_one",
        "skills: ",
    ):
        assert words in said
    assert run(["knowledge", "baseline", "--pack", "axpy_gemv", "--json"]) == 0
    kernels = json.loads(capsys.readouterr().out)["kernels"]
    assert [(one["kernel"], one["type"]) for one in kernels] == [
        ("axpy_gemv/axpy", "map"), ("axpy_gemv/gemv", "streaming matvec"),
    ]  # fmt: skip
    gemv = kernels[1]
    assert gemv["bytes"]["weights"] == 2048 * 2048 * 4
    assert gemv["loops"][0]["loops"][1] == {"variable": "column", "trip": 2048.0, "varies": False, "down": False}
    assert (gemv["as_written"]["bound"], gemv["measured"]) == ("not known", None)
    assert run(["knowledge", "baseline", "no_such_kernel"]) == 2
