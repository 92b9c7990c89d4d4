"""Gate `correct` on real runners: an honest kernel passes, and what a wrong one did gets a name."""

import pytest

from kernels.device.client import Device, RunnerFailed
from tests.end_to_end.device.tiny import HONEST, SIGNATURE, Build

# Outputs of `odd` do not end at a guard page: canaries lie around them. The other ways of cheating are in tests/cheats.
CHEATS = {
    "writes_nothing": (SIGNATURE + "{ }", "not_written"),
    "writes_past_the_end": (
        SIGNATURE + "{ honest(W, b, x, y); for (int i = M; i < M + 16; i++) y[i] = 0; }",
        "out_of_bounds",
    ),
    "writes_before_the_start": (SIGNATURE + "{ honest(W, b, x, y); y[-1] = 0; }", "out_of_bounds"),
    "exits": ("#include <stdlib.h>\n" + SIGNATURE + "{ _Exit(0); }", "exit"),
}


async def test_an_honest_kernel_passes_with_its_facts(device: Device, build: Build) -> None:
    await device.load("mv", "honest", build("mv", HONEST))
    report = await device.check("mv", "honest", promotion=True)
    assert (report.ok, report.kind, report.reason) == (True, "", "")
    assert report.facts["calls"] >= 24
    assert report.facts["influence_not_visible"] == []
    assert device.level.endswith("seccomp")


@pytest.mark.parametrize("name", CHEATS)
async def test_what_is_written_beside_an_output_is_seen_without_a_guard_page(
    device: Device, build: Build, name: str
) -> None:
    body, kind = CHEATS[name]
    await device.load("odd", name, build("odd", body))
    report = await device.check("odd", name)
    assert (report.ok, report.kind) == (False, kind), report
    assert report.reason


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
