"""What a made-up campaign cost: offline, or with two models under limits."""

from collections.abc import Sequence

from store.money_views import CostPoint, CostShare, MoneyView

SECONDS = {"readings": 1012.4, "check": 825.1, "build": 744.3, "load": 392.0, "waiting": 877.6, "overhead": 2054.7}
DEVICE = {"acceptance": 610.0, "confirmation": 120.0, "ledger": 200.0, "race": 84.0}


def view(kernels: Sequence[str], paid: bool, text: str) -> MoneyView:
    on_device = [CostShare(text or name, device_s=300.0 + 40 * i, accepted=6 - i) for i, name in enumerate(kernels)]
    points = tuple(CostPoint(120.0 * i, 0.31 * i if paid else 0.0, 50.0 * i, 1.0 + 1.1 * i) for i in range(1, 20))
    groups: dict[str, tuple[CostShare, ...]] = {"role": (), "model": (), "kernel": tuple(on_device)}
    total = CostShare("", device_s=sum(DEVICE.values()), accepted=15)
    if paid:
        worker = CostShare(text or "worker", 41, 1_204_551, 6.13, 16_000, 0.4, 0, 8.0, 0, None, 15)
        dear = CostShare(text or "anthropic large", 12, 700_000, 5.0, 16_000, 0.4, 0, 0.0, 0, None, 9)
        cheap = CostShare(text or "openai small", 29, 504_551, 1.13, 0, 0.0, 2, 0.0, 0, None, 6)
        groups = {"role": (worker,), "model": (dear, cheap), "kernel": tuple(on_device)}
        total = CostShare("", 41, 1_204_551, 6.13, 16_000, 0.4, 2, 10.0, 2_000_000, sum(DEVICE.values()), 15)
    brain = text or ("anthropic:large" if paid else "offline")
    kinds = {one.name: {"acceptance": one.device_s or 0.0} for one in on_device}
    return MoneyView(1, brain, 2472.0, total, groups, DEVICE, SECONDS, points, kinds)
