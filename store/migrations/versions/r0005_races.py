"""Races of generated variants: the race, its variants, its blocks as read. `race_block` is append-only."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "race",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("kernel", sa.String(), nullable=False),
        sa.Column("node_id", sa.Integer(), nullable=False),
        sa.Column("head_id", sa.String(), nullable=False),
        sa.Column("lever", sa.String(), nullable=False),
        sa.Column("agent", sa.String(), nullable=False),
        sa.Column("seed", sa.String(), nullable=False),
        sa.Column("grid", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("winner_id", sa.String(), nullable=True),
        sa.Column("readings", sa.Integer(), nullable=False),
        sa.Column("device_seconds", sa.Float(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("started_at", sa.Float(), nullable=False),
        sa.Column("finished_at", sa.Float(), nullable=True),
        sa.CheckConstraint("state IN ('running', 'done', 'interrupted')", name=op.f("ck_race_state_known")),
        sa.CheckConstraint("state = 'done' OR winner_id IS NULL", name=op.f("ck_race_done_or_no_winner")),
        sa.CheckConstraint(
            "grid > 0 AND readings >= 0 AND device_seconds >= 0", name=op.f("ck_race_counts_not_negative")
        ),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_race_campaign_id_campaign")),
        sa.ForeignKeyConstraint(["node_id"], ["node.id"], name=op.f("fk_race_node_id_node")),
        sa.ForeignKeyConstraint(["head_id"], ["candidate.id"], name=op.f("fk_race_head_id_candidate")),
        sa.ForeignKeyConstraint(["winner_id"], ["candidate.id"], name=op.f("fk_race_winner_id_candidate")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_race")),
    )
    for column in ("campaign_id", "node_id", "state"):
        op.create_index(op.f(f"ix_race_{column}"), "race", [column])
    op.create_table(
        "race_variant",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("race_id", sa.Integer(), nullable=False),
        sa.Column("candidate_id", sa.String(), nullable=False),
        sa.Column("params", sa.Text(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("gate", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=True),
        sa.Column("median", sa.Float(), nullable=True),
        sa.Column("blocks", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("tied", sa.Boolean(), nullable=False),
        sa.CheckConstraint(
            "state IN ('entered', 'refused', 'caught', 'ranked')", name=op.f("ck_race_variant_state_known")
        ),
        sa.CheckConstraint(
            "state NOT IN ('refused', 'caught') OR kind <> ''", name=op.f("ck_race_variant_drop_says_why")
        ),
        sa.ForeignKeyConstraint(["race_id"], ["race.id"], name=op.f("fk_race_variant_race_id_race")),
        sa.ForeignKeyConstraint(["candidate_id"], ["candidate.id"], name=op.f("fk_race_variant_candidate_id_candidate")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_race_variant")),
        sa.UniqueConstraint("race_id", "candidate_id", name=op.f("uq_race_variant_race_id_candidate_id")),
    )
    op.create_index(op.f("ix_race_variant_candidate_id"), "race_variant", ["candidate_id"])
    op.create_table(
        "race_block",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("race_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("readings", sa.Text(), nullable=False),
        sa.Column("dropped", sa.Text(), nullable=False),
        sa.Column("probe_before_gbs", sa.Float(), nullable=False),
        sa.Column("probe_after_gbs", sa.Float(), nullable=False),
        sa.Column("mode", sa.String(), nullable=False),
        sa.Column("redo_reason", sa.String(), nullable=False),
        sa.Column("environment", sa.Text(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.CheckConstraint("seq >= 0", name=op.f("ck_race_block_seq_not_negative")),
        sa.ForeignKeyConstraint(["race_id"], ["race.id"], name=op.f("fk_race_block_race_id_race")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_race_block")),
        sa.UniqueConstraint("race_id", "seq", name=op.f("uq_race_block_race_id_seq")),
    )
    for act in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER race_block_no_{act.lower()} BEFORE {act} ON race_block "
            "BEGIN SELECT RAISE(ABORT, 'race_block is append-only'); END"
        )


def downgrade() -> None:
    for table in ("race_block", "race_variant", "race"):
        op.drop_table(table)
