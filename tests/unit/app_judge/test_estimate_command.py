"""`judge estimate`: planned against real from a file."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

FILE = Path(__file__).parents[3] / "../shared/data/rngd_contest/static_vs_device.csv"
needs_data = pytest.mark.skipif(not FILE.exists(), reason="the contest's data is not here")
Command = Callable[..., Any]

TABLE = [  # kernel, team, n, median, least, most, rank correlation, error in per cent: median, 90 %
    ("qkv", "knowin", 58, 2.40, 1.86, 2.73, 0.93, 3.3, 11.7),
    ("qkv", "hoanganh", 13, 2.19, 1.86, 2.24, -0.06, 1.2, 16.3),
    ("attn_out", "knowin", 67, 1.96, 1.55, 2.43, 0.45, 4.4, 19.1),
    ("attn_out", "scale-snu", 18, 2.09, 1.94, 2.38, 0.67, 2.8, 11.0),
    ("attn_out", "hoanganh", 8, 1.80, 1.60, 1.91, 0.96, 1.7, 12.1),
    ("ffn", "knowin", 49, 2.22, 1.99, 2.61, 0.90, 1.5, 6.2),
    ("ffn", "hoanganh", 6, 2.00, 1.99, 2.16, None, 0.2, 7.1),
]


@needs_data
def test_the_table_of_the_contest(command: Command) -> None:
    found = command("judge", "estimate", FILE, "--json").json["groups"]
    assert len(found) == len(TABLE)
    for kernel, team, n, median, least, most, rank, error, p90 in TABLE:
        (one,) = (g for g in found if g["kernel"] == kernel and g["source_repo"].startswith(team))
        assert one["n"] == n
        assert [round(one[name], 2) for name in ("ratio", "ratio_low", "ratio_high")] == [median, least, most]
        assert rank is None or round(one["rank"], 2) == rank
        assert [round(100 * one[name], 1) for name in ("error", "error_p90")] == [error, p90]


@needs_data
@pytest.mark.parametrize(
    ("kernel", "below", "n", "rank"),
    [("qkv", 50_000, 40, 0.82), ("attn_out", 29_000, 52, 0.11), ("ffn", 160_000, 38, 0.86)],
)
def test_the_late_range_of_the_contest(command: Command, kernel: str, below: int, n: int, rank: float) -> None:
    words = ("--where", "source_repo=knowin*", "--where", f"kernel={kernel}", "--below", str(below))
    (one,) = command("judge", "estimate", FILE, *words, "--json").json["groups"]
    assert (one["n"], round(one["rank"], 2)) == (n, rank)


@needs_data
def test_signs_of_the_contests_differences(command: Command) -> None:
    assert command("judge", "estimate", FILE, "--json").json["signs"] == {"agreeing": 50, "of": 64}
    said = command("judge", "estimate", FILE)
    assert said.code == 0
    assert "signs of differences agree in 50 of 64" in said.out
    assert "trust it for order, not for time" in said.out


def test_columns_of_any_name(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    rows = [f"k{i % 2},{i},{3 * i},x" for i in range(1, 21)]
    file.write_text("\n".join(["which,guess,took,kernel", *rows, "k0,,5,x", "k0,5,nan,x", "k1,-1,5,x"]))
    found = command("judge", "estimate", file, "--planned", "guess", "--real", "took", "--by", "which", "--json").json
    assert [(g["which"], g["n"], g["ratio"], g["rank"]) for g in found["groups"]] == [
        ("k1", 10, 3.0, pytest.approx(1.0)), ("k0", 10, 3.0, pytest.approx(1.0)),
    ]  # fmt: skip
    assert found["signs"] is None


@pytest.mark.parametrize(
    ("text", "words", "says"),
    [
        ("kernel,cycles\nk,1", (), "none of the columns planned"),
        ("planned,real\n1,2", ("--planned", "guess"), "no column 'guess'; it has planned, real"),
        ("planned,real\n1,2", ("--by", "team"), "no column 'team'"),
        ("planned,real\n1,2", ("--where", "planned"), "give COLUMN=PATTERN"),
        ("planned,real\n0,2", (), "no row has a number above 0"),
        ("planned,real\n1", (), "more or fewer fields"),
        ("planned,real", (), "it has no rows"),
        ("", (), "it has no rows"),
    ],
)
def test_what_is_wrong_is_said(command: Command, tmp_path: Path, text: str, words: tuple[str, ...], says: str) -> None:
    file = tmp_path / "plans.csv"
    file.write_text(text)
    said = command("judge", "estimate", file, *words)
    assert (said.code, said.out) == (2, "")
    assert says in said.err


def test_a_file_that_is_not_there(command: Command, tmp_path: Path) -> None:
    said = command("judge", "estimate", tmp_path / "none.csv")
    assert said.code == 2
    assert "No such file" in said.err
