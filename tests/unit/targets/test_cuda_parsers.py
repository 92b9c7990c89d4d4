"""What CUDA's tools print, as values: diagnostics, resources, PTX, cubins; launches and the file of a candidate."""

import struct
import subprocess
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from kernels.packs.loader import load_pack
from kernels.targets.base import TargetError
from kernels.targets.cpu_c.toolchain import find_compiler
from kernels.targets.cuda import ptx
from kernels.targets.cuda.architecture import named, of_capability
from kernels.targets.cuda.container import packed
from kernels.targets.cuda.cubin import NoCubin, code_hash, sections
from kernels.targets.cuda.diagnostics import read, root_cause
from kernels.targets.cuda.launches import cuda_plan
from kernels.targets.cuda.occupancy import occupancy
from kernels.targets.cuda.options import back, front, refused
from kernels.targets.cuda.resources import Resources, read_resources
from kernels.targets.opencl.launches import BadLaunch, Launch, Plan, Scratch
from kernels.targets.shapes import BadContainer, for_shape
from kernels.values.candidate import Candidate
from kernels.values.kernel import Argument
from tests.unit.targets.kit import spec_of

NVCC = """kernel.cu(5): warning #177-D: variable "unused" was declared but never referenced
      int unused = 3
          ^

Remark: The warnings can be suppressed with "-diag-suppress <warning-number>"

kernel.cu(4): error: identifier "sums" is undefined
      y[0] = sums;
             ^

1 error detected in the compilation of "kernel.cu".
"""
PTXAS = """ptxas info    : 16 bytes gmem
ptxas info    : Compiling entry function 'second' for 'sm_90'
ptxas info    : Function properties for second
    400 bytes stack frame, 12 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers, 400 bytes cumulative stack size
ptxas info    : Compile time = 19.854 ms
ptxas info    : Compiling entry function 'mv' for 'sm_90'
ptxas info    : Function properties for mv
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Function properties for _Z6helperf
    64 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 1024+16 bytes smem, 400 bytes cmem[0], 8 bytes cmem[2]
"""


def plan(text: str, *flags: str) -> Plan:
    return cuda_plan(Candidate("mv", {"kernel.cu": text}, "kernel.cu", "cuda", flags), {}, 227 << 10)


def test_nvccs_first_error_is_the_root_cause() -> None:
    found = read(1, NVCC)
    assert not found.ok
    assert [one.severity for one in found.diagnostics] == ["warning", "error"]
    assert found.root is not None
    assert (found.root.message, found.root.places[0].file, found.root.places[0].line) == (
        'identifier "sums" is undefined', "kernel.cu", 4,
    )  # fmt: skip
    assert root_cause(NVCC) == 'kernel.cu(4): error: identifier "sums" is undefined'


@pytest.mark.parametrize(
    ("line", "message", "place"),
    [
        ("kernel.cu:1:10: fatal error: nope.h: No such file or directory", "nope.h: No such file or directory", 1),
        ("ptxas kernel.ptx, line 34; error   : Unknown modifier '.bar'", "Unknown modifier '.bar'", 34),
        ("ptxas error   : Entry function 'mv' uses too much shared data (0x61a80 bytes, 0xc000 max)",
         "Entry function 'mv' uses too much shared data (0x61a80 bytes, 0xc000 max)", None),
        ("nvcc fatal   : Unknown option '--foo'", "Unknown option '--foo'", None),
        ('kernel.cu(3): catastrophic error: cannot open source file "x.h"', 'cannot open source file "x.h"', 3),
    ],
)  # fmt: skip
def test_the_other_tools_errors_are_read(line: str, message: str, place: int | None) -> None:
    root = read(255, f"some words\n{line}\nptxas fatal   : Ptx assembly aborted due to errors\n").root
    assert root is not None
    assert root.message == message
    assert [one.line for one in root.places] == ([] if place is None else [place])
    assert root_cause(f"some words\n{line}\n") == line


def test_a_compiler_that_fails_without_a_diagnostic_is_broken() -> None:
    assert "Segmentation fault" in read(139, "Segmentation fault\n").broken
    assert read(0, "").ok


def test_resources_are_read_by_kernel() -> None:
    assert read_resources(PTXAS) == {
        "second": Resources("second", 32, 0, stack=400, spill_stores=12, spill_loads=8),
        "mv": Resources("mv", 40, 1, shared=1040, constant=408),
    }
    assert read_resources(PTXAS)["second"].spills == 20


@pytest.mark.parametrize(
    ("chip", "block", "registers", "shared", "blocks", "limit"),
    [
        ("sm_90", 128, 32, 0, 16, "threads"),
        ("sm_90", 256, 38, 0, 6, "registers"),
        ("sm_90", 32, 16, 0, 32, "blocks"),
        ("sm_90a", 128, 128, 100 << 10, 2, "shared memory"),
        ("sm_90", 1024, 255, 0, 0, "registers"),
        ("sm_86", 1024, 32, 0, 1, "threads"),
        ("sm_80", 128, 32, 164 << 10, 0, "shared memory"),
    ],
)
def test_occupancy(chip: str, block: int, registers: int, shared: int, blocks: int, limit: str) -> None:
    found = occupancy(named(chip), block, registers, shared)
    assert (found.blocks, found.limit) == (blocks, limit)
    assert found.share == blocks * block / named(chip).threads


