"""Imported series decided again; noise figures of the contest's data."""

from pathlib import Path

import pytest

from kernels.judge.registry import get_rule
from kernels.judge.replay import (
    Series,
    by_kernel,
    head_to_head,
    parse_series,
    pooled_cv,
    replay,
    replay_pairs,
    replay_series,
    sign_score,
)
from kernels.judge.rule import State

DATA = Path(__file__).parents[3] / "../shared/data/rngd_contest"
NOT_ONE_VARIANT = ("HA-runs", "HA-K2log", "HA-P005", "HA-qkv69", "contest-baseline")
PAIRED = get_rule("paired")


needs_data = pytest.mark.skipif(not DATA.exists(), reason="the contest's data is not here")


def contest(name: str) -> list[Series]:
    return parse_series((DATA / name).read_text())


def usable(series: list[Series]) -> list[Series]:
    return [s for s in series if not s.variant.startswith(NOT_ONE_VARIANT) and "V324" not in s.variant]


@needs_data
@pytest.mark.parametrize(
    ("kernel", "count", "both", "one"),
    [("qkv", 36, 0.0453, 0.0298), ("attn_out", 40, 0.0463, 0.0388), ("ffn", 24, 0.0116, 0.0073)],
)
def test_pooled_cv_of_the_contests_readings(kernel: str, count: int, both: float, one: float) -> None:
    series = by_kernel(usable(contest("readings.csv")))[kernel]
    assert sum(len(s.values) >= 3 for s in series) == count
    assert pooled_cv(series) == pytest.approx(both, abs=5e-5)
    assert pooled_cv(s for s in series if not s.variant.startswith("HA")) == pytest.approx(one, abs=5e-5)


@needs_data
def test_one_series_of_the_contest() -> None:
    (cold,) = (s for s in contest("readings.csv") if (s.variant, s.kernel) == ("V165-cold12", "qkv"))
    assert (len(cold.values), round(cold.mean), round(cold.cv, 4), round(cold.lag1, 2)) == (12, 108_085, 0.03, -0.14)


@needs_data
def test_pair_differences_of_the_contest() -> None:
    series = contest("paired_diffs.csv")
    (best,) = (s for s in series if s.variant == "V243")
    assert (len(best.values), round(best.mean), round(best.sd)) == (11, -724, 575)
    assert all(v < 0 for v in best.values)
    assert replay_series(best, PAIRED).decision.state is State.FASTER
    assert sum(len(s.values) for s in series) == 115
    verdicts = {s.variant: replay_series(s, PAIRED).decision.state for s in series if len(s.values) >= 6}
    assert verdicts["V277"] is State.SLOWER
    assert verdicts["V291b"] is State.MEASURE_MORE


def test_differences_with_a_base_give_an_estimate() -> None:
    text = "variant,kernel,candidate_minus_base_cycles\n" + "".join(f"v,k,{-d}\n" for d in range(18, 26))
    (series,) = parse_series(text)
    found = replay_series(series, PAIRED, base=2000)
    assert found.decision.state is State.FASTER
    assert found.estimate is not None
    assert found.estimate.gain == pytest.approx(0.01075, abs=5e-4)
    assert replay_series(series, PAIRED).estimate is None
    assert sign_score(series.values) > 2


def test_the_same_series_under_two_rules() -> None:
    x = [0.02, -0.01, 0.015, -0.004, 0.012, 0.003]
    assert replay(x, PAIRED).decision.state is not State.FASTER
    assert replay(x, get_rule("mean", pairs=6)).decision.state is State.FASTER
    assert replay(x[:3], PAIRED).exhausted


def test_series_of_readings_side_by_side() -> None:
    text = "kernel,variant,cycles\n" + "k,old,1000\nk,old,1010\nk,new,900\nk,new,905\nk,new,907\n"
    old, new = parse_series(text)
    assert head_to_head(old, new, PAIRED).pairs == 2
    with pytest.raises(ValueError, match="no pairs"):
        replay_series(old, PAIRED)
    assert replay_pairs([(1000, 900)] * 2, PAIRED).score > 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "variant, kernel is missing"),
        ("variant,kernel,speed\n", "no column of values"),
        ("variant,kernel,cycles\nv,k,fast\n", "line 2: cycles is 'fast'"),
        ("variant,kernel,cycles\nv,k,1\nv,k,inf\n", "line 3: cycles is not finite"),
        ("variant,kernel,cycles\nv,k\n", "line 2: cycles is None"),
    ],
)
def test_a_bad_file_is_named(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_series(text)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="finite and > 0"):
        replay_pairs([(1.0, 0.0)], PAIRED)
    with pytest.raises(ValueError, match="at least 3"):
        pooled_cv([Series("v", "k", "readings", (1.0, 2.0))])
