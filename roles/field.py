"""Who runs in a race: how many variants of a proposal are worth it now, and which ones. Pure."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from kernels.design.generator import Generator
from kernels.device.reading import QUARTILE_FROM, calls_for
from kernels.levers.grid import ANY, in_vain, turned, turns_knobs
from kernels.values.candidate import Candidate
from roles.attempt import Attempt
from store.races import Entry

LEAST: Final = 4  # variants: two rounds; fewer are tested one by one at the same cost
TIME_SHARE: Final = 0.1  # of the time that is left
READINGS_EACH: Final = 6.4  # of a variant in a race of 16, the head's share included
READING_S: Final = 0.1
PATIENCE: Final = 3  # attempts that the baseline survives before its challengers are raced


@dataclass(frozen=True, slots=True)
class Room:
    """What one race may take. variants: the setting; candidates: left of the budget, None = unbounded; seconds: left,
    None = unbounded; gates_s: of the gates for one candidate."""

    variants: int
    candidates: int | None = None
    seconds: float | None = None
    gates_s: float = 0.0

    @property
    def size(self) -> int:
        """Variants that may enter: at most half of the candidates and a tenth of the time that are left."""
        size = self.variants
        if self.candidates is not None:
            size = min(size, self.candidates // 2)
        if self.seconds is not None:
            each = self.gates_s + READINGS_EACH * READING_S
            size = min(size, int(TIME_SHARE * max(self.seconds, 0.0) / each))
        return size


def worth_racing(head_ns: float, *, naive: bool, plateau: int) -> bool:
    """Whether variants are raced at all. Against a naive baseline the first design wins by far whatever its knobs, so
    that a race only puts it off; later ones are raced even there, unless its readings have too few calls to rank them.
    """
    return not naive or (plateau >= PATIENCE and calls_for(head_ns) >= QUARTILE_FROM)


@dataclass(frozen=True, slots=True)
class Field:
    """entries: the proposal first. lever: whose variants they are. grid: variants in all. seed: of the draw; the order
    in the blocks has the next."""

    entries: tuple[Entry, ...]
    lever: str
    grid: int
    seed: int


def draw(attempt: Attempt, head: Candidate, known: Collection[str], size: int, seed: int) -> Field:
    """The proposal and up to `size` - 1 more variants that turn only its open knobs and are not known: of the head for
    a tunable, of the proposal for another lever. All of a grid that is no larger than `size`, else drawn."""
    proposal, tunable = attempt.candidate, turns_knobs(attempt.lever)
    around = head if tunable else proposal
    generator = Generator(around, frozenset(attempt.knobs))
    made = generator.grid() if generator.size <= size else generator.sample(4 * size + len(known), seed)
    others = [one for one in made if one.id not in known and one.id != proposal.id and not in_vain(around, one)]
    entries = tuple(Entry(one, _params(around, one)) for one in (proposal, *others[: size - 1]))
    return Field(entries, ANY if tunable else attempt.lever, generator.size, seed)


def _params(around: Candidate, one: Candidate) -> dict[str, str]:
    """The knobs that it turns, by their short names."""
    return {knob.name.removeprefix("KW_TUNE_").lower(): knob.value for knob in turned(around, one)}
