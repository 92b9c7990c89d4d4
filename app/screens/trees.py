"""Tab 2: the Design Trees, the head's lineage open, and beside them why each node lives or died."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial

from typing_extensions import override

from app.messages import Target
from app.screens import node_text
from app.screens.arranged import Arrangement
from app.screens.forest import Forest
from app.screens.listed import ListedPane
from app.screens.pane import Apply, Request
from app.screens.tree_rows import TreeRows
from app.source import Source
from app.views import Line, count
from store.views import End, NodeDetail


class TreesPane(ListedPane):
    """Open branches are remembered by key; a new head's lineage is opened when it appears."""

    TITLE = "Trees"

    def __init__(self, widget_id: str, clock: Callable[[], float]) -> None:
        self._arranged = Arrangement[str]()
        super().__init__(widget_id, clock, list_title="design trees", arrangement=self._arranged)
        self._tree = TreeRows(Forest(), set())
        self._opened: set[int | str] = set()
        self._paths: set[int | str] = set()
        self._wanted: int | None = None
        self._detail: NodeDetail | None = None
        self.rows.supply(self._tree)

    @override
    def request(self) -> Request:
        words, opened, paths, selected = self._arranged.words, set(self._opened), self._paths, self.selected
        ascii_only, wanted = self.app.has_class("-ascii"), self._wanted

        def read(source: Source) -> Apply:
            way: set[int | str] = set() if wanted is None else {*source.lineage(wanted)}
            forest = _planted(source, opened | way, words)
            fresh = (forest.head_path() - paths) | way
            tree = _grow(forest, opened | fresh, filtered=bool(words), ascii_only=ascii_only)
            return partial(self._show, Reading(tree, fresh, words, wanted), _read(source, selected))

        return read

    @override
    def detail_request(self) -> Request:
        selected = self.selected

        def read(source: Source) -> Apply:
            return partial(self._show_detail, _read(source, selected))

        return read

    def _show(self, reading: "Reading", detail: "Shown | None") -> None:
        tree, words = reading.tree, reading.words
        self._paths |= reading.fresh
        self._opened |= reading.fresh
        if not words:
            tree.opened.intersection_update(self._opened)
        self._tree = tree
        self.rows.explain(f"no node has {words!r}; esc shows all" if words else "no kernel yet")
        self.rows.supply(tree)
        self._go_to(reading.wanted)
        total = count(sum(map(tree.forest.size, tree.forest.kernels())), "node")
        self.headline.name_panel(f"design trees: {total}" + (_filtered(tree.forest, words) if words else ""))
        self.headline.show([(("+ kept  - rejected  ~ flat  ! slower  . at work", "dim"),)])
        self._show_detail(detail)

    def _show_detail(self, shown: "Shown | None") -> None:
        self._detail = detail = None if shown is None else shown.detail
        key = self.selected
        if isinstance(key, str):
            self.detail.name_panel(f"kernel {key}")
            self.detail.show(self._kernel_page(key))
        elif shown is not None and detail is not None and detail.node.id == key:
            self.detail.name_panel(f"node {detail.node.id}")
            self.detail.show_with(partial(node_text.page, detail, shown.code, shown.ends))

    def _kernel_page(self, kernel: str) -> list[Line]:
        outcomes = self._tree.forest.outcomes.get(kernel, {})
        lines: list[Line] = [((count(self._tree.forest.size(kernel), "node"), "strong"),)]
        named = sorted((name or "at work, or an idea", number) for name, number in outcomes.items())
        lines += [((f"{number:6} ", ""), (name, "dim")) for name, number in named]
        return lines

    @override
    def side(self, step: int) -> None:
        if self.detail.has_focus:
            super().side(step)
        elif self.rows.size_of_list:
            self._fold(opening=step > 0)

    def _fold(self, *, opening: bool) -> None:
        index = self.rows.cursor
        key = self._tree.key(index)
        if self._tree.toggle(index, opening=opening):
            (self._opened.add if opening else self._opened.discard)(key)
            self.rows.supply(self._tree)
            if opening and self._tree.forest.unread(key):
                self.want()
        elif not opening:
            self._to_parent(index)

    def reveal(self, node_id: int) -> None:
        """Opens the branches above a node and puts the cursor on it, as soon as the trees are read."""
        self._wanted = node_id
        self.set_filter("")
        self.want()

    def _go_to(self, wanted: int | None) -> None:
        found = None if wanted is None else self._tree.find(wanted)
        if wanted == self._wanted:
            self._wanted = None
        if found is not None:
            self.rows.move_to(found)

    def _to_parent(self, index: int) -> None:
        depth = self._tree.branch(index).depth
        for above in range(index - 1, -1, -1):
            if self._tree.branch(above).depth < depth:
                self.rows.move_to(above)
                return

    @override
    def open_row(self) -> None:
        key = self.selected
        if isinstance(key, str) and not self.detail.has_focus:
            self._fold(opening=key not in self._opened)
        else:
            super().open_row()

    @override
    def rearranged(self) -> None:
        self.want()

    @override
    def next_match(self, step: int) -> None:
        """Skips rows that are only there as ancestors of a match."""
        if not self._arranged.words:
            self.rows.move(step)
            return
        found = self._tree.forest.matching(self._arranged.words)
        order = range(self.rows.cursor + step, self.rows.size_of_list if step > 0 else -1, step)
        self.rows.move_to(next((i for i in order if self._tree.key(i) in found), self.rows.cursor))

    @override
    def target_of(self, key: Hashable) -> Target | None:
        if isinstance(key, str):
            return Target("kernel", key, f"kernel {key}")
        node = self._tree.forest.nodes.get(key) if isinstance(key, int) else None
        if node is None:
            return None
        if not node.outcome and node.agent:
            return Target("agent", node.agent, f"{node.agent} on {node.kernel}: {node_text.label(node)}", node=node.id)
        return Target("kernel", node.kernel, f"kernel {node.kernel}", node=node.id)

    @override
    def crumbs(self) -> tuple[str, ...]:
        """The kernel, then the node."""
        key = self.selected
        if not isinstance(key, int) or key not in self._tree.forest.nodes:
            return super().crumbs()
        return (self._tree.forest.nodes[key].kernel, f"node {key}", *super().crumbs()[1:])

    @override
    def copied(self) -> str:
        if self._detail is not None and self._detail.node.id == self.selected:
            node = self._detail.node
            return f"{node.candidate_id} {node.kernel} {node_text.label(node)}"
        return super().copied()


