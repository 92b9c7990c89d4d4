"""Onboarding a target that has probes and rules from the machine itself: facts, rules, baselines, cheat sheet.

Each step keeps what it did at once: a second run, or one after a kill, does only what is missing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from app.chip import baselines, facts, rules
from app.chip.baseline_text import bounds, what
from app.settings import UsageError
from app.views import count
from kernels.targets.base import Target
from kernels.values.kernel import Pack
from knowledge.cheatsheet import DEFAULT, Sheet, sheet
from knowledge.facts import Unmeasured
from knowledge.probes.catalogue import definitions, folders_of
from knowledge.probes.measure import READINGS
from knowledge.rules.conclude import Outcome
from knowledge.skills.levers_named import checked
from knowledge.skills.playbook import playbook
from store import reads
from store.engine import Store

Say = Callable[[str], None]
STEPS: Final = 4


@dataclass(frozen=True, slots=True)
class Learned:
    """facts: how many hold now, of how many; unmeasured: those that could not be. outcomes, states: of rules. sheet:
    for a worker."""

    facts: int
    probes: int
    unmeasured: tuple[Unmeasured, ...]
    outcomes: Mapping[Outcome, int]
    states: Mapping[str, int]
    baselines: tuple[Mapping[str, Any], ...]
    sheet: Sheet

    @property
    def whole(self) -> bool:
        """Whether everything that this machine has features for was measured."""
        return all(one.lacks for one in self.unmeasured)


def learn(home: Path, target: Target, pack: Pack, workspace: Path, say: Say, readings: int = READINGS) -> Learned:
    """Raises: UsageError for a target without probes and rules, ProbeError, RuleFileError, SkillFileError,
    PackError."""
    known = rules.known(home, target, workspace)
    probes = definitions(target.name, workspace) if folders_of(target.name, workspace) else []
    if not probes and not known:
        raise UsageError(
            f"onboard: target {target.name} has neither probes nor rules: give --book DIR, or write "
            f"probes/{target.name}/<fact>.toml or rules/{target.name}/<rule>.toml here"
        )
    book = checked(playbook(workspace))
    left = _facts(home, target, workspace, readings, say) if probes else ()
    outcomes = _rules(home, target, workspace, say)
    say(f"[3 of {STEPS}] baselines of {pack.name}: {count(len(pack.kernels), 'kernel')}")
    found = baselines.of_kernels(home, pack, pack.kernels, target, book)
    for one in found:
        say(f"  {one['kernel']}: {what(one)}; bound {bounds(one)}")
    made = _sheet(home, target, workspace, say)
    with Store.open(home) as store:
        waiting = store.write_sync(lambda s: facts.due(s, target, workspace)) if probes else ()
    states = rules.states(rules.known(home, target, workspace))
    return Learned(len(probes) - len(waiting), len(probes), tuple(left), outcomes, states, tuple(found), made)


def _facts(home: Path, target: Target, workspace: Path, readings: int, say: Say) -> Sequence[Unmeasured]:
    with Store.open(home) as store:
        waiting = store.write_sync(lambda s: facts.due(s, target, workspace))
    held = len(definitions(target.name, workspace)) - len(waiting)
    say(f"[1 of {STEPS}] facts: {len(waiting)} to be measured, {held} hold")
    if not waiting:
        return ()
    return facts.measured(home, target, workspace, waiting, readings, say)


def _rules(home: Path, target: Target, workspace: Path, say: Say) -> Mapping[Outcome, int]:
    known = rules.known(home, target, workspace)
    waiting = sum(rules.is_due(rule, target.fingerprint.id) for rule in known)
    say(f"[2 of {STEPS}] rules: {waiting} to be planted, {len(known) - waiting} were tried")
    found = dict[Outcome, int]()
    if waiting:
        found.update(rules.verified(home, target, workspace, (), say))
    return found


def _sheet(home: Path, target: Target, workspace: Path, say: Say) -> Sheet:
    with Store.open(home) as store:
        entries = store.read_sync(lambda s: reads.sheet_entries(s, target.name, workspace))
    made = sheet(target.name, entries, size=DEFAULT)
    verified = sum(one.state == "verified" for one in made.entries)
    say(
        f"[4 of {STEPS}] cheat sheet: {len(made.entries)} of {len(made.entries) + made.left_out} statements fit in "
        f"{DEFAULT:,} characters, {verified} of them verified here"
    )
    return made


def as_json(learned: Learned, target: Target) -> dict[str, Any]:
    return {
        "target": target.name, "fingerprint": target.fingerprint.id,
        "facts": {
            "probes": learned.probes, "hold": learned.facts, "unmeasured": [asdict(one) for one in learned.unmeasured],
        },
        "rules": {"states": dict(learned.states), "outcomes": dict(learned.outcomes)},
        "baselines": list(learned.baselines),
        "sheet": {
            "characters": len(learned.sheet.text), "entries": len(learned.sheet.entries),
            "left_out": learned.sheet.left_out, "text": learned.sheet.text,
        },
    }  # fmt: skip


def text(learned: Learned, target: Target) -> str:
    states = ", ".join(f"{count} {state.replace('_', ' ')}" for state, count in sorted(learned.states.items()))
    return (
        f"{target.name}: {learned.facts} of {learned.probes} facts hold; rules: {states or 'none'}; "
        f"{len(learned.baselines)} baselines analysed; the sheet: ./run.sh knowledge sheet --target {target.name}"
    )
