"""What agents asked of models and what that cost: one row a request, written before it is sent."""

from sqlmodel import Field, SQLModel

from store.columns import check, one_of
from store.tables.base import CALL_STATES, CAMPAIGN, PRICES


class LlmCallRow(SQLModel, table=True):
    """One request to a model, its retries included.

    state: `open` until the answer is whole; `cut` when the engine died in between, which may have been paid.
    input_tokens: those that were neither read from nor written to a cache. output_tokens: thinking included.
    reserved_tokens, reserved_usd: what it might have cost at most, held against the limits while it is open and when it
    was cut. usd: what it cost, None when nobody knows the price; price: where the price comes from. request, reply:
    artefacts of the transcript. stop: the provider's reason in one word; reason: why it failed.
    """

    __tablename__ = "llm_call"
    __table_args__ = (
        one_of("state", *CALL_STATES),
        one_of("price", *PRICES),
        check(
            "counts_not_negative",
            "input_tokens >= 0 AND cache_read_tokens >= 0 AND cache_write_tokens >= 0 AND output_tokens >= 0"
            " AND reserved_tokens >= 0 AND retries >= 0 AND seconds >= 0",
        ),
        check("money_not_negative", "(usd IS NULL OR usd >= 0) AND (reserved_usd IS NULL OR reserved_usd >= 0)"),
        check("one_account", "(campaign_id IS NULL) <> (release_id IS NULL)"),
        check("failure_says_why", "state <> 'failed' OR reason <> ''"),
    )

    id: int = Field(default=None, primary_key=True)
    campaign_id: int | None = Field(default=None, foreign_key=CAMPAIGN, index=True)
    release_id: int | None = Field(default=None, foreign_key="book_release.id", index=True)
    agent: str
    role: str
    kernel: str = ""
    brief_id: int | None = None
    provider: str
    model: str
    state: str = Field(default="open", index=True)
    stop: str = ""
    reason: str = ""
    input_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    output_tokens: int = 0
    reserved_tokens: int = 0
    reserved_usd: float | None = None
    usd: float | None = None
    price: str = "unknown"
    retries: int = 0
    seconds: float = 0.0
    request: str = ""
    reply: str = ""
    started_at: float
    finished_at: float | None = None
