"""Gate `correct` at every shape of a kernel: all must pass, and a refusal names the shape. And the peak of all."""

from collections.abc import Sequence
from dataclasses import replace

from kernels.device.auditing import Audit
from kernels.device.check import Check
from kernels.device.combine import check_of, peak_of
from kernels.device.gauge import Gauge
from kernels.device.report import CheckReport, PeakReport
from kernels.device.trials import at, said
from kernels.values.shapes import shares


def checked(checks: Sequence[Check]) -> CheckReport:
    """One check a shape, in the order of the contract; the first failure ends it, so that a wrong kernel costs little.

    Raises: DeviceUnhealthy, PackError.
    """
    if len(checks) == 1:
        return checks[0].run()
    reports: dict[str, CheckReport] = {}
    for check in checks:
        with at(check.spec):
            report = check.run()
        reports[check.spec.shape] = replace(report, reason=said(check.spec, report.reason))
        check.leave()
        if not report.ok:
            break
    return check_of(reports, shares(checks[0].spec.shapes))


def audit_at(audit: Audit | None, position: int) -> Audit | None:
    """What an audit does at each shape: the domains of inputs are gone through at the first, the regimes at all."""
    return audit if audit is None or position == 0 else replace(audit, seconds=0.0)


def peak_at_all(gauges: Sequence[Gauge], *, fifo: bool) -> PeakReport:
    """Raises: DeviceUnhealthy, OSError when the cache folder cannot be written."""
    found: dict[str, PeakReport] = {}
    for gauge in gauges:
        with at(gauge.station.spec):
            found[gauge.station.spec.shape] = gauge.peak(fifo=fifo)
    return peak_of(found, shares(gauges[0].station.spec.shapes)) if len(found) > 1 else next(iter(found.values()))
