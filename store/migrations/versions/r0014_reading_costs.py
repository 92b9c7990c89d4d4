"""Requests of models that read a book outside of any campaign."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("llm_call") as table:
        table.alter_column("campaign_id", existing_type=sa.Integer(), nullable=True)
        table.add_column(sa.Column("release_id", sa.Integer(), nullable=True))
        table.create_foreign_key("fk_llm_call_release_id_book_release", "book_release", ["release_id"], ["id"])
        table.create_check_constraint("one_account", "(campaign_id IS NULL) <> (release_id IS NULL)")
    op.create_index("ix_llm_call_release_id", "llm_call", ["release_id"])


def downgrade() -> None:
    op.drop_index("ix_llm_call_release_id", "llm_call")
    op.execute("DELETE FROM llm_call WHERE campaign_id IS NULL")
    with op.batch_alter_table("llm_call") as table:
        table.drop_constraint("one_account", type_="check")
        table.drop_column("release_id")
        table.alter_column("campaign_id", existing_type=sa.Integer(), nullable=False)
