"""What a proposal promised, as numbers beside its text."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("node", sa.Column("expected_gain", sa.Float(), nullable=True))
    op.add_column("node", sa.Column("expected_chance", sa.Float(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("node") as batch:
        batch.drop_column("expected_chance")
        batch.drop_column("expected_gain")
