"""Gate `legality`: refuses what cannot compile, says why it does not, and never what compiles."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from kernels.gates.base import Subject
from kernels.gates.forms.pattern import Bundle, PatternError, check_pattern, find, find_all
from kernels.gates.legality import FormRule, LegalityGate
from kernels.targets.base import TargetError
from kernels.targets.cpu_c.target import CpuC
from kernels.values.candidate import Candidate
from kernels.values.verdict import GateReport, GateState
from knowledge.rules.rule import Rule
from knowledge.rules.shipped import shipped_rules
from tests.unit.gates.legality_kit import LEGAL
from tests.unit.targets.kit import candidate, spec_of

ROOT = Path(__file__).parents[3]
RULES = [rule for rule in shipped_rules("cpu-c") if rule.pattern is not None]
EXACT = [rule for rule in RULES if rule.pattern is not None and not rule.pattern.doubt]


class Known:
    """A book in which every rule holds, or none."""

    def __init__(self, rules: Sequence[Rule], *, holds: bool = True) -> None:
        self._rules = [_form(rule) for rule in rules]
        self._holds = holds
        self.asked: list[str] = []

    def rules(self) -> Sequence[FormRule]:
        return self._rules

    async def holds(self, rule: FormRule) -> bool:
        self.asked.append(rule.name)
        return self._holds


def _form(rule: Rule) -> FormRule:
    assert rule.pattern is not None
    return FormRule(rule.name, rule.statement, rule.legal, rule.diagnostic, rule.pattern.query, rule.pattern.doubt)


def subject(one: Candidate, flags: tuple[str, ...] = (), headers: tuple[str, ...] = ()) -> Subject:
    spec = replace(spec_of(), flags=flags, headers=headers)
    return Subject(one, spec, one, "head", 1.0, Path())


async def examined(
    source: str, rules: Sequence[Rule] = RULES, *, flags: tuple[str, ...] = (), headers: tuple[str, ...] = ()
) -> GateReport:
    one = subject(Candidate("k", {"kernel.c": source}), flags, headers)
    return await LegalityGate(Known(rules), "cpu-c").examine(one)


async def test_the_first_forbidden_form_is_named_with_its_line_rule_and_legal_form() -> None:
    report = await examined("void f(void) {\n  int i;\n  break;\n}")
    assert report.state is GateState.REFUSED
    assert report.kind == "forbidden_form"
    assert "kernel.c line 3: break stands only in a loop or a switch" in report.reason
    assert report.reason.endswith("; legal is, for example: void f(void) { for (;;) break; }")
    assert report.facts["rule"] == "break_outside"
    assert report.facts["legal"].strip() == "void f(void) { for (;;) break; }"
    assert report.facts["diagnostic"] == "break statement not within loop or switch"


async def test_an_honest_kernel_passes_without_a_finding() -> None:
    report = await LegalityGate(Known(RULES), "cpu-c").examine(subject(candidate()))
    assert report.state is GateState.PASSED
    assert report.findings == ()
    assert report.facts["rules"] == len(RULES)


@pytest.mark.parametrize("name", [rule.name for rule in EXACT])
async def test_every_exact_form_is_refused_and_its_legal_form_is_not(name: str) -> None:
    (rule,) = [one for one in EXACT if one.name == name]
    assert (await examined(rule.forbidden, [rule])).facts["rule"] == name
    assert (await examined(rule.legal, [rule])).state is GateState.PASSED


async def test_a_rule_that_does_not_hold_here_refuses_nothing() -> None:
    book = Known(EXACT, holds=False)
    report = await LegalityGate(book, "cpu-c").examine(subject(Candidate("k", {"kernel.c": "void f(void) { break; }"})))
    assert report.state is GateState.PASSED
    assert "this compiler takes it" in report.findings[0]
    assert book.asked == ["break_outside"]


@pytest.mark.parametrize(
    ("source", "more", "words"),
    [
        ("#if X\nvoid f(void) { break; }\n#endif", {}, "under a condition of the preprocessor"),
        ("#define other int\nvoid f(other n) { break; }", {}, "macro other is used beside it"),
        ("void f(void) {\n#ifdef X\n;\n#endif\nbreak; }", {}, "conditions of the preprocessor stand beside it"),
        ("void f(void) { break; }", {"flags": ("-fms-extensions",)}, "flag -fms-extensions may change"),
        ("void f(void) { break; }", {"headers": ("own.h",)}, "headers of the pack"),
        ("void f(int n) { __builtin_prefetch(&n, n); }", {}, "constant after inlining"),
    ],
)
async def test_what_is_not_certain_is_a_finding_with_its_reason(
    source: str, more: dict[str, tuple[str, ...]], words: str
) -> None:
    report = await examined(source, flags=more.get("flags", ()), headers=more.get("headers", ()))
    assert report.state is GateState.PASSED
    assert any(words in finding for finding in report.findings)


async def test_flags_of_code_generation_and_numbers_as_macros_leave_it_certain() -> None:
    flags = ("-O2", "-ffast-math", "-mprefer-vector-width=512", "-DTILE=64")
    report = await examined("#define SIZE (64)\nvoid f(int n) { float a[SIZE]; a[n % TILE] = 0; break; }", flags=flags)
    assert report.state is GateState.REFUSED


async def test_switched_off_it_is_skipped_and_asks_for_no_rule() -> None:
    gate = LegalityGate(Known(RULES), "cpu-c", on=False)
    report = await gate.examine(subject(Candidate("k", {"kernel.c": "void f(void) { break; }"})))
    assert (report.state, report.reason) == (GateState.SKIPPED, "rules are off in the settings of this campaign")


async def test_without_rules_or_a_grammar_it_is_skipped_with_the_reason() -> None:
    report = await examined("x", [])
    assert (report.state, report.reason) == (GateState.SKIPPED, "no legality rule of target cpu-c is known")
    other = Candidate("k", {"k.rs": "fn f() {}"}, "k.rs", "rust")
    report = await LegalityGate(Known(RULES), "cpu-c").examine(subject(other))
    assert (report.state, report.reason) == (GateState.SKIPPED, "no grammar for language 'rust'")


def certain(source: str) -> list[str]:
    found = find_all([rule.pattern.query for rule in EXACT if rule.pattern is not None], Bundle(source, {}))
    return [rule.name for rule, matches in zip(EXACT, found, strict=True) if any(not m.doubt for m in matches)]


@pytest.mark.parametrize("name", LEGAL)
def test_legal_look_alikes_are_not_taken_for_forbidden(name: str) -> None:
    assert certain(LEGAL[name]) == []


def test_the_look_alikes_are_legal(target: CpuC) -> None:
    with ThreadPoolExecutor(2) as pool:
        found = dict(
            zip(LEGAL, pool.map(lambda s: target.diagnose({"k.c": s}, "k.c", ()), LEGAL.values()), strict=True)
        )
    assert {name: d.root for name, d in found.items() if not d.ok} == {}


def test_no_source_of_this_program_is_taken_for_forbidden() -> None:
    """All that are whole compile: packs, harness, probes, cheats, legal forms."""
    paths = [path for folder in ("kernels", "knowledge") for path in sorted((ROOT / folder).rglob("*.c"))]
    sources = {path.name: text for path in paths if "#include" in (text := path.read_text(encoding="utf-8"))}
    sources |= {rule.name: rule.legal for rule in shipped_rules("cpu-c")}
    assert len(sources) > 100
    assert {name: found for name, source in sources.items() if (found := certain(source))} == {}


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> CpuC:
    try:
        return CpuC(tmp_path_factory.mktemp("cache"))
    except TargetError as error:
        raise pytest.skip.Exception(str(error)) from error


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("((break_statement", "does not parse"),
        ("(break_statement) @other", "no capture @match"),
        ("((break_statement) @match (#in-the-mood? @match))", "no guard in-the-mood"),
    ],
)
def test_a_pattern_that_cannot_work_is_refused(query: str, words: str) -> None:
    with pytest.raises(PatternError, match=words):
        check_pattern(query)


def test_matches_say_where_and_what() -> None:
    rule = next(r for r in EXACT if r.name == "modulo_float")
    assert rule.pattern is not None
    source = "int f(int n, float x) {\n  return n % 2 + x % 3;\n}"
    (match,) = find(rule.pattern.query, Bundle(source, {}))
    assert (match.line, match.text, match.doubt) == (2, "x % 3", "")
