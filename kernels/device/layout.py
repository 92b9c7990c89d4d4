"""Where the arguments of a kernel lie in its three shared segments.

Weights: a ring of slots, read-only for the runner. Inputs: several instances, read-only for the runner. Outputs:
several instances, each array in pages of its own with guard pages before and behind. An output whose size is a multiple
of 64 bytes ends flush against its guard page (64-byte aligned then); all other arrays start at multiples of 128 bytes,
and what is left of their pages is filled with canary bytes.
"""

from dataclasses import dataclass
from typing import Final

from kernels.device.arena import HUGE, PAGE, round_up
from kernels.sandbox.runner import Segment
from kernels.values.kernel import Argument, KernelSpec

ALIGN: Final = 128
FLUSH: Final = 64
INSTANCES: Final = 4
WEIGHTS, INPUTS, OUTPUTS = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Span:
    """Bytes [offset, offset + nbytes) of a segment, inside the pages [page, page_end)."""

    offset: int
    nbytes: int
    page: int
    page_end: int

    @property
    def end(self) -> int:
        return self.offset + self.nbytes


def _packed(arguments: tuple[Argument, ...], start: int) -> tuple[dict[str, Span], int]:
    """Arrays one behind the other at multiples of `ALIGN`; returns the spans and the end."""
    spans: dict[str, Span] = {}
    for argument in arguments:
        start = round_up(start, ALIGN)
        spans[argument.name] = Span(start, argument.nbytes, start, start + argument.nbytes)
        start += argument.nbytes
    return spans, start


def _guarded(arguments: tuple[Argument, ...], start: int) -> tuple[dict[str, Span], int]:
    """Every array in its own pages, unmapped ones before each; returns the spans and the end.

    Large arrays fill huge pages of their own: on pages of mixed size two runners of the same code differ by per cents.
    """
    spans: dict[str, Span] = {}
    for argument in arguments:
        unit = HUGE if argument.nbytes >= HUGE // 2 else PAGE
        page = round_up(start + PAGE, unit)
        page_end = page + round_up(argument.nbytes, unit)
        offset = page_end - argument.nbytes if argument.nbytes % FLUSH == 0 else page
        spans[argument.name] = Span(offset, argument.nbytes, page, page_end)
        start = page_end
    return spans, start


class Layout:
    """Offsets of every argument of one kernel, with `slots` copies of the weights."""

    def __init__(self, spec: KernelSpec, slots: int) -> None:
        self.spec = spec
        self.slots = slots
        self._weights, end = _packed(spec.weights, 0)
        self.stride = round_up(max(end, 1), HUGE if end >= HUGE else PAGE)
        inputs = tuple(a for a in spec.arguments if a.role in ("input", "dimension"))
        self._inputs: list[dict[str, Span]] = []
        self._outputs: list[dict[str, Span]] = []
        end_in = end_out = 0
        for _ in range(INSTANCES):
            spans, end_in = _packed(inputs, round_up(end_in, PAGE))
            self._inputs.append(spans)
            spans, end_out = _guarded(tuple(a for a in spec.arguments if a.writable), end_out)
            self._outputs.append(spans)
        self.weights_size = self.stride * slots
        self.inputs_size = round_up(max(end_in, 1), PAGE)
        self.outputs_size = end_out + PAGE

    def weight(self, slot: int, name: str) -> Span:
        span = self._weights[name]
        shift = slot * self.stride
        return Span(span.offset + shift, span.nbytes, span.page + shift, span.page_end + shift)

    def input(self, instance: int, name: str) -> Span:
        return self._inputs[instance][name]

    def output(self, instance: int, name: str) -> Span:
        return self._outputs[instance][name]

    def pointers(self, slot: int, instance_in: int, instance_out: int) -> tuple[tuple[int, int], ...]:
        """(segment, offset) of every argument, in call order."""
        return tuple(self._pointer(a, slot, instance_in, instance_out) for a in self.spec.arguments)

    def _pointer(self, argument: Argument, slot: int, instance_in: int, instance_out: int) -> tuple[int, int]:
        if argument.role == "weight":
            return WEIGHTS, self.weight(slot, argument.name).offset
        if argument.role == "constant":  # the trampoline holds its value
            return INPUTS, 0
        if argument.role in ("input", "dimension"):
            return INPUTS, self.input(instance_in, argument.name).offset
        return OUTPUTS, self.output(instance_out, argument.name).offset

    def nearest(self, segment: int, offset: int) -> str:
        """Name of the argument at, or nearest to, an offset of a segment."""
        if segment == WEIGHTS:
            places = [(span, name) for name, span in self._weights.items()]
            offset %= self.stride
        else:
            instances = self._inputs if segment == INPUTS else self._outputs
            places = [(span, name) for instance in instances for name, span in instance.items()]
        _, name = min(
            ((max(span.offset - offset, offset - span.end, 0), name) for span, name in places), default=(0, "")
        )
        return name

    def output_regions(self) -> tuple[tuple[int, int], ...]:
        """(offset, length) of the pages of every output array; all between them are guard pages."""
        spans = [span for instance in self._outputs for span in instance.values()]
        return tuple((span.page, span.page_end - span.page) for span in spans)

    @property
    def widest_gap(self) -> int:
        """Bytes, at most, that an output leaves free of its own pages on one side."""
        spans = [span for instance in self._outputs for span in instance.values()]
        return max((max(span.offset - span.page, span.page_end - span.end) for span in spans), default=0)

    def segments(self, weights_fd: int, inputs_fd: int, outputs_fd: int) -> tuple[Segment, Segment, Segment]:
        """What a runner maps; `weights_fd` and `inputs_fd` should be open for reading only."""
        return (
            Segment(weights_fd, self.weights_size, False),
            Segment(inputs_fd, self.inputs_size, False),
            Segment(outputs_fd, self.outputs_size, True, self.output_regions()),
        )
