"""Requests to models with their tokens and cost, and a campaign's limit of tokens."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "llm_call",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("agent", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("kernel", sa.String(), nullable=False),
        sa.Column("brief_id", sa.Integer(), nullable=True),
        sa.Column("provider", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("stop", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("input_tokens", sa.Integer(), nullable=False),
        sa.Column("cache_read_tokens", sa.Integer(), nullable=False),
        sa.Column("cache_write_tokens", sa.Integer(), nullable=False),
        sa.Column("output_tokens", sa.Integer(), nullable=False),
        sa.Column("reserved_tokens", sa.Integer(), nullable=False),
        sa.Column("reserved_usd", sa.Float(), nullable=True),
        sa.Column("usd", sa.Float(), nullable=True),
        sa.Column("price", sa.String(), nullable=False),
        sa.Column("retries", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("request", sa.String(), nullable=False),
        sa.Column("reply", sa.String(), nullable=False),
        sa.Column("started_at", sa.Float(), nullable=False),
        sa.Column("finished_at", sa.Float(), nullable=True),
        sa.CheckConstraint("state IN ('open', 'done', 'failed', 'cancelled', 'cut')", name="ck_llm_call_state_known"),
        sa.CheckConstraint("price IN ('listed', 'own', 'free', 'unknown')", name="ck_llm_call_price_known"),
        sa.CheckConstraint(
            "input_tokens >= 0 AND cache_read_tokens >= 0 AND cache_write_tokens >= 0 AND output_tokens >= 0"
            " AND reserved_tokens >= 0 AND retries >= 0 AND seconds >= 0",
            name="ck_llm_call_counts_not_negative",
        ),
        sa.CheckConstraint(
            "(usd IS NULL OR usd >= 0) AND (reserved_usd IS NULL OR reserved_usd >= 0)",
            name="ck_llm_call_money_not_negative",
        ),
        sa.CheckConstraint("state <> 'failed' OR reason <> ''", name="ck_llm_call_failure_says_why"),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name="fk_llm_call_campaign_id_campaign"),
        sa.PrimaryKeyConstraint("id", name="pk_llm_call"),
    )
    op.create_index("ix_llm_call_campaign_id", "llm_call", ["campaign_id"])
    op.create_index("ix_llm_call_state", "llm_call", ["state"])
    op.execute("ALTER TABLE campaign ADD COLUMN tokens_budget INTEGER NOT NULL DEFAULT 0")


def downgrade() -> None:
    op.execute("ALTER TABLE campaign DROP COLUMN tokens_budget")
    op.drop_index("ix_llm_call_state", "llm_call")
    op.drop_index("ix_llm_call_campaign_id", "llm_call")
    op.drop_table("llm_call")
