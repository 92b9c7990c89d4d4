"""The same tiny pack, target and builds as the device's own tests."""

from tests.end_to_end.device.conftest import build, target, tiny_pack

__all__ = ["build", "target", "tiny_pack"]
