"""How big a made-up home is, and the words that its parts share."""

from dataclasses import dataclass
from typing import Final

KERNELS: Final = ("qkv", "attn_out", "ffn")
LEVERS: Final = (
    "'decode by table', 'prefetch 4096', 'unroll 4', 'two accumulators', 'rows 4 -> 1', 'tile 64', 'streaming'"
)
PAIRS_A_TEST: Final = 12


@dataclass(frozen=True, slots=True)
class Size:
    """trees: of each of the three kernels; nodes, filings, readings: in all."""

    agents: int = 36
    trees: int = 34
    nodes: int = 50_000
    filings: int = 100_000
    readings: int = 5_000_000

    @property
    def tests(self) -> int:
        return max(self.readings // (2 * PAIRS_A_TEST), 1)

    @property
    def ideas(self) -> int:
        """Idea cards, which are the first nodes."""
        return len(KERNELS) * self.trees


@dataclass(frozen=True, slots=True)
class Made:
    """The campaign that is being filled, and its beginning in UTC seconds."""

    campaign: int
    at: float


def numbers(n: int) -> str:
    """A table n(i) of 0 .. n - 1, as the beginning of a statement."""
    return f"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {n})"


def lever(index: str) -> str:
    return f"(SELECT value FROM json_each(json_array({LEVERS})) WHERE key = {index} % 7)"


def kernel(index: str) -> str:
    return f"CASE {index} % 3 WHEN 0 THEN 'qkv' WHEN 1 THEN 'attn_out' ELSE 'ffn' END"


def source(index: str) -> str:
    """Id of the candidate of its own that a node has; all of a kernel share their files."""
    return f"printf('%032x', 1000000 + {index})"
