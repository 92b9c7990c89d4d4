"""How OpenCL candidates are called: lines of the source, and the file that a built one is."""

from pathlib import Path

import pytest

from kernels.packs.loader import load_pack
from kernels.sandbox.launch import Launcher
from kernels.targets.base import CompileFailed, TargetError
from kernels.targets.cpu_c.toolchain import Compiler
from kernels.targets.opencl import found
from kernels.targets.opencl.container import packed
from kernels.targets.opencl.diagnostics import read
from kernels.targets.opencl.launches import BadLaunch, Launch, Plan, Scratch, cases_of, plan_of
from kernels.targets.opencl.options import refused
from kernels.targets.shapes import for_shape
from kernels.values.candidate import Candidate
from kernels.values.kernel import Argument
from tests.unit.targets.kit import spec_of


def plan(text: str, *flags: str) -> Plan:
    return plan_of(Candidate("mv", {"kernel.cl": text}, "kernel.cl", "opencl", flags), {}, group_limit=4096)


def test_launches_and_scratch_buffers_come_in_the_order_of_the_source() -> None:
    made = plan(
        "#define ROWS 2048 /* of the matrix */\n#define KW_TUNE_ROWS_1 4 /* tune: 1 2 4 */\n"
        "KW_SCRATCH(h, ROWS * 4);\nKW_LAUNCH(first, 1, 1);\nKW_LAUNCH(second, (ROWS) / KW_TUNE_ROWS_1, 1 << 6);\n"
    )
    assert made == Plan((Launch("first", 1, 1), Launch("second", 512, 64)), (Scratch("h", 8192),))


def test_a_macro_of_the_command_line_counts() -> None:
    assert plan("KW_LAUNCH(one, N, 0x10);", "-DN=32").launches == (Launch("one", 32, 16),)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("void one(void);", "nothing is launched"),
        ("KW_LAUNCH(one, 100, 64);", "100 work-items are no whole number of groups of 64"),
        ("KW_LAUNCH(one, 8192, 8192);", "the device takes at most 4096"),
        ("KW_LAUNCH(one, n, 1);", "n is no constant"),
        ("KW_LAUNCH(one, 4 / 0, 1);", "4 / 0"),
        ("KW_LAUNCH(one, 4);", "wants a name and 2 constants"),
        ("KW_SCRATCH(big, 65 << 20); KW_LAUNCH(one, 1, 1);", "more than 64 MiB"),
    ],
)
def test_a_launch_that_cannot_be_says_why(text: str, why: str) -> None:
    with pytest.raises(BadLaunch, match=why):
        plan(text)


def test_the_file_says_the_call_and_holds_the_program() -> None:
    spec = spec_of(weights=(Argument("W", "f32", (8, 64), "weight"), Argument("n", "i32", (), "constant", value=-2)))
    head, _, binary = packed([(spec, Plan((Launch("mv", 8, 4),), (Scratch("t", 64),)))], b"\0\1\n").partition(
        b"binary 3\n"
    )
    assert binary == b"\0\1\n"
    assert head.decode().splitlines() == [
        "kernelwright-opencl 1 5 1 1", "argument 0 0 2048 0", "argument 2 0 4 fffffffe", "argument 0 0 256 0",
        "argument 1 0 4 0", "argument 0 1 32 0", "scratch 64", "launch mv 8 4",
    ]  # fmt: skip


def test_a_kernel_of_several_shapes_is_called_at_each_as_its_launches_say() -> None:
    text = "#define TILE 16\nKW_SCRATCH(t, M * K * 4);\nKW_LAUNCH(gemm_bf16, (N + TILE - 1) / TILE * M, 1);\n"
    candidate, spec = (
        Candidate("gemm", {"kernel.cl": text}, "kernel.cl", "opencl"),
        load_pack("gemm_bf16").kernel("gemm"),
    )
    raw = packed(cases_of(spec, lambda one: plan_of(candidate, one.sizes)), b"the program")
    for name, first, scratch, items in (
        ("decode_1", 2 * 2048, 4 * 2048, 128),
        ("edge_17", 2 * 17 * 1096, 4 * 17 * 1096, 63 * 17),
    ):
        head, _, program = for_shape(raw, name).partition(b"binary 11\n")
        lines = head.decode().splitlines()
        assert program == b"the program"
        assert (lines[0], lines[1]) == ("kernelwright-opencl 1 6 1 1", f"argument 0 0 {first} 0")
        assert lines[-2:] == [f"scratch {scratch}", f"launch gemm_bf16 {items} 1"]


def test_a_launch_that_cannot_be_at_one_shape_names_it() -> None:
    spec = load_pack("gemm_bf16").kernel("gemm")
    candidate = Candidate("gemm", {"kernel.cl": "KW_LAUNCH(gemm_bf16, M * N, 512);\n"}, "kernel.cl", "opencl")
    with pytest.raises(CompileFailed, match=r"shape edge_17 \(M=17, N=1000, K=1096\): line 1: .* 17000 work-items"):
        cases_of(spec, lambda one: plan_of(candidate, one.sizes))


@pytest.mark.parametrize("flag", ["-cl-denorms-are-zero", "-I/etc", "-w", "-cl-std=CL2.0", "-DX=a b"])
def test_an_option_that_could_change_the_judge_is_refused(flag: str) -> None:
    assert refused(("-cl-mad-enable", flag)) == flag


def test_diagnostics_are_placed_in_the_source() -> None:
    text = "error: /tmp/x/cl-cache/tempfile_Ab12.cl:3:7: no such thing\nDevice x failed to build the program\n"
    root = read(1, text, "kernel.cl").root
    assert root is not None
    place = root.places[0]
    assert (root.message, place.file, place.line, place.column) == ("no such thing", "kernel.cl", 3, 7)


def test_a_compiler_that_fails_without_a_diagnostic_is_broken() -> None:
    assert "clBuildProgram" in read(1, "error: clBuildProgram fails with -6", "kernel.cl").broken


def test_where_no_opencl_is_the_target_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(found, "places", lambda: iter(()))
    compiler = Compiler(Path("/bin/true"), "none", "")
    with pytest.raises(TargetError, match=r"there is no OpenCL library here\. Install PoCL \(Debian: apt-get install"):
        found.find_platform(compiler, Launcher("bwrap+seccomp"), tmp_path)
