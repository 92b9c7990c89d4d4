"""Every target that ships has the contract's tests."""

from pathlib import Path

from kernels.targets.discovery import built_in

HERE = Path(__file__).parent


def test_every_target_that_ships_has_the_contracts_tests() -> None:
    texts = [path.read_text(encoding="utf-8") for path in HERE.glob("test_*_contract.py")]
    shipped = {one.name.replace("-", "_") for one in built_in()}
    assert {"cpu_c", "opencl", "rngd"} <= shipped
    missing = [name for name in shipped if not any(f"kernels.targets.{name}.plugin" in text for text in texts)]
    assert missing == []
