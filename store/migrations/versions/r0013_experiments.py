"""Experiments: arms of trajectories, each an ordinary campaign, and what the final block measured of each."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "experiment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("plan", sa.Text(), nullable=False),
        sa.Column("pack", sa.String(), nullable=False),
        sa.Column("pack_digest", sa.String(), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("device", sa.String(), nullable=False),
        sa.Column("toolchain", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("started_at", sa.Float(), nullable=False),
        sa.Column("ended_at", sa.Float(), nullable=True),
        sa.CheckConstraint("state IN ('running', 'done')", name=op.f("ck_experiment_state_known")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_experiment")),
    )
    op.create_index("ix_experiment_digest", "experiment", ["digest"])
    op.create_table(
        "trajectory",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("experiment_id", sa.Integer(), nullable=False),
        sa.Column("arm", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=True),
        sa.Column("finals", sa.Text(), nullable=False),
        sa.CheckConstraint("number >= 0", name=op.f("ck_trajectory_number_not_negative")),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_trajectory_campaign_id_campaign")),
        sa.ForeignKeyConstraint(
            ["experiment_id"], ["experiment.id"], name=op.f("fk_trajectory_experiment_id_experiment")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_trajectory")),
        sa.UniqueConstraint(
            "experiment_id", "arm", "number", name=op.f("uq_trajectory_experiment_id_arm_number")
        ),
    )
    op.create_index("ix_trajectory_campaign_id", "trajectory", ["campaign_id"])


def downgrade() -> None:
    op.drop_table("trajectory")
    op.drop_table("experiment")
