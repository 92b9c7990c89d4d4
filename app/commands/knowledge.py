"""`knowledge`: what is known of a target, with its source, as text or JSON.

A typer group. `claims`, `sheet` and `verify` (what documentation says) stand in `app/commands/knowledge_book.py`.
Commands on measured facts and legality rules stand in a module of their own and are added here:
`knowledge.command("facts")(facts)` inside `register`.
"""

import typer

from app.commands import knowledge_book


def register(app: typer.Typer) -> None:
    knowledge = typer.Typer(
        help="What is known of a target, with its source.", no_args_is_help=True, rich_markup_mode=None
    )
    knowledge_book.register(knowledge)
    app.add_typer(knowledge, name="knowledge")
