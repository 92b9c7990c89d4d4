"""Compares a kernel with rewritten ones at -O0 under the sanitizers, each in a process of its own."""

import math
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.unit.levers.loop_nests import LoopNest
from tests.unit.levers.running import INCLUDE, POOL

TYPES = {"f64": "double", "f32": "float", "i32": "int32_t", "u8": "uint8_t"}
FLAGS = "-std=gnu11 -O0 -march=native -w -fsanitize=address,undefined -fno-sanitize-recover=undefined".split()
HEADS = "math.h stdio.h stdlib.h sys/mman.h sys/wait.h unistd.h kernelwright.h".split()
MAIN = r"""
static unsigned state;
static int next(void) { state = state * 1664525u + 1013904223u; return (int)(state >> 8); }
int main(void) {
    double *wanted = mmap(0, 16 * TOTAL, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    double *got = wanted + TOTAL;
    for (int v = 0; v < COUNT; v++) {
        pid_t child = fork();
        if (!child) {
            double *out = v ? got : wanted;
            state = 7;
            CALL
            _exit(0);
        }
        int bad;
        waitpid(child, &bad, 0);
        for (long i = 0; i < TOTAL && v && !bad; i++) bad = !(fabs(wanted[i] - got[i]) <= 1e-6 * (1 + fabs(wanted[i])));
        if (bad) printf("%d\n", v);
        fflush(stdout);
    }
}
"""


def changed(nest: LoopNest, sources: Sequence[str], folder: Path) -> set[int]:
    """Numbers of the sources whose outputs differ from the first one's, or that do what C does not define.

    Raises: AssertionError with the compiler's words.
    """
    files = [folder / f"k{n}.c" for n in range(len(sources))]
    for n, (path, source) in enumerate(zip(files, sources, strict=True)):
        path.write_text(re.sub(r"\brun\b(?=\s*\()", f"run_{n}", source))
    main, program = folder / "main.c", folder / "program"
    main.write_text(_main(nest, len(sources)))
    command = [
        "gcc",
        *FLAGS,
        "-fno-sanitize=alignment",
        f"-I{INCLUDE}",
        *map(str, files),
        str(main),
        "-o",
        str(program),
    ]
    built = subprocess.run([*command, "-lm"], capture_output=True, text=True, check=False, timeout=120)
    assert built.returncode == 0, built.stderr
    environment = {"ASAN_OPTIONS": "detect_leaks=0"}
    done = subprocess.run([program], capture_output=True, text=True, check=True, timeout=120, env=environment)
    return {int(line) for line in done.stdout.split()}


def _main(nest: LoopNest, count: int) -> str:
    arguments = nest.spec.arguments
    types, sizes = [TYPES[a.dtype] for a in arguments], [math.prod(a.shape) for a in arguments]
    plain = ", ".join("void *" for _ in arguments)
    heads = [f"#include <{name}>" for name in HEADS]
    declared = [f"void run_{n}({plain});" for n in range(count)]
    table = f"static void (*runs[])({plain}) = {{{', '.join(f'run_{n}' for n in range(count))}}};"
    call = [_array(k, t, n) for k, (t, n) in enumerate(zip(types, sizes, strict=True))]
    call.append(f"runs[v]({', '.join(f'a{k}' for k in range(len(arguments)))});")
    call += [f"for (int i = 0; i < {n}; i++) *out++ = (double)a{k}[i];" for k, n in enumerate(sizes)]
    text = MAIN.replace("TOTAL", str(sum(sizes))).replace("COUNT", str(count)).replace("CALL", "\n".join(call))
    return "\n".join([*heads, POOL, *declared, table, text])


def _array(number: int, kind: str, length: int) -> str:
    """Small whole numbers, which sums of any order keep exactly."""
    value = "next() & 3" if "int" in kind else "next() % 7 - 3"
    made = f"{kind} *a{number} = malloc({length} * sizeof({kind}));"
    return f"{made} for (int i = 0; i < {length}; i++) a{number}[i] = ({kind})({value});"
