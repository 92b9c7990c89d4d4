"""The keys that change something: each becomes a command row; nothing else reaches the engine."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from app.messages import Steer, Target
from app.screens.behind import Behind
from app.screens.deciding import after, chosen, decision_lines
from app.screens.dialogs import CANCEL, Ask, Choice
from app.screens.notices import Notice, Notices
from app.screens.write import Write
from app.views import Line, Tone, count
from store.views import OverviewView, PendingView

if TYPE_CHECKING:
    from app.screens.pane import Pane

HOLD_MIN, EXTEND_MIN = 60, 30
PAUSED = ("paused", "pausing")
OTHER = "other"


class SteeringScreen(Behind):
    """Base of the main screen. It is told what is selected and sends commands."""

    def __init__(self, *, read_only: bool) -> None:
        super().__init__()
        self.read_only = read_only
        self.notices = Notices()
        self.view: OverviewView | None = None

    @property
    def pane(self) -> "Pane":
        raise NotImplementedError

    def say(self, text: str, tone: Tone = "") -> None:
        """A notice that goes by itself."""
        raise NotImplementedError

    async def send(self, steer: Steer, notice: Notice) -> None:
        """Writes the command row; fills in the notice."""
        raise NotImplementedError

    def steer(self, steer: Steer) -> None:
        """Feedback in this frame, the row as soon as the thread has written it."""
        why = "read-only" if self.read_only else "" if self.heard else "no engine runs"
        if why:
            self.say(f"! {why}: {steer.verb} {steer.target} refused".replace("  ", " "), "warn")
            return
        notice = self.notices.sending(steer.verb, steer.target)
        self.show_notices()
        self.run_worker(self.send(steer, notice), group="commands", exit_on_error=False)

    @property
    def heard(self) -> bool:
        """Whether somebody would carry out a command, as far as is known."""
        raise NotImplementedError

    def show_notices(self) -> None:
        raise NotImplementedError

    def action_pause(self) -> None:
        paused = () if self.view is None else self.view.paused
        for target in self._targets():
            self.steer(Steer("resume" if target.name in paused else "pause", target.name))

    def action_resume(self) -> None:
        for target in self._targets():
            self.steer(Steer("resume", target.name))

    def action_pause_all(self) -> None:
        """What a hold of the device keeps waiting is not paused yet, and only a release lets it go on."""
        paused = self.view is not None and self.view.campaign.state in PAUSED and not self.view.only_held
        self.steer(Steer("resume" if paused else "pause", "all"))

    def action_resume_all(self) -> None:
        self.steer(Steer("resume", "all"))

    def action_extend(self) -> None:
        self.steer(Steer("extend", "", {"minutes": EXTEND_MIN}))

    def action_hold(self) -> None:
        """Hands the device back, or takes it again."""
        held = self.view is not None and self.view.held
        self.steer(Steer("release", "device") if held else Steer("hold", "device", {"minutes": HOLD_MIN}))

    def action_write(self) -> None:
        """To the selected agent or kernel, else to everybody."""
        if self.read_only:
            self.say("! read-only: task refused", "warn")
            return
        self.ask_words([target.name for target in self.pane.targets()] or ["all"])

    def ask_words(self, names: Sequence[str]) -> None:
        def written(text: str | None) -> None:
            words = "" if text is None else text
            for name in names if words else ():
                self.steer(Steer("task", name, {"text": words}))

        self.app.push_screen(Write(", ".join(names)), written)

    def action_decide(self) -> None:
        """On the selected candidate when it waits, else on what waits for the selected kernel, else on the promotion
        that has waited longest."""
        one = chosen(self._waiting, self.pane.targets())
        if one is None:
            self.say("no promotion waits for you")
        elif self.read_only:
            self.say("! read-only: approve and veto refused", "warn")
        else:
            self.ask_decision(one)

    @property
    def _waiting(self) -> Sequence[PendingView]:
        return () if self.view is None else self.view.pending

    def ask_decision(self, one: PendingView) -> None:
        """Cancel has the focus: it goes on waiting."""
        choices = [Choice(CANCEL, "Later", "n"), Choice("veto", "Veto (v)", "v"), Choice("approve", "Approve (y)", "y")]
        if len(self._waiting) > 1:
            choices.insert(1, Choice(OTHER, "Another (o)", "o"))
        dialog = Ask(f"Promote node {one.node} on {one.kernel}?", decision_lines(one, self._waiting), choices)
        self.app.push_screen(dialog, partial(self._decide, one))

    def _decide(self, one: PendingView, answer: str | None) -> None:
        if answer == OTHER:
            self.ask_decision(after(self._waiting, one))
        elif answer is not None and answer != CANCEL:
            self.steer(Steer(answer, str(one.node)))

    def action_kill(self) -> None:
        targets = self._targets()
        if targets and not self.read_only:
            self.ask_kill(targets)
        elif targets:
            self.say("! read-only: kill refused", "warn")

    def ask_kill(self, targets: Sequence[Target]) -> None:
        """Names what dies; Cancel has the focus, y confirms; a kernel wants its name typed, and is paused then."""
        kernels = [target for target in targets if target.kind == "kernel"]
        lines: list[Line] = [((target.about or target.name, ""),) for target in targets]
        lines += [(("", ""),), (("Its work in hand is lost, its process group is killed at once.", "dim"),)]
        if kernels:
            lines.append((("A kernel that is killed is paused; r resumes it.", "dim"),))
        sorts = (count(number, sort) for sort, number in _by_kind(targets).items())
        what = targets[0].name if len(targets) == 1 else " and ".join(sorts)
        choices = (Choice(CANCEL, "Cancel", "n"), Choice("kill", f"Kill {what}{'' if kernels else ' (y)'}", "y"))
        dialog = Ask(f"Kill {what}?", lines, choices, must_type=" ".join(one.name for one in kernels))
        self.app.push_screen(dialog, partial(self._kill, list(targets)))

    def _kill(self, targets: list[Target], answer: str | None) -> None:
        if answer == "kill":
            for target in targets:
                self.steer(Steer("kill", target.name))

    def _targets(self) -> list[Target]:
        found = self.pane.targets()
        if not found:
            self.say("nothing selected that this key acts on")
        return found


def _by_kind(targets: Sequence[Target]) -> Mapping[str, int]:
    """How many of them are kernels, how many agents."""
    return Counter("kernel" if target.kind == "kernel" else "agent" for target in targets)
