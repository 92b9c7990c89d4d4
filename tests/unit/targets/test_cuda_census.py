"""What is counted of PTX and of machine code, the time to issue it, and Nsight Compute's counters."""

import subprocess
from pathlib import Path

import pytest

from kernels.packs.loader import baseline, load_pack
from kernels.sandbox.launch import Launcher, best_launcher
from kernels.targets.base import TargetError
from kernels.targets.cuda import cublas, ncu
from kernels.targets.cuda import toolkit as module
from kernels.targets.cuda.architecture import named
from kernels.targets.cuda.census import census, functions
from kernels.targets.cuda.container import packed
from kernels.targets.cuda.issue import Launched, NoCount, cycles, executed, launched, timetable
from kernels.targets.cuda.launches import cuda_plan
from kernels.targets.cuda.listing import Loop, of_ptx_text, of_sass_text
from kernels.targets.cuda.opcodes import of_ptx, of_sass, width_of_ptx, width_of_sass
from kernels.targets.cuda.plugin import PLUGIN
from kernels.targets.cuda.toolkit import find_toolkit

PTX = """.version 9.0
.target sm_90a
.visible .entry gemv(
	.param .u64 gemv_param_0
)
{
	.reg .f32 	%f<52>;
	ld.param.u64 	%rd8, [gemv_param_0];
	mov.u32 	%r9, 0;

$L__BB0_1:
	ld.global.v4.f32 	{%f4, %f5, %f6, %f7}, [%rd16];
	fma.rn.f32 	%f9, %f8, %f7, %f6;
	fma.rn.f32 	%f9, %f9, %f5, %f4;
	add.s32 	%r9, %r9, 16;
	setp.ne.s32 	%p1, %r9, 2048;
	@%p1 bra 	$L__BB0_1;

	st.global.f32 	[%rd15], %f51;
	ret;
}
.visible .entry open(
)
{
	and.b32 	%r74, %r12, 3;
$L__BB1_6:
	wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.bf16.f32 {%f1}, {%r1}, {%r2}, {%f1};
	add.s32 	%r74, %r74, -1;
	setp.ne.s32 	%p5, %r74, 0;
	@%p5 bra 	$L__BB1_6;
	ret;
}
"""
SASS = """	.target	sm_90a
//--------------------- .text.g                   --------------------------
	.section	.text.g,"ax",@progbits
g:
.text.g:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
        /*0080*/              @!P0 BRA `(.L_x_0) ;
        /*0090*/                   S2R R28, SR_TID.X ;
.L_x_2:
        /*0160*/                   LDGSTS.E.BYPASS.128 [R9], desc[UR8][R2.64] ;
        /*0170*/                   LDG.E.128 R4, desc[UR8][R2.64] ;
        /*0180*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;
        /*0190*/                   HMMA.16816.F32.BF16 R8, R12, R16, R8 ;
        /*0810*/               @P1 BRA `(.L_x_2) ;
.L_x_0:
        /*0820*/                   STG.E.64 desc[UR8][R2.64], R8 ;
        /*0c80*/                   EXIT ;
.L_x_4:
        /*0c90*/                   BRA `(.L_x_4);
        /*0ca0*/                   NOP;
.L_x_6:
"""
REPORT = """==PROF== Connected to process 1234 (/usr/bin/replay)
==PROF== Profiling "mv" - 0: 0%....50%....100% - 3 passes
hello from the program
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"
"0","1234","replay","host","mv(const float *, float *)","1","7","(256, 1, 1)","(8, 1, 1)","0","9.0","Command line profiler metrics","gpu__time_duration.sum","usecond","2,000.5"
"0","1234","replay","host","mv(const float *, float *)","1","7","(256, 1, 1)","(8, 1, 1)","0","9.0","Command line profiler metrics","dram__bytes.sum","Mbyte","4,001"
"0","1234","replay","host","mv(const float *, float *)","1","7","(256, 1, 1)","(8, 1, 1)","0","9.0","Command line profiler metrics","sm__throughput.avg.pct_of_peak_sustained_elapsed","%","42.5"
"1","1234","replay","host","void store<2>(float *)","1","7","(32, 1, 1)","(1, 1, 1)","0","9.0","Command line profiler metrics","gpu__time_duration.sum","ns","1,500"
"1","1234","replay","host","void store<2>(float *)","1","7","(32, 1, 1)","(1, 1, 1)","0","9.0","Command line profiler metrics","dram__bytes.sum","byte","n/a"
==PROF== Disconnected from process 1234
"""  # noqa: E501 - as it is printed
RAW_REPORT = """==PROF== Connected to process 1234 (/usr/bin/replay)
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","dram__bytes.sum","gpu__time_duration.sum","sm__throughput.avg.pct_of_peak_sustained_elapsed"
"","","","","","","","","","","","Mbyte","us","%"
"0","1234","replay","host","mv(const float *, float *)","1","7","(256, 1, 1)","(8, 1, 1)","0","9.0","4,001","2,000.5","42.5"
"1","1234","replay","host","void store<2>(float *)","1","7","(32, 1, 1)","(1, 1, 1)","0","9.0","n/a","1.5","0.5"
==PROF== Disconnected from process 1234
"""  # noqa: E501 - as it is printed


