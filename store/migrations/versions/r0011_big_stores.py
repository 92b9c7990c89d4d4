"""Indexes for what a screen asks of a big store again and again: the few redone pairs, and the last event of a kind."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_pair_redone", "pair", ["test_id"], sqlite_where=sa.text("redo_reason <> ''"))
    op.create_index("ix_event_kind", "event", ["campaign_id", "kind"])


def downgrade() -> None:
    op.drop_index("ix_event_kind", "event")
    op.drop_index("ix_pair_redone", "pair")
