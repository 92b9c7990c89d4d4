"""Requests to models: written before they are sent, held against the limits by what they may cost, closed after."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sqlmodel import Session, select

from store import agents, events, sql
from store.clock import now
from store.errors import StoreError
from store.tables import LlmCallRow
from store.text import clip

Scope = Literal["campaign", "book", "role", "kernel"]
REASON_LIMIT = 2000
COMMITTED = (
    "SELECT coalesce(sum(CASE WHEN state IN ('open', 'cut') THEN coalesce(reserved_usd, 0) ELSE coalesce(usd, 0) END),"
    " 0) AS usd, coalesce(sum(CASE WHEN state IN ('open', 'cut') THEN reserved_tokens ELSE input_tokens"
    " + cache_read_tokens + cache_write_tokens + output_tokens END), 0) AS tokens, count(*) AS calls,"
    " coalesce(sum(CASE state WHEN 'open' THEN coalesce(reserved_usd, 0) END), 0) AS open_usd,"
    " coalesce(sum(CASE state WHEN 'open' THEN reserved_tokens END), 0) AS open_tokens"
    " FROM llm_call WHERE campaign_id IS :campaign AND release_id IS :release AND (:role IS NULL OR role = :role)"
    " AND (:kernel IS NULL OR kernel = :kernel)"
)


class LimitReached(Exception):
    """No request may be sent: what is committed and what this one may cost are above a limit. for_good: also once the
    requests that are under way have cost nothing."""

    def __init__(self, why: str, cap: "Cap", *, for_good: bool = True) -> None:
        super().__init__(why)
        self.cap = cap
        self.for_good = for_good


@dataclass(frozen=True, slots=True)
class Cap:
    """A limit over all requests of a campaign or for a book, of one role or of one kernel; 0 = none. name: of the role
    or kernel."""

    scope: Scope
    name: str = ""
    usd: float = 0.0
    tokens: int = 0

    @property
    def title(self) -> str:
        return f"the {self.scope}" if self.scope in ("campaign", "book") else f"{self.scope} {self.name}"


@dataclass(frozen=True, slots=True)
class Asked:
    """One request before it is sent. usd: what it may cost at most, None when nobody knows the price."""

    agent: str
    role: str
    kernel: str
    provider: str
    model: str
    tokens: int
    usd: float | None
    price: str
    brief_id: int | None = None
    request: str = ""


@dataclass(frozen=True, slots=True)
class Account:
    """Who pays: a campaign, or the release of a book that is read outside of any."""

    campaign: int | None = None
    release: int | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """How a request ended. state: done, failed or cancelled. Tokens include those of tries that were cut."""

    state: str
    input_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = None
    stop: str = ""
    reason: str = ""
    retries: int = 0
    seconds: float = 0.0
    reply: str = ""

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.cache_read_tokens + self.cache_write_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class Committed:
    """What was spent, and what requests that are open or were cut may have cost. open_*: of the open ones."""

    usd: float = 0.0
    tokens: int = 0
    calls: int = 0
    open_usd: float = 0.0
    open_tokens: int = 0


def committed(s: Session, account: Account, *, role: str | None = None, kernel: str | None = None) -> Committed:
    row = sql.first(s, COMMITTED, campaign=account.campaign, release=account.release, role=role, kernel=kernel)
    if row is None:
        return Committed()
    return Committed(
        float(row["usd"]), int(row["tokens"]), int(row["calls"]), float(row["open_usd"]), int(row["open_tokens"])
    )


def start(s: Session, account: Account, asked: Asked, caps: Sequence[Cap]) -> int:
    """An open row; returns its id. Raises: LimitReached, and nothing is written."""
    for cap in caps:
        _refuse_above(s, account, asked, cap)
    row = LlmCallRow(
        campaign_id=account.campaign, release_id=account.release, agent=asked.agent, role=asked.role,
        kernel=asked.kernel, brief_id=asked.brief_id,
        provider=asked.provider, model=asked.model, reserved_tokens=asked.tokens, reserved_usd=asked.usd,
        price=asked.price, request=asked.request, started_at=now(),
    )  # fmt: skip
    s.add(row)
    s.flush()
    return events.need_id(row.id)


def extend(s: Session, call_id: int, asked: Asked, caps: Sequence[Cap]) -> None:
    """Reserve as much once more: a try was cut after it had begun to cost. Raises: LimitReached, and the row is as it
    was; StoreError when it is not open."""
    row = _open(s, call_id)
    for cap in caps:
        _refuse_above(s, Account(row.campaign_id, row.release_id), asked, cap)
    row.reserved_tokens += asked.tokens
    row.reserved_usd = None if row.reserved_usd is None or asked.usd is None else row.reserved_usd + asked.usd
    s.add(row)


def cut_open(s: Session, account: Account, reason: str) -> int:
    """What was open when its program died may have been paid, and counts as that. Returns how many."""
    rows = s.exec(
        select(LlmCallRow).where(
            LlmCallRow.state == "open", LlmCallRow.campaign_id == account.campaign,
            LlmCallRow.release_id == account.release,
        )
    ).all()  # fmt: skip
    for row in rows:
        row.state, row.reason, row.finished_at = "cut", reason, now()
        s.add(row)
    return len(rows)


def _open(s: Session, call_id: int) -> LlmCallRow:
    row = s.get(LlmCallRow, call_id)
    if row is None or row.state != "open":
        raise StoreError(f"change request {call_id}", "it is not open", "Open it first")
    return row


def _refuse_above(s: Session, account: Account, asked: Asked, cap: Cap) -> None:
    mine = {"campaign": "", "book": "", "role": asked.role, "kernel": asked.kernel}[cap.scope]
    if mine != cap.name:
        return
    role, kernel = (cap.name if cap.scope == scope else None for scope in ("role", "kernel"))
    spent = committed(s, account, role=role, kernel=kernel)
    if cap.usd and asked.usd is None and not cap.tokens:
        raise LimitReached(f"{cap.title} is limited to ${cap.usd:g}, and the price of {asked.model} is unknown", cap)
    if cap.usd and spent.usd + (asked.usd or 0.0) > cap.usd:
        said = f"{cap.title} has ${spent.usd:.2f} of ${cap.usd:g} spent or reserved"
        for_good = spent.usd - spent.open_usd + (asked.usd or 0.0) > cap.usd
        raise LimitReached(f"{said}, and the next request may cost ${asked.usd or 0.0:.2f}", cap, for_good=for_good)
    if cap.tokens and spent.tokens + asked.tokens > cap.tokens:
        said = f"{cap.title} has {spent.tokens:,} of {cap.tokens:,} tokens spent or reserved"
        for_good = spent.tokens - spent.open_tokens + asked.tokens > cap.tokens
        raise LimitReached(f"{said}, and the next request may take {asked.tokens:,}", cap, for_good=for_good)


def end(s: Session, call_id: int, ended: Ended) -> None:
    """Close the row; the agent's counts and one event go with it."""
    row = _open(s, call_id)
    row.state, row.stop, row.reason = ended.state, clip(ended.stop, 60), clip(ended.reason, REASON_LIMIT)
    row.input_tokens, row.output_tokens = ended.input_tokens, ended.output_tokens
    row.cache_read_tokens, row.cache_write_tokens = ended.cache_read_tokens, ended.cache_write_tokens
    row.usd, row.retries, row.seconds, row.reply = ended.usd, ended.retries, ended.seconds, ended.reply
    row.finished_at = now()
    s.add(row)
    if row.campaign_id is not None:
        agents.add_spend(s, row.campaign_id, row.agent, tokens=ended.tokens, usd=ended.usd or 0.0)
    cost = "price unknown" if ended.usd is None else f"${ended.usd:.4f}"
    text = (
        f"{row.provider} {row.model}: {ended.state} {ended.stop or ended.reason}, "
        f"{ended.tokens - ended.output_tokens:,} tokens in, {ended.output_tokens:,} out, {cost}, {ended.seconds:.1f} s"
    )
    if ended.retries:
        text += f", {ended.retries} retries"
    events.append(s, row.campaign_id, "model", row.agent, clip(text, 400), call=call_id, kernel=row.kernel)
