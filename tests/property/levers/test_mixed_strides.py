"""Where accesses to one array move in several ways, every lever that still applies keeps every value."""

from pathlib import Path

import pytest

from kernels.levers import registry
from kernels.levers.base import Application, Context
from kernels.targets.cpu_c.machine import this_machine
from tests.unit.levers.mixed import mixed
from tests.unit.levers.sanitized import changed

SEEDS = (1, 4, 13, 16, 21, 90)
"""Of nests that meet between sampled turns."""
MORE = (5, 47, 63, 65, 70, 91, *range(100, 200))


def wrong(seed: int, folder: Path) -> list[Application]:
    """What changes a value; a nest whose own sums outgrow their type says nothing."""
    nest = mixed(seed)
    context = Context(nest.spec, this_machine())
    offered = [a for a in registry.applications(nest.candidate, context) if a.family in ("structure", "sketch")]
    made = [registry.apply(nest.candidate, a, context).source for a in offered]
    found = changed(nest, [nest.candidate.source, *made], folder)
    return [] if 0 in found else [offered[n - 1] for n in sorted(found)]


@pytest.mark.parametrize("seed", SEEDS)
def test_mixed_strides_keep_the_values(seed: int, tmp_path: Path) -> None:
    assert not wrong(seed, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("seed", MORE)
def test_more_mixed_strides_keep_the_values(seed: int, tmp_path: Path) -> None:
    assert not wrong(seed, tmp_path)
