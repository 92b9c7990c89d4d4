"""`knowledge counters`: what a report of Nsight Compute says of each launch; the command that makes such a report."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.commands.options import Json, print_json
from app.settings import UsageError
from app.views import duration_ns
from kernels.values.numbers import significant

Report = Annotated[
    Path | None,
    typer.Argument(help="what `ncu --csv` printed, page raw or details; the command that prints it when absent"),
]
PROGRAM = "YOUR-PROGRAM"

if TYPE_CHECKING:
    from kernels.targets.cuda.ncu import Counters


def counters(file: Report = None, as_json: Json = False) -> None:
    """Counters of a GPU by launch, of a report that you made: candidates run behind filters that no profiler passes."""
    from kernels.targets.cuda import ncu

    if file is None:
        words = ncu.command(Path("ncu"), [PROGRAM])
        if as_json:
            print_json({"command": words})
        else:
            typer.echo(f"{shlex.join(words)} > report.csv")
        return
    try:
        found = ncu.read(file.read_text(encoding="utf-8", errors="replace"))
    except (OSError, ncu.NoCounters) as why:
        raise UsageError(f"counters of {file}: {why}") from why
    if as_json:
        print_json({"launches": [{"launch": c.launch, "kernel": c.kernel, "values": c.values} for c in found]})
    else:
        typer.echo("\n".join(_text(one) for one in found))


def _text(one: "Counters") -> str:
    from kernels.targets.cuda.ncu import METRICS, TIME

    time = f", {duration_ns(one.ns)}" if one.ns is not None else ""
    speed = f", {one.gbs:.1f} GB/s of device memory" if one.gbs is not None else ""
    rest = [
        f"  {METRICS.get(name, name)}: {significant(value)}{' %' * ('pct' in name)}"
        for name, value in one.values.items()
        if name != TIME
    ]
    return "\n".join([f"{one.launch} {one.kernel}{time}{speed}", *rest])
