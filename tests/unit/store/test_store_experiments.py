"""Experiments: found by their plan, trajectories bound to campaigns that no bare start resumes, finals kept whole."""

import pytest

from store import campaigns, experiments
from store.engine import Session
from store.errors import StoreError
from store.experiments import Final, Wanted
from tests.unit.store.conftest import World


def made(s: Session, digest: str = "d") -> int:
    return experiments.create(
        s, name="ablation", digest=digest, plan={"arms": []}, pack="demo", pack_digest="digest", target="cpu-c",
        fingerprint="print", device="cpu", toolchain="cc 1",
        trajectories=[Wanted("one", 0, 7), Wanted("one", 1, 8), Wanted("other", 0, 7)],
    )  # fmt: skip


def test_a_plan_finds_its_newest_experiment(world: World) -> None:
    first = world.write(made)
    assert world.read(lambda s: experiments.find(s, "other")) is None
    again = world.write(made)
    found = world.read(lambda s: experiments.find(s, "d"))
    assert found is not None
    assert (found.id, again) == (again, first + 1)
    assert [row.id for row in world.read(experiments.listing)] == [again, first]


def test_trajectories_come_arm_by_arm(world: World) -> None:
    number = world.write(made)
    rows = world.read(lambda s: experiments.trajectories(s, number))
    assert [(row.arm, row.number, row.seed, row.campaign_id) for row in rows] == [
        ("one", 0, 7, None), ("one", 1, 8, None), ("other", 0, 7, None)
    ]  # fmt: skip


def test_a_trajectory_s_campaign_is_not_resumed_by_a_bare_start(world: World) -> None:
    number = world.write(made)
    (first, *_) = world.read(lambda s: experiments.trajectories(s, number))
    free = world.read(campaigns.latest_unfinished)
    assert free is not None
    assert free.id == world.campaign
    world.write(lambda s: experiments.bind(s, first.id, world.campaign))
    assert world.read(campaigns.latest_unfinished) is None
    assert [row.id for row in world.read(campaigns.unfinished)] == [world.campaign]


def test_a_trajectory_has_ended_with_its_campaign(world: World) -> None:
    number = world.write(made)
    (first, *_) = world.read(lambda s: experiments.trajectories(s, number))
    assert not world.read(lambda s: experiments.ended(s, first))
    world.write(lambda s: experiments.bind(s, first.id, world.campaign))
    (first, *_) = world.read(lambda s: experiments.trajectories(s, number))
    assert not world.read(lambda s: experiments.ended(s, first))
    world.write(lambda s: campaigns.finish(s, world.campaign, "candidates: 8 judged"))
    assert world.read(lambda s: experiments.ended(s, first))


def test_the_final_block_is_kept_and_ends_it(world: World) -> None:
    number = world.write(made)
    first, second, _ = world.read(lambda s: experiments.trajectories(s, number))
    block = {
        first.id: {"ffn": Final("head", (0.5, 0.6))},
        second.id: {"ffn": Final("head", problem="crash: signal 11")},
    }
    world.write(lambda s: experiments.finish(s, number, block))
    rows = world.read(lambda s: experiments.trajectories(s, number))
    assert [experiments.finals_of(row) for row in rows] == [block[first.id], block[second.id], {}]
    row = world.read(lambda s: experiments.get(s, number))
    assert (row.state, row.ended_at is not None) == ("done", True)


def test_what_is_not_there_is_said(world: World) -> None:
    with pytest.raises(StoreError, match="experiment 9"):
        world.read(lambda s: experiments.get(s, 9))
    with pytest.raises(StoreError, match="trajectory 9"):
        world.write(lambda s: experiments.bind(s, 9, world.campaign))
