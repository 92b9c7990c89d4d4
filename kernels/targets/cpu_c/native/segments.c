#define _GNU_SOURCE
#include "segments.h"

#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define HUGE_PAGE (2ull << 20)
#define BAND (4ull << 20)
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif

static struct {
    unsigned char *base;
    uint64_t size;
} segments[KW_MAX_SEGMENTS];
static uint64_t mapped;

static unsigned char *reserve(uint64_t size) {
    uint64_t whole = size + 2 * BAND + HUGE_PAGE;
    unsigned char *space = mmap(NULL, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space == MAP_FAILED) return NULL;
    mapped += whole;
    return (unsigned char *)(((uint64_t)space + BAND + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
}

/* So that no call pays for first touches. An old kernel lacks the advice; then the warm-up pays. */
static int open_region(unsigned char *from, uint64_t length, int access) {
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    length = (length + page - 1) / page * page;
    if (mprotect(from, length, access)) return -1;
    (void)madvise(from, length, access & PROT_WRITE ? MADV_POPULATE_WRITE : MADV_POPULATE_READ);
    return 0;
}

int kw_map_segment(int index, char *word) {
    char *rest;
    int fd = (int)strtol(word, &rest, 10);
    uint64_t size = strtoull(rest + 1, &rest, 10);
    int writable = rest[1] == 'w', access = writable ? PROT_READ | PROT_WRITE : PROT_READ;
    unsigned char *base = index < KW_MAX_SEGMENTS ? reserve(size) : NULL;
    if (!base || mmap(base, size, PROT_NONE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED) return -1;
    (void)madvise(base, size, MADV_HUGEPAGE);
    if (!writable && open_region(base, size, access)) return -1;
    for (rest += 2; writable && *rest;) {
        uint64_t offset = strtoull(rest + 1, &rest, 10), length = strtoull(rest + 1, &rest, 10);
        if (open_region(base + offset, length, access)) return -1;
    }
    segments[index].base = base, segments[index].size = size;
    return 0;
}

uint64_t kw_mapped(void) { return mapped; }

void *kw_pointer(uint64_t packed) {
    uint64_t index = packed >> 56, offset = packed & ((1ull << 56) - 1);
    if (index >= KW_MAX_SEGMENTS || offset >= segments[index].size) return NULL;
    return segments[index].base + offset;
}

int kw_segment_at(uint64_t address, int64_t *offset) {
    for (int i = 0; i < KW_MAX_SEGMENTS; i++) {
        uint64_t base = (uint64_t)segments[i].base;
        if (!base || address < base - BAND || address >= base + segments[i].size + BAND) continue;
        *offset = (int64_t)(address - base);
        return i;
    }
    return -1;
}
