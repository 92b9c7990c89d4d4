/* A small assembler for seccomp-bpf allow-lists: every rule is a block that ends in a verdict. */
#ifndef KW_FILTER_H
#define KW_FILTER_H
#include <linux/filter.h>
#include <stdint.h>

#define KW_FILTER_MAX 256

struct kw_filter {
    struct sock_filter code[KW_FILTER_MAX];
    unsigned count;
};

/* Addresses [low, high] of instructions after `syscall`. */
struct kw_range {
    uint64_t low, high;
};

void kw_filter_begin(struct kw_filter *filter);
void kw_allow(struct kw_filter *filter, unsigned call);
/* Fails with this errno instead of ending the process. */
void kw_fail(struct kw_filter *filter, unsigned call, unsigned error);
/* Only from instructions of this range. */
void kw_allow_from(struct kw_filter *filter, unsigned call, struct kw_range from);
void kw_allow_from_or_fail(struct kw_filter *filter, unsigned call, struct kw_range from, unsigned error);
void kw_allow_from_either(struct kw_filter *filter, unsigned call, struct kw_range one, struct kw_range other);
/* Only with this low word in an argument. */
void kw_allow_value(struct kw_filter *filter, unsigned call, unsigned argument, uint32_t value);
/* Only when (low word of the argument & mask) == value, or from instructions of this range. */
void kw_allow_masked(struct kw_filter *filter, unsigned call, unsigned argument, uint32_t mask, uint32_t value,
                     struct kw_range otherwise);
/* write(2): to the log (descriptors 1 and 2) from anywhere, to all others from one instruction. */
void kw_allow_write(struct kw_filter *filter, unsigned call, struct kw_range from);
/* mmap(2): anonymous and below 1 GiB from anywhere, of files only from the loader's range (empty: never). */
void kw_allow_map(struct kw_filter *filter, unsigned call, struct kw_range loader);
/* Everything else raises SIGSYS. Holds for all threads. 0 on success. */
int kw_filter_install(struct kw_filter *filter);
#endif
