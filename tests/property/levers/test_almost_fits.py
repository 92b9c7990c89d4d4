"""Of loops that almost fit, every lever that still applies keeps every value, at -O0 and under the sanitizers."""

from pathlib import Path

import pytest

from kernels.levers import registry
from kernels.levers.base import Context
from kernels.targets.cpu_c.machine import this_machine
from tests.unit.levers.almost import ALMOST
from tests.unit.levers.loop_nests import LoopNest
from tests.unit.levers.sanitized import changed


@pytest.mark.parametrize("nest", ALMOST, ids=lambda n: n.name)
def test_what_still_applies_keeps_the_values(nest: LoopNest, tmp_path: Path) -> None:
    context = Context(nest.spec, this_machine())
    offered = [a for a in registry.applications(nest.candidate, context) if a.family in ("structure", "sketch")]
    made = [registry.apply(nest.candidate, a, context).source for a in offered]
    wrong = changed(nest, [nest.candidate.source, *made], tmp_path)
    assert not wrong, [f"{offered[n - 1].lever} at {offered[n - 1].site}" if n else "itself" for n in sorted(wrong)]
