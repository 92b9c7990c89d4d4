"""Presentation values, the line of a test, the plain display: pure parts of the screen."""

import json
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import views
from app.plain import event_line, lines, status_line
from app.sanitise import cells, clean, clean_lines, cut, fit
from app.screens import agent_text, filing_text, judge_text, knowledge_text, money_text, node_text
from app.screens.compare_text import compare_page
from app.screens.fate_text import End, word
from app.screens.figures import right_end, score_figure, trail_figure
from app.screens.header_text import header_spans
from app.screens.notices import Notices
from app.screens.overview_text import head_columns, head_row, head_title, trust_lines
from app.screens.race_text import race_lines
from app.stepped import steps
from app.widgets.plot import Figure, draw, load_plotext, table
from app.zline import gauge, one_line
from store.views import CommandView, EventView, RacedView, RaceView
from tests.unit.app_tui import fake_values
from tests.unit.app_tui.fake_source import NOW, FakeSource


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain text", "plain text"),
        ("\x1b[31mred\x07", "^[[31mred^G"),
        ("nul\x00\x7f", "nul^@^?"),
        ("[bold]markup[/]", "[bold]markup[/]"),
        ("a\u0301e\u0301", "\u00e1\u00e9"),
        ("x\u0335", "x<U+0335>"),
        ("\U0001f600", "<U+1F600>"),
        ("\u05e9", "<U+05E9>"),
        ("\u202eevil", "<U+202E>evil"),
        ("\ud800", "<U+D800>"),
        ("\u6f22\u5b57", "\u6f22\u5b57"),
        ("a\tb\nc", "a    b^Jc"),
    ],
)
def test_clean_shows_odd_characters_as_escapes(raw: str, shown: str) -> None:
    assert clean(raw) == shown


def test_clean_cuts_and_says_so() -> None:
    assert clean("x" * 20_000_000, 10) == "x" * 7 + "..."
    assert clean_lines("a\nb\r\nc\nd\n", max_lines=2) == ["a", "b", "[cut: 2 more lines]"]


@pytest.mark.parametrize(
    ("value", "said"),
    [(0, "0"), (3.2e-5, "0.000032"), (0.314, "0.31"), (9.94, "9.9"), (9.96, "10"), (120, "120"), (2.1e6, "2,100,000")],
)
def test_about_is_never_a_power_of_ten(value: float, said: str) -> None:
    assert views.about(value) == said


COLUMNS = (
    agent_text.agent_columns, filing_text.filing_columns, judge_text.row_columns, knowledge_text.claim_columns,
    money_text.share_columns, head_columns,
)  # fmt: skip


@pytest.mark.parametrize("columns", COLUMNS, ids=lambda made: made.__name__)
def test_a_table_fits_into_every_width_that_a_list_may_have(columns: Callable[[int], list[tuple[str, int]]]) -> None:
    for width in range(55, 200):
        assert sum(abs(size) for _, size in columns(width)) + len(columns(width)) - 1 <= width


def test_a_nodes_page_is_no_wider_than_its_panel() -> None:
    nodes = FakeSource().trees["ffn"]
    for node in nodes[:40]:
        detail = fake_values.detail(node, NOW, "words " * 20)
        assert max(views.width_of(line) for line in node_text.page(detail, (), (), 40)) <= 40


def test_fit_measures_cells() -> None:
    assert fit("ab", 4) == "ab  " and fit("ab", 4, right=True) == "  ab" and fit("abcdef", 4) == "abc~"
    assert cells(fit("\u6f22\u5b57", 4)) == 4 and cells(fit("\u6f22\u5b57\u6f22", 4)) == 4
    assert cut("\u6f22\u5b57", 3) == "\u6f22"


def test_numbers() -> None:
    assert [views.duration_ns(x) for x in (5.0, 930e3, 25.8e6, 2.5e9, None)] == [
        "5.00 ns", "930 us", "25.8 ms", "2.50 s", "-",
    ]  # fmt: skip
    assert views.factor_interval(26.4, 25.9, 27.0) == "26.4x (25.9..27.0)"
    assert views.gain_interval(0.008, -0.001, 0.017) == "+0.8 % (-0.1..+1.7)"
    assert views.clock(2472.0) == "00:41:12" and views.clock(90_000.0) == "1d 01:00:00"
    assert [views.age(x) for x in (8.0, 700.0, 8000.0, 200_000.0)] == ["8 s", "11 min", "2 h", "2 d"]


