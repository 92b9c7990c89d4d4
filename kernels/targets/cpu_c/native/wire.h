/* Records between referee and runner, little endian; the Python side is kernels/sandbox/wire.py. */
#ifndef KW_WIRE_H
#define KW_WIRE_H
#include <stdint.h>

#define KW_REQUEST_MAGIC 0x4b575251u
#define KW_REPLY_MAGIC 0x4b575250u
#define KW_STATUS_MAGIC 0x4b575253u
#define KW_MAX_ARGUMENTS 32

/* KW_STAGE, KW_FETCH: around a call of a device with memory of its own. */
enum { KW_ARM = 1, KW_CALL = 2, KW_PING = 3, KW_QUIT = 4, KW_STAGE = 5, KW_FETCH = 6 };
enum { KW_OK = 0, KW_BAD_REQUEST = 1, KW_FP_MODE_CHANGED = 2, KW_PREPARED = 3 };
enum {
    KW_FAULT = 1,
    KW_FORBIDDEN = 2,
    KW_LOAD_FAILED = 3,
    KW_SETUP_FAILED = 4,
    KW_NO_MEMORY = 5,
    KW_TIME_LIMIT = 6,
    KW_STACK_SMASHED = 7,
    KW_SANITIZER = 8,
    KW_DEVICE_FAULT = 9 /* of a device with memory of its own; the text says what */
};
enum { KW_UNKNOWN = 0, KW_READS = 1, KW_WRITES = 2 };
enum { KW_EXIT_STATUS = 90, KW_EXIT_FAULT = 91, KW_EXIT_LOAD = 92, KW_EXIT_SETUP = 93 };

struct kw_request {
    uint32_t magic, op;
    uint64_t seq;
    uint32_t arguments, flags;
    uint64_t pointer[KW_MAX_ARGUMENTS]; /* segment << 56 | offset */
};

struct kw_reply {
    uint32_t magic, status;
    uint64_t seq, own_ns;
    uint32_t fp_before, fp_after, threads, reserved;
};

/* The last words. segment: the one that the address lies in or next to, -1 for none; offset: from its start, may be
   negative. number: the system call of KW_FORBIDDEN. length: bytes of text that follow. */
struct kw_status {
    uint32_t magic, kind, signal;
    int32_t segment;
    uint64_t address;
    int64_t offset, number;
    uint32_t access, length;
};
#endif
