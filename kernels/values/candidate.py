"""A candidate: files, language, build options, launch parameters. Its id is the hash of all of it."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Candidate:
    """One source bundle for one kernel.

    files: file name to text; `main` names the one with the entry point.
    flags: the candidate's own compiler flags, added to the target's; a lever, not a toolchain change.
    launch: launch parameters, e.g. {"threads": "2"}.
    """

    kernel: str
    files: Mapping[str, str]
    main: str = "kernel.c"
    language: str = "c"
    flags: tuple[str, ...] = ()
    launch: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.main not in self.files:
            raise ValueError(f"candidate for {self.kernel}: main file {self.main!r} is not among {sorted(self.files)}")

    @property
    def id(self) -> str:
        """32 hex digits of the SHA-256 of kernel, language, files, flags and launch parameters."""
        whole = [
            self.kernel,
            self.language,
            self.main,
            sorted(self.files.items()),
            list(self.flags),
            sorted(self.launch.items()),
        ]
        return hashlib.sha256(json.dumps(whole).encode()).hexdigest()[:32]

    @property
    def source(self) -> str:
        """Text of the main file."""
        return self.files[self.main]

    def to_json(self) -> str:
        return json.dumps(
            {
                "kernel": self.kernel, "files": dict(self.files), "main": self.main, "language": self.language,
                "flags": list(self.flags), "launch": dict(self.launch),
            }
        )  # fmt: skip

    @classmethod
    def from_json(cls, text: str) -> "Candidate":
        raw = json.loads(text)
        return cls(raw["kernel"], raw["files"], raw["main"], raw["language"], tuple(raw["flags"]), raw["launch"])
