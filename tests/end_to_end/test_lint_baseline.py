"""`pack lint` says of a baseline what a campaign would: the same gates, by the referee of the target."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.importing.linted_text import lines
from app.importing.linting import lint_pack
from kernels.packs.loader import load_pack
from kernels.packs.new import KERNEL, new_pack
from kernels.targets.base import TargetError
from kernels.values.kernel import Pack

TIGHT, SHARE = "nrmse = 1e-9", "nrmse = 1e-5"


def tightened(folder: Path) -> Pack:
    """A pack whose values are fit, with a tolerance that float32 sums cannot keep."""
    pack = new_pack("mine", folder)
    contract = pack / KERNEL / "kernel.toml"
    contract.write_text(contract.read_text().replace(SHARE, TIGHT))
    return load_pack(pack)


@pytest.mark.device
def test_a_tolerance_that_the_baseline_cannot_keep_is_found_as_a_campaign_finds_it(
    cli: Callable[..., Any], tmp_path: Path
) -> None:
    pack = tightened(tmp_path)
    linted = cli("pack", "lint", str(pack.folder), raw=True)
    campaign = cli("run", "--headless", "--pack", str(pack.folder), "--minutes", "1", raw=True)
    assert linted.returncode == 1
    assert "baseline.c: a campaign would refuse it by gate correct: wrong_values: y" in linted.stdout
    assert "is above 1e-09; mend baseline.c, or widen [tolerance] in kernel.toml" in linted.stdout
    assert "refused, 1 findings" in linted.stdout
    assert campaign.returncode != 0
    assert "refused by gate correct: wrong_values: y" in campaign.stderr


@pytest.mark.device
def test_a_fit_baseline_passes_and_its_share_of_the_tolerance_is_said(cli: Callable[..., Any], tmp_path: Path) -> None:
    pack = load_pack(new_pack("mine", tmp_path))
    found = cli("pack", "lint", str(pack.folder), "--json")
    assert found["findings"] == []
    assert found["baselines"][KERNEL]["passed"] is True
    assert 0 < found["baselines"][KERNEL]["tolerance_used"]["y"] < 0.5
    assert found["baselines_not_tried"] == ""


def test_a_target_that_is_not_there_is_said_and_nothing_promised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(*_: object) -> None:
        raise TargetError("gcc", "there is none", "Install it")

    monkeypatch.setattr("app.importing.linting.get_target", absent)
    pack = tightened(tmp_path)
    told = list(lines("mine", pack, "cpu-c", lint_pack(pack, tmp_path / "cache")))
    assert told[-2] == "baselines were not tried on cpu-c: gcc: there is none. Install it"
    assert told[-1] == "mine: fit for a campaign but for its baselines, which were not tried, 0 findings"


def test_a_target_that_nobody_knows_is_a_mistake(cli: Callable[..., Any], tmp_path: Path) -> None:
    done = cli("pack", "lint", str(new_pack("mine", tmp_path)), "--target", "cpucc", raw=True)
    assert (done.returncode, "target 'cpucc': there is none of that name" in done.stderr) == (2, True)
