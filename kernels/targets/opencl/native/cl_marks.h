/* The launches of a call as marks of a profiled build, see spans.h: one lane, a span for each launch. */
#ifndef KW_CL_MARKS_H
#define KW_CL_MARKS_H
#include "cl_calls.h"
#include "cl_program.h"

/* Maps the memory; a negative descriptor means that nothing is recorded. 0 on success. */
int kw_cl_marks_begin(int fd);
/* began, ended: of the call by our own clock, whose zero the device's clock need not share. */
void kw_cl_marks_write(const struct kw_program *program, const struct kw_cl_times *times, uint64_t began,
                       uint64_t ended);
#endif
