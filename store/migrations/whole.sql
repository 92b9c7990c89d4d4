CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL,
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);

CREATE TABLE campaign (
	id INTEGER NOT NULL,
	pack VARCHAR NOT NULL,
	pack_digest VARCHAR NOT NULL,
	target VARCHAR NOT NULL,
	fingerprint VARCHAR NOT NULL,
	toolchain VARCHAR NOT NULL,
	device VARCHAR NOT NULL,
	brain VARCHAR NOT NULL,
	seed INTEGER NOT NULL,
	state VARCHAR NOT NULL,
	mode VARCHAR NOT NULL,
	sandbox_level VARCHAR NOT NULL,
	minutes FLOAT NOT NULL,
	candidates_budget INTEGER NOT NULL,
	usd_budget FLOAT NOT NULL,
	options TEXT NOT NULL,
	elapsed_s FLOAT NOT NULL,
	started_at FLOAT NOT NULL,
	ended_at FLOAT,
	stopped_because VARCHAR NOT NULL, tokens_budget INTEGER NOT NULL DEFAULT 0, book VARCHAR DEFAULT '' NOT NULL,
	CONSTRAINT pk_campaign PRIMARY KEY (id),
	CONSTRAINT ck_campaign_state_known CHECK (state IN ('running', 'pausing', 'paused', 'stopping', 'finished', 'interrupted')),
	CONSTRAINT ck_campaign_budgets_not_negative CHECK (minutes >= 0 AND candidates_budget >= 0 AND usd_budget >= 0 AND elapsed_s >= 0)
);

CREATE INDEX ix_campaign_state ON campaign (state);

CREATE TABLE candidate (
	id VARCHAR NOT NULL,
	kernel VARCHAR NOT NULL,
	language VARCHAR NOT NULL,
	main VARCHAR NOT NULL,
	flags TEXT NOT NULL,
	launch TEXT NOT NULL,
	files VARCHAR NOT NULL,
	size INTEGER NOT NULL,
	machine_code VARCHAR NOT NULL,
	created_at FLOAT NOT NULL,
	CONSTRAINT pk_candidate PRIMARY KEY (id),
	CONSTRAINT ck_candidate_id_is_content CHECK (length(id) = 32)
);

CREATE INDEX ix_candidate_kernel ON candidate (kernel);

CREATE INDEX ix_candidate_machine_code ON candidate (machine_code);

CREATE TABLE command (
	id INTEGER NOT NULL,
	at FLOAT NOT NULL,
	actor VARCHAR NOT NULL,
	verb VARCHAR NOT NULL,
	target VARCHAR NOT NULL,
	args TEXT NOT NULL,
	state VARCHAR NOT NULL,
	result VARCHAR NOT NULL,
	taken_at FLOAT,
	finished_at FLOAT,
	CONSTRAINT pk_command PRIMARY KEY (id),
	CONSTRAINT ck_command_state_known CHECK (state IN ('queued', 'taken', 'done', 'refused', 'interrupted')),
	CONSTRAINT ck_command_has_verb CHECK (verb <> '')
);

CREATE INDEX ix_command_state ON command (state);

CREATE TABLE setting (
	name VARCHAR NOT NULL,
	value TEXT NOT NULL,
	at FLOAT NOT NULL,
	CONSTRAINT pk_setting PRIMARY KEY (name)
);

CREATE TABLE agent (
	id INTEGER NOT NULL,
	campaign_id INTEGER NOT NULL,
	name VARCHAR NOT NULL,
	role VARCHAR NOT NULL,
	kernel VARCHAR NOT NULL,
	state VARCHAR NOT NULL,
	brief VARCHAR NOT NULL,
	step VARCHAR NOT NULL,
	since FLOAT NOT NULL,
	seen_at FLOAT NOT NULL,
	tokens INTEGER NOT NULL,
	usd FLOAT NOT NULL,
	CONSTRAINT pk_agent PRIMARY KEY (id),
	CONSTRAINT ck_agent_state_known CHECK (state IN ('working', 'waiting', 'pausing', 'paused', 'killed', 'crashed', 'done', 'interrupted')),
	CONSTRAINT ck_agent_counts_not_negative CHECK (tokens >= 0 AND usd >= 0),
	CONSTRAINT fk_agent_campaign_id_campaign FOREIGN KEY(campaign_id) REFERENCES campaign (id),
	CONSTRAINT uq_agent_campaign_id_name UNIQUE (campaign_id, name)
);

CREATE TABLE brief (
	id INTEGER NOT NULL,
	campaign_id INTEGER NOT NULL,
	kernel VARCHAR NOT NULL,
	lever VARCHAR NOT NULL,
	params TEXT NOT NULL,
	text VARCHAR NOT NULL,
	author VARCHAR NOT NULL,
	parent_node_id INTEGER,
	priority FLOAT NOT NULL,
	state VARCHAR NOT NULL,
	agent VARCHAR NOT NULL,
	result VARCHAR NOT NULL,
	created_at FLOAT NOT NULL,
	taken_at FLOAT,
	finished_at FLOAT,
	CONSTRAINT pk_brief PRIMARY KEY (id),
	CONSTRAINT ck_brief_state_known CHECK (state IN ('queued', 'taken', 'done', 'dropped', 'interrupted')),
	CONSTRAINT fk_brief_campaign_id_campaign FOREIGN KEY(campaign_id) REFERENCES campaign (id)
);

CREATE INDEX ix_brief_campaign_id ON brief (campaign_id);

CREATE INDEX ix_brief_state ON brief (state);

CREATE TABLE event (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	campaign_id INTEGER,
	at FLOAT NOT NULL,
	kind VARCHAR NOT NULL,
	subject VARCHAR NOT NULL,
	text VARCHAR NOT NULL,
	data TEXT NOT NULL,
	CONSTRAINT fk_event_campaign_id_campaign FOREIGN KEY(campaign_id) REFERENCES campaign (id)
);

CREATE TABLE heartbeat (
	id INTEGER NOT NULL,
	campaign_id INTEGER,
	pid INTEGER NOT NULL,
	host VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	started_at FLOAT NOT NULL,
	at FLOAT NOT NULL,
	loop_lag_ms FLOAT NOT NULL,
	holder VARCHAR NOT NULL, queue TEXT,
	CONSTRAINT pk_heartbeat PRIMARY KEY (id),
	CONSTRAINT ck_heartbeat_only_one CHECK (id = 1),
	CONSTRAINT fk_heartbeat_campaign_id_campaign FOREIGN KEY(campaign_id) REFERENCES campaign (id)
);