def test_wrap_and_beside_keep_to_the_width() -> None:
    assert views.wrap("one two three " + "x" * 12, 8) == ["one two", "three", "x" * 8, "x" * 4]
    line = views.beside([("left side", "")], [("right", "")], 10)
    assert views.plain(line) == "left right"


def test_gauge_places_the_score_between_its_boundaries() -> None:
    test = fake_values.with_pairs(fake_values.tests(("ffn",), NOW, "", 0.0)[0], NOW)
    text = gauge(test, 48)
    assert text.startswith("-1.85 ") and text.endswith(" +2.15") and len(text) == 48
    assert text.index("|.57") < text.index("*")
    assert gauge(replace(test, score=-9.0), 48).index("*") == len("-1.85 ")
    assert "*" not in gauge(replace(test, pairs_done=0), 48)
    assert "no boundaries" in gauge(replace(test, kind="ledger"), 48)
    confirmation = replace(test, kind="confirmation", trail=(), looks=())
    assert gauge(confirmation, 40).startswith("+0.00 ") and gauge(confirmation, 40).endswith("+1.40")
    assert one_line(test).startswith("pair 10/24  score +1.97  [-1.85 ")


def test_steps_hold_until_the_next_point() -> None:
    assert steps(((0.0, 1.0), (2.0, 3.0)), until=5.0) == ((0.0, 1.0), (2.0, 1.0), (2.0, 3.0), (5.0, 3.0))


def test_figures_fill_their_panel_and_nothing_more() -> None:
    load_plotext()
    view = FakeSource().overview()
    assert view is not None
    for width, height in ((16, 4), (48, 10), (300, 90)):
        drawn = draw(score_figure(view), width, height)
        assert len(drawn) <= height and max(map(len, drawn)) <= width and len(drawn) >= height - 1
        assert all(ord(c) < 128 for line in draw(score_figure(view), width, height, ascii_only=True) for c in line)
    test = fake_values.with_pairs(fake_values.tests(("ffn",), NOW, "", 0.0)[0], NOW)
    assert any("=" in line for line in draw(trail_figure(test), 60, 12))
    assert draw(Figure(()), 40, 10) == table(Figure(()), 40, 10) == ["nothing measured yet"]
    assert draw(score_figure(view), 5, 2) == ["too small for a curve"]


@pytest.mark.parametrize("width", [58, 60, 79, 98, 139, 198])
def test_heads_fill_the_width_they_are_given(width: int) -> None:
    kernel = fake_values.kernel_views(("qkv",), "")[0]
    assert views.width_of(head_row(kernel, width)) <= width + 1
    assert [title for title, _ in head_columns(width)][:2] == ["kernel", "x peak"]
    assert "ledger speedup" in views.plain(head_title(width)) and "last gain" in views.plain(head_title(width))


def test_trust_says_not_yet_known_below_forty_placebos() -> None:
    campaign = fake_values.campaign(NOW, 60.0, "running", "")
    few = replace(campaign, placebo=replace(campaign.placebo, tests=12, faster=0))
    assert views.plain(trust_lines(few, 60)[0]) == "! NOT YET KNOWN  12 of 40 placebo tests"
    assert "NOT YET KNOWN" not in "".join(map(views.plain, trust_lines(campaign, 60)))


@pytest.mark.parametrize(
    ("state", "silent", "said"),
    [("running", 1.0, "+ running"), ("running", 14.0, "! engine silent for 14 s"), ("pausing", 1.0, "= pausing..."),
     ("interrupted", 1.0, "! no engine runs"), ("finished", 99.0, "finished")],
)  # fmt: skip
def test_header_says_how_the_engine_is(state: str, silent: float, said: str) -> None:
    view = FakeSource().overview()
    assert view is not None and view.engine is not None
    at = view.engine.heartbeat_at + silent
    _, right = header_spans(replace(view, campaign=replace(view.campaign, state=state)), at, 120)
    assert said in views.plain(tuple(right))


