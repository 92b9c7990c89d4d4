"""The playbook: every skill, and which of them speak for a kernel. The index comes from the front matter."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from knowledge.baselines.values import KERNEL_TYPES, SMALL_BYTES, SMALL_OPERATIONS, Character
from knowledge.book.values import fold
from knowledge.skills.skill import ANY, SECTIONS, Skill, read_skill

if TYPE_CHECKING:
    from kernels.values.kernel import KernelSpec

SHIPPED: Final = Path(__file__).parent
FOLDER: Final = "skills"
SMALL: Final = "small"


@dataclass(frozen=True, slots=True)
class Playbook:
    """Skills by name. own: names of those of the workspace; replaced: those of them that shipped ones have too."""

    skills: tuple[Skill, ...] = ()
    own: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()

    def index(self) -> dict[str, list[str]]:
        """The eligibility map: names of skills by type of kernel, traits apart."""
        return {kind: [skill.name for skill in self.skills if _of_type(skill, (kind,))] for kind in KERNEL_TYPES}

    def eligible(self, character: Character, spec: "KernelSpec", target: str) -> tuple[Skill, ...]:
        """Those that speak for a kernel on a target; more specific ones first."""
        has = traits_of(character, spec)
        found = [
            skill
            for skill in self.skills
            if _of_type(skill, character.types)
            and (not skill.targets or target in skill.targets)
            and has.issuperset(skill.traits)
            and not has & set(skill.without)
        ]
        order = lambda skill: (ANY in skill.kernel_types, len(skill.kernel_types), -len(skill.traits), skill.name)  # noqa: E731
        return tuple(sorted(found, key=order))


def playbook(workspace: Path | None = None) -> Playbook:
    """Shipped skills, and those in `skills/` of the workspace, which win by name; their levers are taken
    as named. Raises: SkillFileError."""
    own = {} if workspace is None else _read(workspace / FOLDER)
    shipped = {name: path for name, path in _files(SHIPPED).items() if name not in own}
    skills = {**own, **{name: read_skill(path) for name, path in shipped.items()}}
    replaced = tuple(name for name in _files(SHIPPED) if name in own)
    return Playbook(tuple(skills[name] for name in sorted(skills)), tuple(sorted(own)), replaced)


def traits_of(character: Character, spec: "KernelSpec") -> set[str]:
    """Those of its source, and "small" for a kernel whose call takes microseconds."""
    moved = sum(argument.nbytes for argument in spec.arguments if argument.shape)
    little = character.exact and character.operations < SMALL_OPERATIONS and moved < SMALL_BYTES
    return {*character.traits, *((SMALL,) if little else ())}


def brief(skills: Sequence[Skill], size: int) -> str:
    """What a model is told: of each skill its description, when it applies and what it does not do, within `size`
    characters; whole skills only, and by name those that did not fit. "" without any."""
    kept, left = list[str](), list[str]()
    room = size - 60
    for skill in skills:
        parts = (fold(skill.section(title)) for title in (SECTIONS[1], SECTIONS[3]))
        text = f"- {skill.name}: {skill.description} Expect: {next(parts)} Not: {next(parts)}"
        if len(text) + 1 <= room:
            kept.append(text)
            room -= len(text) + 1
        else:
            left.append(skill.name)
    if not kept:
        return ""
    rest = f"\nAlso known: {', '.join(left)}" if left else ""
    return f"Strategies for kernels of this type:\n{chr(10).join(kept)}{rest}"[:size]


def told(skill: Skill) -> dict[str, Any]:
    """For JSON."""
    listed: Mapping[str, Iterable[str]] = {
        "kernel_types": skill.kernel_types, "levers": skill.levers, "unlikely": skill.unlikely,
        "traits": skill.traits, "without": skill.without, "targets": skill.targets,
    }  # fmt: skip
    return {
        "name": skill.name, "description": skill.description, **{name: list(found) for name, found in listed.items()},
        "body": skill.body, "digest": skill.digest, "file": str(skill.path),
    }  # fmt: skip


def _files(folder: Path) -> dict[str, Path]:
    return {path.stem: path for path in sorted(folder.glob("*.md"))}


def _read(folder: Path) -> dict[str, Skill]:
    return {name: read_skill(path) for name, path in _files(folder).items()}


def _of_type(skill: Skill, kinds: Iterable[str]) -> bool:
    return ANY in skill.kernel_types or not set(skill.kernel_types).isdisjoint(kinds)
