/* `kw-cuda-describe device`: what the first GPU is, a line for each number. `kw-cuda-describe health`: whether it takes
   work: memory is filled, written, read back and compared. What is wrong goes to standard output; exit code 1. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cu_api.h"

#define CANARY (1u << 20)

static struct kw_cu cu;

static int fail(const char *what) {
    printf("%s\n", what);
    return 1;
}

static int describe(void) {
    const struct {
        const char *name;
        int what;
    } numbers[] = {
        {"major", KW_CUDA_MAJOR},
        {"minor", KW_CUDA_MINOR},
        {"multiprocessors", KW_CUDA_MULTIPROCESSORS},
        {"clock_khz", KW_CUDA_CLOCK_KHZ},
        {"memory_khz", KW_CUDA_MEMORY_KHZ},
        {"bus_bits", KW_CUDA_BUS_BITS},
        {"l2_bytes", KW_CUDA_L2_BYTES},
        {"threads_a_multiprocessor", KW_CUDA_THREADS_A_MULTIPROCESSOR},
        {"registers_a_multiprocessor", KW_CUDA_REGISTERS_A_MULTIPROCESSOR},
        {"shared_a_multiprocessor", KW_CUDA_SHARED_A_MULTIPROCESSOR},
        {"shared_a_block", KW_CUDA_SHARED_A_BLOCK_OPTED_IN},
    };
    char name[256] = "";
    size_t memory = 0;
    int version = 0;
    if (cu.device_name(name, sizeof name, cu.device) || cu.device_memory(&memory, cu.device)) return fail("no name");
    if (cu.driver_version(&version)) return fail("no version of the driver");
    printf("name: %s\ndriver: %d.%d\nmemory_bytes: %zu\n", name, version / 1000, version % 1000 / 10, memory);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        printf("%s: %d\n", numbers[i].name, kw_cu_attribute(&cu, numbers[i].what));
    return 0;
}

static int health(void) {
    cu_pointer at;
    const char *missing = kw_cu_begin(&cu);
    if (missing) return fail(missing);
    unsigned char *sent = malloc(CANARY), *got = malloc(CANARY);
    if (!sent || !got) return fail("no memory");
    for (unsigned i = 0; i < CANARY; i++) sent[i] = (unsigned char)(i * 2654435761u >> 13);
    cu_result wrong = cu.allocate(&at, CANARY);
    if (!wrong) wrong = cu.fill(at, 0xa5, CANARY);
    if (!wrong) wrong = cu.to_device(at, sent, CANARY);
    if (!wrong) wrong = cu.synchronise();
    if (!wrong) wrong = cu.to_host(got, at, CANARY);
    if (wrong) return fail(kw_cu_text(&cu, wrong));
    return memcmp(sent, got, CANARY) ? fail("the GPU's memory gives back other bytes than were written") : 0;
}

int main(int count, char **words) {
    const char *missing = kw_cu_open(&cu);
    if (missing) return fail(missing);
    if (count == 2 && !strcmp(words[1], "device")) return describe();
    if (count == 2 && !strcmp(words[1], "health")) return health();
    return fail("usage: kw-cuda-describe device | health");
}
