"""The Profile tab as lines: a row a kernel, and the page of one. Pure."""

from app.screens.profile_text import change_lines, profile_lines
from app.views import NOTHING, Line, Tone, age, columns, duration_ns, percent, short_id, wrapped
from store.profile_views import ProfileView
from store.views import KernelView

WIDTHS = (16, -9, -9, -9, -10)


def title(width: int) -> Line:
    return _row(("kernel", "head", "profiled", "x planned", "age", "bound by"), width, "dim")


def row(kernel: KernelView, view: ProfileView | None, now: float, width: int) -> Line:
    if view is None:
        return _row((kernel.name, duration_ns(kernel.head_ns), NOTHING, NOTHING, NOTHING, "no profile yet"), width)
    head = view.record.head
    ratio = NOTHING if head.ratio is None else f"{head.ratio:.2f}"
    bounds = ", ".join(f"{bound} {percent(share)}" for bound, share in head.shares.items())
    earlier = "" if view.present else "! of an earlier head; "
    cells = (kernel.name, duration_ns(kernel.head_ns), duration_ns(head.elapsed_ns), ratio, age(now - view.at))
    return _row((*cells, earlier + bounds), width, "" if view.present else "warn")


def _row(cells: tuple[str, ...], width: int, tone: Tone = "") -> Line:
    last = max(8, width - sum(abs(w) + 1 for w in WIDTHS) - 1)
    tones: tuple[Tone, ...] = (tone or "strong", *[tone] * 5)
    return columns(zip(cells, (*WIDTHS, last), tones, strict=True))


def detail(pack: str, kernel: KernelView, view: ProfileView | None, now: float, width: int) -> list[Line]:
    """The head's chart and spans; below it those of a candidate that was profiled beside it."""
    if view is None:
        todo = f"no profile of {kernel.name} yet: `./run.sh profile {pack}/{kernel.name}`, or `:` profile {kernel.name}"
        return wrapped(todo, width)
    lines: list[Line] = []
    if not view.present:
        old, new = short_id(view.record.head.candidate), short_id(kernel.head_id)
        lines = wrapped(f"! of an earlier head, {old}; the head is {new} now", width, "warn")
    lines += profile_lines(view.record.head, "head", width)
    candidate = view.record.candidate
    if candidate is not None:
        beside = wrapped(f"beside it {age(now - view.at)} ago, span by span:", width)
        lines += [(), *beside, *change_lines(view.record, width), (), *profile_lines(candidate, "candidate", width)]
    return lines
