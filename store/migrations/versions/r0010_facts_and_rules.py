"""What was measured and found forbidden on a target: chip facts, legality rules, checks. `rule_check` is append-only."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "chip_fact",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("low", sa.Float(), nullable=False),
        sa.Column("high", sa.Float(), nullable=False),
        sa.Column("unit", sa.String(), nullable=False),
        sa.Column("readings", sa.Text(), nullable=False),
        sa.Column("points", sa.Text(), nullable=False),
        sa.Column("fit", sa.Text(), nullable=False),
        sa.Column("probe", sa.String(), nullable=False),
        sa.Column("environment", sa.Text(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.CheckConstraint("state IN ('current', 'stale')", name=op.f("ck_chip_fact_state_known")),
        sa.CheckConstraint("low <= value AND value <= high", name=op.f("ck_chip_fact_quartiles_in_order")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chip_fact")),
    )
    op.create_index(op.f("ix_chip_fact_name"), "chip_fact", ["name"], unique=False)
    op.create_table(
        "legality_rule",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("statement", sa.String(), nullable=False),
        sa.Column("forbidden", sa.Text(), nullable=False),
        sa.Column("legal", sa.Text(), nullable=False),
        sa.Column("flags", sa.Text(), nullable=False),
        sa.Column("diagnostic", sa.String(), nullable=False),
        sa.Column("pattern", sa.Text(), nullable=False),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("evidence", sa.Text(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("checked_at", sa.Float(), nullable=True),
        sa.CheckConstraint(
            "kind IN ('compile_error', 'wrong_values', 'hang', 'performance')",
            name=op.f("ck_legality_rule_kind_known"),
        ),
        sa.CheckConstraint(
            "state IN ('documented', 'verified', 'not_enforced', 'stale', 'carried_over', 'retired')",
            name=op.f("ck_legality_rule_state_known"),
        ),
        sa.CheckConstraint(
            "state NOT IN ('verified', 'not_enforced') OR fingerprint <> ''",
            name=op.f("ck_legality_rule_verified_says_where"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_legality_rule")),
        sa.UniqueConstraint("target", "name", name=op.f("uq_legality_rule_target_name")),
    )
    op.create_index(op.f("ix_legality_rule_state"), "legality_rule", ["state"], unique=False)
    op.create_table(
        "rule_check",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("rule_id", sa.Integer(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("found", sa.String(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.CheckConstraint(
            "outcome IN ('verified', 'not_enforced', 'unverified', 're_verified', 'rewritten', 'retired',"
            " 'carried_over')",
            name=op.f("ck_rule_check_outcome_known"),
        ),
        sa.ForeignKeyConstraint(["rule_id"], ["legality_rule.id"], name=op.f("fk_rule_check_rule_id_legality_rule")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rule_check")),
    )
    op.create_index(op.f("ix_rule_check_rule_id"), "rule_check", ["rule_id"], unique=False)
    for act in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER rule_check_no_{act.lower()} BEFORE {act} ON rule_check "
            "BEGIN SELECT RAISE(ABORT, 'rule_check is append-only'); END"
        )


def downgrade() -> None:
    for table in ("rule_check", "legality_rule", "chip_fact"):
        op.drop_table(table)
