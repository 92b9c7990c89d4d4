"""The judge is pure, and light to import."""

import subprocess
import sys

CODE = """
import sys, pkgutil, importlib, kernels.judge
for module in pkgutil.iter_modules(kernels.judge.__path__, "kernels.judge."):
    importlib.import_module(module.name)
print(" ".join(m for m in ("scipy", "asyncio", "subprocess", "sqlite3", "textual") if m in sys.modules))
"""


def test_nothing_heavy_or_impure_is_imported() -> None:
    found = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert "scipy" not in found.stdout.split()
    assert "asyncio" not in found.stdout.split()
