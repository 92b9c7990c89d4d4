"""Follows one call of a source through its functions and loops, by syntax, and describes every statement in loops.

Branches whose condition no integers decide count both ways. The source is untrusted: the walk has an end.
"""

from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.nests.integers import INTEGERS, integers_of
from kernels.levers.nests.localise import localised
from kernels.levers.nests.scopes import declarations
from kernels.levers.nests.updates import Update, update_of
from kernels.levers.scope import Variable, parameters
from kernels.levers.syntax import field, in_fallback, named, root_name, statements, strip_parentheses, text_of, walk
from kernels.levers.unit import unit_of
from kernels.packs.trees import called
from kernels.profiling.flow import entry_of
from knowledge.baselines.spots import Frame, Spots
from knowledge.baselines.statements import element_of, prepared, stored
from knowledge.baselines.turns import Turns
from knowledge.baselines.values import Work

LOOPS: Final = ("for_statement", "while_statement", "do_statement")
SKIPPED: Final = ("preproc_else", "preproc_elif", "comment", "preproc_call")
MOST_CALLS: Final = 200
MOST_WORK: Final = 4000


class Survey:
    """One walk. `found`: statements in the order of a call; `why`: what was left out, "" for nothing."""

    def __init__(self, source: str, entry: str, arguments: Sequence[str]) -> None:
        self.found: list[Work] = []
        self.why = ""
        self._unit = unit_of(localised(source))
        self._turns = Turns(integers_of(self._unit.source))
        self._calls = 0
        self._within: list[int] = []
        function = entry_of(self._unit, entry)
        if function is None or self._unit.root.has_error:
            self.why = f"there is no function {entry} that parses"
            return
        frame = Frame(function)
        frame.roots = {p.name: name for p, name in zip(parameters(function), arguments, strict=False)}
        self._call(frame)

    def _call(self, frame: Frame) -> None:
        body = field(frame.function, "body")
        self._calls += 1
        if body is None or frame.function.id in self._within or self._calls > MOST_CALLS:
            self.why = self.why or "a recursion, or too many calls"
            return
        self._within.append(frame.function.id)
        self._statement(body, frame)
        self._within.pop()

    def _statement(self, node: Node, frame: Frame) -> None:
        if node.type in SKIPPED:
            return
        if node.type in LOOPS:
            self._loop(node, frame)
        elif node.type == "declaration":
            self._declare(node, frame)
        elif node.type == "if_statement":
            self._branch(node, frame)
        elif node.type == "expression_statement":
            for child in named(node):
                self._expression(child, node, frame)
        elif node.type == "return_statement":
            self._calls_in(node, frame)
        else:
            for child in named(node):
                self._statement(child, frame)

    def _loop(self, node: Node, frame: Frame) -> None:
        body = field(node, "body")
        if body is None or in_fallback(node):
            return
        outer = dict(frame.loops)
        with self._turns.loop(node, body) as variable:
            frame.loops[variable] = len(self._turns.stack) - 1
            for child in statements(body):
                self._statement(child, frame)
        frame.loops = outer

    def _branch(self, node: Node, frame: Frame) -> None:
        update = update_of(self._unit, node)
        condition, then, other = (field(node, name) for name in ("condition", "consequence", "alternative"))
        if update is not None:
            self._stored(node, node, update, frame)
        elif condition is not None:
            self._calls_in(condition, frame)
            for way in self._turns.ways(condition):
                part = then if way else other
                if part is not None:
                    self._statement(part, frame)

    def _declare(self, node: Node, frame: Frame) -> None:
        try:
            found = declarations(node)
        except Unsupported:
            return
        for variable, value in found:
            self._declared(variable, value, node, frame)

    def _declared(self, variable: Variable, value: Node | None, node: Node, frame: Frame) -> None:
        frame.roots.pop(variable.name, None)
        frame.deps[variable.name] = frozenset()
        frame.reset[variable.name] = len(self._turns.stack)
        if value is None:
            return
        frame.deps[variable.name] = Spots(self._unit, frame, node, len(self._turns.stack)).deps(value)
        if variable.pointers or variable.dims[:1] == ("",):
            frame.roots[variable.name] = frame.roots.get(root_name(value), root_name(value))
        elif variable.is_scalar and variable.element in INTEGERS:
            self._turns.set(variable.name, value)
        self._calls_in(value, frame)
        self._keep(prepared(self._unit, frame, self._turns, node, value))

    def _expression(self, node: Node, statement: Node, frame: Frame) -> None:
        node = strip_parentheses(node)
        if node.type == "comma_expression":
            for child in named(node):
                self._expression(child, statement, frame)
            return
        update = update_of(self._unit, node)
        if update is not None:
            self._stored(statement, node, update, frame)
        elif node.type == "assignment_expression":
            self._assigned(node, statement, frame)
        self._calls_in(node, frame)

    def _assigned(self, node: Node, statement: Node, frame: Frame) -> None:
        target, value = field(node, "left"), field(node, "right")
        if target is None or value is None:
            return
        name = text_of(strip_parentheses(target))
        if strip_parentheses(target).type != "identifier":
            self._stored(statement, node, Update(target, "", (("", value),)), frame)
            return
        frame.deps[name] = Spots(self._unit, frame, statement, len(self._turns.stack)).deps(value)
        frame.reset[name] = len(self._turns.stack)
        if element_of(frame, statement, name) in INTEGERS:
            self._turns.set(name, value)
        self._keep(prepared(self._unit, frame, self._turns, statement, value))

    def _stored(self, statement: Node, node: Node, update: Update, frame: Frame) -> None:
        if self._turns.stack:
            self._keep(stored(self._unit, frame, self._turns, statement, node, update))

    def _keep(self, work: Work | None) -> None:
        if len(self.found) >= MOST_WORK:
            self.why = "too many statements"
        elif work is not None:
            self.found.append(work)

    def _calls_in(self, node: Node, frame: Frame) -> None:
        """Follow the source's own functions that have loops."""
        for call in (n for n in walk(node) if n.type == "call_expression"):
            function, listed = self._unit.functions.get(called(call)), field(call, "arguments")
            if function is None or in_fallback(function) or listed is None:
                continue
            if any(n.type in LOOPS for n in walk(function)):
                self._follow(function, named(listed), call, frame)

    def _follow(self, function: Node, given: Sequence[Node], call: Node, frame: Frame) -> None:
        inner, spots = Frame(function), Spots(self._unit, frame, call, len(self._turns.stack))
        integers: dict[str, Node] = {}
        for formal, value in zip(parameters(function), given, strict=False):
            inner.deps[formal.name] = spots.deps(value)
            if formal.is_scalar:
                integers[formal.name] = value
            else:
                inner.roots[formal.name] = frame.roots.get(root_name(value), root_name(value))
        with self._turns.passed(integers):
            self._call(inner)