CREATE TABLE peak (
	id INTEGER NOT NULL,
	campaign_id INTEGER NOT NULL,
	kernel VARCHAR NOT NULL,
	style VARCHAR NOT NULL,
	ns FLOAT NOT NULL,
	gbs FLOAT NOT NULL,
	mode VARCHAR NOT NULL,
	fingerprint VARCHAR NOT NULL,
	styles TEXT NOT NULL,
	at FLOAT NOT NULL,
	CONSTRAINT pk_peak PRIMARY KEY (id),
	CONSTRAINT ck_peak_ns_positive CHECK (ns > 0 AND gbs > 0),
	CONSTRAINT fk_peak_campaign_id_campaign FOREIGN KEY(campaign_id) REFERENCES campaign (id)
);

CREATE INDEX ix_peak_campaign_id ON peak (campaign_id);

CREATE TABLE usage (
	campaign_id INTEGER NOT NULL,
	category VARCHAR NOT NULL,
	seconds FLOAT NOT NULL,
	CONSTRAINT pk_usage PRIMARY KEY (campaign_id, category),
	CONSTRAINT ck_usage_seconds_not_negative CHECK (seconds >= 0),
	CONSTRAINT fk_usage_campaign_id_campaign FOREIGN KEY(campaign_id) REFERENCES campaign (id)
);

CREATE TABLE agent_line (
	id INTEGER NOT NULL,
	agent_id INTEGER NOT NULL,
	at FLOAT NOT NULL,
	text VARCHAR NOT NULL,
	CONSTRAINT pk_agent_line PRIMARY KEY (id),
	CONSTRAINT fk_agent_line_agent_id_agent FOREIGN KEY(agent_id) REFERENCES agent (id)
);

CREATE INDEX ix_agent_line_agent_id ON agent_line (agent_id);

CREATE TABLE node (
	id INTEGER NOT NULL,
	campaign_id INTEGER NOT NULL,
	kernel VARCHAR NOT NULL,
	kind VARCHAR NOT NULL,
	parent_id INTEGER,
	root_id INTEGER,
	depth INTEGER NOT NULL,
	candidate_id VARCHAR,
	lever VARCHAR NOT NULL,
	lever_params TEXT NOT NULL,
	title VARCHAR NOT NULL,
	reason VARCHAR NOT NULL,
	prediction VARCHAR NOT NULL,
	agent VARCHAR NOT NULL,
	brief_id INTEGER,
	state VARCHAR NOT NULL,
	outcome VARCHAR NOT NULL,
	verdict VARCHAR NOT NULL,
	under_parent VARCHAR,
	gain FLOAT,
	low FLOAT,
	high FLOAT,
	tainted BOOLEAN NOT NULL,
	created_at FLOAT NOT NULL,
	finished_at FLOAT, refusal VARCHAR DEFAULT '' NOT NULL, taint VARCHAR DEFAULT '' NOT NULL, taint_root INTEGER, expected_gain FLOAT, expected_chance FLOAT, fingerprint VARCHAR DEFAULT '' NOT NULL,
	CONSTRAINT pk_node PRIMARY KEY (id),
	CONSTRAINT ck_node_kind_known CHECK (kind IN ('idea', 'design', 'variant')),
	CONSTRAINT ck_node_outcome_known CHECK (outcome IN ('', 'REJECT', 'REVERT', 'ACCEPT', 'KEEP', 'INVALID')),
	CONSTRAINT ck_node_done_has_outcome CHECK (state <> 'done' OR kind = 'idea' OR candidate_id IS NULL OR outcome <> ''),
	CONSTRAINT ck_node_state_known CHECK (state IN ('queued', 'gates', 'testing', 'done', 'interrupted')),
	CONSTRAINT ck_node_verdict_known CHECK (verdict IN ('', 'FASTER', 'SLOWER', 'FLAT', 'UNCLEAR', 'INVALID')),
	CONSTRAINT ck_node_depth_not_negative CHECK (depth >= 0),
	CONSTRAINT ck_node_not_its_own_parent CHECK (parent_id IS NULL OR parent_id <> id),
	CONSTRAINT fk_node_brief_id_brief FOREIGN KEY(brief_id) REFERENCES brief (id),
	CONSTRAINT fk_node_campaign_id_campaign FOREIGN KEY(campaign_id) REFERENCES campaign (id),
	CONSTRAINT fk_node_candidate_id_candidate FOREIGN KEY(candidate_id) REFERENCES candidate (id),
	CONSTRAINT fk_node_parent_id_node FOREIGN KEY(parent_id) REFERENCES node (id),
	CONSTRAINT fk_node_root_id_node FOREIGN KEY(root_id) REFERENCES node (id),
	CONSTRAINT fk_node_under_parent_candidate FOREIGN KEY(under_parent) REFERENCES candidate (id)
);

CREATE INDEX ix_node_campaign_id ON node (campaign_id);

CREATE INDEX ix_node_candidate_id ON node (candidate_id);

CREATE INDEX ix_node_parent_id ON node (parent_id);

CREATE INDEX ix_node_state ON node (state);

CREATE TABLE gate_report (
	id INTEGER NOT NULL,
	node_id INTEGER NOT NULL,
	gate VARCHAR NOT NULL,
	state VARCHAR NOT NULL,
	kind VARCHAR NOT NULL,
	reason VARCHAR NOT NULL,
	seconds FLOAT NOT NULL,
	facts TEXT NOT NULL,
	findings TEXT NOT NULL,
	at FLOAT NOT NULL,
	CONSTRAINT pk_gate_report PRIMARY KEY (id),
	CONSTRAINT ck_gate_report_gate_known CHECK (gate IN ('source', 'legality', 'compile', 'estimate', 'correct', 'trace', 'batch')),
	CONSTRAINT ck_gate_report_refusal_says_why CHECK (state = 'passed' OR reason <> '' OR kind <> ''),
	CONSTRAINT ck_gate_report_state_known CHECK (state IN ('passed', 'refused', 'skipped')),
	CONSTRAINT ck_gate_report_seconds_not_negative CHECK (seconds >= 0),
	CONSTRAINT fk_gate_report_node_id_node FOREIGN KEY(node_id) REFERENCES node (id)
);

CREATE INDEX ix_gate_report_node_id ON gate_report (node_id);

