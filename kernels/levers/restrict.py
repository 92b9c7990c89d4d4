"""The lever that promises the compiler that pointers of the entry point do not overlap, as the contract says."""

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from kernels.levers.base import Application, Context, Family, LeverDoesNotApply, with_source
from kernels.levers.syntax import Edit, apply_edits, field, named, walk
from kernels.levers.unit import function_declarator, unit_of
from kernels.values.candidate import Candidate


@dataclass(frozen=True, slots=True)
class RestrictLever:
    """`restrict` on every pointer parameter of the entry point."""

    name: str = "restrict"
    family: Family = "structure"

    def applications(self, candidate: Candidate, context: Context) -> list[Application]:
        stars = list(_stars(candidate.source, context.spec.entry))
        if len(stars) < 2:
            return []
        return [
            Application(
                self.name, self.family, {}, context.spec.entry,
                f"{len(stars)} pointers may overlap as far as the compiler knows",
                "loops that read one array and write another: no checks for overlap, fewer loads",
            )
        ]  # fmt: skip

    def apply(self, candidate: Candidate, application: Application, context: Context) -> Candidate:
        stars = list(_stars(candidate.source, context.spec.entry))
        if not stars:
            raise LeverDoesNotApply(f"{context.spec.entry} has no pointer that could be restrict")
        edits = [Edit(at, at, "restrict ") for at in stars]
        return with_source(candidate, apply_edits(candidate.source, edits))


def _stars(source: str, entry: str) -> Iterator[int]:
    """Where `restrict` can go: behind the star of each plain pointer parameter that has none."""
    function = unit_of(source).functions.get(entry)
    declarator = function_declarator(function) if function is not None else None
    listed = field(declarator, "parameters") if declarator is not None else None
    for parameter in named(listed) if listed is not None else ():
        pointer = field(parameter, "declarator")
        inner = field(pointer, "declarator") if pointer is not None and pointer.type == "pointer_declarator" else None
        if pointer is not None and inner is not None and inner.type == "identifier" and not _has(pointer):
            yield inner.start_byte


def _has(pointer: Node) -> bool:
    return any("restrict" in (n.text or b"").decode() for n in walk(pointer) if n.type == "type_qualifier")
