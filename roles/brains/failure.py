"""Why a request to a model failed: what may be tried again, and what may not."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


class Retryable(Exception):
    """It may work later. after: seconds that the provider asks to wait, None when it does not say. shared: everybody
    who asks this provider has to wait."""

    def __init__(self, why: str, after: float | None = None, *, shared: bool = False) -> None:
        super().__init__(why)
        self.after = after
        self.shared = shared


class Final(Exception):
    """It will not work by itself. kind: `key`, `quota`, `model`, `request`, `too_long` or `gave_up`."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(why)
        self.kind = kind

    @property
    def for_all(self) -> bool:
        """Whether every other request to this model would fail too."""
        return self.kind in ("key", "quota", "model")


QUOTA_WORDS = ("insufficient_quota", "exceeded your current quota", "credit balance is too low")
LENGTH_WORDS = ("context_length_exceeded", "prompt is too long", "maximum context length")


def of_status(status: int, why: str, headers: Mapping[str, str]) -> Retryable | Final:
    """The failure that an HTTP status means. Sources: the providers' pages on errors; 529 is Anthropic's overload."""
    said = why.lower()
    if status in (400, 402, 403, 429) and any(word in said for word in QUOTA_WORDS):
        return Final("quota", f"{status}: {why}")
    if status in (408, 409, 429) or status >= 500:
        return Retryable(f"{status}: {why}", retry_after(headers), shared=status in (429, 503, 529))
    if status == 402:
        return Final("quota", f"402: {why}")
    if status in (401, 403):
        return Final("key", f"{status}: {why}")
    if status == 404:
        return Final("model", f"404: {why}")
    return Final("too_long" if any(word in said for word in LENGTH_WORDS) else "request", f"{status}: {why}")


def message_of(body: object, otherwise: str) -> str:
    """What the provider says in the body of an error."""
    error = body.get("error", body) if isinstance(body, dict) else None
    said = error.get("message") if isinstance(error, dict) else None
    return said if isinstance(said, str) and said else otherwise


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds, from `retry-after-ms`, else `retry-after` as seconds or as a date. Source: RFC 9110, 10.2.3."""
    exact, plain = headers.get("retry-after-ms", ""), headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d+(\.\d+)?", exact):
        return float(exact) / 1000
    if re.fullmatch(r"\d+(\.\d+)?", plain):
        return float(plain)
    try:
        return max((parsedate_to_datetime(plain) - datetime.now(UTC)).total_seconds(), 0.0) if plain else None
    except (TypeError, ValueError):
        return None