CREATE TABLE test (
	id INTEGER NOT NULL,
	campaign_id INTEGER NOT NULL,
	kernel VARCHAR NOT NULL,
	kind VARCHAR NOT NULL,
	node_id INTEGER,
	candidate_id VARCHAR NOT NULL,
	head_id VARCHAR NOT NULL,
	lever VARCHAR NOT NULL,
	agent VARCHAR NOT NULL,
	rule VARCHAR NOT NULL,
	seed VARCHAR NOT NULL,
	pairs_budget INTEGER NOT NULL,
	state VARCHAR NOT NULL,
	verdict VARCHAR NOT NULL,
	no_sign BOOLEAN NOT NULL,
	score FLOAT NOT NULL,
	estimate FLOAT,
	low FLOAT,
	high FLOAT,
	next_look INTEGER,
	device_seconds FLOAT NOT NULL,
	mode VARCHAR NOT NULL,
	reason VARCHAR NOT NULL,
	started_at FLOAT NOT NULL,
	finished_at FLOAT, fingerprint VARCHAR DEFAULT '' NOT NULL,
	CONSTRAINT pk_test PRIMARY KEY (id),
	CONSTRAINT ck_test_kind_known CHECK (kind IN ('acceptance', 'confirmation', 'ledger', 'batch', 'placebo', 'calibration')),
	CONSTRAINT ck_test_done_has_verdict_or_is_fixed CHECK (state <> 'done' OR verdict <> '' OR kind IN ('ledger', 'calibration', 'batch')),
	CONSTRAINT ck_test_state_known CHECK (state IN ('running', 'done', 'interrupted')),
	CONSTRAINT ck_test_verdict_known CHECK (verdict IN ('', 'FASTER', 'SLOWER', 'FLAT', 'UNCLEAR', 'INVALID')),
	CONSTRAINT ck_test_counts_not_negative CHECK (pairs_budget >= 0 AND device_seconds >= 0),
	CONSTRAINT fk_test_campaign_id_campaign FOREIGN KEY(campaign_id) REFERENCES campaign (id),
	CONSTRAINT fk_test_candidate_id_candidate FOREIGN KEY(candidate_id) REFERENCES candidate (id),
	CONSTRAINT fk_test_head_id_candidate FOREIGN KEY(head_id) REFERENCES candidate (id),
	CONSTRAINT fk_test_node_id_node FOREIGN KEY(node_id) REFERENCES node (id)
);

CREATE INDEX ix_test_campaign_id ON test (campaign_id);

CREATE INDEX ix_test_candidate_id ON test (candidate_id);

CREATE INDEX ix_test_node_id ON test (node_id);

CREATE INDEX ix_test_state ON test (state);

CREATE TABLE ledger (
	id INTEGER NOT NULL,
	campaign_id INTEGER NOT NULL,
	kernel VARCHAR NOT NULL,
	head_id VARCHAR NOT NULL,
	against VARCHAR NOT NULL,
	against_id VARCHAR NOT NULL,
	test_id INTEGER,
	speedup FLOAT NOT NULL,
	low FLOAT NOT NULL,
	high FLOAT NOT NULL,
	score FLOAT NOT NULL,
	head_ns FLOAT,
	against_ns FLOAT,
	mode VARCHAR NOT NULL,
	pairs INTEGER NOT NULL,
	at FLOAT NOT NULL, tainted BOOLEAN DEFAULT '0' NOT NULL, fingerprint VARCHAR DEFAULT '' NOT NULL,
	CONSTRAINT pk_ledger PRIMARY KEY (id),
	CONSTRAINT ck_ledger_against_known CHECK (against IN ('baseline', 'previous')),
	CONSTRAINT ck_ledger_pairs_positive CHECK (pairs > 0),
	CONSTRAINT ck_ledger_speedup_positive CHECK (speedup > 0 AND low > 0 AND high >= low),
	CONSTRAINT fk_ledger_against_id_candidate FOREIGN KEY(against_id) REFERENCES candidate (id),
	CONSTRAINT fk_ledger_campaign_id_campaign FOREIGN KEY(campaign_id) REFERENCES campaign (id),
	CONSTRAINT fk_ledger_head_id_candidate FOREIGN KEY(head_id) REFERENCES candidate (id),
	CONSTRAINT fk_ledger_test_id_test FOREIGN KEY(test_id) REFERENCES test (id)
);

CREATE INDEX ix_ledger_campaign_id ON ledger (campaign_id);

CREATE TABLE pair (
	id INTEGER NOT NULL,
	test_id INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	first VARCHAR NOT NULL,
	head_ns FLOAT,
	candidate_ns FLOAT,
	log_ratio FLOAT,
	head_reading TEXT NOT NULL,
	candidate_reading TEXT NOT NULL,
	probe_before_gbs FLOAT NOT NULL,
	probe_after_gbs FLOAT NOT NULL,
	mode VARCHAR NOT NULL,
	redo_reason VARCHAR NOT NULL,
	environment TEXT NOT NULL,
	score FLOAT,
	at FLOAT NOT NULL,
	CONSTRAINT pk_pair PRIMARY KEY (id),
	CONSTRAINT ck_pair_first_known CHECK (first IN ('head', 'candidate')),
	CONSTRAINT ck_pair_kept_is_positive CHECK (redo_reason <> '' OR (head_ns IS NOT NULL AND candidate_ns IS NOT NULL AND log_ratio IS NOT NULL AND head_ns > 0 AND candidate_ns > 0)),
	CONSTRAINT ck_pair_seq_not_negative CHECK (seq >= 0),
	CONSTRAINT fk_pair_test_id_test FOREIGN KEY(test_id) REFERENCES test (id),
	CONSTRAINT uq_pair_test_id_seq UNIQUE (test_id, seq)
);

