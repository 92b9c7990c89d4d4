"""Filings from elsewhere: a filing without a candidate, and what its file said of it. Every order of the list of
filings has an index."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

SORTED = ("gain", "ledger_speedup", "times_peak", "lever")


def upgrade() -> None:
    with op.batch_alter_table("filing") as table:
        table.alter_column("candidate_id", existing_type=sa.String(), nullable=True)
        table.drop_constraint(op.f("ck_filing_kind_known"), type_="check")
        table.create_check_constraint(
            op.f("ck_filing_kind_known"), "kind IN ('promotion', 'submission', 'imported')"
        )
        table.create_check_constraint(
            op.f("ck_filing_own_has_candidate"), "kind = 'imported' OR candidate_id IS NOT NULL"
        )
    for column in SORTED:
        op.create_index(f"ix_filing_{column}", "filing", [column])
    op.create_table(
        "imported_filing",
        sa.Column("filing_id", sa.Integer(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("filed_text", sa.String(), nullable=False),
        sa.Column("team", sa.String(), nullable=False),
        sa.Column("board", sa.String(), nullable=False),
        sa.Column("variant", sa.String(), nullable=False),
        sa.Column("reference", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("cycles", sa.Text(), nullable=False),
        sa.Column("score", sa.Float(), nullable=True),
        sa.Column("recomputed", sa.Float(), nullable=True),
        sa.CheckConstraint(
            "(score IS NULL OR score > 0) AND (recomputed IS NULL OR recomputed > 0)",
            name=op.f("ck_imported_filing_scores_positive"),
        ),
        sa.ForeignKeyConstraint(["filing_id"], ["filing.id"], name=op.f("fk_imported_filing_filing_id_filing")),
        sa.PrimaryKeyConstraint("filing_id", name=op.f("pk_imported_filing")),
    )


def downgrade() -> None:
    op.drop_table("imported_filing")
    for column in SORTED:
        op.drop_index(f"ix_filing_{column}", "filing")
    op.execute("DELETE FROM filing WHERE kind = 'imported'")
    with op.batch_alter_table("filing") as table:
        table.drop_constraint(op.f("ck_filing_own_has_candidate"), type_="check")
        table.drop_constraint(op.f("ck_filing_kind_known"), type_="check")
        table.create_check_constraint(op.f("ck_filing_kind_known"), "kind IN ('promotion', 'submission')")
        table.alter_column("candidate_id", existing_type=sa.String(), nullable=False)
