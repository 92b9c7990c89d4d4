"""A strategy skill and the file that it stands in: Markdown with TOML front matter between lines of `+++`.

+++
name = "as-the-file"                 description = "one sentence"
kernel_types = ["stencil"]           or ["any"]
levers = ["threads", "tune_*"]       what it speaks for, with wildcards; see levers_named.py
unlikely = ["tile"]                  what it speaks against, optional
traits = ["triangular"]              what the kernel must have, optional
without = ["small"]                  what it must not have, optional
targets = ["cpu-c"]                  absent: every target
+++
## When it applies / ## What it expects / ## How to check / ## What it does not do
"""

import hashlib
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from knowledge.baselines.values import KERNEL_TYPES, TRAITS

ANY: Final = "any"
SECTIONS: Final = ("When it applies", "What it expects", "How to check", "What it does not do")
FENCE: Final = "+++"
LONGEST: Final = 6000  # characters of a file: several must fit into a brief


class SkillFileError(Exception):
    """A skill file that cannot be used: what was asked, what was found, what to do."""

    def __init__(self, path: Path, found: str) -> None:
        super().__init__(f"skill {path}: {found}. Mend the file; see knowledge/skills/skill.py")


@dataclass(frozen=True, slots=True)
class Skill:
    """body: Markdown without the front matter. digest: of the whole file. levers, unlikely: patterns of lever names."""

    name: str
    description: str
    kernel_types: tuple[str, ...]
    levers: tuple[str, ...]
    unlikely: tuple[str, ...]
    traits: tuple[str, ...]
    without: tuple[str, ...]
    targets: tuple[str, ...]
    body: str
    digest: str
    path: Path

    def speaks_for(self, lever: str) -> bool:
        return _matches(lever, self.levers)

    def speaks_against(self, lever: str) -> bool:
        return _matches(lever, self.unlikely)

    def section(self, title: str) -> str:
        """The text below a heading, without it."""
        parts = re.split(r"^## (.+)$", self.body, flags=re.MULTILINE)
        return str(dict(zip(parts[1::2], parts[2::2], strict=True))[title]).strip()


class _Front(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    description: str = Field(min_length=16, max_length=160)
    kernel_types: tuple[str, ...] = Field(min_length=1)
    levers: tuple[str, ...] = Field(min_length=1)
    unlikely: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()


def read_skill(path: Path) -> Skill:
    """What stands in the file. Raises: SkillFileError."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SkillFileError(path, str(error)) from error
    head, body = _parted(path, text)
    try:
        raw: dict[str, Any] = tomllib.loads(head)
        front = _Front.model_validate(raw)
    except tomllib.TOMLDecodeError as error:
        raise SkillFileError(path, f"the front matter is not valid TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        raise SkillFileError(path, f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error
    for fault in _faults(path, front, text, body):
        raise SkillFileError(path, fault)
    return Skill(
        front.name, front.description, front.kernel_types, front.levers, front.unlikely, front.traits, front.without,
        front.targets, body, hashlib.sha256(text.encode()).hexdigest(), path,
    )  # fmt: skip


def _parted(path: Path, text: str) -> tuple[str, str]:
    """Front matter and body. Raises: SkillFileError."""
    lines = text.replace("\r\n", "\n").split("\n")
    ends = [number for number, line in enumerate(lines) if line.strip() == FENCE]
    if lines[0].strip() != FENCE or len(ends) < 2:
        begins = f"it begins with {lines[0][:40]!r}"
        raise SkillFileError(path, f"{begins}; asked for TOML front matter between two lines of {FENCE}")
    return "\n".join(lines[1 : ends[1]]), "\n".join(lines[ends[1] + 1 :]).strip() + "\n"


def _faults(path: Path, front: _Front, text: str, body: str) -> Iterable[str]:
    if front.name != path.stem:
        yield f"its name is {front.name!r}, the file's is {path.stem!r}; give both the same"
    yield from _unknown("kernel type", front.kernel_types, (*KERNEL_TYPES, ANY))
    yield from _unknown("trait", (*front.traits, *front.without), TRAITS)
    both = sorted(set(front.levers) & set(front.unlikely))
    if both:
        yield f"it speaks for and against {', '.join(both)}"
    headings = re.findall(r"^## (.+)$", body, flags=re.MULTILINE)
    missing = [title for title in SECTIONS if title not in headings]
    if missing or len(set(headings)) != len(headings):
        yield f"sections {', '.join(headings) or 'none'}; asked for each of: {', '.join(SECTIONS)}"
    if len(text) > LONGEST:
        yield f"{len(text)} characters; at most {LONGEST} are read"


def _unknown(what: str, given: Iterable[str], known: Iterable[str]) -> Iterable[str]:
    wrong = sorted(set(given) - set(known))
    if wrong:
        yield f"{what} {', '.join(map(repr, wrong))} is not known; known are {', '.join(known)}"


def _matches(lever: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(lever, pattern) for pattern in patterns)
