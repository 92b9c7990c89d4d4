"""`bench cublas`: which kernels it is a number to beat for, and what is said where there is no GPU."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typing_extensions import override

from app.bench import gemm
from app.cli import run
from kernels.packs.loader import load_pack
from kernels.targets.base import TargetError
from kernels.targets.cuda import gpu
from kernels.targets.cuda.cublas import Sizes, Timed, sizes_of

SPEC = load_pack("gemm_bf16").kernel("gemm")


def test_a_product_is_known_by_its_contract() -> None:
    assert [sizes_of(case) for case in SPEC.cases][:2] == [Sizes(1, 2048, 2048), Sizes(8, 1536, 1024)]
    assert sizes_of(replace(SPEC, operations=SPEC.operations + 1)) is None
    assert sizes_of(load_pack("axpy_gemv").kernel("gemv")) is None


def test_its_reference_shows_that_it_is_one(tmp_path: Path) -> None:
    small = next(case for case in SPEC.cases if case.shape == "edge_33")
    assert gemm.is_product(small, 1)
    (tmp_path / "reference.py").write_text('def reference(a):\n    return {"Y": a["B"].apply(a["X"]) * 0.9}\n')
    assert not gemm.is_product(replace(small, folder=tmp_path), 1)


def test_where_no_gpu_is_the_reason_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KERNELWRIGHT_HOME", str(tmp_path))
    if not gpu.no_gpu():
        raise pytest.skip.Exception("there is a GPU here")
    assert run(["bench", "cublas", "--kernel", "gemm_bf16/gemm", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["shapes"] == {}
    assert found["skipped"]
    assert gemm.text(found).startswith("cuBLAS on gemm: skipped: ")
    assert run(["bench", "cublas", "--kernel", "axpy_gemv/gemv"]) == 2
    assert "no product Y = X W^T of bf16 matrices" in capsys.readouterr().err


def test_figures_are_by_the_events_of_every_shape(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Here(gemm.Cuda):
        def __init__(self) -> None:
            """A target with a GPU."""

        @override
        def gemm(self, sizes: Sizes) -> Timed:
            if sizes.m > 96:
                raise TargetError("timing cuBLAS", "too large", "")
            return Timed("130100", (9e3, 8e3, 9e3), (4e3, 5e3, 6e3))

    monkeypatch.setattr(gemm, "get_target", lambda *_: Here())
    found = gemm.run(tmp_path, "gemm_bf16/gemm", 1)
    one = found["shapes"]["decode_1"]
    assert (one["ns"], one["host_ns"], one["calls"]) == (5e3, 9e3, 3)
    assert one["tflops"] == pytest.approx(2 * 2048 * 2048 / 5e3 / 1e3)
    assert "decode_1" in gemm.text(found)
