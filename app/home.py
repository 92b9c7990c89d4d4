"""Where things lie: the home folder with the database, artefacts, logs and the lock."""

import os
from pathlib import Path

import platformdirs


def home_folder(flag: Path | None) -> Path:
    """`--home`, else KERNELWRIGHT_HOME, else the platform's data folder. Not created here."""
    if flag is not None:
        return flag.expanduser().resolve()
    named = os.environ.get("KERNELWRIGHT_HOME")
    if named is not None and named != "":
        return Path(named).expanduser().resolve()
    return Path(platformdirs.user_data_dir("kernelwright", appauthor=False))


def workspace_folder() -> Path:
    """The current folder: its `packs/` stands beside the packs that ship."""
    return Path.cwd()