def test_header_of_a_copy_says_so_and_of_when() -> None:
    view = FakeSource().overview()
    _, right = header_spans(view, NOW, 80, copied_at=NOW)
    assert f"= copy of {views.moment(NOW)}" in views.plain(tuple(right)) and "silent" not in views.plain(tuple(right))


def _header(width: int, state: str, why: str) -> str:
    view = FakeSource().overview()
    assert view is not None
    campaign = replace(view.campaign, pack="axpy_gemv", target="cpu-c", state=state, stopped_because=why)
    left, right = header_spans(replace(view, campaign=campaign), NOW, width)
    return views.plain(views.beside(left, right, width))


@pytest.mark.parametrize("width", [60, 72, 80, 90, 100, 120, 200])
@pytest.mark.parametrize("why", ["", "time: 5 minutes are over", "stopped by the operator " * 9])
def test_header_cuts_no_name(width: int, why: str) -> None:
    said = _header(width, "finished" if why else "running", why)
    assert len(said) == width and " axpy_gemv " in said
    assert "on cpu-c " in said or " on " not in said.split("finished")[0]


@pytest.mark.parametrize("width", [100, 120])
def test_header_uses_the_room_there_is(width: int) -> None:
    assert "finished: time: 5 minutes are over" in _header(width, "finished", "time: 5 minutes are over")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("worker-01 paused", "worker-01 paused"),
        ('{"outcome": "KEEP", "gain": 0.1865, "reason": "", "node": 4}', "node 4 KEEP +18.6 %"),
        ('{"outcome": "REVERT", "verdict": "SLOWER", "gain": null, "reason": "score -1.86", "node": 7}',
         "node 7 REVERT: score -1.86"),
        ('{"artefact": "ab12", "gates": []}', "profiled: tab 5 and ./run.sh profile show it"),
        ('{"artefact": null, "gates": [{"gate": "compile", "state": "refused", "kind": "compile", "reason": "no x"}]}',
         "not profiled: gate compile refused it: compile no x"),
        ('[{"gate": "source", "state": "passed"}]', "no gate refused it"),
        ('{"outcome": "KE', '{"outcome": "KE'),
    ],
)  # fmt: skip
def test_an_answer_for_programs_is_said_to_people(answer: str, said: str) -> None:
    notices = Notices()
    notices.sending("approve", "4").command = 7
    notices.answered(CommandView(7, 0.0, "me", "approve", "4", "done", answer), 100.0)
    assert views.plain(notices.lines(101.0)[0]) == f"+ approve 4: {said}"


def test_what_a_key_came_to_takes_the_place_of_what_the_one_before_did() -> None:
    notices = Notices()
    for text, tone in (("table", ""), ("! refused", "warn"), ("curves", ""), ("sorted", "")):
        notices.say(text, 100.0, tone)
    assert [views.plain(line) for line in notices.lines(101.0)] == ["! refused", "sorted"]


def test_faster_is_said_only_of_what_became_the_head() -> None:
    kept, dropped, waits = (End(outcome, "FASTER", "", 0.03) for outcome in ("KEEP", "ACCEPT", ""))
    assert [word(end) for end in (kept, dropped, waits)] == ["FASTER", "not kept", "FASTER"]


@pytest.mark.parametrize("width", [40, 48, 78])
def test_readings_of_compared_filings_are_folded_not_cut(width: int) -> None:
    both = FakeSource().compare_filings(447, 448)
    assert both is not None
    lines = [views.plain(line).rstrip() for line in compare_page(both, [], width)]
    assert max(map(len, lines)) <= width
    said = " ".join(" ".join(lines).split())
    assert re.search(r"acceptance FASTER, \d+ pairs: \S+ % \(\S+\); \S+ \w+ -> \S+ \w+", said)


