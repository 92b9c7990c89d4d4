"""What a screen or a command gets of the store: plain frozen values, made by `store.reads`. Times are UTC seconds
since the epoch, durations seconds, kernel times nanoseconds, gains shares of the head's time.

Read first: `campaign.py`.
"""

from store.views.campaign import CampaignView, EngineView, KernelView, ScorePoint
from store.views.filed import FilingView, ImportedView
from store.views.judged import PairView, ShapeView, TestView, TrailPoint, WhyView
from store.views.overview import OverviewView, PendingView
from store.views.team import AgentView, CommandView, EventView
from store.views.trees import End, GateView, NodeDetail, NodeView, RacedView, RaceView, TreePart

__all__ = [
    "AgentView",
    "CampaignView",
    "CommandView",
    "End",
    "EngineView",
    "EventView",
    "FilingView",
    "GateView",
    "ImportedView",
    "KernelView",
    "NodeDetail",
    "NodeView",
    "OverviewView",
    "PairView",
    "PendingView",
    "RaceView",
    "RacedView",
    "ScorePoint",
    "ShapeView",
    "TestView",
    "TrailPoint",
    "TreePart",
    "WhyView",
]
