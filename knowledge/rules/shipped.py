"""Rules that ship with a target: a TOML file each in `<target>/`, and those of the workspace, which win by name."""

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from kernels.gates.forms.pattern import PatternError, check_pattern
from knowledge.rules.rule import Kind, Pattern, Rule

SHIPPED: Final = Path(__file__).parent


class RuleFileError(Exception):
    """A rule file that cannot be used: what was asked, what was found, what to do."""

    def __init__(self, path: Path, found: str) -> None:
        super().__init__(f"rule {path}: {found}. Mend the file; see knowledge/rules/rule.py")


class _Run(BaseModel):
    """How a rule about a run is tried. out: the first words that are right. at_least: how many times slower the
    forbidden form is. Besides these, keys of a probe's setup."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    out: tuple[int, ...] = ()
    at_least: float = Field(default=1.3, gt=1)
    size: str = Field(default="64 KiB", alias="bytes")
    fill: str = "floats"
    threads: str = "one"
    count: int = Field(default=1, ge=1)


class _File(BaseModel):
    """documented: where it stands; such a rule may have no forms, and is not verified then."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    statement: str = Field(min_length=16)
    kind: Kind
    forbidden: str = ""
    legal: str = ""
    documented: tuple[str, ...] = ()
    diagnostic: str = ""
    flags: tuple[str, ...] = ()
    pattern: str = ""
    doubt: str = ""
    run: _Run | None = None
    requires: tuple[str, ...] = ()


def shipped_rules(target: str, workspace: Path | None = None) -> list[Rule]:
    """By name; none for a target that nothing is known of. Raises: RuleFileError."""
    found = {rule.name: rule for rule in _read(SHIPPED / target.replace("-", "_"), target)}
    if workspace is not None:
        own = _read(workspace / "rules" / target, target)
        found |= {rule.name: replace(rule, workspace=str(workspace)) for rule in own}
    return [found[name] for name in sorted(found)]


def _read(folder: Path, target: str) -> list[Rule]:
    return [read_rule(path, target) for path in sorted(folder.glob("*.toml"))]


def read_rule(path: Path, target: str) -> Rule:
    """Raises: RuleFileError."""
    try:
        raw: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        found = _File.model_validate(raw)
        if found.pattern:
            check_pattern(found.pattern)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, PatternError) as error:
        raise RuleFileError(path, str(error)) from error
    except ValidationError as error:
        first = error.errors()[0]
        raise RuleFileError(path, f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error
    has_forms = found.forbidden != "" and found.legal != ""
    if not has_forms and (not found.documented or found.forbidden + found.legal != ""):
        raise RuleFileError(path, "it needs a forbidden and a legal form, or neither and `documented`: where it stands")
    if has_forms and (found.run is None) != (found.kind == "compile_error"):
        raise RuleFileError(path, f"kind {found.kind} {'needs' if found.run is None else 'has no'} table [run]")
    return Rule(
        path.stem, target, found.kind, found.statement, found.forbidden, found.legal, found.diagnostic, found.flags,
        Pattern(found.pattern, found.doubt) if found.pattern else None,
        found.run.model_dump() if found.run is not None else {}, found.requires,
        evidence=tuple({"text": f"documented in {one}", "where": one} for one in found.documented),
    )  # fmt: skip


def with_files(rules: Sequence[Rule], shipped: Sequence[Rule]) -> list[Rule]:
    """With what stands only in the files: how runs are made, which features are needed."""
    files = {rule.key: rule for rule in shipped}
    return [
        replace(rule, setup=files[rule.key].setup, requires=files[rule.key].requires) if rule.key in files else rule
        for rule in rules
    ]
