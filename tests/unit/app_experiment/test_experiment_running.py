"""An experiment's rows before any device is asked: made once, found again, refused when pack or toolchain changed."""

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from app.experiment import running
from app.experiment.ground import Ground
from app.settings import UsageError
from kernels.targets.base import Target
from kernels.values.fingerprint import Fingerprint
from kernels.values.machine import Machine
from store import experiments
from store.engine import Store
from tests.unit.app_experiment.filled import ground_of


class StubTarget:
    name = "none"
    machine = Machine("test", "x86_64", frozenset({"avx2"}), 2)

    def __init__(self, version: str = "cc 1") -> None:
        self.fingerprint = Fingerprint("cc", version, "0", (), "cpu", 2)


def begun(on: Ground, said: list[str], **how: Any) -> int:
    """The experiment's number; its trajectories are not run."""
    with Store.open(on.home / "home") as store:
        return running.found_or_made(on, store, said.append, **how)


def test_made_found_told_and_refused(tmp_path: Path) -> None:
    said: list[str] = []
    on = replace(ground_of(tmp_path), target=cast(Target, StubTarget()))
    number = begun(on, said)
    with Store.open(tmp_path / "home") as store:
        rows = store.read_sync(lambda s: experiments.trajectories(s, number))
    assert [(r.arm, r.number, r.seed) for r in rows] == [
        (arm, i, 1 + i) for arm in ("control", "other") for i in range(3)
    ]  # fmt: skip
    assert (begun(on, said), said) == (number, [f"experiment {number} goes on"])
    with pytest.raises(UsageError, match=r"toolchain or device changed.*--new"):
        begun(replace(on, target=cast(Target, StubTarget("cc 2"))), said)
    with pytest.raises(UsageError, match="pack files of axpy_gemv changed"):
        begun(replace(on, pack=replace(on.pack, digest="other")), said)
    assert begun(on, said, new=True) == number + 1
    said.clear()
    assert begun(replace(on, plan=replace(on.plan, pairs=20)), said) == number + 2
    assert len(said) == 2
    assert "is not done, but its plan is another one: pairs 12 is 20 now" in said[0]
