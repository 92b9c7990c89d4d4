"""Whether the levers that skills speak of are there: apart from reading them, because it takes every lever."""

from fnmatch import fnmatchcase

from kernels.levers import registry
from kernels.levers.tunables import PREFIX
from knowledge.skills.playbook import Playbook
from knowledge.skills.skill import SkillFileError


def checked(book: Playbook) -> Playbook:
    """The same playbook. Raises: SkillFileError for a skill whose pattern meets no lever."""
    known = registry.names()
    for skill in book.skills:
        for pattern in (*skill.levers, *skill.unlikely):
            if not pattern.startswith(PREFIX) and not any(fnmatchcase(name, pattern) for name in known):
                listed = f"{', '.join(sorted(known))}, and {PREFIX}<knob>"
                raise SkillFileError(skill.path, f"there is no lever {pattern!r}; levers: {listed}")
    return book
