"""What a request costs: the user's own table first, then the prices that genai-prices ships; else nobody knows.

Prices are never fetched from the network.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from roles.brains.talk import Usage

MILLION = 1e6
SCRIPTED = "scripted"


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars per million tokens. cache_read, cache_write: as input when None."""

    input: float
    output: float
    cache_read: float | None = None
    cache_write: float | None = None

    def of(self, usage: Usage) -> float:
        read = self.input if self.cache_read is None else self.cache_read
        write = self.input if self.cache_write is None else self.cache_write
        dollars = usage.input * self.input + usage.output * self.output
        return (dollars + usage.cache_read * read + usage.cache_write * write) / MILLION


@dataclass(frozen=True, slots=True)
class Cost:
    """usd: None when nobody knows. source: `listed`, `own`, `free` or `unknown`."""

    usd: float | None
    source: str


@dataclass(frozen=True, slots=True)
class Prices:
    """own: by model."""

    own: Mapping[str, Price]

    def cost(self, provider: str, model: str, usage: Usage) -> Cost:
        if provider == SCRIPTED:
            return Cost(0.0, "free")
        if model in self.own:
            price = self.own[model]
            return Cost(price.of(usage), "free" if price.input == price.output == 0 else "own")
        listed = _listed(provider, model, usage)
        return Cost(listed, "unknown" if listed is None else "listed")

    def dearest(self, provider: str, model: str, prompt: int, answer: int) -> Cost:
        """An upper limit for a prompt and an answer of so many tokens: written to the cache or not, whatever costs
        more."""
        plain = self.cost(provider, model, Usage(input=prompt, output=answer))
        written = self.cost(provider, model, Usage(cache_write=prompt, output=answer))
        known = [cost.usd for cost in (plain, written) if cost.usd is not None]
        return Cost(max(known) if known else None, plain.source)


def _listed(provider: str, model: str, usage: Usage) -> float | None:
    """A server of one's own has no listed price, whatever its models are called."""
    if provider not in ("anthropic", "openai"):
        return None
    from genai_prices import Usage as Counted
    from genai_prices import calc_price

    counted = Counted(
        input_tokens=usage.input + usage.cache_read + usage.cache_write, cache_read_tokens=usage.cache_read,
        cache_write_tokens=usage.cache_write, output_tokens=usage.output,
    )  # fmt: skip
    try:
        return float(calc_price(counted, model_ref=model, provider_id=provider).total_price)
    except LookupError:
        return None
