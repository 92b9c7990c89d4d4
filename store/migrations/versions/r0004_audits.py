"""Audits of promoted heads, and why a node is tainted; ledger entries of tainted heads are marked."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("node") as table:
        table.add_column(sa.Column("taint", sa.String(), nullable=False, server_default=""))
        table.add_column(sa.Column("taint_root", sa.Integer(), nullable=True))
    op.execute("UPDATE node SET taint = 'a fold', taint_root = id WHERE tainted = 1")
    with op.batch_alter_table("ledger") as table:
        table.add_column(sa.Column("tainted", sa.Boolean(), nullable=False, server_default="0"))
    op.execute(
        "UPDATE ledger SET tainted = 1 WHERE EXISTS (SELECT 1 FROM node WHERE node.tainted = 1"
        " AND node.campaign_id = ledger.campaign_id AND node.candidate_id = ledger.head_id)"
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("kernel", sa.String(), nullable=False),
        sa.Column("candidate_id", sa.String(), nullable=False),
        sa.Column("node_id", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("swept", sa.Integer(), nullable=False),
        sa.Column("argument", sa.String(), nullable=False),
        sa.Column("value", sa.Integer(), nullable=True),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.CheckConstraint("state IN ('passed', 'fold', 'failed')", name="ck_audit_state_known"),
        sa.CheckConstraint("state = 'passed' OR reason <> ''", name="ck_audit_finding_says_why"),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name="fk_audit_campaign_id_campaign"),
        sa.ForeignKeyConstraint(["candidate_id"], ["candidate.id"], name="fk_audit_candidate_id_candidate"),
        sa.ForeignKeyConstraint(["node_id"], ["node.id"], name="fk_audit_node_id_node"),
        sa.PrimaryKeyConstraint("id", name="pk_audit"),
    )
    op.create_index("ix_audit_campaign_id", "audit", ["campaign_id"])


def downgrade() -> None:
    op.drop_index("ix_audit_campaign_id", "audit")
    op.drop_table("audit")
    with op.batch_alter_table("ledger") as table:
        table.drop_column("tainted")
    with op.batch_alter_table("node") as table:
        table.drop_column("taint_root")
        table.drop_column("taint")
