"""Tunables are read, set and carried over by their lines alone."""

import pytest

from kernels.design.annotations import Annotation, annotations, carry_over, render

SOURCE = """#include "kernelwright.h"
#define KW_TUNE_ROWS 1 /* tune: 1 2 4 */
  #  define KW_TUNE_PREFETCH_2 0 /* tune: 0 512 */
#define OTHER 3 /* tune: 1 2 */
#define KW_TUNE_BARE 3
int KW_TUNE_ROWS_not_a_define;
"""


def test_annotations_are_found_in_order() -> None:
    rows, prefetch = annotations(SOURCE)
    assert rows == Annotation("KW_TUNE_ROWS", "1", ("1", "2", "4"))
    assert (prefetch.choices, rows.knob, prefetch.knob) == (("0", "512"), "rows", "prefetch")


def test_setting_a_value_changes_that_line_only() -> None:
    changed = render(SOURCE, {"KW_TUNE_ROWS": "4"})
    differing = [(a, b) for a, b in zip(SOURCE.splitlines(), changed.splitlines(), strict=True) if a != b]
    assert differing == [("#define KW_TUNE_ROWS 1 /* tune: 1 2 4 */", "#define KW_TUNE_ROWS 4 /* tune: 1 2 4 */")]


@pytest.mark.parametrize(("name", "value"), [("KW_TUNE_ROWS", "3"), ("KW_TUNE_COLUMNS", "1"), ("KW_TUNE_BARE", "3")])
def test_unknown_names_and_values_are_refused(name: str, value: str) -> None:
    with pytest.raises(ValueError, match=name):
        render(SOURCE, {name: value})


def test_values_are_carried_over_where_the_new_list_allows_them() -> None:
    def lines(*parts: str) -> str:
        return "".join(f"#define KW_TUNE_{p.split(':')[0]} /* tune: {p.split(':')[1]} */\n" for p in parts)

    old, new = lines("A 2:1 2", "B 9:9", "C 1:1"), lines("A 1:1 2 3", "B 1:1 2", "D 5:5")
    assert [(k.name[-1], k.value) for k in annotations(carry_over(old, new))] == [("A", "2"), ("B", "1"), ("D", "5")]
