"""A conversation of an agent with its model as shown. Made by `store.reads.transcript_view`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SaidView:
    """One part of a conversation. who: `to the model`, `tool` or `the model`. call: the request's id; state: of it;
    usd: what it cost, None when unknown. at: UTC seconds."""

    call: int
    at: float
    who: str
    text: str
    model: str
    state: str
    tokens_in: int
    tokens_out: int
    usd: float | None