CREATE TABLE promotion (
	id INTEGER NOT NULL,
	campaign_id INTEGER NOT NULL,
	kernel VARCHAR NOT NULL,
	candidate_id VARCHAR NOT NULL,
	node_id INTEGER NOT NULL,
	test_id INTEGER,
	previous_head VARCHAR NOT NULL,
	gain FLOAT,
	low FLOAT,
	high FLOAT,
	fresh_gain FLOAT,
	fresh_low FLOAT,
	fresh_high FLOAT,
	head_ns FLOAT,
	mode VARCHAR NOT NULL,
	at FLOAT NOT NULL,
	demoted_at FLOAT,
	demoted_why VARCHAR NOT NULL, fingerprint VARCHAR DEFAULT '' NOT NULL,
	CONSTRAINT pk_promotion PRIMARY KEY (id),
	CONSTRAINT ck_promotion_demotion_says_why CHECK (demoted_at IS NULL OR demoted_why <> ''),
	CONSTRAINT ck_promotion_head_moves CHECK (candidate_id <> previous_head),
	CONSTRAINT fk_promotion_campaign_id_campaign FOREIGN KEY(campaign_id) REFERENCES campaign (id),
	CONSTRAINT fk_promotion_candidate_id_candidate FOREIGN KEY(candidate_id) REFERENCES candidate (id),
	CONSTRAINT fk_promotion_node_id_node FOREIGN KEY(node_id) REFERENCES node (id),
	CONSTRAINT fk_promotion_previous_head_candidate FOREIGN KEY(previous_head) REFERENCES candidate (id),
	CONSTRAINT fk_promotion_test_id_test FOREIGN KEY(test_id) REFERENCES test (id),
	CONSTRAINT uq_promotion_test_id UNIQUE (test_id)
);

CREATE INDEX ix_promotion_campaign_id ON promotion (campaign_id);

CREATE INDEX ix_promotion_node_id ON promotion (node_id);

CREATE TRIGGER pair_no_update BEFORE UPDATE ON pair BEGIN SELECT RAISE(ABORT, 'pair is append-only'); END;

CREATE TRIGGER pair_no_delete BEFORE DELETE ON pair BEGIN SELECT RAISE(ABORT, 'pair is append-only'); END;

CREATE TRIGGER event_no_update BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'event is append-only'); END;

CREATE TRIGGER event_no_delete BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'event is append-only'); END;

CREATE INDEX ix_node_page ON node (campaign_id, kernel, id);

CREATE INDEX ix_node_count ON node (campaign_id, kernel, outcome, refusal);

CREATE INDEX ix_test_count ON test (campaign_id, kind, state, verdict, kernel);

CREATE TABLE audit (
	id INTEGER NOT NULL,
	campaign_id INTEGER NOT NULL,
	kernel VARCHAR NOT NULL,
	candidate_id VARCHAR NOT NULL,
	node_id INTEGER NOT NULL,
	state VARCHAR NOT NULL,
	kind VARCHAR NOT NULL,
	reason VARCHAR NOT NULL,
	seconds FLOAT NOT NULL,
	swept INTEGER NOT NULL,
	argument VARCHAR NOT NULL,
	value INTEGER,
	facts TEXT NOT NULL,
	at FLOAT NOT NULL,
	CONSTRAINT pk_audit PRIMARY KEY (id),
	CONSTRAINT ck_audit_ck_audit_state_known CHECK (state IN ('passed', 'fold', 'failed')),
	CONSTRAINT ck_audit_ck_audit_finding_says_why CHECK (state = 'passed' OR reason <> ''),
	CONSTRAINT fk_audit_campaign_id_campaign FOREIGN KEY(campaign_id) REFERENCES campaign (id),
	CONSTRAINT fk_audit_candidate_id_candidate FOREIGN KEY(candidate_id) REFERENCES candidate (id),
	CONSTRAINT fk_audit_node_id_node FOREIGN KEY(node_id) REFERENCES node (id)
);

CREATE INDEX ix_audit_campaign_id ON audit (campaign_id);

CREATE TABLE race (
	id INTEGER NOT NULL,
	campaign_id INTEGER NOT NULL,
	kernel VARCHAR NOT NULL,
	node_id INTEGER NOT NULL,
	head_id VARCHAR NOT NULL,
	lever VARCHAR NOT NULL,
	agent VARCHAR NOT NULL,
	seed VARCHAR NOT NULL,
	grid INTEGER NOT NULL,
	state VARCHAR NOT NULL,
	winner_id VARCHAR,
	readings INTEGER NOT NULL,
	device_seconds FLOAT NOT NULL,
	reason VARCHAR NOT NULL,
	started_at FLOAT NOT NULL,
	finished_at FLOAT,
	CONSTRAINT pk_race PRIMARY KEY (id),
	CONSTRAINT ck_race_state_known CHECK (state IN ('running', 'done', 'interrupted')),
	CONSTRAINT ck_race_done_or_no_winner CHECK (state = 'done' OR winner_id IS NULL),
	CONSTRAINT ck_race_counts_not_negative CHECK (grid > 0 AND readings >= 0 AND device_seconds >= 0),
	CONSTRAINT fk_race_campaign_id_campaign FOREIGN KEY(campaign_id) REFERENCES campaign (id),
	CONSTRAINT fk_race_node_id_node FOREIGN KEY(node_id) REFERENCES node (id),
	CONSTRAINT fk_race_head_id_candidate FOREIGN KEY(head_id) REFERENCES candidate (id),
	CONSTRAINT fk_race_winner_id_candidate FOREIGN KEY(winner_id) REFERENCES candidate (id)
);

CREATE INDEX ix_race_campaign_id ON race (campaign_id);

CREATE INDEX ix_race_node_id ON race (node_id);

CREATE INDEX ix_race_state ON race (state);

CREATE TABLE race_variant (
	id INTEGER NOT NULL,
	race_id INTEGER NOT NULL,
	candidate_id VARCHAR NOT NULL,
	params TEXT NOT NULL,
	state VARCHAR NOT NULL,
	gate VARCHAR NOT NULL,
	kind VARCHAR NOT NULL,
	reason VARCHAR NOT NULL,
	rank INTEGER,
	median FLOAT,
	blocks INTEGER NOT NULL,
	rounds INTEGER NOT NULL,
	tied BOOLEAN NOT NULL,
	CONSTRAINT pk_race_variant PRIMARY KEY (id),
	CONSTRAINT ck_race_variant_state_known CHECK (state IN ('entered', 'refused', 'caught', 'ranked')),
	CONSTRAINT ck_race_variant_drop_says_why CHECK (state NOT IN ('refused', 'caught') OR kind <> ''),
	CONSTRAINT fk_race_variant_race_id_race FOREIGN KEY(race_id) REFERENCES race (id),
	CONSTRAINT fk_race_variant_candidate_id_candidate FOREIGN KEY(candidate_id) REFERENCES candidate (id),
	CONSTRAINT uq_race_variant_race_id_candidate_id UNIQUE (race_id, candidate_id)
);

CREATE INDEX ix_race_variant_candidate_id ON race_variant (candidate_id);

