"""What one kernel's measurements say of the device, and what waits for it, as lines. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from app.screens.trust_text import share
from app.views import Line, Tone, about, age, columns, count, moment, percent, wrapped
from kernels.judge.redo import side_warning
from store.device_views import DeviceView, NoisePoint, PlaceboView, PlannedView, QueueItem

BARS: Final = "▁▂▃▄▅▆▇█"
ASCII_BARS: Final = "_.:-=+*#"
STATE_WORDS: Final[Mapping[str, tuple[str, Tone]]] = {
    "holds": ("now", "accent"), "measured": ("test", "accent"), "testing": ("past gates", ""),
    "device": ("waits", "warn"), "used": ("device", ""), "ill": ("device", "bad"),
    "gates": ("in gates", ""), "kernel": ("waits", "warn"), "due": ("due", ""),
    "queued": ("queued", "dim"), "brief": ("brief", "dim"),
}  # fmt: skip


def page(
    device: DeviceView | None, here: PlaceboView | None, now: float, width: int, *, ascii_only: bool = False
) -> list[Line]:
    """Calibration, probe over time, modes, redone pairs, placebos of this device."""
    if device is None:
        return [(("no kernel yet", "dim"),)]
    lines = [*_calibration(device, now, width), *_power(device, width), *_probe(device, width, ascii_only=ascii_only)]
    if device.modes:
        lines += wrapped("modes of the last tests: " + ", ".join(f"{m} in {n} pairs" for m, n in device.modes.items()),
                          width)  # fmt: skip
    lines += [*_redos(device.redos, width), *_planned(device.planned, width)]
    if here is not None and here.tests:
        text = f"placebos of this device, all campaigns: {here.faster}/{here.tests} FASTER, <= {percent(here.upper)}"
        lines += wrapped(text, width)
    return lines


def _calibration(device: DeviceView, now: float, width: int) -> list[Line]:
    known = device.calibration
    if known is None:
        lines: list[Line] = [(("! not calibrated on this device ", "warn"), (device.fingerprint, "dim"))]
        if device.calibrated_elsewhere:
            lines += wrapped(f"calibrated on {device.calibrated_elsewhere}, another device or toolchain", width)
        return [*lines, ((f"./run.sh judge calibrate {device.pack}/{device.kernel}", ""),)]
    when = f"{age(now - known['at'])} ago, {moment(known['at'], date=True)} UTC"
    said: list[Line] = [(("calibrated ", "dim"), (when, "")), (("device ", "dim"), (device.fingerprint, ""))]
    facts = f"{known['pairs']} pairs in mode {known.get('mode') or '-'}, FIFO {known.get('realtime') or '-'}"
    return [*said, *wrapped(facts, width), *_figures(known, width)]


def _figures(known: Mapping[str, Any], width: int) -> list[Line]:
    return [line for text in known.get("lines", ()) for line in wrapped(text, width, "")]


def _power(device: DeviceView, width: int) -> list[Line]:
    """What a pair costs, and what pairs say where nobody has calibrated."""
    power = device.power
    if power is None:
        return []
    lines: list[Line] = []
    if power.source != "calibration":
        text = f"by {power.pairs} placebo pairs: sd of a pair {share(power.pair_sd)}, sees {share(power.visible_gain)}"
        lines += wrapped(text, width, "")
    if power.pair_seconds is not None:
        by = f"measured over {power.timed_pairs} pairs" if power.timed_pairs else "by the calibration"
        lines += wrapped(f"{about(power.pair_seconds)} device seconds a pair, {by}", width, "")
    return lines


def _probe(device: DeviceView, width: int, *, ascii_only: bool) -> list[Line]:
    """The read probe over the last tests: a bar a test, the newest on the right."""
    values = [point.gbs for point in device.noise if point.gbs > 0][-max(8, width - 24) :]
    if not values:
        return []
    span = f" {min(values):.0f}..{max(values):.0f} GB/s"
    return [(("probe ", "dim"), (spark(values, ascii_only=ascii_only), "accent"), (span, ""))]


def spark(values: Sequence[float], *, ascii_only: bool = False) -> str:
    """One character a value, the lowest and the highest at the ends of the scale."""
    bars = ASCII_BARS if ascii_only else BARS
    low, high = min(values), max(values)
    if high <= low:
        return bars[len(bars) // 2] * len(values)
    return "".join(bars[min(len(bars) - 1, int((v - low) / (high - low) * len(bars)))] for v in values)


def _redos(redos: Mapping[str, int], width: int) -> list[Line]:
    head, candidate = redos.get("head", 0), redos.get("candidate", 0)
    if not head + candidate:
        return []
    text = f"redone pairs: {head} long on the head's side, {candidate} on the candidate's"
    warning = side_warning(head, candidate)
    return [*wrapped(text, width), *(wrapped(f"! {warning}", width, "warn") if warning else [])]


def _planned(planned: PlannedView | None, width: int) -> list[Line]:
    """How static plans came out, and what their gate does with them."""
    if planned is None:
        return []
    return [*wrapped(planned.text, width, ""), *wrapped(planned.filter_text, width)]


def noise_title(points: Sequence[NoisePoint]) -> str:
    """`noise: sd of a pair by test, last 1.2 %, 14 tests`."""
    if not points:
        return "noise"
    return f"noise: sd of a pair by test, last {share(points[-1].sd)}, {count(len(points), 'test')}"


def queue_page(items: Sequence[QueueItem], width: int) -> list[Line]:
    return [queue_row(item, width) for item in items] or [(("nothing is measured, nothing waits", "dim"),)]


def queue_row(item: QueueItem, width: int) -> Line:
    word, tone = STATE_WORDS.get(item.state, (item.state, ""))
    what = f"{item.kernel} {item.what}".strip()
    if item.state == "due":
        what = f"{item.what} of {item.kernel}" if item.kernel else item.what
    room = max(10, (width - 15) * 3 // 5)
    return columns(((word, 13, tone), (what, room, "strong"), (item.note, max(8, width - 15 - room), "dim")))


def queue_title(items: Sequence[QueueItem]) -> str:
    waiting = sum(item.state in ("testing", "device", "gates", "kernel") for item in items)
    later = sum(item.state in ("queued", "brief") for item in items)
    return f"queue: {sum(i.state == 'measured' for i in items)} in test, {waiting} on the way, {later} later"
