"""A start that was told which campaign to go on with, and one that says which campaign it made."""

from dataclasses import replace

import pytest

from app.begin import Begun, begin
from app.settings import Settings
from store import campaigns, experiments
from store.clock import now
from store.engine import Session, Store
from store.errors import StoreError
from store.experiments import Wanted
from tests.unit.app.starting import Place


def go_on(place: Place, number: int) -> Begun:
    """As an experiment does: no flag, and nothing of environment or file."""
    with Store.open(place.home) as store:
        return begin(replace(place.job(), settings=Settings(), campaign=number), store, now())


def test_the_named_campaign_goes_on_and_no_later_one(place: Place) -> None:
    first = place.begin(pack="axpy_gemv", seed=5, workers=1, candidates=8)
    place.begin(pack="axpy_gemv", seed=6, new=True)
    again = go_on(place, first.id)
    assert (again.id, again.settings.workers, again.settings.candidates, again.settings.seed) == (first.id, 1, 8, 5)
    with pytest.raises(StoreError, match="campaign 99"):
        go_on(place, 99)


def test_its_settings_are_those_it_began_with(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    first = place.begin(pack="axpy_gemv", races=False, plateau_draft=0, trace_gate=False)
    monkeypatch.setenv("KERNELWRIGHT_RACES", "true")
    kept = go_on(place, first.id).settings
    assert (kept.races, kept.plateau_draft, kept.trace_gate) == (False, 0, False)


def test_a_trajectory_is_bound_where_its_campaign_is_made_and_left_alone_by_others(place: Place) -> None:
    def rows(s: Session) -> int:
        return experiments.create(
            s, name="e", digest="d", plan={}, pack="axpy_gemv", pack_digest="", target="cpu-c", fingerprint="f",
            device="", toolchain="", trajectories=[Wanted("one", 0, 1)],
        )  # fmt: skip

    number = place.write(rows)
    (row,) = place.write(lambda s: experiments.trajectories(s, number))
    job = replace(place.job(pack="axpy_gemv", new=True), made=lambda s, made: experiments.bind(s, row.id, made))
    with Store.open(place.home) as store:
        begun = begin(job, store, now())
    (row,) = place.write(lambda s: experiments.trajectories(s, number))
    assert row.campaign_id == begun.id
    assert place.begin(pack="axpy_gemv").id == begun.id + 1
    assert campaigns.BY_HAND not in (place.row(begun.id).brain, "")


def test_a_kernel_that_is_named_twice_is_there_once(place: Place) -> None:
    begun = place.begin(pack="axpy_gemv", kernels=("gemv", "axpy", "gemv"))
    assert [k.name for k in begun.kernels] == ["gemv", "axpy"]
