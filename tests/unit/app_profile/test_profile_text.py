"""A profile as text at fixed widths: what a person reads of the same numbers that the join gives."""

from dataclasses import replace

import pytest

from app.screens.profile_text import ascii_text, chart, page, profile_lines
from app.views import plain, width_of
from kernels.profiling.assemble import profile_of
from kernels.profiling.gantt import letters
from kernels.profiling.profile import Profile
from kernels.profiling.record import record_of
from kernels.profiling.trace import Trace, call_of
from kernels.sandbox.spans import Timeline
from tests.unit.profiling.timelines import candidate, span, spec, two_loops

HEAD = profile_of(Trace((call_of(0, 1030.0, two_loops(), 2),), 10.0, "slow"), spec(), candidate())
FASTER = profile_of(
    Trace((call_of(0, 950.0, replace(two_loops(), total_ns=990, spans=tuple(
        span(s.thread, s.name, s.begin_ns, min(s.end_ns, 560 if s.name == "parallel 1" else s.end_ns), s.depth)
        for s in two_loops().spans
    )), 2),), 10.0, "slow"),
    spec(), candidate("/* another */\n" + candidate().source),
)  # fmt: skip


def test_eighty_columns() -> None:
    said = ascii_text(profile_lines(HEAD, "head", 80)).split("\n")
    assert said[0] == f"head {HEAD.candidate[:8]}: 1.03 us, 1.51 x planned 684 ns"
    assert said[1] == "median of 1 profiled call (1.03 us .. 1.03 us); 6.6 GB/s, probe 10.0 GB/s (mode"
    assert said[2] == "slow); threads idle 16.5 %"
    assert said[3] == "bound by: memory wall 78.0 %, serial 22.0 %"
    assert said[4:7] == [
        "0 |AAAAAAAABBBBBBBBBBBBBBBBBBBBBBBBBBBBBB........CCCCCCCDDDDDDDDDDDDDDDDDDDDDEE|",
        "1 |........BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB.......DDDDDDDDDDDDDDDDDDDDD..|",
        "   0                                  500 ns                            1.00 us",
    ]
    assert said[8:] == [
        "  span                 share measured  planned  ratio  GB/s  imbal. bound",
        "A before parallel 1   10.0 %   100 ns        -      -     -       - serial",
        "B parallel 1          50.0 %   500 ns   400 ns   1.25   8.0  10.1 % memory wall",
        "C prep                10.0 %   100 ns  4.00 ns  25.00   0.4       - serial",
        "D down                28.0 %   280 ns   280 ns   1.00  10.0   0.0 % memory wall",
        "E after down           2.0 %  20.0 ns        -      -     -       - serial",
    ]


@pytest.mark.parametrize("width", [60, 80, 109, 110, 160, 300])
def test_every_line_fits(width: int) -> None:
    record = record_of(spec(), HEAD, FASTER)
    lines = page(record, width)
    assert max(map(width_of, lines)) <= max(width, 72)
    assert ascii_text(lines).isascii()


def test_wide_windows_show_what_a_span_touches() -> None:
    said = ascii_text(profile_lines(HEAD, "head", 120))
    assert "memory wall A\n" in said
    assert "before parallel 1" in said


def test_a_candidate_stands_beside_the_head() -> None:
    said = ascii_text(page(record_of(spec(), HEAD, FASTER), 80))
    rows = said.split("\n")
    at = rows.index("  head                   candidate                  head candidate    change")
    assert rows[at + 1 : at + 4] == [
        "+ parallel 1             parallel 1               500 ns    460 ns    -8.0 %",
        "~ down                   down                     280 ns    280 ns    +0.0 %",
        "! before parallel 1 + p~ before parallel 1 + b~   220 ns    250 ns   +13.6 %",
    ]
    assert said.startswith(f"candidate {FASTER.candidate[:8]}")
    assert f"\nhead {HEAD.candidate[:8]}" in said


def test_hostile_names_are_escaped() -> None:
    evil = "\x1b[2J[bold]\u6f22\U0001f600"
    spans = (span(0, "parallel 1", 0, 900), span(0, evil, 10, 890, 1))
    one: Profile = profile_of(Trace((call_of(0, 1000.0, Timeline(spans, 1000), 1),), 0.0, ""), spec(), candidate())
    said = ascii_text(profile_lines(one, "head", 80))
    assert "\x1b" not in said
    assert "^[[2J[bold]\\u6f22<U+1F600>" in said.replace("~", "") or "^[[2J[bold]" in said
    assert said.isascii()
    assert "no probe" in said
    assert "not known" in said


def test_many_threads_are_counted() -> None:
    spans = tuple(span(t, "parallel 1", 0, 1000) for t in range(64))
    many = profile_of(Trace((call_of(0, 1000.0, Timeline(spans, 1000), 96),), 10.0, ""), spec(), candidate())
    rows = [plain(line) for line in chart(many, letters(["parallel 1"]), 80)]
    assert rows[0] == " 0 |" + "A" * 75 + "|"
    assert rows[64] == "32 more threads"


def test_parts_of_a_loop_and_lost_marks_are_told() -> None:
    spans = (span(0, "parallel 1", 0, 100), span(0, "load", 0, 25, 1), span(0, "store", 40, 100, 1))
    one = profile_of(Trace((call_of(0, 100.0, Timeline(spans, 100, 7), 1),), 10.0, ""), spec(), candidate())
    said = ascii_text(profile_lines(one, "head", 80))
    assert "    load: 25.0 % of the work in it" in said
    assert "    store: 60.0 % of the work in it" in said
    assert "! 7 marks were not kept" in said
