"""A candidate that failed in the middle of a measurement."""


class TimedCallsFailed(Exception):
    """The secret sample of timed calls proved wrong. kind: one word, as in the device's check reports."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail
