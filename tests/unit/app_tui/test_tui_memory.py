"""What the screen's process holds: which modules it never loads for what its tabs ask, and what big trees cost it."""

import gc
import subprocess
import sys
import tracemalloc
import weakref
from pathlib import Path

import pytest
from sqlalchemy import event

from app.screens.forest import Forest
from app.screens.tree_rows import TreeRows
from app.store_source import StoreSource
from store import sample
from tests.unit.app_tui.harness import running

ROOT = Path(__file__).parents[3]
NEVER = (
    "numpy", "scipy", "anthropic", "openai", "alembic", "jinja2", "pygments", "markdown_it", "watchfiles",
    "kernels.levers", "kernels.gates", "kernels.device", "tree_sitter", "roles.tools",
)  # fmt: skip
ASKED = """
import sys
from pathlib import Path
import app.cli, app.screen, app.tui
from app.source import FilingQuery
from app.store_source import StoreSource
source = StoreSource.opened(Path(sys.argv[1]), read_only=True)
source.changed()
view = source.overview()
for kernel in view.kernels:
    source.branches(kernel.name), source.device(kernel.name), source.profile(kernel.name)
source.agents(3), source.events(-1), source.money(), source.placebos_here(), source.queue()
source.filings(FilingQuery())
why = [source.test(test.id).why for test in source.tests(3)]
source.book_claims(), source.book_releases(), source.baselines(), source.skills(), source.toolchain_changes()
print(view.campaign.placebo.bias.pairs > 0, all(why), [name for name in sys.argv[2:] if name in sys.modules])
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from store.engine import Store

    folder = tmp_path_factory.mktemp("home")
    with Store.open(folder) as store:
        store.write_sync(
            lambda s: sample.fill(s, sample.Size(agents=6, trees=4, nodes=1500, filings=60, readings=2400))
        )
    return folder


def test_what_tabs_ask_needs_no_heavy_module(home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ASKED, str(home), *NEVER], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "True True []"


def test_of_big_trees_only_what_is_open_is_read(home: Path) -> None:
    source, asked = StoreSource.opened(home, read_only=True), list[str]()
    event.listen(
        source._store._read_engine, "before_cursor_execute", lambda _c, _k, statement, *_: asked.append(statement)
    )
    source.changed()
    view = source.overview()
    assert view is not None
    kernels = [kernel.name for kernel in view.kernels]
    source.branches(kernels[0])
    asked.clear()
    tracemalloc.start()
    forest = Forest.plant({kernel: source.branches(kernel) for kernel in kernels[1:]})
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sum(map(forest.size, kernels[1:])) == 1000 and len(forest.nodes) < 200 and held < 300_000
    reading = [one for one in asked if "has_children" in one]
    assert len(reading) == 4, "the roots and the open branches of each tree"
    asked.clear()
    assert source.branches(kernels[2]).nodes and not [one for one in asked if "has_children" in one]
    source.close()


def test_only_open_branches_become_rows(home: Path) -> None:
    source = StoreSource.opened(home, read_only=True)
    source.changed()
    forest = Forest.plant({"ffn": source.branches("ffn")})
    rows = TreeRows(forest, set(forest.head_path()))
    source.close()
    assert rows.count() == 1 + len(forest.nodes) < 200


class Circle:
    def __init__(self) -> None:
        self.itself = self


async def test_what_redrawn_parts_leave_behind_goes_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.tui.TIDY_S", 0.05)
    gc.disable()
    try:
        async with running() as screen:
            left = weakref.ref(Circle())
            await screen.until(lambda: left() is None)
    finally:
        gc.enable()
