#ifndef KW_CU_CONFINE_H
#define KW_CU_CONFINE_H
/* System call filters of the CUDA runner. Both stay for good; the kernel takes the stricter answer. No host code of a
   candidate exists: the filters stand against a driver that is led astray by a cubin. They name what is refused, since
   NVIDIA does not say which calls its driver makes; the sandbox shows no network and no files but the system's. */

/* Before the cubin is handed to the driver: no programs, no sockets, no other processes' memory. 0 on success. */
int kw_cu_confine_load(void);
/* Before its first launch: in addition no new processes and no file opened to be written. 0 on success. */
int kw_cu_confine_run(void);
#endif
