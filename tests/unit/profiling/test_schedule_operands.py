"""What an instruction reads, writes and loads."""

import pytest

from kernels.profiling.disassembly import Instruction, parse
from kernels.profiling.operands import address_of, loads, reads, register, writes
from kernels.profiling.widths import loaded_bytes


def instruction(text: str) -> Instruction:
    found = parse(0, text)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("vmovups (%rdi,%rax,1),%zmm1", 64), ("vmovaps 0x20(%rdi),%ymm1", 32), ("movups (%rdi),%xmm1", 16),
        ("vfmadd231ps (%rcx,%rax,4),%zmm14,%zmm5", 64), ("vaddps (%rdi){1to16},%zmm1,%zmm2", 4),
        ("vmulpd (%rdi){1to8},%zmm1,%zmm2", 8), ("vpmovzxbd (%rdi,%rax,1),%zmm0", 16), ("vpmovsxbw (%rdi),%ymm0", 16),
        ("vpmovzxwd (%rdi),%zmm0", 32), ("vcvtph2ps (%rdi),%zmm0", 32), ("vbroadcastss (%rdi),%zmm0", 4),
        ("vpbroadcastb (%rdi),%zmm0", 1), ("vbroadcasti32x4 (%rdi),%zmm0", 16), ("vbroadcastf128 (%rdi),%ymm0", 16),
        ("vmovss (%rdi,%rax,4),%xmm0", 4), ("vaddsd (%rdi),%xmm1,%xmm0", 8), ("vpdpbusd (%rdi),%xmm1,%xmm0", 16),
        ("vpminsd (%rdi),%xmm1,%xmm0", 16), ("vmovd (%rdi),%xmm0", 4), ("vmovq (%rdi),%xmm0", 8),
        ("vinserti128 $0x1,(%rdi),%ymm1,%ymm0", 16), ("vpinsrb $0x1,(%rdi),%xmm1,%xmm0", 1),
        ("movzbl (%rcx,%rax,1),%r10d", 1), ("movswl (%rdi),%eax", 2), ("movslq (%rdi),%rax", 4),
        ("mov (%rdi),%rax", 8), ("mov (%rdi),%r8d", 4), ("mov (%rdi),%al", 1), ("cmpb $0x0,(%rdi)", 1),
        ("addl $0x1,(%rdi)", 4), ("vmovdqu8 (%rdi),%zmm0{%k1}{z}", 64), ("vdpbf16ps (%rdi),%zmm1,%zmm2", 64),
    ],
)  # fmt: skip
def test_bytes_of_a_load(text: str, count: int) -> None:
    one = instruction(text)
    assert len(loads(one)) == 1
    assert loaded_bytes(one) == count


@pytest.mark.parametrize(
    "text", ["vmovups %zmm1,(%rdi)", "lea 0x8(%rdi),%rax", "prefetcht0 0x1000(%rdi)", "vextractf128 $0x1,%ymm0,(%rdi)"]
)
def test_stores_and_addresses_are_no_loads(text: str) -> None:
    assert loads(instruction(text)) == ()


@pytest.mark.parametrize(
    "text", ["nopw   0x0(%rax,%rax,1)", "data16 cs nopw 0x0(%rax,%rax,1)", "xchg   %ax,%ax", "nop"]
)
def test_padding_is_left_out(text: str) -> None:
    assert parse(0, text) is None


@pytest.mark.parametrize(
    ("text", "read", "written"),
    [
        ("mov %rdi,%rcx", {"rdi"}, {"rcx"}), ("lea 0x8(%rdi,%rcx,4),%eax", {"rdi", "rcx"}, {"rax"}),
        ("add $0x40,%rax", {"rax"}, {"rax"}), ("xor %eax,%eax", set(), {"rax"}), ("inc %r9d", {"r9"}, {"r9"}),
        ("cmp %rax,%rdx", {"rax", "rdx"}, set()), ("imul %rcx,%rax", {"rcx", "rax"}, {"rax"}),
        ("vmovq %xmm10,%rdi", {"v10"}, {"rdi"}), ("mov %rdx,-0x58(%rsp)", {"rdx", "rsp"}, {"slot-88"}),
        ("mov -0x58(%rsp),%rax", {"slot-88"}, {"rax"}), ("mov %rax,(%rdi)", {"rax", "rdi"}, set()),
        ("cmovle %r8,%rdx", {"r8", "rdx"}, {"rdx"}), ("mul %rcx", {"rcx"}, {"rcx", "rax", "rdx"}),
    ],
)  # fmt: skip
def test_reads_and_writes(text: str, read: set[str], written: set[str]) -> None:
    one = instruction(text)
    assert (reads(one), writes(one)) == (read, written)


@pytest.mark.parametrize(
    ("word", "name"),
    [("eax", "rax"), ("al", "rax"), ("r8d", "r8"), ("sil", "rsi"), ("zmm31", "v31"), ("dh", "rdx"), ("ebp", "rbp")],
)
def test_registers_have_one_name(word: str, name: str) -> None:
    assert register(word) == name


def test_an_address_is_taken_apart() -> None:
    found = address_of("-0x40(%rdx,%rax,4)")
    assert found is not None
    assert (found.displacement, found.base, found.index, found.scale) == (-64, "rdx", "rax", 4)
    assert address_of("%rax") is None
    assert address_of("$0x40") is None


@pytest.mark.parametrize(
    ("text", "left", "target"),
    [
        ("jne    20 <f+0x20>", "jne 0x20", 0x20),
        ('loop   10 <f; .incbin "/etc/passwd">', "loop 0x10", 0x10),
        ("call   5 <a, b>", "call 0x5", 5),
        ("lea    0x0(%rip),%rax        # 10 <f;x>", "lea 0x0(%rip), %rax", None),
        ("jmp    *%rax", "jmp *%rax", None),
        ("rep movsl %ds:(%rsi),%es:(%rdi)", "rep movsl %ds:(%rsi), %es:(%rdi)", None),
    ],
)
def test_no_assembler_reads_the_names_of_symbols(text: str, left: str, target: int | None) -> None:
    assert (instruction(text).text, instruction(text).target) == (left, target)
