"""One of the sorted Walsh averages (x_i + x_j) / 2, i <= j, of many values, without making them all: their number grows
with the square."""

import math
from collections.abc import Sequence


def kth_average(ordered: Sequence[float], k: int) -> float:
    """The average with k others at or below it, by halving the range; ordered: rising, shape [n], n > 0."""
    low, high = ordered[0], ordered[-1]
    while low < high:
        middle = low + (high - low) / 2
        if middle == high:  # neighbours, rounded up
            middle = low
        if averages_up_to(ordered, middle) > k:
            high = middle
        else:
            low = math.nextafter(middle, math.inf)
    return low


def averages_up_to(ordered: Sequence[float], bound: float) -> int:
    """How many averages are at most `bound`: one walk from both ends."""
    found, above = 0, len(ordered) - 1
    for index, value in enumerate(ordered):
        while above >= index and (value + ordered[above]) / 2 > bound:
            above -= 1
        if above < index:
            break
        found += above - index + 1
    return found
