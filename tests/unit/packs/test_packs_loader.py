"""Finding and reading packs, and what a broken pack is told."""

from pathlib import Path

import pytest

from kernels.packs.loader import PackError, available, baseline, find_kernel, generators, load_pack
from kernels.packs.new import KERNEL, new_pack


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    new_pack("mine", tmp_path / "packs")
    return tmp_path


def edit(workspace: Path, old: str, new: str, file: str = f"{KERNEL}/kernel.toml") -> Path:
    path = workspace / "packs/mine" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    return path


def test_the_shipped_packs_have_the_weights_of_the_paper() -> None:
    pack = load_pack("gemma_decode")
    codes = {k.name: sum(a.nbytes for a in k.weights if len(a.shape) == 2) for k in pack.kernels}
    assert codes == {"qkv": 31_457_280, "attn_out": 15_728_640, "ffn": 99_532_800}


def test_a_workspace_adds_packs_beside_the_shipped_ones(workspace: Path) -> None:
    assert {"mine", "gemma_decode", "axpy_gemv"} <= set(available(workspace))
    assert load_pack("mine", workspace).folder == load_pack(workspace / "packs/mine").folder


def test_a_kernel_is_found_by_pack_and_name_or_by_a_name_that_is_unique(workspace: Path) -> None:
    assert find_kernel(f"mine/{KERNEL}", workspace=workspace)[0].name == "mine"
    assert find_kernel("ffn", workspace=workspace)[0].name == "gemma_decode"
    assert find_kernel("gemv", pack="axpy_gemv", workspace=workspace)[1].name == "gemv"
    new_pack("other", workspace / "packs")
    with pytest.raises(PackError, match=rf"2 packs have it.*mine/{KERNEL}, other/{KERNEL}"):
        find_kernel(KERNEL, workspace=workspace)


def test_an_unknown_pack_is_told_what_there_is(workspace: Path) -> None:
    with pytest.raises(PackError, match=r"'nothing'.*no pack of this name.*axpy_gemv, gemm_bf16, gemma_decode, mine"):
        load_pack("nothing", workspace)


@pytest.mark.parametrize(
    "file", ["pack.toml", f"{KERNEL}/kernel.toml", f"{KERNEL}/reference.py", f"{KERNEL}/baseline.c"]
)
def test_the_digest_covers_every_file_that_decides(workspace: Path, file: str) -> None:
    before = load_pack("mine", workspace).digest
    path = workspace / "packs/mine" / file
    path.write_text(path.read_text() + "\n")
    assert load_pack("mine", workspace).digest != before


def test_the_digest_leaves_out_notes(workspace: Path) -> None:
    before = load_pack("mine", workspace).digest
    (workspace / "packs/mine/README.md").write_text("notes")
    assert load_pack("mine", workspace).digest == before


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('role = "weight"', 'role = "wieght"', "role is 'wieght'.*weight, input, output, inout"),
        ('dtype = "i8"', 'dtype = "i9"', "unknown dtype 'i9'"),
        ('role = "output"', 'role = "output"\nrolle = 1', "unknown key rolle"),
        ("shape = [1024, 1024]", "shape = [1024]", r"matrix M: W is weight \(1024,\).*2-D weight"),
        ('scales = "scale"', 'scales = "x"', "matrix M: x is input"),
        ("[tolerance.y]", "[tolerance.z]", "no argument 'z'"),
        ("atol = 5e-2", "atol = -1", "a tolerance is -1"),
        ("atol = 5e-2", "atol = nan", "a tolerance is nan"),
        ("atol = 5e-2", "", "has no 'atol'"),
        ('"one_hot"', '"two_hot"', "two_hot.*Choose some of"),
        ('["int", -127, 128]', '["uniform", 0, 1]', "generator uniform does not make i8"),
        ('["int", -127, 128]', '["int", -127]', "takes 2 number"),
        ('name = "x"', 'name = "double"', "'double' is no C identifier"),
        ('name = "x"', 'name = "W"', "arguments W"),
        ('threads = "pool"', 'threads = "many"', "threads is 'many'"),
        ("operations = ", "operations = = ", "is no TOML"),
    ],
)
def test_a_broken_contract_is_told_what_is_wrong(workspace: Path, old: str, new: str, message: str) -> None:
    edit(workspace, old, new)
    with pytest.raises(PackError, match=message):
        load_pack("mine", workspace)


def test_a_pack_without_baseline_loads_but_has_none_to_give(workspace: Path) -> None:
    (workspace / "packs/mine" / KERNEL / "baseline.c").unlink()
    spec = load_pack("mine", workspace).kernels[0]
    with pytest.raises(PackError, match=r"baseline of scaled_gemv.*cannot be read"):
        baseline(spec)


def test_new_pack_never_writes_over_one(workspace: Path) -> None:
    with pytest.raises(PackError, match="exists"):
        new_pack("mine", workspace / "packs")


def test_promotion_generators_replace_only_what_declares_them() -> None:
    spec = load_pack("gemma_decode").kernel("ffn")
    plain, promotion = generators(spec), generators(spec, "uniform_codes")
    assert {name for name in plain if plain[name] != promotion[name]} == {"up_scales", "gate_scales", "down_scales"}


def test_packs_may_lie_in_a_folder_of_packs(workspace: Path) -> None:
    new_pack("deep", workspace / "packs" / "group")
    assert find_kernel(f"deep/{KERNEL}", workspace=workspace)[0].folder == workspace / "packs/group/deep"
    with pytest.raises(PackError, match=r"polybench: atax, bicg, .*; group: deep|group: deep; polybench: atax, bicg"):
        load_pack("nothing", workspace)


def test_headers_belong_to_the_kernel_and_to_its_digest(workspace: Path) -> None:
    before = load_pack("mine", workspace).digest
    place = workspace / "packs/mine" / KERNEL / "include" / "deep"
    place.mkdir(parents=True)
    (place / "own.c").write_text("int one;")
    pack = load_pack("mine", workspace)
    assert pack.digest != before
    assert pack.kernels[0].headers == ("deep/own.c",)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('role = "input"', 'role = "input"\nvalue = 3.0', "a constant is a scalar with a value"),
        ('threads = "pool"', 'reference = "baseline"', "matrix.. M, and the baseline as its reference"),
        ('threads = "pool"', 'reference = "C"', "reference is 'C'. Use one of numpy, baseline"),
    ],
)
def test_what_constants_and_baselines_as_references_cannot_be(
    workspace: Path, old: str, new: str, message: str
) -> None:
    edit(workspace, old, new)
    with pytest.raises(PackError, match=message):
        load_pack("mine", workspace)
