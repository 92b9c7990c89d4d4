"""Structural levers keep the values of a kernel and are offered only where their pattern fits."""

from pathlib import Path

import numpy as np
import pytest

from kernels.levers import registry
from kernels.levers.base import Application, Context, LeverDoesNotApply
from kernels.targets.cpu_c.machine import this_machine
from kernels.values.candidate import Candidate
from kernels.values.kernel import Argument, KernelSpec, Tolerance
from tests.unit.levers.running import call, compiled

N = 12_000
SOURCE = f"""#include <math.h>
#include "kernelwright.h"
#define N {N}

static float energy(const float *v, int n) {{
    float sum = 0.0f;
    for (int i = 0; i < n; i++) {{
        sum += v[i] * v[i];
    }}
    return sum;
}}

static void squash(const float *from, float gain, float *to, int n) {{
    for (int i = 0; i < n; ++i) {{
        float scaled = from[i] * gain;
        to[i] = tanhf(scaled) + expf(-scaled * scaled);
    }}
}}

void run(const float *a, const float *b, float gain, float *y, float *z) {{
    float t[N];
    squash(a, gain, t, N);
    squash(b, 2.0f * gain, y, N);
    for (int k = 0; k < N; k++) {{
        y[k] = y[k] + t[k];
    }}
    for (int k = 0; k < N; k++) {{
        z[k] = gain * a[k] + b[k];
    }}
    z[0] = energy(b, N - 3);
}}
"""
ARGUMENTS = (
    Argument("a", "f32", (N,), "input"), Argument("b", "f32", (N,), "input"), Argument("gain", "f32", (), "input"),
    Argument("y", "f32", (N,), "output"), Argument("z", "f32", (N,), "output"),
)  # fmt: skip
TOLERANCES = {"y": Tolerance(1e-5, 1e-5), "z": Tolerance(1e-5, 1e-5)}
SPEC = KernelSpec("p", "mix", "run", "", ARGUMENTS, TOLERANCES, (), ("random",), Path())
CANDIDATE = Candidate("mix", {"kernel.c": SOURCE})
CONTEXT = Context(SPEC, this_machine())


def offered(candidate: Candidate, lever: str) -> list[Application]:
    return [a for a in registry.applications(candidate, CONTEXT) if a.lever == lever]


def pulled(candidate: Candidate, lever: str, site: str = "") -> Candidate:
    found = next(a for a in offered(candidate, lever) if site in a.site)
    return registry.apply(candidate, found, CONTEXT)


def right(candidate: Candidate, folder: Path) -> None:
    rng = np.random.default_rng(3)
    arrays = {n: rng.normal(size=N).astype(np.float32) for n in ("a", "b", "y", "z")}
    gain = np.float32(0.7)
    parameters = "const float *a, const float *b, const float *g, float *y, float *z"
    entry = f"{candidate.source}\nvoid by_pointer({parameters}) {{ run(a, b, *g, y, z); }}\n"
    wrapped = Candidate("mix", {"kernel.c": entry}, flags=candidate.flags)
    spec = KernelSpec("p", "mix", "by_pointer", "", ARGUMENTS, TOLERANCES, (), ("random",), Path())
    call(compiled(wrapped, spec, folder), spec, {**arrays, "gain": np.array([gain])})
    a, b = arrays["a"].astype(float), arrays["b"].astype(float)

    def squash(v: np.ndarray) -> np.ndarray:
        return np.tanh(v) + np.exp(-v * v)

    assert np.abs(arrays["y"] - (squash(b * 2 * gain) + squash(a * gain))).max() < 2e-6
    z = gain * a + b
    z[0] = (b[: N - 3] ** 2).sum()
    assert np.abs(arrays["z"] - z).max() < 2e-6 * z[0]


STEPS: dict[str, list[tuple[str, str]]] = {
    "threads": [("threads", "run"), ("threads", "run")],
    "accumulators": [("accumulators", "energy")],
    "stores": [("threads", "run/1"), ("streaming_stores", "kw_body")],
    "calls written out": [("inline_calls", "squash")],
    "fused": [("inline_calls", "squash"), ("fuse_loops", "run"), ("fuse_loops", "run"), ("threads", "run")],
    "restrict": [("restrict", "run")],
    "mathematics": [("vector_math", "tanhf"), ("vector_math", "expf"), ("threads", "run")],
}


@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS)
def test_values_stay(steps: list[tuple[str, str]], folder: Path) -> None:
    if not CONTEXT.machine.has("avx512f") and any(lever == "streaming_stores" for lever, _ in steps):
        raise pytest.skip.Exception("this machine has no AVX-512")
    candidate = CANDIDATE
    for lever, site in steps:
        candidate = pulled(candidate, lever, site)
    right(candidate, folder)


def test_a_written_out_function_goes_when_nobody_needs_it() -> None:
    made = pulled(CANDIDATE, "inline_calls", "squash")
    assert "squash" not in made.source and made.source.count("tanhf") == 2


def test_ordered_loops_are_not_shared_out() -> None:
    bodies = [
        "y[i] = a[i] + last; last = a[i];", "y[0] = a[i];", "if (a[i] > 9) break;",
        "y[i] = y[i > 0 ? i - 1 : 0] + a[i];", "total += a[i]; y[i] = total;", "total = a[i] > total ? a[i] : total;",
    ]  # fmt: skip
    for body in bodies:
        loop = f"for (int i = 0; i < 99999; i++) {{ {body} }}"
        source = f"void run(const float *a, float *y) {{ float total = 0, last = 0; {loop} y[0] = total; }}"
        assert not offered(Candidate("k", {"kernel.c": source}), "threads"), body


def test_loops_that_meet_at_other_elements_are_not_fused() -> None:
    for second in ("y[i] = t[N - 1 - i];", "y[i] = t[i + 1 < N ? i + 1 : i];", "t[N - 1] = y[i];"):
        loops = "".join(f"for (int i = 0; i < N; i++) {{ {body} }}" for body in ("t[i] = a[i];", second))
        source = f"#define N 99\nvoid run(const float *a, float *y) {{ float t[N]; {loops} }}"
        assert not offered(Candidate("k", {"kernel.c": source}), "fuse_loops"), second


def test_a_lever_without_its_pattern_says_why() -> None:
    plain = Candidate("k", {"kernel.c": "void run(void) {}\n"})
    for lever in registry.all_levers():
        if lever.family in ("flags", "tunable"):
            continue
        with pytest.raises(LeverDoesNotApply) as refused:
            registry.apply(plain, Application(lever.name, lever.family, {}, "run/0", "", ""), CONTEXT)
        assert refused.value.reason


def test_a_source_that_does_not_parse_has_no_levers() -> None:
    assert registry.applications(Candidate("k", {"kernel.c": "void run( {"}), CONTEXT) == []
