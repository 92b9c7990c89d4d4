#ifndef KW_FAULTS_H
#define KW_FAULTS_H
#include <stdint.h>

/* Last words on the status descriptor. */
void kw_faults_begin(int status_fd);
/* A stack for the calling thread's signal handlers. 0 on success. */
int kw_signal_stack(void);
/* Says why and ends the process. */
_Noreturn void kw_fail_text(uint32_t kind, int code, const char *text);
#endif
