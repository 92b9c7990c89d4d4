"""What a model of a deciding role has before it: what it may look at, and what it has decided so far."""

from dataclasses import dataclass

from roles.brains.talk import Call
from roles.campaign import Campaign
from roles.replies import Unusable
from roles.tools.arguments import Finish
from store import agents
from store.engine import Session

FORM = "Answer with tool calls alone; finish when you are done."


@dataclass(slots=True, kw_only=True)
class Panel:
    """decided: tool calls that were taken. finished: what the model says came of it, "" before that."""

    campaign: Campaign
    agent: str
    decided: int = 0
    finished: str = ""

    @property
    def form(self) -> str:
        return FORM

    def in_words(self, text: str) -> Call | Unusable:
        """Words decide nothing."""
        return Unusable("prose", "words only: nothing was decided")

    async def say(self, text: str) -> None:
        campaign = self.campaign

        def rows(s: Session) -> None:
            agents.add_line(s, campaign.id, self.agent, text)
            agents.set_step(s, campaign.id, self.agent, text)

        await campaign.store.write(rows)


async def finish(panel: Panel, asked: Finish) -> str:
    panel.finished = asked.summary
    return "closed"