CREATE TABLE race_block (
	id INTEGER NOT NULL,
	race_id INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	readings TEXT NOT NULL,
	dropped TEXT NOT NULL,
	probe_before_gbs FLOAT NOT NULL,
	probe_after_gbs FLOAT NOT NULL,
	mode VARCHAR NOT NULL,
	redo_reason VARCHAR NOT NULL,
	environment TEXT NOT NULL,
	at FLOAT NOT NULL,
	CONSTRAINT pk_race_block PRIMARY KEY (id),
	CONSTRAINT ck_race_block_seq_not_negative CHECK (seq >= 0),
	CONSTRAINT fk_race_block_race_id_race FOREIGN KEY(race_id) REFERENCES race (id),
	CONSTRAINT uq_race_block_race_id_seq UNIQUE (race_id, seq)
);

CREATE TRIGGER race_block_no_update BEFORE UPDATE ON race_block BEGIN SELECT RAISE(ABORT, 'race_block is append-only'); END;

CREATE TRIGGER race_block_no_delete BEFORE DELETE ON race_block BEGIN SELECT RAISE(ABORT, 'race_block is append-only'); END;

CREATE TABLE imported_filing (
	filing_id INTEGER NOT NULL,
	line INTEGER NOT NULL,
	place INTEGER NOT NULL,
	filed_text VARCHAR NOT NULL,
	team VARCHAR NOT NULL,
	board VARCHAR NOT NULL,
	variant VARCHAR NOT NULL,
	reference VARCHAR NOT NULL,
	source VARCHAR NOT NULL,
	cycles TEXT NOT NULL,
	score FLOAT,
	recomputed FLOAT,
	CONSTRAINT pk_imported_filing PRIMARY KEY (filing_id),
	CONSTRAINT ck_imported_filing_scores_positive CHECK ((score IS NULL OR score > 0) AND (recomputed IS NULL OR recomputed > 0)),
	CONSTRAINT fk_imported_filing_filing_id_filing FOREIGN KEY(filing_id) REFERENCES filing (id)
);

CREATE TABLE book_release (
	id INTEGER NOT NULL,
	target VARCHAR NOT NULL,
	book VARCHAR NOT NULL,
	label VARCHAR NOT NULL,
	folder VARCHAR NOT NULL,
	digest VARCHAR NOT NULL,
	previous_id INTEGER,
	state VARCHAR NOT NULL,
	compared BOOLEAN NOT NULL,
	brain VARCHAR NOT NULL,
	started_at FLOAT NOT NULL,
	finished_at FLOAT,
	CONSTRAINT pk_book_release PRIMARY KEY (id),
	CONSTRAINT ck_book_release_state_known CHECK (state IN ('reading', 'done')),
	CONSTRAINT fk_book_release_previous_id_book_release FOREIGN KEY(previous_id) REFERENCES book_release (id),
	CONSTRAINT uq_book_release_target_book_digest UNIQUE (target, book, digest)
);

CREATE INDEX ix_book_release_target ON book_release (target);

CREATE TABLE book_document (
	id INTEGER NOT NULL,
	release_id INTEGER NOT NULL,
	path VARCHAR NOT NULL,
	kind VARCHAR NOT NULL,
	sha256 VARCHAR NOT NULL,
	size INTEGER NOT NULL,
	listed BOOLEAN,
	state VARCHAR NOT NULL,
	reason VARCHAR NOT NULL,
	CONSTRAINT pk_book_document PRIMARY KEY (id),
	CONSTRAINT ck_book_document_not_read_says_why CHECK (state <> 'not_read' OR reason <> ''),
	CONSTRAINT ck_book_document_state_known CHECK (state IN ('queued', 'read', 'claimed', 'not_read')),
	CONSTRAINT fk_book_document_release_id_book_release FOREIGN KEY(release_id) REFERENCES book_release (id),
	CONSTRAINT uq_book_document_release_id_path UNIQUE (release_id, path)
);

CREATE TABLE claim (
	id INTEGER NOT NULL,
	release_id INTEGER NOT NULL,
	kind VARCHAR NOT NULL,
	text VARCHAR NOT NULL,
	drafted VARCHAR NOT NULL,
	source VARCHAR NOT NULL,
	state VARCHAR NOT NULL,
	reason VARCHAR NOT NULL,
	at FLOAT NOT NULL,
	CONSTRAINT pk_claim PRIMARY KEY (id),
	CONSTRAINT ck_claim_state_known CHECK (state IN ('unaudited', 'supported', 'partly', 'dropped', 'stale')),
	CONSTRAINT fk_claim_release_id_book_release FOREIGN KEY(release_id) REFERENCES book_release (id)
);

CREATE INDEX ix_claim_release_id ON claim (release_id);

CREATE INDEX ix_claim_state ON claim (state);

CREATE TABLE book_section (
	id INTEGER NOT NULL,
	document_id INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	anchor VARCHAR NOT NULL,
	title VARCHAR NOT NULL,
	headings TEXT NOT NULL,
	blocks TEXT NOT NULL,
	sha256 VARCHAR NOT NULL,
	CONSTRAINT pk_book_section PRIMARY KEY (id),
	CONSTRAINT fk_book_section_document_id_book_document FOREIGN KEY(document_id) REFERENCES book_document (id),
	CONSTRAINT uq_book_section_document_id_anchor UNIQUE (document_id, anchor),
	CONSTRAINT uq_book_section_document_id_seq UNIQUE (document_id, seq)
);

CREATE TABLE book_unread (
	id INTEGER NOT NULL,
	document_id INTEGER NOT NULL,
	anchor VARCHAR NOT NULL,
	kind VARCHAR NOT NULL,
	what VARCHAR NOT NULL,
	reason VARCHAR NOT NULL,
	CONSTRAINT pk_book_unread PRIMARY KEY (id),
	CONSTRAINT ck_book_unread_says_why CHECK (reason <> ''),
	CONSTRAINT fk_book_unread_document_id_book_document FOREIGN KEY(document_id) REFERENCES book_document (id)
);

CREATE INDEX ix_book_unread_document_id ON book_unread (document_id);

