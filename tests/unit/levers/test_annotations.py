"""Tunables are read, set and carried over by their lines alone."""

import pytest

from kernels.design.annotations import Knob, carry_over, knobs, tunable, with_value

SOURCE = """#include "kernelwright.h"
#define KW_TUNE_ROWS 1 /* tune: 1 2 4 */
  #  define KW_TUNE_PREFETCH 0 /* tune: 0 512 */
#define OTHER 3 /* tune: 1 2 */
#define KW_TUNE_BARE 3
int KW_TUNE_ROWS_not_a_define;
"""


def test_knobs_are_found_with_their_lines() -> None:
    assert knobs(SOURCE) == (Knob("ROWS", "1", ("1", "2", "4"), 2), Knob("PREFETCH", "0", ("0", "512"), 3))


def test_setting_a_value_changes_that_line_only() -> None:
    changed = with_value(SOURCE, "ROWS", 4)
    differing = [(a, b) for a, b in zip(SOURCE.splitlines(), changed.splitlines(), strict=True) if a != b]
    assert differing == [("#define KW_TUNE_ROWS 1 /* tune: 1 2 4 */", "#define KW_TUNE_ROWS 4 /* tune: 1 2 4 */")]


@pytest.mark.parametrize(("name", "value"), [("ROWS", 3), ("COLUMNS", 1), ("BARE", 3)])
def test_unknown_names_and_values_are_refused(name: str, value: int) -> None:
    with pytest.raises(ValueError, match=name):
        with_value(SOURCE, name, value)


def test_values_are_carried_over_where_the_new_list_allows_them() -> None:
    old = "\n".join([tunable("A", 2, 1, 2), tunable("B", 9, 9), tunable("C", 1, 1)])
    new = "\n".join([tunable("A", 1, 1, 2, 3), tunable("B", 1, 1, 2), tunable("D", 5, 5)])
    assert [(k.name, k.value) for k in knobs(carry_over(old, new))] == [("A", "2"), ("B", "1"), ("D", "5")]


def test_a_tunable_line_needs_its_value_in_its_list() -> None:
    with pytest.raises(ValueError, match="A=3"):
        tunable("A", 3, 1, 2)
