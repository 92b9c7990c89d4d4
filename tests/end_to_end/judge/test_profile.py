"""`profile` on this device, without any campaign: a file beside the head."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from store import profiles, reads
from store.by_hand import BY_HAND
from store.campaigns import latest
from store.engine import Store

pytestmark = pytest.mark.device
Command = Callable[..., Any]

POOL = """#include "kernelwright.h"
struct part { const float *from; const float *by; float *to; };
static void rows(void *context, int64_t begin, int64_t end, int thread) {
    const struct part *p = context;
    for (int64_t row = begin; row < end; row++) {
        float sum = 0.0f;
        for (int column = 0; column < 2048; column++) sum += p->from[row * 2048 + column] * p->by[column];
        p->to[row] = sum;
    }
}
void gemv(const float *W, const float *x, float *y) {
    struct part p = {W, x, y};
    kw_parallel_for(2048, 0, rows, &p);
}
"""


def test_a_file_is_profiled_beside_the_head(command: Command, tmp_path: Path, home: Path) -> None:
    file = tmp_path / "pool.c"
    file.write_text(POOL)
    both = command("profile", "axpy_gemv/gemv", file, "--json", timeout=170)
    assert both.code == 0, both.err
    found = both.json
    assert [gate["gate"] for gate in found["gates"]][-1] == "correct"
    (loop,) = [line for line in found["candidate"]["lines"] if line["kind"] == "parallel"]
    assert (loop["label"], loop["touches"]) == ("parallel 1", ["W", "x", "y"])
    assert loop["nbytes"] == 4 * (2048 * 2048 + 2 * 2048)
    assert loop["planned_ns"] > 0
    assert loop["ratio"] == pytest.approx(loop["wall_ns"] / loop["planned_ns"])
    assert found["head"]["calls"] == found["candidate"]["calls"] == 10
    assert (found["changes"][0]["head"], found["changes"][0]["candidate"]) == (["serial"], ["parallel 1"])
    with Store.open(home, read_only=True) as store:
        row = store.read_sync(latest)
        assert row is not None
        assert row.brain == BY_HAND
        kept = store.read_sync(lambda s: profiles.latest(s, row.id, "gemv"))
        told = [e for e in store.read_sync(lambda s: reads.events(s, row.id, 0, 500)) if e.kind == "profile"]
    assert kept is not None
    assert kept.record.head.candidate == found["head"]["candidate"]
    assert kept.record.shown.candidate == found["candidate"]["candidate"]
    assert [e.data["artefact"] for e in told][-1] == found["artefact"]


def test_mistakes_are_named(command: Command, tmp_path: Path) -> None:
    for words in (("profile", "nothing"), ("profile", "axpy_gemv/gemv", tmp_path / "absent.c")):
        said = command(*words)
        assert said.code == 2
        assert "Traceback" not in said.err
