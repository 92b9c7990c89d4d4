"""Mining: from sources that the compiler refused to one rule a class of failure, each planted before it counts."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from kernels.gates.forms.pattern import Bundle, find
from kernels.targets.diagnosis import Diagnosing, Diagnosis, Diagnostic
from knowledge.rules.nearest import nearest_legal
from knowledge.rules.normal import normalised, slug
from knowledge.rules.plant import MAIN
from knowledge.rules.reduce import TRIES, reduce
from knowledge.rules.rule import MINED, Rule

STATEMENT: Final = "the compiler refuses it: {}"


@dataclass(frozen=True, slots=True)
class Failure:
    """A source that the compiler refused. where: what it was, for the evidence. healthy: nothing was said against the
    device when it was refused."""

    where: str
    source: str
    flags: tuple[str, ...] = ()
    others: Mapping[str, str] = field(default_factory=dict)
    healthy: bool = True

    @property
    def files(self) -> dict[str, str]:
        return {**self.others, MAIN: self.source}


@dataclass(frozen=True, slots=True)
class Mined:
    """rules: new ones, not planted yet. met: known rules with the evidence that came to them. left: what nothing is
    learned from, and why."""

    rules: tuple[Rule, ...] = ()
    met: tuple[Rule, ...] = ()
    left: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Case:
    """classes: of all its errors."""

    failure: Failure
    root: Diagnostic
    line: int
    classes: frozenset[str]

    @property
    def evidence(self) -> dict[str, Any]:
        text = f"{self.failure.where} line {self.line}: {self.root.message}"
        return {"text": text, "where": self.failure.where, "line": self.line, "message": self.root.message}


def mine(
    failures: Iterable[Failure], target: Diagnosing, name: str, known: Sequence[Rule] = (), *,
    tries: int = TRIES, say: Callable[[str], None] = lambda _: None,
) -> Mined:  # fmt: skip
    """name: of the target. known: rules that need not be found again. tries: for each reduction."""
    left: list[tuple[str, str]] = []
    classes: dict[str, list[_Case]] = {}
    met: dict[str, Rule] = {}
    for failure in failures:
        case = _case(failure, target)
        if isinstance(case, str):
            left.append((failure.where, case))
            continue
        rule = _known_rule(case, known)
        if rule is None:
            classes.setdefault(normalised(case.root.message), []).append(case)
        else:
            before = met.get(rule.name, rule)
            new = () if case.evidence in before.evidence else (case.evidence,)
            met[rule.name] = replace(before, evidence=(*before.evidence, *new))
    rules: list[Rule] = []
    for words, cases in classes.items():
        say(f"  {words}: {len(cases)} failures")
        rule = _rule_of(words, cases, target, name, tries)
        if rule is None:
            left += [(case.failure.where, "its smallest form has no legal one nearby") for case in cases]
        else:
            rules.append(replace(rule, name=_free(rule.name, {one.name for one in (*known, *rules)})))
    return Mined(tuple(rules), tuple(met.values()), tuple(left))


def _free(name: str, taken: set[str]) -> str:
    """The name, or it with a number that nothing has yet."""
    return next(n for n in (name, *(f"{name}_{i}" for i in range(2, 99))) if n not in taken)


def _case(failure: Failure, target: Diagnosing) -> _Case | str:
    """The root cause in the source itself, or why nothing is learned."""
    if not failure.healthy:
        return "the device was not healthy then"
    found = target.diagnose(failure.files, MAIN, failure.flags)
    if found.ok:
        return "it compiles now"
    if found.broken:
        return f"the compiler gave no answer: {found.broken}"
    if found.root is None:
        return "the compiler names no error"
    place = found.root.place_in([MAIN, *failure.others])
    if place is None:
        return "no note of it leads to the source"
    return _Case(failure, found.root, place.line, _classes(found))


def _classes(found: Diagnosis) -> frozenset[str]:
    return frozenset(normalised(one.message) for one in found.errors)


def _known_rule(case: _Case, known: Sequence[Rule]) -> Rule | None:
    """The rule that this failure is one more case of: the same class, and its form in the source if it has one."""
    words = normalised(case.root.message)
    alike = [rule for rule in known if rule.kind == "compile_error" and rule.diagnostic == words]
    bundle = Bundle(case.failure.source, case.failure.others)
    formed = [rule for rule in alike if rule.pattern is not None and find(rule.pattern.query, bundle)]
    return next(iter([*formed, *(rule for rule in alike if rule.pattern is None)]), None)


def _rule_of(words: str, cases: Sequence[_Case], target: Diagnosing, name: str, tries: int) -> Rule | None:
    """From the smallest source of its class."""
    case = min(cases, key=lambda one: len(one.failure.source))
    failure = case.failure

    def said(source: str) -> Diagnosis:
        return target.diagnose({**failure.others, MAIN: source}, MAIN, failure.flags)

    def stays(source: str) -> bool:
        """The very same message: with its names, so that another fault of the same class does not take its place; and
        no error of a class that was not there."""
        found = said(source)
        same = found.root is not None and found.root.message == case.root.message
        return same and not found.broken and _classes(found) <= case.classes

    small = reduce(failure.source, stays, tries)
    root = said(small.source).root
    legal = nearest_legal(small.source, root.edits if root is not None else (), lambda source: said(source).ok)
    if not legal or failure.others:
        return None
    return Rule(
        slug(words), name, "compile_error", STATEMENT.format(words), small.source, legal, words, failure.flags,
        origin=MINED, evidence=tuple(one.evidence for one in cases),
    )  # fmt: skip
