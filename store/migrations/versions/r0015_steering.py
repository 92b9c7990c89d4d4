"""Messages to agents, promotions that wait for a person, kernels whose head is only refined."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("kernel_state") as table:
        table.add_column(sa.Column("refining", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "message",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("recipient", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("file", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reader", sa.String(), nullable=False),
        sa.Column("read_at", sa.Float(), nullable=True),
        sa.Column("answer", sa.String(), nullable=False),
        sa.Column("answered_by", sa.String(), nullable=False),
        sa.Column("answered_at", sa.Float(), nullable=True),
        sa.CheckConstraint(
            "state IN ('waiting', 'read', 'answered', 'closed')", name=op.f("ck_message_state_known")
        ),
        sa.CheckConstraint("text <> ''", name=op.f("ck_message_has_text")),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_message_campaign_id_campaign")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_message")),
    )
    op.create_index("ix_message_campaign_id", "message", ["campaign_id"])
    op.create_table(
        "approval",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("kernel", sa.String(), nullable=False),
        sa.Column("node_id", sa.Integer(), nullable=False),
        sa.Column("candidate_id", sa.String(), nullable=False),
        sa.Column("head_id", sa.String(), nullable=False),
        sa.Column("evidence", sa.Text(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("decided_at", sa.Float(), nullable=True),
        sa.CheckConstraint(
            "state IN ('pending', 'approved', 'vetoed', 'expired')", name=op.f("ck_approval_state_known")
        ),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_approval_campaign_id_campaign")),
        sa.ForeignKeyConstraint(["candidate_id"], ["candidate.id"], name=op.f("fk_approval_candidate_id_candidate")),
        sa.ForeignKeyConstraint(["head_id"], ["candidate.id"], name=op.f("fk_approval_head_id_candidate")),
        sa.ForeignKeyConstraint(["node_id"], ["node.id"], name=op.f("fk_approval_node_id_node")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_approval")),
    )
    op.create_index("ix_approval_campaign_id", "approval", ["campaign_id"])
    op.create_index("ix_approval_candidate_id", "approval", ["candidate_id"])
    op.create_index("ix_approval_node_id", "approval", ["node_id"])


def downgrade() -> None:
    op.drop_table("approval")
    op.drop_table("message")
    with op.batch_alter_table("kernel_state") as table:
        table.drop_column("refining")
