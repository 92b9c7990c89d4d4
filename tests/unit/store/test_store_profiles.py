"""Profiles: an artefact and an event each; the last one of a head is found by name, on the device it was made on."""

from dataclasses import replace
from pathlib import Path

import pytest

from kernels.profiling.record import Record
from kernels.values.candidate import Candidate
from store import campaigns, designs, kernel_states, profiles, reads
from store.engine import Session, Store
from store.errors import StoreError
from tests.unit.app_tui.fake_profiles import profile

BASE = Candidate("gemv", {"kernel.c": "void f(void) { }\n"})


def campaign(s: Session, fingerprint: str = "f") -> int:
    number = campaigns.create(
        s, pack="gemma_decode", pack_digest="d", target="cpu-c", fingerprint=fingerprint, kernels=["gemv"]
    )  # fmt: skip
    kernel_states.set_baseline(s, number, "gemv", designs.add_candidate(s, BASE), 2e6)
    return number


def record(candidate: str = BASE.id) -> Record:
    return Record(profile("gemv", candidate=candidate))


def test_a_profile_is_kept_with_an_event_and_found_again(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        number = store.write_sync(campaign)
        assert store.read_sync(lambda s: profiles.latest(s, number, "gemv")) is None
        digest = store.write_sync(lambda s: profiles.keep(s, number, record()))
        found = store.read_sync(lambda s: profiles.latest(s, number, "gemv"))
        assert found is not None
        assert (found.record, found.present) == (record(), True)
        (event,) = [e for e in store.read_sync(lambda s: reads.events(s, number, 0, 99)) if e.kind == "profile"]
        assert (event.subject, event.data["artefact"], event.data["head"]) == ("gemv", digest, BASE.id)
        assert event.text == f"{BASE.id[:8]}: 2910.0 us; imbalance 48 %, memory wall 44 %, serial 7 %"


def test_of_an_earlier_head_it_says_so(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        number = store.write_sync(campaign)
        store.write_sync(lambda s: profiles.keep(s, number, record("another")))
        found = store.read_sync(lambda s: profiles.latest(s, number, "gemv"))
        assert found is not None
        assert not found.present


def test_tests_by_hand_have_no_head_that_could_be_another(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        number = store.write_sync(lambda s: campaigns.create(
            s, pack="gemma_decode", pack_digest="d", target="cpu-c", fingerprint="f", kernels=["gemv"]
        ))  # fmt: skip
        store.write_sync(lambda s: profiles.keep(s, number, record("another")))
        found = store.read_sync(lambda s: profiles.latest(s, number, "gemv"))
        assert found is not None
        assert found.present


def test_a_candidates_profile_keeps_the_heads(tmp_path: Path) -> None:
    both = replace(record(), candidate=profile("gemv", candidate="mine"))
    with Store.open(tmp_path) as store:
        number = store.write_sync(campaign)
        store.write_sync(lambda s: profiles.keep(s, number, both))
        found = store.read_sync(lambda s: profiles.latest(s, number, "gemv"))
        assert found is not None
        assert (found.record.shown.candidate, found.present) == ("mine", True)


def test_another_device_has_profiles_of_its_own(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        here, elsewhere = store.write_sync(campaign), store.write_sync(lambda s: campaign(s, "g"))
        store.write_sync(lambda s: profiles.keep(s, here, record()))
        assert store.read_sync(lambda s: profiles.latest(s, elsewhere, "gemv")) is None
        again = store.write_sync(campaign)
        assert store.read_sync(lambda s: profiles.latest(s, again, "gemv")) is not None


def test_a_lost_artefact_is_no_profile(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        number = store.write_sync(campaign)
        digest = store.write_sync(lambda s: profiles.keep(s, number, record()))
        store.artefacts.path(digest).unlink()
        assert store.read_sync(lambda s: profiles.latest(s, number, "gemv")) is None
        with pytest.raises(StoreError):
            store.read_sync(lambda s: profiles.read(s, digest))
        other = store.artefacts.put_text("{}").hash
        with pytest.raises(StoreError, match="not a profile"):
            store.read_sync(lambda s: profiles.read(s, other))
