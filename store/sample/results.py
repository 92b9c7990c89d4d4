"""What came of it: promotions, ledger, filings, events."""

from sqlmodel import Session

from store import campaigns, sql
from store.sample.size import Made, Size, numbers


def filings(s: Session, size: Size, made: Made) -> None:
    """Promotions of the kept nodes, filings, a ledger, peaks, seconds, and an event of each node and test."""
    heads = (
        "SELECT node.*, row_number() OVER (PARTITION BY kernel ORDER BY id) AS place FROM node WHERE outcome = 'KEEP'"
        " AND campaign_id = :campaign"
    )
    sql.run(
        s,
        "INSERT INTO promotion (campaign_id, kernel, candidate_id, node_id, previous_head, gain, low, high, head_ns,"
        " mode, fingerprint, at, demoted_why) SELECT campaign_id, kernel, candidate_id, id, (SELECT baseline_id FROM"
        " kernel_state WHERE campaign_id = :campaign AND kernel = kept.kernel), 0.02, 0.01, 0.03,"
        " 25e6 / (1 + kept.place), 'slow 33 GB/s', 'made-up',"
        f" finished_at, '' FROM ({heads}) AS kept WHERE kept.place <= 60",
        campaign=made.campaign,
    )
    sql.run(
        s,
        "INSERT INTO ledger (campaign_id, kernel, head_id, against, against_id, speedup, low, high, score, head_ns,"
        " against_ns, mode, fingerprint, pairs, tainted, at) SELECT campaign_id, kernel, candidate_id, 'baseline',"
        " previous_head, 1.0 + 0.3 * id, 0.9 + 0.3 * id, 1.1 + 0.3 * id, 4.0, head_ns, 25e6, mode, fingerprint, 12, 0,"
        " at + 1 FROM promotion WHERE campaign_id = :campaign AND id % 2 = 0",
        campaign=made.campaign,
    )
    sql.run(
        s,
        f"{numbers(size.filings)} INSERT INTO filing (campaign_id, kind, kernel, node_id, candidate_id, lever,"
        " filed_at, gain, low, high, ledger_speedup, times_peak, device, fingerprint, tainted) SELECT :campaign,"
        " 'promotion', node.kernel, node.id, node.candidate_id, node.lever, :at + i, 0.0001 * (i % 300), 0.0, 0.05,"
        " 1 + 0.0002 * i,"
        f" 5.0 - 0.00003 * i, 'made up', 'made-up', 0 FROM n JOIN node ON node.id = {size.ideas} + 1 +"
        f" i % max({size.nodes - size.ideas}, 1)",
        campaign=made.campaign,
        at=made.at,
    )
    sql.run(
        s,
        "INSERT INTO peak (campaign_id, kernel, style, ns, gbs, mode, fingerprint, styles, at) SELECT :campaign,"
        " kernel, 'four_streams', 9e5, 33.0, 'slow 33 GB/s', 'made-up', '{}', :at FROM kernel_state WHERE campaign_id ="
        " :campaign",
        campaign=made.campaign,
        at=made.at,
    )
    for category, seconds in (("readings", 40_000.0), ("build", 9_000.0), ("check", 7_000.0)):
        campaigns.add_usage(s, made.campaign, category, seconds)


def events(s: Session, made: Made) -> None:
    for table, kind, at in (("node", "outcome", "finished_at"), ("test", "test", "finished_at")):
        sql.run(
            s,
            f"INSERT INTO event (campaign_id, at, kind, subject, text, data) SELECT campaign_id, {at}, '{kind}',"
            f" kernel, '{kind} ' || verdict || ' ' || lever, json_object('{table}', id, 'lever', lever, 'agent', agent)"
            f" FROM {table} WHERE campaign_id = :campaign",
            campaign=made.campaign,
        )
