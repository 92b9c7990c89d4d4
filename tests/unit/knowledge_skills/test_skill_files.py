"""Skills: what ships is whole, broken files are said clearly, a workspace adds and replaces, briefs keep their size."""

from pathlib import Path

import pytest

from kernels.packs.loader import baseline, load_pack
from kernels.values.kernel import KernelSpec
from knowledge.baselines.character import character_of
from knowledge.baselines.values import KERNEL_TYPES, Character
from knowledge.skills.levers_named import checked
from knowledge.skills.playbook import Playbook, brief, playbook
from knowledge.skills.skill import SECTIONS, Skill, SkillFileError, read_skill

FRONT = """+++
name = "mine"
description = "A strategy of mine for sums"
kernel_types = ["reduction"]
levers = ["accumulators"]
+++
"""
BODY = "".join(f"## {title}\n\nSomething.\n\n" for title in SECTIONS)


def written(folder: Path, text: str, name: str = "mine") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.md"
    path.write_text(text)
    return path


def known(pack: str, kernel: str) -> tuple[Character, KernelSpec]:
    spec = load_pack(pack).kernel(kernel)
    return character_of(baseline(spec), spec), spec


def names(skills: tuple[Skill, ...]) -> list[str]:
    return [skill.name for skill in skills]


def test_what_ships_has_all_sections_and_speaks_of_every_type() -> None:
    book = checked(playbook())
    assert len(book.skills) >= 8
    for skill in book.skills:
        assert all(skill.section(title) for title in SECTIONS)
    index = book.index()
    assert list(index) == list(KERNEL_TYPES)
    assert all(index.values())
    assert "stencil-sweeps" in index["stencil"]
    assert "stencil-sweeps" not in index["reduction"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# no front matter\n", "TOML front matter between two lines of +++"),
        (FRONT.replace("+++\n", "---\n") + BODY, "begins with '---'"),
        (FRONT.replace('"mine"', "mine") + BODY, "not valid TOML"),
        (FRONT.replace("description", "describes") + BODY, "description"),
        (FRONT.replace('"mine"', '"other"') + BODY, "its name is 'other', the file's is 'mine'"),
        (FRONT.replace('"reduction"', '"sums"') + BODY, "kernel type 'sums' is not known; known are streaming matvec"),
        (FRONT.replace('"accumulators"', '"warp_shuffle"') + BODY, "there is no lever 'warp_shuffle'; levers: accum"),
        (FRONT.replace("levers", 'unlikely = ["accumulators"]\nlevers') + BODY, "for and against accumulators"),
        (FRONT.replace("levers", 'traits = ["odd"]\nlevers') + BODY, "trait 'odd' is not known; known are triangular"),
        (FRONT + "## When it applies\n\nx\n", "asked for each of: When it applies, What it expects"),
        (FRONT + BODY + "x" * 7000, "at most 6000"),
    ],
)
def test_a_broken_file_says_what_was_found_and_what_to_do(tmp_path: Path, text: str, said: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(SkillFileError) as caught:
        checked(Playbook((read_skill(path),)))
    assert str(path) in str(caught.value)
    assert said in str(caught.value)
    assert "Mend the file" in str(caught.value)


def test_a_workspace_adds_and_replaces_by_name(tmp_path: Path) -> None:
    written(tmp_path / "skills", FRONT + BODY)
    written(tmp_path / "skills", (FRONT + BODY).replace('"mine"', '"parallel-split"'), "parallel-split")
    book = playbook(tmp_path)
    assert len(book.skills) == len(playbook().skills) + 1
    assert book.replaced == ("parallel-split",)
    assert next(s for s in book.skills if s.name == "parallel-split").description == "A strategy of mine for sums"


@pytest.mark.parametrize(
    ("pack", "kernel", "speak", "silent"),
    [
        ("gemma_decode", "ffn", ["streaming-matvec-decode", "decode-by-table-or-bits"], ["stencil-sweeps"]),
        ("axpy_gemv", "gemv", ["independent-accumulators"], ["decode-by-table-or-bits", "small-kernel-overhead"]),
        ("jacobi-2d", "jacobi_2d", ["stencil-sweeps"], ["independent-accumulators"]),
        ("nussinov", "nussinov", ["dynamic-programming-wavefronts"], ["parallel-split"]),
        ("correlation", "correlation", ["tiling-and-interchange"], ["dynamic-programming-wavefronts"]),
    ],
)
def test_which_skills_speak_for_a_kernel(pack: str, kernel: str, speak: list[str], silent: list[str]) -> None:
    found = names(playbook().eligible(*known(pack, kernel), "cpu-c"))
    assert set(speak) <= set(found)
    assert set(silent).isdisjoint(found)
    assert playbook().eligible(*known(pack, kernel), "opencl") == ()


def test_the_most_specific_skill_comes_first() -> None:
    found = names(playbook().eligible(*known("gemma_decode", "qkv"), "cpu-c"))
    assert found[0] == "streaming-matvec-decode"
    assert found[-1] == "aliasing-and-invariants"


@pytest.mark.parametrize("size", [60, 400, 1500, 2500, 20_000])
def test_a_brief_holds_whole_skills_within_its_size(size: int) -> None:
    skills = playbook().eligible(*known("gemma_decode", "qkv"), "cpu-c")
    text = brief(skills, size)
    assert len(text) <= size
    said = [skill.name for skill in skills if f"- {skill.name}: {skill.description}" in text]
    assert said == names(skills)[: len(said)] or "Also known" in text
    assert text == "" or said
    assert brief((), size) == ""


def test_a_lever_is_met_by_its_name_or_a_pattern() -> None:
    book = Playbook(tuple(s for s in playbook().skills if s.name == "streaming-matvec-decode"))
    (skill,) = book.skills
    assert skill.speaks_for("matvec_avx2")
    assert skill.speaks_against("tile")
    assert not skill.speaks_for("hoist")