def test_notices_wait_for_the_answer_then_go() -> None:
    notices = Notices()
    notice = notices.sending("pause", "ffn")
    notice.command = 7
    assert views.plain(notices.lines(1e9)[0]) == "pausing ffn..." and notices.pending() == [7]
    notices.answered(CommandView(7, 0.0, "me", "pause", "ffn", "taken", ""), 100.0)
    assert notices.pending() == [7]
    assert not notices.answered(CommandView(7, 0.0, "me", "pause", "ffn", "taken", "after the pair in hand"), 100.0)
    assert views.plain(notices.lines(1e9)[0]) == "pause ffn: after the pair in hand" and notices.pending() == [7]
    notices.answered(CommandView(7, 0.0, "me", "pause", "ffn", "done", "ffn paused"), 100.0)
    assert views.plain(notices.lines(101.0)[0]) == "+ pause ffn: ffn paused"
    assert notices.lines(200.0) == []


def test_a_race_shows_who_led_who_tied_and_who_dropped_out() -> None:
    ran = RacedView("1f3c9a22" * 4, {"prefetch_1": "4096"}, "ranked", 1, 0.0512, 4, False, "", "", "")
    tied = replace(ran, candidate_id="aaaaaaaa" * 4, params={}, rank=2, gain=0.0498, rounds=1, tied=True)
    out = replace(
        tied, candidate_id="bbbbbbbb" * 4, state="refused", rank=None, gain=None, kind="crash", reason="SIGSEGV"
    )
    race = RaceView(
        3, 9, "tune_any", "00" * 16, "done", ran.candidate_id, 768, 102, 12, 1, 9.5, "7", "", (ran, tied, out)
    )  # fmt: skip
    shown = [views.plain(line) for line in race_lines(race, 80)]
    assert shown[0].startswith("-- race 3: 3 of 768 variants of tune_any")
    assert "12 blocks (1 taken again), 102 readings, 9.5 s; gains are selected" in shown[1]
    assert "1f3c9a22" in shown[2] and "+5.1 %" in shown[2] and "prefetch_1=4096" in shown[2]
    assert " 4 rounds " in shown[2] and " 1 round " in shown[3]
    assert "as proposed" in shown[3] and shown[3].endswith("tied")
    assert "crash SIGSEGV" in shown[4]


def test_plain_display_is_one_clean_line_per_event() -> None:
    event = EventView(3, NOW, "refused", "worker-01", "bad\x1b[2J\nline", {"x": 1})
    assert event_line(event) == "2026-11-30 00:53:20 refused worker-01: bad^[[2J^Jline"
    source = FakeSource(event_count=1203)
    printed = list(lines(source, as_json=False, following=False, sleep=lambda _: None))
    assert len(printed) == 1203
    as_json = list(lines(FakeSource(event_count=2), as_json=True, following=False, sleep=lambda _: None))
    assert [json.loads(line)["id"] for line in as_json] == [1, 2]
    view = source.overview()
    assert view is not None and status_line(view).startswith("gemma_decode on cpu-c running: ledger 22.5x")


def test_a_head_below_the_peak_says_what_that_means() -> None:
    assert views.beats_probe({"qkv": 1.13, "ffn": None}) == ""
    assert views.beats_probe({"qkv": 0.97, "ffn": 1.2}) == (
        "x peak below 1.00 (qkv): faster than the read probe, which is no bound"
    )


def test_a_curve_as_a_table_goes_down_then_right_and_says_what_it_leaves_out() -> None:
    figure = Figure((), told=tuple((f"{n} min", f"{n}.0x") for n in range(8, 12)))
    assert table(figure, 20, 9) == [" 8 min  8.0x", " 9 min  9.0x", "10 min  10.0x", "11 min  11.0x"]
    assert table(figure, 40, 2) == [" 8 min  8.0x     10 min  10.0x", " 9 min  9.0x     11 min  11.0x"]
    assert table(figure, 20, 2) == ["3 before", "11 min  11.0x"]
    view = FakeSource().overview()
    assert view is not None
    assert len(score_figure(view).told) == len([point for point in view.score if not point.kernel])


@given(st.floats(1e-6, 1e9))
def test_an_axis_that_grows_ends_soon_behind_now_and_moves_seldom(now: float) -> None:
    end = right_end(now)
    assert now <= end <= now * 129 / 128
    assert right_end(end) == end and right_end(now + (end - now) / 2) == end
