/* The GPU's memory: a mirror of every segment, scratch buffers, guard words around all that may be written, and what
   drives the last call's data out of the L2 cache. */
#ifndef KW_CU_MEMORY_H
#define KW_CU_MEMORY_H
#include "cu_api.h"
#include "cu_program.h"
#include "wire.h"

#define KW_GUARD_BYTES 256 /* before and behind each; keeps the alignment of cuMemAlloc */

/* size: bytes of a segment, whose words are as for kw_map_segment. Ends the process when memory is short. */
void kw_memory_mirror(struct kw_cu *cu, unsigned segment, uint64_t size);
/* Scratch buffers of a program, and twice the L2 cache. */
void kw_memory_begin(struct kw_cu *cu, const struct kw_program *program);
/* All that a call reads goes to the GPU; outputs as the referee left them, guards and scratch memory get patterns, the
   cache is overwritten; waits until all of that is done. KW_OK, or KW_BAD_REQUEST. */
uint32_t kw_memory_stage(struct kw_cu *cu, const struct kw_program *program, const struct kw_request *request);
/* Guards are compared, outputs come back, and a piece of each argument that may only be read is compared, another one at
   each call. Ends the process with its last words when one was changed. KW_OK, or KW_BAD_REQUEST. */
uint32_t kw_memory_fetch(struct kw_cu *cu, const struct kw_program *program, const struct kw_request *request);
/* The GPU's address for a request's pointer; 0 when it is in no segment. */
cu_pointer kw_memory_at(uint64_t packed);
cu_pointer kw_memory_scratch(unsigned index);
/* Ends the process when something is wrong: with the device's word, as the candidate's fault, or for want of memory. */
void kw_memory_check(struct kw_cu *cu, cu_result wrong, const char *what);
#endif
