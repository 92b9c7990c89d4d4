"""Children as columns are the children as they are listed."""

from hypothesis import given
from hypothesis import strategies as st

from app.screens.offspring import Kids


@given(st.lists(st.tuples(st.integers(1, 40), st.integers(0, 45)), unique_by=lambda link: link[0]))
def test_children_stand_below_their_parent_in_order_of_birth(links: list[tuple[int, int]]) -> None:
    numbers = sorted(number for number, _ in links)
    parents = [dict(links)[number] for number in numbers]
    listed: dict[int, list[int]] = {}
    for number, above in zip(numbers, parents, strict=True):
        listed.setdefault(above if above in numbers and above != number else 0, []).append(number)
    kids = Kids.of(numbers, parents)
    assert {above: kids.below(above) for above in {0, *parents}} == {
        above: listed.get(above, []) for above in {0, *parents}
    }