def test_occupancy_is_that_of_cudas_own_header(tmp_path: Path) -> None:
    header = Path("/usr/local/cuda/include/cuda_occupancy.h")
    if not header.is_file():
        raise pytest.skip.Exception(f"there is no {header} to compare with")
    source = Path(__file__).parent / "cuda_driver" / "occupancy.c"
    words = [find_compiler().path, "-w", "-I", header.parent, source, "-o", tmp_path / "occupancy"]
    subprocess.run(words, check=True)
    capabilities = ((7, 5), (8, 0), (8, 6), (8, 9), (9, 0), (10, 0), (12, 0))
    kernels = product((32, 96, 256, 1000), (16, 40, 128, 255), (0, 3000, 49152, 100_000, 200_000), (0, 1, 5))
    lines, ours = list[str](), list[int]()
    for capability, (block, registers, shared, barriers) in product(capabilities, kernels):
        chip = of_capability(*capability)
        numbers = (*capability, chip.threads, chip.shared_bytes, chip.block_bytes, block, registers, shared, barriers)
        lines.append(" ".join(map(str, numbers)))
        ours.append(occupancy(chip, block, registers, shared, barriers).blocks)
    done = subprocess.run([tmp_path / "occupancy"], input="\n".join(lines), capture_output=True, text=True, check=True)
    assert list(map(int, done.stdout.split())) == ours
    assert len(set(ours)) > 10


def test_architectures() -> None:
    assert named("sm_90a") == named("sm_90") == of_capability(9, 0)
    assert (named("sm_90").name, named("sm_86").name, named("sm_90").virtual) == ("sm_90a", "sm_86", "compute_90a")
    with pytest.raises(TargetError, match=r"compute capability 3\.5 is not known\. Known are 7\.5, 8\.0"):
        of_capability(3, 5)
    with pytest.raises(TargetError, match="Name one as sm_80"):
        named("hopper")


def test_launches_and_scratch_buffers_come_in_the_order_of_the_source() -> None:
    made = plan(
        "template <int N> __device__ void f(float (&x)[N]) {}\n// KW_LAUNCH(none, 1, 1);\n"
        "#define ROWS 2048 /* of it */\n"
        "constexpr int BLOCK = 128, OTHER = 2;\nstatic constexpr unsigned int TILE = 4 * 32;\n"
        "KW_SCRATCH(h, ROWS * 4);\nKW_LAUNCH(first, 1, 1);\nKW_LAUNCH(second, ROWS, TILE, 96 << 10);\n"
    )
    assert made == Plan((Launch("first", 1, 1), Launch("second", 2048, 128, 96 << 10)), (Scratch("h", 8192),))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "nothing is launched"),
        ("KW_LAUNCH(one, 100, 64);", "100 work-items are no whole number of groups of 64"),
        ("KW_LAUNCH(one, 2048, 2048);", "the device takes at most 1024"),
        ("KW_LAUNCH(one, 64, 64, 300000);", "300000 bytes of dynamic shared memory; a block has at most 232448"),
        ("KW_LAUNCH(one, 4);", "wants a name and 2 constants"),
        ("KW_LAUNCH(one, 1 << 40, 1);", "1099511627776 blocks"),
    ],
)
def test_a_launch_that_cannot_be_says_why(text: str, why: str) -> None:
    with pytest.raises(BadLaunch, match=why):
        plan(text)


def test_the_file_says_the_call_and_holds_the_cubin() -> None:
    spec = spec_of(weights=(Argument("W", "f32", (8, 64), "weight"), Argument("n", "i32", (), "constant", value=-2)))
    whole = packed([(spec, Plan((Launch("mv", 8, 4, 16),), (Scratch("t", 64),)))], b"\0\1\n")
    head, _, cubin = whole.partition(b"cubin 3\n")
    assert cubin == b"\0\1\n"
    assert head.decode().splitlines() == [
        "kernelwright-cuda 1 5 1 1", "argument 0 0 2048 0", "argument 2 0 4 fffffffe", "argument 0 0 256 0",
        "argument 1 0 4 0", "argument 0 1 32 0", "scratch 64", "launch mv 2 4 16",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "flag", ["-I/etc", "-w", "-arch=sm_80", "-Xptxas=-o/tmp/x", "--keep", "-DX=a b", "-G", "-rdc=true"]
)
def test_a_flag_that_names_files_or_hides_something_is_refused(flag: str) -> None:
    assert refused(("-maxrregcount=64", flag)) == flag