CREATE TABLE citation (
	id INTEGER NOT NULL,
	claim_id INTEGER NOT NULL,
	release_id INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	document VARCHAR NOT NULL,
	anchor VARCHAR NOT NULL,
	span VARCHAR NOT NULL,
	span_sha256 VARCHAR NOT NULL,
	script_check VARCHAR NOT NULL,
	reason VARCHAR NOT NULL,
	change VARCHAR NOT NULL,
	previous_id INTEGER,
	found VARCHAR NOT NULL,
	CONSTRAINT pk_citation PRIMARY KEY (id),
	CONSTRAINT ck_citation_change_known CHECK (change IN ('', 'unchanged', 'moved', 'changed', 'gone')),
	CONSTRAINT ck_citation_script_check_known CHECK (script_check IN ('passed', 'failed')),
	CONSTRAINT fk_citation_claim_id_claim FOREIGN KEY(claim_id) REFERENCES claim (id),
	CONSTRAINT fk_citation_previous_id_citation FOREIGN KEY(previous_id) REFERENCES citation (id),
	CONSTRAINT fk_citation_release_id_book_release FOREIGN KEY(release_id) REFERENCES book_release (id),
	CONSTRAINT uq_citation_claim_id_release_id_seq UNIQUE (claim_id, release_id, seq)
);

CREATE INDEX ix_citation_claim_id ON citation (claim_id);

CREATE INDEX ix_citation_release_id ON citation (release_id);

CREATE TABLE claim_audit (
	id INTEGER NOT NULL,
	claim_id INTEGER NOT NULL,
	auditor VARCHAR NOT NULL,
	method VARCHAR NOT NULL,
	lexical BOOLEAN NOT NULL,
	wording VARCHAR NOT NULL,
	verdict VARCHAR NOT NULL,
	reason VARCHAR NOT NULL,
	at FLOAT NOT NULL,
	CONSTRAINT pk_claim_audit PRIMARY KEY (id),
	CONSTRAINT ck_claim_audit_verdict_known CHECK (verdict IN ('supported', 'partly', 'unsupported', 'contradicted')),
	CONSTRAINT fk_claim_audit_claim_id_claim FOREIGN KEY(claim_id) REFERENCES claim (id)
);

CREATE INDEX ix_claim_audit_claim_id ON claim_audit (claim_id);

CREATE TABLE chip_fact (
	id INTEGER NOT NULL,
	target VARCHAR NOT NULL,
	name VARCHAR NOT NULL,
	fingerprint VARCHAR NOT NULL,
	state VARCHAR NOT NULL,
	title VARCHAR NOT NULL,
	value FLOAT NOT NULL,
	low FLOAT NOT NULL,
	high FLOAT NOT NULL,
	unit VARCHAR NOT NULL,
	readings TEXT NOT NULL,
	points TEXT NOT NULL,
	fit TEXT NOT NULL,
	probe VARCHAR NOT NULL,
	environment TEXT NOT NULL,
	at FLOAT NOT NULL,
	CONSTRAINT pk_chip_fact PRIMARY KEY (id),
	CONSTRAINT ck_chip_fact_state_known CHECK (state IN ('current', 'stale')),
	CONSTRAINT ck_chip_fact_quartiles_in_order CHECK (low <= value AND value <= high)
);

CREATE INDEX ix_chip_fact_name ON chip_fact (name);

CREATE TABLE rule_check (
	id INTEGER NOT NULL,
	rule_id INTEGER NOT NULL,
	fingerprint VARCHAR NOT NULL,
	outcome VARCHAR NOT NULL,
	found VARCHAR NOT NULL,
	at FLOAT NOT NULL,
	CONSTRAINT pk_rule_check PRIMARY KEY (id),
	CONSTRAINT ck_rule_check_outcome_known CHECK (outcome IN ('verified', 'not_enforced', 'unverified', 're_verified', 'rewritten', 'retired', 'carried_over')),
	CONSTRAINT fk_rule_check_rule_id_legality_rule FOREIGN KEY(rule_id) REFERENCES legality_rule (id)
);

CREATE INDEX ix_rule_check_rule_id ON rule_check (rule_id);

CREATE TRIGGER rule_check_no_update BEFORE UPDATE ON rule_check BEGIN SELECT RAISE(ABORT, 'rule_check is append-only'); END;

CREATE TRIGGER rule_check_no_delete BEFORE DELETE ON rule_check BEGIN SELECT RAISE(ABORT, 'rule_check is append-only'); END;

CREATE INDEX ix_pair_redone ON pair (test_id) WHERE redo_reason <> '';

CREATE INDEX ix_event_kind ON event (campaign_id, kind);

CREATE TABLE experiment (
	id INTEGER NOT NULL,
	name VARCHAR NOT NULL,
	digest VARCHAR NOT NULL,
	"plan" TEXT NOT NULL,
	pack VARCHAR NOT NULL,
	pack_digest VARCHAR NOT NULL,
	target VARCHAR NOT NULL,
	fingerprint VARCHAR NOT NULL,
	device VARCHAR NOT NULL,
	toolchain VARCHAR NOT NULL,
	state VARCHAR NOT NULL,
	started_at FLOAT NOT NULL,
	ended_at FLOAT,
	CONSTRAINT pk_experiment PRIMARY KEY (id),
	CONSTRAINT ck_experiment_state_known CHECK (state IN ('running', 'done'))
);

CREATE INDEX ix_experiment_digest ON experiment (digest);

CREATE TABLE trajectory (
	id INTEGER NOT NULL,
	experiment_id INTEGER NOT NULL,
	arm VARCHAR NOT NULL,
	number INTEGER NOT NULL,
	seed INTEGER NOT NULL,
	campaign_id INTEGER,
	finals TEXT NOT NULL,
	CONSTRAINT pk_trajectory PRIMARY KEY (id),
	CONSTRAINT ck_trajectory_number_not_negative CHECK (number >= 0),
	CONSTRAINT fk_trajectory_campaign_id_campaign FOREIGN KEY(campaign_id) REFERENCES campaign (id),
	CONSTRAINT fk_trajectory_experiment_id_experiment FOREIGN KEY(experiment_id) REFERENCES experiment (id),
	CONSTRAINT uq_trajectory_experiment_id_arm_number UNIQUE (experiment_id, arm, number)
);

CREATE INDEX ix_trajectory_campaign_id ON trajectory (campaign_id);

