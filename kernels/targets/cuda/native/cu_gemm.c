/* `kw-cuda-gemm LIBRARY M N K CALLS`: NVIDIA's own product Y = X W^T of bf16 matrices, X of M x K and W of N x K, row by
   row, sums in float, by cublasGemmEx of this library. It is checked on whole numbers first, then timed, each call with
   a cold cache as those of candidates are. A line a call: `call NS EVENT_NS`. What is wrong goes to standard output;
   exit code 1. Types and constants as in cublas_api.h and library_types.h, whose values never change. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cu_api.h"

#define AS_IT_IS 0
#define TRANSPOSED 1
#define BF16 14
#define SUMS_IN_F32 68
#define ANY_ALGORITHM (-1)
#define L2_AT_LEAST (64u << 20)
#define CHECKED 997
#define WARM 3

typedef int (*gemm_ex)(void *, int, int, int, int, int, const void *, const void *, int, int, const void *, int, int,
                       const void *, void *, int, int, int, int);

static struct kw_cu cu;
static void *handle;
static gemm_ex multiply;
static int M, N, K;
static cu_pointer x, w, y, cold;
static size_t cold_bytes;
static cu_object began, ended;

static int fail(const char *what) {
    printf("%s\n", what);
    return 1;
}

static uint16_t bf16(float value) { /* of a finite one */
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return (uint16_t)((word + 0x7fffu + ((word >> 16) & 1u)) >> 16);
}

static float whole(size_t i) { return (float)((i * 2654435761u >> 7) % 5u) - 2.0f; }

static const char *open_cublas(const char *path) {
    int (*create)(void **), (*version)(void *, int *), number = 0;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
    *(void **)&create = dlsym(library, "cublasCreate_v2");
    *(void **)&version = dlsym(library, "cublasGetVersion_v2");
    *(void **)&multiply = dlsym(library, "cublasGemmEx");
    if (!create || !version || !multiply) return "the library lacks a function of cuBLAS 11";
    if (create(&handle) || version(handle, &number)) return "cublasCreate fails";
    printf("version %d\n", number);
    return NULL;
}

/* Column by column, as cuBLAS sees them: Y^T of N x M is W of N x K times X^T. */
static int product(void) {
    const float one = 1, none = 0;
    return multiply(handle, TRANSPOSED, AS_IT_IS, N, M, K, &one, (void *)w, BF16, K, (void *)x, BF16, K, &none,
                    (void *)y, BF16, N, SUMS_IN_F32, ANY_ALGORITHM);
}

static cu_result put(cu_pointer *at, size_t count, size_t shift) {
    uint16_t *values = malloc(count * sizeof *values);
    if (!values) return KW_CUDA_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++) values[i] = bf16(whole(i + shift));
    cu_result wrong = cu.allocate(at, count * sizeof *values);
    if (!wrong) wrong = cu.to_device(*at, values, count * sizeof *values);
    free(values);
    return wrong;
}

static cu_result prepare(void) {
    size_t l2 = (size_t)kw_cu_attribute(&cu, KW_CUDA_L2_BYTES);
    cold_bytes = 2 * l2 > L2_AT_LEAST ? 2 * l2 : L2_AT_LEAST;
    cu_result wrong = put(&x, (size_t)M * K, 0);
    if (!wrong) wrong = put(&w, (size_t)N * K, 12345);
    if (!wrong) wrong = cu.allocate(&y, (size_t)M * N * sizeof(uint16_t));
    if (!wrong) wrong = cu.allocate(&cold, cold_bytes);
    if (!wrong) wrong = cu.event_create(&began, KW_CUDA_EVENT_DEFAULT);
    return wrong ? wrong : cu.event_create(&ended, KW_CUDA_EVENT_DEFAULT);
}

static const char *check(void) {
    size_t all = (size_t)M * N;
    uint16_t *got = malloc(all * sizeof *got);
    if (!got) return "no memory";
    cu_result wrong = cu.fill(y, 0xff, all * sizeof *got);
    if (product()) return "cublasGemmEx fails";
    if (!wrong) wrong = cu.synchronise();
    if (!wrong) wrong = cu.to_host(got, y, all * sizeof *got);
    if (wrong) return kw_cu_text(&cu, wrong);
    for (size_t i = 0; i < CHECKED; i++) {
        size_t at = i * 7919u % all, m = at / N, n = at % N;
        float sum = 0;
        for (size_t k = 0; k < (size_t)K; k++) sum += whole(m * K + k) * whole(n * K + k + 12345);
        if (got[at] != bf16(sum) && !(sum == 0.0f && got[at] == 0x8000)) return "cuBLAS gives another product";
    }
    free(got);
    return NULL;
}

static uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static const char *call(int timed) {
    float ms = 0;
    cu_result wrong = cu.fill(cold, 0x5a, cold_bytes);
    if (!wrong) wrong = cu.synchronise();
    uint64_t started = now_ns();
    if (!wrong) wrong = cu.event_record(began, NULL);
    if (product()) return "cublasGemmEx fails";
    if (!wrong) wrong = cu.event_record(ended, NULL);
    if (!wrong) wrong = cu.synchronise();
    uint64_t took = now_ns() - started;
    if (!wrong) wrong = cu.event_elapsed(&ms, began, ended);
    if (wrong) return kw_cu_text(&cu, wrong);
    if (timed) printf("call %llu %.0f\n", (unsigned long long)took, (double)ms * 1e6);
    return NULL;
}

int main(int count, char **words) {
    if (count != 6) return fail("usage: kw-cuda-gemm LIBRARY M N K CALLS");
    M = atoi(words[2]), N = atoi(words[3]), K = atoi(words[4]);
    if (M < 1 || N < 1 || K < 1) return fail("sizes must be above 0");
    const char *wrong = kw_cu_open(&cu);
    if (!wrong) wrong = kw_cu_begin(&cu);
    if (!wrong) wrong = open_cublas(words[1]);
    cu_result refused = wrong ? 0 : prepare();
    if (refused) wrong = kw_cu_text(&cu, refused);
    if (!wrong) wrong = check();
    for (int i = 0; !wrong && i < WARM + atoi(words[5]); i++) wrong = call(i >= WARM);
    return wrong ? fail(wrong) : 0;
}
