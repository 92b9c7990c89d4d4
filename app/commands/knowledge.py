"""`knowledge`: what is known of a target, with its source, as text or JSON.

A typer group. `claims`, `sheet` and `verify` (what documentation says) stand in `app/commands/knowledge_book.py`.
`facts` and `rules` (what was measured and tried on the machine) stand in `app/commands/knowledge_target.py`.
`counters` (a report of a profiler) stands in `app/commands/knowledge_counters.py`.
`baseline` and `skills` (what a kernel does, and which strategies fit it) stand in `app/commands/knowledge_kernel.py`.
"""

import typer

from app.commands import knowledge_book, knowledge_counters, knowledge_kernel, knowledge_target


def register(app: typer.Typer) -> None:
    knowledge = typer.Typer(
        help="What is known of a target, with its source.", no_args_is_help=True, rich_markup_mode=None
    )
    knowledge.command("facts")(knowledge_target.facts)
    knowledge.command("rules")(knowledge_target.rules)
    knowledge.command("counters")(knowledge_counters.counters)
    knowledge.command("baseline")(knowledge_kernel.baseline)
    knowledge.command("skills")(knowledge_kernel.skills)
    knowledge_book.register(knowledge)
    app.add_typer(knowledge, name="knowledge")