CREATE TABLE "llm_call" (
	id INTEGER NOT NULL,
	campaign_id INTEGER,
	agent VARCHAR NOT NULL,
	role VARCHAR NOT NULL,
	kernel VARCHAR NOT NULL,
	brief_id INTEGER,
	provider VARCHAR NOT NULL,
	model VARCHAR NOT NULL,
	state VARCHAR NOT NULL,
	stop VARCHAR NOT NULL,
	reason VARCHAR NOT NULL,
	input_tokens INTEGER NOT NULL,
	cache_read_tokens INTEGER NOT NULL,
	cache_write_tokens INTEGER NOT NULL,
	output_tokens INTEGER NOT NULL,
	reserved_tokens INTEGER NOT NULL,
	reserved_usd FLOAT,
	usd FLOAT,
	price VARCHAR NOT NULL,
	retries INTEGER NOT NULL,
	seconds FLOAT NOT NULL,
	request VARCHAR NOT NULL,
	reply VARCHAR NOT NULL,
	started_at FLOAT NOT NULL,
	finished_at FLOAT,
	release_id INTEGER,
	CONSTRAINT pk_llm_call PRIMARY KEY (id),
	CONSTRAINT ck_llm_call_ck_llm_call_counts_not_negative CHECK (input_tokens >= 0 AND cache_read_tokens >= 0 AND cache_write_tokens >= 0 AND output_tokens >= 0 AND reserved_tokens >= 0 AND retries >= 0 AND seconds >= 0),
	CONSTRAINT ck_llm_call_ck_llm_call_state_known CHECK (state IN ('open', 'done', 'failed', 'cancelled', 'cut')),
	CONSTRAINT ck_llm_call_ck_llm_call_failure_says_why CHECK (state <> 'failed' OR reason <> ''),
	CONSTRAINT ck_llm_call_ck_llm_call_money_not_negative CHECK ((usd IS NULL OR usd >= 0) AND (reserved_usd IS NULL OR reserved_usd >= 0)),
	CONSTRAINT ck_llm_call_ck_llm_call_price_known CHECK (price IN ('listed', 'own', 'free', 'unknown')),
	CONSTRAINT fk_llm_call_campaign_id_campaign FOREIGN KEY(campaign_id) REFERENCES campaign (id),
	CONSTRAINT fk_llm_call_release_id_book_release FOREIGN KEY(release_id) REFERENCES book_release (id),
	CONSTRAINT ck_llm_call_one_account CHECK ((campaign_id IS NULL) <> (release_id IS NULL))
);

CREATE INDEX ix_llm_call_campaign_id ON llm_call (campaign_id);

CREATE INDEX ix_llm_call_state ON llm_call (state);

CREATE INDEX ix_llm_call_release_id ON llm_call (release_id);

CREATE TABLE "kernel_state" (
	campaign_id INTEGER NOT NULL,
	kernel VARCHAR NOT NULL,
	baseline_id VARCHAR,
	baseline_ns FLOAT,
	head_ns FLOAT,
	plateau INTEGER NOT NULL,
	status VARCHAR NOT NULL,
	paused BOOLEAN NOT NULL,
	position INTEGER NOT NULL,
	reference VARCHAR DEFAULT ('') NOT NULL,
	refining BOOLEAN DEFAULT 0 NOT NULL,
	CONSTRAINT pk_kernel_state PRIMARY KEY (campaign_id, kernel),
	CONSTRAINT ck_kernel_state_times_positive CHECK ((baseline_ns IS NULL OR baseline_ns > 0) AND (head_ns IS NULL OR head_ns > 0)),
	CONSTRAINT ck_kernel_state_plateau_not_negative CHECK (plateau >= 0),
	CONSTRAINT fk_kernel_state_campaign_id_campaign FOREIGN KEY(campaign_id) REFERENCES campaign (id),
	CONSTRAINT fk_kernel_state_baseline_id_candidate FOREIGN KEY(baseline_id) REFERENCES candidate (id)
);

CREATE TABLE message (
	id INTEGER NOT NULL,
	campaign_id INTEGER NOT NULL,
	at FLOAT NOT NULL,
	actor VARCHAR NOT NULL,
	recipient VARCHAR NOT NULL,
	text VARCHAR NOT NULL,
	file VARCHAR NOT NULL,
	state VARCHAR NOT NULL,
	reader VARCHAR NOT NULL,
	read_at FLOAT,
	answer VARCHAR NOT NULL,
	answered_by VARCHAR NOT NULL,
	answered_at FLOAT,
	CONSTRAINT pk_message PRIMARY KEY (id),
	CONSTRAINT ck_message_state_known CHECK (state IN ('waiting', 'read', 'answered', 'closed')),
	CONSTRAINT ck_message_has_text CHECK (text <> ''),
	CONSTRAINT fk_message_campaign_id_campaign FOREIGN KEY(campaign_id) REFERENCES campaign (id)
);

CREATE INDEX ix_message_campaign_id ON message (campaign_id);

CREATE TABLE approval (
	id INTEGER NOT NULL,
	campaign_id INTEGER NOT NULL,
	kernel VARCHAR NOT NULL,
	node_id INTEGER NOT NULL,
	candidate_id VARCHAR NOT NULL,
	head_id VARCHAR NOT NULL,
	evidence TEXT NOT NULL,
	state VARCHAR NOT NULL,
	at FLOAT NOT NULL,
	actor VARCHAR NOT NULL,
	decided_at FLOAT,
	CONSTRAINT pk_approval PRIMARY KEY (id),
	CONSTRAINT ck_approval_state_known CHECK (state IN ('pending', 'approved', 'vetoed', 'expired')),
	CONSTRAINT fk_approval_campaign_id_campaign FOREIGN KEY(campaign_id) REFERENCES campaign (id),
	CONSTRAINT fk_approval_candidate_id_candidate FOREIGN KEY(candidate_id) REFERENCES candidate (id),
	CONSTRAINT fk_approval_head_id_candidate FOREIGN KEY(head_id) REFERENCES candidate (id),
	CONSTRAINT fk_approval_node_id_node FOREIGN KEY(node_id) REFERENCES node (id)
);

CREATE INDEX ix_approval_campaign_id ON approval (campaign_id);

CREATE INDEX ix_approval_candidate_id ON approval (candidate_id);

CREATE INDEX ix_approval_node_id ON approval (node_id);

