"""The second auditor: its model reads new heads for folds, and what models wrote down without a measurement.

It decides nothing: what it suspects is audited on the device next. Without a model there is none.
"""

from roles import telling
from roles.brains.pool import Models
from roles.campaign import Campaign
from roles.counsel import Counsel, Words
from roles.tools.auditing import AUDITOR, ReadingPanel
from store import audits, events, memory, reads
from store.audits import Promoted
from store.engine import Session
from store.tables import MemoryRow

ROLE, KIND = "auditor", "reading"
LOOK_S = 1.0
HEADS, CLAIMS = 6, 24


class ReadingAuditor:
    name = "auditor-2"

    def __init__(self, campaign: Campaign, models: Models) -> None:
        self._campaign = campaign
        self._counsel = Counsel(campaign, models, ROLE, self.name)
        self._last: float | None = None
        self._number = 0

    async def run(self) -> None:
        campaign = self._campaign
        while not campaign.stop.is_set():
            await campaign.latches.passage(self.name)
            if self.rested and self._counsel.there and (unread := await self.unread()):
                await self.read(unread)
            await campaign.wait_for_progress(LOOK_S, self.name)

    @property
    def rested(self) -> bool:
        """The first new head is read at once."""
        return self._last is None or self._campaign.clock() - self._last >= self._campaign.policy.reading_s

    async def unread(self) -> list[Promoted]:
        """Heads that were not read, oldest first."""
        return await self._campaign.store.read(self._unread)

    def _unread(self, s: Session) -> list[Promoted]:
        campaign = self._campaign
        heads = [p for p in audits.promoted(s, campaign.id) if p.is_head and p.kernel in campaign.kernels]
        done = {k: {e.data["candidate"] for e in reads.events_of(s, campaign.id, KIND, k)} for k in campaign.kernels}
        return [p for p in heads if p.candidate not in done[p.kernel]][:HEADS]

    async def read(self, heads: list[Promoted]) -> None:
        """Ask, and keep what was said of each head; one of which nothing was said is not read again either."""
        campaign = self._campaign
        self._last, self._number = campaign.clock(), self._number + 1
        claims = await campaign.store.read(self._claims)
        panel = ReadingPanel(
            campaign=campaign, agent=self.name, heads={p.kernel: p for p in heads},
            claims={row.id: row for row in claims},
        )  # fmt: skip
        values = {
            "sheet": await telling.sheet(campaign, ROLE), "round": self._number,
            "contracts": [telling.contract(campaign, p.kernel) for p in heads],
            "heads": [f"{p.kernel}, node {p.node}" for p in heads],
            "claims": [f"{row.id}. {row.kind} on {row.kernel}: {row.strategy}. {row.reflection}" for row in claims],
        }  # fmt: skip
        words = Words(f"reading {self._number}", "head_auditor", "heads", values)
        if await self._counsel.ask(AUDITOR, panel, words) or panel.said:
            await campaign.store.write(lambda s: self._keep(s, panel))

    def _claims(self, s: Session) -> list[MemoryRow]:
        """Of this campaign's kernels, newest first."""
        campaign = self._campaign
        types = dict.fromkeys(state.character.type for state in campaign.kernels.values())
        return [row for kind in types for row in memory.recall(s, kind, campaign_id=campaign.id)][:CLAIMS]

    def _keep(self, s: Session, panel: ReadingPanel) -> None:
        for kernel, head in panel.heads.items():
            said = panel.said.get(kernel, "read, nothing said")
            events.append(
                s, self._campaign.id, KIND, kernel, f"head of node {head.node}: {said}", candidate=head.candidate,
                by=self.name,
            )  # fmt: skip
