"""What a trace of a nest says: updates, places, strides, and what turns of a loop carry to each other."""

import pytest
from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.loops import counted_loops
from kernels.levers.nests.localise import localised
from kernels.levers.nests.order import carried, keeps_order
from kernels.levers.nests.strides import accesses
from kernels.levers.nests.trace import trace
from kernels.levers.nests.updates import update_of
from kernels.levers.syntax import text_of, walk
from kernels.levers.unit import Unit, unit_of

HEAD = """#define N 100
#define LARGER(a, b) ((a) >= (b) ? (a) : (b))
static int most(int a, int b) { return a < b ? b : a; }
"""


def loop_of(body: str, head: str = "for (int i = 0; i < N; i++)") -> tuple[Unit, Node]:
    unit = unit_of(f"{HEAD}void f(double *a, double b[N][N], int *c, double s, int n) {{ {head} {{ {body} }} }}")
    return unit, next(n for n in walk(unit.functions["f"]) if n.type == "for_statement")


UPDATES = {
    "s += a[i];": ("+", "a[i]"), "s -= a[i];": ("+", "-(a[i])"), "s = s + a[i];": ("+", "a[i]"),
    "s = a[i] * 2 + s;": ("+", "a[i] * 2"), "s = (s - a[i]) + b[i][0];": ("+", "-(a[i]) + (b[i][0])"),
    "s *= a[i];": ("*", "a[i]"), "s = fmax(s, a[i]);": ("max", "a[i]"), "s = s < a[i] ? s : a[i];": ("min", "a[i]"),
    "a[i] = LARGER(a[i], s);": ("max", "s"), "c[i] = most(c[i], 3);": ("max", "3"),
    "if (a[i] > s) s = a[i];": ("max", "a[i]"),
    "s = s + s * a[i];": None, "s = a[i] - s;": None, "s = a[i];": None, "a[i] = a[i + 1];": None,
    "s = s < a[i] ? 0 : a[i];": None,
}  # fmt: skip


@pytest.mark.parametrize("statement", UPDATES)
def test_updates_are_known_in_every_spelling(statement: str) -> None:
    unit, loop = loop_of(statement)
    kinds = ("assignment_expression", "if_statement")
    found = update_of(unit, next(n for n in walk(loop) if n.type in kinds and text_of(n) != text_of(loop)))
    wanted = UPDATES[statement]
    assert (found and (found.operator, found.value)) == wanted


CARRIED = {
    "a[i] = s;": ({}, set()), "s += a[i];": ({"s": "+"}, set()), "a[i] = a[i] + s; s = a[i];": ({}, {"s"}),
    "a[i] = a[i + 1];": ({}, {"a"}), "a[i + N] = a[i];": ({}, set()), "a[2 * i] = a[2 * i + 1];": ({}, set()),
    "for (int j = 0; j < N; j++) a[j] += b[i][j];": ({"a": "+"}, set()),
    "for (int j = 0; j < i; j++) b[i][j] = b[j][i];": ({}, set()),
    "for (int j = 0; j < N; j++) b[i][j] = b[j][i];": ({}, {"b"}),
    "double t = a[i]; t = t * 2; a[i] = t;": ({}, set()), "double *p = a + i; p[0] = p[N];": ({}, set()),
    "double *p = a + i; *p = p[1];": ({}, {"a"}), "if (a[i] > 0) a[i] = 0; else s = 1;": ({}, {"s"}),
    "if (i > N) s = 1;": ({}, set()), "a[0] *= b[i][i]; a[0] *= 2;": ({"a": "*"}, set()),
}  # fmt: skip


@pytest.mark.parametrize("body", CARRIED)
def test_what_turns_carry(body: str) -> None:
    unit, loop = loop_of(body)
    found = carried(trace(unit, [loop]))
    assert (found.reduced, set(found.blocked)) == CARRIED[body]


@pytest.mark.parametrize(
    "body", ["a[c[i]] = s;", "f(a, b, c, s, n);", "while (s > 0) s -= 1;", "a[i] = s = 3;", "i++;", "return;"]
)
def test_what_a_trace_does_not_understand_it_says(body: str) -> None:
    unit, loop = loop_of(body)
    with pytest.raises(Unsupported):
        trace(unit, [loop])


@pytest.mark.parametrize("head", ["for (int i = N - 1; i >= 0; i--)", "for (int i = 0; 2 * i < n; i += 3)"])
def test_loops_of_any_step_and_direction_are_traced(head: str) -> None:
    unit, loop = loop_of("a[i] = a[i] * 2;", head)
    assert carried(trace(unit, [loop])).nothing
    unit, loop = loop_of("a[i] = a[i + 3];", head)
    assert carried(trace(unit, [loop])).blocked


def test_an_order_is_kept_when_epochs_are() -> None:
    unit, loop = loop_of("for (int j = 0; j < N; j++) { b[i][j] = s; a[j] += b[i][j]; }")
    events = trace(unit, [loop])
    assert keeps_order(events, lambda e: (e.path[3], e.path[1], *e.path[4:]))
    assert not keeps_order(events, lambda e: (-e.path[4], *e.path))


STRIDES = {
    "a[i]": 1, "b[i][3]": 100, "b[3][i]": 1, "a[i * n + 2]": 4096 * 3, "a[N - i]": -1, "a[i * i]": None, "a[7]": 0,
}  # fmt: skip


@pytest.mark.parametrize("element", STRIDES)
def test_strides(element: str) -> None:
    unit, node = loop_of(f"s += {element};")
    loop = next(x for x in counted_loops(unit.root) if x.node == node)
    assert [a.stride for a in accesses(unit, loop)] == [STRIDES[element]]


def test_variables_move_to_where_they_are_used() -> None:
    source = """void f(int n, float *a) {
    int i, j, last;
    float sum, *p;
    for (i = 0; i < n; i++) { sum = 0; for (j = 0; j < i; j++) sum += a[j]; a[i] = sum; last = i; }
    a[0] = last;
}
"""
    assert (
        localised(source)
        == """void f(int n, float *a) {
    int last;
    float *p;
    for (int i = 0; i < n; i++) { float sum = 0; for (int j = 0; j < i; j++) sum += a[j]; a[i] = sum; last = i; }
    a[0] = last;
}
"""
    )
    for kept in (
        "int i; for (i = 0; i < 9; i++) a[i] = 0; a[i] = 1;",
        "float s; for (int i = 0; i < 9; i++) { a[i] = s; s = 1; }",
    ):
        text = f"void f(float *a) {{ {kept} }}\n"
        assert localised(text) == text
