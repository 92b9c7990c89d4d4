"""What a campaign costs as shown: dollars and tokens of models, seconds of the device. Made by `store.reads.money`."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class CostShare:
    """One role, model or kernel, or all of them (name ""). usd, tokens: of requests that ended; held_*: what requests
    that are open or were cut may cost beside it; unpriced: answered ones without a known price. cap_*: its limit, 0 =
    none. device_s: seconds on the device, None where the device is not shared out that way. accepted: promotions in
    force that it had a part in."""

    name: str
    calls: int = 0
    tokens: int = 0
    usd: float = 0.0
    held_tokens: int = 0
    held_usd: float = 0.0
    unpriced: int = 0
    cap_usd: float = 0.0
    cap_tokens: int = 0
    device_s: float | None = None
    accepted: int = 0

    @property
    def usd_per_gain(self) -> float | None:
        """Dollars for one accepted gain; None before the first, and when prices are missing."""
        return self.usd / self.accepted if self.accepted and not self.unpriced else None

    @property
    def device_s_per_gain(self) -> float | None:
        return self.device_s / self.accepted if self.accepted and self.device_s is not None else None


@dataclass(frozen=True, slots=True)
class CostPoint:
    """A step of the score with what had been spent by then. at_s: seconds since the start of the campaign; score: the
    geometric mean over the kernels by the ledger."""

    at_s: float
    usd: float
    device_s: float
    score: float


@dataclass(frozen=True, slots=True)
class MoneyView:
    """groups: shares by `role`, `model` and `kernel`. device: seconds on the device by kind of test, `race` included;
    device_of: the same of each kernel. seconds: of the machine by what they went into."""

    campaign: int
    brain: str
    elapsed_s: float
    total: CostShare
    groups: dict[str, tuple[CostShare, ...]]
    device: dict[str, float]
    seconds: dict[str, float]
    points: tuple[CostPoint, ...]
    device_of: dict[str, dict[str, float]] = field(default_factory=dict)

    @property
    def asked(self) -> bool:
        """Whether any model was asked."""
        return self.total.calls > 0
