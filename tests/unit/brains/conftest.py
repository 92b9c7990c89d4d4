"""A campaign with agents, and a meter over a scripted model."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store import agents, campaigns
from store.engine import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "home") as opened:
        yield opened


@pytest.fixture
def campaign(store: Store) -> int:
    number = store.write_sync(
        lambda s: campaigns.create(
            s, pack="p", pack_digest="d", target="t", fingerprint="f", kernels=["gemv", "axpy"], seed=1
        )
    )
    for name in ("worker-01", "worker-02", "strategist"):
        store.write_sync(lambda s, n=name: agents.upsert_agent(s, number, n, n.partition("-")[0]))
    return number
