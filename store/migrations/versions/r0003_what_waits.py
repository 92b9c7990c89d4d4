"""The heartbeat says what waits for the machine and what will be due."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("heartbeat") as table:
        table.add_column(sa.Column("queue", sa.Text(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("heartbeat") as table:
        table.drop_column("queue")
