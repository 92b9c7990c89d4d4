#define _GNU_SOURCE
#include "cu_marks.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "spans.h"

static struct kw_spans *spans;

int kw_cu_marks_begin(int fd) {
    if (fd < 0) return 0;
    void *memory = mmap(NULL, sizeof *spans, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
    if (memory == MAP_FAILED) return -1;
    spans = memory;
    spans->magic = KW_SPANS_MAGIC;
    return close(fd);
}

/* The events share no zero with our clock: the last launch ends when the call does. */
void kw_cu_marks_write(const struct kw_program *p, const struct kw_cu_times *times, uint64_t began, uint64_t ended) {
    if (!spans) return;
    uint64_t whole = times->ended[p->launches - 1], late = ended - began;
    uint64_t first = late > whole ? ended - whole : began, at = 0;
    spans->names = p->launches;
    spans->clock[0] = spans->tick[0] = began, spans->clock[1] = spans->tick[1] = ended;
    for (unsigned k = 0; k < p->launches; k++) {
        strncpy(spans->name[k], p->launch[k].name, KW_SPAN_NAME_BYTES - 1);
        spans->thread[0].mark[2 * k] = (struct kw_mark){first + at, k, 1};
        at = times->ended[k];
        spans->thread[0].mark[2 * k + 1] = (struct kw_mark){first + at, k, 0};
    }
    spans->thread[0].count = 2 * p->launches;
}
