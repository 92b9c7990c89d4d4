#define _GNU_SOURCE
#include "cu_memory.h"

#include <stdio.h>
#include <string.h>

#include "faults.h"
#include "segments.h"

#define PIECE (64u << 10) /* of an argument that may only be read, compared after a call */
#define GUARDED 0xc3
#define L2_AT_LEAST (64u << 20)

static cu_pointer mirror[KW_MAX_SEGMENTS], scratch[KW_SCRATCHES], cold;
static uint64_t size_of[KW_MAX_SEGMENTS];
static size_t cold_bytes;

static int faulted(cu_result wrong) {
    const cu_result faults[] = {KW_CUDA_ILLEGAL_ADDRESS,     KW_CUDA_ASSERT,
                                KW_CUDA_HARDWARE_STACK_ERROR, KW_CUDA_ILLEGAL_INSTRUCTION,
                                KW_CUDA_MISALIGNED_ADDRESS,  KW_CUDA_INVALID_ADDRESS_SPACE,
                                KW_CUDA_INVALID_PC,          KW_CUDA_LAUNCH_FAILED};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (wrong == faults[i]) return 1;
    return 0;
}

void kw_memory_check(struct kw_cu *cu, cu_result wrong, const char *what) {
    char text[400];
    if (wrong == KW_CUDA_SUCCESS) return;
    snprintf(text, sizeof text, "%s: %s", what, kw_cu_text(cu, wrong));
    if (wrong == KW_CUDA_OUT_OF_MEMORY) kw_fail_text(KW_NO_MEMORY, KW_EXIT_FAULT, "");
    if (wrong == KW_CUDA_LAUNCH_TIMEOUT) kw_fail_text(KW_TIME_LIMIT, KW_EXIT_FAULT, "");
    kw_fail_text(faulted(wrong) ? KW_DEVICE_FAULT : KW_LOAD_FAILED, KW_EXIT_FAULT, text);
}

static cu_pointer guarded(struct kw_cu *cu, uint64_t size) {
    cu_pointer at = 0;
    kw_memory_check(cu, cu->allocate(&at, size + 2 * KW_GUARD_BYTES), "cuMemAlloc");
    return at + KW_GUARD_BYTES;
}

void kw_memory_mirror(struct kw_cu *cu, unsigned segment, uint64_t size) {
    mirror[segment] = guarded(cu, size);
    size_of[segment] = size;
}

void kw_memory_begin(struct kw_cu *cu, const struct kw_program *p) {
    for (unsigned i = 0; i < p->scratches; i++) scratch[i] = guarded(cu, p->scratch_size[i]);
    size_t l2 = (size_t)kw_cu_attribute(cu, KW_CUDA_L2_BYTES);
    cold_bytes = 2 * l2 > L2_AT_LEAST ? 2 * l2 : L2_AT_LEAST;
    cold = guarded(cu, cold_bytes);
}

cu_pointer kw_memory_at(uint64_t packed) {
    uint64_t index = packed >> 56, offset = packed & ((1ull << 56) - 1);
    return index < KW_MAX_SEGMENTS && mirror[index] && offset < size_of[index] ? mirror[index] + offset : 0;
}

cu_pointer kw_memory_scratch(unsigned index) { return scratch[index]; }

static void put_guards(struct kw_cu *cu, cu_pointer at, size_t size) {
    kw_memory_check(cu, cu->fill(at - KW_GUARD_BYTES, GUARDED, KW_GUARD_BYTES), "cuMemsetD8");
    kw_memory_check(cu, cu->fill(at + size, GUARDED, KW_GUARD_BYTES), "cuMemsetD8");
}

static void changed(const char *what, unsigned number) {
    char text[200];
    snprintf(text, sizeof text, "%s %u (counted from 1)", what, number + 1);
    kw_fail_text(KW_DEVICE_FAULT, KW_EXIT_FAULT, text);
}

