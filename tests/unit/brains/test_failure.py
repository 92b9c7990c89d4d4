"""What a status means: tried again, or final and for whom."""

import pytest

from roles.brains.failure import Final, Retryable, of_status, retry_after


@pytest.mark.parametrize(
    ("status", "why", "kind"),
    [
        (400, "Your credit balance is too low to access the API", "quota"),
        (402, "payment required", "quota"),
        (429, "insufficient_quota You exceeded your current quota", "quota"),
        (401, "invalid x-api-key", "key"),
        (403, "not allowed", "key"),
        (404, "model: nothing", "model"),
        (413, "request too large", "request"),
        (400, "prompt is too long: 300000 tokens", "too_long"),
    ],
)
def test_final(status: int, why: str, kind: str) -> None:
    found = of_status(status, why, {})
    assert isinstance(found, Final)
    assert found.kind == kind
    assert found.for_all == (kind in ("quota", "key", "model"))


@pytest.mark.parametrize(
    ("status", "shared"), [(408, False), (409, False), (429, True), (500, False), (503, True), (529, True)]
)
def test_passing(status: int, shared: bool) -> None:
    why = "Rate limit reached; add a payment method at https://platform.openai.com/account/billing"
    found = of_status(status, why, {"retry-after": "7"})
    assert isinstance(found, Retryable)
    assert (found.shared, found.after) == (shared, 7.0)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "2.5"}, 2.5),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_how_long_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds
