"""Messages from a person: kept, brought to a model that may read them, or answered by code with what it can do."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kernels.levers import registry
from kernels.values.files import listed, still_there, text_of
from roles.campaign import Campaign
from roles.latches import ALL
from roles.operator import Refused
from roles.orders import Orders, orders_in, recipient_in, without_header
from store import commands, designs, messages, reads
from store.engine import Session
from store.messages import MessageView
from store.views import AgentView

Arguments = Mapping[str, Any]
CODE = "the offline policy"
GONE = ("killed", "crashed", "done")
TICK_S = 1.0
ENDINGS = (".md", ".txt")


class Inbox:
    """folders: where task files are looked for; one that changes is a new message, one that is known is not."""

    name = "inbox"

    def __init__(self, campaign: Campaign, folders: Sequence[Path] = ()) -> None:
        self._campaign = campaign
        self._folders = tuple(folders)
        self._seen: dict[Path, tuple[float, int]] = {}
        self._settling = asyncio.Lock()

    async def run(self) -> None:
        campaign = self._campaign
        while not campaign.stop.is_set():
            await self.look()
            await self.settle()
            await campaign.wait_for_stop(TICK_S, self.name)

    async def command(self, target: str, arguments: Arguments) -> str:
        """Who will read it, or the answer where no model does. Raises: Refused."""
        campaign, whole = self._campaign, str(arguments.get("text", ""))
        text = without_header(whole)
        if not text:
            raise Refused("the message has no words")
        agents = await self._agents()
        recipient = self._recipient(target, whole, agents)
        actor, file = str(arguments.get("actor", "operator")), str(arguments.get("file", ""))
        number = await campaign.store.write(
            lambda s: messages.add(s, campaign.id, actor=actor, recipient=recipient, text=text, file=file)
        )
        if readers := self._readers(recipient, agents):
            return f"message {number} to {recipient}: it stands in the next prompt of {' or '.join(readers)}"
        await self.settle()
        found = await campaign.store.read(lambda s: messages.listing(s, campaign.id))
        return next(f"message {number}: {one.answered_by}: {one.answer}" for one in found if one.id == number)

    async def settle(self) -> None:
        """What no model will read is answered by code, once: a command and the clock may both come to it."""
        campaign = self._campaign
        async with self._settling:
            waiting = await campaign.store.read(lambda s: messages.waiting(s, campaign.id))
            agents = await self._agents() if waiting else ()
            for one in waiting:
                if not self._readers(one.recipient, agents):
                    await self._answer(one)

    async def look(self) -> None:
        """Task files that are new or were changed, once they stand still."""
        for path, state in (await asyncio.to_thread(self._files)).items():
            if self._seen.get(path) == state:
                continue
            known = path in self._seen
            self._seen[path] = state
            if not known or state[1]:
                await self._deliver(path)

    async def close(self) -> None:
        """At the end: what nobody answered is said."""
        campaign = self._campaign
        await campaign.store.write(lambda s: messages.close_unanswered(s, campaign.id, "the campaign ended"))

    def _files(self) -> dict[Path, tuple[float, int]]:
        paths = (path for folder in self._folders for path in listed(folder) if path.suffix in ENDINGS)
        return {path: (facts.st_mtime, facts.st_size) for path, facts in still_there(paths).items()}

    async def _deliver(self, path: Path) -> None:
        campaign = self._campaign
        found = await asyncio.to_thread(text_of, path)
        if found is None:  # an editor may put it back as it was: that is to be delivered
            del self._seen[path]
            return
        text, name = found.strip(), str(path)
        before = await campaign.store.read(lambda s: messages.listing(s, campaign.id))
        kept = without_header(text)[: messages.TEXT_LIMIT]
        same = any(one.file == name and one.text == kept for one in before)
        if text and not same:
            arguments = {"text": text, "file": name}
            await campaign.store.write(lambda s: commands.enqueue(s, f"file {path.name}", "task", "", arguments))

    async def _agents(self) -> tuple[AgentView, ...]:
        campaign = self._campaign
        return await campaign.store.read(lambda s: reads.agents(s, campaign.id))

    def _recipient(self, target: str, text: str, agents: Sequence[AgentView]) -> str:
        """Whom it is for: as asked, as its first line says, the one kernel that it names, else everybody."""
        asked = target or recipient_in(text)
        kernels = self._campaign.kernels
        if not asked:
            named = orders_in(text, {name: name for name in kernels}, ()).kernels
            return named[0] if len(named) == 1 else ALL
        known = {*(a.name for a in agents), *(a.role for a in agents), *kernels, ALL}
        if asked not in known:
            raise Refused(f"nobody is called {asked!r}; known: {', '.join(sorted(known))}")
        return asked

    def _readers(self, recipient: str, agents: Sequence[AgentView]) -> list[str]:
        """Roles, or the one agent, whose model may read it; [] when none may."""
        models = self._campaign.models
        if models is None:
            return []
        served = {role for role in models.by_role if models.any_for(role)}
        for agent in agents:
            if agent.name == recipient:
                return [agent.name] if agent.role in served and agent.state not in GONE else []
        everybody = recipient == ALL or recipient in self._campaign.kernels
        return sorted(role for role in served if everybody or role == recipient)

    async def _answer(self, one: MessageView) -> None:
        """Do what can be done with it, and say what that was."""
        campaign = self._campaign
        entries = {name: state.spec.entry for name, state in campaign.kernels.items()}
        found = orders_in(one.text, entries, registry.names(), one.recipient)
        for kernel in found.kernels:
            campaign.preferred |= {(kernel, lever) for lever in found.levers}
            campaign.kernels[kernel].finished_since_exhausted |= bool(found.levers)

        def rows(s: Session) -> None:
            for kernel, source in found.sources.items():
                arguments = {"source": source, "reason": f"in message {one.id} of {one.actor}"}
                commands.enqueue(s, one.actor, "inject", kernel, arguments)
            messages.take(s, campaign.id, {one.recipient}, CODE)
            messages.answer(s, one.id, CODE, _said(s, campaign, found))

        await campaign.store.write(rows)
        await campaign.notify()


def _names(campaign: Campaign) -> list[str]:
    """Of the levers for what the kernels are written in."""
    languages = {state.head.candidate.language for state in campaign.kernels.values()}
    return sorted({lever.name for language in languages for lever in registry.all_levers(language)})


def _said(s: Session, campaign: Campaign, found: Orders) -> str:
    if not found.any:
        return (
            "no model reads this, and code understands no sentences: nothing was done. It takes names of levers, which "
            f"then come first ({', '.join(_names(campaign))}), and a whole source in a fence, which is judged"
        )
    lines = [f"the source for {kernel} is judged as any other" for kernel in found.sources]
    for lever in found.levers:
        for kernel in found.kernels:
            rows = [a for a in designs.attempts(s, campaign.id, kernel) if a.lever == lever and a.state == "done"]
            gains = [a.gain for a in rows if a.gain is not None]
            best = f", best {max(gains):+.1%}" if gains else ""
            lines.append(f"{lever} on {kernel} comes first where it fits; tried {len(rows)} times so far{best}")
    return "; ".join([*lines, "the rest of the words was not understood: no model reads them"])
