"""C text of sums that each thread keeps for itself and that are added up after the loop."""

from collections.abc import Sequence

from kernels.levers.sharing import Sum


class Partials:
    """The texts of one parallel loop. number: of the loop's names."""

    def __init__(self, sums: Sequence[Sum], number: int) -> None:
        self._sums, self._n = sums, number

    @property
    def members(self) -> str:
        return "".join(
            f"    {s.variable.element} *{self._own(s)};\n    int64_t {self._stride(s)};\n" for s in self._sums
        )

    @property
    def parameters(self) -> list[str]:
        """An array shadows the one that it stands for."""
        return [self._pointer(s) if not s.extent else _array(s) for s in self._sums]

    @property
    def arguments(self) -> list[str]:
        return [s.variable.seen(f"(kw->{self._own(s)} + kw_thread * kw->{self._stride(s)})") for s in self._sums]

    @property
    def before(self) -> str:
        """Declares the scalars."""
        return "".join(f"    {s.variable.element} {s.variable.name} = 0;\n" for s in self._sums if not s.extent)

    @property
    def after(self) -> str:
        return "".join(f"    *{self._own(s)} += {s.variable.name};\n" for s in self._sums if not s.extent)

    @property
    def declared(self) -> str:
        """In front of the call: zeros for every thread, each thread's at a cache line of its own."""
        return "".join(
            f"    const int64_t {self._stride(s)} = {self._rounded(s)};\n"
            f"    {s.variable.element} {self._own(s)}[kw_threads() * {self._stride(s)}];\n"
            f"    memset({self._own(s)}, 0, sizeof {self._own(s)});\n"
            for s in self._sums
        )

    @property
    def values(self) -> list[str]:
        """Of the members, in their order."""
        return [name for s in self._sums for name in (self._own(s), self._stride(s))]

    @property
    def added(self) -> str:
        """Behind the call."""
        if not self._sums:
            return ""
        lines = "".join(f"        {self._addition(s)}\n" for s in self._sums)
        return f"    for (int kw_t_{self._n} = 0; kw_t_{self._n} < kw_threads(); kw_t_{self._n}++) {{\n{lines}    }}\n"

    def _addition(self, one: Sum) -> str:
        n, name = self._n, one.variable.name
        own = f"{self._own(one)}[kw_t_{n} * {self._stride(one)}"
        if not one.extent:
            return f"{name} += {own}];"
        place = f"{name}[kw_k_{n}]" if len(one.variable.dims) < 2 else f"(({one.variable.element} *){name})[kw_k_{n}]"
        head = f"for (int64_t kw_k_{n} = 0; kw_k_{n} < {one.extent}; kw_k_{n}++)"
        return f"{head} {place} += {own} + kw_k_{n}];"

    def _pointer(self, one: Sum) -> str:
        return f"{one.variable.element} *restrict {self._own(one)}"

    def _own(self, one: Sum) -> str:
        return f"kw_own_{one.variable.name}_{self._n}"

    def _stride(self, one: Sum) -> str:
        return f"kw_step_{one.variable.name}_{self._n}"

    @staticmethod
    def _rounded(one: Sum) -> str:
        return f"(({one.extent}) + 31) / 16 * 16" if one.extent else "16"


def _array(one: Sum) -> str:
    """The parameter; a pointer that no other parameter overlaps."""
    v = one.variable
    rows = "".join(f"[{d}]" for d in v.dims[1:])
    return f"{v.element} (*restrict {v.name}){rows}" if rows else f"{v.element} *restrict {v.name}"
