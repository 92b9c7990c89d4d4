"""What fits a source does not depend on what else was parsed since: caches may hold nodes of a tree that is gone."""

import pytest

from kernels.levers import syntax, unit
from kernels.levers.base import Context
from kernels.levers.nests import localise
from kernels.levers.registry import applications, apply
from kernels.packs.loader import available, baseline, load_pack
from kernels.values.machine import Machine

# What many other sources would push out of their caches, which hold fewer of them than those of accesses and traces.
LET_GO = (syntax.parse, unit.unit_of, unit._statements, localise.localised)


EACH = 5  # of the ways to pull a lever, one is also pulled


@pytest.mark.parametrize("pack", sorted(available()))
def test_a_source_that_is_parsed_again_has_the_same_levers(pack: str, machine: Machine) -> None:
    for spec in load_pack(pack).kernels:
        candidate, context = baseline(spec), Context(spec, machine)
        before = applications(candidate, context)
        made = [apply(candidate, one, context).id for one in before[::EACH]]
        for cached in LET_GO:
            cached.cache_clear()
        assert applications(candidate, context) == before
        for cached in LET_GO:
            cached.cache_clear()
        assert [apply(candidate, one, context).id for one in before[::EACH]] == made
