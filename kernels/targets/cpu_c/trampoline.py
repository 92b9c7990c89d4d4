"""The C that stands between the runner and a candidate: one pointer array in, the contract's arguments out."""

from kernels.values.kernel import Argument, KernelSpec


def trampoline(spec: KernelSpec) -> str:
    """`kw_entry(arguments)` calls the entry point; scalars are read through their pointer, constants stand here."""
    passed = ", ".join(_passed(a, f"arguments[{i}]") for i, a in enumerate(spec.arguments))
    return (
        '#include "kernelwright.h"\n'
        f"{spec.prototype};\n"
        "void kw_entry(void *const *arguments);\n"
        f"void kw_entry(void *const *arguments) {{ {spec.entry}({passed}); }}\n"
    )


def _passed(argument: Argument, pointer: str) -> str:
    if argument.role == "constant":
        return argument.literal
    if argument.shape:
        return f"({argument.c_parameter.rpartition(argument.name)[0].strip()}){pointer}"
    return f"*(const {argument.format.c_type} *){pointer}"
