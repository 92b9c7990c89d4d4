#ifndef KW_CL_CONFINE_H
#define KW_CL_CONFINE_H
/* System call filters of the OpenCL runner. Both stay for good; the kernel takes the stricter answer. No code of the
   candidate runs before the second one. */

/* Before the candidate's program is handed to OpenCL: files yes (the sandbox shows an empty folder and the system's),
   no network, no processes, no threads. 0 on success. */
int kw_cl_confine_load(void);
/* Before its first launch: no files but to ask whether one is there, no new executable memory. 0 on success. */
int kw_cl_confine_run(void);
#endif
