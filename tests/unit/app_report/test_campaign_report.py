"""The report: right figures with their events, hostile text literal, every format whole, every home answered."""

import html.parser
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import override

from app import cli
from store import baseline_views, campaigns
from store.engine import Store
from tests.unit.app_report.campaigns_to_report import EVIL, Made, fill
from tests.unit.app_tui import fake_strategies

Ran = Callable[..., tuple[int, str, str]]
SHOWN = EVIL.replace("\x1b", "^[")


class Page(html.parser.HTMLParser):
    """Tags with their attributes, and all text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.feed(text)

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    @override
    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str, attribute: str) -> list[str]:
        return [attributes[attribute] for name, attributes in self.tags if name == tag and attribute in attributes]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def ran(home: Path, capsys: pytest.CaptureFixture[str]) -> Ran:
    def run(*words: str) -> tuple[int, str, str]:
        code = cli.run(["report", "--home", str(home), *words])
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return run


def said(ran: Ran) -> dict[str, Any]:
    code, out, _ = ran("--format", "json")
    assert code == 0
    return json.loads(out)


def test_the_number_is_the_ledgers_of_the_clean_head(home: Path, ran: Ran) -> None:
    fill(home)
    found = said(ran)
    speaking = found["speaking"]["a"]
    assert (speaking["speedup"], speaking["low"], speaking["high"]) == (1.25, 1.15, 1.35)
    assert found["campaign"]["ledger_speedup"] == pytest.approx(1.25**0.5)
    event = next(e for e in found["events"] if e["id"] == speaking["event"])
    assert event["kind"] == "ledger" and event["data"]["speedup"] == 1.25
    assert found["geomean_events"] == [speaking["event"]]
    assert [entry["speedup"] for entry in found["entries"] if entry["tainted"]] == [9.0]


def test_every_figure_points_to_an_event_that_says_it(home: Path, ran: Ran) -> None:
    made = fill(home)
    found = said(ran)
    events = {event["id"]: event for event in found["events"]}
    first, second = found["steps"]
    assert events[first["event"]]["data"]["node"] == made.kept and first["fresh_gain"] == 0.15
    assert second["tainted"] and second["lost"].startswith("tainted: answers by")
    (fold,) = found["folds"]
    assert (fold["node"], fold["promotions"]) == (made.folded, 1) and events[fold["event"]]["kind"] == "taint"
    (refusal,) = found["refusals"]
    assert (refusal["gate"], refusal["kind"], refusal["count"]) == ("correct", "wrong_values", 1)
    assert events[refusal["event"]]["data"]["node"] == made.refused
    tile = next(lever for lever in found["levers"] if lever["lever"] == "tile")
    assert (tile["tried"], tile["kept"], tile["ended"]) == (1, 0, {"refused: wrong_values": 1})
    assert found["promises"] == [
        {"kernel": "a", "lever": "tile", "proposals": 1, "expected": 0.5, "held": 0, "promised": 0.25, "gain": None,
         "measured": None},
        {"kernel": "a", "lever": "unroll", "proposals": 1, "expected": 0.5, "held": 1, "promised": 0.25, "gain": 0.2,
         "measured": 0.2},
    ]  # fmt: skip
    assert found["costs"]["device"]["acceptance"] == 8.0 and found["costs"]["readings"] == 32
    assert found["noise"][0]["cv"] == pytest.approx(20 / 1000 * (8 / 7) ** 0.5)
    assert found["environment"]["seed"] == 7 and found["campaign"]["sandbox_level"] == "bwrap"
    (peak,) = found["peaks"]
    assert events[peak["event"]]["kind"] == "peak" and found["kernels"][0]["times_peak"] == 1.6


def test_the_page_is_whole_and_hostile_text_stays_text(home: Path, ran: Ran) -> None:
    fill(home)
    code, out, _ = ran()
    page = Page(out)
    assert code == 0 and not {"script", "img", "link", "iframe"} & {tag for tag, _ in page.tags}
    assert page.text.count(SHOWN) >= 5 and "\x1b" not in out
    ids = set(page.all("tr", "id"))
    links = page.all("a", "href")
    assert links and all(link.removeprefix("#") in ids for link in links)
    assert "1.25x (1.15..1.35)" in page.text and "9.00x" not in page.text.split("Accepted steps")[0]
    assert re.search(r"1\.25x.*?baseline [0-9a-f]{8}", page.text, re.S)


@pytest.mark.parametrize("form", ["html", "md"])
def test_what_has_no_event_of_its_own_is_of_the_records_at_a_named_one(home: Path, ran: Ran, form: str) -> None:
    fill(home)
    found = said(ran)
    assert found["until"] == found["events"][-1]["id"] and found["events"][-1]["text"].startswith("finished")
    out = ran("--format", form)[1]
    text = Page(out).text if form == "html" else out
    assert re.search(rf"as they stood at event \[?#{found['until']}", text)


HISTORY = f"""\
timestamp_utc,team,kind,variant,a_cycles,geomean_speedup
2026-09-08T10:52,baseline,official,baseline,1000,
2026-09-09T11:00,"{EVIL}",arena,"{EVIL}",400,2.5004
"""


@pytest.mark.parametrize("form", ["html", "md"])
def test_imported_filings_stand_in_the_report_of_their_campaign_and_in_no_other(
    home: Path, ran: Ran, tmp_path: Path, form: str
) -> None:
    fill(home)
    (tmp_path / "h.csv").write_text(HISTORY)
    assert cli.run(["import", "history", str(tmp_path / "h.csv"), "--home", str(home)]) == 0
    code, out, _ = ran("--format", form, "--campaign", "2")
    text = Page(out).text if form == "html" else out
    assert code == 1 and "Filed beside the steps" in text and "\x1b" not in out
    assert "<script" not in out.replace("\\<", "")
    assert "2.5004" in text and "2.5000" in text and "a 1,000" in text and "Wall time: 00:00:00. Device" in text
    found = json.loads(ran("--format", "json", "--campaign", "2")[1])
    events = {event["id"]: event for event in found["events"]}
    assert [one["filing"]["imported"]["score"] for one in found["filed"]] == [None, 2.5004]
    assert all(events[one["event"]]["kind"] == "import" for one in found["filed"])
    assert said(ran)["filed"] == [] and "Filed beside" not in ran("--format", form)[1]


def test_the_curves_lie_inside_their_frames(home: Path, ran: Ran) -> None:
    fill(home)
    page = Page(ran()[1])
    frames = page.all("rect", "width")
    curves = page.all("polyline", "points")
    assert len(frames) == len(page.all("svg", "viewbox")) == 3 and len(curves) == 4
    for curve in curves:
        points = [tuple(map(float, point.split(","))) for point in curve.split()]
        assert points and all(56 <= x <= 708 and 12 <= y <= 232 for x, y in points)
        assert points == sorted(points, key=lambda point: point[0])


def test_markdown_tables_keep_their_columns(home: Path, ran: Ran) -> None:
    fill(home)
    out = ran("--format", "md")[1]
    assert "<script" not in re.sub(r"\\<", "", out) and "\x1b" not in out and r"\[x\]\(http\://e.vil\)" in out
    width = 0
    for line in out.splitlines():
        bars = len(re.findall(r"(?<!\\)\|", line))
        assert not (width and bars) or bars == width, line
        width = bars
    anchors = set(re.findall(r'<a id="(e\d+)">', out))
    assert anchors and set(re.findall(r"\(#(e\d+)\)", out)) <= anchors


def test_a_running_campaign_says_that_it_runs(home: Path, ran: Ran) -> None:
    fill(home, finished=False)
    code, out, _ = ran("--format", "md")
    assert code == 0 and "The campaign is running, not finished" in out
    assert said(ran)["over"] is False


def test_a_campaign_without_a_ledger_entry_has_no_speedup(home: Path, ran: Ran) -> None:
    with Store.open(home) as store:
        store.write_sync(
            lambda s: campaigns.create(
                s, pack="p", pack_digest="d", target="cpu-c", fingerprint="f", kernels=["a"], device="cpu"
            )
        )
    for form in ("html", "md", "json"):
        code, out, err = ran("--format", form)
        assert code == 1 and out and "no ledger entry yet" in err
    assert "Nothing was measured against a baseline yet" in ran()[1]


def test_an_empty_home_is_said(home: Path, ran: Ran) -> None:
    code, out, err = ran()
    assert code == 2 and out == "" and "no campaign yet" in err and "./run.sh" in err
    with Store.open(home):
        pass
    code, out, err = ran()
    assert code == 2 and out == "" and "no campaign yet" in err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--format", "pdf"), "formats: html, md, json"), (("--campaign", "99"), "99"),
        (("--out", "/nowhere/at/all/r.html"), "cannot write"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said(home: Path, ran: Ran, words: tuple[str, ...], told: str) -> None:
    fill(home)
    code, out, err = ran(*words)
    assert code in (2, 3) and told in err and "Traceback" not in err and out == ""


def test_the_file_is_what_stdout_would_be(home: Path, ran: Ran, tmp_path: Path) -> None:
    made: Made = fill(home)
    path = tmp_path / "r.json"
    code, out, err = ran("--format", "json", "--out", str(path), "--campaign", str(made.campaign))
    assert code == 0 and out == "" and str(path) in err
    kept, shown = json.loads(path.read_text()), said(ran)
    assert kept | {"made_at": 0} == shown | {"made_at": 0} and not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("form", ["html", "md"])
def test_what_the_baselines_do_stands_in_it(ran: Ran, home: Path, form: str) -> None:
    fill(home)
    with Store.open(home) as store:
        row = store.read_sync(campaigns.latest)
        assert row is not None
        (analysis,) = fake_strategies.baselines(EVIL)
        store.write_sync(
            lambda s: baseline_views.keep(s, row.target, row.fingerprint, row.pack, "ffn", analysis.record)
        )
    code, out, _ = ran("--format", form)
    assert code == 0
    text = Page(out).text if form == "html" else out.replace("\\", "")
    for words in ("What the baselines do", "reduction, also map", "row 8 x column ~4", "as written by dependent steps"):
        assert words in text
    assert said(ran)["analyses"][0]["record"]["operations"] == 64.0
