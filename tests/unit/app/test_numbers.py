"""Numbers are read without powers of ten, and not changed by it."""

from hypothesis import given
from hypothesis import strategies as st

from kernels.values.numbers import significant


def test_examples() -> None:
    assert [significant(x) for x in (0.0, 2.5, 131072, 1.6e12, 0.000123456, -1234.5, 999.96)] == [
        "0", "2.5", "131,072", "1,600,000,000,000", "0.0001235", "-1,234", "1,000",
    ]  # fmt: skip
    assert [significant(x) for x in (float("inf"), float("nan"))] == ["inf", "nan"]


@given(st.floats(1e-12, 1e15) | st.floats(-1e15, -1e-12))
def test_it_is_the_number_to_four_digits_and_has_no_exponent(value: float) -> None:
    text = significant(value)
    assert "e" not in text and abs(float(text.replace(",", "")) / value - 1) <= 0.0006
