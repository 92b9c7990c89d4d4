"""Design Trees flattened to rows: only open branches have rows, so many nodes cost no more than what is open. Pure."""

from collections.abc import Hashable
from dataclasses import dataclass

from app.sanitise import cells, fit
from app.screens.forest import Forest
from app.screens.node_text import label, row_tail
from app.views import SIGN_TONES, Line, count

ASCII_GUIDES = str.maketrans({"│": "|", "├": "|", "└": "`", "─": "-"})


@dataclass(frozen=True, slots=True)
class Branch:
    """One visible row. guide: the lines of the tree in front of it; key: a node's id, or a kernel's name."""

    key: int | str
    depth: int
    guide: str
    last: bool


class TreeRows:
    """The rows of a forest: a `Supplier`. opened: keys whose children show; only: the filter's nodes, None = all."""

    def __init__(
        self, forest: Forest, opened: set[int | str], only: set[int | str] | None = None, *, ascii_only: bool = False
    ) -> None:
        self.forest, self.opened, self.only = forest, opened, only
        self._ascii = ascii_only
        self._where: dict[int | str, int] | None = None
        self._rows: list[Branch] = []
        for kernel in forest.kernels():
            if only is None or kernel in only:
                root = Branch(kernel, 0, "", True)
                self._rows += [root, *self._below(root)]

    def count(self) -> int:
        return len(self._rows)

    def key(self, index: int) -> int | str:
        return self._rows[index].key

    def find(self, key: Hashable) -> int | None:
        if self._where is None:
            self._where = {branch.key: index for index, branch in enumerate(self._rows)}
        return self._where.get(key) if isinstance(key, int | str) else None

    def branch(self, index: int) -> Branch:
        return self._rows[index]

    def toggle(self, index: int, *, opening: bool) -> bool:
        """Opens or closes one branch in place; whether anything changed."""
        branch = self._rows[index]
        if (branch.key in self.opened) == opening or not self._parts(branch.key):
            return False
        self._where = None
        if opening:
            self.opened.add(branch.key)
            self._rows[index + 1 : index + 1] = self._below(branch)
        else:
            self.opened.discard(branch.key)
            del self._rows[index + 1 : self._end(index)]
        return True

    def row(self, index: int, width: int) -> Line:
        branch = self._rows[index]
        fold = " " if not self._parts(branch.key) else "v" if branch.key in self.opened else ">"
        if isinstance(branch.key, str):
            size = f"  {count(self.forest.size(branch.key), 'node')}"
            return ((f"{fold} ", "dim"), (f"kernel {branch.key}", "strong"), (size, "dim"))
        node = self.forest.nodes[branch.key]
        guide = branch.guide.translate(ASCII_GUIDES) if self._ascii else branch.guide
        tail = row_tail(node, width)
        room = max(4, width - cells(guide) - 4 - sum(len(text) for text, _ in tail))
        tone = SIGN_TONES.get(node.sign, "")
        name = fit(label(node), room)
        return (
            (f"{guide}{fold} ", "dim"),
            (f"{node.sign or ' '} ", tone),
            (name, "strong" if node.is_head else tone),
            *tail,
        )

    def _kids(self, key: int | str) -> list[int]:
        kids = self.forest.kids(key)
        return kids if self.only is None else [kid for kid in kids if kid in self.only]

    def _parts(self, key: int | str) -> bool:
        """Whether it opens and closes: what is below may not be read yet."""
        return bool(self._kids(key)) or (self.only is None and self.forest.unread(key))

    def _end(self, index: int) -> int:
        depth, end = self._rows[index].depth, index + 1
        while end < len(self._rows) and self._rows[end].depth > depth:
            end += 1
        return end

    def _below(self, top: Branch) -> list[Branch]:
        """All visible rows under `top`, without recursion: lineages may be deep."""
        rows: list[Branch] = []
        stack = [iter(self._branches(top))] if top.key in self.opened else []
        while stack:
            branch = next(stack[-1], None)
            if branch is None:
                stack.pop()
                continue
            rows.append(branch)
            if branch.key in self.opened:
                stack.append(iter(self._branches(branch)))
        return rows

    def _branches(self, parent: Branch) -> list[Branch]:
        kids = self._kids(parent.key)
        trunk = "" if parent.depth == 0 else parent.guide[:-2] + ("  " if parent.last else "│ ")
        return [
            Branch(kid, parent.depth + 1, trunk + ("└─" if kid == kids[-1] else "├─"), kid == kids[-1]) for kid in kids
        ]
