"""A history is read whole, or every bad row of it is named; times and scores come out right."""

import calendar
from pathlib import Path

import pytest

from app.history import cells
from app.history.reading import read
from app.settings import UsageError

HEADER = "order,timestamp_utc,team,kind,variant,submission_or_job,a_cycles,b_cycles,geomean_speedup,source\n"
BASE = "1,2026-09-08T10:52,baseline,official,baseline,j1,1000,4000,1.0,somewhere\n"


def file(folder: Path, *rows: str, header: str = HEADER) -> Path:
    path = folder / "h.csv"
    path.write_text(header + "".join(rows), encoding="utf-8")
    return path


def test_a_good_file_gives_every_row_with_its_line(tmp_path: Path) -> None:
    found = read(file(tmp_path, BASE, '2,,team,official,"two\nlines",j2,500,1000,2.8284,s\n', "3,,t,o,v,,,,3,\n"))
    assert found.kernels == ("a", "b")
    assert [(row.line, row.place, dict(row.cycles), row.score) for row in found.rows] == [
        (2, 1, {"a": 1000.0, "b": 4000.0}, 1.0), (4, 2, {"a": 500.0, "b": 1000.0}, 2.8284), (5, 3, {}, 3.0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "day", "seconds", "known"),
    [
        ("2026-09-08T10:52", (2026, 9, 8), 10 * 3600 + 52 * 60, "time"),
        ("before 2026-09-09T15:01", (2026, 9, 9), 15 * 3600 + 60, "time"),
        ("2026-09-10 (after 11:13)", (2026, 9, 10), 11 * 3600 + 13 * 60, "time"),
        ("2026-09-10T23:52..09-11T00:01", (2026, 9, 10), 23 * 3600 + 52 * 60, "time"),
        ("2026-09-11/12", (2026, 9, 11), 0, "date"),
        ("2026-09-23 (job order)", (2026, 9, 23), 0, "date"),
    ],
)
def test_times_as_people_write_them(text: str, day: tuple[int, int, int], seconds: int, known: str) -> None:
    found = cells.moment(text)
    assert (found.at, found.known) == (calendar.timegm((*day, 0, 0, 0)) + seconds, known)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("2,2026-09-09,t,o,v,j,12x,4000,2,s\n", "line 3: a_cycles: '12x' is no number"),
        ("2,2026-09-09,t,o,v,j,-5,4000,2,s\n", "'-5' is not above 0"),
        ("2,2026-09-09,t,o,v,j,nan,4000,2,s\n", "not above 0 and finite"),
        ("2,2026-09-09,t,o,v,j,500,,2,s\n", "b_cycles is empty beside others"),
        ("2,2026-09-09,t,o,v,j,,,,s\n", "neither cycles nor a score"),
        ("2,2026-13-09,t,o,v,j,1,1,2,s\n", "no day of the calendar"),
        ("2,soon,t,o,v,j,1,1,2,s\n", "has no date"),
        ("2,2026-09-09,t,o,v,j,1,1,0,s\n", "geomean_speedup: '0' is not above 0"),
        ("1,2026-09-09,t,o,v,j,1,1,2,s\n", "order 1 stands on line 2 too"),
        ("x,2026-09-09,t,o,v,j,1,1,2,s\n", "order: 'x' is no place"),
        ("2,2026-09-09,t,o,v,j,1,1,2\n", "9 cells under 10 columns"),
        ('2,2026-09-09,"t\n', "no CSV"),
    ],
)
def test_a_bad_row_is_named_with_its_line(tmp_path: Path, row: str, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        read(file(tmp_path, BASE, row))
    assert said in str(refused.value) and "line" in str(refused.value)


def test_many_bad_rows_are_counted(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"(?s)14 bad rows.*and 4 more"):
        read(file(tmp_path, *(f"{n},soon,t,o,v,j,1,1,2,s\n" for n in range(14))))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "found the columns none"), (b"a,b\n1,2\n", "found the columns a, b"), (b"\xff\xfe\n", "not UTF-8"),
        (b"timestamp_utc,timestamp_utc,a_cycles\n", "more than once"),
        (b"timestamp_utc,a_cycles\n", "a header and no row"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_history_says_what_it_has(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "h.csv"
    path.write_bytes(data)
    with pytest.raises(UsageError, match=said):
        read(path)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot read"):
        read(tmp_path / "none.csv")
