"""A report as HTML, Markdown or JSON.

Whatever a template prints passes one door (`finalize`): text of agents, compilers and candidates stays literal; only
numbers that this program formats are taken as they are.
"""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import jinja2
from markupsafe import Markup, escape

from app import views
from app.chip import baseline_text
from app.report.charts import charts
from app.report.gather import Report
from app.sanitise import clean
from app.screens.filing_text import filed_text

TEMPLATES: Final = Path(__file__).parent / "templates"
TEXT_LIMIT: Final = 600
MARKS: Final = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_[]()<>#!|~&$:@"})
LEADING: Final = re.compile(r"^([-+=]|\d+\.(?=\s|$))")
WWW: Final = re.compile(r"(?i)\bwww\.")
FORMATS: Final = ("html", "md", "json")


def render(report: Report, form: str) -> str:
    """form: one of FORMATS."""
    if form == "json":
        return json.dumps({"report": "kernelwright", **_json(report)}, indent=2, default=str) + "\n"
    link, door = (html_link, html_text) if form == "html" else (md_link, md_text)
    template = _environment(link, door).get_template(f"report.{form}.j2")
    return template.render(
        r=report, c=report.campaign, charts=charts(report), times_in=_number(views.factor_interval),
        gain_in=_number(views.gain_interval), count=_number(views.count), analysis=baseline_text,
    )  # fmt: skip


def _json(report: Report) -> dict[str, Any]:
    return {**asdict(report), "over": report.over, "geomean_events": list(report.total_events)}


def html_text(value: object) -> Markup:
    """Escaped, on one line, without control characters."""
    return value if isinstance(value, Markup) else escape(clean(str(value), TEXT_LIMIT))


def md_text(value: object) -> Markup:
    """Every mark that could begin something escaped: emphasis, code, links, HTML, tables, lists, bare addresses."""
    if isinstance(value, Markup):
        return value
    text = WWW.sub(lambda found: found[0][:-1] + "\\.", clean(str(value), TEXT_LIMIT).translate(MARKS))
    return Markup(LEADING.sub(lambda found: f"{found[0][:-1]}\\{found[0][-1]}", text))


def html_link(event: int | None) -> Markup:
    return Markup("") if event is None else Markup('<a class="event" href="#e{0}">#{0}</a>').format(event)


def md_link(event: int | None) -> Markup:
    return Markup("") if event is None else Markup("[#{0}](#e{0})").format(event)


def _environment(link: Callable[[int | None], Markup], door: Callable[[object], Markup]) -> jinja2.Environment:
    """StrictUndefined: a name that a template misspells is a fault, not a gap."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES), undefined=jinja2.StrictUndefined, autoescape=True, finalize=door,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip

    def links(events: Iterable[int]) -> Markup:
        return Markup(" ").join(link(event) for event in events)

    numbers: dict[str, Callable[..., str]] = {
        "ns": views.duration_ns, "times": views.factor, "gain": views.gain, "percent": views.percent,
        "moment": lambda at: views.moment(at, date=True), "clock": views.clock, "usd": views.usd,
        "exact": lambda value: views.NOTHING if value is None else f"{value:.4f}",
        "about": views.about,
        "digits": lambda value: views.NOTHING if value is None else views.digits(value),
    }  # fmt: skip
    made.filters.update({name: _number(text) for name, text in numbers.items()})
    made.filters.update(event=link, events=links, short=views.short_id, filed=filed_text)
    return made


def _number(text: Callable[..., str]) -> Callable[..., Markup]:
    """What it returns has no markup in it: digits, signs and units of ours."""

    def formatted(*values: Any) -> Markup:
        return Markup(text(*values))

    return formatted