def test_ptx_is_counted_with_the_turns_of_its_loops() -> None:
    known = of_ptx_text(PTX)
    assert known["gemv"].loops == (Loop(2, 8, 128),)
    found = census(known["gemv"])
    assert (found.form, found.total, found.loops, found.widest) == ("PTX", 10, 1, 16)
    assert (found.inside["fp32"], found.inside["global load"]) == (2, 1)
    assert found.text == ("gemv: 10 instructions of PTX, in 1 loops 2 fp32, 1 global load; global loads up to 16 bytes")
    assert known["open"].loops == (Loop(1, 5, None),)
    assert census(known["open"]).inside["tensor"] == 1


def test_inline_ptx_is_counted_with_the_loops_in_it() -> None:
    text = (
        ".visible .entry bulk(\n)\n{\n.reg .b32 %r<9>;\n// begin inline asm\n{\n .reg .pred P;\n W1:\n"
        " mbarrier.try_wait.parity.shared::cta.b64 P, [%r1], 0;\n @P bra D1;\n bra W1;\n D1:\n}\n// end inline asm\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd2], %r3, [%r4]; ret;\n}\n"
    )
    (one,) = of_ptx_text(text).values()
    assert [step.kind for step in one.body] == ["wait", "branch", "branch", "async copy", "branch"]
    assert one.loops == (Loop(0, 3),)
    assert one.body[1].guard == "@P"


def test_machine_code_is_counted_without_its_padding() -> None:
    (one,) = of_sass_text(SASS).values()
    found = census(one)
    assert (one.name, found.form, found.total, one.loops) == ("g", "SASS", 10, (Loop(3, 8),))
    assert dict(found.inside) == {"async copy": 1, "global load": 1, "wait": 1, "tensor": 1, "branch": 1}
    assert found.widest == 16


@pytest.mark.parametrize(
    ("opcode", "kind"),
    [
        ("HGMMA.64x256x16.F32.BF16", "tensor"), ("FFMA", "fp32"), ("HFMA2.BF16_V2", "fp16"), ("DFMA", "fp64"),
        ("MUFU.EX2", "special"), ("IMAD.WIDE.U32", "integer"), ("ISETP.GE.AND", "integer"), ("VIADD", "integer"),
        ("LDG.E.128", "global load"), ("LD.E", "global load"), ("LDSM.16.M88.4", "shared load"), ("STL.64", "local"),
        ("UTMALDG.2D", "async copy"), ("SHFL.BFLY", "exchange"), ("BAR.SYNC.DEFER_BLOCKING", "wait"),
        ("RED.E.ADD.F32", "atomic"), ("BSYNC", "branch"), ("FROBNICATE", "other"),
    ],
)  # fmt: skip
def test_classes_of_machine_code(opcode: str, kind: str) -> None:
    assert of_sass(opcode) == kind


