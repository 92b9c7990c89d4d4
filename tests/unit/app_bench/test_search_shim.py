"""The line to the tuner: its C kernel asks and waits; the search behind it judges, answers, remembers."""

import asyncio
import ctypes
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from app.bench.search import shim
from app.bench.search.shim import Tuner, TunerEnded
from app.bench.search.space import KNOB, Choice, Slot, Space
from app.bench.search.tuner import TunerSearch, options_of
from kernels.levers.base import Context
from kernels.values.machine import Machine
from tests.unit.roles.pipeline_rig import BASE, SPEC, Rig, make_rig

ASKER = """
import os, sys
line = int(sys.argv[1])
sys.stdin.read()
for asked in ("1 0", "0 2"):
    os.write(line, (asked + "\\n").encode())
    print(os.read(line, 100).decode(), file=sys.stderr, end="", flush=True)
print("out of ideas", file=sys.stderr)
"""


def test_the_tunable_kernel_writes_its_configuration_and_returns_the_answer(tmp_path: Path) -> None:
    ours, theirs = socket.socketpair()
    source = tmp_path / "shim.c"
    source.write_text(shim.source_of(["threads_0", "KNOB"]).replace("SOCKET", str(theirs.fileno())))
    library = tmp_path / "shim.so"
    words = ["gcc", "-shared", "-fPIC", "-Dthreads_0=3", "-DKNOB=0", str(source), "-o", str(library)]
    subprocess.run(words, check=True)
    function = ctypes.CDLL(str(library)).configuration
    function.restype = ctypes.c_float
    with ours, theirs:
        ours.sendall(b"1.25\n")
        assert function() == 1.25
        assert ours.recv(100) == b"3 0\n"


async def test_a_tuner_asks_gets_its_answers_and_says_why_it_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = tmp_path / "asker.py"
    worker.write_text(ASKER)
    monkeypatch.setattr(shim, "WORKER", worker)
    tuner = await Tuner.start(sys.executable, {"seed": 1}, tmp_path / "run")
    assert await tuner.ask() == (1, 0)
    await tuner.answer(2.5)
    assert await tuner.ask() == (0, 2)
    await tuner.answer(1 / 3)
    with pytest.raises(TunerEnded, match="out of ideas"):
        await tuner.ask()
    await tuner.close()
    assert (tmp_path / "run" / "kernel-tuner.log").read_text().startswith("2.5\n0.333333333\n")


async def test_closing_ends_a_tuner_that_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worker = tmp_path / "asker.py"
    worker.write_text(ASKER)
    monkeypatch.setattr(shim, "WORKER", worker)
    tuner = await Tuner.start(sys.executable, {}, tmp_path / "run")
    await tuner.ask()
    await tuner.close()
    with pytest.raises(ProcessLookupError):
        os.kill(tuner.pid, 0)


class Fake:
    """Asks these configurations, then ends."""

    def __init__(self, asks: Sequence[tuple[int, ...]]) -> None:
        self.asks = list(asks)
        self.heard: list[float] = []

    async def start(self) -> "Fake":
        return self

    async def ask(self) -> tuple[int, ...]:
        if not self.asks:
            raise TunerEnded("done")
        return self.asks.pop(0)

    async def answer(self, milliseconds: float) -> None:
        self.heard.append(milliseconds)

    async def close(self) -> None:
        return


FLAGS = ("-O2", "-funroll-loops", "-ffast-math", "-fno-math-errno")
FLAG_SPACE = Space(
    BASE, Context(SPEC, Machine("test", "x86_64", frozenset(), 2)),
    (
        Slot("flags", "flags", tuple(Choice("flag_" + f[1:].replace("-", "_"), (("flag", f),)) for f in FLAGS)),
        Slot("rows", KNOB, (Choice(KNOB, (("name", "KW_TUNE_ROWS_1"),), value="8"),)),
    ),
)  # fmt: skip


@pytest.fixture
async def rig(tmp_path: Path) -> Rig:
    made = [FLAG_SPACE.candidate((index, 0)) for index in (1, 2, 3)]
    rig = await make_rig(tmp_path, {"source": {made[2].id: "scripted"}})
    rig.device.ratio = {made[0].id: 2.0, made[1].id: 0.5}
    return rig


async def test_it_is_answered_with_times_relative_to_the_baseline_and_repeats_cost_nothing(rig: Rig) -> None:
    fake = Fake([(1, 0), (1, 1), (0, 0), (2, 0), (3, 0), (4, 0), (0, 0)])
    search = TunerSearch(rig.campaign, rig.pipeline, FLAG_SPACE, fake.start, "bayes_opt")
    assert [await search.step() for _ in range(5)] == ["", "", "", "", "done"]
    assert rig.campaign.finished_attempts == 4, "what makes a source it asked for before is no candidate"
    assert rig.state.head.key == FLAG_SPACE.candidate((1, 0)).id
    kept, again, none, slower, refused, same_code, _ = fake.heard
    assert kept == again == pytest.approx(0.5, rel=1e-2)
    assert none == 1.0
    assert slower == pytest.approx(1.0, rel=1e-2), "half as fast as the head, which takes half the baseline's time"
    assert refused == 2.0
    assert same_code == slower, "its machine code was judged under this head"


def test_populations_fit_the_budget() -> None:
    assert options_of("bayes_opt", 12) == {"popsize": 4}
    assert options_of("genetic_algorithm", 400) == {"popsize": 26}
    assert options_of("diff_evo", 30) == {"popsize": 7, "popsize_times_dimensions": False}


async def test_a_tuner_that_repeats_itself_is_given_up(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.bench.search.tuner.REPEATS", 20)
    search = TunerSearch(rig.campaign, rig.pipeline, FLAG_SPACE, Fake([(0, 0)] * 30).start, "diff_evo")
    assert "20 known configurations" in await search.step()
    await asyncio.sleep(0)
    assert rig.campaign.finished_attempts == 0
