"""The table of error rates and powers, simulated again, as text and JSON."""

from collections.abc import Iterator, Sequence
from typing import Any

from kernels.judge.table import Row, expected_rows, hard_limit, simulate_index

COLUMNS = ("faster", "slower", "flat", "pairs", "promoted", "paper_accept", "paper_pairs")
HEADS = ("FASTER", "SLOWER", "FLAT", "pairs", "promoted", "paper: accept", "pairs")


def simulated(repetitions: int, seed: int) -> Iterator[dict[str, Any]]:
    """Row by row on two processes, in the table's order."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    count = len(expected_rows())
    with ProcessPoolExecutor(2, mp_context=get_context("forkserver")) as pool:
        for found in pool.map(simulate_index, range(count), [repetitions] * count, [seed] * count):
            yield _row(*found)


def _row(row: Row, expected: Row, problems: Sequence[str]) -> dict[str, Any]:
    return {
        "noise": row.noise, "cv": row.cv, "gain": row.gain, "passed": not problems, "problems": list(problems),
        "simulated": row.figures, "expected": expected.figures,
    }  # fmt: skip


def summary(rows: Sequence[dict[str, Any]], repetitions: int, seed: int) -> dict[str, Any]:
    null = [r["simulated"] for r in rows if r["gain"] == 0]
    return {
        "repetitions": repetitions, "seed": seed, "passed": all(r["passed"] for r in rows),
        "hard_limit": hard_limit(repetitions), "worst_faster_without_gain": max(r["faster"] for r in null),
        "worst_slower_without_gain": max(r["slower"] for r in null), "rows": list(rows),
    }  # fmt: skip


def text(row: dict[str, Any], *, header: bool = False) -> str:
    """`simulated/expected` for every figure, then what is wrong."""
    label = f"{row['noise']} {100 * row['cv']:g} % gain {100 * row['gain']:g} %"
    cells = [_cell(name, row["simulated"][name], row["expected"][name]) for name in COLUMNS]
    lines = [f"{'noise, CV, gain':<24}" + "".join(f"{h:>14}" for h in HEADS)] if header else []
    lines.append(f"{label:<24}{''.join(f'{c:>14}' for c in cells)}  {'pass' if row['passed'] else 'FAIL'}")
    return "\n".join(lines + [f"    {problem}" for problem in row["problems"]])


def _cell(name: str, value: float, want: float) -> str:
    if name.endswith("pairs"):
        return f"{value:.2f}/{want:.2f}"
    return f"{value:.4f}/{want:.4f}".replace("0.", ".")


def summary_text(found: dict[str, Any]) -> str:
    missed = sum(not r["passed"] for r in found["rows"])
    said = "every row reproduced" if not missed else f"{missed} rows MISSED"
    return (
        f"{said} at {found['repetitions']} repetitions, seed {found['seed']}; without a gain at most "
        f"{found['worst_faster_without_gain']:.4f} FASTER and {found['worst_slower_without_gain']:.4f} SLOWER "
        f"(limit {found['hard_limit']:.4f})"
    )
