/* The launches of a call as marks of a profiled build, see spans.h: one lane, a span for each launch. */
#ifndef KW_CU_MARKS_H
#define KW_CU_MARKS_H
#include "cu_calls.h"
#include "cu_program.h"

/* Maps the memory; a negative descriptor means that nothing is recorded. 0 on success. */
int kw_cu_marks_begin(int fd);
/* began, ended: of the call by our own clock, whose zero the device's clock need not share. */
void kw_cu_marks_write(const struct kw_program *program, const struct kw_cu_times *times, uint64_t began,
                       uint64_t ended);
#endif
