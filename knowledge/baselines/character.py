"""The character of a kernel: its type and its loop nests, from the survey of its source."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache

from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec
from knowledge.baselines.survey import Survey
from knowledge.baselines.values import SHARE, UNKNOWN, Character, KernelType, Nest, Work

LANGUAGE = "c"


def character_of(candidate: Candidate, spec: KernelSpec) -> Character:
    """type "other" for a language without a grammar, or when nothing could be followed."""
    if candidate.language != LANGUAGE:
        return UNKNOWN
    return character(candidate.source, spec.entry, tuple(a.name for a in spec.arguments))


@lru_cache(maxsize=64)
def character(source: str, entry: str, arguments: tuple[str, ...]) -> Character:
    """arguments: of the entry point, by position."""
    survey = Survey(source, entry, arguments)
    weights = _weights(survey.found)
    if not weights:
        return Character("other", ("other",), (), 0.0, 0.0, exact=False, why=survey.why or "no loop stores or adds")
    whole = sum(weights.values())
    types = tuple(kind for kind, weight in weights.items() if weight >= SHARE * whole)
    nests = tuple(_nests(survey.found, arguments))
    return Character(
        types[0], types, nests, sum(n.operations for n in nests), sum(n.steps for n in nests),
        exact=not survey.why and all(turn.trip is not None for work in survey.found for turn in work.turns),
        traits=tuple(dict.fromkeys(trait for nest in nests for trait in nest.traits)), why=survey.why,
    )  # fmt: skip


def _weights(found: Iterable[Work]) -> dict[KernelType, float]:
    """Operations by type, the most first."""
    sums: dict[KernelType, float] = defaultdict(float)
    for work in found:
        if work.kind is not None:
            sums[work.kind] += work.weight
    return dict(sorted(sums.items(), key=lambda item: -item[1]))


def _nests(found: Sequence[Work], arguments: Sequence[str]) -> Iterable[Nest]:
    grouped: dict[int, list[Work]] = {}
    for work in found:
        grouped.setdefault(work.nest, []).append(work)
    for works in grouped.values():
        weights = _weights(works)
        deepest = max(works, key=lambda w: len(w.turns))
        turns = [turn for work in works for turn in work.turns]
        more = ["triangular"] if any(turn.varies for turn in turns) else []
        more += ["turns not known"] if any(turn.trip is None for turn in turns) else []
        yield Nest(
            max(works, key=lambda w: w.weight).function, next(iter(weights), "other"), deepest.turns,
            sum(w.runs * w.operations for w in works), max((w.runs for w in works if w.chained), default=0.0),
            _known(frozenset().union(*(w.reads for w in works)), arguments),
            _known(frozenset().union(*(w.writes for w in works)), arguments),
            tuple(sorted(frozenset().union(*(w.traits for w in works)))) + tuple(more),
        )  # fmt: skip


def _known(names: frozenset[str], arguments: Sequence[str]) -> tuple[str, ...]:
    """Arguments in call order, then arrays of the source's own."""
    own = sorted(names - set(arguments))
    return (*(name for name in arguments if name in names), *own)
