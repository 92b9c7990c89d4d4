"""Puts the stand-in into a workspace: a target file that hides the shipped `rngd`, its commands, its settings."""

import json
import shlex
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[4]
TOML: Final = Path(__file__).with_name("rngd.toml")
COMMANDS: Final = ("cargo", "furiosa-arena", "moa-submitter")
SCRIPT: Final = """\
#!/bin/sh
# Plays `{command}` of the RNGD toolchain: a stand-in.
PYTHONPATH={root} exec {python} -P -S -m kernels.targets.rngd.stand_in.tool {state} {command} "$@"
"""


def set_up(workspace: Path, **settings: Any) -> Path:
    """settings: see `queue.SETTINGS`. Returns the target file."""
    folder = workspace / "stand-in"
    folder.mkdir(parents=True, exist_ok=True)
    for command in COMMANDS:
        text = SCRIPT.format(
            root=shlex.quote(str(ROOT)), python=shlex.quote(sys.executable), command=command,
            state=shlex.quote(str((folder / "state").absolute())),
        )  # fmt: skip
        (folder / command).write_text(text, encoding="utf-8")
        (folder / command).chmod(0o755)
    change(workspace, settings)
    target = workspace / "targets" / "rngd.toml"
    target.parent.mkdir(exist_ok=True)
    shutil.copyfile(TOML, target)
    return target


def change(workspace: Path, settings: Mapping[str, Any]) -> None:
    """Set some settings; the others stay as they are."""
    path = workspace / "stand-in" / "state" / "settings.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    known = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    path.write_text(json.dumps({**known, **settings}), encoding="utf-8")
