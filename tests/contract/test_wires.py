"""Each wire against the contract."""

from tests.contract.wire_contract import WireContract


class TestMessages(WireContract):
    kind, model, wire = "anthropic", "claude-opus-5-5", "messages"


class TestResponses(WireContract):
    kind, model, wire = "openai", "gpt-6.1-terra", "responses"


class TestChat(WireContract):
    kind, model, wire = "openai", "qwen3-coder", "chat"