def test_flags_go_to_the_compiler_that_they_are_for() -> None:
    flags = ("-DTILE=4", "-maxrregcount=64", "--use_fast_math", "-Xptxas=-dlcm=cg", "-Xptxas=-O2")
    assert refused(flags) is None
    assert front(flags) == ("-DTILE=4", "--use_fast_math")
    assert back(flags) == ("--maxrregcount=64", "-dlcm=cg", "-O2")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (".extern .func  (.param .b32 func_retval0) vprintf (.param .b64 a);", "prints"),
        (".extern .func cudaLaunchDevice(.param .b64 a);", "calls cudaLaunchDevice"),
        (
            ".visible .global .align 4 .b8 _ZN3abc5tableE[16];\nmov.u64 %rd1, _ZN3abc5tableE;",
            "table is a variable in global memory",
        ),
        (
            ".global .align 4 .f32 total = 0f00000000;\nst.global.f32 [total], %f1;",
            "total is a variable in global memory",
        ),
        ("mov.u64 %rd1, %globaltimer;", "reads globaltimer"),
        ("mov.u32 %r1, %clock;", "reads clock"),
        ("brkpt;", "contains the instruction brkpt"),
        ("tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [t, {%r1, %r2}];", "contains the instruction tex"),
    ],
)
def test_what_a_kernel_must_not_have_is_found_in_its_ptx(line: str, why: str) -> None:
    found = list(ptx.problems(f".version 9.0\n.target sm_90a\n{line}\n"))
    assert len(found) == 1
    assert why in found[0].replace("%", "")


def test_ptx_of_a_plain_kernel_is_clean() -> None:
    text = (
        "// mov.u32 %r1, %clock;\n.const .align 4 .b8 c[16] = {0};\n"
        ".global .align 1 .b8 _ZN4cuda6ignoreE[1];\n.global .align 1 .b8 $str[3] = {1};\n"
        ".visible .entry mv(\n.param .u64 .ptr .align 1 mv_param_0)\n{\n.shared .align 4 .b8 t[64];\n"
        "ld.global.nc.f32 %f1, [%rd1];\nmov.u32 %r2, %tid.x;\ncp.async.cg.shared.global [%r1], [%rd2], 16;\nret;\n}\n"
    )
    assert list(ptx.problems(text)) == []
    assert ptx.entries(text) == {"mv"}


def cubin_of(names: dict[str, bytes]) -> bytes:
    """A file with these sections and one of names."""
    table = b"\0" + b"".join(name.encode() + b"\0" for name in (*names, ".shstrtab"))
    blobs = [*names.values(), table]
    at, rows, body = 64, [(0,) * 10], b""
    for name, blob in zip((*names, ".shstrtab"), blobs, strict=True):
        rows.append((table.index(name.encode() + b"\0"), 1, 0, 0, at + len(body), len(blob), 0, 0, 0, 0))
        body += blob
    ident = b"\x7fELF\x02\x01\x01" + b"\0" * 9
    end, count = at + len(body), len(rows)
    head = struct.pack("<16sHHIQQQIHHHHHH", ident, 2, 190, 1, 0, 0, end, 0, 64, 0, 0, 64, count, count - 1)
    return head + body + b"".join(struct.pack("<IIQQQQIIQQ", *row) for row in rows)


def test_the_hash_is_over_what_runs() -> None:
    parts: dict[str, bytes] = {".text.mv": b"code", ".nv.constant3": b"c", ".debug_frame": b"d"}
    hashed: Callable[[dict[str, bytes]], str] = lambda changed: code_hash(sections(cubin_of(parts | changed)), ["x"])  # noqa: E731
    assert sections(cubin_of(parts))[".text.mv"].contents == b"code"
    assert hashed({}) == hashed({".debug_frame": b"other"})
    assert len({hashed({}), hashed({".text.mv": b"mode"}), hashed({".nv.constant3": b"e"})}) == 3
    for bad in (b"\x7fELF\x01" + b"\0" * 80, b"short", cubin_of(parts)[:-100]):
        with pytest.raises(NoCubin):
            sections(bad)


def test_a_kernel_of_several_shapes_is_called_at_each_as_its_launches_say() -> None:
    spec = load_pack("gemm_bf16").kernel("gemm")
    text = "constexpr int TILE = 64;\nKW_LAUNCH(gemm_bf16, (N + TILE - 1) / TILE * ((M + 15) / 16) * 128, 128);\n"
    candidate = Candidate("gemm", {"kernel.cu": text}, "kernel.cu", "cuda")
    cases = [(one, cuda_plan(candidate, one.sizes)) for one in spec.cases]
    raw = packed(cases, b"the cubin")
    for name, blocks, first in (
        ("decode_1", 32, 2 * 2048),
        ("edge_17", 32, 2 * 17 * 1096),
        ("prefill_96", 48, 2 * 96 * 512),
    ):
        head, _, cubin = for_shape(raw, name).partition(b"cubin 9\n")
        lines = head.decode().splitlines()
        assert cubin == b"the cubin"
        assert (lines[0], lines[1]) == ("kernelwright-cuda 1 6 0 1", f"argument 0 0 {first} 0")
        assert lines[-1] == f"launch gemm_bf16 {blocks} 128 0"
    with pytest.raises(BadContainer, match="not built for shape 'prefill_97'"):
        for_shape(raw, "prefill_97")
    with pytest.raises(BadContainer, match="cannot be read"):
        for_shape(raw[:60], "decode_1")
