"""The leaderboard: campaigns that measured the same thing, ranked; others apart."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from app.text import digits, factor, table
from store.reads.board_view import BoardRow

Found = dict[str, Any]


def ranked(rows: Sequence[BoardRow]) -> list[Found]:
    """Groups of comparable rows, best first, the group with most campaigns first. rank: 1 + how many of the group are
    surely better, their interval wholly above; None without a ledger entry."""
    groups: dict[tuple[object, ...], list[BoardRow]] = {}
    for row in rows:
        groups.setdefault(row.comparable, []).append(row)
    made = [_group(own) for own in groups.values()]
    return sorted(made, key=lambda group: -len(group["rows"]))


def _group(rows: Sequence[BoardRow]) -> Found:
    first = rows[0]
    order = sorted(rows, key=lambda row: -(row.speedup or 0.0))
    return {
        "pack": first.pack, "pack_digest": first.pack_digest, "target": first.target, "device": first.device,
        "toolchain": first.toolchain, "kernels": list(first.kernels), "mode": first.mode,
        "rows": [{"rank": _rank(row, rows), "budget": budget(row), **_shown(row)} for row in order],
    }  # fmt: skip


def _rank(row: BoardRow, rows: Sequence[BoardRow]) -> int | None:
    if row.speedup is None or row.high is None:
        return None
    return 1 + sum(other.low is not None and other.low > row.high for other in rows)


def _shown(row: BoardRow) -> Found:
    same = ("pack", "pack_digest", "target", "device", "toolchain", "kernels", "mode")
    return {name: value for name, value in asdict(row).items() if name not in same} | {"score": row.score}


def budget(row: BoardRow) -> str:
    """`100 candidates, $2`; "none" for a campaign without a limit."""
    parts = [f"{row.minutes:g} min"] if row.minutes else []
    parts += [f"{row.candidates_budget} candidates"] if row.candidates_budget else []
    parts += [f"{row.device_budget:g} device s"] if row.device_budget else []
    parts += [f"${row.usd_budget:g}"] if row.usd_budget else []
    return ", ".join(parts) or "none"


def text(groups: Sequence[Found]) -> str:
    return "\n".join(_lines(groups)) if groups else "no campaign yet"


def _lines(groups: Sequence[Found]) -> Iterator[str]:
    homes = list(dict.fromkeys(one["home"] for group in groups for one in group["rows"]))
    for group in groups:
        mode = f", mode {group['mode']}" if group["mode"] else ""
        yield (
            f"{group['pack']} {group['pack_digest'][:8]} ({', '.join(group['kernels'])}) on {group['device']}, "
            f"{group['toolchain']}{mode}"
        )
        yield table(HEADER, [_row(one, homes) for one in group["rows"]])
        yield ""
    if len(homes) > 1:
        yield from (f"home {n}: {home}" for n, home in enumerate(homes, 1))
    yield (
        "rows of one table have the same pack files, device, toolchain and device mode; a rank is shared where "
        "intervals overlap; budgets differ, as they say"
    )


HEADER = ("rank", "campaign", "brain", "budget", "ledger speedup", "x peak", "score", "candidates", "device h", "$", "")


def _row(one: Found, homes: Sequence[str]) -> list[str]:
    unfinished = "" if one["state"] == "finished" else one["state"]
    return [
        "-" if one["rank"] is None else str(one["rank"]), _named(one, homes), one["brain"], one["budget"],
        factor(one["speedup"], one["low"], one["high"]), digits(one["times_peak"]), digits(one["score"]),
        str(one["positions"]), f"{one['device_s'] / 3600:.2f}", f"{one['usd']:.2f}",
        "; ".join(filter(None, [one["trajectory"], unfinished])),
    ]  # fmt: skip


def _named(one: Found, homes: Sequence[str]) -> str:
    """`3`; `2.3` for campaign 3 of the second home, where several are read."""
    return str(one["campaign"]) if len(homes) < 2 else f"{homes.index(one['home']) + 1}.{one['campaign']}"
