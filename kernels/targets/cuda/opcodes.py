"""What an instruction of PTX or of machine code (SASS) is about: a class of few, and how wide it moves data.

Names: PTX ISA 9.0, chapter "Instruction Set"; CUDA Binary Utilities, tables of the instruction sets of Ampere to
Blackwell. A name that is not known is of class "other": the census is a count, no verdict.
"""

import re
from collections.abc import Mapping
from typing import Final, Literal

Kind = Literal[
    "tensor", "fp32", "fp16", "fp64", "integer", "special", "convert", "move", "global load", "global store",
    "shared load", "shared store", "async copy", "local", "constant", "atomic", "exchange", "wait", "branch", "other",
]  # fmt: skip

_SASS_WORDS: Final[Mapping[Kind, str]] = {
    "fp32": "FADD FMUL FFMA FSEL FSETP FSET FMNMX FCHK FSWZADD FADD2 FFMA2 FMUL2 FMNMX3", "special": "MUFU",
    "fp16": "HADD2 HMUL2 HFMA2 HSETP2 HSET2 HMNMX2 BF2", "fp64": "DADD DMUL DFMA DSETP DMNMX",
    "convert": "F2F F2I I2F F2FP I2FP FRND F2IP I2I I2IP UF2FP UI2F", "global load": "LDG LD", "global store": "STG ST",
    "move": "MOV UMOV S2R S2UR CS2R CS2UR R2UR R2P P2R SEL USEL PLOP3 UPLOP3 R2B B2R MOVM ELECT",
    "shared load": "LDS LDSM LDT", "shared store": "STS STSM STT", "local": "LDL STL", "constant": "LDC ULDC LDCU",
    "async copy": "LDGSTS UBLKCP UTMALDG UTMASTG UTMAREDG UBLKPF UTMAPF UBLKRED",
    "exchange": "SHFL VOTE VOTEU MATCH REDUX CREDUX",
    "atomic": "ATOM ATOMG ATOMS RED REDG REDS",
    "wait": "BAR DEPBAR LDGDEPBAR WARPSYNC SYNCS MEMBAR ERRBAR CCTL FENCE WARPGROUP WARPGROUPSET ARRIVES ACQBULK "
            "UCGABAR_ARV UCGABAR_WAIT NANOSLEEP UTMACMDFLUSH",
    "branch": "BRA BRX EXIT RET CALL BSSY BSYNC JMP BREAK YIELD BMOV RPCMOV KILL",
}  # fmt: skip
_SASS: Final[Mapping[str, Kind]] = {word: kind for kind, words in _SASS_WORDS.items() for word in words.split()}
_SASS_INTEGER: Final = re.compile(
    r"U?(I\w*|LOP3?|SHF|SHL|SHR|LEA|PRMT|SGXT|POPC|FLO|BREV|BMSK|VI\w*|VABSDIFF\w*|VADD\w*)"
)

_PTX_WORDS: Final[Mapping[Kind, str]] = {
    "tensor": "mma wgmma", "special": "sin cos ex2 lg2 rcp rsqrt sqrt tanh div", "convert": "cvt",
    "move": "mov cvta selp isspacep activemask elect getctarank mapa", "exchange": "shfl vote match redux",
    "atomic": "atom red multimem", "branch": "bra brx ret exit call trap",
    "wait": "bar barrier membar fence mbarrier griddepcontrol setmaxnreg nanosleep",
    "integer": "and or xor not cnot lop3 shl shr shf prmt bfe bfi bfind brev popc clz szext bmsk dp4a dp2a mul24 mad24 "
    "sad addc subc madc",
    "async copy": "cp",
}  # fmt: skip
_PTX: Final[Mapping[str, Kind]] = {word: kind for kind, words in _PTX_WORDS.items() for word in words.split()}
_PTX_TYPE: Final = re.compile(r"\.(bf16x2|f16x2|bf16|f16|f32x2|f32|f64|[usb]\d+)\b")
_FLOATS: Final[Mapping[str, Kind]] = {
    "f32": "fp32", "f32x2": "fp32", "f64": "fp64", "f16": "fp16", "f16x2": "fp16", "bf16": "fp16", "bf16x2": "fp16",
}  # fmt: skip
_SPACES: Final[Mapping[str, tuple[Kind, Kind]]] = {
    "global": ("global load", "global store"), "shared": ("shared load", "shared store"), "local": ("local", "local"),
    "const": ("constant", "constant"), "param": ("constant", "constant"),
}  # fmt: skip
GENERIC: Final = "global"
"""Where a load without a state space goes, unless it is shown otherwise."""


def of_sass(opcode: str) -> Kind:
    """opcode: with its modifiers, as `LDG.E.128`."""
    base = opcode.split(".", 1)[0]
    if base.endswith("MMA"):
        return "tensor"
    if base in _SASS:
        return _SASS[base]
    return "integer" if _SASS_INTEGER.fullmatch(base) else "other"


def of_ptx(opcode: str) -> Kind:
    """opcode: with its modifiers, as `ld.global.nc.v4.f32`."""
    parts = opcode.split(".")
    base = parts[0]
    if base in ("ld", "ldu", "ldmatrix", "st", "stmatrix") or opcode.startswith(("wmma.load", "wmma.store")):
        return _memory(parts)
    if base in ("wmma", "tcgen05"):
        return "tensor" if "mma" in parts[1:] else "move"
    if base == "cp":
        return "wait" if "wait_group" in parts or "commit_group" in parts or "wait_all" in parts else "async copy"
    if base in _PTX:
        return _PTX[base]
    kind = _PTX_TYPE.search(opcode)
    return "other" if kind is None else _FLOATS.get(kind[1], "integer")


def _memory(parts: list[str]) -> Kind:
    space = next((word.split("::")[0] for word in parts if word.split("::")[0] in _SPACES), None)
    if parts[0].endswith("matrix"):
        space = "shared"
    load, store = _SPACES[space or GENERIC]
    return store if parts[0].startswith("st") or "store" in parts else load


def width_of_sass(opcode: str) -> int:
    """Bytes that a thread's load or store moves."""
    for word, width in ((".256", 32), (".128", 16), (".64", 8), (".U8", 1), (".S8", 1), (".U16", 2), (".S16", 2)):
        if word in opcode:
            return width
    return 4


def width_of_ptx(opcode: str) -> int:
    count = next((int(word[1:]) for word in opcode.split(".") if re.fullmatch(r"v\d", word)), 1)
    bits = re.search(r"\.[usbf](\d+)$", opcode)
    return count * (int(bits[1]) // 8 if bits is not None else 4)
