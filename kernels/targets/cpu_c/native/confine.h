#ifndef KW_CONFINE_H
#define KW_CONFINE_H
/* System call filters of the runner. Both stay for good; the kernel takes the stricter answer.
   own_threads: the contract lets the kernel start threads (OpenMP). */

/* Before the candidate is loaded: what the dynamic loader needs, from the loader's own code. 0 on success. */
int kw_confine_load(int own_threads);
/* After it: no files, no new executable memory. A call outside the list raises SIGSYS. 0 on success. */
int kw_confine_run(int own_threads);
#endif
