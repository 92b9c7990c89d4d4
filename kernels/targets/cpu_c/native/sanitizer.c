/* Only in the runner of sanitized builds: what AddressSanitizer finds becomes the process's last words. */
#ifdef KW_SANITIZE
#include "faults.h"
#include "wire.h"

#define EXPORTED __attribute__((visibility("default")))

const char *__asan_get_report_description(void);
EXPORTED const char *__asan_default_options(void);
EXPORTED void __asan_on_error(void);

EXPORTED const char *__asan_default_options(void) {
    return "detect_leaks=0:allow_user_segv_handler=1:handle_segv=0:handle_sigbus=0:handle_sigill=0:handle_sigfpe=0:"
           "use_sigaltstack=0:detect_stack_use_after_return=0:start_deactivated=0";
}

EXPORTED void __asan_on_error(void) { kw_fail_text(KW_SANITIZER, KW_EXIT_FAULT, __asan_get_report_description()); }
#else
typedef int kw_no_sanitizer;
#endif
