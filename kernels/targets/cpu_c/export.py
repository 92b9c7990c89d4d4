"""A head as a folder that stands alone: sources, header, flags, and a script that measures it against the baseline."""

from pathlib import Path
from typing import Final

import jinja2

from kernels.values.candidate import Candidate
from kernels.values.kernel import Argument, KernelSpec

STANDALONE: Final = Path(__file__).parent / "standalone"
GENERATOR: Final = Path(__file__).parents[2] / "packs"

SCRIPT: Final = """\
#!/usr/bin/env bash
# Builds {name} and its baseline and reads both in turns. Needs gcc and nothing else.
set -euo pipefail
cd "$(dirname "$0")"
cc=${{CC:-gcc}}
base=({base})
"$cc" "${{base[@]}}" {flags} -I. -Iinclude -D{entry}=head_entry -c head.c -o head.o
"$cc" "${{base[@]}}" -I. -Iinclude -D{entry}=baseline_entry -c baseline.c -o baseline.o
for bench in {benches}; do
    "$cc" -std=gnu11 -O2 -ffp-contract=off -I. "$bench.c" generator.c head.o baseline.o -o "$bench" \\
        {libraries}-lm -lpthread
    "./$bench"
done
"""


def export_kernel(
    spec: KernelSpec, baseline: Candidate, head: Candidate, base_flags: tuple[str, ...], out: Path
) -> list[Path]:
    """Write the folder; returns its files. Raises: FileExistsError when it is there and not empty."""
    if out.exists() and any(out.iterdir()):
        raise FileExistsError(out)
    out.mkdir(parents=True, exist_ok=True)
    texts = {
        "head.c": head.source,
        "baseline.c": baseline.source,
        "kernelwright.h": (STANDALONE / "kernelwright.h").read_text(),
        "generator.h": (GENERATOR / "generator.h").read_text(),
        "generator.c": (GENERATOR / "generator.c").read_text(),
        **{f"{name}.c": _bench(case) for name, case in _benches(spec).items()},
        "reproduce.sh": _script(spec, head, base_flags),
        "flags.txt": " ".join((*base_flags, *spec.flags, *head.flags)) + "\n",
        **{f"include/{name}": (spec.include / name).read_text(encoding="utf-8") for name in spec.headers},
    }
    for name, text in texts.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_text(text, encoding="utf-8")
    (out / "reproduce.sh").chmod(0o755)
    return [out / name for name in texts]


def _benches(spec: KernelSpec) -> dict[str, KernelSpec]:
    """What measures the kernel at each of its shapes, by the name of the program."""
    return {f"bench-{case.shape}" if spec.shapes else "bench": case for case in spec.cases}


def _script(spec: KernelSpec, head: Candidate, base_flags: tuple[str, ...]) -> str:
    return SCRIPT.format(
        name=f"{spec.pack}/{spec.name}", base=" ".join((*base_flags, *spec.flags)), flags=" ".join(head.flags),
        entry=spec.entry, benches=" ".join(_benches(spec)), libraries="".join(f"-l{name} " for name in spec.libraries),
    )  # fmt: skip


def _bench(spec: KernelSpec) -> str:
    template = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False).from_string(
        (STANDALONE / "bench.c.j2").read_text()
    )
    passed = ", ".join(map(_passed, spec.arguments))
    return template.render(
        spec=spec, arguments=[a for a in spec.arguments if a.value is None], passed=passed,
        copies=spec.ring_slots,
        prototype=lambda name: spec.prototype.replace(f"void {spec.entry}(", f"void {name}(", 1), elements=_elements,
    )  # fmt: skip


def _passed(argument: Argument) -> str:
    if argument.value is not None:
        return argument.literal
    if argument.shape:
        return f"({argument.c_parameter.rpartition(argument.name)[0].strip()})memory[A_{argument.name}][copy]"
    return f"*({argument.format.c_type} *)memory[A_{argument.name}][0]"


def _elements(argument: Argument) -> int:
    """Stored elements: what the generator counts."""
    return argument.nbytes // argument.format.storage.itemsize
