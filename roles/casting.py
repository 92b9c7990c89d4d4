"""Who fills a role: a model where the settings name one, the offline policy elsewhere."""

from roles.architect import Architect
from roles.campaign import Campaign
from roles.model_architect import ModelArchitect
from roles.model_auditor import ReadingAuditor
from roles.model_owner import ModelOwner
from roles.model_strategist import ModelStrategist
from roles.model_worker import ModelWorker
from roles.owner import Owner
from roles.pipeline import Pipeline
from roles.strategist import Strategist
from roles.worker import Worker


def strategist(campaign: Campaign) -> Strategist:
    models = campaign.models
    return (
        Strategist(campaign) if models is None or not models.serves("strategist") else ModelStrategist(campaign, models)
    )


def architect(campaign: Campaign, kernel: str) -> Architect:
    models = campaign.models
    if models is None or not models.serves("architect"):
        return Architect(campaign, kernel)
    return ModelArchitect(campaign, kernel, models)


def owner(campaign: Campaign, kernel: str) -> Owner:
    models = campaign.models
    if models is None or not models.serves("owner"):
        return Owner(campaign, kernel)
    return ModelOwner(campaign, kernel, models)


def readers(campaign: Campaign) -> list[ReadingAuditor]:
    """The auditor on the device needs no model; the one that reads is none without it."""
    models = campaign.models
    return [ReadingAuditor(campaign, models)] if models is not None and models.serves("auditor") else []


def worker(campaign: Campaign, pipeline: Pipeline, number: int) -> Worker:
    """number: from 0."""
    models, name = campaign.models, f"worker-{number + 1:02d}"
    if models is None or not models.serves("worker"):
        return Worker(campaign, pipeline, name)
    return ModelWorker(campaign, pipeline, name, number, models)