@pytest.mark.parametrize(
    ("opcode", "kind"),
    [
        ("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "tensor"), ("fma.rn.f32", "fp32"),
        ("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16", "tensor"), ("fma.rn.bf16x2", "fp16"),
        ("fma.rn.f64", "fp64"), ("mul.wide.s32", "integer"), ("setp.ne.s32", "integer"), ("max.f32", "fp32"),
        ("ld.global.nc.v4.f32", "global load"), ("ld.shared.f32", "shared load"), ("ld.f32", "global load"),
        ("ldmatrix.sync.aligned.m8n8.x4.shared.b16", "shared load"), ("st.local.u32", "local"),
        ("wmma.load.a.sync.aligned.row.m16n16k16.shared.bf16", "shared load"), ("ex2.approx.ftz.f32", "special"),
        ("cp.async.cg.shared.global", "async copy"), ("cp.async.wait_group", "wait"), ("cvt.rn.bf16.f32", "convert"),
        ("shfl.sync.bfly.b32", "exchange"), ("bar.sync", "wait"), ("atom.global.add.f32", "atomic"),
        ("ld.param.u64", "constant"), ("cvta.to.global.u64", "move"), ("bra.uni", "branch"),
    ],
)  # fmt: skip
def test_classes_of_ptx(opcode: str, kind: str) -> None:
    assert of_ptx(opcode) == kind


def test_widths() -> None:
    assert [width_of_sass(f"LDG.E{more}") for more in ("", ".64", ".128", ".U8", ".U16")] == [4, 8, 16, 1, 2]
    assert [width_of_ptx(f"ld.global.{more}") for more in ("v4.f32", "v2.u64", "u8", "nc.b32")] == [16, 16, 1, 4]


def test_issue_takes_the_busiest_unit_times_the_rounds_of_blocks() -> None:
    known, chip = of_ptx_text(PTX), named("sm_90")
    counts = executed(known["gemv"])
    assert counts == {
        "constant": 1, "move": 1, "global load": 128, "fp32": 256, "integer": 256, "branch": 129, "global store": 1,
    }  # fmt: skip
    assert cycles(chip, counts) == max(772 / 4, 256 * 32 / 128, 256 * 32 / 64, 129)
    found = timetable(chip, 132, 1.98, [Launched("gemv", 133, 256), Launched("gemv", 1, 32)], known)
    assert [step.end - step.begin for step in found.steps] == [2 * 8 * 193, 193]
    assert found.ns == pytest.approx((17 * 193) / 1.98)
    with pytest.raises(NoCount, match="a loop of open turns a number of times that is no constant"):
        executed(known["open"])


def test_the_launches_of_a_candidate_are_read_from_its_file() -> None:
    spec = load_pack("axpy_gemv").kernel("gemv")
    raw = packed([(spec, cuda_plan(baseline(spec, PLUGIN.dialect), {}))], b"cubin")
    assert launched(raw) == [Launched("gemv", 16, 128)]


def test_ptx_is_counted_where_no_disassembler_is(tmp_path: Path) -> None:
    assert functions(PTX, tmp_path / "none.cubin", None)["gemv"].form == "PTX"


def test_the_raw_page_says_the_same_with_a_column_a_metric() -> None:
    first, second = ncu.read(RAW_REPORT)
    assert (first.launch, first.kernel, first.ns, first.values["dram__bytes.sum"]) == ("0", "mv", 2_000_500.0, 4.001e9)
    assert first.values["sm__throughput.avg.pct_of_peak_sustained_elapsed"] == 42.5
    assert (second.kernel, second.ns, second.gbs) == ("store<2>", 1500.0, None)
    assert set(first.values) == {one for one in ncu.METRICS if one in RAW_REPORT}


def test_counters_are_read_by_launch() -> None:
    first, second = ncu.read(REPORT)
    assert (first.kernel, first.ns, first.values["dram__bytes.sum"]) == ("mv", 2_000_500.0, 4.001e9)
    assert first.gbs == pytest.approx(2000.0, rel=1e-3)
    assert first.values["sm__throughput.avg.pct_of_peak_sustained_elapsed"] == 42.5
    assert (second.kernel, second.ns, second.gbs) == ("store<2>", 1500.0, None)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission", "ERR_NVGPUCTRPERM"),
        ("", "printed nothing"),
        ('"ID","Kernel Name"\n"0","mv"\n', "no column Metric Name, Metric Unit, Metric Value, and none of a metric"),
        ('"Process ID","dram__bytes.sum"\n"0","5"\n', "no column ID, Kernel Name"),
    ],
)
def test_a_report_without_counters_says_why(text: str, why: str) -> None:
    with pytest.raises(ncu.NoCounters, match=why):
        ncu.read(text)


