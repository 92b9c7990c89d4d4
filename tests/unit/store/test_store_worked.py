"""Seconds of work on a campaign that was cut off and taken up again the next day."""

from collections.abc import Callable
from pathlib import Path

import pytest

from store import campaigns, events
from store.engine import Session, Store
from store.reads.worked import Clock, clock_of

NIGHT = 30_000.0


def cut_off(s: Session, say: Callable[..., None], *, kind: str, text: str) -> int:
    """100 s of work, a night, 60 s of work; an engine that died was last heard of 10 s before its end."""
    number = campaigns.create(s, pack="p", pack_digest="d", target="t", fingerprint="f", kernels=["k"])
    row = campaigns.get(s, number)
    row.started_at, row.elapsed_s, row.ended_at = 1000.0, 160.0, 1160.0 + NIGHT
    s.add(row)
    for what, told, at in (("test", "", 1090.0), (kind, text, 1100.0 + NIGHT), ("test", "", 1130.0 + NIGHT)):
        say(s, number, what, told, at)
    return number


@pytest.fixture
def say(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """An event at a time of ours: events never change afterwards."""

    def said(s: Session, number: int, kind: str, text: str, at: float) -> None:
        monkeypatch.setattr(events, "now", lambda: at)
        events.append(s, number, kind, "k", text)

    return said


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("reconciled", "interrupted: 1 agents"), ("campaign", "running: resumed"),
        ("campaign", "taken up again, still paused"),
    ],
)  # fmt: skip
def test_a_night_without_an_engine_is_no_work(tmp_path: Path, say: Callable[..., None], kind: str, text: str) -> None:
    with Store.open(tmp_path) as store:
        number = store.write_sync(lambda s: cut_off(s, say, kind=kind, text=text))
        clock = store.read_sync(lambda s: clock_of(s, number))
    assert [clock.worked_s(at) for at in (1000.0, 1050.0)] == [0.0, 50.0]
    assert clock.worked_s(1130.0 + NIGHT) == pytest.approx(130.0)
    assert clock.worked_s(1160.0 + NIGHT) == pytest.approx(160.0)


def test_a_campaign_that_was_never_cut_off_works_all_the_time() -> None:
    clock = Clock(1000.0, 160.0, ())
    assert [clock.worked_s(at) for at in (990.0, 1050.0, 1900.0)] == [0.0, 50.0, 160.0]
