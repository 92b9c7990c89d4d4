"""Loops of machine code, and the new bytes that they bring a turn."""

from kernels.profiling.loops import innermost
from kernels.profiling.streams import distinct_bytes, moving, streaming
from tests.unit.profiling.assembly import DOT, ROWS, function

LOOK_UP = """
    0: xor    %eax,%eax
    2: movzbl (%rdi,%rax,1),%ecx
    6: add    $0x1,%rax
    a: vmovss (%rsi,%rcx,4),%xmm0
    f: vfmadd231ss -0x4(%rdx,%rax,4),%xmm0,%xmm1
    16: cmp    $0x400,%rax
    1c: jne    2 <f+0x2>
    1e: ret
"""
RARE_BLOCK = """
    0: xor    %eax,%eax
    2: vucomiss %xmm0,%xmm1
    6: ja     40 <f+0x40>
    a: vaddss (%rdi,%rax,4),%xmm0,%xmm0
    10: inc    %rax
    13: cmp    $0x40,%rax
    17: jne    a <f+0xa>
    1d: ret
    40: vmovss %xmm0,%xmm1,%xmm1
    44: jmp    a <f+0xa>
"""
SPILLED = """
    0: mov    %rdi,0x8(%rsp)
    10: mov    0x8(%rsp),%rcx
    14: xor    %eax,%eax
    20: vmovups (%rcx,%rax,1),%ymm1
    27: vfmadd231ps (%rsi,%rax,1),%ymm1,%ymm0
    2e: add    $0x20,%rax
    32: cmp    $0x2000,%rax
    38: jne    20 <f+0x20>
    3e: add    $0x2000,%rcx
    45: mov    %rcx,0x8(%rsp)
    4d: cmp    %rdx,%rcx
    50: jne    10 <f+0x10>
    56: ret
"""


def test_a_row_and_a_vector_move_alike_in_one_loop() -> None:
    (loop,) = innermost(function(DOT))
    assert (loop.address, loop.depth, len(loop.body)) == (0x10, 1, 5)
    assert distinct_bytes(streaming(loop)) == 128


def test_the_vector_that_every_row_reads_again_is_not_counted() -> None:
    (loop,) = innermost(function(ROWS))
    assert (loop.address, loop.depth) == (0x20, 2)
    assert distinct_bytes(moving(loop)) == 128
    assert distinct_bytes(streaming(loop)) == 64
    assert [one.address.base for one in streaming(loop)] == ["rcx"]


def test_a_look_up_is_no_stream() -> None:
    (loop,) = innermost(function(LOOK_UP))
    assert sorted(one.width for one in moving(loop)) == [1, 4]
    assert distinct_bytes(streaming(loop)) == 5


def test_the_way_back_from_a_rare_block_is_no_loop() -> None:
    found = innermost(function(RARE_BLOCK))
    assert [(loop.address, loop.depth) for loop in found] == [(0xA, 1)]


def test_a_pointer_that_is_kept_on_the_stack_is_followed() -> None:
    (loop,) = innermost(function(SPILLED))
    assert [one.address.base for one in streaming(loop)] == ["rcx"]
    assert distinct_bytes(streaming(loop)) == 32


def test_places_that_are_loaded_twice_count_once() -> None:
    text = DOT.replace("vfmadd231ps (%rsi,%rax,1)", "vfmadd231ps 0x20(%rdi,%rax,1)")
    (loop,) = innermost(function(text))
    assert distinct_bytes(streaming(loop)) == 96


def test_straight_code_has_no_loop() -> None:
    assert innermost(function("0: vmovups (%rdi),%zmm0\n7: vmovups %zmm0,(%rsi)\nd: ret")) == ()
