"""What the settings say of models: one model and how it is asked, limits, prices; the roles that a model may serve."""

from pydantic import BaseModel, ConfigDict, Field, field_validator

from roles.brains.registry import OFFLINE, Spec, UnknownBrain, parse

ROLES = ("worker", "strategist", "architect", "owner", "auditor")


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class BrainTable(_Table):
    """One model and how it is asked. model: words, as `anthropic:MODEL`. max_tokens: of one answer. context: tokens of
    a request at most. turns: of one brief."""

    model: str
    base_url: str = ""
    key_env: str = ""
    wire: str = Field(default="", pattern="^(messages|responses|chat)?$")
    effort: str = ""
    max_tokens: int = Field(default=16_000, ge=256, le=128_000)
    context: int = Field(default=180_000, ge=4_000)
    turns: int = Field(default=40, ge=1, le=500)
    stall_s: float = Field(default=90.0, gt=0)

    @field_validator("model")
    @classmethod
    def _known(cls, words: str) -> str:
        parse(words)
        return words

    def _key(self, named: Spec) -> str:
        """An address of this table's own does not get the key that is meant for another."""
        return self.key_env or ("" if self.base_url else named.key_env)

    def spec(self) -> Spec:
        named = parse(self.model)
        return Spec(
            named.kind, named.model, self.base_url or named.base_url, self._key(named), self.wire, self.effort,
            self.max_tokens, self.context, self.turns, self.stall_s,
        )  # fmt: skip


class LimitTable(_Table):
    """0 = none."""

    usd: float = Field(default=0.0, ge=0)
    tokens: int = Field(default=0, ge=0)


class PriceTable(_Table):
    """Dollars per million tokens; cached tokens cost as others when nothing is said of them."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cache_read: float | None = Field(default=None, ge=0)
    cache_write: float | None = Field(default=None, ge=0)


def known_words(words: str) -> str:
    """The words of one brain as they are. Raises: ValueError that says what there is."""
    if words != OFFLINE and not words.startswith(f"{OFFLINE}:"):
        try:
            parse(words)
        except UnknownBrain as error:
            raise ValueError(str(error)) from error
    return words