CREATE TABLE "memory" (
	id INTEGER NOT NULL,
	kind VARCHAR NOT NULL,
	kernel_type VARCHAR NOT NULL,
	kernel VARCHAR NOT NULL,
	lever VARCHAR NOT NULL,
	strategy VARCHAR NOT NULL,
	reflection VARCHAR NOT NULL,
	gain FLOAT,
	campaign_id INTEGER,
	candidate_id VARCHAR,
	at FLOAT NOT NULL,
	fingerprint VARCHAR DEFAULT ('') NOT NULL,
	state VARCHAR DEFAULT 'current' NOT NULL,
	CONSTRAINT pk_memory PRIMARY KEY (id),
	CONSTRAINT fk_memory_campaign_id_campaign FOREIGN KEY(campaign_id) REFERENCES campaign (id),
	CONSTRAINT fk_memory_candidate_id_candidate FOREIGN KEY(candidate_id) REFERENCES candidate (id),
	CONSTRAINT ck_memory_kind_known CHECK (kind IN ('win', 'trap')),
	CONSTRAINT ck_memory_state_known CHECK (state IN ('current', 'stale', 'retired'))
);

CREATE TABLE "filing" (
	id INTEGER NOT NULL,
	campaign_id INTEGER NOT NULL,
	kind VARCHAR NOT NULL,
	kernel VARCHAR NOT NULL,
	node_id INTEGER,
	promotion_id INTEGER,
	candidate_id VARCHAR,
	lever VARCHAR NOT NULL,
	filed_at FLOAT NOT NULL,
	gain FLOAT,
	low FLOAT,
	high FLOAT,
	ledger_speedup FLOAT,
	times_peak FLOAT,
	device VARCHAR NOT NULL,
	fingerprint VARCHAR NOT NULL,
	tainted BOOLEAN NOT NULL,
	CONSTRAINT pk_filing PRIMARY KEY (id),
	CONSTRAINT ck_filing_own_has_candidate CHECK (kind = 'imported' OR candidate_id IS NOT NULL),
	CONSTRAINT fk_filing_campaign_id_campaign FOREIGN KEY(campaign_id) REFERENCES campaign (id),
	CONSTRAINT fk_filing_promotion_id_promotion FOREIGN KEY(promotion_id) REFERENCES promotion (id),
	CONSTRAINT fk_filing_candidate_id_candidate FOREIGN KEY(candidate_id) REFERENCES candidate (id),
	CONSTRAINT fk_filing_node_id_node FOREIGN KEY(node_id) REFERENCES node (id),
	CONSTRAINT ck_filing_kind_known CHECK (kind IN ('promotion', 'submission', 'imported', 'rejudged'))
);

CREATE INDEX ix_filing_campaign_id ON filing (campaign_id);

CREATE INDEX ix_filing_times_peak ON filing (times_peak);

CREATE INDEX ix_filing_filed_at ON filing (filed_at);

CREATE INDEX ix_filing_gain ON filing (gain);

CREATE INDEX ix_filing_kernel ON filing (kernel);

CREATE INDEX ix_filing_lever ON filing (lever);

CREATE INDEX ix_filing_ledger_speedup ON filing (ledger_speedup);

CREATE TABLE toolchain_change (
	id INTEGER NOT NULL,
	campaign_id INTEGER NOT NULL,
	target VARCHAR NOT NULL,
	former VARCHAR NOT NULL,
	present VARCHAR NOT NULL,
	former_book VARCHAR NOT NULL,
	present_book VARCHAR NOT NULL,
	text VARCHAR NOT NULL,
	was_paused BOOLEAN NOT NULL,
	state VARCHAR NOT NULL,
	notes TEXT NOT NULL,
	at FLOAT NOT NULL,
	finished_at FLOAT,
	CONSTRAINT pk_toolchain_change PRIMARY KEY (id),
	CONSTRAINT ck_toolchain_change_state_known CHECK (state IN ('rechecking', 'done', 'superseded')),
	CONSTRAINT ck_toolchain_change_says_what CHECK (text <> ''),
	CONSTRAINT fk_toolchain_change_campaign_id_campaign FOREIGN KEY(campaign_id) REFERENCES campaign (id)
);

CREATE INDEX ix_toolchain_change_campaign_id ON toolchain_change (campaign_id);

CREATE TABLE recheck (
	id INTEGER NOT NULL,
	change_id INTEGER NOT NULL,
	kind VARCHAR NOT NULL,
	record VARCHAR NOT NULL,
	was VARCHAR NOT NULL,
	outcome VARCHAR NOT NULL,
	reason VARCHAR NOT NULL,
	at FLOAT,
	CONSTRAINT pk_recheck PRIMARY KEY (id),
	CONSTRAINT ck_recheck_kind_known CHECK (kind IN ('claim', 'fact', 'rule', 'head', 'filing', 'memory')),
	CONSTRAINT ck_recheck_outcome_known CHECK (outcome IN ('', 're_verified', 'rewritten', 'retired', 'carried_over')),
	CONSTRAINT fk_recheck_change_id_toolchain_change FOREIGN KEY(change_id) REFERENCES toolchain_change (id),
	CONSTRAINT uq_recheck_change_id_kind_record UNIQUE (change_id, kind, record)
);

CREATE INDEX ix_recheck_change_id ON recheck (change_id);

CREATE TABLE "legality_rule" (
	id INTEGER NOT NULL,
	target VARCHAR NOT NULL,
	name VARCHAR NOT NULL,
	kind VARCHAR NOT NULL,
	statement VARCHAR NOT NULL,
	forbidden TEXT NOT NULL,
	legal TEXT NOT NULL,
	flags TEXT NOT NULL,
	diagnostic VARCHAR NOT NULL,
	pattern TEXT NOT NULL,
	origin VARCHAR NOT NULL,
	evidence TEXT NOT NULL,
	state VARCHAR NOT NULL,
	fingerprint VARCHAR NOT NULL,
	at FLOAT NOT NULL,
	checked_at FLOAT,
	workspace VARCHAR DEFAULT '' NOT NULL,
	CONSTRAINT pk_legality_rule PRIMARY KEY (id),
	CONSTRAINT ck_legality_rule_kind_known CHECK (kind IN ('compile_error', 'wrong_values', 'hang', 'performance')),
	CONSTRAINT ck_legality_rule_verified_says_where CHECK (state NOT IN ('verified', 'not_enforced') OR fingerprint <> ''),
	CONSTRAINT ck_legality_rule_state_known CHECK (state IN ('documented', 'verified', 'not_enforced', 'stale', 'carried_over', 'retired')),
	CONSTRAINT uq_legality_rule_target_name_workspace UNIQUE (target, name, workspace)
);

CREATE INDEX ix_legality_rule_state ON legality_rule (state);

INSERT INTO alembic_version VALUES ('0017');
