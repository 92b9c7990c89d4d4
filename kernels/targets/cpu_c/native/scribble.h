/* What a kernel reads of its stack before it has written it differs from call to call. */
#ifndef KW_SCRIBBLE_H
#define KW_SCRIBBLE_H
#include <stdint.h>
#include <string.h>

#define KW_SCRIBBLED (256u << 10)

static __attribute__((noinline, unused)) void kw_scribble(uint64_t number) {
    unsigned char below[KW_SCRIBBLED];
    memset(below, (int)(number * 151 + 89), sizeof below);
    __asm__ volatile("" : : "r"(below) : "memory");
}
#endif
