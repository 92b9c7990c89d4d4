"""What the commands of this screen came to: said at once, kept until the engine has answered. Pure."""

from dataclasses import dataclass, field

from app.answers import answer_text
from app.views import Line, Tone
from store.views import CommandView

SHOWN_S = 6.0
DOING = {
    "pause": "pausing", "resume": "resuming", "kill": "killing", "stop": "stopping", "hold": "handing back",
    "release": "releasing", "extend": "extending", "accept": "sending on", "veto": "refusing",
    "approve": "promoting", "profile": "profiling", "task": "writing to", "refine": "refining", "explore": "exploring",
}  # fmt: skip
DONE = ("done", "refused", "interrupted")


@dataclass(slots=True)
class Notice:
    """command: the id of its row, 0 = none. until: when it goes, None = when the command is answered."""

    text: str
    tone: Tone
    command: int = 0
    until: float | None = None


@dataclass(slots=True)
class Notices:
    """The notices of one screen, oldest first."""

    all: list[Notice] = field(default_factory=list)

    def say(self, text: str, now: float, tone: Tone = "") -> None:
        """The same text again only stays longer; what a key came to takes the place of what the one before it did."""
        self.all = [one for one in self.all if one.command or (one.text != text and (one.tone or tone))]
        self.all.append(Notice(text, tone, until=now + SHOWN_S))

    def sending(self, verb: str, target: str) -> Notice:
        """Said in the frame after the key: `pausing worker-07...`."""
        notice = Notice(f"{DOING.get(verb, verb)} {target}...".replace("  ", " ").replace(" ...", "..."), "accent")
        self.all.append(notice)
        return notice

    def pending(self) -> list[int]:
        return [notice.command for notice in self.all if notice.command and notice.until is None]

    def answered(self, command: CommandView, now: float) -> bool:
        """What the engine said to one of the pending commands, its answer or what it waits for; whether it was its
        last word."""
        ended = False
        what = f"{command.verb} {command.target}".strip()
        for notice in self.all:
            if notice.command != command.id or notice.until is not None:
                continue
            if command.state in DONE:
                good = command.state == "done"
                notice.text = f"{'+' if good else '!'} {what}: {answer_text(command.result) or command.state}"
                notice.tone, notice.until = ("good" if good else "warn"), now + SHOWN_S
                ended = True
            elif command.result:
                notice.text = f"{what}: {command.result}"
        return ended

    def lines(self, now: float) -> list[Line]:
        """What to show now; what is over is forgotten."""
        self.all = [notice for notice in self.all if notice.until is None or notice.until > now]
        return [((notice.text, notice.tone),) for notice in self.all]
