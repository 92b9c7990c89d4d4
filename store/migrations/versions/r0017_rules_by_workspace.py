"""Legality rules of one workspace stand beside those of another, and beside what ships, under the same name."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("legality_rule") as table:
        table.add_column(sa.Column("workspace", sa.String(), nullable=False, server_default=""))
        table.drop_constraint(op.f("uq_legality_rule_target_name"), type_="unique")
        table.create_unique_constraint(
            op.f("uq_legality_rule_target_name_workspace"), ["target", "name", "workspace"]
        )


def downgrade() -> None:
    op.execute(
        "DELETE FROM rule_check WHERE rule_id IN (SELECT id FROM legality_rule AS r WHERE EXISTS (SELECT 1 FROM"
        " legality_rule AS o WHERE o.target = r.target AND o.name = r.name AND o.workspace < r.workspace))"
    )
    op.execute(
        "DELETE FROM legality_rule WHERE EXISTS (SELECT 1 FROM legality_rule AS o WHERE o.target ="
        " legality_rule.target AND o.name = legality_rule.name AND o.workspace < legality_rule.workspace)"
    )
    with op.batch_alter_table("legality_rule") as table:
        table.drop_constraint(op.f("uq_legality_rule_target_name_workspace"), type_="unique")
        table.drop_column("workspace")
        table.create_unique_constraint(op.f("uq_legality_rule_target_name"), ["target", "name"])
