"""A pack that the linter refuses starts no campaign; it is asked once for the files as they are."""

from pathlib import Path

import pytest

from kernels.packs.loader import load_pack
from kernels.packs.new import KERNEL, new_pack
from roles import fitness
from tests.unit.roles.pipeline_rig import SPEC, make_rig


async def test_the_linter_has_the_first_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rig = await make_rig(tmp_path / "home")
    assert await fitness.unfit(rig.campaign, SPEC) == ""
    folder = new_pack("mine", tmp_path)
    rig.campaign.pack = load_pack(folder)
    assert await fitness.unfit(rig.campaign, rig.campaign.pack.kernel(KERNEL)) == ""
    contract = folder / KERNEL / "kernel.toml"
    contract.write_text(contract.read_text().replace('["int", -127, 128]', '["int", 0, 1]'))
    rig.campaign.pack = load_pack(folder)
    spec = rig.campaign.pack.kernel(KERNEL)
    why = await fitness.unfit(rig.campaign, spec)
    assert "W: all weights are zero" in why

    async def never(_: object) -> list[str]:
        raise AssertionError("asked twice")

    monkeypatch.setattr(fitness, "_linted", never)
    assert await fitness.unfit(rig.campaign, spec) == why