def _planted(source: Source, opened: set[int | str], words: str) -> Forest:
    view = source.overview()
    kernels = [kernel.name for kernel in view.kernels] if view else []
    numbers = [key for key in opened if isinstance(key, int)]
    return Forest.plant({k: source.matching(k, words) if words else source.branches(k, numbers) for k in kernels})


def _grow(forest: Forest, opened: set[int | str], *, filtered: bool, ascii_only: bool) -> TreeRows:
    if not filtered:
        return TreeRows(forest, opened, ascii_only=ascii_only)
    kept = forest.with_ancestors(forest.nodes)
    return TreeRows(forest, set(kept), kept, ascii_only=ascii_only)


def _filtered(forest: Forest, words: str) -> str:
    older = f" ({count(forest.left_out, 'older node')} left out)" if forest.left_out else ""
    return f", filter: {words}{older}"


@dataclass(frozen=True, slots=True)
class Reading:
    """The trees as far as they are open. fresh: keys to open from now on; wanted: the node to go to, when one is."""

    tree: TreeRows
    fresh: set[int | str]
    words: str
    wanted: int | None


@dataclass(frozen=True, slots=True)
class Shown:
    """A node with its code in colour and how the nodes below it ended."""

    detail: NodeDetail
    code: list[Line]
    ends: Sequence[End]


def _read(source: Source, selected: Hashable) -> Shown | None:
    detail = source.node(selected) if isinstance(selected, int) else None
    if detail is None:
        return None
    return Shown(detail, node_text.code_lines(detail), source.ends_below(detail.node.id))
