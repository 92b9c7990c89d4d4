"""A kernel without a numpy reference says who judges it."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("kernel_state") as table:
        table.add_column(sa.Column("reference", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    with op.batch_alter_table("kernel_state") as table:
        table.drop_column("reference")