static int whole(struct kw_cu *cu, cu_pointer at) {
    unsigned char seen[KW_GUARD_BYTES];
    kw_memory_check(cu, cu->to_host(seen, at, sizeof seen), "cuMemcpyDtoH");
    for (unsigned i = 0; i < sizeof seen; i++)
        if (seen[i] != GUARDED) return 0;
    return 1;
}

static void look_at_guards(struct kw_cu *cu, cu_pointer at, size_t size, const char *before, const char *behind,
                           unsigned number) {
    if (!whole(cu, at - KW_GUARD_BYTES)) changed(before, number);
    if (!whole(cu, at + size)) changed(behind, number);
}

/* Every buffer of the call must lie in a segment, with all of its bytes. */
static int sound(const struct kw_program *p, const struct kw_request *request) {
    if (request->arguments != p->arguments) return 0;
    for (unsigned i = 0; i < p->arguments; i++) {
        uint64_t index = request->pointer[i] >> 56, offset = request->pointer[i] & ((1ull << 56) - 1);
        if (p->argument[i].kind == KW_CONSTANT) continue;
        if (!kw_memory_at(request->pointer[i]) || p->argument[i].size > size_of[index] - offset) return 0;
    }
    return 1;
}

uint32_t kw_memory_stage(struct kw_cu *cu, const struct kw_program *p, const struct kw_request *request) {
    unsigned char pattern = (unsigned char)(request->seq * 151 + 89);
    if (!sound(p, request)) return KW_BAD_REQUEST;
    for (unsigned i = 0; i < p->arguments; i++) {
        const struct kw_cu_argument *one = &p->argument[i];
        if (one->kind != KW_BUFFER) continue;
        cu_pointer at = kw_memory_at(request->pointer[i]);
        if (one->writable) put_guards(cu, at, one->size);
        kw_memory_check(cu, cu->to_device(at, kw_pointer(request->pointer[i]), one->size), "cuMemcpyHtoD");
    }
    for (unsigned i = 0; i < p->scratches; i++) {
        put_guards(cu, scratch[i], p->scratch_size[i]);
        kw_memory_check(cu, cu->fill(scratch[i], pattern, p->scratch_size[i]), "cuMemsetD8");
    }
    kw_memory_check(cu, cu->fill(cold, pattern, cold_bytes), "cuMemsetD8");
    kw_memory_check(cu, cu->synchronise(), "cuCtxSynchronize");
    return KW_OK;
}

static int same(struct kw_cu *cu, cu_pointer at, const unsigned char *here, size_t size, uint64_t seq) {
    static unsigned char seen[PIECE];
    size_t pieces = (size + PIECE - 1) / PIECE, from = (size_t)(seq * 0x9e3779b97f4a7c15ull >> 20) % pieces * PIECE;
    size_t length = size - from < PIECE ? size - from : PIECE;
    kw_memory_check(cu, cu->to_host(seen, at + from, length), "cuMemcpyDtoH");
    return !memcmp(seen, here + from, length);
}

uint32_t kw_memory_fetch(struct kw_cu *cu, const struct kw_program *p, const struct kw_request *request) {
    if (!sound(p, request)) return KW_BAD_REQUEST;
    for (unsigned i = 0; i < p->arguments; i++) {
        const struct kw_cu_argument *one = &p->argument[i];
        if (one->kind != KW_BUFFER) continue;
        cu_pointer at = kw_memory_at(request->pointer[i]);
        void *here = kw_pointer(request->pointer[i]);
        if (!one->writable && !same(cu, at, here, one->size, request->seq)) changed("it changed argument", i);
        if (!one->writable) continue;
        look_at_guards(cu, at, one->size, "it wrote before argument", "it wrote behind argument", i);
        kw_memory_check(cu, cu->to_host(here, at, one->size), "cuMemcpyDtoH");
    }
    for (unsigned i = 0; i < p->scratches; i++)
        look_at_guards(cu, scratch[i], p->scratch_size[i], "it wrote before scratch buffer",
                       "it wrote behind scratch buffer", i);
    return KW_OK;
}
