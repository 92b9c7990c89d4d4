"""A worker's tools."""

from typing import Final

from roles.tools import judging, reading, remembering, writing
from roles.tools.arguments import (
    ApplyLever,
    Edit,
    Finish,
    Nothing,
    ReadSibling,
    ReadSource,
    Recall,
    Remember,
    Submit,
    WriteFile,
)
from roles.tools.kit import Entry, Kit
from roles.tools.workbench import Workbench

WORKER: Final[Kit[Workbench]] = Kit(
    {
        "read_source": Entry(ReadSource, reading.read_source, "Lines of your file, of the head, or of the baseline."),
        "read_contract": Entry(Nothing, reading.read_contract, "Arguments, tolerances, machine, rules, the header."),
        "read_sibling": Entry(ReadSibling, reading.read_sibling, "The head of another kernel of this pack."),
        "recall": Entry(Recall, reading.recall, "Wins, traps, the notebook and what was tried, by words."),
        "write_file": Entry(WriteFile, writing.write_file, "Give your file a whole new text."),
        "edit": Entry(Edit, writing.edit, "Replace parts of your file; each search text must be there exactly once."),
        "list_levers": Entry(Nothing, writing.list_levers, "Named changes that fit your file now, with numbers."),
        "apply_lever": Entry(ApplyLever, writing.apply_lever, "Apply one of the listed changes to your file."),
        "compile": Entry(Nothing, judging.compile_own, "Cheap checks of your file, and the compiler's diagnostics."),
        "check": Entry(Nothing, judging.check_own, "Compile it and check its values on secret inputs."),
        "time": Entry(Nothing, judging.time_own, "Check it and time it against the head in three pairs: a hint."),
        "submit": Entry(Submit, judging.submit, "Have it judged; when faster it becomes the head. Few per brief."),
        "remember": Entry(Remember, remembering.remember, "Write a win or a trap for everybody."),
        "finish": Entry(Finish, remembering.finish, "Close the brief."),
    }
)
