"""What in a baseline makes it slower than plain C has to be: every gain against it would be too large.

Notes for a person, no refusals: each can be honest. A baseline that the gates refuse (a sleep, inline assembly) stops
the campaign as well; here it is named before.
"""

import re
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from kernels.packs.trees import called, field, parse, text_of, walk
from kernels.values.kernel import KernelSpec

WAITS: Final = frozenset("sleep usleep nanosleep clock_nanosleep sched_yield pthread_yield pause poll select".split())
STALLS: Final = frozenset(
    """_mm_pause __builtin_ia32_pause _mm_clflush _mm_clflushopt _mm_mfence _mm_lfence _mm_sfence __sync_synchronize
    atomic_thread_fence __builtin___clear_cache""".split()
)
PURE: Final = frozenset(
    f"{name}{ending}"
    for name in "sin cos tan exp exp2 log log2 sqrt cbrt pow tanh erf fabs floor ceil fma hypot".split()
    for ending in ("", "f", "l")
) | {"strlen", "memcmp", "abs"}
SLOW_FLAG: Final = re.compile(r"-O[01g]\b|-O$|-fno-(inline|builtin|tree-|vect|unroll)")
Note = tuple[str, str]  # argument or "", what was seen


def notes_on(spec: KernelSpec, source: str) -> list[Note]:
    """In the order of the source, at most one of a kind and line."""
    arguments = {a.name for a in spec.arguments}
    found = [(_argument(text, arguments), text) for text in (*_of_flags(spec), *_of_source(source))]
    return list(dict.fromkeys(found))


def _argument(text: str, arguments: set[str]) -> str:
    """The argument that a note names in quotation marks."""
    return next((word for word in re.findall(r"'(\w+)'", text) if word in arguments), "")


def _of_flags(spec: KernelSpec) -> Iterator[str]:
    slow = [flag for flag in spec.flags if SLOW_FLAG.search(flag)]
    if slow:
        yield f"flags {' '.join(slow)} of the contract slow baseline and candidates down alike"


def _of_source(source: str) -> Iterator[str]:
    for node in walk(parse(source)):
        text = _text_of(node)
        if text:
            yield f"baseline.c line {node.start_point[0] + 1}: {text}"


def _text_of(node: Node) -> str:
    match node.type:
        case "call_expression":
            return _call(node)
        case "preproc_call":
            return _pragma(" ".join(text_of(node).split()))
        case "attribute" | "attribute_specifier":
            return _attribute(" ".join(text_of(node).split()))
        case "gnu_asm_expression":
            return "inline assembly hides work from the compiler"
        case "declaration" | "parameter_declaration":
            return _volatile(node)
        case "for_statement" | "while_statement":
            return _loop(node)
    return ""


def _call(node: Node) -> str:
    name = called(node)
    if name in WAITS:
        return f"{name} waits"
    if name in STALLS:
        return f"{name} stalls the processor or empties its caches"
    dropped = node.parent is not None and node.parent.type in ("expression_statement", "cast_expression")
    return f"the result of {name} is dropped: the call only costs time" if dropped and name in PURE else ""


def _pragma(text: str) -> str:
    off = re.search(r"#\s*pragma\s+(GCC\s+optimize|clang\s+optimize\s+off)", text)
    return f"{text} changes the optimisation of the baseline alone" if off else ""


def _attribute(text: str) -> str:
    if re.search(r"\b(optimize|__optimize__)\b", text) or re.search(r"\b(optnone|noinline|cold)\b", text):
        return f"attribute {text} keeps the compiler from optimising"
    return ""


def _volatile(node: Node) -> str:
    qualifiers = [text_of(n) for n in node.children if n.type == "type_qualifier"]
    if "volatile" not in qualifiers:
        return ""
    names = [text_of(n) for n in walk(node) if n.type == "identifier"]
    return f"volatile '{names[0] if names else '?'}' is read and written in memory every time"


def _loop(node: Node) -> str:
    body = field(node, "body")
    if body is None:
        return ""
    inside = [n for n in body.named_children if n.type != "comment"]
    if body.type in ("expression_statement", "compound_statement") and not inside:
        return "a loop without a body only takes time"
    counter = _counter(node)
    used = {text_of(n) for n in walk(body) if n.type == "identifier"}
    if counter and counter not in used:
        return f"the loop over {counter} does not use {counter}: perhaps it does the same work again"
    return ""


def _counter(node: Node) -> str:
    """The variable that a `for` starts with; "" for other loops."""
    start = field(node, "initializer") if node.type == "for_statement" else None
    if start is None:
        return ""
    names = (n for n in walk(start) if n.type in ("init_declarator", "assignment_expression"))
    first = next(names, None)
    target = None if first is None else field(first, "declarator") or field(first, "left")
    return text_of(target) if target is not None and target.type == "identifier" else ""
