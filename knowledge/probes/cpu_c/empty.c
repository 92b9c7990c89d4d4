/* Does nothing: what is left is the cost of a call with its two clock readings, or of a message. */
#include "kernelwright.h"

void probe(uint8_t *area, int64_t bytes, int64_t count, uint64_t *out) { (void)area, (void)bytes, (void)count, (void)out; }
