#ifndef KW_SEGMENTS_H
#define KW_SEGMENTS_H
#include <stdint.h>

#define KW_MAX_SEGMENTS 8

/* Maps one segment from its word, fd:size:r or fd:size:w:offset+length,offset+length,..., between guard bands. Only the
   regions of a writable one are open, the gaps between them are guard pages. 0 on success. */
int kw_map_segment(int index, char *word);
/* Bytes of address space in use for segments. */
uint64_t kw_mapped(void);
/* NULL when the address is not inside a segment. */
void *kw_pointer(uint64_t packed);
/* The segment that an address lies in, or whose guard band it lies in; -1 for none. */
int kw_segment_at(uint64_t address, int64_t *offset);
#endif
