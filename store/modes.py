"""The device mode that a campaign's numbers are told in."""

from sqlmodel import Session

from store import campaigns, sql

_MODES = """
WITH head AS (
    SELECT kernel, candidate_id FROM promotion WHERE id IN (
        SELECT max(id) FROM promotion WHERE campaign_id = :campaign AND demoted_at IS NULL GROUP BY kernel)
), measured AS (
    SELECT ledger.mode, count(DISTINCT ledger.kernel) AS heads FROM ledger
    JOIN head ON head.kernel = ledger.kernel AND head.candidate_id = ledger.head_id
    JOIN campaign ON campaign.id = ledger.campaign_id AND campaign.fingerprint = ledger.fingerprint
    WHERE ledger.campaign_id = :campaign AND against = 'baseline' AND NOT ledger.tainted GROUP BY ledger.mode
)
SELECT pair.mode FROM pair JOIN test ON test.id = pair.test_id LEFT JOIN measured ON measured.mode = pair.mode
WHERE test.campaign_id = :campaign AND pair.mode <> '' AND pair.redo_reason = ''
GROUP BY pair.mode ORDER BY coalesce(measured.heads, 0) DESC, count(*) DESC, pair.mode LIMIT 1
"""


def usual(s: Session, campaign_id: int) -> str:
    """Of the modes in which the ledger has most heads against their baselines, the one that held most kept pairs: the
    numbers of different kernels compare in equal modes only. "" before the first pair."""
    return str(sql.scalar(s, _MODES, campaign=campaign_id) or "")


def keep(s: Session, campaign_id: int) -> None:
    """The usual mode, as the campaign's."""
    put(s, campaign_id, usual(s, campaign_id))


def put(s: Session, campaign_id: int, mode: str) -> None:
    row = campaigns.get(s, campaign_id)
    row.mode = mode
    s.add(row)
