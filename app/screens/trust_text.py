"""Can a verdict be trusted: what the device sees, how often placebos were FASTER, what is expected to be false. Pure.

Each line has a short form for narrow screens; nothing is carried by colour alone.
"""

from app.views import Line, Span, Tone, about, age, percent
from kernels.judge.placebo import KNOWN_FROM
from store.device_views import BiasView, DeviceView, PlaceboView, PowerView
from store.views import CampaignView

WIDE = 140


def trust_strip(
    campaign: CampaignView, device: DeviceView | None, here: PlaceboView | None, now: float, width: int
) -> list[Line]:
    """Three lines: power, placebos, meter."""
    return [
        power_line(device, now, width),
        (*placebo_spans(campaign.placebo, here, width), *bias_spans(campaign.placebo.bias, width)),
        meter_line(campaign, width),
    ]


def power_line(device: DeviceView | None, now: float, width: int) -> Line:
    """`axpy: sees 1.1 % in 24 pairs (80 %), 0.41 device min a test; calibrated 2 h ago`."""
    if device is None:
        return (("power: no kernel yet", "dim"),)
    name: Span = (f"{device.kernel} ", "strong")
    if device.power is None:
        elsewhere = f" (other device {device.calibrated_elsewhere})" if device.calibrated_elsewhere else ""
        text = f"not calibrated{elsewhere if width >= WIDE else ''}: "
        return (name, ("! " + text, "warn"), (f"./run.sh judge calibrate {device.pack}/{device.kernel}", ""))
    return (name, (_power(device.power, width), ""), (f"; {_source(device.power, now, width)}", "dim"))


def _power(power: PowerView, width: int) -> str:
    sees = f"sees {share(power.visible_gain)} in 24 pairs (80 %)"
    cost = "" if power.test_minutes is None else f", {about(power.test_minutes)} device min"
    if width < WIDE:
        return sees + cost
    pair = "" if power.pair_seconds is None else f" ({about(power.pair_seconds)} s a pair)"
    return f"{sees}, promotes from {share(power.promotable_gain)}{cost} a test{pair}"


def _source(power: PowerView, now: float, width: int) -> str:
    if power.source == "calibration":
        pairs = f", {power.pairs} pairs, sd {share(power.pair_sd)}" if width >= WIDE else ""
        return f"calibrated {age(now - power.at)} ago{pairs}"
    rough = ", rough" if power.pairs < 24 else ""
    by = f"by {power.pairs} placebo pairs" if width >= WIDE else f"by {power.pairs} A/A pairs"
    return by + rough + (f", sd {share(power.pair_sd)}" if width >= WIDE else "")


def placebo_spans(view: PlaceboView, here: PlaceboView | None, width: int) -> tuple[Span, ...]:
    """`placebos 2/44 FASTER <= 13.7 % (95 %)`; an alarm, and that nothing is known yet, come first."""
    bound = "" if view.upper is None else f" <= {percent(view.upper)}" + (" (95 %)" if width >= WIDE else "")
    spans: list[Span] = [("placebos ", "dim"), (f"{view.faster}/{view.tests} FASTER{bound}", "")]
    if view.alarm_at is not None:
        spans[0] = (f"! ALARM at {view.alarm_at} placebos: ", "bad")
    elif not view.known:
        needed = f"{bound}, {KNOWN_FROM} tests needed" if width >= WIDE else f" of {KNOWN_FROM}"
        spans = [("! not yet known: ", "warn"), (f"{view.faster}/{view.tests} FASTER{needed}", "")]
    if here is not None and here.tests > view.tests and width >= WIDE:
        spans.append((f"; this device in all {here.faster}/{here.tests} <= {percent(here.upper)}", "dim"))
    return tuple(spans)


def bias_spans(bias: BiasView | None, width: int) -> tuple[Span, ...]:
    """`; A/A bias +0.02 % (-0.11..+0.15), n 264`."""
    if bias is None:
        return (("; A/A bias: no pair yet", "dim"),)
    return (("; ", "dim"), *bias_line(bias, width))


def bias_line(bias: BiasView, width: int) -> Line:
    """Of pooled pairs of the head against itself: 0 should lie inside."""
    tone: Tone = "bad" if bias.alarming else "" if bias.clean else "warn"
    mark = "! ALARM " if bias.alarming else "" if bias.clean else "! "
    pairs = f", {bias.pairs} pairs, score {bias.score:+.1f}" if width >= WIDE else f", n {bias.pairs}"
    return (("A/A bias ", "dim"), (f"{mark}{shift(bias)}", tone), (pairs, "dim"))


def shift(bias: BiasView) -> str:
    """`+0.02 % (-0.11..+0.15)`; fewer than six pairs exclude nothing."""
    if bias.low <= -100.0:
        return f"{100 * bias.gain:+.2f} % (open)"
    return f"{100 * bias.gain:+.2f} % ({100 * bias.low:+.2f}..{100 * bias.high:+.2f})"


def meter_line(campaign: CampaignView, width: int) -> Line:
    """`expected false promotions <= 0.6 of 19, in 99 tests; 3 FASTER but dropped`."""
    expected = f"<= {about(campaign.expected_false_promotions)} of {campaign.promotions}"
    tests = f", in {campaign.tests_run} tests" if width >= 60 else ""
    dropped = f"{campaign.faster_but_dropped} FASTER but dropped"
    return (("expected false promotions ", "dim"), (expected, ""), (tests, "dim"), (f"; {dropped}", ""))


def share(value: float) -> str:
    """A share to two digits: 0.0112 is "1.1 %"."""
    return f"{about(100 * value)} %"
