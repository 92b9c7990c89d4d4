"""Tunables and flags: what is offered, what it changes, what is refused."""

import pytest

from kernels.levers import registry
from kernels.levers.base import Application, Context, LeverDoesNotApply
from kernels.packs.loader import baseline, load_pack
from kernels.values.candidate import Candidate
from kernels.values.machine import Machine

SOURCE = """#include "kernelwright.h"
#define KW_TUNE_PREFETCH 0 /* tune: 0 512 */
#define KW_TUNE_HINT 3 /* tune: 0 3 */
#define KW_TUNE_PREFETCH_2 512 /* tune: 0 512 */
#define KW_TUNE_HINT_2 3 /* tune: 0 3 */
#define KW_TUNE_AHEAD_3 0 /* tune: 0 8 */
#define KW_TUNE_HINT_3 3 /* tune: 0 3 */
"""


@pytest.fixture
def context(machine: Machine) -> Context:
    return Context(load_pack("axpy_gemv").kernel("axpy"), machine)


def _of(family: str, candidate: Candidate, context: Context) -> list[Application]:
    return [a for a in registry.applications(candidate, context) if a.family == family]


def test_a_hint_is_varied_only_while_its_knob_does_something(context: Context) -> None:
    moves = [
        (a.params["knob"], a.params["value"]) for a in _of("tunable", Candidate("k", {"kernel.c": SOURCE}), context)
    ]
    assert moves == [
        ("KW_TUNE_PREFETCH", "512"),
        ("KW_TUNE_PREFETCH_2", "0"),
        ("KW_TUNE_HINT_2", "0"),
        ("KW_TUNE_AHEAD_3", "8"),
    ]


def test_single_rows_have_no_distance(context: Context) -> None:
    source = "#define KW_TUNE_ROWS_1 {} /* tune: 1 2 */\n#define KW_TUNE_SPREAD_1 1 /* tune: 0 1 */\n"
    moved = [
        [a.params["knob"] for a in _of("tunable", Candidate("k", {"kernel.c": source.format(rows)}), context)]
        for rows in (1, 2)
    ]
    assert moved == [["KW_TUNE_ROWS_1"], ["KW_TUNE_ROWS_1", "KW_TUNE_SPREAD_1"]]


def test_every_flag_is_a_lever_of_its_own(context: Context) -> None:
    candidate = baseline(context.spec)
    offered = _of("flags", candidate, context)
    assert len({a.lever for a in offered}) == len(offered) >= 6
    for application in offered:
        made = registry.apply(candidate, application, context)
        assert made.flags == (application.params["flag"],)
        assert application.params["flag"] not in [a.params["flag"] for a in _of("flags", made, context)]


def test_wide_vectors_are_not_offered_without_the_feature(context: Context) -> None:
    small = Context(context.spec, Machine("arm", "aarch64", frozenset({"asimd"}), threads=4))
    assert not [a for a in _of("flags", baseline(small.spec), small) if "width" in a.lever]


def test_a_width_replaces_the_other_width(context: Context) -> None:
    candidate = Candidate("k", {"kernel.c": "int x;"}, flags=("-O2", "-mprefer-vector-width=256"))
    wide = next(a for a in _of("flags", candidate, context) if "512" in a.lever)
    assert registry.apply(candidate, wide, context).flags == ("-O2", "-mprefer-vector-width=512")


def test_unknown_levers_and_values_do_not_apply(context: Context) -> None:
    candidate = Candidate("k", {"kernel.c": SOURCE})
    for lever, params in (
        ("none", {}),
        ("tune_prefetch", {"knob": "KW_TUNE_PREFETCH", "value": "7"}),
        ("tune_hint", {}),
    ):
        with pytest.raises(LeverDoesNotApply):
            registry.apply(candidate, Application(lever, "tunable", params, "", "", ""), context)


def test_families_by_name() -> None:
    assert registry.family_of("tune_rows") == "tunable"
    assert {registry.family_of(x.name) for x in registry.all_levers()} >= {"tunable", "flags"}
    with pytest.raises(ValueError, match="nothing"):
        registry.family_of("nothing")
