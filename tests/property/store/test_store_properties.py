"""Retention, text at the border, scores: what holds for all inputs."""

import math
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import Session

from kernels.judge import ledger as judge_ledger
from kernels.judge.placebo import Placebos
from knowledge.memory import Conclusion, Kind, Retention
from store import agents, campaigns, events, memory, reads, scores, setting
from store.artefacts import Artefacts
from store.engine import Store
from store.text import clean, clean_deep, clip

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=60)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=8,
)
PURE = settings(deadline=None)
IN_STORE = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    with tempfile.TemporaryDirectory() as home, Store.open(Path(home)) as opened:
        yield opened


@PURE
@given(ANY_TEXT)
def test_clean_text_is_storable_and_stays(text: str) -> None:
    once = clean(text)
    once.encode()
    assert "\0" not in once
    assert clean(once) == once
    if text.isprintable():
        assert once == text


@PURE
@given(ANY_TEXT, st.integers(60, 100))
def test_clip_keeps_both_ends(text: str, limit: int) -> None:
    long = text * 5
    short = clip(long, limit)
    assert len(short) <= max(limit, len(long) if len(long) <= limit else limit + 40)
    assert short == long if len(long) <= limit else short.startswith(long[:10])


@IN_STORE
@given(ANY_TEXT, JSON)
def test_hostile_text_never_costs_other_data(store: Store, text: str, value: object) -> None:
    number = store.write_sync(lambda s: events.append(s, None, "said", "before"))
    hostile = store.write_sync(lambda s: events.append(s, None, "said", text, text, payload=value))
    store.write_sync(lambda s: setting.put(s, "value", value))
    (first, second) = store.read_sync(lambda s: reads.events(s, None, after=number - 1))
    assert (first.subject, second.id) == ("before", hostile)
    assert (second.subject, second.text) == (clean(text), clean(text))
    assert second.data == {"payload": clean_deep(value)}
    assert store.read_sync(lambda s: setting.get(s, "value")) == clean_deep(value)


@IN_STORE
@given(
    st.lists(st.tuples(st.sampled_from(["win", "trap"]), st.sampled_from("ab"), st.integers(0, 6)), max_size=25),
    st.integers(1, 4),
)
def test_memory_keeps_the_best_wins_and_the_newest_traps(
    store: Store, said: list[tuple[Kind, str, int]], kept: int
) -> None:
    def rows(s: Session) -> dict[tuple[str, str], list[int]]:
        s.connection().exec_driver_sql("DELETE FROM memory")
        for kind, kernel_type, number in said:
            said_now = Conclusion(kind, kernel_type, "tile", f"strategy {number}", "", number / 10)
            memory.remember(s, said_now, Retention(wins=kept, traps=kept))
        return {
            (kind, kernel_type): [int(row.strategy[-1]) for row in memory.recall(s, kernel_type, kind)]
            for kind in ("win", "trap")
            for kernel_type in "ab"
        }

    wanted: dict[tuple[str, str], list[int]] = {(k, t): [] for k in ("win", "trap") for t in "ab"}
    for kind, kernel_type, number in said:
        known = [number, *(x for x in wanted[kind, kernel_type] if x != number)]
        best = sorted(known, reverse=True)[:kept] if kind == "win" else known[:kept]
        wanted[kind, kernel_type] = best if kind == "win" else [x for x in known if x in best]
    assert store.write_sync(rows) == wanted


@IN_STORE
@given(st.lists(ANY_TEXT, max_size=12), st.integers(1, 5))
def test_agent_lines_are_the_last_ones(store: Store, said: list[str], kept: int) -> None:
    def rows(s: Session) -> tuple[str, ...]:
        campaign = campaigns.create(s, pack="p", pack_digest="", target="t", fingerprint="f", kernels=[])
        agents.upsert_agent(s, campaign, "w", "worker")
        for text in said:
            agents.add_line(s, campaign, "w", text)
        view = reads.agent(s, campaign, "w")
        assert view is not None
        return view.lines

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(agents, "LINES_KEPT", kept)
        assert store.write_sync(rows) == tuple(clean(text) for text in said[-kept:])


@PURE
@given(st.binary(max_size=400), st.integers(100, 300))
def test_artefacts_round_trip_or_keep_both_ends(data: bytes, cap: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        artefacts = Artefacts(Path(folder))
        ref = artefacts.put(data, cap=cap)
        kept = artefacts.read(ref.hash)
    assert (ref.size, ref.truncated, len(kept) <= cap) == (len(data), len(data) > cap, True)
    assert kept == data if not ref.truncated else (kept[:10], kept[-5:]) == (data[:10], data[-5:])


@PURE
@given(st.integers(0, 60), st.integers(0, 60))
def test_placebo_bound_is_the_judges(k: int, more: int) -> None:
    n = k + more
    judged = Placebos(k, n).upper
    own = scores.binomial_upper(k, n)
    assert own == judged if judged is None else own == pytest.approx(judged, abs=1e-6)


@PURE
@given(st.dictionaries(st.sampled_from("abcd"), st.floats(0.5, 40.0), max_size=4))
def test_pack_speedup_is_the_judges(measured: dict[str, float]) -> None:
    own = scores.pack_speedup({k: scores.Speedup(v, v * 0.9, v * 1.2) for k, v in measured.items()}, "abcd")
    judged = judge_ledger.pack_speedup(
        {k: judge_ledger.Speedup(v, v * 0.9, v * 1.2) for k, v in measured.items()}, list("abcd")
    )
    if own is None or judged is None:
        assert own is judged is None
    else:
        assert (own.speedup, own.low, own.high) == pytest.approx((judged.speedup, judged.low, judged.high))


@PURE
@given(st.lists(st.floats(-0.9, 0.9), min_size=1, max_size=6))
def test_claimed_gains_multiply(gains: list[float]) -> None:
    one_kernel = scores.geometric_mean((scores.factor_of(gain) for gain in gains), 1)
    assert one_kernel == pytest.approx(math.exp(sum(-math.log1p(-gain) for gain in gains)))
    assert scores.geometric_mean([]) == 1.0


def test_sqlite_takes_what_the_border_lets_through() -> None:
    connection = sqlite3.connect(":memory:")
    hostile = "a\0\x1b[31m\ud800\udfff\U0010ffff\r\n\x85"
    assert connection.execute("SELECT ?", (clean(hostile),)).fetchone() == (clean(hostile),)
    connection.close()
