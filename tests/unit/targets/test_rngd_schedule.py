"""Schedules of furiosa-opt as timetables: fields, makespan, busy, gaps, critical path; the join with span logs."""

import json
from typing import Any

import pytest

from kernels.targets.rngd.schedule_json import read_schedule, utilisation
from kernels.targets.rngd.spans import comparable, join, read_spans, timeline


def instruction(
    index: str, tpe: str, begin: int, end: int, contexts: tuple[str, ...], reads: tuple[int, ...] = (),
    writes: tuple[int, ...] = (), description: str = "",
) -> dict[str, Any]:  # fmt: skip
    return {
        "index": index, "history": {"resourcelir": f"O{index}"}, "tpe": tpe, "contexts": list(contexts),
        "lifetime": {"begin": begin, "end": end}, "input_tensors": list(reads), "output_tensors": list(writes),
        "description": description, "util": {"total_util": 0.25, "base_util": 0.3, "efficiency": 0.8},
    }  # fmt: skip


BOTH = ("MainContext", "VectorEngine")
ROOT = {
    "title": "qkv", "total_memory": 268435456, "page_size": 16777216,
    "instructions": [
        instruction("0", "DmaLoad", 1003, 2000, ("DmaEngine",), (), (0,), "↳ src/qkv.rs:12:9\n\nx.load()"),
        instruction("1", "DmaLoad", 2000, 2600, ("DmaEngine",), writes=(1,)),
        instruction("15", "Main", 2100, 5000, BOTH, (0,), (2,), "↳ src/qkv.rs:20:5\n\na.dot(b)"),
        instruction("ExplicitSync(36)", "Core", 5000, 5600, ("Noop",), (2,)),
        instruction("17", "DmaStore", 5700, 6000, ("DmaEngine",), (2,)),
    ],
    "tensors": [
        {
            "index": str(n), "name": name, "buffer_type": "Sram", "address": 0, "size": 64, "shape": "8",
            "physical_pages": [], "fingerprint": "f", "lifetime": {"block_begin": 0, "block_end": 1},
        } for n, name in enumerate(("x", "w", "y"))
    ],
}  # fmt: skip


def test_a_schedule_is_a_timetable() -> None:
    found = read_schedule(json.dumps(ROOT), 1.0, "furiosa-opt 0.8.1")
    assert (found.title, found.makespan, found.ns, found.model) == ("qkv", 6000, 6000.0, "furiosa-opt 0.8.1")
    assert found.busy() == {"DmaEngine": 997 + 600 + 300, "MainContext": 2900, "VectorEngine": 2900}
    assert found.gaps("DmaEngine") == [(0, 1003), (2600, 5700)]
    assert found.by_line() == {("src/qkv.rs", 20): 2900, ("src/qkv.rs", 12): 997}
    first = found.steps[0]
    assert (first.index, first.kind, first.operator, first.line, first.text) == ("0", "DmaLoad", "O0", 12, "x.load()")
    assert found.steps[3].units == ()
    assert found.facts["total_memory"] == 1 << 28


def test_the_critical_path_says_what_each_step_waited_for() -> None:
    path = read_schedule(json.dumps(ROOT), 1.0, "m").critical_path()
    assert [(link.step.index, link.waited, link.slack) for link in path] == [
        ("17", "data", 700), ("15", "data", 100), ("0", "start", 1003),
    ]  # fmt: skip


def test_what_bounds_is_the_unit_when_no_data_was_waited_for() -> None:
    steps = [instruction("0", "DmaLoad", 0, 10, ("DmaEngine",)), instruction("1", "DmaLoad", 10, 30, ("DmaEngine",))]
    path = read_schedule(json.dumps({"instructions": steps}), 1.0, "m").critical_path()
    assert [(link.waited, link.slack) for link in path] == [("unit", 0), ("start", 0)]
    steps[1]["lifetime"]["begin"] = 15
    path = read_schedule(json.dumps({"instructions": steps}), 1.0, "m").critical_path()
    assert [(link.waited, link.slack) for link in path] == [("gap", 5), ("start", 0)]


@pytest.mark.parametrize("root", [{}, [], {"instructions": [{"index": "1"}]}, {"instructions": 3}])
def test_what_is_no_schedule_is_refused(root: object) -> None:
    with pytest.raises(ValueError, match="schedule"):
        read_schedule(json.dumps(root), 1.0, "m")


def test_utilisation_is_kept_by_index() -> None:
    assert utilisation(json.dumps(ROOT))["ExplicitSync(36)"] == 0.25


TABBED = "\n".join(
    f"SPAN\tqkv#{launch}\t{begin}\t{end}\tcluster {cluster}\t{name}"
    for launch, begin, end, cluster, name in (
        (0, 900, 4000, 0, "Task"), (1, 1000, 1500, 0, "DMA"), (1, 1100, 1900, 0, "DMA"),
        (1, 1500, 4000, 0, "Renegade::TuExec"),
        (1, 4000, 9000, 0, "Cluster"), (1, 1800, 2100, 1, "DMA"), (1, 2100, 9400, 1, "Renegade::TuExec"),
    )
)  # fmt: skip


def test_cycles_are_those_of_the_slower_cluster_and_skew_is_told_apart() -> None:
    first, second = read_spans(f"other line\n{TABBED}\n")
    assert (first.cycles, first.skew, first.program) == (3100, 0, 3100)
    assert second.clusters == ((1000, 9000), (1800, 9400))
    assert (second.cycles, second.skew, second.program) == (8000, 800, 7600)


def test_plain_lines_are_read_too() -> None:
    (only,) = read_spans("100 300 DMA\n250 900 Renegade::TuExec cluster=1\nno span\n")
    assert only.clusters == ((100, 300), (250, 900))
    with pytest.raises(ValueError, match="no span"):
        read_spans("nothing\n")


def test_a_timeline_has_a_thread_a_cluster_in_nanoseconds() -> None:
    found = timeline(read_spans(TABBED)[1], 2.0)
    assert found.total_ns == 4200
    assert {span.thread for span in found.spans} == {0, 1}
    assert (found.spans[0].name, found.spans[0].begin_ns, found.spans[0].end_ns) == ("DMA", 0, 250)


def test_the_kth_span_of_a_class_is_the_kth_instruction_of_it() -> None:
    pairs, uneven = join(read_spans(TABBED)[1], read_schedule(json.dumps(ROOT), 1.0, "m"))
    assert [(one.mark.begin, one.step.index) for one in pairs] == [
        (1000, "0"), (1100, "1"), (1500, "15"), (4000, "ExplicitSync(36)"),
    ]  # fmt: skip
    assert uneven == {"dma": (2, 3)}


def test_traces_are_compared_at_matched_skew_only() -> None:
    one = read_spans(TABBED)[1]
    other = read_spans(TABBED.replace("\t1800\t2100", "\t1050\t2100"))[1]
    assert comparable(one, one) == ""
    assert "launch skews of 800 and 50" in comparable(one, other)
    assert "1 clusters" in comparable(read_spans(TABBED)[0], one)