def test_every_metric_is_asked_for_in_one_report() -> None:
    words = ncu.command(Path("/opt/ncu"), ["./replay", "x"])
    assert words[0] == "/opt/ncu"
    assert words[-2:] == ["./replay", "x"]
    assert set(words[words.index("--metrics") + 1].split(",")) == set(ncu.METRICS)


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def toolkit_in(folder: Path, release: str) -> Path:
    """A folder of programs that say what nvcc of this release says."""
    here = folder / "cuda" / "bin"
    script(here / "ptxas", "true")
    script(folder / "cuda" / "nvvm" / "bin" / "cicc", "true")
    said = f"#$ _HERE_={here}\\n#$ CICC_PATH={here}/../nvvm/bin\\n"
    version = f'--version) echo "Cuda compilation tools, release {release}, V{release}.131";;'
    script(here / "nvcc", f'case "$1" in {version} *) printf "{said}";; esac')
    return here


def test_the_toolkit_is_found_through_a_script_that_calls_nvcc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = toolkit_in(tmp_path, "12.4")
    calls = script(tmp_path / "elsewhere" / "nvcc", f'exec {here}/nvcc "$@"')
    monkeypatch.setenv("PATH", f"{calls.parent}:/usr/bin:/bin")
    found = find_toolkit(Launcher("bwrap+seccomp", "bwrap"))
    assert (found.nvcc.path, found.ptxas.path, found.release) == (here / "nvcc", here / "ptxas", (12, 4))
    assert found.version == "CUDA 12.4, V12.4.131"
    assert (found.root, found.nvcc.readable) == (here.parent, (here.parent,))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("CUDA_HOME", str(here.parent))
    assert find_toolkit(Launcher("bwrap+seccomp", "bwrap")).nvcc.path == here / "nvcc"
    (here / "ptxas").unlink()
    with pytest.raises(TargetError, match=r"CUDA's ptxas: .* names .*ptxas, and it is not there"):
        find_toolkit(Launcher("bwrap+seccomp", "bwrap"))


def test_a_touched_compiler_is_looked_at_again(tmp_path: Path) -> None:
    here = toolkit_in(tmp_path, "12.4")
    launcher = Launcher("bwrap+seccomp", "bwrap")
    known = find_toolkit(launcher, str(here / "nvcc"))
    assert module.present(known, launcher, str(here / "nvcc")) is known
    toolkit_in(tmp_path, "12.9")
    found = module.present(known, launcher, str(here / "nvcc"))
    assert (found.release, found.sha256 == known.sha256) == ((12, 9), False)
    (here / "nvcc").unlink()
    with pytest.raises(TargetError, match="there is no such program"):
        module.present(known, launcher, str(here / "nvcc"))


def test_cublas_is_found_beside_the_compiler(tmp_path: Path) -> None:
    library = tmp_path / "cuda" / "lib64" / "libcublas.so.13"
    library.parent.mkdir(parents=True)
    library.touch()
    assert cublas.place(tmp_path / "cuda") == str(library)


def test_where_no_nvcc_is_the_places_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("CUDA_HOME", str(tmp_path))
    monkeypatch.setattr(module, "USUAL", tmp_path / "usual" / "nvcc")
    with pytest.raises(
        TargetError, match=rf"nothing on PATH, none at {tmp_path}/bin/nvcc, none at {tmp_path}/usual/nvcc"
    ):
        find_toolkit(Launcher("bwrap+seccomp", "bwrap"))
    with pytest.raises(TargetError, match="compiler my-nvcc: there is no such program"):
        find_toolkit(Launcher("bwrap+seccomp", "bwrap"), "my-nvcc")


def test_an_nvcc_that_is_none_is_named(tmp_path: Path) -> None:
    path = script(tmp_path / "nvcc", "echo I am no compiler")
    with pytest.raises(TargetError, match="does not say where its parts are, but 'I am no compiler'"):
        find_toolkit(best_launcher(), str(path))


@pytest.mark.long
def test_the_disassembler_reads_what_ptxas_made(tmp_path: Path) -> None:
    try:
        kit = find_toolkit(best_launcher())
    except TargetError as error:
        raise pytest.skip.Exception(str(error)) from error
    if kit.tool("nvdisasm") is None:
        raise pytest.skip.Exception("there is no nvdisasm beside nvcc, in NVIDIA's Python packages or on PATH")
    (tmp_path / "a.ptx").write_text(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry a()\n{\nret;\n}\n")
    subprocess.run([kit.ptxas.path, "-arch=sm_90", "a.ptx", "-o", "a.cubin"], cwd=tmp_path, check=True)
    found = functions("", tmp_path / "a.cubin", kit.tool("nvdisasm"))
    assert (found["a"].form, found["a"].body[-1].opcode) == ("SASS", "EXIT")
