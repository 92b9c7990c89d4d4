"""The lever that takes index arithmetic out of an inner loop: pointers to where a row begins, or that step along."""

from typing import ClassVar

from tree_sitter import Node
from typing_extensions import override

from kernels.levers.base import Context
from kernels.levers.loops import CountedLoop, leaves_early
from kernels.levers.nests.places import SIZES
from kernels.levers.nests.runner import moving_names
from kernels.levers.nests.site import NestLever, Site, Way
from kernels.levers.nests.strides import Access, accesses, moved
from kernels.levers.nests.updates import bare
from kernels.levers.syntax import Edit, edited_text, field, identifiers, replace_node, text_of, walk
from kernels.levers.unit import Unit


class StrengthLever(NestLever):
    """a[i * n + j] in the loop over j becomes p[j] with p = &a[i * n]; a[j * n + i] becomes *p with p += n."""

    name: ClassVar[str] = "strength_reduction"
    expects: ClassVar[str] = "multiplications and additions of indices, where the compiler has not removed them"

    @override
    def ways(self, unit: Unit, site: Site, context: Context) -> list[Way]:
        found = _reducible(unit, site.loop)
        if not found or leaves_early(site.loop.body):
            return []
        names = ", ".join(text_of(g[0].node) for g in found)
        return [Way({}, f"the place of {names} is computed anew in every turn of {site.loop.variable}")]

    @override
    def edits(self, unit: Unit, site: Site, way: Way, number: int, context: Context) -> list[Edit]:
        loop, before, steps, edits = site.loop, "", "", list[Edit]()
        stored = {a.root for a in accesses(unit, loop) if a.stored}
        for k, group in enumerate(_reducible(unit, loop)):
            first = group[0]
            name = f"kw_at_{number}_{k}" if k else f"kw_at_{number}"
            start = "0" if first.stride == 1 else f"({loop.lower})"
            kind = f"{'' if first.root in stored else 'const '}{first.element} *"
            before += f"{kind}{name} = &{moved(first.node, loop, start)};\n"
            if first.stride == 1:
                edits += [replace_node(a.node, f"{name}[{loop.variable}]") for a in group]
                continue
            nearer, further = moved(first.node, loop, "0"), moved(first.node, loop, "1")
            before += f"const ptrdiff_t {name}_step = &{further} - &{nearer};\n"
            steps += f", {name} += {name}_step"
            edits += [replace_node(a.node, f"{name}[0]") for a in group]
        update = field(loop.node, "update")
        if steps and update is not None:
            edits.append(Edit(update.end_byte, update.end_byte, steps))
        return [replace_node(loop.node, f"{{\n{before}{edited_text(loop.node, edits)}\n}}")]


def _reducible(unit: Unit, loop: CountedLoop) -> list[list[Access]]:
    """Accesses of an innermost loop that move evenly and whose place is an expression, equal ones together."""
    types = {n.type for n in walk(loop.body)}
    if types & {"for_statement", "while_statement", "do_statement", "preproc_if", "preproc_ifdef"}:
        return []
    moving = moving_names(loop) - {loop.variable}
    groups: dict[str, list[Access]] = {}
    for access in accesses(unit, loop):
        if (
            access.moves
            and access.element in SIZES
            and _computed(access.node, loop)
            and not identifiers(access.node) & moving
        ):
            groups.setdefault(bare(access.node), []).append(access)
    return list(groups.values())


def _computed(node: Node, loop: CountedLoop) -> bool:
    """Whether its index is more than the loop's variable, and loads nothing."""
    if node.type != "subscript_expression":
        return False
    inner, index = field(node, "argument"), field(node, "index")
    if inner is None or index is None:
        return False
    loads = sum(n.type in ("subscript_expression", "call_expression") for n in walk(index))
    return not loads and (inner.type == "subscript_expression" or text_of(index) != loop.variable)
