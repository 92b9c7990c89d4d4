"""A lever that makes the size of a launch's groups a knob."""

from dataclasses import dataclass
from typing import Final

from kernels.levers.base import Application, Context, Family, LeverDoesNotApply, with_source
from kernels.levers.opencl_c.texts import line_start
from kernels.levers.opencl_c.work_items import WorkItems, groups_of, the_items, work_items
from kernels.levers.outline import fresh_number
from kernels.levers.sketches.method import Knob
from kernels.levers.syntax import Edit, apply_edits, text_of
from kernels.values.candidate import Candidate

OFFERED: Final = (256, 16, 1)


@dataclass(frozen=True, slots=True)
class GroupLever:
    name: str = "opencl_group"
    family: Family = "structure"

    def applications(self, candidate: Candidate, context: Context) -> list[Application]:
        return [
            Application(self.name, self.family, {"group": group}, one.name, _reason(one), "launch cost against balance")
            for one in work_items(candidate.source)
            if _open(one)
            for group in OFFERED
            if group in groups_of(one.size) and group != one.group
        ]

    def apply(self, candidate: Candidate, application: Application, context: Context) -> Candidate:
        source = candidate.source
        items = the_items(source, application.site)
        if not _open(items):
            raise LeverDoesNotApply(f"the groups of {items.name} have a knob already")
        n, choices = fresh_number(source), groups_of(items.size)
        knob = Knob("GROUP", int(application.params["group"]), choices).line(n)
        at = line_start(source, items.function.start_byte)
        edits = [Edit(at, at, knob), *items.launched(items.size_text, f"KW_TUNE_GROUP_{n}")]
        return with_source(candidate, apply_edits(source, edits))


def _open(items: WorkItems) -> bool:
    return "KW_TUNE_" not in text_of(items.launch[2])


def _reason(items: WorkItems) -> str:
    return f"groups of {items.group} of the {items.size} work-items of {items.name}; a group runs on one compute unit"
