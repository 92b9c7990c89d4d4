#define _GNU_SOURCE
#include "filter.h"

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <unistd.h>

#include "raw.h"

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif
#define ARGUMENT(i) ((uint32_t)(offsetof(struct seccomp_data, args) + 8u * (i)))
#define POINTER ((uint32_t)offsetof(struct seccomp_data, instruction_pointer))

static void put(struct kw_filter *filter, uint16_t code, uint32_t k, uint8_t yes, uint8_t no) {
    if (filter->count < KW_FILTER_MAX) filter->code[filter->count] = (struct sock_filter){code, yes, no, k};
    filter->count++;
}

static void load(struct kw_filter *f, uint32_t offset) { put(f, BPF_LD | BPF_W | BPF_ABS, offset, 0, 0); }
static void answer(struct kw_filter *f, uint32_t value) { put(f, BPF_RET | BPF_K, value, 0, 0); }
static void equal(struct kw_filter *f, uint32_t k, uint8_t yes, uint8_t no) { put(f, BPF_JMP | BPF_JEQ | BPF_K, k, yes, no); }
static void above(struct kw_filter *f, uint32_t k, uint8_t yes, uint8_t no) { put(f, BPF_JMP | BPF_JGT | BPF_K, k, yes, no); }

/* The call's number is in the accumulator; a block that does not match jumps over itself. */
static unsigned open_block(struct kw_filter *f, unsigned call) {
    equal(f, call, 0, 0);
    return f->count - 1;
}

static void close_block(struct kw_filter *f, unsigned at) {
    if (f->count <= KW_FILTER_MAX) f->code[at].jf = (uint8_t)(f->count - 1 - at);
}

/* ALLOW when the instruction lies in the range, else go on. One that crosses a multiple of 4 GiB is not looked at. */
static void allow_range(struct kw_filter *f, struct kw_range from) {
    if (!from.high) return;
    if (from.low >> 32 != from.high >> 32) answer(f, SECCOMP_RET_ALLOW);
    load(f, POINTER + 4);
    equal(f, (uint32_t)(from.low >> 32), 0, 4);
    load(f, POINTER);
    put(f, BPF_JMP | BPF_JGE | BPF_K, (uint32_t)from.low, 0, 2);
    above(f, (uint32_t)from.high, 1, 0);
    answer(f, SECCOMP_RET_ALLOW);
}

void kw_filter_begin(struct kw_filter *f) {
    f->count = 0;
    load(f, offsetof(struct seccomp_data, arch));
    equal(f, ARCHITECTURE, 1, 0);
    answer(f, SECCOMP_RET_KILL_PROCESS);
    load(f, offsetof(struct seccomp_data, nr));
}

void kw_allow(struct kw_filter *f, unsigned call) {
    unsigned at = open_block(f, call);
    answer(f, SECCOMP_RET_ALLOW);
    close_block(f, at);
}

void kw_fail(struct kw_filter *f, unsigned call, unsigned error) {
    unsigned at = open_block(f, call);
    answer(f, SECCOMP_RET_ERRNO | error);
    close_block(f, at);
}

void kw_allow_from(struct kw_filter *f, unsigned call, struct kw_range from) {
    kw_allow_from_either(f, call, from, (struct kw_range){0, 0});
}

void kw_allow_from_or_fail(struct kw_filter *f, unsigned call, struct kw_range from, unsigned error) {
    unsigned at = open_block(f, call);
    allow_range(f, from);
    answer(f, SECCOMP_RET_ERRNO | error);
    close_block(f, at);
}

void kw_allow_from_either(struct kw_filter *f, unsigned call, struct kw_range one, struct kw_range other) {
    unsigned at = open_block(f, call);
    allow_range(f, one);
    allow_range(f, other);
    answer(f, SECCOMP_RET_TRAP);
    close_block(f, at);
}

void kw_allow_value(struct kw_filter *f, unsigned call, unsigned argument, uint32_t value) {
    kw_allow_masked(f, call, argument, 0xffffffffu, value, (struct kw_range){0, 0});
}

void kw_allow_masked(struct kw_filter *f, unsigned call, unsigned argument, uint32_t mask, uint32_t value,
                     struct kw_range otherwise) {
    unsigned at = open_block(f, call);
    load(f, ARGUMENT(argument));
    put(f, BPF_ALU | BPF_AND | BPF_K, mask, 0, 0);
    equal(f, value, 0, 1);
    answer(f, SECCOMP_RET_ALLOW);
    allow_range(f, otherwise);
    answer(f, SECCOMP_RET_TRAP);
    close_block(f, at);
}

void kw_allow_write(struct kw_filter *f, unsigned call, struct kw_range from) {
    unsigned at = open_block(f, call);
    load(f, ARGUMENT(0));
    equal(f, STDOUT_FILENO, 1, 0);
    equal(f, STDERR_FILENO, 0, 1);
    answer(f, SECCOMP_RET_ALLOW);
    allow_range(f, from);
    answer(f, SECCOMP_RET_TRAP);
    close_block(f, at);
}

void kw_allow_map(struct kw_filter *f, unsigned call, struct kw_range loader) {
    unsigned at = open_block(f, call);
    load(f, ARGUMENT(4));
    equal(f, 0xffffffffu, 0, 7); /* no file */
    load(f, ARGUMENT(2));
    put(f, BPF_JMP | BPF_JSET | BPF_K, 4 /* PROT_EXEC */, 5, 0);
    load(f, ARGUMENT(1) + 4);
    equal(f, 0, 0, 3);
    load(f, ARGUMENT(1));
    put(f, BPF_JMP | BPF_JGE | BPF_K, 1u << 30, 1, 0);
    answer(f, SECCOMP_RET_ALLOW);
    allow_range(f, loader);
    answer(f, SECCOMP_RET_TRAP);
    close_block(f, at);
}

int kw_filter_install(struct kw_filter *f) {
    answer(f, SECCOMP_RET_TRAP);
    if (f->count > KW_FILTER_MAX) return -1;
    struct sock_fprog program = {.len = (unsigned short)f->count, .filter = f->code};
    return (int)kw_raw_seccomp(SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}
