"""How many promotions of a campaign are expected to be false."""

from dataclasses import dataclass
from typing import Final

FALSE_PROMOTIONS_PER_TEST: Final = 0.0063
"""Upper bound over the noise models of the acceptance table, for candidates without any gain."""


@dataclass(frozen=True, slots=True)
class Meter:
    """tests: acceptance tests run, retests included, placebos not. dropped: FASTER but dropped in confirmation."""

    tests: int
    promotions: int = 0
    dropped: int = 0

    @property
    def expected_false(self) -> float:
        """Expected false promotions, at most."""
        return FALSE_PROMOTIONS_PER_TEST * self.tests

    @property
    def text(self) -> str:
        return (
            f"at most {self.expected_false:.2f} false promotions expected in {self.tests} tests; "
            f"{self.promotions} promoted, {self.dropped} FASTER but dropped"
        )
