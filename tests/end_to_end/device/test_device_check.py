"""Gate `correct` on real runners: an honest kernel passes, and each way of cheating gets a name."""

import pytest

from kernels.device.client import Device, RunnerFailed
from tests.end_to_end.device.tiny import HONEST, SIGNATURE, Build

CHEATS = {
    # Remembers the addresses of the last call.
    "cached_by_pointer": (
        "static const float *w0, *x0; static float *y0;"
        + SIGNATURE
        + "{ if (W == w0 && x == x0 && y == y0) return; honest(W, b, x, y); w0 = W; x0 = x; y0 = y; }",
        {"not_written"},
    ),
    # Remembers the last answer under a fingerprint of a few elements.
    "cached_by_fingerprint": (
        "#include <string.h>\nstatic float f0, f1, f2, c[M]; static int have;"
        + SIGNATURE
        + "{ if (have && f0 == W[0] && f1 == x[0] && f2 == x[K-1]) { memcpy(y, c, sizeof c); return; }"
        "honest(W, b, x, y); memcpy(c, y, sizeof c); f0 = W[0]; f1 = x[0]; f2 = x[K-1]; have = 1; }",
        {"wrong_values"},
    ),
    # Remembers sums of the weights of each slot, and trusts them for ever.
    "cached_bias": (
        "static const float *seen[64]; static float kept[64][M];"
        + SIGNATURE
        + "{ int s = 0; while (s < 63 && seen[s] && seen[s] != W) s++;"
        "if (!seen[s]) { seen[s] = W; for (int i = 0; i < M; i++) kept[s][i] = b[i]; }"
        "honest(W, kept[s], x, y); }",
        {"wrong_values"},
    ),
    "stops_after_three_calls": ("static int n;" + SIGNATURE + "{ if (n++ < 3) honest(W, b, x, y); }", {"not_written"}),
    "stops_after_forty_calls": ("static int n;" + SIGNATURE + "{ if (n++ < 40) honest(W, b, x, y); }", {"not_written"}),
    "writes_nothing": (SIGNATURE + "{ }", {"not_written"}),
    "leaves_one_out": (SIGNATURE + "{ float k = y[7]; honest(W, b, x, y); y[7] = k; }", {"not_written"}),
    "fills_with_nan": ("#include <string.h>\n" + SIGNATURE + "{ memset(y, 0xff, 4 * M); }", {"non_finite"}),
    "zeroes_its_inputs": (
        "#include <string.h>\n" + SIGNATURE + "{ memset((void *)x, 0, 4 * K); memset(y, 0, 4 * M); }",
        {"writes_inputs"},
    ),
    "zeroes_the_weights": (SIGNATURE + "{ honest(W, b, x, y); ((float *)W)[9] = 0; }", {"writes_inputs"}),
    "answer_next_to_output": (
        "#include <string.h>\n" + SIGNATURE + "{ memcpy(y, y + M, 4 * M); }",
        {"out_of_bounds"},
    ),
    "half_of_the_columns": (
        SIGNATURE + "{ for (int i = 0; i < M; i++) { float s = 0; for (int j = 0; j < K / 2; j++)"
        "s += W[i * K + j] * x[j]; y[i] = s + b[i]; } }",
        {"wrong_values"},
    ),
    "every_fourth_column": (
        SIGNATURE + "{ for (int i = 0; i < M; i++) { float s = 0; for (int j = 0; j < K; j += 4)"
        "s += W[i * K + j] * x[j]; y[i] = 4 * s + b[i]; } }",
        {"wrong_values"},
    ),
    "assumes_zero_weights": ("#include <string.h>\n" + SIGNATURE + "{ memset(y, 0, 4 * M); }", {"wrong_values"}),
    "writes_past_the_end": (
        SIGNATURE + "{ honest(W, b, x, y); for (int i = M; i < M + 16; i++) y[i] = 0; }",
        {"out_of_bounds"},
    ),
    "writes_before_the_start": (SIGNATURE + "{ honest(W, b, x, y); y[-1] = 0; }", {"out_of_bounds"}),
    "depends_on_poison": (
        SIGNATURE + "{ float k = y[0]; honest(W, b, x, y); if (k > 0) y[3] *= 1.000001f; }",
        {"nondeterministic", "wrong_values"},
    ),
    "flushes_denormals": (
        "#include <xmmintrin.h>\n" + SIGNATURE + "{ _mm_setcsr(_mm_getcsr() | 0x8040); honest(W, b, x, y); }",
        {"changed_fp_mode"},
    ),
    "asks_who_is_watching": (
        "#include <stdio.h>\nstatic int t = -1;"
        + SIGNATURE
        + '{ if (t < 0) { FILE *f = fopen("/proc/self/cmdline", "rb"); t = f != 0; } honest(W, b, x, y); }',
        {"forbidden_call"},
    ),
    "detached_thread": (
        "#include <pthread.h>\nstatic const float *gW, *gb, *gx; static float *gy;"
        "static void *work(void *p) { honest(gW, gb, gx, gy); return p; }"
        + SIGNATURE
        + "{ gW = W; gb = b; gx = x; gy = y; pthread_t h; if (!pthread_create(&h, 0, work, 0)) pthread_detach(h); }",
        {"forbidden_call", "not_written", "late_output", "own_threads"},
    ),
    "null_pointer": (SIGNATURE + "{ *(volatile int *)0 = 1; }", {"crash"}),
    "exits": ("#include <stdlib.h>\n" + SIGNATURE + "{ _Exit(0); }", {"exit", "forbidden_call"}),
}


async def test_an_honest_kernel_passes_with_its_facts(device: Device, build: Build) -> None:
    await device.load("mv", "honest", build("mv", HONEST))
    report = await device.check("mv", "honest", promotion=True)
    assert (report.ok, report.kind, report.reason) == (True, "", "")
    assert report.facts["calls"] >= 24
    assert report.facts["influence_not_visible"] == []
    assert device.level.endswith("seccomp")


@pytest.mark.parametrize("kernel", ["mv", "odd"])
async def test_every_cheat_is_named(device: Device, build: Build, kernel: str) -> None:
    names = CHEATS if kernel == "mv" else ["writes_past_the_end", "writes_before_the_start", "writes_nothing"]
    found: dict[str, str] = {}
    for name in names:
        body, _ = CHEATS[name]
        await device.load(kernel, name, build(kernel, body))
        report = await device.check(kernel, name)
        found[name] = report.kind
        assert report.ok == (not report.kind)
        assert report.reason or report.ok
        await device.unload(name)
    assert {name: kind for name, kind in found.items() if kind not in CHEATS[name][1]} == {}


async def test_a_hang_is_named_and_the_referee_goes_on(device: Device, build: Build) -> None:
    body = "#include <signal.h>\n" + SIGNATURE + "{ for (volatile int i = 0;; i++); }"
    await device.load("mv", "hangs", build("mv", body))
    report = await device.check("mv", "hangs")
    assert report.kind == "hang"
    await device.load("mv", "honest", build("mv", HONEST))
    assert (await device.check("mv", "honest")).ok


async def test_a_load_time_exit_is_a_failed_load(device: Device, build: Build) -> None:
    body = (
        "#include <stdio.h>\n#include <unistd.h>\n__attribute__((constructor)) static void go(void)"
        '{ printf("RESULT ok=1\\n"); fflush(stdout); _exit(0); }' + SIGNATURE + "{ }"
    )
    with pytest.raises(RunnerFailed):
        await device.load("mv", "forged", build("mv", body))
    assert (await device.health()).ok
