/* A built candidate: what is launched, with which arguments, and the program itself. */
#ifndef KW_CL_PROGRAM_H
#define KW_CL_PROGRAM_H
#include <stddef.h>
#include <stdint.h>

#include "cl_api.h"
#include "wire.h"

#define KW_LAUNCHES 16
#define KW_SCRATCHES 16
#define KW_CL_NAME 64

enum { KW_BUFFER, KW_SCALAR, KW_CONSTANT };

struct kw_launch {
    char name[KW_CL_NAME];
    size_t global, local;
    cl_object kernel;
};

struct kw_cl_argument {
    int kind, writable;
    size_t size;
    unsigned char value[8]; /* of a constant */
};

/* What a candidate's file says, see `container.py`: arguments in call order, then scratch memory, then the launches. */
struct kw_program {
    unsigned arguments, scratches, launches;
    struct kw_cl_argument argument[KW_MAX_ARGUMENTS];
    size_t scratch_size[KW_SCRATCHES];
    cl_object scratch[KW_SCRATCHES];
    struct kw_launch launch[KW_LAUNCHES];
    unsigned char *binary;
    size_t binary_size;
};

/* Reads the file. NULL, or what is wrong with it. */
const char *kw_program_read(struct kw_program *program, const char *path);
/* Makes kernels and scratch memory of it; runs nothing of it. NULL, or what is wrong. */
const char *kw_program_load(struct kw_program *program, struct kw_cl *cl, cl_object context);
/* Loads every shared object below this folder for good, so that the first launch of a kernel opens no file.
   NULL, or what is wrong. */
const char *kw_program_pin(const char *folder);
#endif
