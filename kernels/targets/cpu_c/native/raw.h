/* The only instructions from which the filters let the process read and write descriptors and change the filters. */
#ifndef KW_RAW_H
#define KW_RAW_H
#include <stddef.h>

/* As read(2) and write(2), but the result is -errno. The labels name the address that the kernel sees. */
long kw_raw_read(int fd, void *to, size_t size);
long kw_raw_write(int fd, const void *from, size_t size);
long kw_raw_seccomp(unsigned operation, unsigned flags, const void *program);
extern const char kw_after_read[], kw_after_write[], kw_after_seccomp[];
#endif
