"""`bench search`: what it takes to find a fast candidate: the policy, random search, and Kernel Tuner's strategies.

Equal for all: the kernel, its baseline and its inputs; the levers (`kernels/levers`); gates, acceptance test with its
confirmation, last check and ledger (`roles/pipeline.py`), with the same settings; the device, in turns of one candidate
in an order drawn anew each round (`plan.py`); the budget of candidates, refusals and failed builds included; the seeds;
the final block of pairs, in which every head of every search is measured at the same time (`final.py`). A search has a
store of its own: what another one was refused or was told, it does not know. Device seconds are those in which the
machine was held for it: builds, loads, checks, pairs. Placebos and audits, which no search can help, are off.

Not equal: the policy and random search go on from the present head, one lever at a time, and the pipeline races the
knobs of what they propose, as in a campaign (a race of six variants counts as six candidates). Kernel Tuner is
practised as it is meant: a finite space of whole configurations (`space.py`), each made anew from the baseline; what it
asks for is not raced and, being no one-lever change of the head, runs the batch gate first. Its space merges the
compiler's flags into one slot and is thinned where it would be too large; it does not have all combinations of the
policy, and it has combinations that the policy only reaches step by step. It is favoured in four things: a
configuration that makes a source it has asked for before is answered from memory and costs nothing; its time to think
is not device time; populations are cut to a quarter of the budget, since with its own defaults it would do nothing but
draw at random for so few candidates; and of its three strategies the best one is quoted, picked by the result.
It is answered with the time relative to the baseline, a product of measured ratios; with twice the baseline's time, or
the slowest seen if that is more, for what was refused: its own mark of a failure is the largest float, which its
Gaussian process cannot digest. Its Latin hypercubes are not seedable; all else of it is seeded.

The policy's advantage is what it was told of levers beforehand (`roles/brains/offline/belief.py`); random search and
Kernel Tuner have no such priors. The bench says what these are worth on this kernel.
"""
