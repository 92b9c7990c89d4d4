"""The reading auditor: new heads are read once, a suspicion goes to the device, unmeasured claims can be taken back."""

from pathlib import Path
from typing import Any

from knowledge.memory import Conclusion
from roles.model_auditor import ReadingAuditor
from roles.tools.workbench import FAMILY
from store import memory
from tests.unit.roles.council_rig import Council, make_council
from tests.unit.roles.model_rig import BASE, said, uses, variant

FINISH = ("finish", {"summary": "read"})
FASTER = variant("int faster_variant;")


async def auditor(home: Path, *conversations: Any) -> tuple[Council, ReadingAuditor]:
    council = await make_council(home, "auditor", "auditor-2", *conversations)
    council.rig.device.ratio[FASTER.id] = 1.5
    await council.rig.judge(FASTER, lever="accumulators")
    return council, ReadingAuditor(council.rig.campaign, council.models)


async def test_a_head_is_read_once(tmp_path: Path) -> None:
    clean = ("clean", {"kernel": "gemv", "why": "no constant, no branch on a value"})
    council, role = await auditor(tmp_path, [uses(("read_head", {"kernel": "gemv"})), uses(clean), uses(FINISH)])
    (head,) = await role.unread()
    assert role.rested
    await role.read([head])
    assert "int faster_variant;" in council.results[0][0]
    assert await role.unread() == []
    assert not role.rested
    council.now = 3600.0
    assert role.rested
    (event,) = council.events("reading")
    assert "nothing found: no constant, no branch on a value" in event.text
    assert "BANNED: folds." in council.first_words


async def test_what_it_suspects_is_audited_and_nothing_else_changes(tmp_path: Path) -> None:
    words = {"kernel": "gemv", "quote": "int faster_variant;", "why": "a special case"}
    council, role = await auditor(tmp_path, [uses(("suspect_fold", words), ("suspect_fold", {**words, "kernel": "x"}))])
    await role.read(await role.unread())
    (promotion,) = council.rig.campaign.suspects
    assert council.rig.campaign.suspects == {promotion: "a special case"}
    assert "there is no head of 'x' to be read; there are: gemv" in council.results[1][0]
    assert council.rig.state.head.key == FASTER.id
    assert council.events("taint") == []


async def test_only_what_a_model_wrote_without_a_measurement_is_taken_back(tmp_path: Path) -> None:
    council, role = await auditor(
        tmp_path, [uses(*(("doubt", {"claim": n, "why": "not measured"}) for n in (1, 2, 7)))]
    )
    campaign, kind = council.rig.campaign, council.rig.state.character.type
    for lever, candidate in ((FAMILY, None), ("accumulators", BASE.id)):
        found = Conclusion("trap", kind, lever, f"by {lever}", "", 0.0)
        await campaign.store.write(
            lambda s, f=found, c=candidate: memory.remember(
                s, f, kernel="gemv", campaign_id=campaign.id, candidate_id=c
            )
        )
    await role.read(await role.unread())
    assert [is_error for _, is_error in council.results] == [False, True, True]
    assert "rests on a measured attempt" in council.results[1][0]
    assert [row.strategy for row in council.rig.read(lambda s: memory.recall(s, kind))] == ["by accumulators"]


async def test_without_a_usable_reply_the_head_stays_unread_for_the_next_time(tmp_path: Path) -> None:
    council, role = await auditor(tmp_path, [said("looks fine")] * 3)
    await role.read(await role.unread())
    assert "the offline policy decides" in council.events("fallback")[0].text
    assert len(await role.unread()) == 1
