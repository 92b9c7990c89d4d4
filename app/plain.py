"""The plain display: one line per event, or one JSON object per event; nothing is ever drawn over.

For pipes, logs, TERM=dumb and screen readers. Ends with the campaign, with the reader of the pipe, or at the keyboard.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Final, TextIO

from app.sanitise import clean
from app.source import Source, SourceError
from app.views import factor_interval, moment
from app.zline import one_line
from store.views import EventView, OverviewView

POLL_S: Final = 0.25
LIMIT: Final = 400
PAGE: Final = 500
LIVE: Final = ("running", "pausing", "paused", "stopping")


def event_line(event: EventView) -> str:
    """`2026-11-29 12:04:31 promotion ffn: ...`, clean and cut."""
    subject = f" {clean(event.subject, 80)}:" if event.subject else ""
    when = f"{moment(event.at, date=True)[:10]} {moment(event.at)}"
    return f"{when} {clean(event.kind, 24)}{subject} {clean(event.text, LIMIT)}"


def event_json(event: EventView) -> str:
    return json.dumps(asdict(event), default=str)


def status_line(view: OverviewView) -> str:
    """The whole campaign in one line."""
    campaign = view.campaign
    score = factor_interval(campaign.ledger_speedup, campaign.ledger_low, campaign.ledger_high)
    live = f"; {view.live.kernel} {view.live.lever}: {one_line(view.live)}" if view.live else ""
    text = (
        f"{campaign.pack} on {campaign.target} {campaign.state}: ledger {score}, {campaign.promotions} promoted{live}"
    )
    return clean(text, LIMIT)


def lines(source: Source, *, as_json: bool, following: bool, sleep: Callable[[float], None]) -> Iterator[str]:
    """One line per event, from the first one on. following: waits for more until the campaign is over."""
    after, more, show = 0, True, event_json if as_json else event_line
    while True:
        more = source.changed() or more
        events = source.events(after, PAGE) if more else ()
        for event in events:
            after = event.id
            yield show(event)
        more = len(events) == PAGE
        if more:
            continue
        view = source.overview()
        over = view is not None and view.campaign.state not in LIVE
        if not following or over:
            return
        sleep(POLL_S)


def write_all(source: Source, output: TextIO, *, as_json: bool, following: bool = True) -> None:
    """Prints until there is no more to print. Raises: BrokenPipeError, SourceError."""
    for line in lines(source, as_json=as_json, following=following, sleep=time.sleep):
        output.write(line + "\n")
        output.flush()
    view = source.overview()
    if view is not None and not as_json:
        output.write(status_line(view) + "\n")
        output.flush()


def follow(home: Path, *, as_json: bool, following: bool = True, read_only: bool = False) -> None:
    """The plain display of a home's latest campaign, on stdout. following: until it is over."""
    from app.store_source import StoreSource

    source = StoreSource.opened(home, read_only=read_only)
    try:
        write_all(source, sys.stdout, as_json=as_json, following=following)
    except SourceError as error:
        print(f"kernelwright: {error}", file=sys.stderr)
    finally:
        source.close()
