"""Which errors of other packages are a person's mistake or a missing piece of the environment."""

import errno
from dataclasses import dataclass
from typing import Final

UNWRITABLE: Final = frozenset({errno.EROFS, errno.ENOSPC, errno.EDQUOT})


@dataclass(frozen=True, slots=True)
class Said:
    text: str
    code: int


def person_error(error: Exception) -> Said | None:
    """What to say, or None when the error is a fault of ours. Imported late: it knows the packages' error types."""
    from app.source import SourceError
    from kernels.packs.loader import PackError
    from kernels.targets.base import TargetError
    from knowledge.book.scan import BookError
    from knowledge.probes.definition import ProbeError
    from knowledge.rules.shipped import RuleFileError
    from knowledge.skills.skill import SkillFileError
    from store.engine import StoreError

    if isinstance(error, PackError | ProbeError | RuleFileError | SkillFileError | BookError):
        return Said(str(error), 2)
    if isinstance(error, TargetError | StoreError | SourceError):
        return Said(str(error), 3)
    if isinstance(error, OSError) and error.errno in UNWRITABLE:
        where = error.filename or "a file of the home or of the current folder"
        return Said(f"cannot write {where}: {error.strerror}; free some space, or give --home another folder", 3)
    return None
