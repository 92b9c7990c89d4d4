"""Functions as objdump writes them, and what a C function becomes."""

import textwrap

from kernels.profiling.disassembly import Function, functions


def function(text: str, name: str = "f") -> Function:
    """Lines of `address: instruction`, the addresses in hexadecimal."""
    lines = (line.split(":", 1) for line in textwrap.dedent(text).strip().splitlines())
    body = "".join(f"{address.strip():>4}:\t{code.strip()}\n" for address, code in lines)
    (found,) = functions(f"0000000000000000 <{name}>:\n{body}")
    return found


DOT = """
    0: xor    %eax,%eax
    10: vmovups (%rdi,%rax,1),%zmm1
    17: vfmadd231ps (%rsi,%rax,1),%zmm1,%zmm0
    20: add    $0x40,%rax
    24: cmp    $0x2000,%rax
    2a: jne    10 <f+0x10>
    30: ret
"""
"""One row of a mat-vec: 64 bytes of the row and 64 of the vector a turn."""

ROWS = """
    0: mov    %rdi,%rcx
    3: lea    0x1000000(%rdi),%rdi
    a: nopw   0x0(%rax,%rax,1)
    10: xor    %eax,%eax
    12: vxorps %xmm0,%xmm0,%xmm0
    20: vmovups (%rsi,%rax,1),%zmm1
    27: vfmadd231ps (%rcx,%rax,1),%zmm1,%zmm0
    2e: add    $0x40,%rax
    32: cmp    $0x2000,%rax
    38: jne    20 <f+0x20>
    3e: add    $0x2000,%rcx
    45: vmovss %xmm0,(%rdx)
    49: add    $0x4,%rdx
    4d: cmp    %rdi,%rcx
    50: jne    10 <f+0x10>
    56: ret
"""
"""All rows: rdi is the matrix, rsi the vector, rdx the result."""
