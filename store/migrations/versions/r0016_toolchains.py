"""Which toolchain nodes, tests, promotions, ledger entries and memories are of; changes of it, and their re-checks."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

OF_CAMPAIGN = ("node", "test", "promotion", "ledger", "memory")


def upgrade() -> None:
    op.add_column("campaign", sa.Column("book", sa.String(), nullable=False, server_default=""))
    op.execute(
        "UPDATE campaign SET book = coalesce((SELECT group_concat(book || ' ' || label, '; ') FROM (SELECT book, label"
        " FROM book_release WHERE id IN (SELECT max(id) FROM book_release WHERE state = 'done' AND target ="
        " campaign.target GROUP BY book) ORDER BY book)), '')"
    )
    for table in OF_CAMPAIGN:
        op.add_column(table, sa.Column("fingerprint", sa.String(), nullable=False, server_default=""))
        op.execute(
            f"UPDATE {table} SET fingerprint = coalesce((SELECT fingerprint FROM campaign"
            f" WHERE campaign.id = {table}.campaign_id), '')"
        )
    with op.batch_alter_table("memory") as table:
        table.add_column(sa.Column("state", sa.String(), nullable=False, server_default="current"))
        table.create_check_constraint(
            op.f("ck_memory_state_known"), "state IN ('current', 'stale', 'retired')"
        )
    with op.batch_alter_table("filing") as table:
        table.drop_constraint(op.f("ck_filing_kind_known"), type_="check")
        table.create_check_constraint(
            op.f("ck_filing_kind_known"), "kind IN ('promotion', 'submission', 'imported', 'rejudged')"
        )
    op.create_table(
        "toolchain_change",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("former", sa.String(), nullable=False),
        sa.Column("present", sa.String(), nullable=False),
        sa.Column("former_book", sa.String(), nullable=False),
        sa.Column("present_book", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("was_paused", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("finished_at", sa.Float(), nullable=True),
        sa.CheckConstraint(
            "state IN ('rechecking', 'done', 'superseded')", name=op.f("ck_toolchain_change_state_known")
        ),
        sa.CheckConstraint("text <> ''", name=op.f("ck_toolchain_change_says_what")),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name=op.f("fk_toolchain_change_campaign_id_campaign")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_toolchain_change")),
    )
    op.create_index(op.f("ix_toolchain_change_campaign_id"), "toolchain_change", ["campaign_id"])
    op.create_table(
        "recheck",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("change_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("record", sa.String(), nullable=False),
        sa.Column("was", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("at", sa.Float(), nullable=True),
        sa.CheckConstraint(
            "kind IN ('claim', 'fact', 'rule', 'head', 'filing', 'memory')", name=op.f("ck_recheck_kind_known")
        ),
        sa.CheckConstraint(
            "outcome IN ('', 're_verified', 'rewritten', 'retired', 'carried_over')",
            name=op.f("ck_recheck_outcome_known"),
        ),
        sa.ForeignKeyConstraint(
            ["change_id"], ["toolchain_change.id"], name=op.f("fk_recheck_change_id_toolchain_change")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_recheck")),
        sa.UniqueConstraint("change_id", "kind", "record", name=op.f("uq_recheck_change_id_kind_record")),
    )
    op.create_index(op.f("ix_recheck_change_id"), "recheck", ["change_id"])


def downgrade() -> None:
    op.drop_table("recheck")
    op.drop_table("toolchain_change")
    op.execute("DELETE FROM filing WHERE kind = 'rejudged'")
    with op.batch_alter_table("filing") as table:
        table.drop_constraint(op.f("ck_filing_kind_known"), type_="check")
        table.create_check_constraint(op.f("ck_filing_kind_known"), "kind IN ('promotion', 'submission', 'imported')")
    with op.batch_alter_table("memory") as table:
        table.drop_constraint(op.f("ck_memory_state_known"), type_="check")
        table.drop_column("state")
    for name in OF_CAMPAIGN:
        with op.batch_alter_table(name) as table:
            table.drop_column("fingerprint")
    with op.batch_alter_table("campaign") as table:
        table.drop_column("book")
