"""`import history`: one transaction, marked as imported, in no result; and the published scores recompute."""

import csv
import io
import json
import math
from functools import partial
from pathlib import Path

import pytest

from app import cli
from kernels.values.candidate import Candidate
from store import campaigns, designs, kernel_states, reads
from store.engine import Session, Store

CONTEST = Path(__file__).parents[4] / "shared" / "data" / "rngd_contest" / "history.csv"
HISTORY = """\
timestamp_utc,team,kind,variant,a_cycles,b_cycles,geomean_speedup,extra
2026-09-08T10:52,baseline,official,baseline,1000,4000,1.0,x
2026-09-08,t,official,=cmd|' /C calc'!A0,500,1000,2.8284,
,t,arena,[bold]v2,250,1000,9.0,
2026-09-07T01:00,u,arena,v3,,,1.5,
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "history.csv"
    path.write_text(HISTORY, encoding="utf-8")
    return path


def ran(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = cli.run([*words])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_rows_are_kept_in_order_with_what_their_cycles_give(
    tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = str(tmp_path / "home")
    code, out, _ = ran(capsys, "import", "history", str(file), "--home", home, "--json", "--peak", "a=125", "--peak",
                       "b=500")  # fmt: skip
    said = json.loads(out)
    assert code == 0 and (said["filings"], said["with_cycles"], said["best"]) == (4, 3, 9.0)
    assert [(one["line"], round(one["recomputed"], 4)) for one in said["differing"]] == [(4, 4.0)]
    assert said["left_out_columns"] == ["extra"]
    _, out, _ = ran(capsys, "filings", "--json", "--home", home)
    rows = json.loads(out)["filings"]
    assert [row["lever"] for row in rows] == ["v3", "baseline", "=cmd|' /C calc'!A0", "[bold]v2"]
    assert all(row["kind"] == "imported" and row["ledger_speedup"] is None for row in rows)
    assert rows[2]["filed_at"] == rows[1]["filed_at"]
    assert rows[3]["filed_at"] is None, "its file says no day: it only stands behind the row before it"
    assert math.isclose(rows[1]["times_peak"], 8.0) and rows[0]["times_peak"] is None


def test_no_time_is_told_that_the_file_does_not_say(
    tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = str(tmp_path / "home")
    ran(capsys, "import", "history", str(file), "--home", home)
    _, told, _ = ran(capsys, "report", "--format", "md", "--home", home)
    rows = {line.split(" | ")[4]: line.split(" | ")[1] for line in told.splitlines() if " | imported | all | " in line}
    assert rows["baseline"] == "2026-09-08T10\\:52" and rows[r"\[bold\]v2"] == "not said"
    assert "10" not in next(at for what, at in rows.items() if "calc" in what), "of that row only the day is known"
    _, table, _ = ran(capsys, "filings", "--csv", "--home", home)
    assert [row["filed_at"] for row in csv.DictReader(table.splitlines())] == [
        "2026-09-07T01:00:00Z", "2026-09-08T10:52:00Z", "2026-09-08T10:52:00Z", "",
    ]  # fmt: skip


def test_imported_filings_are_sorted_by_the_score_that_they_show(
    tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(HISTORY.replace("2.8284", ""), encoding="utf-8")
    home = tmp_path / "home"
    ran(capsys, "import", "history", str(file), "--home", str(home))
    with Store.open(home) as store:
        for down, order in ((True, ["[bold]v2", "=cmd|' /C calc'!A0", "v3", "baseline"]),
                            (False, ["baseline", "v3", "=cmd|' /C calc'!A0", "[bold]v2"])):  # fmt: skip
            read = partial(reads.filings_page, campaign_id=None, sort="ledger_speedup", descending=down)
            assert [row.lever for row in store.read_sync(read)[0]] == order
        series = store.read_sync(lambda s: reads.filing_series(s, 1, ""))
    assert series is not None and series.score.what == "score, published or from the cycles"


@pytest.mark.parametrize(("score", "what"), [("2", "published score"), ("", "score from the cycles")])
def test_a_curve_of_scores_says_where_they_come_from(
    tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str], score: str, what: str
) -> None:
    rows = "".join(f"2026-09-0{day},baseline,official,v,{1000 / day},{score}\n" for day in (1, 2))
    file.write_text(f"timestamp_utc,team,kind,variant,a_cycles,geomean_speedup\n{rows}")
    ran(capsys, "import", "history", str(file), "--home", str(tmp_path / "home"))
    with Store.open(tmp_path / "home") as store:
        series = store.read_sync(lambda s: reads.filing_series(s, 1, ""))
    assert series is not None and series.score.what == what


def test_a_bad_row_imports_nothing(tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(HISTORY + "2026-09-09,t,official,v4,0,1,2,\n", encoding="utf-8")
    home = tmp_path / "home"
    code, _, err = ran(capsys, "import", "history", str(file), "--home", str(home))
    assert code == 2 and "line 6" in err and "nothing was imported" in err
    assert not home.exists()


def test_a_file_is_imported_once(tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = str(tmp_path / "home")
    assert ran(capsys, "import", "history", str(file), "--home", home)[0] == 0
    code, _, err = ran(capsys, "import", "history", str(file), "--home", home)
    assert code == 2 and "imported before, as campaign 1" in err
    with Store.open(tmp_path / "home") as store:
        assert len(store.read_sync(campaigns.listing)) == 1


def test_cycles_without_a_baseline_are_refused(tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(HISTORY.replace("baseline,official,baseline", "t,official,v0"), encoding="utf-8")
    words = ("import", "history", str(file), "--home", str(tmp_path / "home"))
    code, _, err = ran(capsys, *words)
    assert code == 2 and "--baseline a=CYCLES" in err
    assert ran(capsys, *words, "--baseline", "a=1000", "--baseline", "b=4000")[0] == 0
    code, _, err = ran(capsys, *words, "--baseline", "c=1")
    assert code == 2 and "no column c_cycles" in err


def test_imported_filings_count_in_no_result_of_this_device(
    tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def own(s: Session) -> int:
        number = campaigns.create(
            s, pack="p", pack_digest="d", target="cpu-c", fingerprint="f", kernels=["a"], device="cpu"
        )
        base = designs.add_candidate(s, Candidate("a", {"kernel.c": "base"}))
        kernel_states.set_baseline(s, number, "a", base, 1000.0)
        return number

    home = tmp_path / "home"
    with Store.open(home) as store:
        number = store.write_sync(own)
        before = store.read_sync(lambda s: reads.summary(s, number))
    assert ran(capsys, "import", "history", str(file), "--home", str(home))[0] == 0
    with Store.open(home) as store:
        assert store.read_sync(lambda s: reads.summary(s, number)) == before
        latest = store.read_sync(campaigns.latest)
        assert latest is not None and latest.id == number
        assert store.read_sync(lambda s: campaigns.unfinished(s)[0].id) == number
        imported = store.read_sync(lambda s: reads.campaign_view(s, number + 1))
        assert imported.ledger_speedup is None and imported.tests_run == 0
        assert store.read_sync(lambda s: reads.filings_page(s, None, text="arena v3"))[1] == 1


def test_the_csv_is_whole_and_runs_no_formula(tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = str(tmp_path / "home")
    ran(capsys, "import", "history", str(file), "--home", home)
    code, out, _ = ran(capsys, "filings", "--csv", "--all", "--home", home)
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0 and [row["lever"] for row in rows] == ["v3", "baseline", "'=cmd|' /C calc'!A0", "[bold]v2"]
    assert rows[3]["a_cycles"] == "250.0" and rows[0]["a_cycles"] == "" and rows[3]["team"] == "t"
    assert ran(capsys, "filings", "--csv", "--json", "--home", home)[0] == 2


@pytest.mark.skipif(not CONTEST.is_file(), reason=f"needs the recorded history {CONTEST.name} beside the repository")
def test_a_recorded_history_is_whole_and_its_scores_recompute(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = str(tmp_path / "home")
    code, out, _ = ran(capsys, "import", "history", str(CONTEST), "--home", home, "--json")
    said = json.loads(out)
    assert code == 0 and (said["filings"], said["with_cycles"], said["differing"]) == (181, 110, [])
    _, out, _ = ran(capsys, "filings", "--json", "--home", home)
    rows = json.loads(out)["filings"]
    checked = [row["imported"] for row in rows if row["imported"]["cycles"] and row["imported"]["score"]]
    base = {"qkv": 250_514, "attn_out": 404_633, "ffn": 3_703_473}
    assert len(rows) == 181 and len(checked) == 110
    for one in checked:
        mean = math.prod(base[k] / one["cycles"][k] for k in base) ** (1 / 3)
        assert math.isclose(one["recomputed"], mean, rel_tol=1e-9)
        assert abs(one["score"] - one["recomputed"]) <= 0.006
