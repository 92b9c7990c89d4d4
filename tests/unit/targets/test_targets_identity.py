"""One kernel is one kernel, however it is spelled; two are two, however alike."""

from pathlib import Path

import pytest

from kernels.targets.cpu_c.target import CpuC
from tests.unit.targets.kit import candidate, spec_of

PRELUDE = """
float cosf(float);
static const float factor[3] = {1, 2, 3};
float table[4] = {1, 2, 3, 4};
static void part(void *c, int64_t from, int64_t to, int thread) {
    for (int64_t i = from; i < to; i++) ((float *)c)[i] = table[i & 3] * factor[i % 3];
}
__attribute__((noinline)) float help(float v) {
    switch ((int)v) {
        case 0: return 3;
        case 1: return cosf(v);
        case 2: return 77;
        case 3: return v + v;
        case 4: return v * v;
        default: return 1;
    }
}
"""
BODY = "kw_parallel_for(4, 0, part, y); y[0] = help(x[1]);"
UNUSED = "int unused(int a) { return a * 3; }\n"
SAME = {
    "renamed function": (PRELUDE.replace("help", "other"), BODY.replace("help", "other"), ()),
    "renamed static function": (PRELUDE.replace("part", "piece"), BODY.replace("part", "piece"), ()),
    "renamed data": (PRELUDE.replace("table", "numbers"), BODY, ()),
    "another function in front": (UNUSED + PRELUDE, BODY, ()),
    "another function behind": (PRELUDE + UNUSED, BODY, ()),
    "sections of their own": (PRELUDE, BODY, ("-ffunction-sections",)),
}
OTHER = {
    "constant": ("{1, 2, 3}", "{1, 2, 4}"),
    "data": ("{1, 2, 3, 4}", "{1, 2, 3, 5}"),
    "immediate": ("return 77", "return 78"),
    "library function": ("cosf", "sinf"),
    "operation": ("v + v", "v - 3"),
    "order of cases": ("case 3: return v + v;\n        case 4", "case 4: return v + v;\n        case 3"),
}


def _hash(target: CpuC, folder: Path, prelude: str, body: str = BODY, flags: tuple[str, ...] = ()) -> str:
    return target.compile(candidate(body, prelude, flags=flags), spec_of(), folder).machine_code_sha256


@pytest.mark.parametrize("name", SAME)
def test_other_spelling_is_the_same_machine_code(target: CpuC, tmp_path: Path, name: str) -> None:
    assert _hash(target, tmp_path, *SAME[name]) == _hash(target, tmp_path, PRELUDE)


@pytest.mark.parametrize("name", OTHER)
@pytest.mark.parametrize("flags", [(), ("-ffunction-sections", "-fdata-sections")])
def test_another_kernel_is_another_machine_code(
    target: CpuC, tmp_path: Path, name: str, flags: tuple[str, ...]
) -> None:
    changed = _hash(target, tmp_path, PRELUDE.replace(*OTHER[name]), flags=flags)
    assert changed != _hash(target, tmp_path, PRELUDE, flags=flags)


def test_the_size_of_the_state_counts(target: CpuC, tmp_path: Path) -> None:
    some = "static float kept[100]; static int at;"
    body = "kept[at++] = x[0]; y[0] = kept[(int)x[1]];"
    assert _hash(target, tmp_path, some, body) != _hash(target, tmp_path, some.replace("100", "200"), body)
