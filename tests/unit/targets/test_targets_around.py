"""Probes, header, machine, fingerprint, registry, requirements."""

import ctypes
import shutil
from pathlib import Path

import numpy as np
import pytest

from kernels.sandbox.runner import Runner
from kernels.targets.base import TargetError
from kernels.targets.cpu_c import toolchain
from kernels.targets.cpu_c.diagnostics import root_cause, text_of
from kernels.targets.cpu_c.target import CpuC
from kernels.targets.registry import get_target, plugins
from kernels.values.candidate import Candidate
from kernels.values.formats import bf16_to_f32, f32_to_bf16
from kernels.values.kernel import Argument, KernelSpec
from kernels.values.machine import Machine
from tests.unit.sandbox.kit import PRELUDE, Bench
from tests.unit.sandbox.kit import spec_of as bench_spec
from tests.unit.targets.kit import HONEST, candidate, spec_of

BF16 = """
void narrow(const float *from, uint16_t *to, int n) { for (int i = 0; i < n; i++) to[i] = kw_f32_to_bf16(from[i]); }
void widen(const uint16_t *from, float *to, int n) { for (int i = 0; i < n; i++) to[i] = kw_bf16_to_f32(from[i]); }
"""
WEIGHTS = (
    Argument("codes", "e2m1", (24, 250), "weight"),
    Argument("scales", "e4m3", (24, 7), "weight"),
    Argument("norm", "bf16", (13,), "weight"),
    Argument("one", "f32", (), "weight"),
)


@pytest.mark.parametrize("weights", [(), WEIGHTS])
def test_every_probe_style_compiles_clean(target: CpuC, tmp_path: Path, weights: tuple[Argument, ...]) -> None:
    spec = spec_of(weights=weights)
    found = target.probes(spec)
    assert len(found) >= 4
    codes = {target.compile(one, spec, tmp_path / style).machine_code_sha256 for style, one in found.items()}
    assert len(codes) == len(found)


def test_probes_read_all_weights_and_nothing_else(target: CpuC, tmp_path: Path) -> None:
    """The weights end at unreadable memory, and there are no pages in the outputs' segment but y's own."""
    bench = Bench(target.runner_binary())
    spec = bench_spec(tmp_path)
    for style, probe in target.probes(spec).items():
        built = target.compile(probe, spec, tmp_path / style)
        for threads in (1, 3):
            runner = bench.start(built.path, threads=threads)
            bench.call(runner)
            assert (bench.y.view(np.uint8) == 0xA5).all()
    bench.close()


def test_a_kernel_without_weights_has_no_probe(target: CpuC) -> None:
    assert target.probes(_without_weights()) == {}


def _without_weights() -> KernelSpec:
    spec = spec_of()
    arguments = tuple(a for a in spec.arguments if a.role != "weight")
    return KernelSpec("kit", "mv", "mv", "y", arguments, spec.tolerances, (), ("random",), Path())


def test_machines_without_avx512_get_portable_probes_only() -> None:
    from kernels.targets.cpu_c.probes import probes

    plain = Machine("some CPU", "x86_64", frozenset({"avx2"}), 2)
    found = probes(spec_of(), plain)
    assert len(found) >= 4
    assert not any("immintrin" in one.source for one in found.values())


def test_the_empty_kernel_does_nothing(target: CpuC, tmp_path: Path) -> None:
    bench = Bench(target.runner_binary())
    spec = bench_spec(tmp_path)
    runner = bench.start(target.compile(target.empty(spec), spec, tmp_path).path)
    bench.call(runner)
    assert (bench.y.view(np.uint8) == 0xA5).all()
    bench.close()


SANITIZED = {
    "undefined": ("volatile int most = 0x7fffffff; y[0] = most + 1;", "", "sanitizer"),
    "stack": ("float n[4]; float *volatile p = n; for (int i = 0; i <= 4; i++) p[i] = i;", "", "buffer-overflow"),
    "global": ("float *volatile p = kept; p[10] = 1;", "static float kept[10];", "buffer-overflow"),
}


@pytest.mark.parametrize("name", SANITIZED)
def test_a_sanitized_build_finds_what_a_plain_one_hides(target: CpuC, tmp_path: Path, name: str) -> None:
    body, prelude, words = SANITIZED[name]
    bench = Bench(target.runner_binary())
    spec = bench_spec(tmp_path)
    text = f"{PRELUDE}{prelude}\n{spec.prototype} {{ {body} honest(W, x, y); }}\n"
    built = target.compile(Candidate("mv", {"kernel.c": text}, flags=("-O1",)), spec, tmp_path, sanitize=True)
    if built.findings and name == "global":
        raise pytest.skip.Exception(built.findings[0])
    failure = bench.failure(built.path)
    assert failure.kind == "crash"
    assert words in failure.detail or built.findings
    bench.close()


