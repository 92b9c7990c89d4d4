"""A canary in the keys, the environment, the grader's files, the seed: no prompt, row, log or transcript has it, and no
process of a candidate could read it."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from kernels.device.link import environment
from kernels.packs.loader import load_pack
from roles.inbox import Inbox
from tests.unit.roles.model_rig import make_desk, uses, variant
from tests.unit.roles.pipeline_rig import PACK

KEY, OTHER, GRADER = "sk-canary-8d21f7b0c4e94aa1", "canary-of-the-environment-5517", "canary-of-the-grader-9034"
SEED = 918_273_645_546_372
READING = [
    ("read_contract", {}),
    *(("read_source", {"which": which, "first": 1, "last": 0}) for which in ("own", "head", "baseline")),
    ("read_sibling", {"kernel": "axpy"}),
    ("recall", {"words": ""}),
    ("list_levers", {}),
    ("write_file", {"text": variant("int other;").source}),
    ("compile", {}),
    ("check", {}),
    ("time", {}),
    ("read_source", {"which": "../reference.py", "first": 1, "last": 0}),
    ("read_sibling", {"kernel": "../../kernelwright.db"}),
]


def marked_pack(folder: Path) -> Path:
    """The pack with a canary in every file that decides verdicts and is no source of a candidate."""
    shutil.copytree(PACK.folder, folder)
    for path in folder.rglob("*.py"):
        path.write_text(f"{path.read_text()}\n# {GRADER}\n")
    return folder


async def test_nothing_that_is_not_its_own_reaches_a_model_or_a_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, KEY)
    monkeypatch.setenv("SOME_PASSWORD", OTHER)
    pack, home = load_pack(str(marked_pack(tmp_path / "packs" / "axpy_gemv"))), tmp_path / "home"
    assert any(GRADER in path.read_text() for path in pack.folder.rglob("*.py"))
    desk = await make_desk(home, [uses(*READING), uses(("finish", {"summary": "done"}))])
    campaign = desk.rig.campaign
    campaign.pack, campaign.seed = pack, SEED
    desk.rig.state.spec = replace(pack.kernel("gemv"))
    await Inbox(campaign).command("gemv", {"actor": "ann", "text": "how is it going?"})
    await desk.serve()
    assert len(desk.results) == len(READING)
    sent = "\n".join(repr(ask) for ask in desk.wire.asked)
    for secret in (KEY, OTHER, GRADER, str(SEED), str(home), str(pack.folder), "kernelwright.db-wal"):
        assert secret not in sent, secret
    files = [path for path in home.rglob("*") if path.is_file()]
    assert len(files) > 10
    for path in files:
        raw = path.read_bytes()
        for secret in (KEY, OTHER, GRADER):
            assert secret.encode() not in raw, (path, secret)


def test_the_referee_s_environment_has_none_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A candidate's own process has no environment at all, see `kernels/sandbox/spawn.py`."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("SOME_PASSWORD", OTHER)
    told = repr(environment())
    assert KEY not in told
    assert OTHER not in told
