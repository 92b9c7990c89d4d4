"""The grammar of C for gate `source`: by the tree where it follows, else by the tokens."""

from kernels.gates import c_rules, c_text, c_tokens, c_words, source_c
from kernels.packs.trees import first_error, parse, text_of
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec


class CGrammar:
    def examine(self, candidate: Candidate, spec: KernelSpec) -> c_rules.Refusal | None:
        return self.words(candidate, spec) or self._signature(candidate, spec)

    def words(self, candidate: Candidate, spec: KernelSpec) -> c_rules.Refusal | None:
        """What no file and no flag of a candidate may contain."""
        size = sum(len(text) for text in candidate.files.values())
        if size > c_words.MAX_BYTES:
            return c_rules.Refusal("too_large", f"{size} bytes of source; at most {c_words.MAX_BYTES}")
        for name, text in candidate.files.items():
            if "\0" in text:
                return c_rules.Refusal("not_text", f"{name} contains a NUL byte")
            found = self._found(text, spec)
            if found is not None:
                return c_rules.Refusal(found.kind, f"{name} {found.reason}")
        return c_rules.flag_refusal(candidate.flags)

    @staticmethod
    def _found(text: str, spec: KernelSpec) -> c_rules.Refusal | None:
        """By the tree, as it stands and with its lines joined; then by the text and by its tokens, which must do where
        the grammar does not follow, because of macros above all."""
        root, whole = parse(text), c_text.joined(text)
        error = first_error(root)
        if error is not None and c_tokens.unbalanced(whole) is not None:
            near = text_of(error)[:60]
            return c_rules.Refusal("syntax", f"line {error.start_point[0] + 1}: does not parse near {near!r}")
        roots = [root, *([parse(whole)] if whole != text else [])]
        return (
            next((found for one in roots for found in source_c.refusals(one, spec.headers)), None)
            or c_rules.text_refusal(whole)
            or next(c_tokens.refusals(whole, spec.headers, strict=error is not None), None)
        )

    @staticmethod
    def _signature(candidate: Candidate, spec: KernelSpec) -> c_rules.Refusal | None:
        root = parse(candidate.source)
        have = source_c.entry_parameters(root, spec.entry)
        if have is None or root.has_error:
            texts = c_tokens.parameters(c_text.joined(candidate.source), spec.entry)
            have = have if texts is None else [source_c.parameter_type(one) for one in texts]
        want = [source_c.parameter_type(a.c_parameter) for a in spec.arguments]
        if have is None:
            return c_rules.Refusal("no_entry", f"{candidate.main} does not define {spec.prototype}")
        if have != want:
            return c_rules.Refusal(
                "signature", f"{spec.entry}({', '.join(have)}) is not the contract's {spec.prototype}"
            )
        return None

    def findings(self, candidate: Candidate) -> list[str]:
        root = parse(candidate.source)
        error = first_error(root)
        where = [] if error is None else [f"checked by its words: the grammar stops at line {error.start_point[0] + 1}"]
        return where + source_c.fold_findings(root)
