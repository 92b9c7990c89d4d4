"""Candidate against head: which spans belong together, and what a lever aimed at."""

import json
from dataclasses import replace

import pytest

from kernels.levers import registry
from kernels.levers.base import Context
from kernels.packs.loader import baseline, find_kernel
from kernels.profiling.against import Change, changes, large_arrays
from kernels.profiling.aim import aimed_at
from kernels.profiling.assemble import profile_of
from kernels.profiling.join import Line
from kernels.profiling.record import Record, record_of
from kernels.profiling.trace import Trace, call_of
from kernels.values.machine import Machine
from tests.unit.profiling.timelines import SOURCE, candidate, spec, two_loops

MACHINE = Machine("x", "x86_64", frozenset(), 2)


def line(label: str, ns: float, *touches: str, kind: str = "parallel") -> Line:
    which = "serial" if kind == "serial" else "parallel"
    return Line(label, which, 1, ns, (ns, ns), 0.1, 0.0, 0.0, "compute", touches)


def test_spans_that_read_the_same_stand_against_each_other() -> None:
    head = [line("before", 20, kind="serial"), line("a", 100, "up", "x"), line("b", 110, "gate"), line("c", 90, "down")]
    ours = [line("n1", 150, "up", "gate"), line("n2", 95, "down", "x"), line("end", 30, "x", kind="serial")]
    assert changes(head, ours, {"up", "gate", "down"}) == (
        Change(("a", "b"), ("n1",), 210, 150, ("gate", "up")),
        Change(("c",), ("n2",), 90, 95, ("down",)),
        Change(("before",), ("end",), 20, 30),
    )
    assert [c.ratio for c in changes(head, ours, {"up", "gate", "down"})] == pytest.approx([150 / 210, 95 / 90, 1.5])


def test_what_has_no_partner_says_so() -> None:
    (one, two) = changes([line("a", 100, "up")], [line("b", 50)], {"up"})
    assert (one.candidate, one.ns, one.ratio) == ((), None, None)
    assert (two.head, two.head_ns, two.ns, two.ratio) == ((), None, 50, None)


def test_large_are_the_weights_or_without_them_all_arrays() -> None:
    assert large_arrays(spec()) == {"A", "B"}
    inputs = replace(
        spec(), arguments=tuple(replace(a, role="input") if a.name != "y" else a for a in spec().arguments)
    )
    assert large_arrays(inputs) == {"A", "B", "y"}


def test_a_record_survives_its_json() -> None:
    head = profile_of(Trace((call_of(0, 1000.0, two_loops(), 2),), 10.0, "slow"), spec(), candidate())
    alone = record_of(spec(), head, None)
    both = record_of(spec(), head, replace(head, candidate="another"))
    for record in (alone, both):
        assert Record.from_json(json.loads(json.dumps(record.to_json()))) == record
    assert both.shown.candidate == "another"
    assert [c.ratio for c in both.changes] == [1.0, 1.0, 1.0]
    for broken in ({}, {"head": {}, "candidate": None, "changes": []}, {**both.to_json(), "changes": 3}):
        with pytest.raises(ValueError, match="not a profile"):
            Record.from_json(broken)


def test_the_aim_is_what_the_changed_loops_read() -> None:
    changed = candidate(SOURCE.replace("KW_SPAN_BEGIN(down);", "KW_SPAN_BEGIN(down); __builtin_prefetch(p->from);"))
    assert aimed_at(changed, candidate(), spec()) == {"B"}
    assert aimed_at(candidate(), candidate(), spec()) == set()
    assert aimed_at(candidate("void f( {"), candidate(), spec()) == set()
    flagged = replace(candidate(), flags=("-ffast-math",))
    assert aimed_at(flagged, candidate(), spec()) == {"A", "B"}


def test_a_value_of_a_knob_is_a_change_and_a_number_in_a_name_is_none() -> None:
    source = SOURCE.replace("p->to[b]", "p->to[b / KW_TUNE_ROWS_1]").replace("two", "kw_body_1")
    knob = f"#define KW_TUNE_ROWS_1 2\n{source}"
    assert aimed_at(candidate(knob.replace("_1 2", "_1 4")), candidate(knob), spec()) == {"A", "B"}
    assert aimed_at(candidate(knob.replace("_1", "_7")), candidate(knob), spec()) == set()


def test_a_lever_aims_at_what_its_new_loop_reads() -> None:
    _, gemv = find_kernel("axpy_gemv/gemv")
    base, context = baseline(gemv), Context(gemv, MACHINE)
    threads = next(a for a in registry.applications(base, context) if a.lever == "threads")
    assert aimed_at(registry.apply(base, threads, context), base, gemv) == {"W"}
