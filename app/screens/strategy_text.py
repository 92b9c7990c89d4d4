"""Baseline analyses and strategy skills as rows beside the claims, and as pages. Pure."""

from collections.abc import Sequence

from app.chip import baseline_text
from app.sanitise import cells
from app.screens.knowledge_text import claim_columns
from app.views import Line, columns, count, wrap, wrapped
from store.knowledge_views import AnalysisView, SkillView

Strategy = AnalysisView | SkillView


def key_of(one: Strategy) -> str:
    """What a row is selected by: its kind and name."""
    return f"baseline {one.name} {one.target}" if isinstance(one, AnalysisView) else f"skill {one.name}"


def row(one: Strategy, width: int) -> Line:
    if isinstance(one, AnalysisView):
        record = one.record
        cells = ("= baseline", str(record["type"]), one.target, one.name, f"bound {baseline_text.bounds(record)}")
    else:
        cells = ("* skill", one.kernel_types[0], " ".join(one.targets), one.name, one.description)
    state, kind, target, name, said = cells
    texts = {"state": state, "kind": kind, "target": target, "document": name}
    shown = claim_columns(width)
    texts["claim"] = said if any(title == "document" for title, _ in shown) else f"{name}: {said}"
    return columns((texts[title], size, "" if title == "claim" else "dim") for title, size in shown)


def said(one: Strategy) -> str:
    """What a filter's words are looked for in."""
    if isinstance(one, AnalysisView):
        return f"baseline {one.name} {one.target} {' '.join(one.record['types'])}"
    return f"skill {one.name} {one.description} {' '.join(one.kernel_types)} {' '.join(one.levers)}"


def page(one: Strategy, width: int) -> list[Line]:
    if isinstance(one, AnalysisView):
        return _baseline(one, width)
    head: list[Line] = wrapped(f"{one.name}: {one.description}", width, "strong")
    head += wrapped(f"for {', '.join(one.kernel_types)}; levers {', '.join(one.levers)}", width)
    head += wrapped(f"rarely {', '.join(one.unlikely)}", width) if one.unlikely else []
    head += [*wrapped(f"{one.origin}: {one.file}", width), ()]
    return [*head, *(line for block in one.body.split("\n\n") for line in _block(block, width))]


def _baseline(one: AnalysisView, width: int) -> list[Line]:
    """Its loops as a table where that fits."""
    table = baseline_text.loops(one.record).splitlines()
    first, *others = (line.removeprefix("  ") for line in baseline_text.lines(one.record))
    told: list[Line] = []
    for line in others:
        if line not in table:
            told += wrapped(line, width, "")
        elif max(map(cells, table)) <= width:
            told.append(((line, ""),))
        elif line == table[0]:
            told += [row for nest in baseline_text.nests(one.record) for row in _hanging(nest, width)]
    return [*wrapped(first, width, "strong"), *told]


def _hanging(text: str, width: int) -> list[Line]:
    first, *others = wrap(text, max(20, width - 2))
    return [((first, ""),), *(((f"  {row}", ""),) for row in others)]


def _block(block: str, width: int) -> list[Line]:
    text = " ".join(block.split())
    if text.startswith("## "):
        return [((text.removeprefix("## "), "accent"),)]
    return [*wrapped(text, width, ""), ()]


def counts(found: Sequence[Strategy]) -> str:
    """ "3 baselines, 15 skills"."""
    baselines = sum(isinstance(one, AnalysisView) for one in found)
    parts = [count(baselines, "baseline")] if baselines else []
    return ", ".join([*parts, *([count(len(found) - baselines, "skill")] if len(found) > baselines else [])])
