/* A built candidate: what is launched, with which arguments, and the cubin itself. */
#ifndef KW_CU_PROGRAM_H
#define KW_CU_PROGRAM_H
#include <stddef.h>
#include <stdint.h>

#include "cu_api.h"
#include "wire.h"

#define KW_LAUNCHES 16
#define KW_SCRATCHES 16
#define KW_CU_NAME 128
#define KW_CU_NAME_FORMAT "%127s"

enum { KW_BUFFER, KW_SCALAR, KW_CONSTANT };

struct kw_launch {
    char name[KW_CU_NAME];
    unsigned blocks, threads, shared;
    cu_object function;
};

struct kw_cu_argument {
    int kind, writable;
    size_t size;
    unsigned char value[8]; /* of a constant */
};

/* What a candidate's file says, see `container.py`: arguments in call order, then scratch memory, then the launches. */
struct kw_program {
    unsigned arguments, scratches, launches;
    struct kw_cu_argument argument[KW_MAX_ARGUMENTS];
    size_t scratch_size[KW_SCRATCHES];
    struct kw_launch launch[KW_LAUNCHES];
    unsigned char *cubin;
    size_t cubin_size;
};

/* Reads the file. NULL, or what is wrong with it. */
const char *kw_program_read(struct kw_program *program, const char *path);
/* Hands the cubin to the driver and finds its functions; runs nothing of it. NULL, or what is wrong. */
const char *kw_program_load(struct kw_program *program, struct kw_cu *cu);
#endif
