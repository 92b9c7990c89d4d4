"""Documentation of a target: releases of books with files and sections; claims, citations, their audits."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "book_release",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("book", sa.String(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("folder", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("previous_id", sa.Integer(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("compared", sa.Boolean(), nullable=False),
        sa.Column("brain", sa.String(), nullable=False),
        sa.Column("started_at", sa.Float(), nullable=False),
        sa.Column("finished_at", sa.Float(), nullable=True),
        sa.CheckConstraint("state IN ('reading', 'done')", name=op.f("ck_book_release_state_known")),
        sa.ForeignKeyConstraint(
            ["previous_id"], ["book_release.id"], name=op.f("fk_book_release_previous_id_book_release")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_book_release")),
        sa.UniqueConstraint("target", "book", "digest", name=op.f("uq_book_release_target_book_digest")),
    )
    op.create_index(op.f("ix_book_release_target"), "book_release", ["target"], unique=False)
    op.create_table(
        "book_document",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("release_id", sa.Integer(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("listed", sa.Boolean(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.CheckConstraint("state <> 'not_read' OR reason <> ''", name=op.f("ck_book_document_not_read_says_why")),
        sa.CheckConstraint(
            "state IN ('queued', 'read', 'claimed', 'not_read')", name=op.f("ck_book_document_state_known")
        ),
        sa.ForeignKeyConstraint(
            ["release_id"], ["book_release.id"], name=op.f("fk_book_document_release_id_book_release")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_book_document")),
        sa.UniqueConstraint("release_id", "path", name=op.f("uq_book_document_release_id_path")),
    )
    op.create_table(
        "claim",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("release_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("drafted", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.CheckConstraint(
            "state IN ('unaudited', 'supported', 'partly', 'dropped', 'stale')", name=op.f("ck_claim_state_known")
        ),
        sa.ForeignKeyConstraint(["release_id"], ["book_release.id"], name=op.f("fk_claim_release_id_book_release")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_claim")),
    )
    op.create_index(op.f("ix_claim_release_id"), "claim", ["release_id"], unique=False)
    op.create_index(op.f("ix_claim_state"), "claim", ["state"], unique=False)
    op.create_table(
        "book_section",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("document_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("anchor", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("headings", sa.Text(), nullable=False),
        sa.Column("blocks", sa.Text(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["document_id"], ["book_document.id"], name=op.f("fk_book_section_document_id_book_document")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_book_section")),
        sa.UniqueConstraint("document_id", "anchor", name=op.f("uq_book_section_document_id_anchor")),
        sa.UniqueConstraint("document_id", "seq", name=op.f("uq_book_section_document_id_seq")),
    )
    op.create_table(
        "book_unread",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("document_id", sa.Integer(), nullable=False),
        sa.Column("anchor", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.CheckConstraint("reason <> ''", name=op.f("ck_book_unread_says_why")),
        sa.ForeignKeyConstraint(
            ["document_id"], ["book_document.id"], name=op.f("fk_book_unread_document_id_book_document")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_book_unread")),
    )
    op.create_index(op.f("ix_book_unread_document_id"), "book_unread", ["document_id"], unique=False)
    op.create_table(
        "citation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("claim_id", sa.Integer(), nullable=False),
        sa.Column("release_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("document", sa.String(), nullable=False),
        sa.Column("anchor", sa.String(), nullable=False),
        sa.Column("span", sa.String(), nullable=False),
        sa.Column("span_sha256", sa.String(), nullable=False),
        sa.Column("script_check", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("change", sa.String(), nullable=False),
        sa.Column("previous_id", sa.Integer(), nullable=True),
        sa.Column("found", sa.String(), nullable=False),
        sa.CheckConstraint(
            "change IN ('', 'unchanged', 'moved', 'changed', 'gone')", name=op.f("ck_citation_change_known")
        ),
        sa.CheckConstraint("script_check IN ('passed', 'failed')", name=op.f("ck_citation_script_check_known")),
        sa.ForeignKeyConstraint(["claim_id"], ["claim.id"], name=op.f("fk_citation_claim_id_claim")),
        sa.ForeignKeyConstraint(["previous_id"], ["citation.id"], name=op.f("fk_citation_previous_id_citation")),
        sa.ForeignKeyConstraint(["release_id"], ["book_release.id"], name=op.f("fk_citation_release_id_book_release")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_citation")),
        sa.UniqueConstraint("claim_id", "release_id", "seq", name=op.f("uq_citation_claim_id_release_id_seq")),
    )
    op.create_index(op.f("ix_citation_claim_id"), "citation", ["claim_id"], unique=False)
    op.create_index(op.f("ix_citation_release_id"), "citation", ["release_id"], unique=False)
    op.create_table(
        "claim_audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("claim_id", sa.Integer(), nullable=False),
        sa.Column("auditor", sa.String(), nullable=False),
        sa.Column("method", sa.String(), nullable=False),
        sa.Column("lexical", sa.Boolean(), nullable=False),
        sa.Column("wording", sa.String(), nullable=False),
        sa.Column("verdict", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.CheckConstraint(
            "verdict IN ('supported', 'partly', 'unsupported', 'contradicted')",
            name=op.f("ck_claim_audit_verdict_known"),
        ),
        sa.ForeignKeyConstraint(["claim_id"], ["claim.id"], name=op.f("fk_claim_audit_claim_id_claim")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_claim_audit")),
    )
    op.create_index(op.f("ix_claim_audit_claim_id"), "claim_audit", ["claim_id"], unique=False)


def downgrade() -> None:
    for table in ("claim_audit", "citation", "claim", "book_unread", "book_section", "book_document", "book_release"):
        op.drop_table(table)