def test_an_honest_kernel_passes_its_sanitized_build(target: CpuC, tmp_path: Path) -> None:
    bench = Bench(target.runner_binary())
    spec = bench_spec(tmp_path)
    text = f"{PRELUDE}{spec.prototype} {{ honest(W, x, y); }}\n"
    built = target.compile(Candidate("mv", {"kernel.c": text}), spec, tmp_path, sanitize=True)
    runner = bench.start(built.path)
    bench.call(runner)
    assert bench.right
    bench.close()


def test_bf16_of_the_header_is_bf16_of_the_reference(target: CpuC, tmp_path: Path) -> None:
    built = target.compile(candidate(HONEST, BF16), spec_of(), tmp_path)
    library = ctypes.CDLL(str(built.path))
    patterns = np.arange(1 << 16, dtype=np.uint16)
    wide = np.empty(1 << 16, dtype=np.float32)
    library.widen(patterns.ctypes.data_as(ctypes.c_void_p), wide.ctypes.data_as(ctypes.c_void_p), 1 << 16)
    np.testing.assert_array_equal(wide.view(np.uint32), bf16_to_f32(patterns).view(np.uint32))
    bits = np.random.default_rng(3).integers(0, 1 << 32, 1 << 18, dtype=np.uint32)
    ties = (np.arange(1 << 16, dtype=np.uint32) << 16) | 0x8000
    values = np.concatenate([bits, ties, ties + 1, ties - 1]).astype(np.uint32).view(np.float32)
    narrow = np.empty(values.size, dtype=np.uint16)
    library.narrow(values.ctypes.data_as(ctypes.c_void_p), narrow.ctypes.data_as(ctypes.c_void_p), values.size)
    np.testing.assert_array_equal(narrow, f32_to_bf16(values))


def test_this_machine_is_described(target: CpuC) -> None:
    machine = target.machine
    assert machine.model
    assert machine.threads >= 1
    assert machine.cpu_flags
    assert 0 < machine.l1_bytes < machine.l2_bytes <= machine.llc_bytes


def test_the_fingerprint_is_the_toolchain_not_the_candidate(target: CpuC, tmp_path: Path) -> None:
    same = CpuC(tmp_path)
    other = CpuC(tmp_path, flags=("-std=gnu11", "-O2"))
    assert same.fingerprint.id == target.fingerprint.id
    assert other.fingerprint.id != target.fingerprint.id
    assert Path(target.fingerprint.compiler).is_absolute()


def test_the_runner_is_built_once(target: CpuC) -> None:
    first = target.runner_binary()
    stamp = first.stat().st_mtime_ns
    assert target.runner_binary() == first
    assert first.stat().st_mtime_ns == stamp


def test_targets_are_found_by_name(tmp_path: Path) -> None:
    assert "cpu-c" in plugins()
    assert get_target("cpu-c", tmp_path).name == "cpu-c"
    with pytest.raises(TargetError, match="cpu-c"):
        get_target("abacus", tmp_path)


def test_a_missing_compiler_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "SEARCH", str(tmp_path))
    with pytest.raises(TargetError, match="Install"):
        CpuC(tmp_path)


def test_requirements_say_what_is_lost(target: CpuC) -> None:
    found = {one.name: one for one in target.requirements()}
    assert {"gcc", "bwrap", "objdump", "llvm-mca", "sandbox"} <= set(found)
    assert found["gcc"].needed
    assert all(one.lost for one in found.values())
    assert found["llvm-mca"].found == (shutil.which("llvm-mca", path=toolchain.SEARCH) or "")


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (
            "a.c: In function 'f':\na.c:3:5: warning: w\na.c:9:1: error: real\na.c:10:1: error: next",
            "a.c:9:1: error: real",
        ),
        (
            "/usr/bin/ld: x.o: in function `f':\nx.c:(.text+0x1): undefined reference to `g'",
            "undefined reference to `g'",
        ),
        ("ld: final link failed: File too large\ncollect2: error: ld returned 1 exit status", "File too large"),
        ("gcc: fatal error: Killed signal terminated program cc1", "Killed signal"),
        ("a.c:1:1: internal compiler error: Segmentation fault", "internal compiler error"),
        ("\n  something else\n", "something else"),
        ("", "without a word"),
    ],
)
def test_the_root_cause_is_found(text: str, cause: str) -> None:
    assert cause in root_cause(text)


def test_texts_are_cut_in_the_middle() -> None:
    text = text_of(b"a" * 6000 + b"b" * 5000 + b"c" * 2000)
    assert text.startswith("aaa")
    assert text.endswith("ccc")
    assert "5000 characters left out" in text
    assert text_of(b"\xff ok") == "\ufffd ok"


def test_a_runner_of_an_artefact_runs(target: CpuC, tmp_path: Path) -> None:
    bench = Bench(target.runner_binary())
    spec = bench_spec(tmp_path)
    text = f"{PRELUDE}{spec.prototype} {{ honest(W, x, y); }}\n"
    built = target.compile(Candidate("mv", {"kernel.c": text}, flags=("-ffast-math",)), spec, tmp_path)
    runner: Runner = bench.start(built.path, threads=target.machine.threads)
    done = bench.call(runner)
    assert bench.right
    assert not done.fp_mode_changed
    bench.close()
