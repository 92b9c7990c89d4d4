"""The smallest source with the same failure, and the nearest one without it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.targets.cpu_c.target import CpuC
from kernels.targets.diagnosis import Edit
from knowledge.rules.nearest import apply, nearest_legal
from knowledge.rules.reduce import edits, reduce

LONG = """
#include <stdint.h>
static int helper(int a, int b) { return a * b; }
void f(const float *x, float *y, int n, int m) {
    for (int i = 0; i < n; i++) {
        if (x[i] > 0) {
            y[i] = helper(i, m) + MARK;
        } else {
            y[i] = 0;
        }
    }
}
"""


def test_only_the_word_that_matters_is_left() -> None:
    found = reduce(LONG, lambda source: "MARK" in source)
    assert found.source.split() == ["MARK;"]
    assert found.whole
    assert found.tries < 120


def test_structure_around_it_can_matter() -> None:
    found = reduce(LONG, lambda source: "for" in source and "MARK" in source and source.count("{") == source.count("}"))
    assert "helper" not in found.source
    assert "if" not in found.source
    assert len(found.source) < 60


def test_it_ends_at_its_budget_with_what_it_has() -> None:
    found = reduce(LONG, lambda source: "MARK" in source, tries=3)
    assert not found.whole
    assert found.tries <= 4
    assert "MARK" in found.source


@settings(max_examples=30)
@given(st.sets(st.sampled_from(["helper", "MARK", "x", "else", "stdint"]), min_size=1))
def test_what_is_left_still_has_it_and_one_piece_less_has_not(words: set[str]) -> None:
    def stays(source: str) -> bool:
        return all(word in source for word in words)

    small = reduce(LONG, stays).source
    assert stays(small)
    assert not any(stays(one) for one in edits(small) if len(one) < len(small) - 1)


def test_every_edit_is_smaller() -> None:
    assert all(len(one) < len(LONG) + 1 for one in edits(LONG))
    assert len(set(edits(LONG))) > 50


def test_the_compilers_proposal_is_the_nearest_legal_form() -> None:
    proposal = Edit("k.c", 2, 8, 14, "uint32_t")
    source = "#include <stdint.h>\nvoid f(uint32 n) {}\n"
    assert nearest_legal(source, (proposal,), lambda s: "uint32_t" in s) == source.replace("uint32", "uint32_t")


def test_else_the_least_is_left_out_and_headers_alone_are_no_form() -> None:
    source = "#include <math.h>\nvoid f(void) { break; }\n"
    assert nearest_legal(source, (), lambda s: "break" not in s).split() == [
        "#include",
        "<math.h>",
        "void",
        "f(void)",
        "{",
        "}",
    ]
    assert nearest_legal("int x;", (), lambda _: False) == ""


def test_proposals_of_a_line_are_applied_from_its_end() -> None:
    both = (Edit("k.c", 1, 1, 2, "aa"), Edit("k.c", 1, 3, 4, "cc"))
    assert apply("abc\nd", both) == "aabcc\nd"


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("#include <stdint.h>\nint g(int a) { int b = a; { if (a) { break; } } return b; }", "break"),
        ("struct s { int a, b; };\nint g(struct s *p, int n) { int t = n + 2; return t + p->c; }", "p->c"),
    ],
)
def test_with_the_real_compiler_the_same_message_stays(target: CpuC, source: str, words: str) -> None:
    first = target.diagnose({"k.c": source}, "k.c", ()).root
    assert first is not None

    def stays(tried: str) -> bool:
        found = target.diagnose({"k.c": tried}, "k.c", ()).root
        return found is not None and found.message == first.message

    small = reduce(source, stays).source
    assert stays(small)
    assert words in small
    assert len(small) < len(source) / 1.5
