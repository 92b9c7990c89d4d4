"""The tabs: a further one is one line here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from app.screens.agents import AgentsPane
from app.screens.filings import FilingsPane
from app.screens.judging import JudgingPane
from app.screens.knowledge import KnowledgePane
from app.screens.log import LogPane
from app.screens.money import MoneyPane
from app.screens.overview import OverviewPane
from app.screens.pane import Pane
from app.screens.profile import ProfilePane
from app.screens.trees import TreesPane


@dataclass(frozen=True, slots=True)
class Tab:
    """One tab: its short name and what makes its pane."""

    name: str
    make: Callable[[str, Callable[[], float]], Pane]


TABS: Final[tuple[Tab, ...]] = (
    Tab("Overview", OverviewPane),
    Tab("Trees", TreesPane),
    Tab("Agents", AgentsPane),
    Tab("Judging", JudgingPane),
    Tab("Profile", ProfilePane),
    Tab("Knowledge", KnowledgePane),
    Tab("Filings", FilingsPane),
    Tab("Money", MoneyPane),
    Tab("Log", LogPane),
)
