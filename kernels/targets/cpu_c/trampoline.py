"""The C that stands between the runner and a candidate: one pointer array in, the contract's arguments out."""

from kernels.values.kernel import KernelSpec


def trampoline(spec: KernelSpec) -> str:
    """`kw_entry(arguments)` calls the entry point; scalars are read through their pointer."""
    passed = ", ".join(
        f"({a.c_parameter.rpartition(a.name)[0].strip()})arguments[{i}]"
        if a.shape
        else f"*(const {a.format.c_type} *)arguments[{i}]"
        for i, a in enumerate(spec.arguments)
    )
    return (
        '#include "kernelwright.h"\n'
        f"{spec.prototype};\n"
        "void kw_entry(void *const *arguments);\n"
        f"void kw_entry(void *const *arguments) {{ {spec.entry}({passed}); }}\n"
    )
