"""The arguments of each tool. Every field is required and no other is taken, as strict function calling wants it."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from knowledge.memory import LONGEST_REFLECTION, LONGEST_STRATEGY

Text = Annotated[str, Field(min_length=1, max_length=400)]
SOURCE_LIMIT = 400_000


class Arguments(BaseModel):
    """Sizes are limited here; there is no argument for a time or for an amount of output."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @classmethod
    def schema_of(cls) -> dict[str, Any]:
        """JSON schema in the subset that strict function calling takes: no limits of length and no titles."""
        return {"required": [], **_plain(cls.model_json_schema())}


class Nothing(Arguments):
    pass


class ReadSource(Arguments):
    which: Literal["own", "head", "baseline"] = Field(description="own: your file; head: the best accepted one")
    first: int = Field(ge=1, le=1_000_000, description="first line, from 1")
    last: int = Field(ge=0, le=1_000_000, description="last line; 0 = to the end")


class ReadSibling(Arguments):
    kernel: Text = Field(description="another kernel of this pack")


class Recall(Arguments):
    words: str = Field(max_length=200, description="all of these words must be there; empty = everything")


class WriteFile(Arguments):
    text: str = Field(min_length=1, max_length=SOURCE_LIMIT, description="the whole new text of your file")


class Block(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    search: str = Field(min_length=1, max_length=SOURCE_LIMIT, description="text that is in your file exactly once")
    replace: str = Field(max_length=SOURCE_LIMIT, description="what stands there instead")


class Edit(Arguments):
    blocks: list[Block] = Field(min_length=1, max_length=50, description="all of them are applied, in order, or none")


class ApplyLever(Arguments):
    number: int = Field(ge=1, le=10_000, description="as list_levers numbered it for your file as it is now")


class Submit(Arguments):
    idea: Text = Field(description="the change in a few words, e.g. 'eight rows at once, four accumulators'")
    why: str = Field(min_length=1, max_length=1000, description="why it is faster, on this machine")
    expected_gain: float = Field(ge=-1, lt=1, description="share of the head's time that is saved, e.g. 0.1")
    new_design: bool = Field(description="true when it does not grow from the head but is another algorithm or layout")


class Remember(Arguments):
    kind: Literal["win", "trap"]
    strategy: str = Field(min_length=1, max_length=LONGEST_STRATEGY)
    reflection: str = Field(max_length=LONGEST_REFLECTION, description="why, in words that help on other kernels")


class Finish(Arguments):
    summary: str = Field(min_length=1, max_length=1000, description="what came of the brief")


KEPT = frozenset({"type", "properties", "required", "additionalProperties", "items", "enum", "description", "$ref",
                  "$defs", "anyOf", "const"})  # fmt: skip


def _plain(value: Any, *, names: bool = False) -> Any:
    """names: the keys of this level are names of fields or definitions, not words of the schema."""
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _plain(one, names=key in ("properties", "$defs")) for key, one in value.items() if names or key in KEPT
    }
