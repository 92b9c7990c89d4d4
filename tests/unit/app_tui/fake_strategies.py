"""A baseline analysis and two skills, made up."""

from typing import Any

from store.knowledge_views import AnalysisView, SkillView

TIMES = {"memory_ns": 2e3, "compute_ns": 1e3, "steps_ns": 9e3, "bound": "dependent steps"}
LOOPS = [
    {"variable": "row", "trip": 8.0, "varies": False, "down": False},
    {"variable": "column", "trip": 4.0, "varies": True, "down": False},
]


def baselines(text: str = "") -> tuple[AnalysisView, ...]:
    nest = {
        "function": f"f{text}", "kind": "reduction", "loops": LOOPS, "operations": 64.0, "steps": 32.0, "reads": ["a"],
        "writes": ["b"], "traits": ["triangular"],
    }  # fmt: skip
    record: dict[str, Any] = {
        "kernel": f"pack/kern{text}", "type": "reduction", "types": ["reduction", "map"], "exact": True, "why": "",
        "operations": 64.0, "bytes": {"whole": 96, "weights": 32, "level": "memory"}, "intensity": 0.67,
        "loops": [nest], "as_written": TIMES, "at_best": {**TIMES, "steps_ns": None, "bound": "memory"},
        "missing_facts": [], "measured": None, "skills": ["sums"],
    }  # fmt: skip
    return (AnalysisView("cpu", "f00d", "pack", f"kern{text}", 1.0, record),)


def skills(text: str = "") -> tuple[SkillView, ...]:
    body = f"## When it applies\n\nNeighbours{text}.\n\n## What it expects\n\nFewer\nreads.\n"
    return tuple(
        SkillView(
            name, f"Neighbours once{text}", ("stencil",), ("cpu",), ("tile",), ("prefetch",), "shipped", f"/{name}.md",
            body,
        )
        for name in ("sums", "stencils")
    )  # fmt: skip
