"""A measurement that ends early: the candidate failed in it, or its head is withdrawn."""


class TimedCallsFailed(Exception):
    """The secret sample of timed calls proved wrong. kind: one word, as in the device's check reports."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail


class HeadWithdrawn(Exception):
    """A fold was found in the head meanwhile: what is measured against it, or of it, counts no more."""


class HeadMoves(HeadWithdrawn):
    """A person approved another head: an attempt that stands on the present one gives way, and is made again."""
