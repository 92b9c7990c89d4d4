"""Strategy skills told as an index or whole, and what of them changed by hand since this home last looked."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from app.settings import UsageError
from app.text import table
from knowledge.skills.playbook import Playbook
from knowledge.skills.playbook import told as skill_told
from knowledge.skills.skill import ANY, Skill
from store.engine import DATABASE, Session, Store
from store.knowledge_files import FileChange, notice
from store.knowledge_views import SkillView

KIND: Final = "skill"
ROOT: Final = Path(__file__).resolve().parents[2]


def shown_path(skill: Skill) -> str:
    """Of a skill that ships, from the program's own folder; else the whole path."""
    return str(skill.path.relative_to(ROOT) if skill.path.is_relative_to(ROOT) else skill.path)


def noticed(home: Path, book: Playbook, workspace: Path) -> tuple[FileChange, ...]:
    """() in a home without a database."""
    if not (home / DATABASE).is_file():
        return ()
    with Store.open(home) as store:
        return store.write_sync(lambda s: looked_at(s, book, workspace))


def looked_at(s: Session, book: Playbook, workspace: Path) -> tuple[FileChange, ...]:
    return notice(s, KIND, {skill.name: skill.digest for skill in book.skills}, workspace)


def chosen(book: Playbook, names: Sequence[str]) -> tuple[Skill, ...]:
    """All without names. Raises: UsageError."""
    known = {skill.name: skill for skill in book.skills}
    unknown = sorted(set(names) - set(known))
    if unknown:
        raise UsageError(f"skills {', '.join(unknown)}: there are none of that name; known: {', '.join(known)}")
    return tuple(known[name] for name in names) if names else book.skills


def told(book: Playbook, skills: Sequence[Skill], changes: Sequence[FileChange]) -> dict[str, Any]:
    """For JSON: the index of all, and the chosen ones whole."""
    return {
        "index": book.index(), "own": list(book.own), "replaced": list(book.replaced),
        "changed": [{"name": one.name, "how": one.how} for one in changes],
        "skills": [{**skill_told(skill), "origin": origin(book, skill)} for skill in skills],
    }  # fmt: skip


def index(book: Playbook, changes: Sequence[FileChange]) -> str:
    """By type of kernel, then a line a skill."""
    general = {skill.name for skill in book.skills if ANY in skill.kernel_types}
    types = [[kind, ", ".join(n for n in names if n not in general)] for kind, names in book.index().items()]
    types.append([ANY, ", ".join(sorted(general))])
    rows = [[skill.name, origin(book, skill), skill.description] for skill in book.skills]
    lines = [table(("kernels of type", "skills"), types), "", table(("skill", "origin", "what"), rows)]
    return "\n".join([*lines, *(f"! {change}" for change in changes)])


def whole(skills: Sequence[Skill]) -> str:
    return "\n\n".join(
        f"{skill.name}: {skill.description}\nfor {', '.join(skill.kernel_types)}"
        f"{f' with {_listed(skill.traits)}' if skill.traits else ''}"
        f"{f' without {_listed(skill.without)}' if skill.without else ''}; levers {', '.join(skill.levers)}"
        f"{f'; rarely {_listed(skill.unlikely)}' if skill.unlikely else ''}\n{shown_path(skill)}\n\n{skill.body}"
        for skill in skills
    )


def origin(book: Playbook, skill: Skill) -> str:
    if skill.name not in book.own:
        return "shipped"
    return "workspace, replaces" if skill.name in book.replaced else "workspace"


def view(book: Playbook, skill: Skill) -> SkillView:
    return SkillView(
        skill.name, skill.description, skill.kernel_types, skill.targets, skill.levers, skill.unlikely,
        origin(book, skill), shown_path(skill), skill.body,
    )  # fmt: skip


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)
