"""What refused a node stands in the node, so that refusals are counted without their reports; indexes for pages."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("node") as table:
        table.add_column(sa.Column("refusal", sa.String(), nullable=False, server_default=""))
    op.execute(
        "UPDATE node SET refusal = coalesce((SELECT coalesce(nullif(kind, ''), gate) FROM gate_report"
        " WHERE node_id = node.id AND state = 'refused' ORDER BY id LIMIT 1), '') WHERE outcome IN ('REJECT', 'REVERT')"
    )
    op.create_index("ix_node_page", "node", ["campaign_id", "kernel", "id"])
    op.create_index("ix_node_count", "node", ["campaign_id", "kernel", "outcome", "refusal"])
    op.create_index("ix_test_count", "test", ["campaign_id", "kind", "state", "verdict", "kernel"])


def downgrade() -> None:
    op.drop_index("ix_test_count", "test")
    op.drop_index("ix_node_count", "node")
    op.drop_index("ix_node_page", "node")
    with op.batch_alter_table("node") as table:
        table.drop_column("refusal")
