"""The first schema. `pair` and `event` are append-only: triggers refuse to change what was written."""

import sqlalchemy as sa
from alembic import op


revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

APPEND_ONLY = ("pair", "event")


def upgrade() -> None:
    op.create_table(
        "campaign",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("pack", sa.String(), nullable=False),
        sa.Column("pack_digest", sa.String(), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("toolchain", sa.String(), nullable=False),
        sa.Column("device", sa.String(), nullable=False),
        sa.Column("brain", sa.String(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("mode", sa.String(), nullable=False),
        sa.Column("sandbox_level", sa.String(), nullable=False),
        sa.Column("minutes", sa.Float(), nullable=False),
        sa.Column("candidates_budget", sa.Integer(), nullable=False),
        sa.Column("usd_budget", sa.Float(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("elapsed_s", sa.Float(), nullable=False),
        sa.Column("started_at", sa.Float(), nullable=False),
        sa.Column("ended_at", sa.Float(), nullable=True),
        sa.Column("stopped_because", sa.String(), nullable=False),
        sa.CheckConstraint(
            "state IN ('running', 'pausing', 'paused', 'stopping', 'finished', 'interrupted')",
            name=op.f("ck_campaign_state_known"),
        ),
        sa.CheckConstraint(
            "minutes >= 0 AND candidates_budget >= 0 AND usd_budget >= 0 AND elapsed_s >= 0",
            name=op.f("ck_campaign_budgets_not_negative"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_campaign")),
    )
    with op.batch_alter_table("campaign", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_campaign_state"), ["state"], unique=False)

    op.create_table(
        "candidate",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("kernel", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("main", sa.String(), nullable=False),
        sa.Column("flags", sa.Text(), nullable=False),
        sa.Column("launch", sa.Text(), nullable=False),
        sa.Column("files", sa.String(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("machine_code", sa.String(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.CheckConstraint("length(id) = 32", name=op.f("ck_candidate_id_is_content")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_candidate")),
    )
    with op.batch_alter_table("candidate", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_candidate_kernel"), ["kernel"], unique=False)
        batch_op.create_index(batch_op.f("ix_candidate_machine_code"), ["machine_code"], unique=False)

    op.create_table(
        "command",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("verb", sa.String(), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("args", sa.Text(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("result", sa.String(), nullable=False),
        sa.Column("taken_at", sa.Float(), nullable=True),
        sa.Column("finished_at", sa.Float(), nullable=True),
        sa.CheckConstraint(
            "state IN ('queued', 'taken', 'done', 'refused', 'interrupted')", name=op.f("ck_command_state_known")
        ),
        sa.CheckConstraint("verb <> ''", name=op.f("ck_command_has_verb")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_command")),
    )
    with op.batch_alter_table("command", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_command_state"), ["state"], unique=False)

    op.create_table(
        "setting",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_setting")),
    )
    op.create_table(
        "agent",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("kernel", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("brief", sa.String(), nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("since", sa.Float(), nullable=False),
        sa.Column("seen_at", sa.Float(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("usd", sa.Float(), nullable=False),
        sa.CheckConstraint(
            "state IN ('working', 'waiting', 'pausing', 'paused', 'killed', 'crashed', 'done', 'interrupted')",
            name=op.f("ck_agent_state_known"),
        ),
        sa.CheckConstraint("tokens >= 0 AND usd >= 0", name=op.f("ck_agent_counts_not_negative")),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_agent_campaign_id_campaign")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_agent")),
        sa.UniqueConstraint("campaign_id", "name", name=op.f("uq_agent_campaign_id_name")),
    )
    op.create_table(
        "brief",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("kernel", sa.String(), nullable=False),
        sa.Column("lever", sa.String(), nullable=False),
        sa.Column("params", sa.Text(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("parent_node_id", sa.Integer(), nullable=True),
        sa.Column("priority", sa.Float(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("agent", sa.String(), nullable=False),
        sa.Column("result", sa.String(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("taken_at", sa.Float(), nullable=True),
        sa.Column("finished_at", sa.Float(), nullable=True),
        sa.CheckConstraint(
            "state IN ('queued', 'taken', 'done', 'dropped', 'interrupted')", name=op.f("ck_brief_state_known")
        ),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_brief_campaign_id_campaign")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_brief")),
    )
    with op.batch_alter_table("brief", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_brief_campaign_id"), ["campaign_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_brief_state"), ["state"], unique=False)

    op.create_table(
        "event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_event_campaign_id_campaign")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "heartbeat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=True),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("boot_id", sa.String(), nullable=False),
        sa.Column("started_at", sa.Float(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("loop_lag_ms", sa.Float(), nullable=False),
        sa.Column("holder", sa.String(), nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_heartbeat_only_one")),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_heartbeat_campaign_id_campaign")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_heartbeat")),
    )
    op.create_table(
        "kernel_state",
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("kernel", sa.String(), nullable=False),
        sa.Column("baseline_id", sa.String(), nullable=True),
        sa.Column("baseline_ns", sa.Float(), nullable=True),
        sa.Column("head_ns", sa.Float(), nullable=True),
        sa.Column("plateau", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("paused", sa.Boolean(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "(baseline_ns IS NULL OR baseline_ns > 0) AND (head_ns IS NULL OR head_ns > 0)",
            name=op.f("ck_kernel_state_times_positive"),
        ),
        sa.CheckConstraint("plateau >= 0", name=op.f("ck_kernel_state_plateau_not_negative")),
        sa.ForeignKeyConstraint(["baseline_id"], ["candidate.id"], name=op.f("fk_kernel_state_baseline_id_candidate")),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_kernel_state_campaign_id_campaign")),
        sa.PrimaryKeyConstraint("campaign_id", "kernel", name=op.f("pk_kernel_state")),
    )
    op.create_table(
        "memory",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("kernel_type", sa.String(), nullable=False),
        sa.Column("kernel", sa.String(), nullable=False),
        sa.Column("lever", sa.String(), nullable=False),
        sa.Column("strategy", sa.String(), nullable=False),
        sa.Column("reflection", sa.String(), nullable=False),
        sa.Column("gain", sa.Float(), nullable=True),
        sa.Column("campaign_id", sa.Integer(), nullable=True),
        sa.Column("candidate_id", sa.String(), nullable=True),
        sa.Column("at", sa.Float(), nullable=False),
        sa.CheckConstraint("kind IN ('win', 'trap')", name=op.f("ck_memory_kind_known")),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_memory_campaign_id_campaign")),
        sa.ForeignKeyConstraint(["candidate_id"], ["candidate.id"], name=op.f("fk_memory_candidate_id_candidate")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_memory")),
    )
    op.create_table(
        "peak",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("kernel", sa.String(), nullable=False),
        sa.Column("style", sa.String(), nullable=False),
        sa.Column("ns", sa.Float(), nullable=False),
        sa.Column("gbs", sa.Float(), nullable=False),
        sa.Column("mode", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("styles", sa.Text(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.CheckConstraint("ns > 0 AND gbs > 0", name=op.f("ck_peak_ns_positive")),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_peak_campaign_id_campaign")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_peak")),
    )
    with op.batch_alter_table("peak", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_peak_campaign_id"), ["campaign_id"], unique=False)

    op.create_table(
        "usage",
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("category", sa.String(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.CheckConstraint("seconds >= 0", name=op.f("ck_usage_seconds_not_negative")),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_usage_campaign_id_campaign")),
        sa.PrimaryKeyConstraint("campaign_id", "category", name=op.f("pk_usage")),
    )
    op.create_table(
        "agent_line",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("agent_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["agent_id"], ["agent.id"], name=op.f("fk_agent_line_agent_id_agent")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_agent_line")),
    )
    with op.batch_alter_table("agent_line", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_agent_line_agent_id"), ["agent_id"], unique=False)

    op.create_table(
        "node",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("kernel", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("parent_id", sa.Integer(), nullable=True),
        sa.Column("root_id", sa.Integer(), nullable=True),
        sa.Column("depth", sa.Integer(), nullable=False),
        sa.Column("candidate_id", sa.String(), nullable=True),
        sa.Column("lever", sa.String(), nullable=False),
        sa.Column("lever_params", sa.Text(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("prediction", sa.String(), nullable=False),
        sa.Column("agent", sa.String(), nullable=False),
        sa.Column("brief_id", sa.Integer(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("verdict", sa.String(), nullable=False),
        sa.Column("under_parent", sa.String(), nullable=True),
        sa.Column("gain", sa.Float(), nullable=True),
        sa.Column("low", sa.Float(), nullable=True),
        sa.Column("high", sa.Float(), nullable=True),
        sa.Column("tainted", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("finished_at", sa.Float(), nullable=True),
        sa.CheckConstraint("kind IN ('idea', 'design', 'variant')", name=op.f("ck_node_kind_known")),
        sa.CheckConstraint(
            "outcome IN ('', 'REJECT', 'REVERT', 'ACCEPT', 'KEEP', 'INVALID')", name=op.f("ck_node_outcome_known")
        ),
        sa.CheckConstraint(
            "state <> 'done' OR kind = 'idea' OR candidate_id IS NULL OR outcome <> ''", name=op.f("ck_node_done_has_outcome")
        ),
        sa.CheckConstraint(
            "state IN ('queued', 'gates', 'testing', 'done', 'interrupted')", name=op.f("ck_node_state_known")
        ),
        sa.CheckConstraint(
            "verdict IN ('', 'FASTER', 'SLOWER', 'FLAT', 'UNCLEAR', 'INVALID')", name=op.f("ck_node_verdict_known")
        ),
        sa.CheckConstraint("depth >= 0", name=op.f("ck_node_depth_not_negative")),
        sa.CheckConstraint("parent_id IS NULL OR parent_id <> id", name=op.f("ck_node_not_its_own_parent")),
        sa.ForeignKeyConstraint(["brief_id"], ["brief.id"], name=op.f("fk_node_brief_id_brief")),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_node_campaign_id_campaign")),
        sa.ForeignKeyConstraint(["candidate_id"], ["candidate.id"], name=op.f("fk_node_candidate_id_candidate")),
        sa.ForeignKeyConstraint(["parent_id"], ["node.id"], name=op.f("fk_node_parent_id_node")),
        sa.ForeignKeyConstraint(["root_id"], ["node.id"], name=op.f("fk_node_root_id_node")),
        sa.ForeignKeyConstraint(["under_parent"], ["candidate.id"], name=op.f("fk_node_under_parent_candidate")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_node")),
    )
    with op.batch_alter_table("node", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_node_campaign_id"), ["campaign_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_node_candidate_id"), ["candidate_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_node_parent_id"), ["parent_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_node_state"), ["state"], unique=False)

    op.create_table(
        "gate_report",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("node_id", sa.Integer(), nullable=False),
        sa.Column("gate", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("findings", sa.Text(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.CheckConstraint(
            "gate IN ('source', 'legality', 'compile', 'estimate', 'correct', 'trace', 'batch')",
            name=op.f("ck_gate_report_gate_known"),
        ),
        sa.CheckConstraint(
            "state = 'passed' OR reason <> '' OR kind <> ''", name=op.f("ck_gate_report_refusal_says_why")
        ),
        sa.CheckConstraint("state IN ('passed', 'refused', 'skipped')", name=op.f("ck_gate_report_state_known")),
        sa.CheckConstraint("seconds >= 0", name=op.f("ck_gate_report_seconds_not_negative")),
        sa.ForeignKeyConstraint(["node_id"], ["node.id"], name=op.f("fk_gate_report_node_id_node")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_gate_report")),
    )
    with op.batch_alter_table("gate_report", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_gate_report_node_id"), ["node_id"], unique=False)

    op.create_table(
        "test",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("kernel", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("node_id", sa.Integer(), nullable=True),
        sa.Column("candidate_id", sa.String(), nullable=False),
        sa.Column("head_id", sa.String(), nullable=False),
        sa.Column("lever", sa.String(), nullable=False),
        sa.Column("agent", sa.String(), nullable=False),
        sa.Column("rule", sa.String(), nullable=False),
        sa.Column("seed", sa.String(), nullable=False),
        sa.Column("pairs_budget", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("verdict", sa.String(), nullable=False),
        sa.Column("no_sign", sa.Boolean(), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("estimate", sa.Float(), nullable=True),
        sa.Column("low", sa.Float(), nullable=True),
        sa.Column("high", sa.Float(), nullable=True),
        sa.Column("next_look", sa.Integer(), nullable=True),
        sa.Column("device_seconds", sa.Float(), nullable=False),
        sa.Column("mode", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("started_at", sa.Float(), nullable=False),
        sa.Column("finished_at", sa.Float(), nullable=True),
        sa.CheckConstraint(
            "kind IN ('acceptance', 'confirmation', 'ledger', 'batch', 'placebo', 'calibration')",
            name=op.f("ck_test_kind_known"),
        ),
        sa.CheckConstraint(
            "state <> 'done' OR verdict <> '' OR kind IN ('ledger', 'calibration', 'batch')",
            name=op.f("ck_test_done_has_verdict_or_is_fixed"),
        ),
        sa.CheckConstraint("state IN ('running', 'done', 'interrupted')", name=op.f("ck_test_state_known")),
        sa.CheckConstraint(
            "verdict IN ('', 'FASTER', 'SLOWER', 'FLAT', 'UNCLEAR', 'INVALID')", name=op.f("ck_test_verdict_known")
        ),
        sa.CheckConstraint("pairs_budget >= 0 AND device_seconds >= 0", name=op.f("ck_test_counts_not_negative")),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_test_campaign_id_campaign")),
        sa.ForeignKeyConstraint(["candidate_id"], ["candidate.id"], name=op.f("fk_test_candidate_id_candidate")),
        sa.ForeignKeyConstraint(["head_id"], ["candidate.id"], name=op.f("fk_test_head_id_candidate")),
        sa.ForeignKeyConstraint(["node_id"], ["node.id"], name=op.f("fk_test_node_id_node")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_test")),
    )
    with op.batch_alter_table("test", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_test_campaign_id"), ["campaign_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_test_candidate_id"), ["candidate_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_test_node_id"), ["node_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_test_state"), ["state"], unique=False)

    op.create_table(
        "ledger",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("kernel", sa.String(), nullable=False),
        sa.Column("head_id", sa.String(), nullable=False),
        sa.Column("against", sa.String(), nullable=False),
        sa.Column("against_id", sa.String(), nullable=False),
        sa.Column("test_id", sa.Integer(), nullable=True),
        sa.Column("speedup", sa.Float(), nullable=False),
        sa.Column("low", sa.Float(), nullable=False),
        sa.Column("high", sa.Float(), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("head_ns", sa.Float(), nullable=True),
        sa.Column("against_ns", sa.Float(), nullable=True),
        sa.Column("mode", sa.String(), nullable=False),
        sa.Column("pairs", sa.Integer(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.CheckConstraint("against IN ('baseline', 'previous')", name=op.f("ck_ledger_against_known")),
        sa.CheckConstraint("pairs > 0", name=op.f("ck_ledger_pairs_positive")),
        sa.CheckConstraint("speedup > 0 AND low > 0 AND high >= low", name=op.f("ck_ledger_speedup_positive")),
        sa.ForeignKeyConstraint(["against_id"], ["candidate.id"], name=op.f("fk_ledger_against_id_candidate")),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_ledger_campaign_id_campaign")),
        sa.ForeignKeyConstraint(["head_id"], ["candidate.id"], name=op.f("fk_ledger_head_id_candidate")),
        sa.ForeignKeyConstraint(["test_id"], ["test.id"], name=op.f("fk_ledger_test_id_test")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ledger")),
    )
    with op.batch_alter_table("ledger", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_ledger_campaign_id"), ["campaign_id"], unique=False)

    op.create_table(
        "pair",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("test_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("first", sa.String(), nullable=False),
        sa.Column("head_ns", sa.Float(), nullable=True),
        sa.Column("candidate_ns", sa.Float(), nullable=True),
        sa.Column("log_ratio", sa.Float(), nullable=True),
        sa.Column("head_reading", sa.Text(), nullable=False),
        sa.Column("candidate_reading", sa.Text(), nullable=False),
        sa.Column("probe_before_gbs", sa.Float(), nullable=False),
        sa.Column("probe_after_gbs", sa.Float(), nullable=False),
        sa.Column("mode", sa.String(), nullable=False),
        sa.Column("redo_reason", sa.String(), nullable=False),
        sa.Column("environment", sa.Text(), nullable=False),
        sa.Column("score", sa.Float(), nullable=True),
        sa.Column("at", sa.Float(), nullable=False),
        sa.CheckConstraint("first IN ('head', 'candidate')", name=op.f("ck_pair_first_known")),
        sa.CheckConstraint(
            "redo_reason <> '' OR (head_ns IS NOT NULL AND candidate_ns IS NOT NULL AND log_ratio IS NOT NULL AND head_ns > 0 AND candidate_ns > 0)",
            name=op.f("ck_pair_kept_is_positive"),
        ),
        sa.CheckConstraint("seq >= 0", name=op.f("ck_pair_seq_not_negative")),
        sa.ForeignKeyConstraint(["test_id"], ["test.id"], name=op.f("fk_pair_test_id_test")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pair")),
        sa.UniqueConstraint("test_id", "seq", name=op.f("uq_pair_test_id_seq")),
    )
    op.create_table(
        "promotion",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("kernel", sa.String(), nullable=False),
        sa.Column("candidate_id", sa.String(), nullable=False),
        sa.Column("node_id", sa.Integer(), nullable=False),
        sa.Column("test_id", sa.Integer(), nullable=True),
        sa.Column("previous_head", sa.String(), nullable=False),
        sa.Column("gain", sa.Float(), nullable=True),
        sa.Column("low", sa.Float(), nullable=True),
        sa.Column("high", sa.Float(), nullable=True),
        sa.Column("fresh_gain", sa.Float(), nullable=True),
        sa.Column("fresh_low", sa.Float(), nullable=True),
        sa.Column("fresh_high", sa.Float(), nullable=True),
        sa.Column("head_ns", sa.Float(), nullable=True),
        sa.Column("mode", sa.String(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("demoted_at", sa.Float(), nullable=True),
        sa.Column("demoted_why", sa.String(), nullable=False),
        sa.CheckConstraint("demoted_at IS NULL OR demoted_why <> ''", name=op.f("ck_promotion_demotion_says_why")),
        sa.CheckConstraint("candidate_id <> previous_head", name=op.f("ck_promotion_head_moves")),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_promotion_campaign_id_campaign")),
        sa.ForeignKeyConstraint(["candidate_id"], ["candidate.id"], name=op.f("fk_promotion_candidate_id_candidate")),
        sa.ForeignKeyConstraint(["node_id"], ["node.id"], name=op.f("fk_promotion_node_id_node")),
        sa.ForeignKeyConstraint(["previous_head"], ["candidate.id"], name=op.f("fk_promotion_previous_head_candidate")),
        sa.ForeignKeyConstraint(["test_id"], ["test.id"], name=op.f("fk_promotion_test_id_test")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_promotion")),
        sa.UniqueConstraint("test_id", name=op.f("uq_promotion_test_id")),
    )
    with op.batch_alter_table("promotion", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_promotion_campaign_id"), ["campaign_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_promotion_node_id"), ["node_id"], unique=False)

    op.create_table(
        "filing",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("kernel", sa.String(), nullable=False),
        sa.Column("node_id", sa.Integer(), nullable=True),
        sa.Column("promotion_id", sa.Integer(), nullable=True),
        sa.Column("candidate_id", sa.String(), nullable=False),
        sa.Column("lever", sa.String(), nullable=False),
        sa.Column("filed_at", sa.Float(), nullable=False),
        sa.Column("gain", sa.Float(), nullable=True),
        sa.Column("low", sa.Float(), nullable=True),
        sa.Column("high", sa.Float(), nullable=True),
        sa.Column("ledger_speedup", sa.Float(), nullable=True),
        sa.Column("times_peak", sa.Float(), nullable=True),
        sa.Column("device", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("tainted", sa.Boolean(), nullable=False),
        sa.CheckConstraint("kind IN ('promotion', 'submission')", name=op.f("ck_filing_kind_known")),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name=op.f("fk_filing_campaign_id_campaign")),
        sa.ForeignKeyConstraint(["candidate_id"], ["candidate.id"], name=op.f("fk_filing_candidate_id_candidate")),
        sa.ForeignKeyConstraint(["node_id"], ["node.id"], name=op.f("fk_filing_node_id_node")),
        sa.ForeignKeyConstraint(["promotion_id"], ["promotion.id"], name=op.f("fk_filing_promotion_id_promotion")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_filing")),
    )
    with op.batch_alter_table("filing", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_filing_campaign_id"), ["campaign_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_filing_filed_at"), ["filed_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_filing_kernel"), ["kernel"], unique=False)
    for table in APPEND_ONLY:
        for act in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )


def downgrade() -> None:
    raise NotImplementedError("there is nothing before the first schema")
