"""The linter on one kernel as a process: `python -m kernels.packs.linting PACK_FOLDER KERNEL`, findings as JSON.

A pack's reference is its author's Python, which runs in no process that owns anything.
"""

import json
import sys
from pathlib import Path

from kernels.packs.lint import Finding, lint_kernel
from kernels.packs.loader import load_pack
from kernels.packs.toml import PackError


def findings(folder: Path, kernel: str) -> list[Finding]:
    try:
        spec = load_pack(folder).kernel(kernel)
    except (PackError, ValueError) as error:
        return [Finding(kernel, "", "contract", str(error))]
    return lint_kernel(spec)


def main(arguments: list[str]) -> int:
    folder, kernel = arguments
    json.dump([str(finding) for finding in findings(Path(folder), kernel)], sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
