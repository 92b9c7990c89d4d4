"""Exploring or refining: a kernel that is refined gets no new design, its head is polished. Near the end of the
campaign's time every kernel that has a head of its own is."""

from collections.abc import Iterable, Mapping
from typing import Any

from roles.campaign import Campaign
from roles.latches import ALL
from roles.operator import Refused
from store import events, kernel_states
from store.engine import Session

Arguments = Mapping[str, Any]
DESIGN = "design"


class Refining:
    """late: whether the automatic switch has been made; a person's word after it stands."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._late = False

    async def refine(self, target: str, arguments: Arguments) -> str:
        """Raises: Refused."""
        return await self._switched(self._named(target), refining=True, why=f"by {_actor(arguments)}")

    async def explore(self, target: str, arguments: Arguments) -> str:
        """Raises: Refused."""
        return await self._switched(self._named(target), refining=False, why=f"by {_actor(arguments)}")

    async def when_late(self) -> None:
        """Once, when the share of the time that a setting names is over."""
        campaign, at = self._campaign, self._campaign.policy.refine_at
        minutes = campaign.budget.minutes
        if self._late or not minutes or not at or campaign.clock() - campaign.started_at < at * minutes * 60.0:
            return
        self._late = True
        with_head = [name for name, state in campaign.kernels.items() if state.head.key != state.baseline.key]
        if names := [name for name in with_head if name not in campaign.refining]:
            await self._switched(names, refining=True, why=f"{at:.0%} of {minutes:g} minutes are over")

    def _named(self, target: str) -> list[str]:
        known = self._campaign.kernels
        if target != ALL and target not in known:
            raise Refused(f"no kernel is called {target!r}; known: {', '.join(known)}, {ALL}")
        return list(known) if target == ALL else [target]

    async def _switched(self, names: Iterable[str], *, refining: bool, why: str) -> str:
        """What was ready of designs goes; an architect without ideas is asked again."""
        campaign = self._campaign
        changed = [name for name in names if (name in campaign.refining) != refining]
        for name in changed:
            (campaign.refining.add if refining else campaign.refining.discard)(name)
            state = campaign.kernels[name]
            if refining:
                state.proposals[:] = [p for p in state.proposals if p.kind != DESIGN]
            state.exhausted = False
        what = "refined: no new design, the head is polished" if refining else "explored: new designs again"

        def rows(s: Session) -> None:
            for name in changed:
                kernel_states.update(s, campaign.id, name, refining=refining)
                events.append(s, campaign.id, "refining", name, f"{name} is {what}; {why}", refining=refining)

        await campaign.store.write(rows)
        await campaign.notify()
        return f"{', '.join(changed)}: {what}" if changed else f"nothing changed: so it was ({what})"


def _actor(arguments: Arguments) -> str:
    return str(arguments.get("actor", "the operator"))
