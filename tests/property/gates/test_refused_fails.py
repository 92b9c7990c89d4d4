"""What the legality gate refuses does not compile: every rule's form, changed in ways that may make it legal."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from kernels.gates.forms.pattern import Bundle, find_all
from kernels.targets.base import TargetError
from kernels.targets.cpu_c.target import CpuC
from knowledge.rules.shipped import shipped_rules
from tests.unit.gates.legality_kit import WRAPPERS

EXACT = [rule for rule in shipped_rules("cpu-c") if rule.pattern is not None and not rule.pattern.doubt]
SAMPLE = 24


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> CpuC:
    try:
        return CpuC(tmp_path_factory.mktemp("cache"))
    except TargetError as error:
        raise pytest.skip.Exception(str(error)) from error


def refused() -> list[tuple[str, str]]:
    """(name, source) of every variant that some exact pattern is certain of."""
    queries = [rule.pattern.query for rule in EXACT if rule.pattern is not None]
    found: list[tuple[str, str]] = []
    for rule in EXACT:
        for how, wrapper in WRAPPERS.items():
            source = wrapper.format(rule.forbidden.strip())
            matches = find_all(queries, Bundle(source, {}))
            if any(not match.doubt for one in matches for match in one):
                found.append((f"{rule.name}, {how}", source))
    return found


def compiled(target: CpuC, cases: list[tuple[str, str]]) -> list[str]:
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda case: target.diagnose({"k.c": case[1]}, "k.c", ()), cases))
    assert not [d.broken for d in answers if d.broken]
    return [name for (name, _), answer in zip(cases, answers, strict=True) if answer.ok]


def test_conditions_comments_and_macros_are_never_certain() -> None:
    names = [name for name, _ in refused()]
    assert len(names) > 3 * len(EXACT)
    assert not [n for n in names if n.endswith(("under a condition", "under an #else", "in a comment"))]
    one_line = {rule.name for rule in EXACT if "\n" not in rule.forbidden.strip()}
    assert not [n for n in names if n.endswith("in a macro") and n.partition(",")[0] in one_line]


def test_a_sample_of_what_is_refused_fails_to_compile(target: CpuC) -> None:
    assert compiled(target, random.Random(7).sample(refused(), SAMPLE)) == []


@pytest.mark.long
def test_all_that_is_refused_fails_to_compile(target: CpuC) -> None:
    assert compiled(target, refused()) == []
