"""What a campaign cost as lines: the sum on top, a row a role, model or kernel, where the machine spent time. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from app.views import NOTHING, Line, Span, Tone, columns, count, factor, minutes, percent, usd, wrap
from store.money_views import CostShare, MoneyView

GROUPS: Final = ("role", "model", "kernel")
SECONDS: Final = ("readings", "check", "build", "load", "waiting", "overhead")


@dataclass(frozen=True, slots=True)
class Priced:
    """One row: a share of what was spent and the group that it stands in."""

    group: str
    share: CostShare

    @property
    def key(self) -> tuple[str, str]:
        return self.group, self.share.name


def rows_of(view: MoneyView) -> list[Priced]:
    return [Priced(group, share) for group in GROUPS for share in view.groups.get(group, ())]


def summary(view: MoneyView, width: int) -> list[Line]:
    """Spent, reserved, limit and what one accepted gain cost; without a model that nothing was spent."""
    lines = _models(view, width) if view.asked else _nothing(view, width)
    return [*lines, *(((row, "dim"),) for text in (_device(view), machine(view)) for row in wrap(text, width))]


def _nothing(view: MoneyView, width: int) -> list[Line]:
    said = f"nothing was spent: brain {view.brain} asked no model"
    limit = f" of {usd(view.total.cap_usd)}" if view.total.cap_usd else ""
    return [
        ((f"$0.00{limit}  ", "strong"), (row if i == 0 else f" {row}", "")) for i, row in enumerate(wrap(said, width))
    ]


def _models(view: MoneyView, width: int) -> list[Line]:
    total = view.total
    spans: list[Span] = [(usd(total.usd), "strong"), (" spent", "")]
    if total.cap_usd:
        spans += [(f" of {usd(total.cap_usd)}", ""), (f" ({percent(total.usd / total.cap_usd)})", "dim")]
    spans.append((f", {usd(total.held_usd)} reserved", "warn" if total.held_usd else "dim"))
    if total.cap_usd:
        spans.append((f", {usd(max(0.0, total.cap_usd - total.usd - total.held_usd))} free", ""))
    tokens = f"{total.tokens:,} tokens" + (f" of {total.cap_tokens:,}" if total.cap_tokens else "")
    lines: list[Line] = [tuple(spans), ((f"{count(total.calls, 'request')}, {tokens}", "dim"), *_gain(total))]
    if total.unpriced:
        said = f"! {count(total.unpriced, 'answer')} without a known price: dollars are at least what is said"
        lines += [((row, "warn"),) for row in wrap(said, width)]
    return lines


def _gain(share: CostShare) -> Line:
    if not share.accepted:
        return ((", no accepted gain yet", "dim"),)
    per = "price unknown" if share.usd_per_gain is None else f"{_dollars(share.usd_per_gain)} each"
    return ((f", {count(share.accepted, 'accepted gain')}: {per}", ""),)


def _device(view: MoneyView) -> str:
    total = view.total
    per = "" if total.device_s_per_gain is None else f", {minutes(total.device_s_per_gain)} a gain"
    kinds = ", ".join(f"{kind} {minutes(s)}" for kind, s in sorted(view.device.items(), key=lambda one: -one[1]))
    spent = f"device: tests {minutes(total.device_s)} of {minutes(view.elapsed_s)}{per}"
    return f"{spent} ({kinds})" if kinds else spent


def machine(view: MoneyView) -> str:
    """`machine: readings 16.9 min, check 13.8 min, ...`"""
    known = [*(n for n in SECONDS if n in view.seconds), *sorted(set(view.seconds) - set(SECONDS))]
    return "machine: " + (", ".join(f"{name} {minutes(view.seconds[name])}" for name in known) or "nothing yet")


def share_columns(width: int) -> list[tuple[str, int]]:
    chosen = [("by", 6), ("spent", -8), ("device", -9), ("gains", -5), ("$ a gain", -9)]
    if width >= 59:
        chosen.insert(2, ("reserved", -8))
    if width >= 84:
        chosen += [("cap", -8), ("tokens", -11)]
    if width >= 110:
        chosen += [("requests", -8), ("device a gain", -13)]
    used = sum(abs(size) + 1 for _, size in chosen)
    return [chosen[0], ("name", max(8, min(40, width - used - 1))), *chosen[1:]]


def share_title(width: int) -> Line:
    return columns((title, size, "dim") for title, size in share_columns(width))


def share_row(row: Priced, width: int) -> Line:
    share = row.share
    unknown = share.unpriced and not share.usd
    cells: dict[str, tuple[str, Tone]] = {
        "by": (row.group, "dim"),
        "name": (share.name or NOTHING, "strong"),
        "spent": ("unknown" if unknown else usd(share.usd), "warn" if share.unpriced else ""),
        "reserved": (usd(share.held_usd), "warn" if share.held_usd else "dim"),
        "cap": (_cap(share), "dim"),
        "tokens": (f"{share.tokens:,}", "dim"),
        "requests": (str(share.calls), "dim"),
        "device": (NOTHING if share.device_s is None else minutes(share.device_s), ""),
        "gains": (str(share.accepted), "good" if share.accepted else "dim"),
        "$ a gain": (NOTHING if share.usd_per_gain is None else _dollars(share.usd_per_gain), ""),
        "device a gain": (NOTHING if share.device_s_per_gain is None else minutes(share.device_s_per_gain), ""),
    }  # fmt: skip
    return columns((cells[title][0], size, cells[title][1]) for title, size in share_columns(width))


def _cap(share: CostShare) -> str:
    if share.cap_usd:
        return usd(share.cap_usd)
    return f"{share.cap_tokens / 1000:.0f} ktok" if share.cap_tokens else NOTHING


def _dollars(amount: float) -> str:
    """Cents and, below one, what is left of them."""
    return usd(amount) if amount >= 0.1 or amount == 0 else f"${amount:.4f}"


def share_page(view: MoneyView, row: Priced, width: int) -> list[Line]:
    """One share in words."""
    share = row.share
    caps = [usd(share.cap_usd)] if share.cap_usd else []
    caps += [f"{share.cap_tokens:,} tokens"] if share.cap_tokens else []
    told = [
        ("requests", str(share.calls)),
        ("spent", f"{_dollars(share.usd)}, {share.tokens:,} tokens"),
        ("reserved", f"{_dollars(share.held_usd)}, {share.held_tokens:,} tokens by open or cut requests"),
        ("limit", " and ".join(caps) or "none of its own"),
        ("gains", f"{share.accepted} accepted and in force"),
        ("a gain", NOTHING if share.usd_per_gain is None else _dollars(share.usd_per_gain)),
    ]
    if share.device_s is not None:
        told.append(("device", minutes(share.device_s)))
    if share.unpriced:
        told.append(("unknown", f"the price of {count(share.unpriced, 'answer')}"))
    lines: list[Line] = [((f"{row.group} ", "dim"), (share.name, "strong"))]
    for name, text in told:
        rows = wrap(text, max(10, width - 10))
        lines += [((f"{name if index == 0 else '':9} ", "dim"), (part, "")) for index, part in enumerate(rows)]
    return [*lines, *_kinds(view.device_of.get(share.name, {}) if row.group == "kernel" else {})]


def _kinds(device: Mapping[str, float]) -> list[Line]:
    """Only kernels have device time of their own."""
    if not device:
        return []
    kinds = sorted(device.items(), key=lambda one: -one[1])
    rows: list[Line] = [((f"{minutes(seconds):>10} ", ""), (kind, "dim")) for kind, seconds in kinds]
    return [(("device by kind of test", "dim"),), *rows]


def curve_title(view: MoneyView) -> str:
    """`score against device time, nothing was spent: 22.5x after 16.9 min`."""
    of = "dollars" if paid(view) else "device time, nothing was spent"
    if not view.points:
        return f"score against {of}"
    last = view.points[-1]
    at = usd(last.usd) if paid(view) else minutes(last.device_s)
    return f"score against {of}: {factor(last.score)} after {at}"


def paid(view: MoneyView) -> bool:
    return view.total.usd > 0
