"""Rules on the words of a C source: names, attributes, directives, macro bodies, and the text as a whole."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from kernels.gates.c_text import hidden, pragmas
from kernels.gates.c_words import (
    ALLOWED_INCLUDES,
    ASSEMBLY,
    BUILDS,
    COMPILER_NAMES,
    DIRECTIVES,
    FORBIDDEN_ATTRIBUTES,
    FORBIDDEN_CALLS,
    HARNESS,
    PRAGMAS,
)


@dataclass(frozen=True, slots=True)
class Refusal:
    kind: str
    reason: str


def flag_refusal(flags: Sequence[str]) -> Refusal | None:
    """A macro of the command line may bring in no name that a source may not have."""
    for flag in flags:
        found = definition(flag.removeprefix("-D")) if flag.startswith("-D") else None
        if found is not None:
            return Refusal(found.kind, f"flag {flag}: {found.reason}")
    return None


def text_refusal(source: str) -> Refusal | None:
    """What the tree cannot show, see `c_text.py`."""
    found = hidden(source)
    if found is not None:
        return Refusal("hidden_text", f"line {found[0]}: {found[1]}")
    for line, text in pragmas(source):
        refusal = directive(text)
        if refusal is not None:
            return Refusal(refusal.kind, f"line {line}: {refusal.reason}")
    return None


def named(name: str) -> Refusal | None:
    """Names that mean something to the compiler wherever they stand."""
    if name in COMPILER_NAMES:
        return Refusal("forbidden_name", f"{name} is outside the allow-list of a kernel")
    if name in BUILDS:
        return Refusal("build_macro", f"{name} tells one build from another; a kernel is the same in all of them")
    return None


def included(path: str, headers: Collection[str]) -> Refusal | None:
    """path: as it stands behind `#include`; a macro is none that is allowed."""
    found = re.match(r"""<([^>\n]*)>|"([^"\n]*)\"""", path)
    name = (found[1] or found[2] or "") if found else path
    if found and (name in ALLOWED_INCLUDES or name in headers):
        return None
    allowed = ", ".join(sorted({*ALLOWED_INCLUDES, *headers}))
    return Refusal("forbidden_include", f'#include "{name}" is not allowed; allowed: {allowed}')


def attributes(words: Collection[str]) -> Refusal | None:
    bad = next((a for a in FORBIDDEN_ATTRIBUTES if a in words or f"__{a}__" in words), None)
    return Refusal("forbidden_attribute", f"attribute {bad} is not allowed") if bad else None


def directive(text: str) -> Refusal | None:
    words = re.findall(r"\w+", text)
    pragma = words[1:2] in (["STDC"], ["unroll"], ["omp"], ["once"]) or (
        words[1:2] == ["GCC"] and set(words[2:3]) <= PRAGMAS
    )
    if not set(words[:1]) <= DIRECTIVES or (words[:1] == ["pragma"] and not pragma):
        return Refusal("forbidden_directive", f"{text.strip()} is not allowed")
    return None


def definition(text: str) -> Refusal | None:
    """A macro body is no tree: look at its words, and at pasting, which could build a forbidden name."""
    words = re.findall(r"\w+", text)
    bad = next((w for w in words if w in FORBIDDEN_CALLS or w in ASSEMBLY), None)
    if bad is not None:
        return Refusal("forbidden_name", f"{bad} is outside the allow-list of a kernel")
    taken = re.search(rf"\b({'|'.join(HARNESS)})\b(?!\s*\()", text)
    if taken is not None:
        return Refusal("harness_address", f"{taken.group(1)} may only be called")
    if "##" in text:
        return Refusal("token_pasting", "token pasting (##) hides names from the check and is not allowed")
    return attributes(words) or next((found for word in words if (found := named(word)) is not None), None)
