"""Guards by name, as queries ask for them: `(#name? @node "word" ...)`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tree_sitter import Node

from kernels.gates.forms import names, repeats, variables

Guard = Callable[[Node, Sequence[str]], bool]

GUARDS: Final[Mapping[str, Guard]] = {
    "outside?": repeats.outside,
    "unstored?": repeats.unstored,
    "unlabelled?": repeats.unlabelled,
    "declared-again?": repeats.declared_again,
    "initialised-before?": repeats.initialised_before,
    "shadows-parameter?": repeats.shadows_parameter,
    "second-of-name?": repeats.second_of_name,
    "second-default?": repeats.second_default,
    "second-case?": repeats.second_case,
    "floating?": variables.floating,
    "scalar?": variables.scalar,
    "parameter?": variables.parameter,
    "local?": variables.local,
    "constant-scalar?": variables.constant_scalar,
    "register-scalar?": variables.register_scalar,
    "constant-pointer?": variables.constant_pointer,
    "array?": variables.array,
    "no-power-of-two?": names.no_power_of_two,
    "more-than?": names.more_than,
    "without-include?": names.without_include,
    "with-include?": names.with_include,
    "undeclared?": names.undeclared,
    "takes-not?": names.takes_not,
    "other-arity?": names.other_arity,
}
