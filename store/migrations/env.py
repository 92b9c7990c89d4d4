"""What alembic runs: on the connection that `store.migrate` hands over, in the transaction that it has begun."""

from typing import Any, Literal

from alembic import context
from sqlmodel import SQLModel

import store.tables  # noqa: F401 - registers the tables
from store.columns import Json


def render(kind: str, value: Any, _context: Any) -> str | Literal[False]:
    """Own column types are written as what they are in the file."""
    if kind == "type" and isinstance(value, Json):
        return "sa.Text()"
    if kind == "type" and type(value).__name__ == "AutoString":
        return "sa.String()"
    return False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
    render_item=render,
    compare_type=False,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
