"""A new release of the target's book in the middle of a campaign: pause, what its sections say now, a new sheet, on."""

import asyncio
from pathlib import Path

import pytest

from app.onboarding.steps import Asked, onboard
from roles import maintainer, telling
from roles.latches import ALL
from roles.maintainer import Maintainer
from store import books, campaigns, reads, sql, toolchain
from store.clock import now
from store.engine import Session
from tests.unit.roles.pipeline_rig import Rig
from tests.unit.roles.toolchain_rig import make_toolchain_rig, taken_up

BANK = "A bank must not be read by more than 64 engines."
PORT, WIDE = (f"Each port takes at most {width} bytes per cycle." for width in (32, 64))
RESET = "Software may not touch a bank during the 4,096 cycles of a reset."
WRITE = "All writes must be aligned to 8 bytes."
QUEUE = "A queue must hold at most 16 entries."
FIRST = {"memory.md": f"# Banks\n\n{BANK}\n\n# Ports\n\n{PORT}\n\n# Reset\n\n{RESET}\n\n# Writes\n\n{WRITE}\n"}
SECOND = {
    "memory.md": f"# Banks\n\n{BANK}\n\n# Ports\n\n{WIDE}\n\n# Queues\n\n{QUEUE}\n",
    "stores.md": f"# Stores\n\n{WRITE}\n",
}


def release(home: Path, label: str, files: dict[str, str]) -> Path:
    folder = home / "chip" / label
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


def read_book(rig: Rig, folder: Path) -> None:
    onboard(rig.campaign.store, Asked(folder, "cpu-c", name="chip"), lambda _: None)


@pytest.fixture
async def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Rig:
    """A campaign that began with the first release."""
    monkeypatch.setattr(maintainer, "LOOK_S", 0.01)
    monkeypatch.setattr(maintainer, "SETTLED_S", 0.01)
    found, _ = await make_toolchain_rig(tmp_path)
    read_book(found, release(tmp_path, "v1", FIRST))

    def rows(s: Session) -> None:
        row = campaigns.get(s, found.campaign.id)
        row.book, row.started_at = toolchain.book_text(s, "cpu-c"), now()
        s.add(row)

    await found.campaign.store.write(rows)
    return found


def claims(rig: Rig) -> dict[str, str]:
    return {view.text: view.state for view in rig.read(lambda s: reads.book_claims(s, "cpu-c"))}


async def paused(rig: Rig) -> None:
    """The maintainer saw it and asks the engine to begin again."""
    await asyncio.wait_for(Maintainer(rig.campaign).run(), 10)
    assert rig.campaign.turnover
    assert rig.read(lambda s: campaigns.get(s, rig.campaign.id)).state == "paused"


async def test_it_pauses_looks_every_claim_up_and_goes_on(rig: Rig, tmp_path: Path) -> None:
    assert claims(rig) == dict.fromkeys((BANK, PORT, RESET, WRITE), "supported")
    read_book(rig, release(tmp_path, "v2", SECOND))
    await paused(rig)
    told = [e.text for e in rig.read(lambda s: reads.events(s, rig.campaign.id)) if e.kind == "toolchain"]
    assert told == ["paused: documentation: chip v1 is chip v2 now; marked stale: 4 claim"]
    assert claims(rig) == {**dict.fromkeys((BANK, PORT, RESET, WRITE), "stale"), WIDE: "supported", QUEUE: "supported"}
    await rig.campaign.latches.open(ALL)  # the next engine has its own
    await taken_up(rig)
    (change,) = rig.read(lambda s: reads.toolchain_changes(s, rig.campaign.id))
    assert (change.state, change.counts) == (
        "done", {"claim": {"re_verified": 1, "rewritten": 1, "retired": 2, "carried_over": 0}},
    )  # fmt: skip
    assert list(change.notes) == [
        "chip v2: 4 citations of the release before = 1 unchanged + 1 moved + 1 changed + 1 gone; new claims: 2",
        "new cheat sheet of 4 statements: 4 book; left out: 0",
    ]
    assert claims(rig) == {
        BANK: "supported", WRITE: "supported", WIDE: "supported", QUEUE: "supported", PORT: "stale", RESET: "stale",
    }  # fmt: skip
    assert rig.read(lambda s: campaigns.get(s, rig.campaign.id)).state == "running"
    sheet = await telling.sheet(rig.campaign, "worker", "gemv")
    assert [text in sheet for text in (BANK, WRITE, WIDE, QUEUE, PORT, RESET)] == [True] * 4 + [False] * 2


async def test_a_folder_that_is_brought_up_to_date_in_place_is_a_new_release(rig: Rig, tmp_path: Path) -> None:
    folder = release(tmp_path, "v1", SECOND)
    read_book(rig, folder)
    newest = rig.read(lambda s: books.releases(s, "cpu-c"))[-1]
    await paused(rig)
    text = rig.read(lambda s: toolchain.open_change(s, rig.campaign.id)).text
    assert text == f"documentation: chip v1 is chip v1 ({newest.digest[:8]}) now"
    await taken_up(rig)
    assert rig.read(lambda s: sql.scalar(s, "SELECT count(*) FROM recheck WHERE kind = 'claim'")) == 4


async def test_a_book_that_is_still_being_read_pauses_nothing(rig: Rig, tmp_path: Path) -> None:
    watch = asyncio.create_task(Maintainer(rig.campaign).run())

    def cut(_: str) -> None:
        raise KeyboardInterrupt

    asked = Asked(release(tmp_path, "v2", SECOND), "cpu-c", name="chip")
    with pytest.raises(KeyboardInterrupt):
        onboard(rig.campaign.store, asked, cut)
    await asyncio.sleep(0.1)
    assert not rig.campaign.stop.is_set()
    read_book(rig, asked.folder)
    await asyncio.wait_for(watch, 10)
    assert rig.campaign.turnover
